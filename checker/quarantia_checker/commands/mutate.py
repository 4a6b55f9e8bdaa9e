"""`quarantia mutate GAME`: change the rules a little and see whether the checks notice."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from typing import TYPE_CHECKING, TextIO

from quarantia_checker.commands import OK, REFUTED, UsageError

if TYPE_CHECKING:
    from quarantia_checker.mutating import Fate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's name, or a path to a .rules file")
    parser.add_argument(
        "--limit", type=int, default=100, metavar="N", help="mutants to try (default 100; 0: all)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which mutants are tried")
    parser.add_argument(
        "--budget", type=float, default=300.0, metavar="SECONDS", help="for all of it (default 300)"
    )
    parser.add_argument(
        "--no-solver", action="store_true", help="examples and random play only: much faster"
    )
    parser.add_argument(
        "--at-least",
        type=float,
        default=0.0,
        metavar="PERCENT",
        help="fail when a smaller share of the mutants is caught",
    )
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, metavar="N")


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """After: every survivor is listed with its place; the score decides the status, if asked."""
    from quarantia_checker.commands.check import Progress
    from quarantia_checker.mutating import examine, score

    if options.limit < 0:
        raise UsageError("--limit needs a number of mutants")
    if options.budget <= 0:
        raise UsageError("--budget must be more than 0 seconds")
    started = time.perf_counter()
    with Progress(err) as progress:
        fates = examine(
            options.game,
            options.limit,
            options.seed,
            options.budget,
            options.jobs,
            not options.no_solver,
            progress.show,
        )
    seconds = time.perf_counter() - started
    found = score(fates)
    if options.json:
        _write_json(out, options.game, fates, found, seconds)
    else:
        _write_text(out, options.game, fates, found, seconds)
    if found is not None and 100 * found < options.at_least:
        err.write(f"quarantia: fewer than {options.at_least:g} % of the mutants were caught\n")
        return REFUTED
    return OK


def _counts(fates: list[Fate]) -> Counter[str]:
    return Counter(fate.fate for fate in fates)


def _write_json(
    out: TextIO, game: str, fates: list[Fate], score: float | None, seconds: float
) -> None:
    from quarantia_checker.mutating import EQUIVALENT, INVALID, NOT_TRIED, SURVIVED

    counts = _counts(fates)
    answer = {
        "game": game,
        "mutants": [
            {
                "mutation": fate.kind,
                "where": fate.where,
                "told": fate.told,
                "fate": "caught" if fate.caught else fate.fate,
                "by": {"kind": fate.fate, "name": fate.by} if fate.caught else None,
            }
            for fate in fates
        ],
        "summary": {
            "caught": sum(fate.caught for fate in fates),
            "survived": counts[SURVIVED],
            "equivalent": counts[EQUIVALENT],
            "invalid": counts[INVALID],
            "not_tried": counts[NOT_TRIED],
            "score": None if score is None else round(score, 4),
            "seconds": round(seconds, 3),
        },
    }
    json.dump(answer, out, indent=2, ensure_ascii=False)
    out.write("\n")


def _write_text(
    out: TextIO, game: str, fates: list[Fate], score: float | None, seconds: float
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from quarantia_checker.mutating import EQUIVALENT, INVALID, NOT_TRIED, SURVIVED

    console = Console(file=out, highlight=False, width=None if out.isatty() else 110)
    counts = _counts(fates)
    caught = Counter(fate.fate for fate in fates if fate.caught)
    survivors = [fate for fate in fates if fate.fate == SURVIVED]
    if survivors:
        table = Table(title=f"{game}: nobody noticed", title_justify="left", box=None)
        table.pad_edge = False
        for heading in ("where", "mutation", "now"):
            table.add_column(heading, overflow="fold")
        for fate in survivors:
            table.add_row(Text(fate.where), fate.kind, Text(fate.told))
        console.print(table)
    noticed = ", ".join(f"{kind} {count}" for kind, count in caught.most_common())
    console.print(
        f"{game}: {sum(caught.values())} caught ({noticed or 'none'}), {len(survivors)} survived, "
        f"{counts[EQUIVALENT]} the same game, {counts[INVALID]} no game"
        + (f", {counts[NOT_TRIED]} not tried for want of time" if counts[NOT_TRIED] else "")
    )
    if score is not None:
        console.print(f"score {100 * score:.0f} %, in {seconds:.1f} s")
