"""What is known about a game when its pages are built: verdicts, impacts, and where they are from.

Verdicts come from a saved answer of `quarantia check --json` that was made under the same rules,
else from the checker's cache; impacts from a saved answer of `quarantia ambiguities --json`.
Nothing is proved here, and without results the pages say so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quarantia_checker.checking import cache_key, read_results
from quarantia_checker.settings import Settings
from quarantia_checker.verdict import Kind, Result, Verdict
from quarantia_spec import pipeline
from quarantia_spec.ir import Game
from quarantia_spec.source import BUILT_IN, Citation, Origin, Span


@dataclass(frozen=True)
class Findings:
    """`checked` are the numbers of players for which there are verdicts."""

    results: tuple[Result, ...] = ()
    checked: frozenset[int] = frozenset()
    impacts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    stale: bool = False  # a saved answer was left aside, since the rules have changed


def find(name: str, folder: Path | None) -> Findings:
    """What the folder of saved answers and the cache know about a game."""
    answers = list(_answers(folder)) if folder is not None else []
    first = pipeline.load_game(name)
    results: list[Result] = []
    checked: set[int] = set()
    stale = False
    for count in first.player_counts:
        game = pipeline.load_game(name, count)
        saved = [each for each in answers if each.get("game") == name and "results" in each]
        fitting = [each for each in saved if _same_rules(each, game)]
        stale = stale or bool(saved and not fitting)
        if fitting:
            rows = [_result(row) for row in fitting[-1]["results"] if row.get("players") == count]
        else:
            key = cache_key(game, pipeline.load_data(name, game), Settings())
            rows = read_results(key) or []
        if rows:
            results.extend(rows)
            checked.add(count)
    impacts = {
        str(defect["id"]): defect["impact"]
        for answer in answers
        if answer.get("game") == name and _same_rules(answer, first)
        for defect in answer.get("defects", ())
        if defect.get("impact")
    }
    return Findings(tuple(results), frozenset(checked), impacts, stale)


def _answers(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Every answer in the folder, oldest first, those of variants too."""
    if not folder.is_dir():
        return
    for path in sorted(folder.glob("*.json"), key=lambda each: each.stat().st_mtime):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        for answer in content if isinstance(content, list) else [content]:
            if isinstance(answer, dict):
                yield answer
                yield from (each for each in answer.get("variants", ()) if isinstance(each, dict))


def _same_rules(answer: Mapping[str, Any], game: Game) -> bool:
    """A saved answer counts only for the very rules that it was made for."""
    rules = answer.get("rules")
    return isinstance(rules, Mapping) and rules.get(str(game.players)) == game.fingerprint


def _result(row: Mapping[str, Any]) -> Result:
    """A result as `Result.as_json` wrote it."""
    return Result(
        Kind(row["kind"]),
        str(row["name"]),
        int(row["players"]),
        Verdict(row["verdict"]),
        _origin(str(row.get("where", "")), row.get("passages", ())),
        bool(row.get("ruled")),
        bool(row.get("warning")),
        float(row.get("seconds", 0)),
        str(row.get("detail", "")),
        tuple(row.get("auxiliary", ())),
        row.get("trace"),
        row.get("position"),
        str(row.get("solver", "z3")),
    )


def _origin(where: str, passages: object) -> Origin:
    file, line, column = (*where.rsplit(":", 2), "", "")[:3]
    if not (line.isdigit() and column.isdigit()):
        return BUILT_IN
    span = Span(file, int(line), int(column), int(line), int(column) + 1)
    cited = passages if isinstance(passages, list) else []
    citations = [str(each).removeprefix("§").partition("~") for each in cited]
    return Origin(span, tuple(Citation(section, pin) for section, _, pin in citations))
