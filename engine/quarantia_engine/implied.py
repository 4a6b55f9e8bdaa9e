"""Which conditions are already known at a point of a rule, so that they need no check.

Comparisons are kept as sums that are at least zero. A condition is known when some fact, less
what the ranges of the cells allow, is no stronger than it. Facts die as soon as anything they
read is assigned.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from quarantia_engine.analysis import Facts, free_locals
from quarantia_engine.expressions import linear
from quarantia_engine.rewriting import bounds, conjuncts, replace_cells
from quarantia_engine.since import Change, Past
from quarantia_spec.ir import Apply, Const, Expr, Local, Op, Read

Linear = tuple[int, dict[Expr, int]]


class Known:
    """The conditions that hold at one point, and what is remembered of the last choice."""

    def __init__(self, facts: Facts, past: Past | None = None) -> None:
        self._facts = facts
        self.past = past if past is not None else Past()
        self._exact: dict[Expr, frozenset[str]] = {}
        self._sums: list[tuple[Linear, frozenset[str]]] = []
        self._held: dict[Expr, Local] = {}

    def copy(self) -> Known:
        """The same knowledge, to go a way of its own."""
        other = Known(self._facts, self.past.copy())
        other._exact = dict(self._exact)
        other._sums = list(self._sums)
        other._held = dict(self._held)
        return other

    def learn(self, condition: Expr) -> None:
        """From here on the condition holds."""
        for part in conjuncts(condition):
            reads = self._facts.reads(part)
            self._exact[self.with_held(part)] = reads
            self._exact[part] = reads
            self._sums.extend((form, reads) for form in _at_least_zero(part) or ())

    def hold(self, cell: Read, local: Local) -> None:
        """The local has the value that the cell has now; `~` in its name makes it unique."""
        if "~" in local.name and not any(free_locals(index) for index in cell.indices):
            self._held[cell] = local

    def with_held(self, expr: Expr) -> Expr:
        """The expression with cells replaced by the locals that hold their values."""
        return replace_cells(expr, self._held) if self._held else expr

    def define(self, name: str, value: Expr) -> None:
        """From here on the local has the value that the expression has now."""
        local = Local(name, value.sort)
        reads = self._facts.reads(value)
        for left, right in ((local, value), (value, local)):
            self._sums.append((_minus(linear(left), linear(right)), reads))

    def forget(self, variables: AbstractSet[str], change: Change | None = None) -> None:
        """The variables may have changed; with `change`, no more than one cell of them."""
        if change is None:
            self.past.lose(variables)
        else:
            for variable in variables:
                self.past.assign(variable, change)
        self._exact = {part: reads for part, reads in self._exact.items() if not reads & variables}
        self._sums = [(form, reads) for form, reads in self._sums if not reads & variables]
        self._held = {
            cell: local
            for cell, local in self._held.items()
            if not self._facts.reads(cell) & variables
        }

    def forget_local(self, name: str) -> None:
        """The local is about to stand for another value."""
        self._exact = {
            part: reads for part, reads in self._exact.items() if name not in free_locals(part)
        }
        self._sums = [
            (form, reads)
            for form, reads in self._sums
            if not any(name in free_locals(part) for part in form[1])
        ]

    def leave_rule(self) -> None:
        """Another rule begins, whose locals have nothing to do with those so far."""
        self._exact = {part: reads for part, reads in self._exact.items() if _outlives(part)}
        self._sums = [
            (form, reads) for form, reads in self._sums if all(_outlives(part) for part in form[1])
        ]

    def holds(self, condition: Expr) -> bool:
        """True when the condition follows from what is known; False when that is not seen."""
        return all(self._part_holds(part) for part in conjuncts(condition))

    def _part_holds(self, part: Expr) -> bool:
        if isinstance(part, Const):
            return bool(part.value)
        if part in self._exact:
            return True
        forms = _at_least_zero(part)
        return forms is not None and all(self._follows(form) for form in forms)

    def _follows(self, form: Linear) -> bool:
        if _least(form) >= 0:
            return True
        return any(_least(_minus(form, fact)) >= 0 for fact, _ in self._sums)


def _outlives(expr: Expr) -> bool:
    """True when the locals of an expression are unique in the whole function."""
    return all("~" in name for name in free_locals(expr))


def _minus(left: Linear, right: Linear) -> Linear:
    parts = dict(left[1])
    for part, factor in right[1].items():
        parts[part] = parts.get(part, 0) - factor
    return left[0] - right[0], {part: factor for part, factor in parts.items() if factor}


def _least(form: Linear) -> int:
    """The least value that the sum can have, by the ranges of its parts alone."""
    total = form[0]
    for part, factor in form[1].items():
        low, high = bounds(part)
        total += factor * (low if factor > 0 else high)
    return total


def _at_least_zero(condition: Expr) -> list[Linear] | None:
    """The comparison as sums that are all at least zero, or None when it is no comparison."""
    if not isinstance(condition, Apply) or len(condition.args) != 2:
        return None
    left, right = (linear(arg) for arg in condition.args)
    match condition.op:
        case Op.LE:
            return [_minus(right, left)]
        case Op.GE:
            return [_minus(left, right)]
        case Op.LT:
            return [_minus(_minus(right, left), (1, {}))]
        case Op.GT:
            return [_minus(_minus(left, right), (1, {}))]
        case Op.EQ:
            return [_minus(left, right), _minus(right, left)]
        case _:
            return None
