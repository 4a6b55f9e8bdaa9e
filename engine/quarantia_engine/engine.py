"""A game made ready to play. Start with `open_game` or `compile_game`, then `Engine.new`."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import cached_property

from quarantia_engine.encoding import ENDLESS, STUCK, OfferShape, buffer_size, offer_shapes
from quarantia_engine.errors import BadData, BadPosition, BrokenRule
from quarantia_engine.evaluation import Evaluator, Workshop
from quarantia_engine.generated import Obligation
from quarantia_engine.moves import (
    Move,
    MoveJson,
    move_from_json,
    move_from_text,
    move_to_json,
    move_to_text,
)
from quarantia_engine.position import Position, cells_from_json
from quarantia_engine.program import Program, digest, load_program
from quarantia_spec.ir import Decide, End, Game, Gather, Toss
from quarantia_spec.source import NOWHERE


class Room(threading.local):
    """What one thread writes to."""

    def __init__(self) -> None:
        self.numbers: list[int] = []


class Engine:
    """One game for one number of players, with its data. Engines with equal rules are equal."""

    def __init__(
        self,
        game: Game,
        given: Mapping[str, Sequence[int]],
        data: tuple[int, ...],
        program: Program,
    ) -> None:
        self.game = game
        self.given = {name: tuple(values) for name, values in given.items()}
        self.data = data
        self.fingerprint = digest(game)
        self.program = program
        self.evaluator = Evaluator(Workshop(game, program), data)
        self._shapes: dict[int, tuple[OfferShape, ...]] = {}
        self._room = Room()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Engine):
            return NotImplemented
        return self.fingerprint == other.fingerprint and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"<Engine {self.game.name}, {self.game.players} players>"

    @property
    def source(self) -> str:
        """The Python source that plays the game."""
        return self.program.source

    @cached_property
    def has_secrets(self) -> bool:
        """True when some cell is not seen by everyone."""
        return any(variable.visible is not None for variable in self.game.variables)

    def new(self) -> Position:
        """The position where play starts: the first choice, or chance, of the game."""
        cells = self.first_cells()
        self.check(self.program.advance(cells, self.data), "when play starts")
        return Position(self, tuple(cells))

    def first_cells(self) -> list[int]:
        """The cells as they are set up, before anything has happened."""
        cells = [0] * self.game.cells
        self.program.initial(cells, self.data)
        return cells

    def position(self, cells: Sequence[int]) -> Position:
        """The position with these cells. Raises BadPosition when they do not fit the game."""
        if len(cells) != self.game.cells:
            raise BadPosition(f"a position has {self.game.cells} cells, not {len(cells)}")
        number = cells[0]
        if not 0 <= number < len(self.game.nodes) or not isinstance(
            self.game.nodes[number], Decide | Gather | Toss | End
        ):
            raise BadPosition(f"nobody is to act at node {number}")
        for variable in self.game.variables:
            for cell in range(variable.offset, variable.offset + variable.cells):
                if not variable.sort.low <= cells[cell] <= variable.sort.high:
                    raise BadPosition(
                        f"`{variable.name}` must be {variable.sort.low} to {variable.sort.high}, "
                        f"not {cells[cell]}"
                    )
        return Position(self, tuple(cells))

    def position_from_json(self, data: object) -> Position:
        """The position that `Position.to_json` gave. Raises BadPosition."""
        return self.position(cells_from_json(self.game, data))

    # --- moves ----------------------------------------------------------------------------------

    def move_to_json(self, move: Move) -> MoveJson:
        """The JSON form of a move."""
        return move_to_json(self.game, move)

    def move_from_json(self, data: object) -> Move:
        """The move of a JSON form. Raises BadMove."""
        return move_from_json(self.game, data)

    def move_to_text(self, move: Move, *, with_player: bool = False) -> str:
        """The text form of a move, such as `take(n: 2)`."""
        return move_to_text(self.game, move, with_player=with_player)

    def move_from_text(self, text: str, player: int | None = None) -> Move:
        """The move of a text form. Raises BadMove."""
        return move_from_text(self.game, text, player)

    def player_name(self, player: int) -> str:
        """What the rules call a player."""
        return self.game.enumerations["Player"][player]

    # --- for the modules of this package ----------------------------------------------------------

    def shapes(self, number: int) -> tuple[OfferShape, ...]:
        """The offers of a node with the numbers of their moves; none where nobody chooses."""
        if number not in self._shapes:
            node = self.game.nodes[number]
            shapes: tuple[OfferShape, ...] = ()
            if isinstance(node, Decide | Gather | Toss):
                shapes = offer_shapes(self.game, node)
            self._shapes[number] = shapes
        return self._shapes[number]

    def buffer(self) -> list[int]:
        """Room for the numbers of the legal moves of any position: each thread has its own."""
        if not self._room.numbers:
            self._room.numbers = [0] * buffer_size(self.game)
        return self._room.numbers

    def check(self, status: int, when: str) -> None:
        """Raises BrokenRule unless a generated function went well."""
        if status == 0:
            return
        if status == ENDLESS:
            raise BrokenRule(f"{when}, the flow of the game never comes to a choice", None)
        if status == STUCK:
            raise BrokenRule(f"{when}, there was no choice to make", None)
        obligation = self.program.obligations[status - 1]
        raise BrokenRule(f"{when}, {described_obligation(obligation)}", obligation)


def described_obligation(obligation: Obligation) -> str:
    """An obligation that did not hold, in words, with its place in the rules."""
    rule = f"`{obligation.rule}`" if obligation.rule else "the flow"
    span = obligation.origin.span
    place = "" if span == NOWHERE else f" ({span})"
    return f"{rule} broke an obligation: {obligation.message}{place}"


def flat_data(game: Game, given: Mapping[str, Sequence[int]]) -> tuple[int, ...]:
    """The entries of all tables one after the other. Raises BadData."""
    entries: list[int] = []
    for table in game.tables:
        values: Sequence[int]
        if table.values is not None:
            values = table.values
        elif table.name in given:
            values = given[table.name]
        else:
            raise BadData(f"the game needs data for `{table.name}`")
        wanted = 1
        for dimension in table.dimensions:
            wanted *= dimension.size
        if len(values) != wanted:
            raise BadData(f"`{table.name}` needs {wanted} entries, not {len(values)}")
        for value in values:
            if not table.sort.low <= value <= table.sort.high:
                raise BadData(
                    f"`{table.name}` must be {table.sort.low} to {table.sort.high}, not {value}"
                )
        entries.extend(values)
    unknown = sorted(set(given) - {table.name for table in game.tables if table.values is None})
    if unknown:
        raise BadData(f"the game has no given table `{unknown[0]}`")
    return tuple(entries)


def compile_game(
    game: Game, data: Mapping[str, Sequence[int]] | None = None, *, checked: bool = True
) -> Engine:
    """Makes a game ready to play.

    `data` has the entries of the `given` tables, row by row. Without `checked`, obligations are
    not tested while playing: faster, and right for rules that have been proved.
    Raises BadData when the data do not fit.
    """
    given = data or {}
    entries = flat_data(game, given)
    return Engine(game, given, entries, load_program(game, digest(game), checked=checked))


def with_program_of(other: Engine, game: Game, further: Mapping[str, Sequence[int]]) -> Engine:
    """Makes a game ready to play without compiling it.

    Before: the program of `other` plays this very game when its `further` given tables, which come
    after those of the game, have these entries.
    """
    given = {name: other.given[name] for name in other.given if name not in further}
    entries = flat_data(other.game, {**given, **further})
    engine = Engine(game, given, entries, other.program)
    engine.evaluator = other.evaluator.with_data(entries)
    return engine


def open_game(
    name: str,
    players: int | None = None,
    readings: Mapping[str, str] | None = None,
    data: Mapping[str, Sequence[int]] | None = None,
    *,
    checked: bool = True,
) -> Engine:
    """Loads a game by its name or the path of its rules and makes it ready to play.

    Without `players`, the game's own default; without `data`, the data that come with the game.
    Raises `quarantia_spec.diagnostics.RulesError` when the rules are wrong.
    """
    from quarantia_spec.pipeline import load_data, load_game

    game = load_game(name, players, readings or {})
    return compile_game(game, load_data(name, game) if data is None else data, checked=checked)
