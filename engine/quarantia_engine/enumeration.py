"""Legal choices as nested loops: each condition in the outermost loop where it is decided.

`plan` sorts the guards of a rule by the loop they belong to and turns comparisons with a choice
into bounds of its loop; `write_choices` writes the loops.

NOTE(order) Moves come in the order of the choices as declared, each from its lowest value, so
that the numbers of the moves go up and every engine lists them alike. A condition is decided
early only if it has a value in every position, or if all conditions before it are decided by then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from quarantia_engine.analysis import Facts, free_locals
from quarantia_engine.emitter import Emitter, Scope
from quarantia_engine.encoding import radix
from quarantia_engine.expressions import Printer
from quarantia_engine.implied import Known
from quarantia_engine.rewriting import FALSE, TRUE, bounds, compare_ranges, conjuncts, number, size
from quarantia_engine.statements import StatementWriter
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Expr,
    Guard,
    Let,
    Local,
    Op,
    Parameter,
    Require,
    Sort,
)

SHORT = 4  # nodes of an expression that is cheap to look at
UNROLL_CHOICES = 120  # nodes of a choice's loop when written out


@dataclass(slots=True)
class Loop:
    """One choice: its parameter, the bounds besides its range, and what is decided inside."""

    parameter: Parameter
    lower: list[Expr] = field(default_factory=list)
    upper: list[Expr] = field(default_factory=list)
    guards: list[Let | Expr] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is decided before any choice, and then a loop for each choice."""

    guards: tuple[Let | Expr, ...]
    loops: tuple[Loop, ...]


_MIRROR = {Op.LE: Op.GE, Op.GE: Op.LE, Op.LT: Op.GT, Op.GT: Op.LT, Op.EQ: Op.EQ}


def plan(choices: tuple[Parameter, ...], guards: tuple[Guard, ...], facts: Facts) -> Plan:
    """Finds the loop for each guard; see NOTE(order)."""
    loops = tuple(Loop(choice) for choice in choices)
    outside: list[Let | Expr] = []
    depth_of = {choice.name: number for number, choice in enumerate(choices, 1)}
    decided = 0  # the deepest loop that a condition so far waits for

    def depth(expr: Expr) -> int:
        return max((depth_of.get(name, 0) for name in free_locals(expr)), default=0)

    def place(item: Let | Expr, level: int) -> None:
        (loops[level - 1].guards if level else outside).append(item)

    for guard in needed(guards):
        if isinstance(guard, Let):
            level = depth(guard.value)
            if not facts.total(guard.value):
                level = max(level, decided)
            depth_of[guard.name] = level
            place(guard, level)
            continue
        for part in conjuncts(guard.condition):
            level = depth(part)
            if not facts.total(part):
                level = max(level, decided)
            elif level and _tighten(loops[level - 1], part, level, depth):
                decided = max(decided, level)
                continue
            decided = max(decided, level)
            place(part, level)
    return Plan(tuple(outside), loops)


def parts_of(planned: Plan) -> tuple[Plan, ...]:
    """The plan cut wherever what follows does not look at the choices before.

    The legal choices are then all combinations of those of the parts, in the same order. What is
    decided before any choice goes with the first part.
    """
    first_seen = {loop.parameter.name: level for level, loop in enumerate(planned.loops)}
    cuts = set(range(1, len(planned.loops)))
    for level, loop in enumerate(planned.loops):
        for item in (*loop.lower, *loop.upper, *loop.guards):
            looked_at = free_locals(item.value if isinstance(item, Let) else item)
            back_to = min((first_seen.get(name, level) for name in looked_at), default=level)
            if isinstance(item, Let):
                first_seen[item.name] = min(back_to, level)
            cuts -= set(range(back_to + 1, level + 1))
    ends = [0, *sorted(cuts), len(planned.loops)]
    return tuple(
        Plan(planned.guards if start == 0 else (), planned.loops[start:end])
        for start, end in pairwise(ends)
    )


def needed(guards: tuple[Guard, ...], later: frozenset[str] = frozenset()) -> tuple[Guard, ...]:
    """The guards without the lets that neither a later guard nor `later` looks at."""
    wanted = set(later)
    kept: list[Guard] = []
    for guard in reversed(guards):
        if isinstance(guard, Require):
            wanted |= free_locals(guard.condition)
            kept.append(guard)
        elif guard.name in wanted:
            wanted |= free_locals(guard.value)
            kept.append(guard)
    return tuple(reversed(kept))


def _tighten(loop: Loop, part: Expr, level: int, depth: Callable[[Expr], int]) -> bool:
    """Takes a comparison of the loop's own choice into its bounds, if it is one."""
    if not isinstance(part, Apply) or part.op not in _MIRROR or len(part.args) != 2:
        return False
    left, right = part.args
    op = part.op
    if not _is_local(left, loop.parameter.name):
        left, right, op = right, left, _MIRROR[op]
    if not _is_local(left, loop.parameter.name) or depth(right) >= level:
        return False
    if op in (Op.LE, Op.EQ):
        loop.upper.append(right)
    if op in (Op.GE, Op.EQ):
        loop.lower.append(right)
    if op is Op.LT:
        loop.upper.append(Apply(Op.SUB, (right, number(1)), _shifted(right, -1)))
    if op is Op.GT:
        loop.lower.append(Apply(Op.ADD, (right, number(1)), _shifted(right, 1)))
    return True


def _shifted(expr: Expr, by: int) -> Sort:
    low, high = bounds(expr)
    return Sort(low + by, high + by)


def _is_local(expr: Expr, name: str) -> bool:
    return isinstance(expr, Local) and expr.name == name


def _quick_test(condition: Expr) -> Expr | None:
    """A short condition that must hold for a long comparison to hold, if it says anything."""
    if not isinstance(condition, Apply) or len(condition.args) != 2:
        return None
    left, right = condition.args
    op = condition.op
    if size(left) > size(right):
        left, right, op = right, left, _MIRROR.get(op, op)
    if size(left) > SHORT or size(right) <= size(left) + SHORT:
        return None
    low, high = bounds(right)
    limit = low if op in (Op.GE, Op.GT) else high if op in (Op.LE, Op.LT) else None
    if limit is None or compare_ranges(op, left, number(limit)) is not None:
        return None
    return Apply(op, (left, number(limit)), BOOLEAN)


class ChoiceWriter:
    """Writes the loops that list the legal moves of one offer."""

    def __init__(self, printer: Printer, facts: Facts, emitter: Emitter, scope: Scope) -> None:
        self.printer = printer
        self.facts = facts
        self.emitter = emitter
        self.scope = scope

    def write(
        self,
        choices: tuple[Parameter, ...],
        guards: tuple[Guard, ...],
        values: dict[str, Expr],
        base: str,
        first: int,
    ) -> None:
        """Emits lines that put the number of each legal move into `buf` at `n`.

        `base` is text that is added to each number ("" for nothing), `first` the number of the
        offer's first move. Before: `n` moves are in `buf`; after: the legal ones follow them.
        """
        self._radix = radix(choices)
        self._base = base
        self._counter, self._place = "n", 0
        planned = plan(choices, guards, self.facts)
        self._level(planned, 0, planned.guards, dict(values), first, [])

    def write_part(self, part: Plan, values: dict[str, Expr], counter: str, place: int) -> None:
        """Emits lines that put the numbers of the choices of a part into `buf` from `place` on.

        They are counted in `counter`. Lets before the first choice stay bound in `values`.
        """
        self._radix = radix(tuple(loop.parameter for loop in part.loops))
        self._base = ""
        self._counter, self._place = counter, place
        self._level(part, 0, part.guards, values, 0, [])

    def _level(
        self,
        planned: Plan,
        level: int,
        guards: tuple[Let | Expr, ...],
        values: dict[str, Expr],
        number_so_far: int,
        variable_parts: list[tuple[str, int]],
    ) -> None:
        """What is decided at this level, then the next loop, or the move itself."""
        pending: list[Expr] = []
        for position, item in enumerate(guards):
            if isinstance(item, Let):
                if pending:
                    rest = guards[position:]
                    with self.emitter.block(f"if {self.joined(pending)}:"):
                        self._level(planned, level, rest, values, number_so_far, variable_parts)
                    return
                self._let(item, values)
                continue
            condition = self.printer.prepared(item, values)
            if condition == FALSE:
                return
            if condition != TRUE:
                pending.append(condition)
        if pending:
            with self.emitter.block(f"if {self.joined(pending)}:"):
                self._next(planned, level, values, number_so_far, variable_parts)
        else:
            self._next(planned, level, values, number_so_far, variable_parts)

    def joined(self, conditions: list[Expr]) -> str:
        """Text that is true when all conditions hold."""
        ordered = self._cheapest_first(conditions)
        joined = ordered[0] if len(ordered) == 1 else Apply(Op.AND, tuple(ordered), BOOLEAN)
        return self.printer.condition(joined, self.scope)

    def _cheapest_first(self, conditions: list[Expr]) -> list[Expr]:
        """The conditions in an order that settles most cases early, where order is free.

        A comparison with a long expression is preceded by one with the least it can be.
        """
        if not all(self.facts.total(condition) for condition in conditions):
            return conditions
        quick = [test for condition in conditions if (test := _quick_test(condition)) is not None]
        return sorted([*quick, *conditions], key=self.printer.cost)

    def _let(self, let: Let, values: dict[str, Expr]) -> None:
        writer = StatementWriter(self.printer, self.facts, self.emitter, self.scope, None)
        writer.let(let.name, let.value, Known(self.facts), values)

    def _next(
        self,
        planned: Plan,
        level: int,
        values: dict[str, Expr],
        number_so_far: int,
        variable_parts: list[tuple[str, int]],
    ) -> None:
        if level == len(planned.loops):
            parts = [self._base] if self._base else []
            parts.extend(text if by == 1 else f"{text} * {by}" for text, by in variable_parts)
            if number_so_far or not parts:
                text = " + ".join(parts)
                sign = "-" if number_so_far < 0 else "+"
                parts = [f"{text} {sign} {abs(number_so_far)}" if text else str(number_so_far)]
            place = f"{self._counter} + {self._place}" if self._place else self._counter
            self.emitter.line(f"buf[{place}] = {' + '.join(parts)}")
            self.emitter.line(f"{self._counter} += 1")
            return
        loop = planned.loops[level]
        sort = loop.parameter.sort
        by = self._radix[level]
        lower, low = self.bound(loop.lower, sort.low, values, is_lower=True)
        upper, high = self.bound(loop.upper, sort.high, values, is_lower=False)
        if low > high:
            return
        constant = lower is None and upper is None
        if constant and (high == low or self._unrolls(planned, level, high - low + 1)):
            for value in range(low, high + 1):
                inner = {**values, loop.parameter.name: number(value)}
                so_far = number_so_far + (value - sort.low) * by
                guards = tuple(loop.guards)
                self._level(planned, level + 1, guards, inner, so_far, variable_parts)
            return
        name = self.scope.bind(loop.parameter.name)
        first = str(low) if lower is None else lower
        last = str(high + 1) if upper is None else f"{upper} + 1"
        heading = f"range({last})" if first == "0" else f"range({first}, {last})"
        with self.emitter.block(f"for {name} in {heading}:"):
            self.scope.room(loop.parameter.name, self.emitter)
            product = self.scope.product(loop.parameter.name, by)
            part = (name, by) if product is None else (product, 1)
            self._level(
                planned,
                level + 1,
                tuple(loop.guards),
                {key: value for key, value in values.items() if key != loop.parameter.name},
                number_so_far - sort.low * by,
                [*variable_parts, part],
            )

    def bound(
        self, exprs: list[Expr], limit: int, values: dict[str, Expr], *, is_lower: bool
    ) -> tuple[str | None, int]:
        """One end of a loop: text when it depends on the position, and the constant end."""
        texts: list[str] = []
        for expr in exprs:
            prepared = self.printer.prepared(expr, values)
            low, high = bounds(prepared)
            if is_lower:
                if low == high:
                    limit = max(limit, low)
                elif high > limit:
                    texts.append(self._named(prepared, limit if low < limit else None, "<"))
            elif low == high:
                limit = min(limit, high)
            elif low < limit:
                texts.append(self._named(prepared, limit if high > limit else None, ">"))
        if not texts:
            return None, limit
        if len(texts) == 1:
            return texts[0], limit
        return f"{'max' if is_lower else 'min'}({', '.join(texts)})", limit

    def _named(self, expr: Expr, limit: int | None, beyond: str) -> str:
        """The text of a bound; named and cut off at the limit where it may go beyond it."""
        text = self.printer.value(expr, self.scope)
        if limit is None:
            return f"({text})"
        name = self.scope.names.fresh("end")
        self.emitter.line(f"{name} = {text}")
        with self.emitter.block(f"if {name} {beyond} {limit}:"):
            self.emitter.line(f"{name} = {limit}")
        return name

    def _unrolls(self, planned: Plan, level: int, count: int) -> bool:
        """True when this loop and those inside it are short enough to be written out."""
        total = 2
        for loop in reversed(planned.loops[level:]):
            own = sum(size(item.value if isinstance(item, Let) else item) for item in loop.guards)
            ends = sum(size(end) for end in (*loop.lower, *loop.upper))
            total = (total + own) * loop.parameter.sort.size + ends
        del count
        return total <= UNROLL_CHOICES
