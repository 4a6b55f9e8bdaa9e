"""Source text and places in it. Lines and columns count from 1, columns in characters."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as it was read. `name` is what messages show."""

    name: str
    text: str

    def line(self, number: int) -> str:
        lines = self.text.splitlines()
        return lines[number - 1] if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("<built in>", 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage of the rulebook: a section and, when it has several statements, a pin.

    The section `own` says that no passage stands behind the rule: it is a ruling of ours.
    """

    section: str
    pin: str = ""
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return f"§{self.section}" + (f"~{self.pin}" if self.pin else "")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a node came from: its place in the source and the passages it states."""

    span: Span
    citations: tuple[Citation, ...] = ()


BUILT_IN = Origin(NOWHERE)


def rebuilt_when_loaded(kind: type) -> None:
    """Makes pickle rebuild values of a dataclass with slots by calling it.

    What dataclasses do by themselves takes several times as long, and a loaded game is made of
    tens of thousands of them.
    """
    if not is_dataclass(kind) or "__slots__" not in vars(kind):
        return
    names = tuple(each.name for each in fields(kind))

    def reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
        return kind, tuple(getattr(self, name) for name in names)

    kind.__reduce__ = reduce  # type: ignore[method-assign]


for _kind in (Span, Citation, Origin):
    rebuilt_when_loaded(_kind)
