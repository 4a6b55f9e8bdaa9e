"""Does what a player may do depend only on what that player can see?

Two positions at the same node, alike in all that the player to choose sees, must allow the same
choices. NOTE(self-composition) The second position is a copy of the first with fresh symbols.
"""

from __future__ import annotations

from itertools import product

from quarantia_checker.claims import Claim, node_name
from quarantia_checker.encode import Frame, in_sort, symbol
from quarantia_checker.induction import Question
from quarantia_checker.terms import Value
from quarantia_checker.transition import System
from quarantia_checker.values import conjoin, equal, implies, negate
from quarantia_checker.verdict import Kind
from quarantia_spec.ir import Decide, Gather, Sort

MOST_TERM_VALUES = 512


def knowledge(system: System) -> list[Claim]:
    """One claim per node where a player chooses."""
    game = system.game
    if all(variable.visible is None for variable in game.variables):
        return []
    twin = twin_of(system)
    claims: list[Claim] = []
    for number in system.stable:
        node = game.nodes[number]
        if not isinstance(node, Decide | Gather):
            continue
        name = node_name(game, node)
        questions: list[Question] = []
        for here, there in zip(
            system.options(number, system.frame), system.options(number, twin), strict=True
        ):
            alike = conjoin(
                (
                    here.bounds,
                    there.bounds,
                    equal(here.actor, there.actor),
                    looks_alike(system, system.frame, twin, here.actor),
                )
            )
            bad = conjoin((alike, negate(equal(here.legal, there.legal))))
            if bad is not False:
                questions.append(Question(here.offer.rule, number, bad, twin=twin))
        claims.append(
            Claim(
                Kind.KNOWLEDGE,
                name,
                tuple(questions),
                None,
                node.origin,
                told="what is legal depends on something the player cannot see",
            )
        )
    return claims


def twin_of(system: System) -> Frame:
    """A second position."""
    return Frame(
        [
            symbol(f"{name} (twin)", sort)
            for name, sort in zip(system.names, system.sorts, strict=True)
        ]
    )


def looks_alike(system: System, here: Frame, there: Frame, viewer: Value) -> Value:
    """The viewer sees the same cells in both, with the same values, and the same shown terms."""
    game = system.game
    claims: list[Value] = []
    for variable in game.variables:
        domains = [range(sort.low, sort.high + 1) for sort in variable.dimensions]
        for entry, indices in enumerate(product(*domains)):
            cell = variable.offset + entry
            same_value = equal(here.cells[cell], there.cells[cell])
            if variable.visible is None:
                claims.append(same_value)
                continue
            scope = {**dict(zip(variable.index_names, indices, strict=True)), "viewer": viewer}
            seen = system.encoder.condition(variable.visible, here, scope)
            seen_there = system.encoder.condition(variable.visible, there, scope)
            claims.append(equal(seen, seen_there))
            claims.append(implies(seen, same_value))
    for term in game.terms:
        if not term.shown:
            continue
        domains = [range(each.sort.low, each.sort.high + 1) for each in term.parameters]
        count = 1
        for domain in domains:
            count *= len(domain)
        if count > MOST_TERM_VALUES:
            continue  # fewer things known to be alike only make the claim harder to prove
        for values in product(*domains):
            claims.append(
                equal(
                    system.encoder.call(term.name, values, here),
                    system.encoder.call(term.name, values, there),
                )
            )
    claims.append(in_sort(viewer, Sort(0, game.players - 1, "Player")))
    return conjoin(claims)
