"""What every game owes without its author asking.

Every `Oblige` on every way holds; whoever is to choose has a legal choice, and chance an outcome;
play never goes round in circles by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from quarantia_checker.claims import BrokenDuty, Circles, Claim, DeadEnd, node_name
from quarantia_checker.encode import Frame
from quarantia_checker.induction import Question
from quarantia_checker.terms import SYMBOL, Term, Value
from quarantia_checker.transition import Known, System
from quarantia_checker.values import conjoin, disjoin, equal, negate, some
from quarantia_checker.verdict import Kind
from quarantia_spec.ir import Decide, Gather, Oblige, Offer, Parameter, Toss

MOST_CHOICES = 5000


def duties(system: System) -> list[Claim]:
    """One claim per `Oblige` statement that play can pass, over all the ways to it."""
    questions: dict[tuple[object, ...], list[Question]] = {}
    statements: dict[tuple[object, ...], Oblige] = {}
    for transition in system.everything:
        for demand in transition.demands:
            statement = demand.statement
            key = (statement.origin.span, statement.duty, statement.message, statement.condition)
            statements.setdefault(key, statement)
            bad = conjoin((demand.path, negate(demand.claim)))
            rows = questions.setdefault(key, [])
            if bad is not False:
                rows.append(
                    Question(
                        transition.name,
                        transition.source,
                        bad,
                        transition,
                        given=demand.before,
                    )
                )
    return [
        Claim(
            Kind.OBLIGATION,
            duty_name(statement),
            tuple(questions[key]),
            BrokenDuty(statement),
            statement.origin,
        )
        for key, statement in statements.items()
    ]


def duty_name(statement: Oblige) -> str:
    return statement.message or f"{statement.duty.value} at line {statement.origin.span.line}"


def dead_ends(system: System) -> list[Claim]:
    """One claim per stable node where somebody, or chance, must choose."""
    claims: list[Claim] = []
    for number in system.stable:
        node = system.game.nodes[number]
        if not isinstance(node, Decide | Gather | Toss):
            continue
        bad = nothing_legal(system, number, system.frame)
        name = node_name(system.game, node)
        questions = () if bad is False else (Question(name, number, bad),)
        claims.append(Claim(Kind.LEGALITY, name, questions, DeadEnd(number), node.origin))
    return claims


def nothing_legal(system: System, number: int, frame: Frame) -> Value:
    """That somebody must choose at the node and no choice is legal."""
    node = system.game.nodes[number]
    match node:
        case Decide(offers=offers):
            actor = system.encoder.encode(node.actor, frame)
            return negate(disjoin(_legal_choices(system, number, offers, actor, frame)))
        case Toss(offer=offer):
            return negate(disjoin(_legal_choices(system, number, (offer,), None, frame)))
        case Gather(offers=offers, waiting=waiting):
            variable = system.game.variable[waiting]
            seats = variable.dimensions[0]
            return disjoin(
                conjoin(
                    (
                        frame.cells[variable.offset + seat - seats.low],
                        negate(disjoin(_legal_choices(system, number, offers, seat, frame))),
                    )
                )
                for seat in range(seats.low, seats.high + 1)
            )
        case _:
            raise AssertionError(f"nobody chooses at node {number}")


def _legal_choices(
    system: System, number: int, offers: tuple[Offer, ...], actor: Value | None, frame: Frame
) -> Iterator[Value]:
    """For each choice in turn, whether it is legal; the fewest choices first."""
    game = system.game
    rules = [
        (
            offer,
            game.decision[offer.rule] if offer.rule in game.decision else game.chance[offer.rule],
        )
        for offer in offers
    ]
    rules.sort(key=lambda row: span(row[1].choices))
    for offer, rule in rules:
        if span(rule.choices) > MOST_CHOICES:
            yield _some_choice(system, number, offer, actor, frame)
            continue
        names = [parameter.name for parameter in rule.choices]
        domains = [range(each.sort.low, each.sort.high + 1) for each in rule.choices]
        for values in product(*domains):
            known = Known(actor, rule.name, dict(zip(names, values, strict=True)))
            for option in system.options(number, frame, known=known):
                if option.offer == offer:
                    yield conjoin((option.bounds, option.legal))


def _some_choice(
    system: System, number: int, offer: Offer, actor: Value | None, frame: Frame
) -> Value:
    """There are too many choices to list: the solver is asked whether there is one."""
    for option in system.options(number, frame, " sought"):
        if option.offer == offer:
            legal = conjoin((option.bounds, option.legal))
            if actor is not None and option.actor is not None and option.actor is not actor:
                legal = conjoin((legal, equal(option.actor, actor)))
            bound = [term for term in option.arguments.values() if not isinstance(term, int)]
            if (
                option.actor is not None
                and type(option.actor) is Term
                and option.actor.kind == SYMBOL
                and isinstance(system.game.nodes[number], Gather)
            ):
                bound.append(option.actor)
            return some(bound, legal)
    raise AssertionError(f"{offer.rule} is not offered at node {number}")


def span(parameters: tuple[Parameter, ...]) -> int:
    """How many choices there are."""
    size = 1
    for parameter in parameters:
        size *= parameter.sort.size
    return size


def circles(system: System) -> list[Claim]:
    """One claim for the whole game: what happens by itself comes to an end.

    Its proof is in `loops.py`; the questions are about loops that the system has unrolled.
    """
    questions = [
        Question(transition.name, transition.source, stuck.condition, transition)
        for transition in system.everything
        for stuck in transition.stuck
    ]
    return [Claim(Kind.FLOW, "play goes on", tuple(questions), Circles())]
