"""A condition that did not hold at the last choice, asked again: only what has changed matters.

The condition is taken apart into cases, one of which must hold. A case that looks at no cell that
was assigned since still does not hold. Where one cell of a variable was assigned, and which one is
known only in play, a function of its own goes from that cell to the cases that look at it.
See NOTE(standing) in `standing` for where this may be relied on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from quarantia_engine.analysis import Facts, walk
from quarantia_engine.emitter import Emitter, Scope, dispatch
from quarantia_engine.expressions import Printer
from quarantia_engine.rewriting import (
    FALSE,
    TRUE,
    bounds,
    conjuncts,
    freshened,
    negated,
    replace_cells,
    size,
    substitute,
    unrolled,
    unrolled_size,
)
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Call,
    Const,
    Expr,
    Fold,
    FoldOp,
    Local,
    Op,
    Read,
    Sort,
    Variable,
)

LARGEST = 20_000  # nodes of a condition with all its cases written out
LEAST = 60  # nodes of a condition that is worth it
MOST_CELLS = 512  # of a variable whose cells are told apart
PLACE, VALUE = "place~", "value~"

Case = tuple[Expr, ...]
"""Conditions that must all hold."""


@dataclass(frozen=True, slots=True)
class Change:
    """One cell that was assigned: the text that tells which, and the range of its value."""

    place: str
    value: Sort


@dataclass(slots=True)
class Past:
    """What did not hold at the last choice, and what was assigned since."""

    refused: tuple[Expr, ...] = ()
    watched: frozenset[str] = frozenset()
    """The variables that these conditions look at."""
    changed: dict[str, Change | None] = field(default_factory=dict)
    """By variable; None when more than one cell may have changed."""

    def copy(self) -> Past:
        return Past(self.refused, self.watched, dict(self.changed))

    def watches(self, variable: str) -> bool:
        """True when it is worth knowing which cell of the variable changes."""
        return variable in self.watched and variable not in self.changed

    def assign(self, variable: str, change: Change) -> None:
        """One cell of the variable has a new value."""
        self.changed[variable] = None if variable in self.changed else change

    def lose(self, variables: AbstractSet[str]) -> None:
        """Any cell of the variables may have changed."""
        for variable in variables:
            self.changed[variable] = None


class Recall:
    """Writes conditions that did not hold at the last choice as what has changed since."""

    def __init__(self, printer: Printer, facts: Facts) -> None:
        self._printer = printer
        self._facts = facts
        self._cases: dict[Expr, tuple[Case, ...] | None] = {}
        self._names: dict[tuple[Expr, str, Sort, tuple[Case, ...]], str] = {}
        self.used: set[Expr] = set()
        """The conditions that some text relies on."""

    def past(self, refused: Iterable[Expr]) -> Past:
        """The past at a choice where these conditions do not hold, as far as it helps."""
        kept = tuple(each for each in refused if self._cases_of(each) is not None)
        return Past(kept, frozenset().union(*(self._facts.reads(each) for each in kept)))

    def text(self, condition: Expr, past: Past, scope: Scope) -> str | None:
        """Text that is true when the condition holds now; None when nothing is gained."""
        if condition not in past.refused:
            return None
        cases = self._cases_of(condition)
        if cases is None:
            return None
        always: list[Case] = []
        by_cell: dict[str, list[Case]] = {}
        for case in cases:
            touched = {name for name in past.changed if name in self._variables(case)}
            if not touched:
                continue
            (name, *more) = touched
            change = past.changed[name]
            if more or change is None or self._cells(case, name) is None:
                always.append(case)
            else:
                by_cell.setdefault(name, []).append(case)
        words: list[str] = []
        calls: list[str] = []
        for name, found in by_cell.items():
            change = past.changed[name]
            assert change is not None
            variable = self._printer.game.variable[name]
            common = [case for case in found if self._everywhere(case, variable)]
            always += common
            rest = [case for case in found if case not in common]
            if rest:
                function = self._function(condition, variable, change.value, rest)
                calls.append(f"{function}(s, g, {change.place}, s[{change.place}])")
        kept = sum(size(part) for case in always for part in case)
        if 2 * kept > sum(size(part) for case in cases for part in case):
            return None
        self.used.add(condition)
        if always:
            words.append(self._printer.condition(factored(always), scope))
        return " or ".join([*(f"({word})" for word in words), *calls]) or "False"

    # --- cases ----------------------------------------------------------------------------------

    def _cases_of(self, condition: Expr) -> tuple[Case, ...] | None:
        if condition not in self._cases:
            self._cases[condition] = self._taken_apart(condition)
        return self._cases[condition]

    def _taken_apart(self, condition: Expr) -> tuple[Case, ...] | None:
        if not self._facts.total(condition) or self._whole_size(condition) > LARGEST:
            return None
        cases = tuple(
            dict.fromkeys(
                tuple(dict.fromkeys(conjuncts(case))) for case in self._disjuncts(condition, True)
            )
        )
        total = sum(size(part) for case in cases for part in case)
        return cases if len(cases) > 1 and total >= LEAST else None

    def _whole_size(self, expr: Expr) -> int:
        """About how many nodes there are once terms and folds are written out."""
        total = unrolled_size(expr)
        for part in walk(expr):
            if isinstance(part, Call):
                total += self._whole_size(self._printer.game.term[part.term].body)
            if total > LARGEST:
                break
        return total

    def _disjuncts(self, expr: Expr, truth: bool) -> Iterable[Expr]:
        """Conditions one of which must hold for the expression to have that truth."""
        match expr:
            case Call(term=name, args=args):
                term = self._printer.game.term[name]
                given = {
                    parameter.name: argument
                    for parameter, argument in zip(term.parameters, args, strict=True)
                }
                yield from self._disjuncts(substitute(freshened(term.body), given), truth)
            case Apply(op=Op.NOT, args=(inner,)):
                yield from self._disjuncts(inner, not truth)
            case Apply(op=Op.OR, args=args) if truth:
                for arg in args:
                    yield from self._disjuncts(arg, True)
            case Apply(op=Op.AND, args=args) if not truth:
                for arg in args:
                    yield from self._disjuncts(arg, False)
            case Apply(op=Op.IF, args=(test, Const(value=value), other)):
                # Either the test decides, or it does not hold and the other side does; that the
                # test does not hold need not be asked where its holding gives the same answer.
                if bool(value) is truth:
                    yield from self._disjuncts(test, True)
                    yield from self._disjuncts(other, truth)
                else:
                    yield from self._plain(expr, truth)
            case Fold(op=FoldOp.ANY) if truth:
                yield from self._disjuncts(_written_out(expr), True)
            case Fold(op=FoldOp.ALL) if not truth:
                yield from self._disjuncts(_written_out(expr), False)
            case _:
                yield from self._plain(expr, truth)

    def _plain(self, expr: Expr, truth: bool) -> Iterable[Expr]:
        prepared = self._printer.prepared(_without_not(expr, truth))
        if prepared != FALSE:
            yield prepared

    # --- cells ----------------------------------------------------------------------------------

    def _variables(self, case: Case) -> frozenset[str]:
        return frozenset().union(*(self._facts.reads(part) for part in case))

    def _cells(self, case: Case, variable: str) -> frozenset[int] | None:
        """The cells of a variable that a case looks at; None when that depends on the position."""
        shape = self._printer.game.variable[variable]
        found: set[int] = set()
        for condition in case:
            for part in walk(condition):
                if isinstance(part, Call) and variable in self._facts.reads(part):
                    return None
                if isinstance(part, Read) and part.variable == variable:
                    cell = _constant_cell(part, shape)
                    if cell is None:
                        return None
                    found.add(cell)
        return frozenset(found)

    def _everywhere(self, case: Case, variable: Variable) -> bool:
        cells = self._cells(case, variable.name)
        return variable.cells > MOST_CELLS or cells is None or 2 * len(cells) > variable.cells

    # --- functions ------------------------------------------------------------------------------

    def _function(
        self, condition: Expr, variable: Variable, value: Sort, cases: Sequence[Case]
    ) -> str:
        """The function that asks the cases that look at one cell."""
        key = (condition, variable.name, value, tuple(cases))
        if key in self._names:
            return self._names[key]
        looking: dict[int, list[Case]] = {}
        for case in cases:
            for cell in self._cells(case, variable.name) or ():
                looking.setdefault(cell, []).append(case)
        words = condition.term if isinstance(condition, Call) else "holds"
        name = self._printer.function_names.fresh(f"{words}_by_{variable.name}")
        emitter, scope = Emitter(), Scope()
        place, now = scope.bind(PLACE), scope.bind(VALUE)

        def leaf(cell: int) -> None:
            text = self._printer.condition(self._at(cell, variable, value, looking[cell]), scope)
            emitter.line(f"return 1 if {text} else 0")

        with emitter.block(f"def {name}(s, g, {place}, {now}):"):
            dispatch(emitter, sorted(looking), leaf, on=place)
            emitter.line("return 0")
        self._printer.functions.append(emitter.text())
        self._names[key] = name
        return name

    def _at(self, cell: int, variable: Variable, value: Sort, cases: Iterable[Case]) -> Expr:
        """The cases that look at a cell, whose value is at hand."""
        now = Local(VALUE, value)
        reads: dict[Expr, Expr] = {
            part: now
            for case in cases
            for condition in case
            for part in walk(condition)
            if isinstance(part, Read)
            and part.variable == variable.name
            and _constant_cell(part, variable) == cell
        }
        found = [
            tuple(self._printer.prepared(replace_cells(part, reads)) for part in case)
            for case in cases
        ]
        found = [tuple(part for part in case if part != TRUE) for case in found]
        return factored(merged([case for case in found if FALSE not in case], now))


def _written_out(fold: Fold) -> Expr:
    flat = unrolled(fold)
    assert flat is not None, "`any` and `all` can always be written out"
    return flat


def _without_not(expr: Expr, truth: bool) -> Expr:
    return expr if truth else negated(expr)


def _constant_cell(read: Read, variable: Variable) -> int | None:
    cell = variable.offset
    for index, dimension, stride in zip(
        read.indices, variable.dimensions, variable.strides, strict=True
    ):
        if not isinstance(index, Const):
            return None
        cell += (index.value - dimension.low) * stride
    return cell


def merged(cases: Sequence[Case], local: Local) -> list[Case]:
    """Cases that say of each value of a local what they say of the others, said once.

    `v = red and a = red` or `v = yellow and a = yellow` is `a = v` when v is red or yellow.
    """
    values: dict[Case, set[int]] = {}
    kept: list[Case] = []
    for case in cases:
        asked = [_asked_value(part, local) for part in case]
        known = [value for value in asked if value is not None]
        if len(known) != 1:
            kept.append(case)
            continue
        rest = tuple(
            _compared_with(part, known[0], local)
            for part, value in zip(case, asked, strict=True)
            if value is None
        )
        values.setdefault(rest, set()).add(known[0])
    low, high = bounds(local)
    for rest, found in values.items():
        if found >= set(range(low, high + 1)):
            kept.append(rest)
            continue
        for value in sorted(found):
            kept.append((Apply(Op.EQ, (local, Const(value, local.sort)), BOOLEAN), *rest))
    return kept


def _asked_value(part: Expr, local: Local) -> int | None:
    """The value that a condition wants the local to have, if that is all it says."""
    match part:
        case Apply(op=Op.EQ, args=(Local() as found, Const(value=value))) if found == local:
            return value
        case _ if part == local and local.sort.boolean:
            return 1
        case _:
            return None


def _compared_with(part: Expr, value: int, local: Local) -> Expr:
    match part:
        case Apply(op=Op.EQ, args=(first, Const(value=found))) if found == value:
            return Apply(Op.EQ, (first, local), BOOLEAN)
        case _:
            return part


def factored(cases: Sequence[Case]) -> Expr:
    """The condition that some case holds, each condition that many cases share asked once."""
    if not cases:
        return FALSE
    if any(not case for case in cases):
        return TRUE
    groups: list[Expr] = []
    left = list(dict.fromkeys(cases))
    while left:
        counts = Counter(part for case in left for part in case)
        shared, count = counts.most_common(1)[0]
        if count == 1:
            groups += [_all(case) for case in left]
            break
        inside = [case for case in left if shared in case]
        left = [case for case in left if shared not in case]
        rest = factored([tuple(part for part in case if part != shared) for case in inside])
        groups.append(shared if rest == TRUE else _all((shared, *conjuncts(rest))))
    return groups[0] if len(groups) == 1 else Apply(Op.OR, tuple(groups), BOOLEAN)


def _all(case: Collection[Expr]) -> Expr:
    parts = tuple(case)
    return parts[0] if len(parts) == 1 else Apply(Op.AND, parts, BOOLEAN)
