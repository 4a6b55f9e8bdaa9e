"""The operators: one row each, and the one place that builds `Apply` nodes.

`apply` gives every result its true range and folds constants, so that `3 + n` with n in 0..4 is
known to lie in 3..7 and a size may be computed from the number of players.
"""

from __future__ import annotations

from dataclasses import dataclass

from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Const,
    Expr,
    Fold,
    FoldOp,
    Local,
    Op,
    Sort,
)
from quarantia_spec.source import BUILT_IN, Origin


@dataclass(frozen=True, slots=True)
class Operator:
    op: Op
    arity: int
    takes: str  # "number", "boolean", "any" or "choice"
    gives: str  # "number", "boolean" or "choice"
    meaning: str


OPERATORS = (
    Operator(Op.ADD, 2, "number", "number", "Sum; the result keeps its true range."),
    Operator(Op.SUB, 2, "number", "number", "Difference; it may be negative."),
    Operator(Op.MUL, 2, "number", "number", "Product."),
    Operator(Op.DIV, 2, "number", "number", "Quotient rounded down; the divisor is positive."),
    Operator(Op.MOD, 2, "number", "number", "Rest of `div`, never negative."),
    Operator(Op.NEG, 1, "number", "number", "The same distance below zero."),
    Operator(Op.ABS, 1, "number", "number", "Distance from zero."),
    Operator(Op.MIN, 2, "number", "number", "The smaller one."),
    Operator(Op.MAX, 2, "number", "number", "The larger one."),
    Operator(Op.EQ, 2, "any", "boolean", "Both are the same value."),
    Operator(Op.NE, 2, "any", "boolean", "They differ."),
    Operator(Op.LT, 2, "number", "boolean", "Left is less than right."),
    Operator(Op.LE, 2, "number", "boolean", "Left is at most right."),
    Operator(Op.GT, 2, "number", "boolean", "Left is more than right."),
    Operator(Op.GE, 2, "number", "boolean", "Left is at least right."),
    Operator(Op.AND, 2, "boolean", "boolean", "Both hold; right counts only when left holds."),
    Operator(Op.OR, 2, "boolean", "boolean", "One holds; right counts only when left fails."),
    Operator(Op.NOT, 1, "boolean", "boolean", "It does not hold."),
    Operator(Op.IMPLIES, 2, "boolean", "boolean", "Right holds whenever left does."),
    Operator(Op.IF, 3, "choice", "choice", "The second when the first holds, else the third."),
)
assert [row.op for row in OPERATORS] == list(Op)

ROW = {row.op: row for row in OPERATORS}


def truth(value: bool) -> Const:
    return Const(int(value), BOOLEAN)


TRUE = truth(True)
FALSE = truth(False)


def number(value: int, origin: Origin = BUILT_IN) -> Const:
    return Const(value, Sort(value, value), origin)


def evaluate(op: Op, values: list[int]) -> int:
    """The value of an operator on constants: the meaning in its shortest form."""
    match op, values:
        case Op.ADD, [a, b]:
            return a + b
        case Op.SUB, [a, b]:
            return a - b
        case Op.MUL, [a, b]:
            return a * b
        case Op.DIV, [a, b]:
            return a // b
        case Op.MOD, [a, b]:
            return a % b
        case Op.NEG, [a]:
            return -a
        case Op.ABS, [a]:
            return abs(a)
        case Op.MIN, [a, b]:
            return min(a, b)
        case Op.MAX, [a, b]:
            return max(a, b)
        case Op.EQ, [a, b]:
            return int(a == b)
        case Op.NE, [a, b]:
            return int(a != b)
        case Op.LT, [a, b]:
            return int(a < b)
        case Op.LE, [a, b]:
            return int(a <= b)
        case Op.GT, [a, b]:
            return int(a > b)
        case Op.GE, [a, b]:
            return int(a >= b)
        case Op.AND, [a, b]:
            return a and b
        case Op.OR, [a, b]:
            return a or b
        case Op.NOT, [a]:
            return 1 - a
        case Op.IMPLIES, [a, b]:
            return b if a else 1
        case Op.IF, [a, b, c]:
            return b if a else c
        case _:
            raise AssertionError(f"{op} does not take {len(values)} values")


def result_sort(op: Op, args: tuple[Expr, ...]) -> Sort:
    """The range of the result, from the ranges of the arguments."""
    sorts = [arg.sort for arg in args]
    match op, sorts:
        case Op.ADD, [a, b]:
            return Sort(a.low + b.low, a.high + b.high)
        case Op.SUB, [a, b]:
            return Sort(a.low - b.high, a.high - b.low)
        case Op.MUL, [a, b]:
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Sort(min(corners), max(corners))
        case Op.DIV, [a, b]:
            divisors = (max(1, b.low), max(1, b.high))
            corners = [x // y for x in (a.low, a.high) for y in divisors]
            return Sort(min(corners), max(corners))
        case Op.MOD, [a, b]:
            if a.low >= 0 and a.high < b.low:
                return Sort(a.low, a.high)
            return Sort(0, max(0, b.high - 1))
        case Op.NEG, [a]:
            return Sort(-a.high, -a.low)
        case Op.ABS, [a]:
            low = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
            return Sort(low, max(abs(a.low), abs(a.high)))
        case Op.MIN, [a, b]:
            return Sort(min(a.low, b.low), min(a.high, b.high))
        case Op.MAX, [a, b]:
            return Sort(max(a.low, b.low), max(a.high, b.high))
        case Op.IF, [_, a, b]:
            return join(a, b)
        case _:
            return BOOLEAN


def join(first: Sort, second: Sort) -> Sort:
    """The smallest sort that has the values of both (same kind, `none` coded alike)."""
    return Sort(
        min(first.low, second.low),
        max(first.high, second.high),
        first.names or second.names,
        first.optional or second.optional,
        first.boolean and second.boolean,
    )


def apply(op: Op, *args: Expr, origin: Origin = BUILT_IN, sort: Sort | None = None) -> Expr:
    """An `Apply` with its range, or the simpler expression that it amounts to."""
    simpler = _simplify(op, args)
    if simpler is not None:
        return simpler
    if all(isinstance(arg, Const) for arg in args):
        values = [arg.value for arg in args if isinstance(arg, Const)]
        if op not in (Op.DIV, Op.MOD) or values[1] > 0:
            value = evaluate(op, values)
            kept = sort or result_sort(op, args)
            return Const(
                value,
                Sort(value, value, kept.names, False, False) if not kept.boolean else BOOLEAN,
                origin,
            )
    return Apply(op, args, sort or result_sort(op, args), origin)


def _simplify(op: Op, args: tuple[Expr, ...]) -> Expr | None:
    def is_value(expr: Expr, value: int) -> bool:
        return isinstance(expr, Const) and expr.value == value

    match op, args:
        case Op.AND, (a, b):
            if is_value(a, 0) or is_value(b, 1):
                return a
            if is_value(a, 1):
                return b
        case Op.OR, (a, b):
            if is_value(a, 1) or is_value(b, 0):
                return a
            if is_value(a, 0):
                return b
        case Op.IMPLIES, (a, b):
            if is_value(a, 1):
                return b
            if is_value(a, 0) or is_value(b, 1):
                return TRUE
        case Op.IF, (a, b, c):
            if isinstance(a, Const):
                return b if a.value else c
        case Op.ADD, (a, b):
            if is_value(a, 0):
                return b
            if is_value(b, 0):
                return a
        case Op.SUB, (a, b):
            if is_value(b, 0):
                return a
        case _:
            pass
    return None


def conjunction(*parts: Expr | None) -> Expr | None:
    """All parts together; None stands for "always" and stays None when nothing is left."""
    result: Expr | None = None
    seen: list[Expr] = []
    for part in parts:
        if part is None or (isinstance(part, Const) and part.value == 1) or part in seen:
            continue
        seen.append(part)
        result = part if result is None else apply(Op.AND, result, part)
    return result


def in_range(value: Expr, sort: Sort, origin: Origin = BUILT_IN) -> Expr | None:
    """The condition that a value lies in a sort; None when its range says so already."""
    parts: list[Expr | None] = []
    if value.sort.low < sort.low:
        parts.append(apply(Op.GE, value, number(sort.low), origin=origin))
    if value.sort.high > sort.high:
        parts.append(apply(Op.LE, value, number(sort.high), origin=origin))
    return conjunction(*parts)


def fold(
    op: FoldOp,
    name: str,
    domain: Sort,
    where: Expr | None,
    body: Expr,
    default: Expr | None = None,
    origin: Origin = BUILT_IN,
) -> Expr:
    """A `Fold` with its range."""
    if isinstance(where, Const):
        if where.value == 1:
            where = None
        elif op in (FoldOp.SUM, FoldOp.COUNT, FoldOp.ANY):
            return number(0) if op is not FoldOp.ANY else FALSE
        elif op is FoldOp.ALL:
            return TRUE
    size = domain.size
    match op:
        case FoldOp.SUM:
            low = body.sort.low * size if where is None else min(0, body.sort.low * size)
            high = body.sort.high * size if where is None else max(0, body.sort.high * size)
            sort = Sort(low, high)
        case FoldOp.COUNT:
            sort = Sort(0, size)
        case FoldOp.ALL | FoldOp.ANY:
            sort = BOOLEAN
            if isinstance(body, Const) and body.value == int(op is FoldOp.ALL):
                return body
        case FoldOp.MAX | FoldOp.MIN:
            sort = body.sort if default is None else join(body.sort, default.sort)
        case FoldOp.FIRST:
            sort = Sort(domain.low - 1, domain.high, domain.names, True)
    return Fold(op, name, domain.low, domain.high, where, body, default, sort, origin)


def shift(value: Expr, by: int, sort: Sort) -> Expr:
    """A neighbour of a member of an enumeration: a sum that keeps its names."""
    if isinstance(value, Const):
        return Const(value.value + by, Sort(value.value + by, value.value + by, sort.names))
    moved = apply(Op.ADD, value, number(by))
    assert isinstance(moved, Apply | Local)
    if isinstance(moved, Apply):
        return Apply(moved.op, moved.args, sort, moved.origin)
    return moved
