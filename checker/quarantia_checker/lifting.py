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

from quarantia_checker.solver import Answer, Solver
from quarantia_checker.transition import System
from quarantia_checker.values import Value, conjoin, negate, to_term

SECONDS = 2.0


class Lifter:
    """Answers for one system."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._solver = Solver(SECONDS)
        self._solver.add(*system.background)
        self._literals = [z3.Bool(f"cell {number}") for number in range(len(system.names))]
        self._numbers = {f"cell {number}": number for number in range(len(system.names))}
        self._cones: dict[int, tuple[Value, frozenset[int]]] = {}

    def cone(self, value: Value) -> frozenset[int]:
        """The cells of the system's frame that a term mentions."""
        if isinstance(value, int):
            return frozenset()
        key = value.get_id()
        if key not in self._cones:
            self._cones[key] = (value, cells_in(value, self.system))
        return self._cones[key][1]

    def relevant(self, bad: Sequence[Value], model: Any) -> frozenset[int] | None:
        """Cells that make all of `bad` true in the model; None when that is not found out."""
        cone = frozenset[int]().union(*(self.cone(value) for value in bad))
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
            elif not name.startswith("fact ") and name not in self._others:
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


def cells_in(value: Value, system: System) -> frozenset[int]:
    """The cells of the system's frame that a term mentions."""
    numbers = system.cell_numbers
    if isinstance(value, int):
        return frozenset()
    found: set[int] = set()
    seen: set[int] = set()
    todo = [to_term(value)]
    while todo:
        term = todo.pop()
        key = term.get_id()
        if key in seen:
            continue
        seen.add(key)
        if key in numbers:
            found.add(numbers[key])
        else:
            todo.extend(term.children())
    return frozenset(found)
