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
from quarantia_checker.twins import Side, Twins
from quarantia_engine.engine import Engine, open_game
from quarantia_engine.position import Position

LONGEST = 5_000  # moves of one game
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


def _ending(side: Side) -> Ending:
    outcome = None if side.broken else Position(side.engine, tuple(side.cells)).outcome()
    if outcome is None:
        return Ending(side.moves, False)
    return Ending(side.moves, True, outcome.winners, outcome.scores or ())


def play_pair(first: Engine, second: Engine, seed: int, alike: bool) -> Pair:
    """One seed under both. Unless positions are `alike` in form, only the endings are compared."""
    twins = Twins(first, second, seed, None)
    parted = twins.parted(LONGEST) if alike else None
    for side in twins.sides:
        if not side.stopped and side.moves < LONGEST:
            side.go(LONGEST - side.moves)
    ruled, other = (_ending(side) for side in twins.sides)
    if parted is None and ruled != other:
        parted = ruled.moves
    return Pair(ruled, other, parted)


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
