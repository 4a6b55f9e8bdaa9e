"""Two readings of one rule: the same game, or a play after which they can be told apart.

Both games are followed in step from the same positions. They are the same game when in every
reachable position the same choices are legal, chance is as likely to choose each, every choice
leads to the same position, everyone sees the same, and every end has the same outcome.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from quarantia_checker.induction import Open, Proved, Prover, Question, Site
from quarantia_checker.terms import Value
from quarantia_checker.transition import System, Transition
from quarantia_checker.values import conjoin, disjoin, equal, negate, same
from quarantia_engine.analysis import walk
from quarantia_spec.ir import Call, Chance, Decide, Decision, End, Expr, Game, Gather, Node, Toss


def comparable(first: Game, second: Game) -> bool:
    """Positions and moves of both have the same form, so that they can be compared directly."""
    return form(first) == form(second)


def form(game: Game) -> list[object]:
    """What positions and moves of a game are made of."""
    rules: list[Decision | Chance] = [*game.decisions, *game.chances]
    return [
        *((v.name, v.dimensions, v.sort, v.offset) for v in game.variables),
        *(type(node).__name__ for node in game.nodes),
        *((rule.name, rule.choices) for rule in rules),
        *(_offers(node) for node in game.nodes),
        game.outcome.score is None,
    ]


def _offers(node: Node) -> list[str]:
    match node:
        case Decide(offers=offers) | Gather(offers=offers):
            return [offer.rule for offer in offers]
        case Toss(offer=offer):
            return [offer.rule]
        case _:
            return []


def questions(first: System, second: System) -> Iterator[Question]:
    """What must all be impossible for the two to be the same game."""
    beginnings = conjoin(_same_arrivals(first.beginning, second.beginning))
    yield Question("beginning", None, negate(beginnings), first.beginning)
    for here, there in zip(first.transitions, second.transitions, strict=True):
        name = here.name
        differ = negate(equal(here.legal, there.legal))
        if here.actor is not None and there.actor is not None:
            differ = disjoin((differ, negate(equal(here.actor, there.actor))))
        yield Question(name, here.source, conjoin((here.bounds, differ)))
        weights = [each.weight for each in (here, there) if each.weight is not None]
        if weights:
            # As many times as likely would do, but the rules seldom say it in such a way.
            unlike = True if len(weights) == 1 else negate(equal(*weights))
            yield Question(name, here.source, conjoin((here.taken, unlike)))
        after = conjoin((there.assumed, *_same_arrivals(here, there)))
        bad = conjoin((here.taken, here.assumed, negate(after)))
        yield Question(name, here.source, bad)
    seen = disjoin(_different_views(first, second))
    for number in first.stable:
        yield Question("what is seen", number, seen)
    for node in first.game.nodes:
        if isinstance(node, End):
            differ = disjoin(_different_outcomes(first, second))
            yield Question("outcome", node.number, differ)


def _same_arrivals(here: Transition, there: Transition) -> Iterator[Value]:
    others = {arrival.node: arrival for arrival in there.arrivals}
    for arrival in here.arrivals:
        other = others.pop(arrival.node, None)
        if other is None:
            yield negate(arrival.condition)
            continue
        yield equal(arrival.condition, other.condition)
        for left, right in zip(arrival.frame.cells, other.frame.cells, strict=True):
            if not same(left, right):
                yield disjoin((negate(arrival.condition), equal(left, right)))
    for other in others.values():
        yield negate(other.condition)


def _different_views(first: System, second: System) -> Iterator[Value]:
    """Somebody sees a cell under one of them only."""
    for here, there in zip(first.game.variables, second.game.variables, strict=True):
        if here.visible == there.visible and not _calls(here.visible):
            continue
        domains = [range(sort.low, sort.high + 1) for sort in here.dimensions]
        for indices in product(*domains):
            for viewer in range(first.game.players):
                seen: list[Value] = []
                for system, variable in ((first, here), (second, there)):
                    names = dict(zip(variable.index_names, indices, strict=True))
                    scope = {**names, "viewer": viewer}
                    seen.append(
                        True
                        if variable.visible is None
                        else system.encoder.condition(variable.visible, system.frame, scope)
                    )
                yield negate(equal(*seen))


def _calls(expr: Expr | None) -> bool:
    """Terms may mean something else under another reading."""
    return expr is not None and any(isinstance(part, Call) for part in walk(expr))


def _different_outcomes(first: System, second: System) -> Iterator[Value]:
    for seat in range(first.game.players):
        for choose in ("winner", "score"):
            values: list[Value] = []
            for system in (first, second):
                outcome = system.game.outcome
                expr = outcome.winner if choose == "winner" else outcome.score
                if expr is not None:
                    values.append(system.encoder.encode(expr, system.frame, {outcome.player: seat}))
            if len(values) == 2:
                yield negate(equal(values[0], values[1]))


def equivalent(prover: Prover, second: System, strengthen: bool = True) -> Proved | Open:
    """Proved when nothing that can be observed tells the two apart.

    Without `strengthen`, from what is known already.
    """
    used: dict[Site, None] = {}
    for question in questions(prover.system, second):
        answer = prover.prove(question, strengthen=strengthen)
        if isinstance(answer, Open):
            return answer
        used.update(dict.fromkeys(answer.used))
    return Proved(tuple(used))
