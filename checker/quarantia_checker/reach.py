"""What ought to be possible: goals, the end of the game, and every rule being of some use."""

from __future__ import annotations

from quarantia_checker.claims import BadPosition, Claim
from quarantia_checker.induction import Question
from quarantia_checker.passages import for_some
from quarantia_checker.pauses import PAUSE
from quarantia_checker.plays import Survey
from quarantia_checker.transition import System
from quarantia_checker.values import conjoin
from quarantia_checker.verdict import Kind
from quarantia_engine.engine import Engine
from quarantia_spec.ir import (
    Apply,
    Chance,
    Decision,
    End,
    Expr,
    Fold,
    FoldOp,
    Op,
    Parameter,
    PropertyKind,
    Sort,
)
from quarantia_spec.source import Origin


def goals(system: System, engine: Engine) -> list[Claim]:
    """The author's `reachable` goals, and that each end of the game can come about."""
    claims = [
        goal(system, engine, Kind.REACHABLE, each.name, each.condition, each.origin)
        for each in system.game.properties
        if each.kind is PropertyKind.REACHABLE
    ]
    ends = [node for node in system.game.nodes if isinstance(node, End)]
    for count, node in enumerate(ends, 1):
        name = "the game can end" if len(ends) == 1 else f"the game can end (end {count})"
        questions = tuple(
            Question(name, each.source, conjoin((each.assumed, arrival.condition)), each)
            for each in system.everything
            for arrival in each.arrivals
            if arrival.node == node.number
        )
        number = node.number
        claims.append(
            Claim(
                Kind.REACHABLE,
                name,
                questions,
                BadPosition(lambda cells, number=number: cells[0] == number),  # type: ignore[misc]
                node.origin,
                goal=True,
            )
        )
    return claims


def goal(
    system: System,
    engine: Engine,
    kind: Kind,
    name: str,
    condition: Expr,
    origin: Origin,
    warning: bool = False,
) -> Claim:
    wanted = system.encoder.condition(condition, system.frame)
    reached = engine.evaluator.function(condition)
    return Claim(
        kind,
        name,
        tuple(Question(name, node, wanted) for node in system.stable),
        BadPosition(lambda cells: bool(reached(cells))),
        origin,
        warning=warning,
        goal=True,
        general=Question(name, None, wanted),
    )


def uses(system: System, engine: Engine) -> list[Claim]:
    """That the condition of each conditional invariant can come about: else it says nothing."""
    claims: list[Claim] = []
    for each in system.game.properties:
        if each.kind is PropertyKind.INVARIANT:
            premise = _premise(each.condition)
            if premise is not None:
                name = f"{each.name}: its condition comes about"
                claims.append(goal(system, engine, Kind.VACUITY, name, premise, each.origin, True))
    return claims


def _premise(condition: Expr) -> Expr | None:
    """What an invariant of the form "for all …, if this then that" asks for."""
    match condition:
        case Apply(op=Op.IMPLIES, args=(left, _)):
            return left
        case Fold(op=FoldOp.ALL, name=name, low=low, high=high, where=where, body=body):
            inner = _premise(body)
            if inner is None:
                return None
            if where is not None:
                inner = Apply(Op.AND, (where, inner), inner.sort)
            return for_some((Parameter(name, Sort(low, high)),), inner)
        case _:
            return None


def idle_rules(system: System, survey: Survey) -> list[Claim]:
    """For each rule that no play has used: that it is used at all."""
    used = {rule for _, rule in survey.rules}
    by_rule: dict[str, list[Question]] = {}
    for each in system.transitions:
        assert each.offer is not None
        by_rule.setdefault(each.offer.rule, []).append(Question(each.name, each.source, True, each))
    claims: list[Claim] = []
    rules: list[Decision | Chance] = [*system.game.decisions, *system.game.chances]
    for rule in rules:
        if rule.name not in used and rule.name != PAUSE:
            claims.append(
                Claim(
                    Kind.VACUITY,
                    f"{rule.name} is used",
                    tuple(by_rule.get(rule.name, ())),
                    None,
                    rule.origin,
                    warning=True,
                    goal=True,
                )
            )
    return claims
