"""From IR expressions to values: what the solver, and nobody else, is told an expression means.

Read `Encoder.encode`. A `Frame` is a position: one `Value` per cell. When all its cells are
numbers the result is a number, so the same code evaluates; when they are symbols it is a term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import assert_never

from quarantia_checker.terms import Term, Value
from quarantia_checker.terms import symbol as symbol_of
from quarantia_checker.values import (
    absolute,
    as_boolean,
    as_integer,
    at_most,
    between,
    choose,
    conjoin,
    conjuncts,
    counted,
    disjoin,
    equal,
    implies,
    larger,
    less,
    minus,
    negate,
    pick,
    quotient,
    remainder,
    smaller,
    times,
    total,
)
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
    Read,
    Sort,
    Table,
    Variable,
)

Locals = Mapping[str, Value]
NO_LOCALS: Locals = {}


class Frame:
    """A position as values, cell 0 (the control node) included. Never changed once made."""

    __slots__ = ("calls", "cells")

    def __init__(self, cells: Sequence[Value]) -> None:
        self.cells = tuple(cells)
        self.calls: dict[tuple[object, ...], Value] = {}

    def with_cells(self, changes: Mapping[int, Value]) -> Frame:
        cells = list(self.cells)
        for index, value in changes.items():
            cells[index] = value
        return Frame(cells)


def symbol(name: str, sort: Sort) -> Term:
    """A symbol for a value of this sort."""
    return symbol_of(name, sort.boolean)


def in_sort(value: Value, sort: Sort) -> Value:
    return True if sort.boolean else between(value, sort.low, sort.high)


def fit(value: Value, sort: Sort) -> Value:
    """The value in the form in which cells of this sort are kept."""
    return as_boolean(value) if sort.boolean else as_integer(value)


def value_names(game: Game, sort: Sort) -> list[str]:
    """How the values of a sort are called, from its lowest to its highest."""
    members = game.enumerations.get(sort.names, ()) if sort.names else ()
    result: list[str] = []
    for value in range(sort.low, sort.high + 1):
        if sort.boolean:
            result.append("true" if value else "false")
        elif sort.optional and value == sort.low:
            result.append("none")
        elif 0 <= value < len(members):
            result.append(members[value])
        else:
            result.append(str(value))
    return result


def entry_names(game: Game, name: str, dimensions: Sequence[Sort]) -> list[str]:
    """Names of all entries of a map in row-major order: `bid[SanMarco, red]`."""
    rows: list[tuple[str, ...]] = [()]
    for dimension in dimensions:
        names = value_names(game, dimension)
        rows = [(*row, member) for row in rows for member in names]
    return [f"{name}[{', '.join(row)}]" if row else name for row in rows]


def cell_names(game: Game) -> list[str]:
    """The name of every cell of a position; cell 0 is `node`."""
    names = ["node"]
    for variable in sorted(game.variables, key=lambda each: each.offset):
        names.extend(entry_names(game, variable.name, variable.dimensions))
    return names


def _given_symbols(game: Game, table: Table) -> list[Term]:
    """A symbol for each entry of a table that the rulebook does not print."""
    names = entry_names(game, f"given {table.name}", table.dimensions)
    return [symbol(name, table.sort) for name in names]


def _conjoined(value: Value) -> Iterable[Value]:
    return conjuncts(value) or (value,)


class Encoder:
    """Encodes the expressions of one game.

    `data` gives the values of `given` tables; those it lacks are unknown constants, which keep to
    `bounds` and of which the text says what is `assumed`: together that is the `background`.
    """

    def __init__(self, game: Game, data: Mapping[str, Sequence[int]] | None = None) -> None:
        self.game = game
        self.tables: dict[str, tuple[Value, ...]] = {}
        self.unknowns: dict[Term, Sort] = {}
        for table in game.tables:
            self.tables[table.name] = self._entries(table, data or {})
        nowhere = Frame(())
        self.assumed: tuple[Value, ...] = tuple(
            part
            for assumption in game.assumptions
            if self.unknowns
            for part in _conjoined(self.condition(assumption.condition, nowhere))
        )
        self.bounds: tuple[Value, ...] = tuple(
            in_sort(term, sort) for term, sort in self.unknowns.items()
        )
        self.background = (*self.bounds, *self.assumed)

    def _entries(self, table: Table, data: Mapping[str, Sequence[int]]) -> tuple[Value, ...]:
        values = table.values if table.values is not None else data.get(table.name)
        if values is not None:
            return tuple(bool(value) if table.sort.boolean else int(value) for value in values)
        entries: list[Value] = []
        for term in _given_symbols(self.game, table):
            self.unknowns[term] = table.sort
            entries.append(term)
        return tuple(entries)

    def examples(self, data: Mapping[str, Sequence[int]]) -> dict[Term, tuple[Sort, int]]:
        """Each unknown with its sort, and its number in these data."""
        numbers = {
            term: number
            for table in self.game.tables
            if table.name in data
            for term, number in zip(_given_symbols(self.game, table), data[table.name], strict=True)
        }
        return {
            term: (sort, int(numbers.get(term, sort.low))) for term, sort in self.unknowns.items()
        }

    def condition(self, expr: Expr, frame: Frame, scope: Locals = NO_LOCALS) -> Value:
        return as_boolean(self.encode(expr, frame, scope))

    def encode(self, expr: Expr, frame: Frame, scope: Locals = NO_LOCALS) -> Value:
        """What `expr` is worth in `frame`, its locals being those of `scope`."""
        match expr:
            case Const(value=value, sort=sort):
                return bool(value) if sort.boolean else value
            case Local(name=name):
                return scope[name]
            case Read(variable=name, indices=indices):
                return self._read(self.game.variable[name], indices, frame, scope)
            case Lookup(table=name, indices=indices):
                table = self.game.table[name]
                entries = self.tables[name]
                return self._select(table.dimensions, indices, entries.__getitem__, frame, scope)
            case Call(term=name, args=args):
                return self._call(name, args, frame, scope)
            case Apply(op=op, args=args):
                return self._apply(op, args, frame, scope)
            case Fold():
                return self._fold(expr, frame, scope)
            case _:
                assert_never(expr)

    def _read(
        self, variable: Variable, indices: tuple[Expr, ...], frame: Frame, scope: Locals
    ) -> Value:
        offset = variable.offset
        return self._select(
            variable.dimensions, indices, lambda entry: frame.cells[offset + entry], frame, scope
        )

    def _select(
        self,
        dimensions: tuple[Sort, ...],
        indices: tuple[Expr, ...],
        entry: Callable[[int], Value],
        frame: Frame,
        scope: Locals,
    ) -> Value:
        values = [as_integer(self.encode(index, frame, scope)) for index in indices]

        def below(level: int, base: int) -> Value:
            if level == len(dimensions):
                return entry(base)
            dimension = dimensions[level]
            branches = [
                partial(below, level + 1, base * dimension.size + step)
                for step in range(dimension.size)
            ]
            sort = indices[level].sort
            return pick(values[level], dimension.low, branches, sort.low, sort.high)

        return below(0, 0)

    def _call(self, name: str, args: tuple[Expr, ...], frame: Frame, scope: Locals) -> Value:
        values = [self.encode(argument, frame, scope) for argument in args]
        key = (name, *((type(v), v) if isinstance(v, int) else v for v in values))
        found = frame.calls.get(key)
        if found is None:
            found = frame.calls[key] = self.call(name, values, frame)
        return found

    def call(self, name: str, values: Sequence[Value], frame: Frame) -> Value:
        """The settled meaning of a term for these arguments."""
        term = self.game.term[name]
        scope = {
            parameter.name: fit(value, parameter.sort)
            for parameter, value in zip(term.parameters, values, strict=True)
        }
        return fit(self.encode(term.body, frame, scope), term.sort)

    def _apply(self, op: Op, args: tuple[Expr, ...], frame: Frame, scope: Locals) -> Value:
        match op:
            case Op.AND | Op.OR:
                # Left to right, so that what is known to be decided leaves the rest unread.
                stop = op is Op.OR
                values: list[Value] = []
                for argument in args:
                    value = self.condition(argument, frame, scope)
                    if value is stop:
                        return stop
                    values.append(value)
                return disjoin(values) if stop else conjoin(values)
            case Op.IMPLIES:
                left = self.condition(args[0], frame, scope)
                if left is False:
                    return True
                return implies(left, self.condition(args[1], frame, scope))
            case Op.IF:
                test = self.condition(args[0], frame, scope)
                if isinstance(test, bool):
                    return self.encode(args[1] if test else args[2], frame, scope)
                return choose(
                    test, self.encode(args[1], frame, scope), self.encode(args[2], frame, scope)
                )
            case _:
                return _operate(op, [self.encode(argument, frame, scope) for argument in args])

    def _fold(self, fold: Fold, frame: Frame, scope: Locals) -> Value:
        rows: list[tuple[int, Value, Value]] = []  # the number, whether it counts, its body
        for number in range(fold.low, fold.high + 1):
            inner = {**scope, fold.name: number}
            counts: Value = True
            if fold.where is not None:
                counts = self.condition(fold.where, frame, inner)
                if counts is False:
                    continue
            rows.append((number, counts, self.encode(fold.body, frame, inner)))
        match fold.op:
            case FoldOp.SUM:
                return total(choose(counts, as_integer(body), 0) for _, counts, body in rows)
            case FoldOp.COUNT:
                return total(
                    counted(conjoin((counts, as_boolean(body)))) for _, counts, body in rows
                )
            case FoldOp.ALL:
                return conjoin(implies(counts, as_boolean(body)) for _, counts, body in rows)
            case FoldOp.ANY:
                return disjoin(conjoin((counts, as_boolean(body))) for _, counts, body in rows)
            case FoldOp.FIRST:
                first: Value = fold.low - 1
                for number, counts, body in reversed(rows):
                    first = choose(conjoin((counts, as_boolean(body))), number, first)
                return first
            case FoldOp.MAX | FoldOp.MIN:
                better = larger if fold.op is FoldOp.MAX else smaller
                found: Value = False
                best: Value = fold.sort.low
                for _, counts, body in rows:
                    value = as_integer(body)
                    best = choose(counts, choose(found, better(best, value), value), best)
                    found = disjoin((found, counts))
                if found is True or fold.default is None:
                    return best
                return choose(found, best, as_integer(self.encode(fold.default, frame, scope)))
            case _:
                assert_never(fold.op)


def _operate(op: Op, values: Sequence[Value]) -> Value:
    """Operators that look at all their operands."""
    match op:
        case Op.ADD:
            return total(values)
        case Op.SUB:
            return total((values[0], *(minus(value) for value in values[1:])))
        case Op.MUL:
            result: Value = 1
            for value in values:
                result = times(result, value)
            return result
        case Op.DIV:
            return quotient(values[0], values[1])
        case Op.MOD:
            return remainder(values[0], values[1])
        case Op.NEG:
            return minus(values[0])
        case Op.ABS:
            return absolute(values[0])
        case Op.MIN | Op.MAX:
            better = larger if op is Op.MAX else smaller
            best = as_integer(values[0])
            for value in values[1:]:
                best = better(best, value)
            return best
        case Op.EQ:
            return equal(values[0], values[1])
        case Op.NE:
            return negate(equal(values[0], values[1]))
        case Op.LT:
            return less(values[0], values[1])
        case Op.LE:
            return at_most(values[0], values[1])
        case Op.GT:
            return less(values[1], values[0])
        case Op.GE:
            return at_most(values[1], values[0])
        case Op.NOT:
            return negate(as_boolean(values[0]))
        case Op.AND | Op.OR | Op.IMPLIES | Op.IF:
            raise AssertionError(f"{op} looks at its operands in order")
        case _:
            assert_never(op)
