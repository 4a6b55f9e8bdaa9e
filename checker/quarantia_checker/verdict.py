"""What the checker says: one `Result` per claim, and how sure it is.

NOTE(verdicts) `PROVED`: induction has established it for every reachable position, this number of
players and all `given` data. `REFUTED`: a play shows the contrary, and the engine has replayed it;
for something that ought to be possible, a proof that it is not. `HOLDS` and `FAILS` are for what is
settled by running it: an example, a data file, a goal that a play reaches. Everything else is
`UNSETTLED`, whatever was tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from quarantia_checker.commands import OK, REFUTED, UNSETTLED
from quarantia_spec.source import BUILT_IN, Origin


class Verdict(Enum):
    PROVED = "proved"
    REFUTED = "refuted"
    UNSETTLED = "unsettled"
    HOLDS = "holds"
    FAILS = "fails"

    @property
    def good(self) -> bool:
        return self in (Verdict.PROVED, Verdict.HOLDS)

    @property
    def bad(self) -> bool:
        return self in (Verdict.REFUTED, Verdict.FAILS)


class Kind(Enum):
    """Kinds of check, in the order in which they are shown."""

    DATA = "data"
    EXAMPLE = "example"
    OBLIGATION = "obligation"
    LEGALITY = "legality"  # whoever is to choose has a legal choice
    FLOW = "flow"  # play never runs in circles by itself
    INVARIANT = "invariant"
    AGREEMENT = "agreement"
    COVERAGE = "coverage"
    READING = "reading"
    REACHABLE = "reachable"
    VACUITY = "vacuity"
    ENDS = "ends"
    KNOWLEDGE = "knowledge"


@dataclass(frozen=True, slots=True)
class Result:
    """One verdict. `detail` is for people; `trace` is a play as `quarantia replay` reads it."""

    kind: Kind
    name: str
    players: int
    verdict: Verdict
    origin: Origin = BUILT_IN
    ruled: bool = False
    warning: bool = False  # worth knowing, but no reason to fail
    seconds: float = 0.0
    detail: str = ""
    auxiliary: tuple[str, ...] = ()
    trace: Mapping[str, Any] | None = None
    position: Mapping[str, Any] | None = None
    solver: str = "z3"

    @property
    def counts(self) -> bool:
        """Whether it decides the exit status: a defect with a ruling does not."""
        return not self.warning and not (self.ruled and self.verdict.bad)

    @property
    def passages(self) -> list[str]:
        return [str(citation) for citation in self.origin.citations]

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind.value,
            "name": self.name,
            "players": self.players,
            "verdict": self.verdict.value,
            "passages": self.passages,
            "ruled": self.ruled,
            "warning": self.warning,
            "seconds": round(self.seconds, 3),
            "detail": self.detail,
            "auxiliary": list(self.auxiliary),
            "trace": self.trace,
            "position": self.position,
            "where": str(self.origin.span),
            "solver": self.solver,
        }


def exit_status(results: Iterable[Result]) -> int:
    """0 all is well, 1 something is refuted, 3 something is only unsettled."""
    verdicts = [result.verdict for result in results if result.counts]
    if any(verdict.bad for verdict in verdicts):
        return REFUTED
    return UNSETTLED if Verdict.UNSETTLED in verdicts else OK


def summary(results: Iterable[Result], seconds: float) -> dict[str, float]:
    rows = list(results)
    return {
        "proved": sum(row.verdict.good for row in rows),
        "refuted": sum(row.verdict.bad for row in rows),
        "unsettled": sum(row.verdict is Verdict.UNSETTLED for row in rows),
        "unruled": sum(row.verdict.bad and row.counts for row in rows),
        "seconds": round(seconds, 3),
    }
