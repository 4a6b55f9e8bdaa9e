"""What can be wrong with a source, as values. Passes return them; `render` prints them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from quarantia_spec.source import Citation, Span


class Code(Enum):
    """Every code there is. `quarantia_spec.codes` has a page for each."""

    UNEXPECTED = "E101"
    BAD_CHARACTER = "E102"
    BAD_INDENTATION = "E103"
    UNFINISHED = "E104"
    NOT_TEXT = "E105"
    TOO_LARGE = "E106"
    NUMBER_TOO_LARGE = "E107"
    UNCLOSED_STRING = "E108"
    CANNOT_READ = "E109"
    UNKNOWN_NAME = "E201"
    DUPLICATE_NAME = "E202"
    UNKNOWN_PASSAGE = "E203"
    UNCITED = "E204"
    WRONG_KIND = "E205"
    CIRCULAR = "E206"
    MISSING_TRANSLATION = "E207"
    BAD_SENTENCE = "E208"
    BAD_PASSAGES = "E209"
    NOTHING_TO_REPLACE = "E210"
    UNKNOWN_RULE = "E211"
    TYPE_MISMATCH = "E301"
    OUT_OF_RANGE = "E302"
    WRONG_COUNT = "E303"
    NOT_CONSTANT = "E304"
    EMPTY_RANGE = "E305"
    TOO_MANY_VALUES = "E306"
    MISPLACED = "E307"
    TWO_UNIONS = "E308"
    NO_DEFAULT = "E309"
    UNRULED_READING = "E401"
    UNRULED_CONFLICT = "E402"
    UNKNOWN_RULING = "E403"
    NO_CLAUSE = "E404"
    NO_FLOW = "E501"
    STOP_OUTSIDE = "E502"
    UNUSED_RULE = "E503"
    NO_SUCH_POINT = "E504"
    PLAYER_COUNT = "E505"
    MISSING_DATA = "E601"
    DATA_OUT_OF_BOUNDS = "E602"
    DATA_BREAKS_CONSTRAINT = "E603"
    BAD_DATA_FILE = "E604"
    UNKNOWN_GAME = "E605"
    UNKNOWN_READING = "E606"
    UNKNOWN_OPTION = "E607"


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that explains the first: "declared here"."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong, where, and what to try."""

    code: Code
    message: str
    span: Span
    help: str = ""
    labels: tuple[Label, ...] = ()
    citations: tuple[Citation, ...] = ()
    severity: Severity = Severity.ERROR

    def as_json(self) -> dict[str, object]:
        return {
            "code": self.code.value,
            "severity": self.severity.value,
            "message": self.message,
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "help": self.help,
            "passages": [str(citation) for citation in self.citations],
        }


class RulesError(Exception):
    """The input is wrong; carries every diagnostic that was found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(
            "; ".join(f"{d.span}: {d.code.value}: {d.message}" for d in self.diagnostics)
        )


@dataclass(slots=True)
class Reporter:
    """Collects diagnostics while a pass goes on after the first mistake."""

    found: list[Diagnostic] = field(default_factory=list)

    def error(
        self,
        code: Code,
        message: str,
        span: Span,
        help: str,
        labels: tuple[Label, ...] = (),
        citations: tuple[Citation, ...] = (),
    ) -> None:
        self.found.append(Diagnostic(code, message, span, help, labels, citations))

    def warn(self, code: Code, message: str, span: Span, help: str) -> None:
        self.found.append(Diagnostic(code, message, span, help, severity=Severity.WARNING))

    @property
    def failed(self) -> bool:
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self.found)
