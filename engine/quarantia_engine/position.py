"""Positions: who is to act, what they may do, what comes of it. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from quarantia_engine.encoding import CHANCE, OVER, TOGETHER, OfferShape
from quarantia_engine.errors import BadMove, BadPosition, IllegalMove
from quarantia_engine.moves import Move, choices_of, number_of
from quarantia_engine.values import Nested, from_json, index_names, to_json
from quarantia_spec.ir import Game, Gather, Sort, Variable

if TYPE_CHECKING:
    from quarantia_engine.engine import Engine
    from quarantia_engine.explain import Explanation
    from quarantia_engine.sentences import Language


@dataclass(frozen=True, slots=True)
class ToAct:
    """Who chooses next: one player, several at once, chance, or nobody because it is over."""

    players: tuple[int, ...] = ()
    chance: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `scores` is None in games without scores."""

    winners: tuple[int, ...]
    scores: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a game. Equal positions of equal games are equal, and hash alike.

    `cells` are numbers: cell 0 is where play stands, then the variables in order.
    """

    engine: Engine = field(repr=False, hash=False)
    cells: tuple[int, ...]

    def to_act(self) -> ToAct:
        """Who chooses next."""
        acting = self.engine.program.acting(list(self.cells), self.engine.data)
        if acting == OVER:
            return ToAct(over=True)
        if acting == CHANCE:
            return ToAct(chance=True)
        if acting == TOGETHER:
            return ToAct(self._waiting())
        return ToAct((acting,))

    def _waiting(self) -> tuple[int, ...]:
        node = self.engine.game.nodes[self.cells[0]]
        assert isinstance(node, Gather)
        waiting = self.engine.game.variable[node.waiting]
        low = waiting.dimensions[0].low
        return tuple(
            low + place for place in range(waiting.cells) if self.cells[waiting.offset + place]
        )

    # --- moves ----------------------------------------------------------------------------------

    def legal_moves(self, player: int | None = None) -> list[Move]:
        """Every legal move, in a fixed order; with `player`, those of this player alone.

        Where chance is to act, its possible outcomes. Empty when the game is over.
        """
        return [move for _, move in self._numbered(player)]

    def legal_numbers(self, player: int | None = None) -> list[int]:
        """The engine's own numbers of the legal moves, in the order of `legal_moves`."""
        to_act = self.to_act()
        if to_act.over or (player is not None and player not in to_act.players):
            return []
        engine, cells = self.engine, list(self.cells)
        numbers: list[int] = []
        seats = to_act.players if player is None else (player,)
        for seat in seats or (0,):
            buffer = engine.buffer()
            count = engine.program.legal(cells, engine.data, buffer, seat)
            numbers.extend(buffer[:count])
        return numbers

    def _numbered(self, player: int | None) -> Iterator[tuple[int, Move]]:
        to_act = self.to_act()
        for number in self.legal_numbers(player):
            yield number, self.move_of(number, to_act)

    def move_of(self, number: int, to_act: ToAct | None = None) -> Move:
        """The move that the engine knows by this number here."""
        to_act = self.to_act() if to_act is None else to_act
        shapes = self.engine.shapes(self.cells[0])
        player: int | None = None
        if isinstance(self.engine.game.nodes[self.cells[0]], Gather):
            player, number = divmod(number, sum(shape.span for shape in shapes))
        elif to_act.players:
            (player,) = to_act.players
        for shape in shapes:
            if number < shape.first + shape.span:
                arguments = choices_of(shape.rule.choices, number - shape.first)
                if _offered_twice(shapes, shape):
                    arguments = (*self.context(shape, player), *arguments)
                return Move(shape.rule.name, arguments, player)
        raise BadMove(f"no move has number {number} here")

    def context(self, shape: OfferShape, player: int | None) -> tuple[tuple[str, int], ...]:
        """The values that the flow fills in for an offer."""
        seat = {} if player is None else dict.fromkeys(_names_in(shape), player)
        return tuple(
            (parameter.name, self.engine.evaluator.value(argument, self.cells, seat))
            for parameter, argument in zip(shape.rule.context, shape.offer.arguments, strict=True)
        )

    def number_of(self, move: Move) -> int | None:
        """The engine's number of a move, legal or not; None when it is not offered here."""
        shapes = self.engine.shapes(self.cells[0])
        arguments = dict(move.arguments)
        for shape in shapes:
            if shape.rule.name != move.name:
                continue
            names = {choice.name for choice in shape.rule.choices}
            extra = {name: value for name, value in arguments.items() if name not in names}
            if extra and not extra.items() <= dict(self.context(shape, move.player)).items():
                continue
            number = number_of(shape, arguments)
            if number is None:
                continue
            if isinstance(self.engine.game.nodes[self.cells[0]], Gather):
                if move.player is None:
                    return None
                number += move.player * sum(each.span for each in shapes)
            return number
        return None

    def is_legal(self, move: Move) -> bool:
        """True when the rules allow the move here, by the player that it names."""
        to_act = self.to_act()
        if to_act.over or (move.player is None) != to_act.chance:
            return False
        if move.player is not None and move.player not in to_act.players:
            return False
        number = self.number_of(move)
        return number is not None and self.permits(number)

    def permits(self, number: int) -> bool:
        """True when the move with this number, of somebody who is to act here, is legal."""
        return bool(self.engine.program.permits(list(self.cells), self.engine.data, number))

    def apply(self, move: Move) -> Position:
        """The position after a move and all that follows from it by itself.

        Raises IllegalMove, with the explanation, when the rules do not allow it.
        """
        if not self.is_legal(move):
            raise IllegalMove(self.explain(move))
        number = self.number_of(move)
        assert number is not None
        return self.apply_number(number, f"after {self.engine.move_to_text(move)}")

    def apply_number(self, number: int, when: str = "after this move") -> Position:
        """The position after the legal move with this number."""
        cells = list(self.cells)
        self.engine.check(self.engine.program.apply(cells, self.engine.data, number), when)
        return Position(self.engine, tuple(cells))

    def explain(self, move: Move, language: Language = "en") -> Explanation:
        """Whether the move is legal, and which rule says so, with its passages and numbers."""
        from quarantia_engine.explain import explain

        return explain(self, move, language)

    def chances(self) -> list[tuple[Move, int]]:
        """The possible outcomes of chance with their weights; empty unless chance is to act."""
        if not self.to_act().chance:
            return []
        cells = list(self.cells)
        weigh = self.engine.program.weight
        return [
            (move, weigh(cells, self.engine.data, number)) for number, move in self._numbered(None)
        ]

    def outcome(self) -> Outcome | None:
        """Who has won, and the scores; None while play goes on."""
        if not self.to_act().over:
            return None
        engine, cells = self.engine, list(self.cells)
        seats = range(engine.game.players)
        winners = tuple(seat for seat in seats if engine.program.wins(cells, engine.data, seat))
        if engine.game.outcome.score is None:
            return Outcome(winners, None)
        return Outcome(
            winners, tuple(engine.program.score(cells, engine.data, seat) for seat in seats)
        )

    def perft(self, depth: int) -> int:
        """How many sequences of `depth` moves there are from here.

        Outcomes of chance count as moves. Where several choose at once, they answer in seat
        order, since the order makes no difference.
        """
        from quarantia_engine.board import Board

        return Board(self).perft(depth)

    # --- what is seen -----------------------------------------------------------------------------

    def visible(self, seat: int) -> list[int]:
        """For each cell, 1 when the seat may see it."""
        mask = [1] * len(self.cells)
        self.engine.program.seen(list(self.cells), self.engine.data, seat, mask)
        return mask

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat sees: each variable by name, then the terms that are shown to everyone.

        Hidden values are None; the value `none` is the text "none". A None seat sees all.
        """
        from quarantia_engine.view import view

        return view(self, seat)

    def to_json(self) -> dict[str, Any]:
        """The whole position, nothing hidden, for `Engine.position_from_json`."""
        game = self.engine.game
        return {
            "game": game.name,
            "players": game.players,
            "node": self.cells[0],
            "state": {
                variable.name: nested(game, variable, self.cells) for variable in game.variables
            },
        }


def _offered_twice(shapes: Sequence[OfferShape], shape: OfferShape) -> bool:
    return sum(each.rule.name == shape.rule.name for each in shapes) > 1


def _names_in(shape: OfferShape) -> set[str]:
    from quarantia_engine.analysis import free_locals

    return set().union(*(free_locals(argument) for argument in shape.offer.arguments))


def nested(
    game: Game, variable: Variable, cells: Sequence[int], visible: Sequence[int] | None = None
) -> Nested:
    """The values of a variable, by the names of its indices.

    With `visible`, hidden values are None and the value `none` is "none".
    """

    def build(dimensions: Sequence[Sort], first: int) -> Nested:
        if not dimensions:
            if visible is not None and not visible[first]:
                return None
            value = to_json(game, variable.sort, cells[first])
            return "none" if value is None and visible is not None else value
        width = 1
        for dimension in dimensions[1:]:
            width *= dimension.size
        return {
            name: build(dimensions[1:], first + place * width)
            for place, name in enumerate(index_names(game, dimensions[0]))
        }

    return build(variable.dimensions, variable.offset)


def cells_from_json(game: Game, data: object) -> list[int]:
    """The cells of a position in JSON form. Raises BadPosition."""
    if not isinstance(data, Mapping) or not isinstance(data.get("state"), Mapping):
        raise BadPosition("a position must be an object with `node` and `state`")
    if data.get("game") != game.name or data.get("players") != game.players:
        raise BadPosition(f"the position is not one of {game.name} with {game.players} players")
    node = data.get("node")
    if not isinstance(node, int) or isinstance(node, bool):
        raise BadPosition("`node` must be a number")
    cells = [0] * game.cells
    cells[0] = node
    state = data["state"]
    for variable in game.variables:
        if variable.name not in state:
            raise BadPosition(f"the position has no `{variable.name}`")
        _fill(game, variable, variable.dimensions, variable.offset, state[variable.name], cells)
    return cells


def _fill(
    game: Game,
    variable: Variable,
    dimensions: Sequence[Sort],
    first: int,
    data: object,
    cells: list[int],
) -> None:
    if not dimensions:
        try:
            cells[first] = from_json(game, variable.sort, data, variable.name)
        except BadMove as error:
            raise BadPosition(str(error)) from None
        return
    width = 1
    for dimension in dimensions[1:]:
        width *= dimension.size
    for place, name in enumerate(index_names(game, dimensions[0])):
        if not isinstance(data, Mapping) or name not in data:
            raise BadPosition(f"`{variable.name}` has no value for {name}")
        _fill(game, variable, dimensions[1:], first + place * width, data[name], cells)
