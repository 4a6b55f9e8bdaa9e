"""The passages of a rulebook that rules may cite: sections and pins, never the text itself.

`passages.toml` lies beside the rules:

    [rulebook]
    title = "Nim, our own rules"
    language = "en"

    [[passage]]
    section = "3"
    heading = "Taking counters"
    pins = { "1f3a" = "how many may be taken" }
"""

from __future__ import annotations

from dataclasses import dataclass, field

from quarantia_spec.diagnostics import Code, Diagnostic
from quarantia_spec.source import Citation, Span
from quarantia_spec.suggest import closest
from quarantia_spec.toml_files import NotToml, parse_toml

OWN = "own"


@dataclass(frozen=True, slots=True)
class Passage:
    section: str
    heading: str
    pins: dict[str, str] = field(default_factory=dict)


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
        if citation.pin and citation.pin not in passage.pins:
            near = closest(citation.pin, passage.pins)
            return (
                f"section {citation.section} has no pin {citation.pin}",
                f"did you mean §{citation.section}~{near}?" if near else "list it in passages.toml",
            )
        return None


def parse_passages(text: str, file: str) -> tuple[Passages, list[Diagnostic]]:
    def wrong(
        message: str, help: str, line: int = 1, column: int = 1
    ) -> tuple[Passages, list[Diagnostic]]:
        span = Span(file, line, column, line, column + 1)
        return Passages(), [Diagnostic(Code.BAD_PASSAGES, message, span, help)]

    try:
        data = parse_toml(text)
    except NotToml as error:
        help = "write [rulebook] and [[passage]] tables with `name = value` below them"
        return wrong(f"this is not TOML: {error.message}", help, error.line, error.column)
    book = data.get("rulebook", {})
    listed = data.get("passage", [])
    if not isinstance(book, dict) or not isinstance(listed, list):
        return wrong(
            "expected a [rulebook] table and [[passage]] tables",
            "write [rulebook] once and [[passage]], with two brackets, for each section",
        )
    passages: dict[str, Passage] = {}
    for entry in listed:
        section = entry.get("section") if isinstance(entry, dict) else None
        if not isinstance(section, str):
            return wrong("a [[passage]] has no section", 'write section = "2.1"')
        if section in passages:
            return wrong(f"section {section} is listed twice", "put its pins into one entry")
        pins = entry.get("pins", {})
        heading = entry.get("heading", "")
        if not isinstance(pins, dict) or not isinstance(heading, str):
            return wrong(
                f"section {section}: heading is a text and pins is a table",
                'write heading = "…" and pins = { 1f3a = "…" }',
            )
        passages[section] = Passage(section, heading, {str(k): str(v) for k, v in pins.items()})
    title, language = book.get("title", ""), book.get("language", "")
    return Passages(str(title), str(language), True, passages), []
