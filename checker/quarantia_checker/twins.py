"""Two games that draw the same random numbers: one game, up to the move where readings part.

Play is compiled code, many moves at a time, so that what comes up once in many games is seen. What
is compared are the cells that both games have.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from operator import itemgetter

from quarantia_checker.plays import Explorer
from quarantia_engine.engine import Engine
from quarantia_engine.moves import Move
from quarantia_engine.randomness import scramble

Shared = Sequence[tuple[int, int]]
Picker = Callable[[Sequence[int]], object]

STRIDE = 32  # moves between two comparisons


class Side:
    """One of the two games, some moves at a time."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine = engine
        self.buffer = engine.buffer()
        self.cells = list(engine.new().cells)
        self.state = scramble(seed)
        self.moves = 0
        self.stopped = False
        self.broken = False

    def mark(self) -> tuple[list[int], int, int]:
        return self.cells[:], self.state, self.moves

    def back_to(self, mark: tuple[list[int], int, int]) -> None:
        cells, self.state, self.moves = mark
        self.cells = cells[:]
        self.stopped = self.broken = False

    def go(self, limit: int) -> None:
        """At most so many moves more."""
        program = self.engine.program
        made, self.state, status = program.playout(
            self.cells, self.engine.data, self.buffer, self.state, limit
        )
        self.moves += made
        self.broken = status > 0 or (status < 0 and made < limit)
        self.stopped = self.broken or made < limit


class Twins:
    """The two games of one seed; `shared` are pairs of cells that mean the same, else all do."""

    def __init__(self, first: Engine, second: Engine, seed: int, shared: Shared | None) -> None:
        self.sides = Side(first, seed), Side(second, seed)
        self._picked: tuple[Picker, Picker] | None = None
        if shared is not None:
            left, right = zip(*shared, strict=True)
            self._picked = itemgetter(*left), itemgetter(*right)

    def parted(self, longest: int) -> int | None:
        """After how many moves they differ; None when they do not. Plays on to there only."""
        first = self.sides[0]
        while not first.stopped and first.moves < longest:
            marks = [side.mark() for side in self.sides]
            for side in self.sides:
                side.go(STRIDE)
            if not self._same():
                return self._first_difference(marks)
        return None

    def _same(self) -> bool:
        one, two = self.sides
        if (one.moves, one.broken) != (two.moves, two.broken):
            return False
        if self._picked is None:
            return one.cells == two.cells
        left, right = self._picked
        return left(one.cells) == right(two.cells)

    def _first_difference(self, marks: Sequence[tuple[list[int], int, int]]) -> int:
        """Go back to where they were alike and find the move, one by one."""
        for side, mark in zip(self.sides, marks, strict=True):
            side.back_to(mark)
        for _ in range(STRIDE):
            before = self.sides[0].moves
            for side in self.sides:
                side.go(1)
            if not self._same():
                return before
        raise AssertionError("the games differed and now they do not")


def parting_of_twins(
    first: Engine, second: Engine, shared: Shared | None, moves: int, longest: int, deadline: float
) -> tuple[Move, ...] | None:
    """Moves of a game under the first up to and with the one at which the second differs.

    At most about so many moves are made in all games together.
    """
    made = seed = 0
    while made < moves and time.monotonic() < deadline:
        twins = Twins(first, second, seed, shared)
        parted = twins.parted(longest)
        if parted is not None:
            return _moves_made(first, seed, parted + 1)
        made += 1 + twins.sides[0].moves
        seed += 1
    return None


def _moves_made(engine: Engine, seed: int, count: int) -> tuple[Move, ...]:
    """The first moves of the game of a seed, without one that breaks it off.

    Compiled play does not tell what it chose: any move that leads to the same position will do.
    """
    explorer = Explorer(engine, {})
    start = explorer.start().cells
    side = Side(engine, seed)
    numbers: list[int] = []
    cells = start
    for _ in range(count):
        side.go(1)
        after = tuple(side.cells)
        number = next(
            (n for n in explorer.moves(cells) if explorer.step(cells, n).cells == after), None
        )
        if side.stopped or number is None:
            break
        numbers.append(number)
        cells = after
    return explorer.moves_of(start, numbers)
