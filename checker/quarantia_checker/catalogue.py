"""Everything that is claimed of a game and can be asked position by position."""

from __future__ import annotations

from quarantia_checker.claims import BadPosition, Claim
from quarantia_checker.facts import Stated
from quarantia_checker.induction import Question
from quarantia_checker.meanings import meanings
from quarantia_checker.obligations import circles, dead_ends, duties
from quarantia_checker.passages import agreements, coverages
from quarantia_checker.reach import goals, uses
from quarantia_checker.transition import System
from quarantia_checker.values import negate
from quarantia_checker.verdict import Kind
from quarantia_engine.engine import Engine
from quarantia_spec.ir import Expr, Game, PropertyKind


def all_claims(system: System, engine: Engine) -> list[Claim]:
    """In the order in which they are reported."""
    return [
        *duties(system),
        *meanings(system, engine),
        *dead_ends(system),
        *circles(system),
        *invariants(system, engine),
        *agreements(system, engine),
        *coverages(system, engine),
        *goals(system, engine),
        *uses(system, engine),
    ]


def stated_facts(game: Game) -> list[Stated]:
    """The invariants that the author wrote."""
    return [
        Stated(each.name, each.condition, each.origin)
        for each in game.properties
        if each.kind is PropertyKind.INVARIANT
    ]


def invariants(system: System, engine: Engine) -> list[Claim]:
    claims: list[Claim] = []
    for fact in stated_facts(system.game):
        bad = negate(system.encoder.condition(fact.condition, system.frame))
        claims.append(
            Claim(
                Kind.INVARIANT,
                fact.name,
                tuple(Question(fact.name, node, bad) for node in system.stable),
                _broken(engine, fact.condition),
                fact.origin,
                told=f"{fact.name} does not hold",
            )
        )
    return claims


def _broken(engine: Engine, condition: Expr) -> BadPosition:
    holds = engine.evaluator.function(condition)
    return BadPosition(lambda cells: not holds(cells))
