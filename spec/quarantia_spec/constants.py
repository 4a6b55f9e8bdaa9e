"""The value of an expression that reads no position: sizes of types, and conditions on data.

Start at `constant_value`. Expressions become Python functions of the bound names once, and then
run as often as folds ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from quarantia_spec.ir import (
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
    Table,
    Term,
)  # fmt: skip
from quarantia_spec.ops import evaluate

Locals = Mapping[str, int]
Value = Callable[[Locals], int]


MOST_STEPS = 2_000_000


class NoValue(Exception):
    """The expression reads the position or unknown data, has no meaning, or takes too long."""


def constant_value(
    expr: Expr,
    tables: Mapping[str, Table],
    terms: Mapping[str, Term],
    data: Mapping[str, tuple[int, ...]],
) -> int:
    """The value under the given `data`. Raises NoValue when there is none."""
    return _Compiler(tables, terms, data).compile(expr)({})


@dataclass(slots=True)
class _Compiler:
    tables: Mapping[str, Table]
    terms: Mapping[str, Term]
    data: Mapping[str, tuple[int, ...]]
    bodies: dict[str, Value] = field(default_factory=dict)
    steps: int = 0

    def compile(self, expr: Expr) -> Value:
        match expr:
            case Const(value=value):
                return lambda _: value
            case Local(name=name):
                return lambda known: _bound(known, name)
            case Read():
                raise NoValue
            case Lookup():
                return self.lookup(expr)
            case Call(term=name, args=args):
                return self.call(name, tuple(self.compile(arg) for arg in args))
            case Apply():
                return self.apply(expr)
            case Fold():
                return self.fold(expr)
            case _:
                assert_never(expr)

    def lookup(self, expr: Lookup) -> Value:
        table = self.tables.get(expr.table)
        values = None if table is None else table.values or self.data.get(expr.table)
        if table is None or values is None:
            raise NoValue
        indices = tuple(self.compile(index) for index in expr.indices)
        dimensions, entries = table.dimensions, values

        def entry(known: Locals) -> int:
            position = 0
            for index, dimension in zip(indices, dimensions, strict=True):
                value = index(known)
                if not dimension.low <= value <= dimension.high:
                    raise NoValue
                position = position * dimension.size + value - dimension.low
            return entries[position]

        return entry

    def call(self, name: str, args: tuple[Value, ...]) -> Value:
        term = self.terms.get(name)
        if term is None:
            raise NoValue
        if name not in self.bodies:
            self.bodies[name] = self.compile(term.body)
        body = self.bodies[name]
        names = tuple(parameter.name for parameter in term.parameters)
        return lambda known: body({each: arg(known) for each, arg in zip(names, args, strict=True)})

    def apply(self, expr: Apply) -> Value:
        op = expr.op
        args = tuple(self.compile(arg) for arg in expr.args)
        match op:
            case Op.AND:
                return lambda known: args[1](known) if args[0](known) else 0
            case Op.OR:
                return lambda known: 1 if args[0](known) else args[1](known)
            case Op.IMPLIES:
                return lambda known: args[1](known) if args[0](known) else 1
            case Op.IF:
                return lambda known: args[1](known) if args[0](known) else args[2](known)
            case Op.DIV | Op.MOD:

                def divided(known: Locals) -> int:
                    values = [arg(known) for arg in args]
                    if values[1] <= 0:
                        raise NoValue
                    return evaluate(op, values)

                return divided
            case _:
                return lambda known: evaluate(op, [arg(known) for arg in args])

    def fold(self, expr: Fold) -> Value:
        body = self.compile(expr.body)
        where = None if expr.where is None else self.compile(expr.where)
        default = None if expr.default is None else self.compile(expr.default)

        def folded(known: Locals) -> int:
            self.steps += expr.high - expr.low + 1
            if self.steps > MOST_STEPS:
                raise NoValue
            inner = dict(known)
            values: list[int] = []
            for value in range(expr.low, expr.high + 1):
                inner[expr.name] = value
                if where is not None and not where(inner):
                    continue
                found = body(inner)
                if expr.op is FoldOp.FIRST and found:
                    return value
                if expr.op is FoldOp.ALL and not found:
                    return 0
                if expr.op is FoldOp.ANY and found:
                    return 1
                values.append(found)
            match expr.op:
                case FoldOp.SUM | FoldOp.COUNT:
                    return sum(values)
                case FoldOp.ALL:
                    return 1
                case FoldOp.ANY:
                    return 0
                case FoldOp.FIRST:
                    return expr.low - 1
                case FoldOp.MAX | FoldOp.MIN:
                    if values:
                        return max(values) if expr.op is FoldOp.MAX else min(values)
                    if default is None:
                        raise NoValue
                    return default(known)
                case _:
                    assert_never(expr.op)

        return folded


def _bound(known: Locals, name: str) -> int:
    if name not in known:
        raise NoValue
    return known[name]
