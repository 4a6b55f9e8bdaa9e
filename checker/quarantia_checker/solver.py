"""The only place that makes solvers: seed, limits and version are the same everywhere.

NOTE(limits) What bounds a query is z3's count of its own work, not the clock, so that a verdict
does not depend on the machine. `seconds` is translated by `WORK_PER_SECOND`; the clock is only a
second fence, far behind the first, for the queries whose work z3 does not count.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import z3

from quarantia_checker.values import Term, Value, to_term

WORK_PER_SECOND = 2_000_000
CLOCK_SLACK = 4


class Answer(Enum):
    UNSATISFIABLE = "unsat"
    SATISFIABLE = "sat"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Effort:
    """What the solver has been asked so far, for reports and benchmarks."""

    queries: int = 0
    seconds: float = 0.0


EFFORT = Effort()


class Solver:
    """A z3 `SimpleSolver` with assumptions, a budget, and answers that are values."""

    def __init__(self, seconds: float) -> None:
        # NOTE(simple-solver) The default solver preprocesses away what makes these queries easy.
        self._solver: Any = z3.SimpleSolver()
        self._solver.set("random_seed", 0)
        self._seconds = -1.0
        self.limit(seconds)

    def limit(self, seconds: float) -> None:
        """What the next queries may cost."""
        if seconds != self._seconds:
            self._seconds = seconds
            work, clock = int(seconds * WORK_PER_SECOND), int(seconds * CLOCK_SLACK * 1000)
            self._solver.set("rlimit", work, "timeout", clock)

    def add(self, *values: Value) -> None:
        for value in values:
            if value is not True:
                self._solver.add(to_term(value))

    def check(self, *assumptions: Term) -> Answer:
        started = time.perf_counter()
        answer = self._solver.check(*assumptions)
        EFFORT.seconds += time.perf_counter() - started
        EFFORT.queries += 1
        if answer == z3.sat:
            return Answer.SATISFIABLE
        if answer == z3.unsat:
            return Answer.UNSATISFIABLE
        return Answer.UNKNOWN

    def check_also(self, values: Iterable[Value], *assumptions: Term) -> Answer:
        """Check with more assertions, kept (for `model` and `core`) until `release`."""
        self.push(values)
        return self.check(*assumptions)

    def push(self, values: Iterable[Value]) -> None:
        """More assertions, kept until `release`."""
        self._solver.push()
        self.add(*values)

    def release(self) -> None:
        self._solver.pop()

    def model(self) -> Any:
        return self._solver.model()

    def core(self) -> list[Term]:
        return list(self._solver.unsat_core())

    def statement(self) -> str:
        """Everything asserted, as SMT-LIB 2."""
        return str(self._solver.to_smt2())
