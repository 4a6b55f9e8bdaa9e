"""Statements to Python lines, with the checks that the rules oblige them to.

A function that runs statements returns 0 when all went well, and the number of the obligation
that did not hold otherwise (`Obligations`).
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import assert_never

from quarantia_engine.analysis import Facts, assigned
from quarantia_engine.counting import Counters
from quarantia_engine.emitter import Emitter, Scope
from quarantia_engine.expressions import Printer
from quarantia_engine.generated import Obligation
from quarantia_engine.implied import Known
from quarantia_engine.rewriting import FALSE, TRUE, bounds, negated, number, size, substitute
from quarantia_engine.rows import Row
from quarantia_engine.since import Change
from quarantia_spec.ir import (
    Apply,
    Assign,
    Const,
    Duty,
    Expr,
    Fold,
    For,
    If,
    Let,
    Local,
    Oblige,
    Op,
    Read,
    Sort,
    Statement,
)
from quarantia_spec.source import Origin

UNROLL_LOOP_LIMIT = 64  # nodes of a loop's statements when written out


class Obligations:
    """All checks of a generated module; the first has number 1."""

    def __init__(self) -> None:
        self.entries: list[Obligation] = []
        self._numbers: dict[tuple[str, Duty, str, Origin], int] = {}

    def number(self, rule: str, oblige: Oblige) -> int:
        """The number that the generated code returns when this obligation does not hold."""
        key = (rule, oblige.duty, oblige.message, oblige.origin)
        if key not in self._numbers:
            self.entries.append(Obligation(*key))
            self._numbers[key] = len(self.entries)
        return self._numbers[key]


class StatementWriter:
    """Writes the statements of one rule into one function."""

    def __init__(
        self,
        printer: Printer,
        facts: Facts,
        emitter: Emitter,
        scope: Scope,
        obligations: Obligations | None,
        failing: str = "return {}",
        counters: Counters | None = None,
    ) -> None:
        """Without `obligations` nothing is checked. `failing` leaves the function with a number."""
        self.printer = printer
        self.facts = facts
        self.emitter = emitter
        self.scope = scope
        self.obligations = obligations
        self.failing = failing
        self.counters = counters

    def write(
        self, statements: tuple[Statement, ...], rule: str, known: Known, values: dict[str, Expr]
    ) -> None:
        """Writes a block; updates `known` and `values` (locals that stand for simple values)."""
        for statement in statements:
            self._write(statement, rule, known, values)

    def _write(
        self, statement: Statement, rule: str, known: Known, values: dict[str, Expr]
    ) -> None:
        match statement:
            case Assign():
                change = self._assign(statement, known, values)
                known.forget({statement.variable}, change)
            case Let(name=name, value=value):
                self.let(name, value, known, values)
            case Oblige():
                self._oblige(statement, rule, known, values)
            case If():
                self._if(statement, rule, known, values)
            case For():
                self._for(statement, rule, known, values)
            case _:
                assert_never(statement)

    def let(self, name: str, value: Expr, known: Known, values: dict[str, Expr]) -> None:
        """Binds a local to the value of an expression at this point."""
        prepared = known.with_held(self.printer.prepared(value, values))
        known.forget_local(name)
        if isinstance(prepared, Const | Local):
            values[name] = prepared
            return
        values.pop(name, None)
        if isinstance(prepared, Fold):
            target = self.scope.bind(name)
            self.printer.fold_loop(self.emitter, prepared, self.scope, target, returns=False)
            self.scope.room(name, self.emitter)
        else:
            text = self.printer.value(prepared, self.scope)
            self.scope.declare(name, text, self.emitter)
        known.define(name, prepared)

    def _assign(self, statement: Assign, known: Known, values: dict[str, Expr]) -> Change | None:
        """Writes an assignment; says which cell it was, where somebody wants to know."""

        def prepared(expr: Expr) -> Expr:
            return known.with_held(self.printer.prepared(expr, values))

        indices = tuple(prepared(index) for index in statement.indices)
        value = prepared(statement.value)
        cell = self.printer.cell(statement.variable, indices, self.scope)
        change: Change | None = None
        if known.past.watches(statement.variable):
            place = cell.removeprefix("s[").removesuffix("]")
            if not place.isdecimal():
                index, place = place, self.scope.names.fresh("place")
                self.emitter.line(f"{place} = {index}")
                cell = f"s[{place}]"
            low, high = bounds(value)
            change = Change(place, Sort(low, high, boolean=value.sort.boolean))
        if isinstance(value, Apply) and value.op in (Op.ADD, Op.SUB) and len(value.args) == 2:
            first, second = value.args
            if _same_cell(first, statement.variable, indices):
                symbol = "+" if value.op is Op.ADD else "-"
                if isinstance(second, Const) and second.value < 0:
                    symbol = "-" if symbol == "+" else "+"
                    second = number(-second.value)
                self.emitter.line(f"{cell} {symbol}= {self.printer.value(second, self.scope)}")
                return change
        if isinstance(value, Fold):
            target = self.scope.names.fresh("value")
            self.printer.fold_loop(self.emitter, value, self.scope, target, returns=False)
            self.emitter.line(f"{cell} = {target}")
            return change
        held = self.printer.work_out_repeated([value], self.emitter, self.scope)
        self.emitter.line(f"{cell} = {self.printer.value(value, self.scope)}")
        self.scope.release(held)
        return change

    def _oblige(self, oblige: Oblige, rule: str, known: Known, values: dict[str, Expr]) -> None:
        if self.obligations is None:
            return
        condition = known.with_held(self.printer.prepared(oblige.condition, values))
        if known.holds(condition):
            return
        code = self.obligations.number(rule, oblige)
        held = self.printer.work_out_repeated([condition], self.emitter, self.scope)
        test = self.printer.condition(negated(condition), self.scope)
        self.scope.release(held)
        with self.emitter.block(f"if {test}:"):
            self.emitter.line(self.failing.format(code))
        known.learn(condition)

    def _if(self, statement: If, rule: str, known: Known, values: dict[str, Expr]) -> None:
        condition = known.with_held(self.printer.prepared(statement.condition, values))
        counts = None if self.counters is None else self.counters.sides(rule, statement)
        met, unmet = ((), ()) if counts is None else ((counts[0],), (counts[1],))
        if condition == TRUE or known.holds(condition):
            self.emitter.lines(*met)
            self.write(statement.then, rule, known, values)
            return
        if condition == FALSE:
            self.emitter.lines(*unmet)
            self.write(statement.otherwise, rule, known, values)
            return
        then, otherwise = known.copy(), known.copy()
        if statement.then or met:
            with self.emitter.block(f"if {self.printer.condition(condition, self.scope)}:"):
                then.learn(condition)
                self.emitter.lines(*met)
                self.write(statement.then, rule, then, dict(values))
            if statement.otherwise or unmet:
                with self.emitter.block("else:"):
                    otherwise.learn(negated(condition))
                    self.emitter.lines(*unmet)
                    self.write(statement.otherwise, rule, otherwise, dict(values))
        elif statement.otherwise:
            opposite = negated(condition)
            with self.emitter.block(f"if {self.printer.condition(opposite, self.scope)}:"):
                otherwise.learn(opposite)
                self.write(statement.otherwise, rule, otherwise, dict(values))
        known.forget(assigned((statement,)))

    def _for(self, statement: For, rule: str, known: Known, values: dict[str, Expr]) -> None:
        count = statement.high - statement.low + 1
        if count <= 0:
            return
        if count * statements_size(statement.body) <= UNROLL_LOOP_LIMIT:
            for value in range(statement.low, statement.high + 1):
                inner = {**values, statement.name: number(value)}
                self.write(statement.body, rule, known, inner)
            return
        changed = assigned(statement.body)
        known.forget(changed)
        known.forget_local(statement.name)
        inner = {key: value for key, value in values.items() if key != statement.name}
        rows = self._rows_before_loop(statement, changed, known, inner)
        name = self.scope.bind(statement.name)
        with self.emitter.block(f"for {name} in range({statement.low}, {statement.high + 1}):"):
            self.scope.room(statement.name, self.emitter)
            self.write(statement.body, rule, known.copy(), inner)
        self.scope.release(rows)

    def _rows_before_loop(
        self, loop: For, changed: AbstractSet[str], known: Known, values: dict[str, Expr]
    ) -> list[Row]:
        """Rows that every turn of a loop asks for and none of them changes; see NOTE(rows)."""
        asked = [
            known.with_held(self.printer.prepared(expr, values))
            for expr in expressions_in((loop,), checked=self.obligations is not None)
        ]
        named = {loop.name, *names_in(loop.body)}
        wanted = [
            row
            for row in self.printer.rows.wanted(asked, times=loop.high - loop.low + 1)
            if not self.facts.reads(self.printer.rows.body(row.term)) & changed
            and all(
                not isinstance(arg, Local) or (arg.name in self.scope and arg.name not in named)
                for arg in row.rest
            )
        ]
        return self.printer.work_out(wanted, self.emitter, self.scope)


def expressions_in(statements: tuple[Statement, ...], *, checked: bool) -> Iterator[Expr]:
    """Every expression that running the statements may work out; obligations if `checked`."""
    for statement in statements:
        match statement:
            case Assign(indices=indices, value=value):
                yield from indices
                yield value
            case Let(value=value):
                yield value
            case Oblige(condition=condition):
                if checked:
                    yield condition
            case If(condition=condition, then=then, otherwise=otherwise):
                yield condition
                yield from expressions_in((*then, *otherwise), checked=checked)
            case For(body=body):
                yield from expressions_in(body, checked=checked)
            case _:
                assert_never(statement)


def names_in(statements: tuple[Statement, ...]) -> Iterator[str]:
    """Every local that the statements bind."""
    for statement in statements:
        match statement:
            case Let(name=name):
                yield name
            case For(name=name, body=body):
                yield name
                yield from names_in(body)
            case If(then=then, otherwise=otherwise):
                yield from names_in((*then, *otherwise))
            case Assign() | Oblige():
                pass
            case _:
                assert_never(statement)


def _same_cell(expr: Expr, variable: str, indices: tuple[Expr, ...]) -> bool:
    return isinstance(expr, Read) and expr.variable == variable and expr.indices == indices


def statements_size(statements: tuple[Statement, ...]) -> int:
    """How many nodes the statements have: a measure of what it costs to write them out again."""
    total = 0
    for statement in statements:
        match statement:
            case Assign(indices=indices, value=value):
                total += 1 + sum(size(index) for index in indices) + size(value)
            case If(condition=condition, then=then, otherwise=otherwise):
                total += 1 + size(condition) + statements_size(then) + statements_size(otherwise)
            case For(body=body):
                total += 1 + statements_size(body)
            case Let(value=value):
                total += 1 + size(value)
            case Oblige(condition=condition):
                total += 1 + size(condition)
            case _:
                assert_never(statement)
    return total


def with_values(statement: Let, values: dict[str, Expr]) -> Let:
    """A let whose value has the known locals filled in."""
    return replace(statement, value=substitute(statement.value, values))
