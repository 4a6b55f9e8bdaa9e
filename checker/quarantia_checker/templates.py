"""Facts read off the rules: what a proof by induction is likely to need, before any play.

Most auxiliary facts of a game are already written in its text. A condition that play has just
passed still holds a step later; a name that the flow gives to a value still stands for it; a
choice that was legal when written down is legal until it is carried out. `readings_of_the_rules`
gives all of these as facts; the prover keeps those that turn out to be inductive.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from quarantia_checker.facts import Stated
from quarantia_engine.analysis import free_locals
from quarantia_engine.rewriting import FALSE, TRUE, apply_folded, freshened, negated, substitute
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Assign,
    Auto,
    Branch,
    Const,
    Decision,
    Expr,
    Fold,
    FoldOp,
    For,
    Game,
    Gather,
    Let,
    Local,
    Oblige,
    Op,
    PropertyKind,
    Read,
    Require,
    Role,
    Sort,
    Statement,
)

MOST_INSTANCES = 400  # of one condition; beyond, it stays whole


def readings_of_the_rules(game: Game, refuted: Container[str] = ()) -> list[list[Stated]]:
    """Everything the text of the rules suggests may hold, each fact once.

    The facts of one list are parts of one condition: where one of them fails, the others are not
    worth trying either.
    """
    found: list[list[Stated]] = []
    seen: set[Expr] = set()
    for name, condition in _conditions(game):
        if name in refuted:
            continue
        group: list[Stated] = []
        for part in instances(condition):
            if part not in (TRUE, FALSE) and not free_locals(part) and part not in seen:
                seen.add(part)
                group.append(Stated(f"{name} ({len(seen)})", part, kin=name))
        found.append(group)
    return found


def _conditions(game: Game) -> Iterator[tuple[str, Expr]]:
    for each in game.properties:
        if each.kind in (PropertyKind.INVARIANT, PropertyKind.HINT):
            yield each.name, each.condition
    for node in game.nodes:
        match node:
            case Auto(body=body):
                yield from _of_body(game, body)
            case Branch(condition=condition):
                yield "passed", condition
                yield "not passed", negated(condition)
            case Gather():
                yield from _of_choices(game, node)
            case _:
                pass


def _of_body(game: Game, body: Iterable[Statement]) -> Iterator[tuple[str, Expr]]:
    """Names that the flow gives to values, who is asked to choose, and what was called for."""
    for statement in body:
        match statement:
            case Assign(variable=name, indices=(), value=value):
                variable = game.variable[name]
                if variable.role is Role.FLOW and not isinstance(value, Const):
                    cell = Read(name, (), variable.sort)
                    yield name, Apply(Op.EQ, (cell, value), BOOLEAN)
            case For(name=seat, low=low, high=high, body=inner):
                for each in inner:
                    if (
                        isinstance(each, Assign)
                        and game.variable[each.variable].role is Role.PENDING
                        and each.value not in (TRUE, FALSE)
                        and game.variable[each.variable].sort.boolean
                    ):
                        cell = Read(each.variable, each.indices, BOOLEAN)
                        asked = Apply(Op.IMPLIES, (cell, each.value), BOOLEAN)
                        yield each.variable, _for_all(seat, low, high, asked)
            case Oblige(condition=condition):
                yield "called for", condition
            case _:
                pass


def _of_choices(game: Game, node: Gather) -> Iterator[tuple[str, Expr]]:
    """Whoever waits has chosen nothing; what is written down was legal."""
    seats = game.variable[node.waiting].dimensions[0]
    waiting = game.variable[node.waiting]
    for offer in node.offers:
        rule = game.decision[offer.rule]
        seat = Local(f"{rule.actor}~seat", seats)
        kept = dict(_written_down(rule))
        bindings: dict[str, Expr] = {rule.actor: seat}
        chosen: Expr | None = None
        for name, value in kept.items():
            sort = game.variable[name].sort
            cell = Read(name, (seat,), sort)
            if isinstance(value, Local):
                bindings[value.name] = cell
            elif isinstance(value, Const) and name != node.waiting:
                chosen = Apply(Op.EQ, (cell, value), BOOLEAN)
                idle = Apply(Op.EQ, (cell, Const(sort.low, sort)), BOOLEAN)
        for parameter, argument in zip(rule.context, offer.arguments, strict=True):
            bindings[parameter.name] = argument
        if chosen is None:
            continue
        waits = Read(waiting.name, (seat,), BOOLEAN)
        still = Apply(Op.IMPLIES, (waits, idle), BOOLEAN)
        yield waiting.name, _for_all(seat.name, seats.low, seats.high, still)
        for guard in rule.guards:
            match guard:
                case Let(name=name, value=value):
                    bindings[name] = substitute(freshened(value), bindings)
                case Require(condition=condition):
                    legal = substitute(freshened(condition), bindings)
                    claim = Apply(Op.IMPLIES, (chosen, legal), BOOLEAN)
                    yield rule.name, _for_all(seat.name, seats.low, seats.high, claim)


def _written_down(rule: Decision) -> Iterator[tuple[str, Expr]]:
    for statement in rule.body:
        if isinstance(statement, Assign):
            yield statement.variable, statement.value


def _for_all(name: str, low: int, high: int, body: Expr) -> Fold:
    return Fold(FoldOp.ALL, name, low, high, None, body, None, BOOLEAN)


def instances(condition: Expr) -> list[Expr]:
    """The parts of a conjunction, quantifiers written out; the whole when there are too many."""
    parts = list(_instances(condition, TRUE, {}))
    return parts if len(parts) <= MOST_INSTANCES else [condition]


def _instances(expr: Expr, given: Expr, bound: Mapping[str, Expr]) -> Iterator[Expr]:
    match expr:
        case Apply(op=Op.AND, args=args):
            for argument in args:
                yield from _instances(argument, given, bound)
        case Apply(op=Op.IMPLIES, args=(left, right)):
            condition = substitute(left, bound)
            if condition != FALSE:
                yield from _instances(right, _both(given, condition), bound)
        case Fold(op=FoldOp.ALL, name=name, low=low, high=high, where=where, body=body):
            for value in range(low, high + 1):
                inner = {**bound, name: Const(value, Sort(value, value))}
                condition = TRUE if where is None else substitute(where, inner)
                if condition != FALSE:
                    yield from _instances(body, _both(given, condition), inner)
        case _:
            part = substitute(expr, bound)
            if given == TRUE:
                yield part
            elif part != TRUE:
                yield apply_folded(Op.IMPLIES, (given, part), BOOLEAN)


def _both(left: Expr, right: Expr) -> Expr:
    if left == TRUE:
        return right
    return left if right == TRUE else apply_folded(Op.AND, (left, right), BOOLEAN)
