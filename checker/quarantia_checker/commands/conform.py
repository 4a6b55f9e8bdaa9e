"""`quarantia conform GAME --engine 'COMMAND'`: does an engine play by the rules?"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from quarantia_checker.commands import OK, REFUTED, UNSETTLED, UsageError
from quarantia_checker.commands.loading import add_data_argument, add_game_arguments

if TYPE_CHECKING:
    from quarantia_checker.conform.campaign import Progress
    from quarantia_checker.conform.link import Link


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    add_data_argument(parser)
    parser.add_argument(
        "--engine", metavar="COMMAND", help="how to start the engine; or python:MODULE:FACTORY"
    )
    parser.add_argument("--log", nargs="+", metavar="FILE", help="recorded games to check instead")
    parser.add_argument("--mapping", metavar="FILE.toml", help="what the engine calls things")
    parser.add_argument(
        "-n", "--games", type=int, default=200, metavar="N", help="whole games (default 200)"
    )
    parser.add_argument(
        "--openings", type=int, default=300, metavar="N", help="short games first (default 300)"
    )
    parser.add_argument(
        "--limit", type=int, default=2000, metavar="N", help="moves of a game (default 2000)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the games (default 0)")
    parser.add_argument(
        "--seconds",
        type=float,
        default=600,
        metavar="S",
        help="for each player count (default 600)",
    )
    parser.add_argument(
        "--timeout", type=float, default=10, metavar="S", help="for each reply (default 10)"
    )
    parser.add_argument(
        "--shrink",
        type=float,
        default=20,
        metavar="S",
        help="seconds for a shorter game (default 20)",
    )
    parser.add_argument(
        "--levels", metavar="A,B", help="compare only legal, state, views, outcome, refusals"
    )
    parser.add_argument(
        "--infer", action="store_true", help="find out which readings the engine plays"
    )
    parser.add_argument("--save", metavar="FILE.json", help="where to write the game that differs")
    parser.add_argument("--fields", action="store_true", help="list the fields of a position")
    parser.add_argument(
        "--no-coverage", action="store_true", help="do not look for games that exercise every rule"
    )


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """Exit 1 when something differs, 3 when time ran out before all was done."""
    from quarantia_checker.conform import report
    from quarantia_checker.conform.running import Request, conform, fields_of

    for name in ("games", "openings", "limit", "seconds", "timeout"):
        if getattr(options, name) < (0 if name in ("games", "openings") else 1e-9):
            raise UsageError(f"--{name} is too small")
    if options.fields:
        return _write(options, out, fields_of(options), report.write_fields)
    if options.log:
        from quarantia_checker.conform.recorded import check_logs, write_logs

        checked = check_logs(options.log, options.game, options.data)
        _write(
            options,
            out,
            [each.as_json() for each in checked],
            lambda _, to: write_logs(checked, to),
        )
        return REFUTED if any(each.failure for each in checked) else OK
    if not options.engine:
        raise UsageError("there is nothing to test", "give --engine 'COMMAND' or --log FILE")
    with _terminated(), _Bar(err) as bar:
        result = conform(Request.of(options), _opener(options), bar.show)
    _write(options, out, report.as_json(result), lambda _, to: report.write_text(result, to))
    if result.differs:
        return REFUTED
    return UNSETTLED if result.stopped else OK


def _write(
    options: argparse.Namespace, out: TextIO, data: Any, write: Callable[[Any, TextIO], None]
) -> int:
    if options.json:
        json.dump(data, out, indent=2, ensure_ascii=False)
        out.write("\n")
    else:
        write(data, out)
    return OK


def _opener(options: argparse.Namespace) -> Callable[[], Link]:
    from quarantia_checker.conform.link import Pipe, direct

    if options.engine.startswith("python:"):
        return lambda: direct(options.engine.removeprefix("python:"))
    return lambda: Pipe(options.engine, options.timeout)


@contextlib.contextmanager
def _terminated() -> Iterator[None]:
    """Lets SIGTERM end the command like control-C does, so that the engine is ended with it."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Bar:
    """How far it has come, on a terminal; silence in a pipe."""

    def __init__(self, err: TextIO) -> None:
        self._progress = None
        if err.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[moves]} moves compared"),
                console=Console(file=err),
                transient=True,
            )
            self._task = self._progress.add_task("", total=None, moves=0)

    def __enter__(self) -> _Bar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *details: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def show(self, players: int, progress: Progress) -> None:
        if self._progress is not None:
            self._progress.update(
                self._task,
                description=f"{players} players, {progress.stage}",
                completed=progress.done,
                total=progress.total or None,
                moves=progress.moves,
            )
