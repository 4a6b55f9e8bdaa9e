"""`quarantia ambiguities [GAME]`: the register of what a game's text leaves in doubt."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING, Any, TextIO

from quarantia_checker.commands import OK, REFUTED, UNSETTLED, UsageError

if TYPE_CHECKING:
    from quarantia_checker.register import Defect


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="all that come with Quarantia")
    parser.add_argument(
        "--impact",
        type=int,
        default=0,
        metavar="N",
        help="play N random games under each reading, and compare",
    )
    parser.add_argument(
        "--show", default="", metavar="ID", help="everything about one defect (or `all`)"
    )
    parser.add_argument("--language", choices=("en", "fr"), default="en", help="of the questions")
    parser.add_argument(
        "--players", type=int, default=0, metavar="N", help="only this number of players"
    )
    parser.add_argument(
        "--timeout", type=float, default=20.0, metavar="SECONDS", help="as for `quarantia check`"
    )
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--no-cache", action="store_true", help="work everything out anew")


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """After: the register is printed; the status says whether a defect is without a ruling."""
    from quarantia_checker import register_report, report
    from quarantia_checker.checking import check_games, tasks_for
    from quarantia_checker.commands.check import Progress
    from quarantia_checker.register import register
    from quarantia_checker.settings import Settings
    from quarantia_checker.verdict import Result
    from quarantia_spec.pipeline import game_names, load_game

    if options.timeout <= 0:
        raise UsageError("--timeout must be more than 0 seconds")
    if options.impact < 0:
        raise UsageError("--impact needs a number of games")
    games = list(dict.fromkeys(options.games)) or list(game_names())
    players = [options.players] if options.players else []
    tasks = tasks_for(games, players, Settings(timeout=options.timeout), not options.no_cache)
    if not tasks:
        raise UsageError("no game allows that number of players")
    found: dict[str, list[Result]] = {name: [] for name in games}
    impacts: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in games}
    registers: dict[str, list[Defect]] = {}
    with Progress(err) as progress:
        for task, results in check_games(tasks, options.jobs, progress.show):
            found[task.game].extend(results)
        for name in games:
            registers[name] = register(load_game(name, options.players or None), found[name])
            if options.impact:
                progress.show(f"{name}: {options.impact} games under each reading")
                impacts[name] = _impacts(name, registers[name], options)
    if options.json:
        answers = [
            {
                "game": name,
                "rules": report.rules_of(name),
                "defects": [each.as_json(impacts[name].get(each.id)) for each in defects],
            }
            for name, defects in registers.items()
        ]
        json.dump(answers[0] if len(answers) == 1 else answers, out, indent=2, ensure_ascii=False)
        out.write("\n")
    else:
        shown = 0
        for name, defects in registers.items():
            shown += register_report.write(
                out, name, defects, impacts[name], options.language, options.show
            )
        if options.show and not shown:
            raise UsageError(
                f"there is no defect called `{options.show}`",
                "`quarantia ambiguities` without --show lists them",
            )
    return _status([defect for defects in registers.values() for defect in defects])


def _impacts(
    name: str, defects: list[Defect], options: argparse.Namespace
) -> dict[str, dict[str, Any]]:
    """For each defect with alternatives, what playing under them changes."""
    from quarantia_checker.impact import Pairing, measure
    from quarantia_spec.pipeline import load_game

    players = options.players or load_game(name).players
    rows = [
        (defect.id, option, Pairing(name, players, key, value))
        for defect in defects
        if options.show in ("", "all", defect.id)
        for option, (key, value) in defect.alternatives
    ]
    measured = measure([row[2] for row in rows], options.impact, options.jobs)
    impacts: dict[str, dict[str, Any]] = {}
    for (defect_id, option, _), numbers in zip(rows, measured, strict=True):
        impact = impacts.setdefault(
            defect_id, {"games": options.impact, "players": players, "under": {}}
        )
        impact["under"][option] = numbers
    return impacts


def _status(defects: list[Defect]) -> int:
    if any(defect.open for defect in defects):
        return REFUTED
    return UNSETTLED if any(defect.verdict == "unsettled" for defect in defects) else OK
