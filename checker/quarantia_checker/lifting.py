"""Which cells of a spoiling position spoil: the others may have any value.

A model gives every cell a value, most of them beside the point. With the choices held fast, the
solver is asked why this position leads to the bad case; the cells in its answer are what a fact
must speak of to exclude it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import z3

from quarantia_checker.cones import Cones
from quarantia_checker.desks import PREMISE
from quarantia_checker.solver import Answer, Solver
from quarantia_checker.transition import System
from quarantia_checker.values import Value, conjoin, negate

SECONDS = 2.0


class Lifter:
    """Answers for one system."""

    def __init__(self, system: System, cones: Cones) -> None:
        self.system = system
        self._cones = cones
        self._solver = Solver(SECONDS)
        self._solver.add(*system.background)
        self._literals = [z3.Bool(f"cell {number}") for number in range(len(system.names))]
        self._numbers = {f"cell {number}": number for number in range(len(system.names))}

    def relevant(self, bad: Sequence[Value], model: Any) -> frozenset[int] | None:
        """Cells that make all of `bad` true in the model; None when that is not found out."""
        cone = frozenset[int]().union(*(self._cones.cells(value) for value in bad))
        fixed: list[Value] = [negate(conjoin(bad))]
        if isinstance(fixed[0], bool):
            return None
        names = {self.system.names[number]: number for number in cone}
        asked: list[Any] = []
        for declared in model.decls():
            if declared.arity():
                continue  # what z3 makes of division by zero
            name = declared.name()
            if name in names:
                literal = self._literals[names[name]]
                fixed.append(z3.Implies(literal, declared() == model[declared]))
                asked.append(literal)
            elif not name.startswith(PREMISE) and name not in self._others:
                fixed.append(declared() == model[declared])
        answer = self._solver.check_also(fixed, *asked)
        core = self._solver.core() if answer is Answer.UNSATISFIABLE else None
        self._solver.release()
        if core is None:
            return None
        return frozenset(self._numbers[each.decl().name()] for each in core)

    @cached_property
    def _others(self) -> frozenset[str]:
        """Cells outside the cone need not be held."""
        return frozenset(self.system.names)
