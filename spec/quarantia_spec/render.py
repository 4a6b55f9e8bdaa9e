"""Diagnostics as people and programs read them; start at `render_text`.

Columns count characters, terminals count cells: the caret line is measured in cells. Sources are
looked up by the file that a span names; one that is missing, or a span that points outside it,
costs the excerpt and nothing else.
"""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quarantia_spec.diagnostics import Diagnostic, Severity
from quarantia_spec.source import NOWHERE, Span

WIDEST_EXCERPT = 100
TAB = "    "
_ELLIPSIS = "…"

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_BLUE = "\x1b[1;34m"
_COLOURS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m"}


def render_text(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], colour: bool = False
) -> str:
    """Every diagnostic as a box with its lines of source, and how many there were.

    `sources` gives the text of each file by the name that spans use.
    """
    listed = list(diagnostics)
    boxes = [_box(diagnostic, sources, _Paint(colour)) for diagnostic in listed]
    if len(listed) > 1:
        boxes.append(_summary(listed) + "\n")
    return "\n".join(boxes)


def render_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    """What `Diagnostic.as_json` says, with the ends of spans and the labels."""
    return [
        {
            **diagnostic.as_json(),
            "end_line": diagnostic.span.end_line,
            "end_column": diagnostic.span.end_column,
            "labels": [
                {
                    "file": label.span.file,
                    "line": label.span.line,
                    "column": label.span.column,
                    "end_line": label.span.end_line,
                    "end_column": label.span.end_column,
                    "text": label.text,
                }
                for label in diagnostic.labels
            ],
        }
        for diagnostic in diagnostics
    ]


def read_sources(
    diagnostics: Iterable[Diagnostic], folders: Sequence[Path] = (Path(),)
) -> dict[str, str]:
    """The files that diagnostics point at, as far as they can be read from one of the folders."""
    spans = [
        span
        for diagnostic in diagnostics
        for span in (diagnostic.span, *(label.span for label in diagnostic.labels))
    ]
    found: dict[str, str] = {}
    for name in sorted({span.file for span in spans}):
        for folder in reversed(folders):
            with contextlib.suppress(OSError, ValueError):
                found[name] = (folder / name).read_text(encoding="utf-8-sig", errors="replace")
    return found


# --- one box ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Paint:
    colour: bool

    def __call__(self, style: str, text: str) -> str:
        return f"{style}{text}{_RESET}" if self.colour and text else text


@dataclass(frozen=True, slots=True)
class _Mark:
    """A stretch of one line to underline; `end` is None when it goes on to the end of the line."""

    line: int
    start: int
    end: int | None
    text: str
    primary: bool


def _box(diagnostic: Diagnostic, sources: Mapping[str, str], paint: _Paint) -> str:
    style = _COLOURS[diagnostic.severity]
    kind = f"{diagnostic.severity.value}[{diagnostic.code.value}]"
    lines = [paint(style, kind) + paint(_BOLD, f": {_on_one_line(diagnostic.message)}")]
    excerpts = _excerpts(diagnostic, sources)
    numbers = [mark.line for _, _, marks in excerpts for mark in marks]
    gutter = len(str(max(numbers, default=1)))
    for position, (where, text, marks) in enumerate(excerpts):
        arrow = "-->" if position == 0 else ":::"
        lines.append(paint(_BLUE, f"{' ' * gutter}{arrow} ") + str(where))
        if marks:
            lines.extend(_excerpt(text, marks, gutter, style, paint))
    notes = []
    if diagnostic.citations:
        notes.append(("rulebook", " ".join(str(citation) for citation in diagnostic.citations)))
    if diagnostic.help:
        notes.append(("help:", _on_one_line(diagnostic.help)))
    for word, note in notes:
        lines.append(f"{' ' * gutter} {paint(_BLUE, '=')} {paint(_BOLD, word)} {note}")
    return "\n".join(lines) + "\n"


def _excerpts(
    diagnostic: Diagnostic, sources: Mapping[str, str]
) -> list[tuple[Span, list[str], list[_Mark]]]:
    """Files in the order in which they are mentioned, each with its marks in order of lines."""
    found: dict[str, tuple[Span, list[str], list[_Mark]]] = {}
    places = [(diagnostic.span, "", True)]
    places.extend((label.span, label.text, False) for label in diagnostic.labels)
    for span, words, primary in places:
        if span.file == NOWHERE.file and not primary:
            continue
        if span.file not in found:
            found[span.file] = (span, sources.get(span.file, "").split("\n"), [])
        _, text, marks = found[span.file]
        marks.extend(_marks(span, _on_one_line(words), primary, text))
    for _, _, marks in found.values():
        marks.sort(key=lambda mark: (mark.line, not mark.primary, mark.start))
    return list(found.values())


def _marks(span: Span, words: str, primary: bool, text: Sequence[str]) -> list[_Mark]:
    """The underline of a span: only the first line of one that has several, often a rule."""
    if not (1 <= span.line <= len(text)) or text == [""]:
        return []
    end = span.end_column if span.end_line <= span.line else None
    return [_Mark(span.line, span.column, end, words, primary)]


def _excerpt(
    text: Sequence[str], marks: Sequence[_Mark], gutter: int, style: str, paint: _Paint
) -> list[str]:
    bar = paint(_BLUE, "|")
    lines = [f"{' ' * gutter} {bar}"]
    previous = 0
    for mark in marks:
        source = text[mark.line - 1].rstrip()
        cells, start, width = _window(source, mark)
        if mark.line != previous:
            if previous and mark.line > previous + 1:
                lines.append(paint(_BLUE, "." * max(3, gutter)))
            lines.append(f"{paint(_BLUE, str(mark.line).rjust(gutter))} {bar} {cells}".rstrip())
        underline = ("^" if mark.primary else "-") * width + (f" {mark.text}" if mark.text else "")
        tone = style if mark.primary else _BLUE
        lines.append(f"{' ' * gutter} {bar} {' ' * start}{paint(tone, underline)}")
        previous = mark.line
    return lines


def _window(source: str, mark: _Mark) -> tuple[str, int, int]:
    """What to print of a line, and in cells where the underline starts and how wide it is."""
    start = min(max(mark.start - 1, 0), len(source))
    end = len(source) if mark.end is None else min(max(mark.end - 1, start), len(source))
    # Only so much can be shown, however long the line is.
    base = max(0, start - WIDEST_EXCERPT)
    characters = [_shown(character) for character in source[base : start + WIDEST_EXCERPT + 1]]
    widths = [_cells(character) for character in characters]
    start, end = start - base, min(end - base, len(characters))
    first, last = 0, len(characters)
    if len(source) > len(characters) or sum(widths) > WIDEST_EXCERPT:
        first = last = start
        room = WIDEST_EXCERPT - 2
        # A little of what stands before the mark, then as much as fits after it.
        while first > 0 and sum(widths[first - 1 : start]) <= room // 3:
            first -= 1
        while last < len(characters) and sum(widths[first : last + 1]) <= room:
            last += 1
        while first > 0 and sum(widths[first - 1 : last]) <= room:
            first -= 1
    before = _ELLIPSIS if base + first > 0 else ""
    after = _ELLIPSIS if base + last < len(source) else ""
    shown = before + "".join(characters[first:last]) + after
    width = sum(widths[start : min(end, last)])
    return shown, len(before) + sum(widths[first:start]), max(1, width)


def _shown(character: str) -> str:
    """A tab as spaces, and nothing that would move the cursor or colour the terminal."""
    if character == "\t":
        return TAB
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return "\N{REPLACEMENT CHARACTER}"
    return character


def _cells(text: str) -> int:
    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _on_one_line(text: str) -> str:
    return "".join(" " if character in "\t\r\n" else _shown(character) for character in text)


def _summary(diagnostics: Sequence[Diagnostic]) -> str:
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    parts = [
        f"{number} {word}{'s' if number > 1 else ''}"
        for number, word in ((errors, "error"), (warnings, "warning"))
        if number
    ]
    return " and ".join(parts)
