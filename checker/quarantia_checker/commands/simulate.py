"""`quarantia simulate GAME -n N`: random games, and what happened in them."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from quarantia_checker.commands import OK, REFUTED, UsageError
from quarantia_checker.commands.loading import add_data_argument, add_game_arguments, load_engine

if TYPE_CHECKING:
    from quarantia_checker.simulation_report import Problem
    from quarantia_engine import Engine, Move
    from quarantia_engine.simulation import Tally

MOST_PROBLEMS = 20  # told one by one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    add_data_argument(parser)
    parser.add_argument(
        "-n", "--games", type=int, default=1000, metavar="N", help="how many (default 1000)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the first game (default 0)"
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=10_000,
        metavar="N",
        help="moves after which a game is cut off (default 10000)",
    )
    parser.add_argument(
        "-j",
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes (default: one for each core)",
    )
    parser.add_argument("--plot", default="", metavar="FILE.svg", help="draw lengths and scores")


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """Control-C ends the playing, not the report."""
    from quarantia_checker import simulation_report as report
    from quarantia_checker.simulating import Wanted, simulated
    from quarantia_engine.simulation import Simulator

    for name in ("games", "limit", "jobs"):
        if getattr(options, name) < 1:
            raise UsageError(f"--{name} must be at least 1")
    engine = load_engine(options, err)
    wanted = Wanted(
        engine.game, engine.given, options.games, options.seed, options.limit, options.jobs
    )
    simulator = Simulator(engine)
    tally = simulator.empty()
    started = time.perf_counter()
    interrupted = False
    with _Bar(err, options.games) as bar:
        try:
            for part in simulated(wanted, engine):
                tally.add(part)
                bar.show(tally.games)
        except KeyboardInterrupt:
            interrupted = True
    seconds = time.perf_counter() - started
    summary = report.Summary(
        engine,
        tally,
        simulator.counters,
        _problems(engine, tally, options),
        options.games,
        options.seed,
        options.limit,
        seconds,
    )
    if options.plot:
        try:
            Path(options.plot).write_text(report.plotted(summary), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {options.plot}: {error.strerror}") from None
    if options.json:
        json.dump(report.as_json(summary), out, indent=2, ensure_ascii=False)
        out.write("\n")
    else:
        report.write_text(summary, out)
    if interrupted:
        out.flush()
        raise KeyboardInterrupt
    return REFUTED if tally.troubles else OK


def _problems(engine: Engine, tally: Tally, options: argparse.Namespace) -> tuple[Problem, ...]:
    """The shortest game of each kind of trouble, played again to see where it went wrong."""
    from quarantia_checker.simulation_report import Problem
    from quarantia_engine.simulation import retrace

    problems: list[Problem] = []
    found = sorted(tally.troubles.values(), key=lambda each: -each.games)
    for each in found[:MOST_PROBLEMS]:
        traced = retrace(engine, each.seed, options.limit)
        saved = _save(engine, options.game, each.seed, traced.moves)
        problems.append(Problem(each.games, each.seed, traced, saved))
    return tuple(problems)


def _save(engine: Engine, source: str, seed: int, moves: Sequence[Move]) -> str:
    """A log of the game for `quarantia replay`; "" when it cannot be written."""
    from quarantia_engine.match import log_of
    from quarantia_spec.cache import cache_directory, write_cached

    log = {**log_of(engine, moves, seed), "source": source}
    name = f"{engine.game.name}-{engine.game.players}-seed-{seed}.json"
    write_cached("witnesses", name, json.dumps(log, ensure_ascii=False).encode())
    path = cache_directory() / "witnesses" / name
    return str(path) if path.is_file() else ""


class _Bar:
    """A progress bar on a terminal; silence in a pipe."""

    def __init__(self, err: TextIO, games: int) -> None:
        self._progress = None
        if err.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

            self._progress = Progress(
                BarColumn(),
                MofNCompleteColumn(),
                "games",
                TimeRemainingColumn(),
                console=Console(file=err),
                transient=True,
            )
            self._task = self._progress.add_task("", total=games)

    def __enter__(self) -> _Bar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *details: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def show(self, games: int) -> None:
        if self._progress is not None:
            self._progress.update(self._task, completed=games)
