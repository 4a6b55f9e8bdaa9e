"""Two readings of one rule, played side by side until something tells them apart.

The same moves are made under both. They part where, after the same moves, others are to act,
other moves are legal, the positions differ (but for counters of the flow), somebody sees more, or
the game ends otherwise. The flows of the two need not have the same form. Read `among`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from quarantia_checker.alternatives import Test
from quarantia_checker.compare import comparable
from quarantia_checker.encode import entry_names
from quarantia_checker.induction import Spoiler
from quarantia_checker.library import Library
from quarantia_checker.plays import Event, Replayer
from quarantia_checker.shrinking import Shrinker
from quarantia_checker.steering import steered
from quarantia_checker.temperaments import Temperaments
from quarantia_checker.touched import Touched, touched
from quarantia_checker.transition import cell_sorts
from quarantia_checker.twins import parting_of_twins
from quarantia_engine.engine import Engine
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_engine.values import to_text
from quarantia_spec.ir import Role

SHRINKING = 5.0  # seconds, and one more for each so many moves
MOVES_A_SECOND = 50
LOOKED_AT = 300  # positions of a game in which what the seats see is compared


@dataclass(frozen=True, slots=True)
class Parting:
    """A play after which two readings differ, and how, in words."""

    moves: tuple[Move, ...]
    told: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Where the same moves have led under both; `parted`: the last was legal in one only."""

    here: Event
    there: Event
    parted: bool = False


class SideBySide:
    """Two games with the same pieces and rules that may differ in what the rules mean.

    `clash`, where it is known, says of a position whether what is asked there can have different
    answers under the two; see `Alternatives.clash`.
    """

    def __init__(self, first: Engine, second: Engine, clash: Test | None = None) -> None:
        self.engines = (first, second)
        self.players = (Replayer(first), Replayer(second))
        self.explorers = tuple(player.explorer for player in self.players)
        self._clash = clash
        self._shared = _shared_cells(first, second)
        self._sorts = cell_sorts(first.game)
        self._seats = range(first.game.players)

    # --- as something to play ---------------------------------------------------------------------

    def start(self) -> Pair:
        return Pair(self.players[0].start(), self.players[1].start())

    def after(self, pair: Pair, move: Move) -> Pair | None:
        """Where a move leads under both; None: it is legal under neither, or they have parted."""
        if pair.parted:
            return None
        here = self.players[0].after(pair.here, move)
        there = self.players[1].after(pair.there, move)
        if here is None and there is None:
            return None
        if here is None or there is None:
            return replace(pair, parted=True)
        return Pair(here, there)

    def _parts(self, pair: Pair) -> bool:
        return pair.parted or self._difference(pair.here, pair.there, look=False) is not None

    # --- looking for a parting --------------------------------------------------------------------

    def nearest(self, positions: int, seconds: float) -> Parting | None:
        """A shortest parting, if it is among the positions nearest to the start."""
        deadline = time.monotonic() + seconds
        first = self.start()
        parents: dict[Pair, tuple[Pair, Move] | None] = {first: None}
        queue = deque([first])
        while queue and len(parents) <= positions and time.monotonic() < deadline:
            pair = queue.popleft()
            told = self._difference(pair.here, pair.there, look=True)
            if told is not None:
                return Parting(_moves_to(parents, pair), told)
            if pair.here.status:
                continue
            position = Position(self.engines[0], pair.here.cells)
            for number in self.explorers[0].moves(pair.here.cells):
                move = position.move_of(number)
                after = self.after(pair, move)
                assert after is not None  # the same moves are legal
                if after not in parents:
                    parents[after] = (pair, move)
                    queue.append(after)
        return None

    def among(self, library: Library) -> Parting | None:
        """A parting at a position of plays under the first reading, after as few moves as possible.

        Before: positions and numbers of moves mean the same under both.
        """
        left, right = self.explorers
        start = self.start()
        if start.here != start.there:
            return self._shortened(())
        where = touched(self.engines[0].game, self.engines[1].game)
        for play, place in library.by_distance():
            cells = library.position(play, place)
            last = place == len(play.numbers)
            if last and play.broken:
                continue  # it is the position before the last move, which was looked at
            differ = self._differ_here(cells, where, look=place < LOOKED_AT)
            moves = play.numbers[:place]
            if not differ and not last and cells[0] in where.leading:
                number = play.numbers[place]
                broken = play.broken and place + 1 == len(play.numbers)
                after = (
                    left.step(cells, number) if broken else Event(library.position(play, place + 1))
                )
                differ = right.step(cells, number) != after
                moves = play.numbers[: place + 1]
            if differ:
                found = self._shortened(left.moves_of(start.here.cells, moves))
                if found is not None:
                    return found
        return None

    def with_same_numbers(self, moves: int, longest: int, deadline: float) -> Parting | None:
        """A parting in games that draw the same random numbers under both, quickly played."""
        first, second = self.engines
        shared = None
        if not comparable(first.game, second.game):
            shared = [(cell, other) for _, cell, other in self._shared]
            if not shared:
                return None
        found = parting_of_twins(first, second, shared, moves, longest, deadline)
        return None if found is None else self._shortened(found)

    def steered(
        self, spoiler: Spoiler | None, moves: int, libraries: Sequence[Library]
    ) -> Parting | None:
        """A parting near a position that the solver has named.

        Before: positions and numbers of moves mean the same under both.
        """
        right = self.explorers[1]
        where = touched(self.engines[0].game, self.engines[1].game)

        def parts(cells: tuple[int, ...], number: int, event: Event) -> bool:
            if self._differ_here(cells, where, look=False):
                return True
            return cells[0] in where.leading and right.step(cells, number) != event

        found = steered(self.engines[0], spoiler, parts, moves, libraries)
        return None if found is None else self._shortened(found)

    def _differ_here(self, cells: tuple[int, ...], where: Touched, *, look: bool) -> bool:
        """Something that is asked of the position has different answers."""
        seen = look and where.sight
        over = where.outcome and not self.explorers[0].seats(cells)
        if cells[0] not in where.asked and not seen and not over:
            return False
        if self._clash is not None and not self._clash(cells):
            return False
        event = Event(cells)
        return self._difference(event, event, look=seen) is not None

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
        """A parting along plays under the first reading, whatever the form of the second game.

        Quick, because on the way nothing is asked about but the moves of the play.
        """
        for numbers in plays:
            pair = self.start()
            moves: list[Move] = []
            for number in numbers:
                move = Position(self.engines[0], pair.here.cells).move_of(number)
                after = self.after(pair, move)
                assert after is not None  # it is legal under the first
                if after.parted:
                    break
                moves.append(move)
                pair = after
                if pair.here.status != pair.there.status or not self._alike(pair):
                    break
            if self._difference(pair.here, pair.there, look=False) is not None:
                found = self._shortened(moves)
                if found is not None:
                    return found
        return None

    def along(self, moves: Sequence[Move]) -> Parting | None:
        """The parting at the end of this very play, if there is one."""
        pair = self.start()
        for move in moves:
            after = self.after(pair, move)
            if after is None or after.parted:
                return None
            pair = after
        told = self._difference(pair.here, pair.there, look=True)
        return None if told is None else Parting(tuple(moves), told)

    def _alike(self, pair: Pair) -> bool:
        here, there = pair.here.cells, pair.there.cells
        return here == there or all(here[cell] == there[other] for _, cell, other in self._shared)

    def _shortened(self, moves: Sequence[Move]) -> Parting | None:
        """The play up to where they part, made shorter; None when they do not after all."""
        upto: list[Move] = []
        pair = self.start()
        for move in moves:
            if self._parts(pair):
                break
            after = self.after(pair, move)
            if after is None or after.parted:
                break
            upto.append(move)
            pair = after
        fewer = Shrinker(self, self._parts).shortened(upto, SHRINKING + len(upto) / MOVES_A_SECOND)
        return self._told(fewer)

    def _told(self, moves: Sequence[Move]) -> Parting | None:
        """How the readings differ after these moves, or before the last of them."""
        pair = self.start()
        for count, move in enumerate(moves):
            told = self._difference(pair.here, pair.there, look=False)
            if told is not None:
                return Parting(tuple(moves[:count]), told)
            after = self.after(pair, move)
            assert after is not None
            if after.parted:
                told = self._difference(pair.here, pair.there, look=True)
                assert told is not None  # the move is legal under one of them
                return Parting(tuple(moves[:count]), told)
            pair = after
        told = self._difference(pair.here, pair.there, look=True)
        return None if told is None else Parting(tuple(moves), told)

    def _random_game(self, seed: int, longest: int, deadline: float) -> Parting | None:
        pair = self.start()
        moves: list[Move] = []
        temperaments = Temperaments(self.engines[0], seed)
        while True:
            told = self._difference(pair.here, pair.there, look=len(moves) < LOOKED_AT)
            if told is not None:
                return Parting(tuple(moves), told)
            legal = self.explorers[0].moves(pair.here.cells)
            if not legal or len(moves) >= longest or time.monotonic() > deadline:
                return None
            number = temperaments.choose(pair.here.cells, legal)
            move = Position(self.engines[0], pair.here.cells).move_of(number)
            after = self.after(pair, move)
            assert after is not None
            moves.append(move)
            pair = after

    # --- what tells them apart --------------------------------------------------------------------

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
        if self._clash is not None and here == there and not self._clash(here.cells):
            return None
        left, right = self.explorers
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


def _moves_to(parents: Mapping[Pair, tuple[Pair, Move] | None], pair: Pair) -> tuple[Move, ...]:
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
