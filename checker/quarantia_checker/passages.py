"""Do the passages that speak about a term agree, and do they cover every case?

Asked of every stable position that play can reach and of all arguments of the term.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from quarantia_checker.claims import BadPosition, Claim
from quarantia_checker.encode import Frame, symbol
from quarantia_checker.induction import Question
from quarantia_checker.terms import Value
from quarantia_checker.transition import System, in_parameters
from quarantia_checker.values import conjoin
from quarantia_checker.verdict import Kind
from quarantia_engine.engine import Engine
from quarantia_engine.rewriting import size
from quarantia_spec.defined import Definedness, definedness_of
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Clause,
    Const,
    Expr,
    Fold,
    FoldOp,
    Op,
    Parameter,
    Reading,
    Term,
)
from quarantia_spec.source import Origin

TRUE = Const(1, BOOLEAN)
LARGEST_CONDITION = 200  # nodes of what it takes for an expression to have a meaning


def agreements(system: System, engine: Engine) -> list[Claim]:
    """One claim for each two clauses of a term: where both apply, they say the same."""
    claims: list[Claim] = []
    known = definedness_of(system.game)
    for term in system.game.terms:
        for first, second in combinations(term.clauses, 2):
            clash = both(
                both(applies(first), applies(second)),
                Apply(Op.NE, (chosen(first).value, chosen(second).value), BOOLEAN),
            )
            ruled = first.name in term.precedence or second.name in term.precedence
            claims.append(
                about_term(
                    system,
                    engine,
                    known,
                    Kind.AGREEMENT,
                    f"{term.name}: {first.name} and {second.name}",
                    term,
                    clash,
                    cited(first.origin, second.origin),
                    ruled,
                    f"{first.name} and {second.name} say different things of {term.name}",
                )
            )
    return claims


def coverages(system: System, engine: Engine) -> list[Claim]:
    """One claim for each term with conditions: in every case some clause applies."""
    claims: list[Claim] = []
    known = definedness_of(system.game)
    for term in system.game.terms:
        if not term.clauses or any(clause.when is None for clause in term.clauses):
            continue
        gap: Expr = TRUE
        for clause in term.clauses:
            gap = both(gap, Apply(Op.NOT, (applies(clause),), BOOLEAN))
        claims.append(
            about_term(
                system,
                engine,
                known,
                Kind.COVERAGE,
                term.name,
                term,
                gap,
                cited(term.origin, *(clause.origin for clause in term.clauses)),
                term.otherwise is not None,
                f"no clause of {term.name} applies",
            )
        )
    return claims


def about_term(
    system: System,
    engine: Engine,
    known: Definedness,
    kind: Kind,
    name: str,
    term: Term,
    bad: Expr,
    origin: Origin,
    ruled: bool,
    told: str,
) -> Claim:
    """The claim that `bad`, which uses the term's parameters, holds nowhere.

    NOTE(clearly) What has no meaning in a position says nothing there, so it neither agrees nor
    disagrees: a play must show `bad` where it has one. That all is well is only the harder to
    prove without this condition, so it is left out where it is large.
    """
    asks = known.of(bad)
    clearly = bad if asks is None else both(asks, bad)
    asked = clearly if size(clearly) <= LARGEST_CONDITION else bad
    scope = {each.name: symbol(f"argument {each.name}", each.sort) for each in term.parameters}
    bounds = in_parameters(term.parameters, scope)

    def at(frame: Frame) -> Value:
        return conjoin((bounds, system.encoder.condition(asked, frame, scope)))

    found = at(system.frame)
    plainly_somewhere = for_some(term.parameters, bad)
    clearly_somewhere = for_some(term.parameters, clearly)

    def shows(cells: tuple[int, ...]) -> bool:
        try:  # the short form first: it is quick, and what is clear is also plain
            if not engine.evaluator.value(plainly_somewhere, cells):
                return False
        except (IndexError, ZeroDivisionError):
            pass
        return bool(engine.evaluator.value(clearly_somewhere, cells))

    return Claim(
        kind,
        name,
        tuple(Question(name, node, found) for node in system.stable),
        BadPosition(shows),
        origin,
        ruled,
        general=Question(name, None, found),
        told=told,
    )


# --- building expressions -------------------------------------------------------------------


def applies(clause: Clause) -> Expr:
    return TRUE if clause.when is None else clause.when


def chosen(clause: Clause) -> Reading:
    """The reading in force."""
    return next(
        (each for each in clause.readings if each.name == clause.chosen), clause.readings[0]
    )


def both(left: Expr, right: Expr) -> Expr:
    if left == TRUE:
        return right
    return left if right == TRUE else Apply(Op.AND, (left, right), BOOLEAN)


def for_some(parameters: Sequence[Parameter], body: Expr) -> Expr:
    """That the body holds for some values of the parameters."""
    result = body
    for each in reversed(parameters):
        result = Fold(
            FoldOp.ANY, each.name, each.sort.low, each.sort.high, None, result, None, BOOLEAN
        )
    return result


def cited(*origins: Origin) -> Origin:
    """The place of the first, with the passages of all."""
    citations = dict.fromkeys(citation for origin in origins for citation in origin.citations)
    return Origin(origins[0].span, tuple(citations))
