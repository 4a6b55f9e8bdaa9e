"""Facts about positions: what is to be proved, and what may help to prove it.

A fact can be asserted of any frame: of symbols for the solver, of numbers to filter it against
positions that play has reached. Facts are values: equal facts are one fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never

from quarantia_checker.encode import Encoder, Frame
from quarantia_checker.terms import Value
from quarantia_checker.values import (
    as_integer,
    at_most,
    conjoin,
    counted,
    equal,
    implies,
    times,
    total,
)
from quarantia_spec.ir import Expr
from quarantia_spec.source import BUILT_IN, Origin


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of some cells."""

    cells: tuple[int, ...]

    def value(self, frame: Frame) -> Value:
        if len(self.cells) == 1:
            return as_integer(frame.cells[self.cells[0]])
        return total(frame.cells[cell] for cell in self.cells)

    def of(self, cells: Sequence[int]) -> int:
        return sum(cells[cell] for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of some cells have the value `number`."""

    cells: tuple[int, ...]
    number: int

    def value(self, frame: Frame) -> Value:
        return total(
            counted(equal(as_integer(frame.cells[cell]), self.number)) for cell in self.cells
        )

    def of(self, cells: Sequence[int]) -> int:
        return sum(cells[cell] == self.number for cell in self.cells)


Feature = Total | Tally


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of `factor * feature` is `constant`, or at most `constant`."""

    terms: tuple[tuple[int, Feature], ...]
    constant: int
    exact: bool

    def claim(self, encoder: Encoder, frame: Frame) -> Value:
        left = total(times(factor, feature.value(frame)) for factor, feature in self.terms)
        return equal(left, self.constant) if self.exact else at_most(left, self.constant)

    @property
    def mentioned(self) -> frozenset[int]:
        return frozenset(cell for _, feature in self.terms for cell in feature.cells)

    def true_of(self, cells: Sequence[int]) -> bool:
        left = sum(factor * feature.of(cells) for factor, feature in self.terms)
        return left == self.constant if self.exact else left <= self.constant


@dataclass(frozen=True, slots=True)
class Guarded:
    """When cell `cell` has a value from `low` to `high`, `fact` holds."""

    cell: int
    low: int
    high: int
    fact: Linear

    def claim(self, encoder: Encoder, frame: Frame) -> Value:
        value = as_integer(frame.cells[self.cell])
        inside = conjoin((at_most(self.low, value), at_most(value, self.high)))
        return implies(inside, self.fact.claim(encoder, frame))

    @property
    def mentioned(self) -> frozenset[int]:
        return self.fact.mentioned | {self.cell}

    def true_of(self, cells: Sequence[int]) -> bool:
        return not self.low <= cells[self.cell] <= self.high or self.fact.true_of(cells)


@dataclass(frozen=True, slots=True)
class Settled:
    """What a quantity comes to is settled by cell `cell`: `numbers`, for its values from `low` on.

    Where there is None the quantity may be anything.
    """

    cell: int
    low: int
    numbers: tuple[int | None, ...]
    feature: Feature

    def claim(self, encoder: Encoder, frame: Frame) -> Value:
        place, quantity = as_integer(frame.cells[self.cell]), self.feature.value(frame)
        return conjoin(
            implies(equal(place, value), equal(quantity, number))
            for value, number in enumerate(self.numbers, self.low)
            if number is not None
        )

    @property
    def mentioned(self) -> frozenset[int]:
        return frozenset((*self.feature.cells, self.cell))

    def true_of(self, cells: Sequence[int]) -> bool:
        place = cells[self.cell] - self.low
        if not 0 <= place < len(self.numbers):
            return True
        number = self.numbers[place]
        return number is None or self.feature.of(cells) == number


@dataclass(frozen=True, slots=True)
class Stated:
    """An invariant that the author wrote, or its negation."""

    name: str
    condition: Expr
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)
    kin: str = field(default="", compare=False, repr=False)  # what it is a part of

    def __hash__(self) -> int:
        return hash(self.name)  # walking the whole condition each time would cost too much

    def claim(self, encoder: Encoder, frame: Frame) -> Value:
        return encoder.condition(self.condition, frame)


Fact = Linear | Guarded | Settled | Stated


# Of a node where play was never seen: that it never comes there.
NEVER = Linear((), 1, True)


def constant_cell(fact: Fact) -> int | None:
    """The cell of which the fact says that it always has one value; None when it says else."""
    if isinstance(fact, Linear) and fact.exact and len(fact.terms) == 1:
        feature = fact.terms[0][1]
        if isinstance(feature, Total) and len(feature.cells) == 1:
            return feature.cells[0]
    return None


def constant_of(fact: Fact) -> int:
    """The value of which `constant_cell` names the cell."""
    assert isinstance(fact, Linear)
    return fact.constant // fact.terms[0][0]


def family(fact: Fact) -> object:
    """What facts have in common that are best proved together."""
    match fact:
        case Stated(kin=kin):
            return kin
        case Guarded(cell=cell) | Settled(cell=cell):
            return cell
        case Linear(terms=terms):
            return len(terms), len(terms[0][1].cells) if terms else 0
        case _:
            assert_never(fact)


def describe_fact(fact: Fact, names: Sequence[str]) -> str:
    """The fact in the notation of the rules language; `names` are those of the cells."""
    match fact:
        case Stated(name=name):
            return name
        case Guarded(cell=cell, low=low, high=high, fact=inner):
            if low == high:
                test = f"{names[cell]} = {low}"
            else:
                test = f"{names[cell]} in {low}..{high}"
            return f"{test} implies {describe_fact(inner, names)}"
        case Settled(cell=cell, numbers=numbers, feature=feature):
            settled = ", ".join("?" if each is None else str(each) for each in numbers)
            return f"{_feature(feature, names)} by {names[cell]}: {settled}"
        case Linear(terms=terms, constant=constant, exact=exact):
            if fact == NEVER:
                return "play never comes here"
            if len(terms) == 1 and terms[0][0] == -1 and not exact:
                return f"{_feature(terms[0][1], names)} >= {-constant}"
            left = ""
            for factor, feature in terms:
                sign = ("-" if factor < 0 else "") if not left else (" - " if factor < 0 else " + ")
                size = "" if abs(factor) == 1 else f"{abs(factor)} * "
                left += f"{sign}{size}{_feature(feature, names)}"
            return f"{left} {'=' if exact else '<='} {constant}"
        case _:
            assert_never(fact)


def _feature(feature: Feature, names: Sequence[str]) -> str:
    match feature:
        case Total(cells=cells):
            if len(cells) == 1:
                return names[cells[0]]
            return f"sum({_span(cells, names)})"
        case Tally(cells=cells, number=number):
            return f"count({_span(cells, names)} = {number})"
        case _:
            assert_never(feature)


def _span(cells: tuple[int, ...], names: Sequence[str]) -> str:
    listed = [names[cell] for cell in cells]
    if len(listed) > 3:
        listed = [listed[0], "…", listed[-1]]
    return ", ".join(listed)
