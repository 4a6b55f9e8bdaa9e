"""Terms: clauses, readings and rulings become one settled meaning, and none of them is lost."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from quarantia_spec import ir, syntax
from quarantia_spec.defined import part_count
from quarantia_spec.diagnostics import Code, Label
from quarantia_spec.elaborate.expressions import (
    boolean,
    elaborate_as,
    kind_of,
    reason_of,
    sentences,
)
from quarantia_spec.elaborate.scope import Scope
from quarantia_spec.elaborate.sorts import sort_of
from quarantia_spec.elaborate.world import LARGEST_CONDITION, Gone, World
from quarantia_spec.ir import Op
from quarantia_spec.ops import TRUE, apply, conjunction, in_range
from quarantia_spec.source import Origin, Span
from quarantia_spec.suggest import closest


def term_of(world: World, name: str, declaration: syntax.Term, span: Span) -> ir.Term:
    return world.once("term", name, span, lambda: _make(world, name, declaration))


def _make(world: World, name: str, declaration: syntax.Term) -> ir.Term:
    scope = Scope(world)
    parameters = []
    for parameter in declaration.parameters or ():
        local = scope.bind(parameter.name, sort_of(world, parameter.sort), parameter.span)
        parameters.append(ir.Parameter(local.name, local.sort))
    sort = sort_of(world, declaration.sort)
    origin = world.origin(declaration.span, declaration.cites)
    clauses = _clauses(world, name, scope, declaration, sort)
    otherwise, otherwise_reason = _otherwise(scope, declaration, sort)
    if not clauses and otherwise is None:
        world.reporter.error(
            Code.NO_CLAUSE,
            f"nothing says what `{name}` is",
            declaration.span,
            "add `= …` or a clause such as `§1 name: …`",
        )
        raise Gone
    precedence, reason = _precedence(world, name, declaration, clauses)
    body = settle(clauses, precedence, otherwise)
    if body.sort.low > sort.high or body.sort.high < sort.low:
        world.reporter.error(
            Code.OUT_OF_RANGE,
            f"`{name}` lies in {body.sort.low}..{body.sort.high}, never in {sort.low}..{sort.high}",
            declaration.span,
            "correct the range of the term",
        )
    _remember_what_it_asks(
        world, name, tuple(parameters), sort, body, clauses, otherwise, declaration.span
    )
    shown = declaration.visibility is not None and declaration.visibility.kind == "all"
    term = ir.Term(
        name,
        tuple(parameters),
        sort,
        body,
        clauses,
        precedence,
        otherwise,
        otherwise_reason if reason == ir.NO_REASON else reason,
        shown,
        ir.NO_SENTENCES,
        ir.NO_SENTENCES,
        origin if declaration.cites else Origin(
            declaration.span,
            tuple(dict.fromkeys(c for clause in clauses for c in clause.origin.citations)),
        ),
        otherwise_reason,
    )  # fmt: skip
    world.terms[name] = term
    return term


def add_sentences(world: World, name: str, declaration: syntax.Term) -> None:
    """Sentences come last: they may speak of any term, this one included."""
    term = world.terms.get(name)
    if term is None:
        return
    says = tuple(item for item in declaration.items if isinstance(item, syntax.Say))
    inner = tuple(
        item
        for clause in declaration.items
        if isinstance(clause, syntax.Clause)
        for item in clause.items
        if isinstance(item, syntax.Say)
    )
    scope = Scope(world)
    for written, parameter in zip(declaration.parameters or (), term.parameters, strict=True):
        scope.names[written.name] = ir.Local(parameter.name, parameter.sort)
        scope.taken.add(parameter.name)
    for clause in term.clauses:
        scope.names.setdefault(clause.name, chosen_value(clause))
    own = tuple(ir.Local(parameter.name, parameter.sort) for parameter in term.parameters)
    scope.names.setdefault(name, ir.Call(name, own, term.sort))
    world.terms[name] = replace(
        term,
        say=sentences(scope, (*says, *inner), declaration.span),
        doubt=sentences(scope, (*says, *inner), declaration.span, "doubt"),
    )


def _clauses(
    world: World, term: str, scope: Scope, declaration: syntax.Term, sort: ir.Sort
) -> tuple[ir.Clause, ...]:
    clauses: list[ir.Clause] = []
    if declaration.value is not None:
        world.must_cite(f"term `{term}`", declaration.span, declaration.cites)
        value = elaborate_as(scope, declaration.value, sort)
        origin = Origin(declaration.span, declaration.cites)
        clauses.append(
            ir.Clause(
                "rule",
                None,
                (ir.Reading("rule", value, origin),),
                "rule",
                True,
                ir.NO_REASON,
                origin,
            )
        )
    for item in declaration.items:
        if isinstance(item, syntax.Clause):
            if any(clause.name == item.name for clause in clauses):
                world.reporter.error(
                    Code.DUPLICATE_NAME, f"two clauses are called `{item.name}`", item.span,
                    "give one of them another name",
                )  # fmt: skip
                continue
            clauses.append(_clause(world, term, scope, item, sort))
    return tuple(clauses)


def _clause(world: World, term: str, scope: Scope, item: syntax.Clause, sort: ir.Sort) -> ir.Clause:
    origin = world.origin(item.span, item.cites)
    when = None if item.when is None else boolean(scope, item.when)
    if item.value is not None:
        value = elaborate_as(scope, item.value, sort)
        reading = ir.Reading(item.name, value, origin)
        return ir.Clause(item.name, when, (reading,), item.name, True, ir.NO_REASON, origin)
    readings = tuple(
        ir.Reading(
            reading.name,
            elaborate_as(scope, reading.value, sort),
            world.origin(reading.span, reading.cites or item.cites),
        )
        for reading in item.items
        if isinstance(reading, syntax.Reading)
    )
    if not readings:
        world.reporter.error(
            Code.NO_CLAUSE, f"clause `{item.name}` has no reading", item.span,
            "add `reading name: …` lines, or a value after `:`",
        )  # fmt: skip
        raise Gone
    names = [reading.name for reading in readings]
    rulings = [ruling for ruling in item.items if isinstance(ruling, syntax.Ruling)]
    because = ir.NO_REASON
    chosen = names[0]
    if rulings:
        ruling = rulings[0]
        because = reason_of(ruling.because)
        if ruling.names[0] not in names:
            _unknown_ruling(world, ruling, names)
        else:
            chosen = ruling.names[0]
    elif len(readings) > 1:
        world.reporter.error(
            Code.UNRULED_READING,
            f"`{term}` can be read in {len(readings)} ways and no ruling settles it",
            item.span,
            f'add `ruling {names[0]} because "…"` to the clause',
            tuple(Label(r.origin.span, f"reading `{r.name}`") for r in readings),
            item.cites,
        )
    asked = world.readings.get(f"{term}.{item.name}")
    if asked is not None and asked in names:
        world.used_readings.add(f"{term}.{item.name}")
        chosen = asked
    return ir.Clause(
        item.name, when, readings, chosen, bool(rulings) or len(readings) == 1, because, origin
    )


def _unknown_ruling(world: World, ruling: syntax.Ruling, names: list[str]) -> None:
    wrong = next(name for name in ruling.names if name not in names)
    near = closest(wrong, names)
    world.reporter.error(
        Code.UNKNOWN_RULING,
        f"the ruling names `{wrong}`, which is not there",
        ruling.span,
        f"did you mean `{near}`?" if near else f"choose one of {', '.join(names)}",
    )


def _otherwise(
    scope: Scope, declaration: syntax.Term, sort: ir.Sort
) -> tuple[ir.Expr | None, ir.Reason]:
    for item in declaration.items:
        if isinstance(item, syntax.Otherwise):
            return elaborate_as(scope, item.value, sort), reason_of(item.because)
    return None, ir.NO_REASON


def _precedence(
    world: World, term: str, declaration: syntax.Term, clauses: tuple[ir.Clause, ...]
) -> tuple[tuple[str, ...], ir.Reason]:
    names = [clause.name for clause in clauses]
    order: list[str] = []
    reason = ir.NO_REASON
    ruled = False
    for item in declaration.items:
        if isinstance(item, syntax.Ruling):
            ruled = True
            if any(name not in names for name in item.names):
                _unknown_ruling(world, item, names)
                continue
            order.extend(item.names)
            reason = reason_of(item.because)
    # Under a reading that was asked for, passages that agreed may differ: the checker tells.
    if not ruled and not world.readings:
        _report_plain_conflict(world, term, clauses)
    asked = world.readings.get(term)
    if asked is not None and asked in names:
        world.used_readings.add(term)
        order = [asked, *(name for name in order if name != asked)]
    return tuple(order), reason


def _report_plain_conflict(world: World, term: str, clauses: tuple[ir.Clause, ...]) -> None:
    """Two passages that always apply and say different constants: no checker is needed."""
    always = [c for c in clauses if c.when is None and isinstance(chosen_value(c), ir.Const)]
    for first, second in pairwise(always):
        one, other = chosen_value(first), chosen_value(second)
        assert isinstance(one, ir.Const) and isinstance(other, ir.Const)
        if one.value != other.value:
            world.reporter.error(
                Code.UNRULED_CONFLICT,
                f"`{term}` is {_shown(world, one)} by `{first.name}` and "
                f"{_shown(world, other)} by `{second.name}`",
                second.origin.span,
                f'add `ruling {first.name} because "…"`, or correct one of them',
                (Label(first.origin.span, "the other passage"),),
                (*first.origin.citations, *second.origin.citations),
            )


def _shown(world: World, value: ir.Const) -> str:
    names = world.enumerations.get(value.sort.names)
    if value.sort.boolean:
        return "true" if value.value else "false"
    if names is not None and 0 <= value.value < len(names):
        return names[value.value]
    return str(value.value) if kind_of(value.sort) == "a number" else "none"


def chosen_value(clause: ir.Clause) -> ir.Expr:
    return next(r.value for r in clause.readings if r.name == clause.chosen)


def settle(
    clauses: tuple[ir.Clause, ...], precedence: tuple[str, ...], otherwise: ir.Expr | None
) -> ir.Expr:
    """The meaning under the rulings: the strongest clause that applies, else `otherwise`."""
    rank = {name: position for position, name in enumerate(precedence)}
    ordered = sorted(clauses, key=lambda clause: rank.get(clause.name, len(rank)))
    result = otherwise
    for clause in reversed(ordered):
        value = chosen_value(clause)
        if clause.when is None or result is None:
            result = value
        else:
            result = apply(Op.IF, clause.when, value, result, origin=clause.origin)
    assert result is not None
    return result


def _remember_what_it_asks(
    world: World,
    name: str,
    parameters: tuple[ir.Parameter, ...],
    sort: ir.Sort,
    body: ir.Expr,
    clauses: tuple[ir.Clause, ...],
    otherwise: ir.Expr | None,
    span: Span,
) -> None:
    """A call has a meaning when some clause applies, its value exists and fits the range."""
    covered: ir.Expr | None = None
    if otherwise is None and all(clause.when is not None for clause in clauses):
        some: ir.Expr | None = None
        for clause in clauses:
            when = clause.when or TRUE
            some = when if some is None else apply(Op.OR, some, when)
        covered = some
    asks = conjunction(covered, world.defined.of(body), in_range(body, sort))
    if asks is not None and part_count(asks, LARGEST_CONDITION) >= LARGEST_CONDITION:
        world.reporter.error(
            Code.TOO_LARGE,
            f"whether `{name}` has a value depends on too many conditions",
            span,
            "keep the terms that it uses within their ranges, so that nothing has to be asked",
        )
        raise Gone
    world.defined.terms[name] = (parameters, asks)
