"""What happened how often: counters in the generated code.

NOTE(counters) A counted program keeps its counters in cells behind those of the position, so that
the same functions, plain or compiled, work with and without them. Only code that is asked for
counting has any.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from quarantia_spec.ir import Auto, Branch, Chance, Const, Decision, Expr, Game, If
from quarantia_spec.source import BUILT_IN, Origin
from quarantia_spec.wording import worded


class Counted(Enum):
    """What a counter counts."""

    RULE = "rule"  # a decision, a chance or a step that was carried out
    MET = "met"  # a condition that held where it was asked
    UNMET = "unmet"  # and one that did not


@dataclass(frozen=True, slots=True)
class Counter:
    """One thing that is counted. `rule` is "" for the flow; a rule's own has no condition."""

    what: Counted
    rule: str
    condition: str
    origin: Origin


class Counters:
    """All counters of a generated module, in the order of their cells."""

    def __init__(self, game: Game) -> None:
        self.entries: list[Counter] = []
        self._game = game
        self._cells: dict[Counter, int] = {}
        # The choices of a `together` are carried out under a condition that nobody wrote.
        rules: tuple[Decision | Chance, ...] = (*game.decisions, *game.chances)
        self._rules = {rule.origin for rule in rules}
        for rule in rules:
            self._cell(Counter(Counted.RULE, rule.name, "", rule.origin))
        for node in game.nodes:
            if isinstance(node, Auto) and node.rule:
                self.rule(node.rule, node.origin)

    def rule(self, name: str, origin: Origin) -> str:
        """The line that counts a rule."""
        for counter, cell in self._cells.items():
            if counter.what is Counted.RULE and counter.rule == name:
                return _line(cell)
        return _line(self._cell(Counter(Counted.RULE, name, "", origin)))

    def sides(self, rule: str, asked: If | Branch) -> tuple[str, str] | None:
        """The lines that count a condition, met and unmet; None when nobody wrote it."""
        written = asked.origin != BUILT_IN and asked.origin not in self._rules
        if isinstance(asked.condition, Const) or not written:
            return None
        met, unmet = (
            _line(self._cell(Counter(what, rule, self._text(asked.condition), asked.origin)))
            for what in (Counted.MET, Counted.UNMET)
        )
        return met, unmet

    def _text(self, condition: Expr) -> str:
        return worded(self._game, condition)

    def _cell(self, counter: Counter) -> int:
        if counter not in self._cells:
            self._cells[counter] = self._game.cells + len(self.entries)
            self.entries.append(counter)
        return self._cells[counter]


def _line(cell: int) -> str:
    return f"s[{cell}] += 1"


def never_counted(counters: tuple[Counter, ...], counts: list[int]) -> Iterator[Counter]:
    """The rules that were never carried out, and the conditions that were always or never met.

    A condition of a rule that never was carried out, or that was never asked, is not listed.
    """
    found: dict[tuple[str, str, Origin], dict[Counted, int]] = {}
    for counter, count in zip(counters, counts, strict=True):
        key = (counter.rule, counter.condition, counter.origin)
        found.setdefault(key, {})[counter.what] = count
    for counter, count in zip(counters, counts, strict=True):
        asked = found[counter.rule, counter.condition, counter.origin]
        if not count and (counter.what is Counted.RULE or any(asked.values())):
            yield counter
