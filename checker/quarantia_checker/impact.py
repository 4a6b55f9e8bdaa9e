"""How much a reading matters: the same random games played under the ruling and under another.

Both games of a pair start from the same seed and draw the same random numbers, so they are one
game up to the move where the readings part. Read `measure`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from quarantia_checker.compare import comparable
from quarantia_engine.engine import Engine, open_game
from quarantia_engine.position import Position
from quarantia_engine.randomness import scramble

LONGEST = 5_000  # moves of one game
STRIDE = 32  # moves between two comparisons
Z = 1.96  # 95 per cent of a normal distribution


@dataclass(frozen=True, slots=True)
class Pairing:
    """The game under its rulings against the game with one reading changed."""

    game: str
    players: int | None
    key: str  # `term.clause`, or `term` when the alternative is a clause
    option: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game came out. Not `finished`: too long, or a rule broke an obligation."""

    moves: int
    finished: bool
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """One seed played twice. `parted`: after how many moves they differed; None: they never did."""

    ruled: Ending
    other: Ending
    parted: int | None


# --- playing ----------------------------------------------------------------------------------


def play_pairs(pairing: Pairing, seeds: Sequence[int]) -> list[Pair]:
    """The pairs of games for these seeds."""
    first = open_game(pairing.game, pairing.players)
    second = open_game(pairing.game, pairing.players, {pairing.key: pairing.option})
    alike = comparable(first.game, second.game)
    return [play_pair(first, second, seed, alike) for seed in seeds]


class _Side:
    """One game of a pair, some moves at a time."""

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

    def ending(self) -> Ending:
        outcome = None if self.broken else Position(self.engine, tuple(self.cells)).outcome()
        if outcome is None:
            return Ending(self.moves, False)
        return Ending(self.moves, True, outcome.winners, outcome.scores or ())


def play_pair(first: Engine, second: Engine, seed: int, alike: bool) -> Pair:
    """One seed under both. Unless positions are `alike` in form, only the endings are compared."""
    sides = _Side(first, seed), _Side(second, seed)
    parted: int | None = None
    while alike and parted is None and not sides[0].stopped and sides[0].moves < LONGEST:
        marks = [side.mark() for side in sides]
        for side in sides:
            side.go(STRIDE)
        if not _same(*sides):
            parted = _first_difference(sides, marks)
    for side in sides:
        if not side.stopped and side.moves < LONGEST:
            side.go(LONGEST - side.moves)
    ruled, other = (side.ending() for side in sides)
    if parted is None and ruled != other:
        parted = ruled.moves
    return Pair(ruled, other, parted)


def _same(first: _Side, second: _Side) -> bool:
    return (first.cells, first.moves, first.broken) == (second.cells, second.moves, second.broken)


def _first_difference(
    sides: tuple[_Side, _Side], marks: Sequence[tuple[list[int], int, int]]
) -> int:
    """Go back to where they were alike and find the move, one by one."""
    for side, mark in zip(sides, marks, strict=True):
        side.back_to(mark)
    for _ in range(STRIDE):
        before = sides[0].moves
        for side in sides:
            side.go(1)
        if not _same(*sides):
            return before
    raise AssertionError("the games differed and now they do not")


# --- measuring --------------------------------------------------------------------------------


def measure(pairings: Sequence[Pairing], games: int, jobs: int = 0) -> list[dict[str, Any]]:
    """For each pairing what `games` pairs of games show, with 95 % confidence intervals."""
    jobs = jobs or os.cpu_count() or 1
    size = max(1, math.ceil(games / jobs))
    work = [
        (number, range(start, min(start + size, games)))
        for number in range(len(pairings))
        for start in range(0, games, size)
    ]
    pairs: list[list[Pair]] = [[] for _ in pairings]
    if jobs == 1 or games * len(pairings) < 50:
        for number, seeds in work:
            pairs[number] += play_pairs(pairings[number], seeds)
    else:
        with ProcessPoolExecutor(max_workers=jobs) as executor:
            futures = [
                (number, executor.submit(play_pairs, pairings[number], seeds))
                for number, seeds in work
            ]
            for number, future in futures:
                pairs[number] += future.result()
    return [summary(rows) for rows in pairs]


def summary(pairs: Sequence[Pair]) -> dict[str, Any]:
    """What the pairs show. Shares are of all games; differences are other minus ruling."""
    parted = sorted(pair.parted for pair in pairs if pair.parted is not None)
    both = [pair for pair in pairs if pair.ruled.finished and pair.other.finished]
    seats = max((len(pair.ruled.scores) for pair in both), default=0)
    return {
        "games": len(pairs),
        "diverged": share(len(parted), len(pairs)),
        "after_moves": {
            "least": parted[0],
            "median": parted[len(parted) // 2],
            "most": parted[-1],
        }
        if parted
        else None,
        "winner_changed": share(sum(p.ruled.winners != p.other.winners for p in both), len(both)),
        "length": _difference([(p.ruled.moves, p.other.moves) for p in both]),
        "scores": [
            _difference([(p.ruled.scores[seat], p.other.scores[seat]) for p in both])
            for seat in range(seats)
        ]
        or None,
        "unfinished": {
            "ruling": sum(not pair.ruled.finished for pair in pairs),
            "other": sum(not pair.other.finished for pair in pairs),
        },
    }


def share(count: int, total: int) -> dict[str, float]:
    """A proportion with Wilson's interval, which is honest near 0 and 1."""
    if total == 0:
        return {"share": 0.0, "low": 0.0, "high": 1.0}
    p = count / total
    centre = p + Z * Z / (2 * total)
    spread = Z * math.sqrt(p * (1 - p) / total + Z * Z / (4 * total * total))
    below = 1 + Z * Z / total
    low = 0.0 if count == 0 else (centre - spread) / below
    high = 1.0 if count == total else (centre + spread) / below
    return {"share": round(p, 4), "low": round(low, 4), "high": round(high, 4)}


def _difference(rows: Sequence[tuple[int, int]]) -> dict[str, float]:
    """Means under both, and the mean of the differences with its interval."""
    ruling, other = _mean(a for a, _ in rows), _mean(b for _, b in rows)
    differences = [b - a for a, b in rows]
    mean = _mean(differences)
    spread = 0.0
    if len(differences) > 1:
        variance = sum((each - mean) ** 2 for each in differences) / (len(differences) - 1)
        spread = Z * math.sqrt(variance / len(differences))
    return {
        "ruling": round(ruling, 3),
        "other": round(other, 3),
        "difference": round(mean, 3),
        "low": round(mean - spread, 3),
        "high": round(mean + spread, 3),
    }


def _mean(values: Iterable[float]) -> float:
    rows = list(values)
    return sum(rows) / len(rows) if rows else 0.0
