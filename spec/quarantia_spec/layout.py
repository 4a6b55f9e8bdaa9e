"""Where a line may be broken, and breaking it: inside brackets only, as the language asks.

A document is text, a place to break, a bracket or a chain. A bracket that does not fit opens up:
its inside goes on a line of its own, indented, and the closing bracket stands below the line that
opened it. A bracket with little inside stays closed, for opening it gains little: a line that has
no other stays too wide. A chain inside an open bracket breaks at all of its places or at none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

INDENT = 2
WIDTH = 100
WORTH_OPENING = 24


@dataclass(frozen=True, slots=True)
class Soft:
    """A space, or the end of a line in a chain that is broken."""


@dataclass(frozen=True, slots=True)
class Bracket:
    opening: str
    inside: Document
    closing: str


@dataclass(frozen=True, slots=True)
class Chain:
    parts: tuple[Document, ...]


Document = str | Soft | Bracket | Chain

SOFT = Soft()


def flat(document: Document) -> str:
    """The document on one line."""
    match document:
        case str():
            return document
        case Soft():
            return " "
        case Bracket(opening=opening, inside=inside, closing=closing):
            return opening + flat(inside) + closing
        case Chain(parts=parts):
            return "".join(flat(part) for part in parts)
        case _:
            assert_never(document)


def lay_out(document: Document, indent: int) -> list[str]:
    """The lines of a document whose first stands at `indent`, none wider than it must be."""
    text = flat(document)
    if indent + len(text) <= WIDTH:
        return [" " * indent + text]
    writer = _Writer([" " * indent])
    writer.write(document, indent, 0, open=False)
    return writer.lines


@dataclass(slots=True)
class _Writer:
    lines: list[str]

    def fits(self, text: str, tail: int) -> bool:
        return len(self.lines[-1]) + len(text) + tail <= WIDTH

    def write(self, document: Document, indent: int, tail: int, open: bool) -> None:
        """`tail` is how much must follow on the same line; `open` says that a bracket is open."""
        text = flat(document)
        if isinstance(document, str | Soft) or self.fits(text, tail) or _stays_closed(document):
            self.lines[-1] += text
            return
        match document:
            case Bracket(opening=opening, inside=inside, closing=closing):
                self.lines[-1] += opening
                self.lines.append(" " * (indent + INDENT))
                self.write(inside, indent + INDENT, 0, open=True)
                self.lines.append(" " * indent + closing)
            case Chain(parts=parts):
                self._write_chain(parts, indent, tail, open)
            case _:
                assert_never(document)

    def _write_chain(self, parts: tuple[Document, ...], indent: int, tail: int, open: bool) -> None:
        # A chain that starts within a line indents what it breaks off, so that it can be told
        # from the chain around it.
        broken = open and any(isinstance(part, Soft) for part in parts)
        inner = indent if not self.lines[-1].strip() else indent + INDENT * open
        for position, part in enumerate(parts):
            if broken and isinstance(part, Soft):
                self.lines.append(" " * inner)
                continue
            rest = parts[position + 1 :]
            follows, ends = _lead(rest, broken)
            self.write(part, inner, follows + (0 if ends else tail), open)


def _stays_closed(document: Document) -> bool:
    return isinstance(document, Bracket) and len(flat(document.inside)) < WORTH_OPENING


def _lead(documents: tuple[Document, ...], broken: bool) -> tuple[int, bool]:
    """How much stands before the first place where the line can end, and whether there is one."""
    width = 0
    for document in documents:
        match document:
            case str():
                width += len(document)
            case Soft():
                if broken:
                    return width, True
                width += 1
            case Bracket(opening=opening):
                if not _stays_closed(document):
                    return width + len(opening), True
                width += len(flat(document))
            case Chain(parts=parts):
                inside, ends = _lead(parts, False)
                width += inside
                if ends:
                    return width, True
            case _:
                assert_never(document)
    return width, False
