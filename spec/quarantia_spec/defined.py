"""When an expression has a meaning: see NOTE(undefined) in `ir`.

`Definedness.of` gives the condition, or None when ranges already guarantee it. It follows the
short cuts of `and`, `or`, `implies`, `if` and of folds, so that `x != none and owner[x] = p` asks
nothing, while `owner[x] = p` asks that x is a player.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from quarantia_spec.ir import (
    Apply,
    Call,
    Const,
    Expr,
    Fold,
    FoldOp,
    Game,
    Local,
    Lookup,
    Op,
    Parameter,
    Read,
    Sort,
)
from quarantia_spec.ops import TRUE, apply, conjunction, fold, in_range, number


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression with locals replaced.

    Names are unique within one rule, but what a term asks of its arguments is written in the
    names of that term: a fold is given another name where its own would capture one.
    """
    if not values:
        return expr
    match expr:
        case Const():
            return expr
        case Local(name=name):
            return values.get(name, expr)
        case Read(variable=name, indices=indices, sort=sort, origin=origin):
            return Read(name, tuple(substitute(i, values) for i in indices), sort, origin)
        case Lookup(table=name, indices=indices, sort=sort, origin=origin):
            return Lookup(name, tuple(substitute(i, values) for i in indices), sort, origin)
        case Call(term=name, args=args, sort=sort, origin=origin):
            return Call(name, tuple(substitute(a, values) for a in args), sort, origin)
        case Apply(op=op, args=args, sort=sort, origin=origin):
            return Apply(op, tuple(substitute(a, values) for a in args), sort, origin)
        case Fold(name=name):
            taken = {local for value in values.values() for local in free_locals(value)}
            fresh, count = name, 2
            if name in taken:
                taken |= free_locals(expr.body)
                taken |= free_locals(expr.where) if expr.where is not None else set()
                while fresh in taken:
                    fresh, count = f"{name}_{count}", count + 1
            inner = {key: value for key, value in values.items() if key != name}
            if fresh != name:
                inner[name] = Local(fresh, Sort(expr.low, expr.high))
            return Fold(
                expr.op,
                fresh,
                expr.low,
                expr.high,
                None if expr.where is None else substitute(expr.where, inner),
                substitute(expr.body, inner),
                None if expr.default is None else substitute(expr.default, values),
                expr.sort,
                expr.origin,
            )
        case _:
            assert_never(expr)


def free_locals(expr: Expr) -> set[str]:
    """The locals that the expression looks at and does not bind itself."""
    match expr:
        case Const():
            return set()
        case Local(name=name):
            return {name}
        case Read(indices=parts) | Lookup(indices=parts) | Call(args=parts) | Apply(args=parts):
            return {name for part in parts for name in free_locals(part)}
        case Fold(name=name, where=where, body=body, default=default):
            inside = free_locals(body) | (set() if where is None else free_locals(where))
            return (inside - {name}) | (set() if default is None else free_locals(default))
        case _:
            assert_never(expr)


def reads_position(expr: Expr) -> bool:
    """Whether a state or a piece is looked at; what terms look at is not followed."""
    match expr:
        case Read():
            return True
        case Const() | Local():
            return False
        case Lookup(indices=parts) | Call(args=parts) | Apply(args=parts):
            return any(reads_position(part) for part in parts)
        case Fold(where=where, body=body, default=default):
            inside = (part for part in (where, body, default) if part is not None)
            return any(reads_position(part) for part in inside)
        case _:
            assert_never(expr)


def part_count(expr: Expr, limit: int) -> int:
    """How many nodes the expression has, counted no further than `limit`."""
    count, waiting = 0, [expr]
    while waiting and count < limit:
        count += 1
        match waiting.pop():
            case Read(indices=parts) | Lookup(indices=parts) | Call(args=parts) | Apply(args=parts):
                waiting.extend(parts)
            case Fold(where=where, body=body, default=default):
                waiting.extend(part for part in (where, body, default) if part is not None)
            case _:
                pass
    return count


class Definedness:
    """Knows the dimensions of what can be read, and what each term asks of its arguments."""

    def __init__(self) -> None:
        self.dimensions: dict[str, tuple[Sort, ...]] = {}
        self.terms: dict[str, tuple[tuple[Parameter, ...], Expr | None]] = {}

    def of(self, expr: Expr) -> Expr | None:
        match expr:
            case Const() | Local():
                return None
            case Read(variable=name, indices=indices):
                return conjunction(self.of_cell(expr), self._within_length(name, indices))
            case Lookup():
                return self.of_cell(expr)
            case Call(term=name, args=args):
                parameters, asks = self.terms[name]
                return conjunction(
                    *(self.of(arg) for arg in args),
                    *(
                        in_range(arg, parameter.sort, expr.origin)
                        for arg, parameter in zip(args, parameters, strict=True)
                    ),
                    None
                    if asks is None
                    else substitute(
                        asks, {p.name: a for p, a in zip(parameters, args, strict=True)}
                    ),
                )
            case Apply(op=op, args=args):
                return self._of_apply(op, args)
            case Fold():
                return self._of_fold(expr)
            case _:
                assert_never(expr)

    def of_cell(self, entry: Read | Lookup) -> Expr | None:
        """That there is such a cell, or entry of a table."""
        name = entry.variable if isinstance(entry, Read) else entry.table
        pairs = list(zip(entry.indices, self.dimensions[name], strict=True))
        return conjunction(
            *(self.of(index) for index in entry.indices),
            *(in_range(index, dimension, entry.origin) for index, dimension in pairs),
        )

    def _within_length(self, name: str, indices: tuple[Expr, ...]) -> Expr | None:
        """An entry of a sequence is there: beyond its length there is nothing to be read."""
        if f"{name}.length" not in self.dimensions:
            return None
        limit = self.dimensions[name][-1].high
        length = Read(f"{name}.length", indices[:-1], Sort(0, limit))
        return apply(Op.LE, indices[-1], length)

    def _of_apply(self, op: Op, args: tuple[Expr, ...]) -> Expr | None:
        match op:
            case Op.AND | Op.IMPLIES:
                left, right = args
                inner = self.of(right)
                return conjunction(
                    self.of(left), None if inner is None else apply(Op.IMPLIES, left, inner)
                )
            case Op.OR:
                left, right = args
                inner = self.of(right)
                return conjunction(
                    self.of(left), None if inner is None else apply(Op.OR, left, inner)
                )
            case Op.IF:
                condition, then, otherwise = args
                first, second = self.of(then), self.of(otherwise)
                branch = (
                    None
                    if first is None and second is None
                    else apply(Op.IF, condition, first or TRUE, second or TRUE)
                )
                return conjunction(self.of(condition), branch)
            case Op.DIV | Op.MOD:
                positive = None if args[1].sort.low > 0 else apply(Op.GT, args[1], number(0))
                return conjunction(*(self.of(arg) for arg in args), positive)
            case _:
                return conjunction(*(self.of(arg) for arg in args))

    def _of_fold(self, expr: Fold) -> Expr | None:
        domain = Sort(expr.low, expr.high)
        inner = self.of(expr.body)
        if expr.where is not None:
            inner = conjunction(
                self.of(expr.where),
                None if inner is None else apply(Op.IMPLIES, expr.where, inner),
            )
        everywhere = None if inner is None else fold(FoldOp.ALL, expr.name, domain, None, inner)
        default = None if expr.default is None else self.of(expr.default)
        return conjunction(everywhere, default)


def definedness_of(game: Game) -> Definedness:
    """The same knowledge, taken from a game that has been elaborated."""
    known = Definedness()
    known.dimensions.update((each.name, each.dimensions) for each in game.variables)
    known.dimensions.update((each.name, each.dimensions) for each in game.tables)
    for term in game.terms:  # callees come before callers
        covered: Expr | None = None
        if term.otherwise is None and all(each.when is not None for each in term.clauses):
            for clause in term.clauses:
                assert clause.when is not None
                covered = clause.when if covered is None else apply(Op.OR, covered, clause.when)
        asks = conjunction(covered, known.of(term.body), in_range(term.body, term.sort))
        known.terms[term.name] = (term.parameters, asks)
    return known
