"""Two readings of one rule, played side by side until something tells them apart.

The same moves are made under both. They part where, after the same moves, others are to act,
other moves are legal, the positions differ (but for counters of the flow), somebody sees more, or
the game ends otherwise. The flows of the two need not have the same form. Read `part_ways`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quarantia_checker.encode import entry_names
from quarantia_checker.plays import Event, Explorer, shorten
from quarantia_checker.temperaments import Temperaments
from quarantia_checker.transition import cell_sorts
from quarantia_engine.engine import Engine
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_engine.values import to_text
from quarantia_spec.ir import Role

SHRINKING = 5.0  # seconds
LOOKED_AT = 300  # positions of a game in which what the seats see is compared


@dataclass(frozen=True, slots=True)
class Parting:
    """A play after which two readings differ, and how, in words."""

    moves: tuple[Move, ...]
    told: str


class SideBySide:
    """Two games with the same pieces and rules that may differ in what the rules mean."""

    def __init__(self, first: Engine, second: Engine) -> None:
        self.engines = (first, second)
        self.players = (Explorer(first, {}), Explorer(second, {}))
        self._shared = _shared_cells(first, second)
        self._sorts = cell_sorts(first.game)
        self._seats = range(first.game.players)

    def nearest(self, positions: int, seconds: float) -> Parting | None:
        """A shortest parting, if it is among the positions nearest to the start."""
        deadline = time.monotonic() + seconds
        left, right = self.players
        first = (left.start(), right.start())
        parents: dict[tuple[Event, Event], tuple[tuple[Event, Event], Move] | None] = {first: None}
        queue = deque([first])
        while queue and len(parents) <= positions and time.monotonic() < deadline:
            pair = queue.popleft()
            here, there = pair
            told = self._difference(here, there, look=True)
            if told is not None:
                return Parting(_moves_to(parents, pair), told)
            if here.status:
                continue
            position = Position(self.engines[0], here.cells)
            other = Position(self.engines[1], there.cells)
            for number in left.moves(here.cells):
                move = position.move_of(number)
                twin = other.number_of(move)
                assert twin is not None  # the same moves are legal
                after = (left.step(here.cells, number), right.step(there.cells, twin))
                if after not in parents:
                    parents[after] = (pair, move)
                    queue.append(after)
        return None

    def part_ways(self, games: int, longest: int, seconds: float) -> Parting | None:
        """A parting in random games, its play shortened; None when none is found."""
        deadline = time.monotonic() + seconds
        for game in range(games):
            found = self._random_game(game, longest, deadline)
            if found is not None:
                return self._shortened(found.moves)
            if time.monotonic() > deadline:
                return None
        return None

    def follow(self, plays: Sequence[Sequence[int]]) -> Parting | None:
        """A parting along plays under the first reading that are known already.

        Quick, because on the way nothing is asked about but the moves of the play.
        """
        left, right = self.players
        for numbers in plays:
            here, there = left.start(), right.start()
            made = 0
            for number in numbers:
                move = Position(self.engines[0], here.cells).move_of(number)
                twin = self._number(1, there, move)
                if twin is None:
                    break
                here, there = left.step(here.cells, number), right.step(there.cells, twin)
                made += 1
                if here.status != there.status or not self._alike(here, there):
                    break
            if self._difference(here, there, look=False) is not None:
                moves = left.moves_of(left.start().cells, numbers[:made])
                return self._shortened(self._until_they_part(moves))
        return None

    def _alike(self, here: Event, there: Event) -> bool:
        if here.cells == there.cells:
            return True
        return all(here.cells[cell] == there.cells[other] for _, cell, other in self._shared)

    def _until_they_part(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """The beginning of a play after which the readings part."""
        here, there = (player.start() for player in self.players)
        for count, move in enumerate(moves):
            if self._difference(here, there, look=False) is not None:
                return tuple(moves[:count])
            first, second = self._number(0, here, move), self._number(1, there, move)
            assert first is not None
            assert second is not None  # or there would be a difference
            here = self.players[0].step(here.cells, first)
            there = self.players[1].step(there.cells, second)
        return tuple(moves)

    def _shortened(self, moves: Sequence[Move]) -> Parting:
        fewer = shorten(moves, self._parts, SHRINKING)
        told = self.parting(fewer)
        assert told is not None
        return Parting(fewer, told)

    def parting(self, moves: Sequence[Move]) -> str | None:
        """How the readings differ after these moves and not before; None when they do not."""
        here, there = (player.start() for player in self.players)
        for move in moves:
            if self._difference(here, there, look=False) is not None:
                return None
            first, second = self._number(0, here, move), self._number(1, there, move)
            if first is None or second is None:
                return None
            here = self.players[0].step(here.cells, first)
            there = self.players[1].step(there.cells, second)
        return self._difference(here, there, look=True)

    def _parts(self, moves: Sequence[Move]) -> bool:
        return self.parting(moves) is not None

    def _number(self, which: int, event: Event, move: Move) -> int | None:
        position = Position(self.engines[which], event.cells)
        return position.number_of(move) if position.is_legal(move) else None

    def _random_game(self, seed: int, longest: int, deadline: float) -> Parting | None:
        left, right = self.players
        here, there = left.start(), right.start()
        moves: list[Move] = []
        temperaments = Temperaments(self.engines[0], seed)
        while True:
            told = self._difference(here, there, look=len(moves) < LOOKED_AT)
            if told is not None:
                return Parting(tuple(moves), told)
            legal = left.moves(here.cells)
            if not legal or len(moves) >= longest or time.monotonic() > deadline:
                return None
            number = temperaments.choose(here.cells, legal)
            move = Position(self.engines[0], here.cells).move_of(number)
            other = Position(self.engines[1], there.cells).number_of(move)
            assert other is not None  # the same moves are legal
            moves.append(move)
            here, there = left.step(here.cells, number), right.step(there.cells, other)

    def _difference(self, here: Event, there: Event, *, look: bool) -> str | None:
        if here.status or there.status:
            if here.status and there.status:
                return None
            return f"play breaks down under {'the first' if here.status else 'the second'}"
        for name, cell, other in self._shared:
            if here.cells[cell] != there.cells[other]:
                game, sort = self.engines[0].game, self._sorts[cell]
                value = to_text(game, sort, here.cells[cell])
                twin = to_text(game, sort, there.cells[other])
                return f"{name} is {value} under the first, {twin} under the second"
        left, right = self.players
        if left.seats(here.cells) != right.seats(there.cells):
            return "others are to act"
        one, two = Position(self.engines[0], here.cells), Position(self.engines[1], there.cells)
        moves, others = left.moves(here.cells), right.moves(there.cells)
        if moves != others or not self._same_numbers(here, there):
            told = self._legal_only(
                {one.move_of(number) for number in moves},
                {two.move_of(number) for number in others},
            )
            if told is not None:
                return told
        if not moves and one.outcome() != two.outcome():
            return self._outcomes(one, two)
        likelier = self._likelier(one, two)
        if likelier is not None:
            return likelier
        return self._sight(one, two) if look else None

    def _same_numbers(self, here: Event, there: Event) -> bool:
        """The numbers of moves mean the same under both."""
        shapes = [
            [(shape.rule.name, shape.first, shape.span) for shape in engine.shapes(event.cells[0])]
            for engine, event in zip(self.engines, (here, there), strict=True)
        ]
        return shapes[0] == shapes[1]

    def _legal_only(self, moves: set[Move], others: set[Move]) -> str | None:
        if moves == others:
            return None
        move = min(moves ^ others, key=str)
        text = self.engines[0].move_to_text(move, with_player=True)
        return f"{text} is legal only under {'the first' if move in moves else 'the second'}"

    def _likelier(self, one: Position, two: Position) -> str | None:
        """An outcome of chance that has more weight under one of them."""
        if not one.to_act().chance:
            return None
        weights = dict(two.chances())
        for move, weight in one.chances():
            if weight != weights[move]:
                which = "the first" if weight > weights[move] else "the second"
                return f"{self.engines[0].move_to_text(move)} is more likely under {which}"
        return None

    def _outcomes(self, one: Position, two: Position) -> str:
        first, second = one.outcome(), two.outcome()
        assert first is not None
        assert second is not None
        if first.winners == second.winners:
            return f"scores {first.scores} under the first, {second.scores} under the second"
        names = [
            ", ".join(self.engines[0].player_name(seat) for seat in winners) or "nobody"
            for winners in (first.winners, second.winners)
        ]
        return f"{names[0]} wins under the first, {names[1]} wins under the second"

    def _sight(self, one: Position, two: Position) -> str | None:
        for seat in self._seats:
            here, there = one.visible(seat), two.visible(seat)
            for name, cell, other in self._shared:
                if here[cell] != there[other]:
                    which = "first" if here[cell] else "second"
                    viewer = self.engines[0].player_name(seat)
                    return f"{viewer} sees {name} only under the {which}"
        return None


def _moves_to(
    parents: Mapping[tuple[Event, Event], tuple[tuple[Event, Event], Move] | None],
    pair: tuple[Event, Event],
) -> tuple[Move, ...]:
    moves: list[Move] = []
    while (link := parents[pair]) is not None:
        pair, move = link
        moves.append(move)
    return tuple(reversed(moves))


def _shared_cells(first: Engine, second: Engine) -> list[tuple[str, int, int]]:
    """Cells that are part of the position in both: not the counters of the flow."""
    rows: list[tuple[str, int, int]] = []
    for variable in first.game.variables:
        twin = second.game.variable.get(variable.name)
        if variable.role is Role.FLOW or twin is None or twin.dimensions != variable.dimensions:
            continue
        names = entry_names(first.game, variable.name, variable.dimensions)
        rows.extend((name, variable.offset + n, twin.offset + n) for n, name in enumerate(names))
    return rows
