"""Which cells a term speaks of, as a number with one bit per cell.

What does not share a cell with a question seldom helps to answer it, and slows the solver down:
the prover chooses its premises by these masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3

from quarantia_checker.transition import System
from quarantia_checker.values import Term, Value


class Cones:
    """Masks of the terms of one system, each part of a term looked at once."""

    def __init__(self, system: System) -> None:
        # The term is kept with its mask: z3 gives the number of a dead term to another.
        self._known: dict[int, tuple[Term, int]] = {
            cell.get_id(): (cell, 1 << number) for number, cell in enumerate(system.frame.cells)
        }
        self.given = 1 << len(system.frame.cells)  # what the rulebook does not print
        for term in system.encoder.unknowns:
            self._known[term.get_id()] = (term, self.given)

    def count_as(self, cells: Sequence[Value]) -> None:
        """The cells of another position are to count as those of the system's frame."""
        for number, cell in enumerate(cells):
            self._known[cell.get_id()] = (cell, 1 << number)

    def mask(self, value: Value) -> int:
        """The cells of the system's frame that the value mentions, and `given`."""
        if isinstance(value, int):
            return 0
        known = self._known
        found = known.get(value.get_id())
        if found is not None:
            return found[1]
        todo = [value]
        while todo:
            term = todo[-1]
            key = term.get_id()
            if key in known:
                todo.pop()
                continue
            parts = term.children()
            missing = [part for part in parts if part.get_id() not in known]
            if missing:
                todo.extend(missing)
                continue
            union = 0
            for part in parts:
                union |= known[part.get_id()][1]
            known[key] = (term, union)
            todo.pop()
        return known[value.get_id()][1]

    def adds(self, value: Term) -> bool:
        """There is a sum of more than two in the term."""
        todo, seen = [value], set()
        while todo:
            term = todo.pop()
            key = term.get_id()
            if key in seen:
                continue
            seen.add(key)
            if z3.is_add(term) and term.num_args() > 2:
                return True
            todo.extend(term.children())
        return False

    def cells(self, value: Value) -> frozenset[int]:
        return frozenset(bits(self.mask(value) & ~self.given))


def bits(mask: int) -> Iterable[int]:
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
