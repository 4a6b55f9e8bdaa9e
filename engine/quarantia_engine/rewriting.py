"""Expressions to simpler expressions of the same value: substitution and constant folding.

`substitute` is the function to read first. It never makes an expression that looks at more cells
than the one it was given, so an expression that has a meaning keeps it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from operator import is_
from typing import assert_never

from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Call,
    Const,
    Expr,
    Fold,
    FoldOp,
    Local,
    Lookup,
    Op,
    Read,
    Sort,
)

TRUE = Const(1, BOOLEAN)
FALSE = Const(0, BOOLEAN)

_COMPARISONS = frozenset((Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE))
_serial = itertools.count(1)


def number(value: int) -> Const:
    """A plain number."""
    return Const(value, Sort(value, value))


def substitute(expr: Expr, bindings: Mapping[str, Expr]) -> Expr:
    """The expression with locals replaced, folded wherever all arguments became constants.

    The replacements must not mention names that folds inside `expr` bind (see `freshened`).
    """
    match expr:
        case Const():
            return expr
        case Local(name=name):
            return bindings.get(name, expr)
        case Read() | Lookup() | Call():
            arguments = expr.args if isinstance(expr, Call) else expr.indices
            rewritten = tuple([substitute(argument, bindings) for argument in arguments])
            if all(map(is_, rewritten, arguments)):
                return expr
            return _with_parts(expr, rewritten)
        case Apply(op=op, args=args, sort=sort):
            return apply_folded(op, tuple([substitute(arg, bindings) for arg in args]), sort, expr)
        case Fold():
            inner = {name: value for name, value in bindings.items() if name != expr.name}
            return replace(
                expr,
                where=None if expr.where is None else substitute(expr.where, inner),
                body=substitute(expr.body, inner),
                default=None if expr.default is None else substitute(expr.default, bindings),
            )
        case _:
            assert_never(expr)


def _with_parts(expr: Read | Lookup | Call | Apply, parts: tuple[Expr, ...]) -> Expr:
    """The expression with other parts: `dataclasses.replace`, which is slower."""
    match expr:
        case Read():
            return Read(expr.variable, parts, expr.sort, expr.origin)
        case Lookup():
            return Lookup(expr.table, parts, expr.sort, expr.origin)
        case Call():
            return Call(expr.term, parts, expr.sort, expr.origin)
        case Apply():
            return Apply(expr.op, parts, expr.sort, expr.origin)
        case _:
            assert_never(expr)


def replace_cells(expr: Expr, held: Mapping[Expr, Expr]) -> Expr:
    """The expression with each of the given cells replaced by an expression of the same value."""
    match expr:
        case Const() | Local():
            return expr
        case Read():
            if expr in held:
                return held[expr]
            return _with_parts(expr, tuple([replace_cells(each, held) for each in expr.indices]))
        case Lookup():
            return _with_parts(expr, tuple([replace_cells(each, held) for each in expr.indices]))
        case Apply() | Call():
            return _with_parts(expr, tuple([replace_cells(each, held) for each in expr.args]))
        case Fold():
            return replace(
                expr,
                where=None if expr.where is None else replace_cells(expr.where, held),
                body=replace_cells(expr.body, held),
                default=None if expr.default is None else replace_cells(expr.default, held),
            )
        case _:
            assert_never(expr)


def freshened(expr: Expr) -> Expr:
    """The expression with every bound name replaced by one that occurs nowhere else."""
    return _freshen(expr, {})


def _freshen(expr: Expr, renamed: Mapping[str, Expr]) -> Expr:
    match expr:
        case Fold():
            name = f"{expr.name.split('~')[0]}~{next(_serial)}"
            inner = {**renamed, expr.name: Local(name, Sort(expr.low, expr.high))}
            return replace(
                expr,
                name=name,
                where=None if expr.where is None else _freshen(expr.where, inner),
                body=_freshen(expr.body, inner),
                default=None if expr.default is None else _freshen(expr.default, renamed),
            )
        case Const():
            return expr
        case Local(name=name):
            return renamed.get(name, expr)
        case Read() | Lookup():
            return _with_parts(expr, tuple([_freshen(part, renamed) for part in expr.indices]))
        case Call() | Apply():
            return _with_parts(expr, tuple([_freshen(part, renamed) for part in expr.args]))
        case _:
            assert_never(expr)


def apply_folded(op: Op, args: tuple[Expr, ...], sort: Sort, like: Apply | None = None) -> Expr:
    """`op` applied to the arguments, simplified."""
    constants = [arg.value for arg in args if isinstance(arg, Const)]
    if op is Op.AND or op is Op.OR:
        return _junction(op, args)
    if op is Op.IMPLIES:
        return _junction(Op.OR, (apply_folded(Op.NOT, args[:1], BOOLEAN), args[1]))
    if op is Op.IF and isinstance(args[0], Const):
        return args[1] if args[0].value else args[2]
    if op is Op.IF and (simpler := _choice(args, sort)) is not None:
        return simpler
    if len(constants) == len(args) and not (op in (Op.DIV, Op.MOD) and constants[1] == 0):
        return Const(evaluate(op, constants), sort)
    if op is Op.NOT:
        return negated(args[0])
    if op in (Op.EQ, Op.NE) and isinstance(args[1], Const) and args[0].sort.boolean:
        truth = bool(args[1].value) == (op is Op.EQ)
        return args[0] if truth else negated(args[0])
    if op in _COMPARISONS and len(args) == 2:
        decided = compare_ranges(op, args[0], args[1])
        if decided is not None:
            return TRUE if decided else FALSE
    if op is Op.ADD:
        args = tuple(arg for arg in args if not (isinstance(arg, Const) and arg.value == 0))
        if len(args) == 1:
            return args[0]
    if op is Op.SUB and isinstance(args[1], Const) and args[1].value == 0:
        return args[0]
    if op is Op.MUL:
        if 0 in constants:
            return Const(0, sort)
        args = tuple(arg for arg in args if not (isinstance(arg, Const) and arg.value == 1))
        if len(args) == 1:
            return args[0]
    if like is None:
        return Apply(op, args, sort)
    if like.op is op and len(like.args) == len(args) and all(map(is_, like.args, args)):
        return like
    return Apply(op, args, like.sort, like.origin)


def _choice(args: tuple[Expr, ...], sort: Sort) -> Expr | None:
    """A choice between two values that needs no choice; None when it does."""
    condition, yes, no = args
    if yes == no:
        return yes
    if not sort.boolean:
        return None
    if isinstance(yes, Const):
        if yes.value:
            return _junction(Op.OR, (condition, no))
        return _junction(Op.AND, (negated(condition), no))
    if isinstance(no, Const):
        if no.value:
            return _junction(Op.OR, (negated(condition), yes))
        return _junction(Op.AND, (condition, yes))
    return None


def bounds(expr: Expr) -> tuple[int, int]:
    """The least and the greatest value that the expression can have, as far as its form tells."""
    low, high = expr.sort.low, expr.sort.high
    match expr:
        case Const(value=value):
            return value, value
        case Apply(op=Op.ADD, args=args):
            parts = [bounds(arg) for arg in args]
            inside = sum(least for least, _ in parts), sum(most for _, most in parts)
        case Apply(op=Op.MUL, args=(Const(value=factor), other)) if factor >= 0:
            least, most = bounds(other)
            inside = least * factor, most * factor
        case _:
            return low, high
    return max(low, inside[0]), min(high, inside[1])


def compare_ranges(op: Op, left: Expr, right: Expr) -> bool | None:
    """What the ranges of both sides already say about a comparison, if they say anything."""
    left_low, left_high = bounds(left)
    right_low, right_high = bounds(right)
    low, high = left_low - right_high, left_high - right_low
    match op:
        case Op.LE:
            return True if high <= 0 else False if low > 0 else None
        case Op.LT:
            return True if high < 0 else False if low >= 0 else None
        case Op.GE:
            return True if low >= 0 else False if high < 0 else None
        case Op.GT:
            return True if low > 0 else False if high <= 0 else None
        case Op.EQ:
            return False if low > 0 or high < 0 else True if low == high == 0 else None
        case Op.NE:
            return True if low > 0 or high < 0 else False if low == high == 0 else None
        case _:
            return None


_NEGATED = {
    Op.EQ: Op.NE,
    Op.NE: Op.EQ,
    Op.LT: Op.GE,
    Op.GE: Op.LT,
    Op.GT: Op.LE,
    Op.LE: Op.GT,
}


def negated(expr: Expr) -> Expr:
    """The opposite of a condition, without a `not` where a comparison can be turned round."""
    if isinstance(expr, Const):
        return FALSE if expr.value else TRUE
    if isinstance(expr, Apply):
        if expr.op in _NEGATED and len(expr.args) == 2:
            return Apply(_NEGATED[expr.op], expr.args, expr.sort, expr.origin)
        if expr.op is Op.NOT:
            return expr.args[0]
    return Apply(Op.NOT, (expr,), BOOLEAN, expr.origin)


def _junction(op: Op, args: tuple[Expr, ...]) -> Expr:
    """A conjunction or disjunction, flattened, without the parts that decide nothing."""
    neutral = 1 if op is Op.AND else 0
    kept: list[Expr] = []
    for arg in args:
        if isinstance(arg, Const):
            if bool(arg.value) == bool(neutral):
                continue
            return FALSE if neutral else TRUE
        if isinstance(arg, Apply) and arg.op is op:
            kept.extend(arg.args)
        else:
            kept.append(arg)
    if not kept:
        return TRUE if neutral else FALSE
    if len(kept) > 1:
        kept = list(dict.fromkeys(kept))  # what is said twice is asked once
    if op is Op.OR and len(kept) > 1 and _exhaustive(kept):
        return TRUE
    return kept[0] if len(kept) == 1 else Apply(op, tuple(kept), BOOLEAN)


def _exhaustive(cases: list[Expr]) -> bool:
    """True when one of the cases is that none of the others holds, or fewer of them."""
    refused = {_literal(negated(case)) for case in cases}
    return any(
        all(_literal(part) in refused for part in conjuncts(case))
        for case in cases
        if isinstance(case, Apply)
    )


def _literal(expr: Expr) -> object:
    """The condition, in one form for all ways to say that something never negative is 0 or not."""
    if isinstance(expr, Apply) and len(expr.args) == 2 and isinstance(expr.args[1], Const):
        first, limit = expr.args[0], expr.args[1].value
        if bounds(first)[0] >= 0:
            if (expr.op, limit) in ((Op.NE, 0), (Op.GT, 0), (Op.GE, 1)):
                return ("some", first)
            if (expr.op, limit) in ((Op.EQ, 0), (Op.LE, 0), (Op.LT, 1)):
                return ("none", first)
    return expr


def conjuncts(expr: Expr) -> tuple[Expr, ...]:
    """The parts of a conjunction, in order; the expression itself when it is none."""
    if isinstance(expr, Apply) and expr.op is Op.AND:
        return tuple(part for arg in expr.args for part in conjuncts(arg))
    return (expr,)


def evaluate(op: Op, values: list[int]) -> int:
    """The value of an operator on numbers. Division rounds down."""
    match op:
        case Op.ADD:
            return sum(values)
        case Op.SUB:
            return values[0] - values[1]
        case Op.MUL:
            product = 1
            for value in values:
                product *= value
            return product
        case Op.DIV:
            return values[0] // values[1]
        case Op.MOD:
            return values[0] % values[1]
        case Op.NEG:
            return -values[0]
        case Op.ABS:
            return abs(values[0])
        case Op.MIN:
            return min(values)
        case Op.MAX:
            return max(values)
        case Op.EQ:
            return int(values[0] == values[1])
        case Op.NE:
            return int(values[0] != values[1])
        case Op.LT:
            return int(values[0] < values[1])
        case Op.LE:
            return int(values[0] <= values[1])
        case Op.GT:
            return int(values[0] > values[1])
        case Op.GE:
            return int(values[0] >= values[1])
        case Op.AND:
            return int(all(values))
        case Op.OR:
            return int(any(values))
        case Op.NOT:
            return int(not values[0])
        case Op.IMPLIES:
            return int(not values[0] or bool(values[1]))
        case Op.IF:
            return values[1] if values[0] else values[2]
        case _:
            assert_never(op)


def unrolled(fold: Fold) -> Expr | None:
    """The fold written out over its values, or None when that has no plain form."""
    values = range(fold.low, fold.high + 1)
    where = fold.where if fold.where is not None else TRUE
    bodies: list[tuple[Expr, Expr]] = []
    for value in values:
        bound = {fold.name: Const(value, Sort(value, value))}
        condition = substitute(where, bound)
        if condition != FALSE:
            bodies.append((condition, substitute(fold.body, bound)))
    match fold.op:
        case FoldOp.SUM:
            zero = number(0)
            parts = tuple(
                body
                if condition == TRUE
                else apply_folded(Op.IF, (condition, body, zero), fold.sort)
                for condition, body in bodies
            )
            return apply_folded(Op.ADD, (*parts, zero), fold.sort) if parts else zero
        case FoldOp.COUNT:
            parts = tuple(_junction(Op.AND, pair) for pair in bodies)
            parts = tuple(part for part in parts if part != FALSE)
            if not parts:
                return number(0)
            if len(parts) == 1:
                return apply_folded(Op.IF, (parts[0], number(1), number(0)), fold.sort)
            return Apply(Op.ADD, parts, fold.sort)
        case FoldOp.ALL:
            return _junction(
                Op.AND,
                tuple(_junction(Op.OR, (negated(condition), body)) for condition, body in bodies),
            )
        case FoldOp.ANY:
            return _junction(Op.OR, tuple(_junction(Op.AND, pair) for pair in bodies))
        case FoldOp.MAX | FoldOp.MIN:
            if any(condition != TRUE for condition, _ in bodies):
                return None
            if not bodies:
                return fold.default
            op = Op.MAX if fold.op is FoldOp.MAX else Op.MIN
            parts = tuple(body for _, body in bodies)
            return parts[0] if len(parts) == 1 else apply_folded(op, parts, fold.sort)
        case FoldOp.FIRST:
            result: Expr = Const(fold.low - 1, fold.sort)
            for value in reversed(values):
                bound = {fold.name: Const(value, Sort(value, value))}
                parts = (substitute(where, bound), substitute(fold.body, bound))
                test = _junction(Op.AND, parts)
                result = apply_folded(Op.IF, (test, Const(value, fold.sort), result), fold.sort)
            return result
        case _:
            assert_never(fold.op)


def size(expr: Expr) -> int:
    """How many nodes an expression has: a measure of what it costs to write out again."""
    match expr:
        case Const() | Local():
            return 1
        case Read() | Lookup():
            return 1 + sum(size(part) for part in expr.indices)
        case Call() | Apply():
            return 1 + sum(size(part) for part in expr.args)
        case Fold():
            return (
                1
                + size(expr.body)
                + (size(expr.where) if expr.where is not None else 0)
                + (size(expr.default) if expr.default is not None else 0)
            )
        case _:
            assert_never(expr)


def unrolled_size(expr: Expr) -> int:
    """About how many nodes the expression has once every fold in it is written out."""
    match expr:
        case Fold():
            each = unrolled_size(expr.body)
            if expr.where is not None:
                each += unrolled_size(expr.where)
            return 1 + each * (expr.high - expr.low + 1)
        case Const() | Local():
            return 1
        case Read() | Lookup():
            return 1 + sum(unrolled_size(part) for part in expr.indices)
        case Call() | Apply():
            return 1 + sum(unrolled_size(part) for part in expr.args)
        case _:
            assert_never(expr)
