"""The offers of one node inside one generated function: context, legal moves, what a move does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from quarantia_engine.analysis import Facts, free_locals
from quarantia_engine.counting import Counters
from quarantia_engine.emitter import Emitter, Scope
from quarantia_engine.encoding import Choosing, OfferShape, offer_shapes, radix, span
from quarantia_engine.enumeration import ChoiceWriter, needed
from quarantia_engine.expressions import Printer
from quarantia_engine.flow import FlowWriter
from quarantia_engine.implied import Known
from quarantia_engine.rewriting import number
from quarantia_engine.since import Past
from quarantia_engine.statements import Obligations, StatementWriter
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Assign,
    Chance,
    Const,
    Decide,
    Decision,
    Expr,
    For,
    Gather,
    Guard,
    If,
    Let,
    Local,
    Oblige,
    Op,
    Parameter,
    Read,
    Require,
    Sort,
    Statement,
)

SEAT = "seat~"  # the local that stands for the player whose choices are looked at


@dataclass(frozen=True, slots=True)
class Workshop:
    """What all functions of one generated module share. No obligations: nothing is checked."""

    printer: Printer
    facts: Facts
    obligations: Obligations | None
    flow: FlowWriter
    counters: Counters | None = None

    def writer(self, emitter: Emitter, scope: Scope, failing: str = "return {}") -> StatementWriter:
        """A writer of statements that checks obligations, and counts when asked to."""
        return StatementWriter(
            self.printer, self.facts, emitter, scope, self.obligations, failing, self.counters
        )

    def plain_writer(self, emitter: Emitter, scope: Scope) -> StatementWriter:
        """A writer of statements that checks nothing."""
        return StatementWriter(self.printer, self.facts, emitter, scope, None)


@dataclass(frozen=True, slots=True)
class Exits:
    """How to leave: at a node where someone chooses, at one left to `advance`, on a failure."""

    stop: Callable[[int], None]
    jump: Callable[[int], None]
    failing: str


class NodeWriter:
    """Writes about the offers of one node. Call `bind_context` before anything else."""

    def __init__(self, workshop: Workshop, node: Choosing, emitter: Emitter, scope: Scope) -> None:
        self.workshop = workshop
        self.node = node
        self.emitter = emitter
        self.scope = scope
        self.shapes = offer_shapes(workshop.printer.game, node)
        self._values: dict[int, dict[str, Expr]] = {}
        self._held: list[tuple[Read, Local]] = []

    # --- context ----------------------------------------------------------------------------------

    def bind_context(self, *, for_legality: bool, for_body: bool) -> None:
        """Gives names to the actor and the context of every offer, as far as they are used.

        Offers that are filled in with the same expression share one name.
        """
        shared: dict[Expr, Expr] = {}
        for shape in self.shapes:
            used: frozenset[str] = frozenset()
            if for_legality:
                used |= locals_of_guards(needed(legality_guards(shape.rule)))
            if for_body:
                used |= body_locals(shape.rule)
            self._values[shape.first] = {
                name: self._bound(name, value, shared)
                for name, value in self._context(shape).items()
                if name in used
            }

    def bind_context_of(self, shape: OfferShape, used: frozenset[str]) -> dict[str, Expr]:
        """Gives names to what one offer is filled in with, as far as it is in `used`."""
        shared: dict[Expr, Expr] = {}
        return {
            name: self._bound(name, value, shared)
            for name, value in self._context(shape).items()
            if name in used
        }

    def _context(self, shape: OfferShape) -> dict[str, Expr]:
        """What the context and the actor of an offer stand for."""
        game, printer = self.workshop.printer.game, self.workshop.printer
        seat: Expr = Local(SEAT, Sort(0, game.players - 1, "Player"))
        rule = shape.rule
        found: dict[str, Expr] = {}
        for parameter, argument in zip(rule.context, shape.offer.arguments, strict=True):
            free = dict.fromkeys(free_locals(argument), seat)
            found[parameter.name] = printer.prepared(argument, free)
        if isinstance(rule, Decision) and rule.actor not in found:
            if isinstance(self.node, Gather):
                found[rule.actor] = seat
            elif isinstance(self.node, Decide):
                found[rule.actor] = printer.prepared(self.node.actor)
        return found

    def _bound(self, name: str, value: Expr, shared: dict[Expr, Expr]) -> Expr:
        if isinstance(value, Const | Local):
            return value
        if value not in shared:
            text = self.workshop.printer.value(value, self.scope)
            local = f"{name}~{len(shared)}"
            self.scope.declare(local, text, self.emitter)
            shared[value] = bound = Local(local, value.sort)
            if isinstance(value, Read):
                self._held.append((value, bound))
        return shared[value]

    def values(self, shape: OfferShape) -> dict[str, Expr]:
        """What the bound names of an offer stand for."""
        return dict(self._values[shape.first])

    # --- legal moves ------------------------------------------------------------------------------

    def list_moves(self, shape: OfferShape, base: str) -> None:
        """Lines that put the legal moves of an offer into `buf` from `n` on."""
        self.emitter.line(f"# {shape.rule.name}")
        workshop = self.workshop
        choices = ChoiceWriter(workshop.printer, workshop.facts, self.emitter, self.scope.inner())
        guards = legality_guards(shape.rule)
        choices.write(shape.rule.choices, guards, self.values(shape), base, shape.first)

    def ask(self, shape: OfferShape, scope: Scope) -> None:
        """Lines that return whether the move with the number `code` is one of an offer's."""
        workshop, rule = self.workshop, shape.rule
        self.emitter.line(f"# {rule.name}")
        guards = needed(legality_guards(rule))
        values = self.values(shape)
        writer = workshop.plain_writer(self.emitter, scope)
        used = locals_of_guards(guards)
        decode_choices(rule.choices, shape.first, used, self.emitter, scope, values)
        for guard in guards:
            match guard:
                case Let(name=name, value=value):
                    writer.let(name, value, Known(workshop.facts), values)
                case Require(condition=condition):
                    test = workshop.printer.prepared(condition, values)
                    with self.emitter.block(f"if not ({workshop.printer.condition(test, scope)}):"):
                        self.emitter.line("return 0")
                case _:
                    assert_never(guard)
        self.emitter.line("return 1")

    # --- what a move does -------------------------------------------------------------------------

    def decode(self, shape: OfferShape, scope: Scope, values: dict[str, Expr]) -> None:
        """Lines that take the choices that the body uses out of `code`."""
        decode_choices(
            shape.rule.choices, shape.first, body_locals(shape.rule), self.emitter, scope, values
        )

    def carry_out(
        self,
        shape: OfferShape,
        scope: Scope,
        values: dict[str, Expr],
        exits: Exits,
        past: Past | None = None,
    ) -> None:
        """Lines that run the body of an offer's rule and the flow from there.

        Before: the choices are bound in `scope` or `values`. `past` says what is taken for granted
        about the position before the move.
        """
        workshop, rule = self.workshop, shape.rule
        writer = workshop.writer(self.emitter, scope, exits.failing)
        lets = set(body_lets(rule))
        bound = body_locals(rule)
        known = Known(workshop.facts, past)
        for cell, local in self._held:
            known.hold(cell, local)
        for guard in rule.guards:
            if isinstance(guard, Let):
                if guard in lets:
                    writer.let(guard.name, guard.value, known, values)
            elif free_locals(guard.condition) <= bound:
                known.learn(workshop.printer.prepared(guard.condition, values))
        if workshop.counters is not None:
            self.emitter.line(workshop.counters.rule(rule.name, rule.origin))
        writer.write(rule.body, rule.name, known, values)
        workshop.flow.follow(self.node.next, writer, known, exits.stop, exits.jump)


def decode_choices(
    choices: tuple[Parameter, ...],
    first: int,
    used: frozenset[str],
    emitter: Emitter,
    scope: Scope,
    values: dict[str, Expr],
) -> None:
    """Lines that take the choices out of the number of a move."""
    total = span(choices)
    start = "code" if first == 0 else f"(code - {first})"
    for choice, by in zip(choices, radix(choices), strict=True):
        if choice.name not in used:
            continue
        low, size = choice.sort.low, choice.sort.size
        if size == 1:
            values[choice.name] = number(low)
            continue
        if by == 1 and size == total:
            text = shifted("code", low - first)
        elif by == 1 and first % size == 0:
            text = shifted(f"code % {size}", low)
        else:
            text = start if by == 1 else f"{start} // {by}"
            text = shifted(text if by * size == total else f"{text} % {size}", low)
        values.pop(choice.name, None)
        scope.declare(choice.name, text, emitter)


def shifted(text: str, by: int) -> str:
    """The text of a number plus a constant."""
    return text if by == 0 else f"{text} {'+' if by > 0 else '-'} {abs(by)}"


def legality_guards(rule: Decision | Chance) -> tuple[Guard, ...]:
    """The guards of a rule; an outcome of chance must also have a weight."""
    if isinstance(rule, Chance) and rule.weight is not None:
        possible = Apply(Op.GT, (rule.weight, number(0)), BOOLEAN)
        return (*rule.guards, Require(possible, None))
    return rule.guards


def body_lets(rule: Decision | Chance) -> tuple[Let, ...]:
    """The lets among the guards that the body looks at, directly or through one another."""
    lets = tuple(guard for guard in rule.guards if isinstance(guard, Let))
    return tuple(guard for guard in needed(lets, locals_in(rule.body)) if isinstance(guard, Let))


def body_locals(rule: Decision | Chance) -> frozenset[str]:
    """The locals that running the body needs."""
    return locals_in(rule.body).union(*(free_locals(let.value) for let in body_lets(rule)))


def locals_of_guards(guards: Sequence[Guard]) -> frozenset[str]:
    """Every local that the guards mention."""
    found: frozenset[str] = frozenset()
    for guard in guards:
        found |= free_locals(guard.value if isinstance(guard, Let) else guard.condition)
    return found


def locals_in(statements: Sequence[Statement]) -> frozenset[str]:
    """Every local that the statements mention."""
    found: frozenset[str] = frozenset()
    for statement in statements:
        match statement:
            case Assign(indices=indices, value=value):
                found = found.union(free_locals(value), *(free_locals(index) for index in indices))
            case If(condition=condition, then=then, otherwise=otherwise):
                found |= free_locals(condition) | locals_in(then) | locals_in(otherwise)
            case For(body=body):
                found |= locals_in(body)
            case Let(value=value):
                found |= free_locals(value)
            case Oblige(condition=condition):
                found |= free_locals(condition)
            case _:
                assert_never(statement)
    return found
