"""The passages of a rulebook that rules may cite: sections and pins, never the text itself.

`passages.toml` lies beside the rules:

    [rulebook]
    title = "Nim, our own rules"
    language = "en"

    [[passage]]
    section = "3"
    heading = "Taking counters"
    pins = { 1f3a = "how many may be taken" }

    [passage.cited]            # statements, by their pins, and the rules that state them
    1f3a5c = ["take", "take.least"]

    [passage.aside]            # statements that no rule states, and why
    77e0d2 = "flavour: counters may be beans"

A pin is a short fingerprint of a statement; `quarantia trace` shows those of a book.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from quarantia_spec.diagnostics import Code, Diagnostic
from quarantia_spec.source import Citation, Span
from quarantia_spec.suggest import closest
from quarantia_spec.toml_files import NotToml, parse_toml

OWN = "own"


class Reason(Enum):
    """Why no rule states what a statement says."""

    HEADING = "heading"
    CAPTION = "caption"  # of a picture, or a label in it
    FLAVOUR = "flavour"
    ADVICE = "advice"
    EXAMPLE = "example"
    REPEATED = "repeated"  # said elsewhere, where it is cited
    POINTER = "pointer"  # to another part of the book
    HANDLING = "handling"  # how pieces lie on the table, without effect on play
    BOX = "box"  # what comes with the game but takes no part in play
    CREDITS = "credits"
    NOISE = "noise"  # of the copy
    LEFT_OUT = "left out"  # a rule of the book that the formal rules do not have


# What these are needs no words of ours.
SAYS_ENOUGH = {Reason.HEADING, Reason.CAPTION, Reason.POINTER, Reason.CREDITS, Reason.NOISE}


@dataclass(frozen=True, slots=True)
class Aside:
    reason: Reason
    words: str = ""

    def __str__(self) -> str:
        return f"{self.reason.value}: {self.words}" if self.words else self.reason.value


@dataclass(frozen=True, slots=True)
class Passage:
    section: str
    heading: str
    pins: dict[str, str] = field(default_factory=dict)
    cited: dict[str, tuple[str, ...]] = field(default_factory=dict)
    aside: dict[str, Aside] = field(default_factory=dict)

    @property
    def known_pins(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.pins, *self.cited, *self.aside]))


@dataclass(frozen=True, slots=True)
class Passages:
    """`known` is False when a game has no passages file; then every citation is accepted."""

    title: str = ""
    language: str = ""
    known: bool = False
    passages: dict[str, Passage] = field(default_factory=dict)

    def problem_with(self, citation: Citation) -> tuple[str, str] | None:
        """A message and a help, when the citation names no passage."""
        if citation.section == OWN or not self.known:
            return None
        passage = self.passages.get(citation.section)
        if passage is None:
            near = closest(citation.section, self.passages)
            return (
                f"the rulebook has no section {citation.section}",
                f"did you mean §{near}?" if near else "list it in passages.toml",
            )
        if citation.pin and citation.pin not in passage.known_pins:
            near = closest(citation.pin, passage.known_pins)
            return (
                f"section {citation.section} has no pin {citation.pin}",
                f"did you mean §{citation.section}~{near}?" if near else "list it in passages.toml",
            )
        return None


class _Wrong(Exception):
    def __init__(self, message: str, help: str, key: str = "") -> None:
        super().__init__(message)
        self.message, self.help, self.key = message, help, key


def parse_passages(text: str, file: str) -> tuple[Passages, list[Diagnostic]]:
    """What the file says; nothing, and a diagnostic, when it cannot be understood."""
    try:
        data = parse_toml(text)
    except NotToml as error:
        span = Span(file, error.line, error.column, error.line, error.column + 1)
        message = f"this is not TOML: {error.message}"
        help = "write [rulebook] and [[passage]] tables with `name = value` below them"
        return Passages(), [Diagnostic(Code.BAD_PASSAGES, message, span, help)]
    book = data.get("rulebook", {})
    listed = data.get("passage", [])
    try:
        if not isinstance(book, dict) or not isinstance(listed, list):
            raise _Wrong(
                "expected a [rulebook] table and [[passage]] tables",
                "write [rulebook] once and [[passage]], with two brackets, for each section",
            )
        passages: dict[str, Passage] = {}
        for entry in listed:
            passage = _passage(entry)
            if passage.section in passages:
                raise _Wrong(
                    f"section {passage.section} is listed twice", "put its pins into one entry"
                )
            passages[passage.section] = passage
    except _Wrong as wrong:
        span = place_of(wrong.key, text, file)
        return Passages(), [Diagnostic(Code.BAD_PASSAGES, wrong.message, span, wrong.help)]
    title, language = book.get("title", ""), book.get("language", "")
    return Passages(str(title), str(language), True, passages), []


def place_of(key: str, text: str, file: str) -> Span:
    """Where a pin stands in the file of passages; its first line when it cannot be told."""
    pattern = re.compile(rf'^\s*"?{re.escape(key)}"?\s*=') if key else None
    for number, line in enumerate(text.split("\n"), 1):
        if pattern is not None and pattern.match(line):
            column = line.index(key) + 1
            return Span(file, number, column, number, column + len(key))
    return Span(file, 1, 1, 1, 2)


def _passage(entry: Any) -> Passage:
    section = entry.get("section") if isinstance(entry, dict) else None
    if not isinstance(section, str):
        raise _Wrong("a [[passage]] has no section", 'write section = "2.1"')
    heading, pins = entry.get("heading", ""), entry.get("pins", {})
    if not isinstance(pins, dict) or not isinstance(heading, str):
        raise _Wrong(
            f"section {section}: heading is a text and pins is a table",
            'write heading = "…" and pins = { 1f3a = "…" }',
        )
    return Passage(
        section,
        heading,
        {str(pin): str(words) for pin, words in pins.items()},
        dict(_cited(section, entry.get("cited", {}))),
        dict(_aside(section, entry.get("aside", {}))),
    )


def _cited(section: str, table: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    help = 'write [passage.cited] and below it 1f3a5c = ["name_of_a_rule"]'
    if not isinstance(table, dict):
        raise _Wrong(f"section {section}: cited is a table of pins", help)
    for pin, rules in table.items():
        if not (isinstance(rules, list) and rules and all(isinstance(r, str) for r in rules)):
            raise _Wrong(f"pin {pin}: expected the names of the rules that state it", help, pin)
        yield pin, tuple(rules)


def _aside(section: str, table: Any) -> Iterator[tuple[str, Aside]]:
    help = f'write 1f3a5c = "reason: words"; reasons are {", ".join(r.value for r in Reason)}'
    if not isinstance(table, dict):
        raise _Wrong(f"section {section}: aside is a table of pins", help)
    for pin, told in table.items():
        word, _, words = str(told).partition(":")
        reasons = {reason.value: reason for reason in Reason}
        reason = reasons.get(word.strip())
        if reason is None:
            near = closest(word.strip(), reasons)
            raise _Wrong(
                f"pin {pin}: `{word.strip()}` is no reason to set a statement aside",
                f"did you mean `{near}`?" if near else help,
                pin,
            )
        if reason not in SAYS_ENOUGH and not words.strip():
            raise _Wrong(
                f"pin {pin}: say in your own words why it is set aside",
                f'write {pin} = "{reason.value}: …"',
                pin,
            )
        yield pin, Aside(reason, words.strip())
