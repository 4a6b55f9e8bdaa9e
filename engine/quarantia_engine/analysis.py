"""What an expression looks at: locals, cells, and whether it has a value in every position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from quarantia_spec.ir import (
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    Fold,
    For,
    Game,
    If,
    Let,
    Local,
    Lookup,
    Oblige,
    Op,
    Read,
    Sort,
    Statement,
)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside one."""
    match expr:
        case Const() | Local():
            return ()
        case Read() | Lookup():
            return expr.indices
        case Apply() | Call():
            return expr.args
        case Fold():
            return tuple(part for part in (expr.where, expr.body, expr.default) if part is not None)
        case _:
            assert_never(expr)


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def free_locals(expr: Expr) -> frozenset[str]:
    """The locals that an expression needs from outside."""
    match expr:
        case Local(name=name):
            return frozenset((name,))
        case Fold():
            inner = free_locals(expr.body)
            if expr.where is not None:
                inner |= free_locals(expr.where)
            inner -= {expr.name}
            return inner | free_locals(expr.default) if expr.default is not None else inner
        case _:
            found: frozenset[str] = frozenset()
            for child in children(expr):
                found |= free_locals(child)
            return found


def assigned(statements: Iterable[Statement]) -> frozenset[str]:
    """The variables that the statements may change."""
    found: set[str] = set()
    for statement in statements:
        match statement:
            case Assign(variable=variable):
                found.add(variable)
            case If(then=then, otherwise=otherwise):
                found |= assigned(then) | assigned(otherwise)
            case For(body=body):
                found |= assigned(body)
            case Let() | Oblige():
                pass
            case _:
                assert_never(statement)
    return frozenset(found)


class Facts:
    """Answers about the expressions of one game, remembered by term."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._term_reads: dict[str, frozenset[str]] = {}
        self._term_total: dict[str, bool] = {}

    def reads(self, expr: Expr) -> frozenset[str]:
        """The variables whose cells may matter to the value, through terms too."""
        found: set[str] = set()
        for part in walk(expr):
            if isinstance(part, Read):
                found.add(part.variable)
            elif isinstance(part, Call):
                if part.term not in self._term_reads:
                    self._term_reads[part.term] = self.reads(self._game.term[part.term].body)
                found |= self._term_reads[part.term]
        return frozenset(found)

    def total(self, expr: Expr) -> bool:
        """True when the expression has a value whatever the cells and locals hold."""
        match expr:
            case Const() | Local():
                return True
            case Read(variable=name, indices=indices):
                return _inside(indices, self._game.variable[name].dimensions) and all(
                    self.total(index) for index in indices
                )
            case Lookup(table=name, indices=indices):
                return _inside(indices, self._game.table[name].dimensions) and all(
                    self.total(index) for index in indices
                )
            case Apply(op=op, args=args):
                if op in (Op.DIV, Op.MOD) and args[1].sort.low <= 0 <= args[1].sort.high:
                    return False
                return all(self.total(arg) for arg in args)
            case Fold():
                return all(self.total(part) for part in children(expr))
            case Call(term=name, args=args):
                if name not in self._term_total:
                    self._term_total[name] = self.total(self._game.term[name].body)
                parameters = self._game.term[name].parameters
                return (
                    self._term_total[name]
                    and _inside(args, tuple(parameter.sort for parameter in parameters))
                    and all(self.total(arg) for arg in args)
                )
            case _:
                assert_never(expr)


def _inside(indices: tuple[Expr, ...], dimensions: tuple[Sort, ...]) -> bool:
    return all(
        index.sort.within(dimension) for index, dimension in zip(indices, dimensions, strict=True)
    )
