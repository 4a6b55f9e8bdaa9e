"""Which cells of a spoiling position spoil: the others may have any value.

A model gives every cell a value, most of them beside the point. With the choices held fast, the
solver is asked why this position leads to the bad case; the cells in its answer are what a fact
must speak of to exclude it.
"""

from __future__ import annotations

from collections.abc import Sequence

from quarantia_checker.cones import Cones
from quarantia_checker.solver import Answer, Model, Solver
from quarantia_checker.terms import Term, Value, symbol, symbols_of
from quarantia_checker.transition import System
from quarantia_checker.values import conjoin, equal, negate

SECONDS = 2.0


class Lifter:
    """Answers for one system."""

    def __init__(self, system: System, cones: Cones) -> None:
        self.system = system
        self._cones = cones
        self._solver = Solver(system.session, SECONDS)
        self._literals = [symbol(f"cell {number}", True) for number in range(len(system.names))]
        self._numbers = {literal: number for number, literal in enumerate(self._literals)}

    def relevant(self, bad: Sequence[Value], model: Model) -> frozenset[int] | None:
        """Cells that make all of `bad` true in the model; None when that is not found out."""
        together = conjoin(bad)
        fixed: list[Value] = [negate(together)]
        if isinstance(together, bool):
            return None
        numbers = self.system.cell_numbers
        asked: list[tuple[Term, Value]] = []
        for each in symbols_of(together):
            said = model.said(each)
            if said is None:
                continue
            if each in numbers:
                asked.append((self._literals[numbers[each]], _has(each, said)))
            else:
                fixed.append(_has(each, said))
        self._solver.push(fixed)
        for literal, value in asked:
            self._solver.add_if(literal, value)
        answer = self._solver.check(*(literal for literal, _ in asked))
        core = self._solver.core() if answer is Answer.UNSATISFIABLE else None
        self._solver.release()
        if core is None:
            return None
        return frozenset(self._numbers[each] for each in core)


def _has(term: Term, number: int) -> Value:
    return equal(term, bool(number) if term.boolean else number)
