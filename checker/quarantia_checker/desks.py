"""Asking the solver, with the premises that matter.

A position has hundreds of cells and hundreds of facts are known about it; a question speaks of a
few. `Desk.ask` begins with the premises about the cells of the question, and the ranges of those
cells. A model that the solver then finds is completed with a position that play has come to (and
the data of that play), and the premises that it breaks are added, until there is no model or none
is broken. Fewer premises can only make the answer "cannot happen" harder to get, so that answer is
always good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from quarantia_checker.cones import Cones, bits
from quarantia_checker.encode import Frame, in_sort
from quarantia_checker.facts import Fact, Stated
from quarantia_checker.solver import Answer, Model, Session, Solver
from quarantia_checker.terms import Term, Value, symbol
from quarantia_spec.ir import Sort

ADDED_AT_ONCE = 24

Data = Mapping[Term, tuple[Sort, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Premise:
    """Something known: a fact at the node, or an obligation that play has passed, or of the data.

    What is `lasting` holds in every position that play knows.
    """

    claim: Value
    mask: int
    fact: Fact | None
    lasting: bool
    test: Callable[[Sequence[int]], bool] | None = None  # of the cells alone, where that will do

    @property
    def kin(self) -> str:
        return self.fact.kin if isinstance(self.fact, Stated) else ""

    def holds(self, model: Model, cells: Sequence[int]) -> bool:
        if self.test is not None:
            return self.test(cells)
        return model.holds(self.claim)


@dataclass(frozen=True, slots=True)
class Reply:
    """`found` describes a spoiling position, `used` what the answer "cannot happen" rests on."""

    answer: Answer
    found: Model | None = None
    used: tuple[Premise, ...] = ()

    @property
    def model(self) -> Model:
        """Of an answer "can happen"."""
        assert self.found is not None
        return self.found


class Desk:
    """A solver that knows what is asserted of some positions, whose cells keep to their sorts.

    The unknowns of the data do too: each comes with a number that play knows.
    """

    def __init__(
        self,
        session: Session,
        cones: Cones,
        frames: Sequence[Frame],
        sorts: Sequence[Sort],
        data: Data,
        seconds: float,
        asserted: Sequence[Value],
    ) -> None:
        self._cones = cones
        self._frames = [frame.cells for frame in frames]
        self._ranges: list[tuple[Value, ...]] = [
            tuple(in_sort(frame.cells[place], sort) for frame in frames) if place else ()
            for place, sort in enumerate(sorts)
        ] + [(in_sort(term, sort),) for term, (sort, _) in data.items()]
        self._cells = len(sorts)
        self._data = {term: number for term, (_, number) in data.items()}
        self._solver = Solver(session, seconds)
        self._solver.add(*asserted)
        self._literals: list[Term] = []
        self._ranged = 0
        self._ranged = self._add_ranges(self._mask(asserted))

    def _mask(self, values: Iterable[Value]) -> int:
        mask = 0
        for value in values:
            mask |= self._cones.mask(value)
        return mask

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
        """Can all of `wanted` hold while the premises do? `like` is a position that play knows.

        `seconds` are for all rounds together.
        """
        mask = self._mask(wanted)
        near: list[Premise] = []
        rest: list[Premise] = []
        for each in premises:
            (rest if each.mask & ~mask else near).append(each)
        rest.sort(key=lambda each: (not each.mask & mask, each.mask.bit_count()))
        self._solver.push(wanted)
        try:
            return self._refine(mask, near, rest, like, seconds)
        finally:
            self._solver.release()

    def _refine(
        self,
        mask: int,
        added: list[Premise],
        rest: list[Premise],
        like: Sequence[int],
        seconds: float,
    ) -> Reply:
        chosen: list[Premise] = []
        ranged = self._add_ranges(mask)
        end = self._solver.worked() + seconds
        while True:
            left = end - self._solver.worked()
            if left <= 0:
                return Reply(Answer.UNKNOWN)
            self._solver.limit(left)
            for premise in added:
                ranged = self._add_ranges(premise.mask, ranged)
                self._solver.add_if(self._literal(len(chosen)), premise.claim)
                chosen.append(premise)
            literals = self._literals[: len(chosen)]
            answer = self._solver.check(*literals)
            if answer is Answer.UNSATISFIABLE:
                used = set(self._solver.core())
                rows = zip(literals, chosen, strict=True)
                return Reply(answer, None, tuple(each for literal, each in rows if literal in used))
            if answer is Answer.UNKNOWN:
                return Reply(answer)
            model = self._solver.model()
            added, rest = self._broken(model, rest, mask, like)
            if not added:
                return Reply(answer, model)

    def _literal(self, number: int) -> Term:
        if number == len(self._literals):
            self._literals.append(symbol(f"premise {number}", True))
        return self._literals[number]

    def _broken(
        self, model: Model, rest: list[Premise], mask: int, like: Sequence[int]
    ) -> tuple[list[Premise], list[Premise]]:
        """The first premises that the model breaks, with their kin, and those that are left."""
        cells, changed = self._complete(model, like)
        broken: list[Premise] = []
        kin: set[str] = set()
        for each in rest:
            # What is known of the position that play knows holds where nothing is changed.
            untouched = each.lasting and not each.mask & changed
            if not untouched and not each.holds(model, cells):
                broken.append(each)
                if each.kin:
                    kin.add(each.kin)
                if len(broken) == ADDED_AT_ONCE:
                    break
        if not broken:
            return [], rest
        # Where one part of a condition is needed, its other parts about these cells will be.
        taken = set(map(id, broken))
        if kin:
            more = [e for e in rest if e.kin in kin and e.mask & mask and id(e) not in taken]
            broken += more
            taken.update(map(id, more))
        return broken, [each for each in rest if id(each) not in taken]

    def _complete(self, model: Model, like: Sequence[int]) -> tuple[list[int], int]:
        """What the model says nothing of becomes as it is in a position that play knows.

        Returns the cells of the first position, and the mask of what is not as known.
        """
        cells: list[int] = []
        changed = 0 if like else (1 << self._cells) - 1
        for frame in self._frames:
            for place, cell in enumerate(frame):
                if type(cell) is not Term:
                    number = int(cell)
                else:
                    known = like[place] if like else 0
                    number = self._number(model, cell, known)
                    if number != known:
                        changed |= 1 << place
                cells.append(number)
        for place, (unknown, known) in enumerate(self._data.items(), self._cells):
            if self._number(model, unknown, known) != known:
                changed |= 1 << place
        return cells[: self._cells], changed

    def _number(self, model: Model, symbol: Term, known: int) -> int:
        said = model.said(symbol)
        if said is None:
            model.choose(symbol, known)
            return known
        return said
