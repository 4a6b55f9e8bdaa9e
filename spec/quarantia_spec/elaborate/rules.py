"""Decisions, chances and steps."""

from __future__ import annotations

from dataclasses import dataclass

from quarantia_spec import ir, syntax
from quarantia_spec.diagnostics import Code
from quarantia_spec.elaborate.expressions import (
    boolean,
    elaborate,
    require_number,
    sentences,
    template,
)
from quarantia_spec.elaborate.scope import Scope
from quarantia_spec.elaborate.sorts import domain_sort
from quarantia_spec.elaborate.statements import Permissions, elaborate_statement
from quarantia_spec.elaborate.world import Gone, World
from quarantia_spec.source import Origin


@dataclass(frozen=True, slots=True)
class ElaboratedRule:
    """A rule before the flow has said how it is used."""

    kind: str
    name: str
    actor: str
    context: tuple[ir.Parameter, ...]
    choices: tuple[ir.Parameter, ...]
    guards: tuple[ir.Guard, ...]
    weight: ir.Expr | None
    body: tuple[ir.Statement, ...]
    say: ir.Sentences
    origin: Origin


def rule_of(world: World, name: str, declaration: syntax.Rule) -> ElaboratedRule:
    return world.once("rule", name, declaration.span, lambda: _make(world, name, declaration))


def _make(world: World, name: str, declaration: syntax.Rule) -> ElaboratedRule:
    world.must_cite(f"{declaration.kind} `{name}`", declaration.span, declaration.cites)
    origin = world.origin(declaration.span, declaration.cites)
    scope = Scope(world)
    context = []
    for index in declaration.context:
        if index.name is None:
            world.reporter.error(
                Code.UNEXPECTED,
                "what the flow supplies needs a name",
                index.span,
                "write `[d: District]`",
            )
            raise Gone
        local = scope.bind(index.name, domain_sort(world, index.sort), index.span)
        context.append(ir.Parameter(local.name, local.sort))
    actor = ""
    if declaration.actor is not None:
        actor = scope.bind(declaration.actor, world.types["Player"], declaration.span).name
    choices = []
    for parameter in declaration.choices or ():
        local = scope.bind(parameter.name, domain_sort(world, parameter.sort), parameter.span)
        choices.append(ir.Parameter(local.name, local.sort))
    guards: list[ir.Guard] = []
    body: list[ir.Statement] = []
    weight: ir.Expr | None = None
    acting = declaration.kind == "step"
    for item in declaration.items:
        try:
            match item:
                case syntax.Require():
                    if acting:
                        _misplaced_require(world, declaration.kind, item)
                        continue
                    guards.append(_require(world, scope, item, declaration))
                case syntax.Weight(value=value):
                    if declaration.kind != "chance":
                        world.reporter.error(
                            Code.MISPLACED, "only chance has weights", item.span,
                            "remove it: a player chooses, and a step just happens",
                        )  # fmt: skip
                        continue
                    weight = elaborate(scope, value)
                    require_number(world, weight, value.span)
                case syntax.Say():
                    pass
                case syntax.Let(name=let_name, value=value) if not acting:
                    found = elaborate(scope, value)
                    local = scope.bind(let_name, found.sort, item.span)
                    guards.append(
                        ir.Let(local.name, found, Origin(item.span), world.defined.of(found))
                    )
                case _:
                    acting = True
                    body.extend(elaborate_statement(scope, item, Permissions()))
        except Gone:
            continue
    says = tuple(item for item in declaration.items if isinstance(item, syntax.Say))
    return ElaboratedRule(
        declaration.kind,
        name,
        actor,
        tuple(context),
        tuple(choices),
        tuple(guards),
        weight,
        tuple(body),
        sentences(scope, says, declaration.span),
        origin,
    )


def _misplaced_require(world: World, kind: str, item: syntax.Require) -> None:
    world.reporter.error(
        Code.MISPLACED,
        "a step happens by itself: it has no conditions"
        if kind == "step"
        else "conditions come before effects",
        item.span,
        "use `if`, or `ensure` for what must be true"
        if kind == "step"
        else "move this `require` above the first effect",
    )


def _require(
    world: World, scope: Scope, item: syntax.Require, declaration: syntax.Rule
) -> ir.Require:
    condition = boolean(scope, item.condition)
    because = None
    if item.because is not None:
        french = item.because.french
        because = ir.Sentences(
            template(scope, item.because.english),
            None if french is None else template(scope, french),
        )
    origin = world.origin(item.span, item.cites or declaration.cites)
    return ir.Require(condition, because, origin, world.defined.of(condition))


def as_decision(rule: ElaboratedRule) -> ir.Decision:
    return ir.Decision(
        rule.name, rule.actor, rule.context, rule.choices, rule.guards, rule.body, rule.say,
        False, rule.origin,
    )  # fmt: skip


def as_chance(rule: ElaboratedRule) -> ir.Chance:
    return ir.Chance(
        rule.name, rule.context, rule.choices, rule.guards, rule.weight, rule.body, rule.say,
        rule.origin,
    )  # fmt: skip


def inline_body(rule: ElaboratedRule, arguments: dict[str, ir.Expr]) -> tuple[ir.Statement, ...]:
    """The effects of a rule with its locals bound first: lets for arguments, then its own lets."""
    sorts = {p.name: p.sort for p in (*rule.context, *rule.choices)}
    lets: list[ir.Statement] = [
        ir.Let(name, value, rule.origin) for name, value in arguments.items() if name in sorts
    ]
    if rule.actor and rule.actor in arguments:
        lets.append(ir.Let(rule.actor, arguments[rule.actor], rule.origin))
    for guard in rule.guards:
        if isinstance(guard, ir.Let):
            if guard.defined is not None:  # it had a meaning when chosen; others have moved since
                message = f"`{guard.name}` has a meaning when the choice is carried out"
                lets.append(ir.Oblige(guard.defined, ir.Duty.DEFINED, message, guard.origin))
            lets.append(ir.Let(guard.name, guard.value, guard.origin))
    return (*lets, *rule.body)
