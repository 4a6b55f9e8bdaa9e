"""Whether facts are true of positions that play has come to, without the solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from quarantia_checker.facts import Fact, Stated
from quarantia_spec.ir import Expr

Compile = Callable[[Expr], Callable[[Sequence[int]], int]]


@dataclass(frozen=True, slots=True)
class Truth:
    """`compiled` makes a function of an expression, under the data of the plays."""

    compiled: Compile
    _tests: dict[Stated, Callable[[Sequence[int]], int]] = field(default_factory=dict)

    def obeys(self, fact: Fact, cells: Sequence[int]) -> bool:
        """The fact is true of the position; where it has no meaning nothing speaks against it."""
        if not isinstance(fact, Stated):
            return fact.true_of(cells)
        test = self._tests.get(fact)
        if test is None:
            test = self._tests[fact] = self.compiled(fact.condition)
        try:
            return bool(test(cells))
        except (IndexError, ZeroDivisionError):
            return True

    def test(self, fact: Fact) -> Callable[[Sequence[int]], bool]:
        if not isinstance(fact, Stated):
            return fact.true_of
        return lambda cells: self.obeys(fact, cells)
