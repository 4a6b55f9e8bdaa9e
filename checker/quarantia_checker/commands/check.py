"""`quarantia check [GAME...]`: every claim about a game decided, for every number of players."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from quarantia_checker.commands import UsageError
from quarantia_spec.suggest import closest

LONG = 3600.0  # seconds for one number of players, when what is found is recorded


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="all that come with Quarantia")
    parser.add_argument(
        "--players",
        type=int,
        action="append",
        default=[],
        metavar="N",
        help="only this number of players (may be given again)",
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=20.0,
        metavar="SECONDS",
        help="limit for one question to the solver (default 20)",
    )
    parser.add_argument(
        "-j",
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes (default: one for each core)",
    )
    parser.add_argument(
        "--only",
        type=_kinds,
        default=(),
        metavar="KINDS",
        help="only these kinds of check, with commas: invariant,agreement,coverage",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="search for long, and keep what is found beside the rules for later checks",
    )
    parser.add_argument("--no-cache", action="store_true", help="work everything out anew")
    parser.add_argument(
        "--export",
        default="",
        metavar="DIR",
        help="write every proof obligation as SMT-LIB 2, with a manifest",
    )
    parser.add_argument(
        "--solver",
        choices=("z3", "cvc5", "both"),
        default="z3",
        help="cvc5 or both: every proof of z3 is decided again by cvc5",
    )
    parser.add_argument(
        "--cluster", default="", metavar="ADDRESS", help="work on a Dask cluster, not here"
    )
    parser.add_argument("--junit", default="", metavar="FILE", help="write JUnit XML")
    parser.add_argument("--github", action="store_true", help="print GitHub annotations")


def _kinds(text: str) -> tuple[str, ...]:
    from quarantia_checker.verdict import Kind

    names = [kind.value for kind in Kind]
    asked = tuple(sorted({part.strip() for part in text.split(",")}))
    unknown = next((name for name in asked if name not in names), None)
    if unknown is not None:
        near = closest(unknown, names)
        help = f"did you mean {near}?" if near else f"there are {', '.join(names)}"
        raise UsageError(f"there is no kind of check called `{unknown}`", help)
    return asked


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """After: results are printed, and kept for the next run; the status says the worst of them."""
    from quarantia_checker import report
    from quarantia_checker.checking import check_games, save_witness, tasks_for
    from quarantia_checker.settings import Settings
    from quarantia_checker.showing import show_diagnostics
    from quarantia_checker.verdict import Result, exit_status
    from quarantia_spec.pipeline import game_names, load_with_warnings, with_variants

    if options.timeout <= 0:
        raise UsageError("--timeout must be more than 0 seconds")
    asked = dict.fromkeys(options.games or game_names())
    games = list(dict.fromkeys(name for game in asked for name in with_variants(game)))
    settings = Settings(timeout=options.timeout, only=options.only)
    if options.record:
        settings = replace(settings, total=LONG, claim=LONG / 6)
    started = time.perf_counter()
    tasks = tasks_for(
        games,
        options.players,
        settings,
        not options.no_cache,
        options.export,
        options.solver != "z3",
        options.record,
    )
    if not tasks:
        raise UsageError("no game allows that number of players")
    for name in games:
        show_diagnostics(load_with_warnings(name)[1], err)
    found: dict[str, list[Result]] = {name: [] for name in games}
    interrupted = False
    with Progress(err) as progress:
        try:
            for task, results in check_games(tasks, options.jobs, progress.show, options.cluster):
                found[task.game].extend(results)
        except KeyboardInterrupt:
            interrupted = True
    seconds = time.perf_counter() - started
    reports = {name: report.ordered(results) for name, results in found.items()}
    everything = [result for results in reports.values() for result in results]
    if options.json:
        rows = [report.as_json(name, results, seconds) for name, results in reports.items()]
        answer = _with_variants_inside(rows, asked)
        json.dump(answer[0] if len(answer) == 1 else answer, out, indent=2, ensure_ascii=False)
        out.write("\n")
    else:
        for name, results in reports.items():
            saved = {
                number: str(path)
                for number, result in enumerate(results)
                if result.counts
                and result.verdict.bad
                and (path := save_witness(result, "-".join(Path(name).with_suffix("").parts[-2:])))
                is not None
            }
            report.write_table(out, name, results, saved, seconds)
    if options.github:
        for line in report.github_lines(everything):
            (err if options.json else out).write(line + "\n")
    if options.junit:
        try:
            Path(options.junit).write_bytes(report.junit(reports))
        except OSError as error:
            raise UsageError(f"cannot write {options.junit}: {error.strerror}") from None
    if interrupted:
        raise KeyboardInterrupt
    return exit_status(everything)


def _with_variants_inside(
    rows: list[dict[str, object]], asked: Iterable[str]
) -> list[dict[str, object]]:
    """The answer of a game holds those of its variants, so that one game is one object."""
    from quarantia_spec.pipeline import with_variants

    by_name = {str(row["game"]): row for row in rows}
    inside: set[str] = set()
    for game in asked:
        variants = with_variants(game)[1:]
        if variants:
            by_name[game]["variants"] = [by_name[name] for name in variants]
        inside.update(variants)
    return [row for name, row in by_name.items() if name not in inside]


class Progress:
    """What is being worked on, on a terminal; silence in a pipe."""

    def __init__(self, err: TextIO) -> None:
        self._status = None
        if err.isatty():
            from rich.console import Console

            self._status = Console(file=err).status("checking")

    def __enter__(self) -> Progress:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *details: object) -> None:
        if self._status is not None:
            self._status.stop()

    def show(self, text: str) -> None:
        if self._status is not None:
            self._status.update(text)
