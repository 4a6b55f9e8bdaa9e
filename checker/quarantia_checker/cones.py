"""Which cells a term speaks of, as a number with one bit per cell, and one per unknown of the data.

What does not share a cell with a question seldom helps to answer it, and slows the solver down:
the prover chooses its premises by these masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quarantia_checker.terms import Term, Value, parts_of
from quarantia_checker.transition import System


class Cones:
    """Masks of the terms of one system, each part of a term looked at once."""

    def __init__(self, system: System) -> None:
        self._known: dict[Term, int] = {
            cell: 1 << number for number, cell in enumerate(system.frame.cells)
        }
        unknowns = list(system.encoder.unknowns)  # what the rulebook does not print
        first = len(system.frame.cells)
        self.given = (1 << first + len(unknowns)) - (1 << first)
        self._masks: dict[int, int] = {}  # many terms have the same one: it is kept once
        for number, term in enumerate(unknowns, first):
            self._known[term] = 1 << number

    def count_as(self, cells: Sequence[Value]) -> None:
        """The cells of another position are to count as those of the system's frame."""
        for number, cell in enumerate(cells):
            if type(cell) is Term:
                self._known[cell] = 1 << number

    def mask(self, value: Value) -> int:
        """The cells of the system's frame that the value mentions, and the unknowns of its data."""
        if type(value) is not Term:
            return 0
        known = self._known
        found = known.get(value)
        if found is not None:
            return found
        todo = [value]
        while todo:
            term = todo[-1]
            if term in known:
                todo.pop()
                continue
            missing = [part for part in parts_of(term) if part not in known]
            if missing:
                todo += missing
                continue
            union = 0
            for part in parts_of(term):
                union |= known[part]
            known[term] = self._masks.setdefault(union, union)
            todo.pop()
        return known[value]

    def cells(self, value: Value) -> frozenset[int]:
        return frozenset(bits(self.mask(value) & ~self.given))


def bits(mask: int) -> Iterable[int]:
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
