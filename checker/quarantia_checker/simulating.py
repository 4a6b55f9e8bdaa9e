"""Random games on all cores. Read `simulated`."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field

from quarantia_engine import Engine, compile_game
from quarantia_engine.simulation import Simulator, Tally
from quarantia_spec.ir import Game

AIM = 0.25  # seconds that one portion of work should take: how fast control-C is answered
LARGEST = 20_000  # games in one portion


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games to play: `games` of them, with the seeds from `seed` on."""

    game: Game
    data: Mapping[str, Sequence[int]]
    games: int
    seed: int
    limit: int
    jobs: int


def simulated(wanted: Wanted, engine: Engine) -> Iterator[Tally]:
    """Tallies of portions of the games, as they are done; together they are all of them."""
    simulator = Simulator(engine)
    if wanted.jobs <= 1 or wanted.games <= 1:
        for portion, started in _timed_portions(wanted, _Pace()):
            tally = simulator.play(portion, wanted.limit)
            started.done(len(portion))
            yield tally
        return
    yield from _in_processes(wanted)


@dataclass(slots=True)
class _Pace:
    """How many games to hand out at once; grows while portions take less than they should."""

    size: int = 1
    since: float = field(default_factory=time.perf_counter)

    def done(self, games: int, seconds: float | None = None) -> None:
        now = time.perf_counter()
        spent = now - self.since if seconds is None else seconds
        self.since = now
        fitting = int(games * AIM / max(spent, 1e-6))
        self.size = max(1, min(fitting, 4 * self.size, LARGEST))


def _timed_portions(wanted: Wanted, pace: _Pace) -> Iterator[tuple[range, _Pace]]:
    first, last = wanted.seed, wanted.seed + wanted.games
    while first < last:
        portion = range(first, min(first + pace.size, last))
        first = portion.stop
        yield portion, pace


def _in_processes(wanted: Wanted) -> Iterator[Tally]:
    pace = _Pace()
    portions = _timed_portions(wanted, pace)
    running: dict[Future[tuple[Tally, float]], int] = {}
    executor = ProcessPoolExecutor(
        wanted.jobs, initializer=_prepare, initargs=(wanted.game, dict(wanted.data))
    )
    try:
        while True:
            while len(running) < 2 * wanted.jobs:
                portion, _ = next(portions, (None, pace))
                if portion is None:
                    break
                running[executor.submit(_play, portion, wanted.limit)] = len(portion)
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                tally, seconds = future.result()
                pace.done(running.pop(future), seconds)
                yield tally
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


_simulator: Simulator | None = None  # of a worker process, which serves one game


def _prepare(game: Game, data: dict[str, Sequence[int]]) -> None:
    global _simulator
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # control-C is for the process that reports
    _simulator = Simulator(compile_game(game, data))


def _play(portion: range, limit: int) -> tuple[Tally, float]:
    assert _simulator is not None
    started = time.perf_counter()
    tally = _simulator.play(portion, limit)
    return tally, time.perf_counter() - started
