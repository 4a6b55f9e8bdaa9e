"""Examples: a position, some moves, and what must then be true."""

from __future__ import annotations

from quarantia_spec import ir, syntax
from quarantia_spec.diagnostics import Code
from quarantia_spec.elaborate.expressions import boolean, elaborate_as, sentences
from quarantia_spec.elaborate.flow import FlowBuilder
from quarantia_spec.elaborate.scope import Scope
from quarantia_spec.elaborate.statements import Permissions, block
from quarantia_spec.elaborate.world import Gone, World
from quarantia_spec.suggest import closest


def players_of(declaration: syntax.Example) -> int | None:
    """The number of players an example is for; None when it is for every number."""
    for item in declaration.items:
        if isinstance(item, syntax.ExamplePart) and item.word == "players":
            return item.number
    return None


def example_of(
    world: World, flow: FlowBuilder, where: dict[int, int], declaration: syntax.Example
) -> ir.Example:
    scope = Scope(world)
    flow.name_variables(scope)
    setup: tuple[ir.Statement, ...] = ()
    node: int | None = None
    moves: list[ir.ExampleMove] = []
    then: list[ir.Expr] = []
    for item in declaration.items:
        if isinstance(item, syntax.Say):
            continue
        match item.word:
            case "given":
                setup += block(scope, item.statements, Permissions(True, True))
            case "at":
                point = flow.points.get(item.name)
                if point is None or point not in where:
                    near = closest(item.name, flow.points)
                    world.reporter.error(
                        Code.NO_SUCH_POINT,
                        f"the flow never comes to `{item.name}`",
                        item.span,
                        f"did you mean `{near}`?" if near else "name a rule that the flow offers",
                    )
                    raise Gone
                node = where[point]
            case "when":
                moves.extend(_move(world, flow, move) for move in item.moves)
            case "then":
                then.extend(boolean(scope, condition) for condition in item.conditions)
            case _:
                pass
    says = tuple(item for item in declaration.items if isinstance(item, syntax.Say))
    return ir.Example(
        declaration.name,
        setup,
        node,
        tuple(moves),
        tuple(then),
        sentences(scope, says, declaration.span),
        world.origin(declaration.span, declaration.cites),
    )


def _move(world: World, flow: FlowBuilder, move: syntax.ExampleMove) -> ir.ExampleMove:
    actor: int | None = None
    if move.actor is not None:
        found = elaborate_as(
            Scope(world), syntax.Name(move.actor, move.span), world.types["Player"]
        )
        assert isinstance(found, ir.Const)
        actor = found.value
    rules: dict[str, ir.Decision | ir.Chance] = {**flow.decisions, **flow.chances}
    rule = rules.get(move.rule)
    if rule is None or isinstance(rule, ir.Chance) != (actor is None):
        raise world.unknown(
            move.rule, move.span, set(flow.chances if actor is None else flow.decisions)
        )
    given = {argument.name: argument for argument in move.arguments}
    wanted = [parameter.name for parameter in rule.choices]
    if set(given) != set(wanted) or len(given) != len(move.arguments):
        world.reporter.error(
            Code.WRONG_COUNT,
            f"`{move.rule}` is chosen with ({', '.join(wanted)})",
            move.span,
            "name each choice once: `take(n: 2)`",
        )
        raise Gone
    values = []
    for parameter in rule.choices:
        argument = given[parameter.name]
        value = elaborate_as(Scope(world), argument.value, parameter.sort)
        if not isinstance(value, ir.Const):
            world.reporter.error(
                Code.NOT_CONSTANT, "a choice in an example is a constant", argument.span,
                "write the value that is chosen",
            )  # fmt: skip
            raise Gone
        values.append((parameter.name, value.value))
    return ir.ExampleMove(
        actor, move.rule, tuple(values), move.verb == "cannot", world.origin(move.span)
    )
