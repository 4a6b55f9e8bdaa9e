"""What becomes of each statement of a rulebook in the rules. Start at `trace`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from quarantia_checker.rulebooks.cues import Cues, Sign, read_signs
from quarantia_checker.rulebooks.statements import Statement
from quarantia_spec.inventory import Declared
from quarantia_spec.passages import OWN, SAYS_ENOUGH, Aside, Passages, Reason

MOST_CANDIDATES = 3


class Fate(Enum):
    CITED = "cited"  # rules state it
    ASIDE = "set aside"  # with a reason
    LEFT_OUT = "left out"  # a rule of the book that the formal rules lack, in whole or in part
    OPEN = "open"  # it looks like a rule, and nobody has said anything about it
    FREE = "no rule"  # nothing in it looks like a rule


@dataclass(frozen=True, slots=True)
class Traced:
    """A statement, the sections that list its pin, and what becomes of it."""

    statement: Statement
    sections: tuple[str, ...]
    sign: Sign
    fate: Fate
    rules: tuple[str, ...]
    aside: Aside | None

    @property
    def normative(self) -> bool:
        """By its words, or because rules state it."""
        return self.sign.normative or self.fate in (Fate.CITED, Fate.LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Lost:
    """A pin that no statement has; `now` are unknown statements that stand where it stood."""

    pin: str
    section: str
    told: str  # what the passages say of it
    now: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    statements: tuple[Traced, ...]
    lost: tuple[Lost, ...]
    uncited: tuple[Declared, ...]  # rules without a passage
    own: tuple[Declared, ...]  # rules that say themselves that no passage stands behind them
    unnamed: tuple[Declared, ...]  # rules that cite a section, but no statement of it names them

    def of(self, fate: Fate) -> tuple[Traced, ...]:
        return tuple(each for each in self.statements if each.fate is fate)

    @property
    def normative(self) -> tuple[Traced, ...]:
        return tuple(each for each in self.statements if each.normative)

    @property
    def settled(self) -> int:
        """How many normative statements are cited, set aside or left out with a reason."""
        return sum(each.fate is not Fate.OPEN for each in self.normative)

    @property
    def percent(self) -> float:
        return 100 * self.settled / len(self.normative) if self.normative else 100.0

    @property
    def complete(self) -> bool:
        return not (self.of(Fate.OPEN) or self.lost or self.uncited)


def trace(
    statements: Sequence[Statement],
    cues: Cues,
    passages: Passages,
    declared: Sequence[Declared],
) -> Trace:
    """Before: every rule that the passages name is declared (see `unknown_rules`)."""
    pinned = _pinned_in_rules(declared)
    traced = tuple(
        _traced(statement, sign, passages, pinned)
        for statement, sign in zip(statements, read_signs(statements, cues), strict=True)
    )
    rules = [each for each in declared if each.is_rule and not each.is_clause]
    named = {name.partition(".")[0] for each in traced for name in each.rules}
    own = [each for each in rules if each.citations and _only_own(each)]
    return Trace(
        traced,
        tuple(_lost(traced, passages, pinned)),
        _once(each for each in rules if not each.citations and each.name not in named),
        _once(own),
        _once(
            each
            for each in rules
            if each.citations and not _only_own(each) and each.name not in named
        ),
    )


def unknown_rules(passages: Passages, declared: Iterable[Declared]) -> list[tuple[str, str]]:
    """Pins whose passage names a rule that nobody declares, with that name."""
    known = {each.name for each in declared}
    return [
        (pin, name)
        for passage in passages.passages.values()
        for pin, names in passage.cited.items()
        for name in names
        if name not in known
    ]


def _traced(
    statement: Statement, sign: Sign, passages: Passages, pinned: dict[str, list[str]]
) -> Traced:
    pin = statement.pin
    listing = [each for each in passages.passages.values() if pin in each.known_pins]
    sections = tuple(each.section for each in listing)
    named = [name for each in listing for name in each.cited.get(pin, ())]
    rules = tuple(dict.fromkeys([*named, *pinned.get(pin, ())]))
    asides = [each.aside[pin] for each in listing if pin in each.aside]
    aside = asides[0] if asides else None
    if aside is not None and aside.reason is Reason.LEFT_OUT:
        fate = Fate.LEFT_OUT  # rules that state a part of it do not make it whole
    elif rules:
        fate = Fate.CITED
    elif aside is not None:
        fate = Fate.ASIDE
    else:
        fate = Fate.OPEN if sign.normative else Fate.FREE
    return Traced(statement, sections, sign, fate, rules, aside)


def _pinned_in_rules(declared: Iterable[Declared]) -> dict[str, list[str]]:
    """The rules that cite a statement by its pin, as in §3~1f3a5c."""
    found: dict[str, list[str]] = {}
    for each in declared:
        for citation in each.citations:
            if citation.pin and not each.is_clause:
                found.setdefault(citation.pin, []).append(each.name)
    return found


def _only_own(declared: Declared) -> bool:
    return all(citation.section == OWN for citation in declared.citations)


def _once(found: Iterable[Declared]) -> tuple[Declared, ...]:
    """A variant reads the files of its game again, and may replace what they declare."""
    return tuple({(each.name, each.span): each for each in found}.values())


# --- pins that no longer resolve --------------------------------------------------------------


def _lost(
    traced: Sequence[Traced], passages: Passages, pinned: dict[str, list[str]]
) -> Iterable[Lost]:
    """A lost pin is told by its neighbours: what now stands beside them was probably it.

    Headings and the like may come and go.
    """
    present = {each.statement.pin: place for place, each in enumerate(traced)}
    listed = passages.passages.values()
    cited = [pin for each in listed for pin in [*each.cited, *each.pins]]
    set_aside = [pin for each in listed for pin in each.aside]
    for passage in passages.passages.values():
        for pin in passage.known_pins:
            aside = passage.aside.get(pin)
            unimportant = aside is not None and aside.reason in SAYS_ENOUGH
            if pin in present or (unimportant and pin not in passage.cited):
                continue
            rules = [*passage.cited.get(pin, ()), *pinned.get(pin, ())]
            told = ", ".join(rules) or str(aside or passage.pins.get(pin, ""))
            order = cited if pin in cited else set_aside  # either follows the book
            now = _in_place_of(order.index(pin), order, present, traced)
            yield Lost(pin, passage.section, told, now)


def _in_place_of(
    place: int, order: Sequence[str], present: dict[str, int], traced: Sequence[Traced]
) -> tuple[Statement, ...]:
    """The unknown statements after the neighbour before it, and before the one after it."""
    before = next((present[pin] for pin in reversed(order[:place]) if pin in present), -1)
    after = next((present[pin] for pin in order[place + 1 :] if pin in present), len(traced))
    found = [
        *takewhile(lambda each: not each.sections, traced[before + 1 :]),
        *takewhile(lambda each: not each.sections, traced[:after][::-1]),
    ]
    lines = sorted(found, key=lambda each: each.statement.line)
    return tuple(dict.fromkeys(each.statement for each in lines))[:MOST_CANDIDATES]
