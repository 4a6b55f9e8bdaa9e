"""Whatever the rules look at has a meaning there: see NOTE(undefined) in `quarantia_spec.ir`.

Statements carry their own obligations. Here are the places that are looked at without being
statements: conditions and weights of rules, what is seen, outcomes, properties and measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from quarantia_checker.claims import BadPosition, Claim
from quarantia_checker.encode import in_sort, symbol
from quarantia_checker.induction import Question
from quarantia_checker.passages import both, for_some
from quarantia_checker.transition import System, in_parameters
from quarantia_checker.values import conjoin, negate
from quarantia_checker.verdict import Kind
from quarantia_engine.engine import Engine
from quarantia_spec.defined import Definedness, definedness_of, substitute
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Chance,
    Decide,
    Decision,
    End,
    Expr,
    Gather,
    Let,
    Local,
    Node,
    Offer,
    Op,
    Parameter,
    PropertyKind,
    Read,
    Require,
    Sort,
    Toss,
)
from quarantia_spec.ops import number
from quarantia_spec.source import Origin


@dataclass(frozen=True, slots=True)
class Place:
    """At a node, `bad` must not hold for any values of the parameters."""

    node: int
    parameters: tuple[Parameter, ...]
    bad: Expr


@dataclass(slots=True)
class _Collected:
    origin: Origin
    places: list[Place] = field(default_factory=list)


def meanings(system: System, engine: Engine) -> list[Claim]:
    """One claim for each condition, weight or property that might be looked at in vain."""
    rows: dict[str, _Collected] = {}
    for name, origin, place in _all_places(system):
        rows.setdefault(name, _Collected(origin)).places.append(place)
    claims = [_claim(system, engine, name, row) for name, row in rows.items()]
    return [*_beginnings(system, engine), *claims]


def _beginnings(system: System, engine: Engine) -> Iterator[Claim]:
    """Where a variable begins with given data, it begins within its range."""
    first = system.first_frame()
    for variable in system.game.variables:
        cells = range(variable.offset, variable.offset + variable.cells)
        outside = negate(conjoin(in_sort(first.cells[cell], variable.sort) for cell in cells))
        if outside is False:
            continue
        low, high = variable.sort.low, variable.sort.high
        bad = any(not low <= engine.first_cells()[cell] <= high for cell in cells)
        name = f"`{variable.name}` begins within {low}..{high}"
        yield Claim(
            Kind.OBLIGATION,
            name,
            (Question(name, None, outside, system.beginning),),
            BadPosition(lambda cells, bad=bad: bad),  # type: ignore[misc]
            variable.origin,
            told="this fails",
        )


def _claim(system: System, engine: Engine, name: str, row: _Collected) -> Claim:
    by_node: dict[int, list[Expr]] = {}
    questions: list[Question] = []
    for place in row.places:
        scope = {each.name: symbol(f"sought {each.name}", each.sort) for each in place.parameters}
        bounds = in_parameters(place.parameters, scope)
        bad = conjoin((bounds, system.encoder.condition(place.bad, system.frame, scope)))
        if bad is not False:
            questions.append(Question(name, place.node, bad))
        by_node.setdefault(place.node, []).append(for_some(place.parameters, place.bad))

    def broken(cells: tuple[int, ...]) -> bool:
        return any(engine.evaluator.value(each, cells) for each in by_node.get(cells[0], ()))

    watch = BadPosition(broken)
    return Claim(Kind.OBLIGATION, name, tuple(questions), watch, row.origin, told="this fails")


def _all_places(system: System) -> Iterator[tuple[str, Origin, Place]]:
    known = definedness_of(system.game)
    for number_ in system.stable:
        node = system.game.nodes[number_]
        yield from _of_offers(system, known, node)
        if isinstance(node, End):
            yield from _of_outcome(system, known, node.number)
        yield from _of_properties(system, known, node.number)
        yield from _of_views(system, known, node.number)


# --- rules ------------------------------------------------------------------------------------


def _of_offers(
    system: System, known: Definedness, node: Node
) -> Iterator[tuple[str, Origin, Place]]:
    match node:
        case Decide(offers=offers, actor=actor):
            for offer in offers:
                yield from _of_rule(system, known, node.number, offer, actor, None, ())
        case Gather(offers=offers, waiting=waiting):
            seats = system.game.variable[waiting].dimensions[0]
            seat = Parameter("seat looked at", seats)
            who = Local(seat.name, seats)
            for offer in offers:
                waits = Read(waiting, (who,), BOOLEAN)
                yield from _of_rule(system, known, node.number, offer, who, waits, (seat,))
        case Toss(offer=offer):
            yield from _of_rule(system, known, node.number, offer, None, None, ())
        case _:
            return


def _of_rule(
    system: System,
    known: Definedness,
    node: int,
    offer: Offer,
    actor: Expr | None,
    waits: Expr | None,
    seats: tuple[Parameter, ...],
) -> Iterator[tuple[str, Origin, Place]]:
    """Each condition of a rule has a meaning whenever those before it hold."""
    game = system.game
    rule: Decision | Chance
    values: dict[str, Expr] = {}
    if offer.rule in game.decision:
        rule = game.decision[offer.rule]
        if actor is not None:
            values[rule.actor] = actor
    else:
        rule = game.chance[offer.rule]
    for parameter, argument in zip(rule.context, offer.arguments, strict=True):
        values[parameter.name] = substitute(argument, values)
    parameters = (*seats, *rule.choices)
    before: Expr | None = waits

    def place(name: str, origin: Origin, asks: Expr) -> tuple[str, Origin, Place]:
        fails = _negated(substitute(asks, values))
        return (
            name,
            origin,
            Place(node, parameters, fails if before is None else both(before, fails)),
        )

    for guard in rule.guards:
        if guard.defined is not None:
            line = guard.origin.span.line
            yield place(
                f"`{rule.name}`: its condition on line {line} has a meaning",
                guard.origin,
                guard.defined,
            )
        match guard:
            case Let(name=name, value=value):
                values[name] = substitute(value, values)
            case Require(condition=condition):
                holds = substitute(condition, values)
                before = holds if before is None else both(before, holds)
    if isinstance(rule, Chance) and rule.weight is not None:
        asks = known.of(rule.weight)
        if asks is not None:
            yield place(f"`{rule.name}`: its weight has a meaning", rule.origin, asks)
        if rule.weight.sort.low < 0:
            fair = Apply(Op.GE, (rule.weight, number(0)), BOOLEAN)
            yield place(f"`{rule.name}`: its weight is not negative", rule.origin, fair)


# --- what is said of positions ----------------------------------------------------------------


def _of_outcome(
    system: System, known: Definedness, node: int
) -> Iterator[tuple[str, Origin, Place]]:
    outcome = system.game.outcome
    player = Parameter(outcome.player, Sort(0, system.game.players - 1, "Player"))
    for what, expr in (("winner", outcome.winner), ("score", outcome.score)):
        asks = None if expr is None else known.of(expr)
        if asks is not None:
            bad = Place(node, (player,), _negated(asks))
            yield f"the {what} of the outcome has a meaning", outcome.origin, bad


def _of_properties(
    system: System, known: Definedness, node: int
) -> Iterator[tuple[str, Origin, Place]]:
    stated: list[tuple[str, Origin, Sequence[Expr]]] = [
        (each.name, each.origin, (each.condition,))
        for each in system.game.properties
        if each.kind is not PropertyKind.HINT
    ]
    if system.game.ends is not None:
        stated.append(("the measure", system.game.ends.origin, system.game.ends.measure))
    for name, origin, parts in stated:
        for part in parts:
            asks = known.of(part)
            if asks is not None:
                yield f"{name} has a meaning", origin, Place(node, (), _negated(asks))


def _of_views(system: System, known: Definedness, node: int) -> Iterator[tuple[str, Origin, Place]]:
    viewer = Parameter("viewer", Sort(0, system.game.players - 1, "Player"))
    for variable in system.game.variables:
        asks = None if variable.visible is None else known.of(variable.visible)
        if asks is not None:
            indices = tuple(
                Parameter(name, sort)
                for name, sort in zip(variable.index_names, variable.dimensions, strict=True)
            )
            name = f"who sees `{variable.name}` has a meaning"
            yield name, variable.origin, Place(node, (viewer, *indices), _negated(asks))


def _negated(expr: Expr) -> Expr:
    return Apply(Op.NOT, (expr,), BOOLEAN)
