"""Asking the solver, with the premises that matter.

A position has hundreds of cells and hundreds of facts are known about it; a question speaks of a
few. `Desk.ask` begins with the premises about the cells of the question, and the ranges of those
cells. A model that the solver then finds is completed with a position that play has come to, and
the premises that it breaks are added, until there is no model or none is broken. Fewer premises
can only make the answer "cannot happen" harder to get, so that answer is always good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from quarantia_checker.cones import Cones, bits
from quarantia_checker.encode import Frame, in_sort
from quarantia_checker.facts import Fact, Stated
from quarantia_checker.solver import Answer, Solver
from quarantia_checker.values import Value, to_term
from quarantia_spec.ir import Sort

PREMISE = "premise "
ADDED_AT_ONCE = 24


@dataclass(frozen=True, slots=True, eq=False)
class Premise:
    """Something known: a fact at the node, or (None) an obligation that play has passed."""

    claim: Value
    mask: int
    fact: Fact | None
    test: Callable[[Sequence[int]], bool] | None = None  # of the cells alone, where that will do
    plain: bool = False  # it has no sums

    @property
    def kin(self) -> str:
        return self.fact.kin if isinstance(self.fact, Stated) else ""

    def holds(self, model: Any, cells: Sequence[int]) -> bool:
        if isinstance(self.claim, bool):
            return self.claim
        if self.test is not None:
            return self.test(cells)
        return bool(z3.is_true(model.eval(self.claim, model_completion=True)))


@dataclass(frozen=True, slots=True)
class Reply:
    """`model` describes a spoiling position, `used` what the answer "cannot happen" rests on."""

    answer: Answer
    model: Any = None
    used: tuple[Premise, ...] = ()


class Desk:
    """A solver that knows what is asserted of some positions, whose cells keep to their sorts."""

    def __init__(
        self,
        cones: Cones,
        frames: Sequence[Frame],
        sorts: Sequence[Sort],
        seconds: float,
        asserted: Sequence[Value],
    ) -> None:
        self._cones = cones
        self._frames = [
            [(cell.decl().name(), cell, z3.is_bool(cell)) for cell in frame.cells]
            for frame in frames
        ]
        self._ranges: list[tuple[Value, ...]] = [
            tuple(in_sort(frame.cells[place], sort) for frame in frames) if place else ()
            for place, sort in enumerate(sorts)
        ]
        self._solver = Solver(seconds)
        self._solver.add(*asserted)
        self._ranged = 0
        self._ranged = self._add_ranges(self._mask(asserted))

    def _mask(self, values: Iterable[Value]) -> int:
        mask = 0
        for value in values:
            mask |= self._cones.mask(value)
        return mask & ~self._cones.given

    def _add_ranges(self, mask: int, known: int = 0) -> int:
        """The cells of the mask keep to their sorts; returns all the cells that now do."""
        for place in bits(mask & ~self._ranged & ~known):
            self._solver.add(*self._ranges[place])
        return known | mask | self._ranged

    def ask(
        self,
        wanted: Sequence[Value],
        premises: Sequence[Premise],
        seconds: float,
        like: Sequence[int] = (),
    ) -> Reply:
        """Can all of `wanted` hold while the premises do? `like` is a position that play knows."""
        mask = self._mask(wanted)
        near: list[Premise] = []
        rest: list[Premise] = []
        for each in premises:
            (rest if each.mask & ~mask else near).append(each)
        self._solver.limit(seconds)
        self._solver.push(wanted)
        try:
            return self._refine(mask, near, rest, like)
        finally:
            self._solver.release()

    def _refine(
        self, mask: int, added: list[Premise], rest: list[Premise], like: Sequence[int]
    ) -> Reply:
        chosen: list[Premise] = []
        literals: list[Any] = []
        ranged = self._add_ranges(mask)
        while True:
            for premise in added:
                ranged = self._add_ranges(premise.mask, ranged)
                literal = z3.Bool(f"{PREMISE}{len(literals)}")
                self._solver.add(z3.Implies(literal, to_term(premise.claim)))
                literals.append(literal)
            chosen += added
            answer = self._solver.check(*literals)
            if answer is Answer.UNSATISFIABLE:
                places = [int(each.decl().name()[len(PREMISE) :]) for each in self._solver.core()]
                return Reply(answer, None, tuple(chosen[place] for place in places))
            if answer is Answer.UNKNOWN:
                return Reply(answer)
            model = self._solver.model()
            cells = self._complete(model, like)
            broken = [each for each in rest if not each.holds(model, cells)]
            if not broken:
                return Reply(answer, model)
            broken.sort(key=lambda each: (not each.mask & mask, each.mask.bit_count()))
            added = broken[:ADDED_AT_ONCE]
            # Where one part of a condition is needed, its other parts about these cells will be.
            kin = {each.kin for each in added if each.kin}
            taken = set(map(id, added))
            added += [
                each
                for each in rest
                if each.kin in kin and each.mask & mask and id(each) not in taken
            ]
            taken = set(map(id, added))
            rest = [each for each in rest if id(each) not in taken]

    def _complete(self, model: Any, like: Sequence[int]) -> list[int]:
        """Cells of which the model says nothing become those of a position that play knows.

        Returns the cells of the first position.
        """
        said = {declared.name(): model[declared] for declared in model.decls()}
        rows: list[list[int]] = []
        for frame in self._frames:
            row = []
            for place, (name, cell, boolean) in enumerate(frame):
                value = said.get(name)
                if value is not None:
                    row.append(int(z3.is_true(value)) if boolean else int(value.as_long()))
                    continue
                number = like[place] if like else 0
                model.update_value(cell, z3.BoolVal(bool(number)) if boolean else z3.IntVal(number))
                row.append(number)
            rows.append(row)
        return rows[0] if rows else []
