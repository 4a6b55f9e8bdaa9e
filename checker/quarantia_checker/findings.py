"""What a search has found, kept in a file, so that the next check need not search for it again.

A proof is dear to find and cheap to check: the facts that it rests on, the plays that refute. None
of it is believed. Facts are proved again, plays are replayed by the engine and judged by what they
show; what a change of the rules has made useless is searched for as if it had never been found.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quarantia_checker.commands import UsageError
from quarantia_checker.compare import form
from quarantia_checker.facts import Fact, Feature, Guarded, Linear, Settled, Stated, Tally, Total
from quarantia_checker.plays import numbers_of
from quarantia_checker.transition import System
from quarantia_checker.verdict import Kind, Result
from quarantia_engine.engine import Engine
from quarantia_spec.cache import content_key

FORMAT = 1

Cells = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """Facts by node, one position that play has come to by node, and plays by what they show."""

    facts: Mapping[int, tuple[Fact, ...]] = field(default_factory=dict)
    positions: Mapping[int, Cells] = field(default_factory=dict)
    plays: Mapping[str, Sequence[int]] = field(default_factory=dict)  # by the numbers of moves


NOTHING = Findings()


class Labels:
    """Names for claims; of several with one name, in the order in which they are judged."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[Kind, str]] = Counter()

    def next(self, kind: Kind, name: str) -> str:
        self._seen[kind, name] += 1
        count = self._seen[kind, name]
        return f"{kind.value} {name}" + (f" #{count}" if count > 1 else "")


def plays_of(engine: Engine, results: Iterable[Result]) -> dict[str, tuple[int, ...]]:
    """The plays that results show."""
    labels = Labels()
    plays: dict[str, tuple[int, ...]] = {}
    for result in results:
        label = labels.next(result.kind, result.name)
        if result.trace is not None and result.kind is not Kind.EXAMPLE:
            moves = [engine.move_from_json(each) for each in result.trace["moves"]]
            numbers = numbers_of(engine, moves)
            if numbers is not None:
                plays[label] = numbers
    return plays


# --- as text --------------------------------------------------------------------------------


def to_text(findings: Findings, system: System) -> str:
    """JSON, a line for each fact, position and play."""
    nodes: dict[Fact, list[int]] = {}
    for node, facts in sorted(findings.facts.items()):
        for fact in facts:
            nodes.setdefault(fact, []).append(node)
    sections: dict[str, list[Any]] = {
        "facts": [[_fact_to_json(fact), places] for fact, places in nodes.items()],
        "positions": [[node, *cells] for node, cells in sorted(findings.positions.items())],
        "plays": [[name, *numbers] for name, numbers in sorted(findings.plays.items())],
    }
    lines = [f'"format": {FORMAT}', f'"form": "{form_key(system)}"']
    for name, rows in sections.items():
        listed = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        lines.append(f'"{name}": [\n{listed}\n]' if listed else f'"{name}": []')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_text(text: str, system: System, stated: Iterable[Stated]) -> Findings:
    """What the text says that still makes sense for these rules; of `stated` facts it has names."""
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            return NOTHING
        plays = {str(name): tuple(map(int, numbers)) for name, *numbers in content["plays"]}
        if content["form"] != form_key(system):
            return Findings(plays=plays)
        named = {fact.name: fact for fact in stated}
        cells = len(system.names)
        points = set(system.points)
        facts: dict[int, list[Fact]] = {}
        for row, nodes in content["facts"]:
            fact = _fact_from_json(row, named, cells)
            if fact is not None and points.issuperset(nodes):
                for node in nodes:
                    facts.setdefault(node, []).append(fact)
        positions = {node: tuple(row) for node, *row in content["positions"] if len(row) == cells}
    except (ValueError, KeyError, TypeError, AttributeError):  # damaged: as if there were none
        return NOTHING
    return Findings({node: tuple(each) for node, each in facts.items()}, positions, plays)


def form_key(system: System) -> str:
    """A name for the form of positions and flow: facts about another form make no sense."""
    return content_key(repr(form(system.game)))[:16]


def _fact_to_json(fact: Fact) -> list[Any]:
    match fact:
        case Stated(name=name):
            return ["stated", name]
        case Guarded(cell=cell, low=low, high=high, fact=inner):
            return ["guarded", cell, low, high, _fact_to_json(inner)]
        case Settled(cell=cell, low=low, numbers=numbers, feature=feature):
            return ["settled", cell, low, list(numbers), _feature_to_json(feature)]
        case Linear(terms=terms, constant=constant, exact=exact):
            rows = [[factor, _feature_to_json(feature)] for factor, feature in terms]
            return ["=" if exact else "<=", constant, *rows]


def _fact_from_json(row: Any, named: Mapping[str, Stated], cells: int) -> Fact | None:
    match row:
        case ["stated", str(name)]:
            return named.get(name)
        case ["guarded", int(cell), int(low), int(high), inner]:
            fact = _fact_from_json(inner, named, cells)
            return Guarded(cell, low, high, fact) if isinstance(fact, Linear) else None
        case ["settled", int(cell), int(low), list(numbers), feature]:
            return Settled(cell, low, tuple(numbers), _feature_from_json(feature, cells))
        case ["=" | "<=" as relation, int(constant), *terms]:
            features = tuple((int(f), _feature_from_json(each, cells)) for f, each in terms)
            return Linear(features, constant, relation == "=")
        case _:
            return None


def _feature_to_json(feature: Feature) -> list[Any]:
    match feature:
        case Total(cells=cells):
            return ["sum", *_ranges(cells)]
        case Tally(cells=cells, number=number):
            return ["count", number, *_ranges(cells)]


def _feature_from_json(row: Any, cells: int) -> Feature:
    kind, *rest = row
    number = int(rest.pop(0)) if kind == "count" else 0
    listed = tuple(cell for low, high in rest for cell in range(int(low), int(high) + 1))
    if not all(0 <= cell < cells for cell in listed):
        raise ValueError
    return Tally(listed, number) if kind == "count" else Total(listed)


def _ranges(cells: Sequence[int]) -> list[list[int]]:
    """Runs of neighbouring numbers as their first and last."""
    runs: list[list[int]] = []
    for cell in cells:
        if runs and cell == runs[-1][1] + 1:
            runs[-1][1] = cell
        else:
            runs.append([cell, cell])
    return runs


# --- files ----------------------------------------------------------------------------------


def file_beside(rules: Path, players: int) -> Path:
    """Where the findings of a game stand: in a folder beside its rules."""
    return rules.parent / "findings" / f"{rules.stem}-{players}.json"


def findings_in(path: Path) -> str:
    """The text of a file of findings; "" when there is none that can be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def keep_findings(path: Path, text: str) -> None:
    """Write the file whole or not at all."""
    try:
        path.parent.mkdir(exist_ok=True)
        temporary = path.with_suffix(".new")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
