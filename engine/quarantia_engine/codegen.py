"""A game of the IR to a module of Python source that plays it. Read `generate` first.

The generated functions work on `s`, the cells of a position, `g`, the entries of all tables one
after the other, and `buf`, room for the numbers of moves. They use nothing but integers, lists
and loops, so that CPython and numba both run them as they stand.

    initial(s, g)            fills a new position; play has not started
    advance(s, g)            runs what happens by itself; returns a status
    acting(s, g)             the player to choose, or CHANCE, OVER, TOGETHER
    legal(s, g, buf, seat)   puts the legal moves into buf, returns how many
    apply(s, g, code)        makes a move and advances; returns a status
    weight(s, g, code)       the weight of an outcome of chance
    wins(s, g, seat), score(s, g, seat)
    seen(s, g, seat, mask)   1 in mask for each cell that the seat may see
    playout(s, g, buf, x, limit)   random moves; returns steps, the generator's state, a status

A status is 0, the number of the obligation that does not hold, or one of the negative constants
below. The number of a move: the number of the offer's first move plus its choices in mixed radix;
where several choose at once, the player times the numbers of all offers is added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from quarantia_engine.analysis import Facts, free_locals
from quarantia_engine.emitter import Emitter, Scope
from quarantia_engine.enumeration import ChoiceWriter, needed, radix, span
from quarantia_engine.expressions import Printer
from quarantia_engine.flow import FlowWriter
from quarantia_engine.implied import Known
from quarantia_engine.rewriting import freshened, number
from quarantia_engine.statements import Obligation, Obligations, StatementWriter
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Assign,
    Chance,
    Decide,
    Decision,
    Expr,
    For,
    Game,
    Gather,
    If,
    Let,
    Local,
    Oblige,
    Offer,
    Op,
    Parameter,
    Require,
    Sort,
    Statement,
    Toss,
)

VERSION = 1  # changes whenever the same game yields other source

CHANCE, OVER, TOGETHER = -1, -2, -3
STUCK, LIMIT, ENDLESS = -1, -2, -3
AUTOMATIC_LIMIT = 100_000  # nodes in a row without a choice: the rules go round in circles

MULTIPLIER, INCREMENT, STATE_MASK = 0x5DEECE66D, 0xB, 2**48 - 1


@dataclass(frozen=True, slots=True)
class Generated:
    """Source that plays one game, and what its status numbers stand for (the first is 1)."""

    source: str
    obligations: tuple[Obligation, ...]


@dataclass(frozen=True, slots=True)
class OfferShape:
    """Where the moves of one offer lie among the numbers of its node's moves."""

    rule: Decision | Chance
    offer: Offer
    first: int
    span: int


def offer_shapes(game: Game, node: Decide | Gather | Toss) -> tuple[OfferShape, ...]:
    """The offers of a node with the numbers of their moves."""
    shapes: list[OfferShape] = []
    first = 0
    offers = (node.offer,) if isinstance(node, Toss) else node.offers
    for offer in offers:
        rule: Decision | Chance
        rule = game.chance[offer.rule] if isinstance(node, Toss) else game.decision[offer.rule]
        width = span(rule.choices)
        shapes.append(OfferShape(rule, offer, first, width))
        first += width
    return tuple(shapes)


def buffer_size(game: Game) -> int:
    """Room enough for the legal moves of any position."""
    most = 1
    for node in game.nodes:
        if isinstance(node, Decide | Gather | Toss):
            most = max(most, sum(shape.span for shape in offer_shapes(game, node)))
    return most


def generate(game: Game, *, checked: bool = True) -> Generated:
    """The source of a game. With `checked`, obligations that are not plainly met are tested."""
    return _Generator(game, checked).run()


class _Generator:
    def __init__(self, game: Game, checked: bool) -> None:
        self.game = game
        self.facts = Facts(game)
        self.printer = Printer(game)
        self.obligations = Obligations()
        self.checked = checked
        self.jumps: set[int] = {game.entry}
        self.jumps |= {each.node for each in game.examples if each.node is not None}
        self.flow = FlowWriter(game.nodes, self.jumps)
        self.parts: list[str] = []

    def run(self) -> Generated:
        game = self.game
        terms = [self.printer.term_function(term) for term in game.terms]
        self._initial()
        choosing = [node for node in game.nodes if isinstance(node, Decide | Gather | Toss)]
        for node in choosing:
            self._legal(node)
            self._apply(node)
        advance = self._advance()
        self._dispatch(choosing)
        self._weights([node for node in choosing if isinstance(node, Toss)])
        self._outcome()
        self._seen()
        self._playout(choosing)
        heading = f'"""{game.title or game.name}, {game.players} players."""'.replace("\\", "")
        functions = [*terms, *self.printer.functions, advance, *self.parts]
        source = "\n\n".join([heading + "\n", *functions])
        return Generated(source, tuple(self.obligations.entries))

    # --- shared by the functions below ----------------------------------------------------------

    def _writer(
        self, emitter: Emitter, scope: Scope, failing: str = "return {}"
    ) -> StatementWriter:
        obligations = self.obligations if self.checked else None
        return StatementWriter(self.printer, self.facts, emitter, scope, obligations, failing)

    def _enter(
        self,
        node: Decide | Gather | Toss,
        shape: OfferShape,
        writer: StatementWriter,
        seat: str,
        used: frozenset[str],
    ) -> dict[str, Expr]:
        """Binds the actor and the context of an offer, as far as they are used."""
        values: dict[str, Expr] = {}
        known = Known(self.facts)
        rule = shape.rule
        everyone = Sort(0, self.game.players - 1, "Player")
        seat_values: dict[str, Expr] = {}
        if isinstance(node, Gather):
            writer.scope._texts["seat~"] = seat
            seat_local: Expr = Local("seat~", everyone)
            for argument in shape.offer.arguments:
                seat_values.update(dict.fromkeys(free_locals(argument), seat_local))
        for parameter, argument in zip(rule.context, shape.offer.arguments, strict=True):
            if parameter.name in used:
                bound = self.printer.prepared(argument, seat_values)
                writer.let(parameter.name, bound, known, values)
        if isinstance(rule, Decision) and rule.actor in used and rule.actor not in values:
            if isinstance(node, Gather):
                values[rule.actor] = Local("seat~", everyone)
            elif isinstance(node, Decide) and rule.actor not in writer.scope:
                writer.let(rule.actor, node.actor, known, values)
        return values

    def _function(self, opening: str, write: Callable[[Emitter, Scope], None]) -> None:
        emitter, scope = Emitter(), Scope()
        with emitter.block(opening):
            write(emitter, scope)
        self.parts.append(emitter.text())

    # --- positions ------------------------------------------------------------------------------

    def _initial(self) -> None:
        def write(emitter: Emitter, scope: Scope) -> None:
            writer = StatementWriter(self.printer, self.facts, emitter, scope, None)
            emitter.line(f"s[0] = {self.game.entry}")
            for variable in self.game.variables:
                indices = tuple(
                    Local(name, sort)
                    for name, sort in zip(variable.index_names, variable.dimensions, strict=True)
                )
                statement: Statement = Assign(variable.name, indices, freshened(variable.initial))
                for name, sort in reversed(
                    list(zip(variable.index_names, variable.dimensions, strict=True))
                ):
                    statement = For(name, sort.low, sort.high, (statement,))
                writer.write((statement,), "", Known(self.facts), {})

        self._function("def initial(s, g):", write)

    def _seen(self) -> None:
        def write(emitter: Emitter, scope: Scope) -> None:
            writer = StatementWriter(self.printer, self.facts, emitter, scope, None)
            everyone = Sort(0, self.game.players - 1, "Player")
            scope._texts["seat~"] = "seat"
            with emitter.block(f"for cell in range({self.game.cells}):"):
                emitter.line("mask[cell] = 1")
            for variable in self.game.variables:
                if variable.visible is None:
                    continue
                values: dict[str, Expr] = {"viewer": Local("seat~", everyone)}
                self._seen_cells(variable.name, 0, writer, values)

        self._function("def seen(s, g, seat, mask):", write)

    def _seen_cells(
        self, name: str, level: int, writer: StatementWriter, values: dict[str, Expr]
    ) -> None:
        variable = self.game.variable[name]
        emitter, scope = writer.emitter, writer.scope
        if level < len(variable.dimensions):
            sort, index = variable.dimensions[level], variable.index_names[level]
            text = scope.bind(index)
            with emitter.block(f"for {text} in range({sort.low}, {sort.high + 1}):"):
                scope.room(index, emitter)
                self._seen_cells(name, level + 1, writer, values)
            return
        assert variable.visible is not None
        visible = self.printer.prepared(freshened(variable.visible), values)
        indices = tuple(
            Local(index, sort)
            for index, sort in zip(variable.index_names, variable.dimensions, strict=True)
        )
        cell = self.printer.cell(name, indices, scope)
        emitter.line(f"mask{cell[1:]} = {self.printer.value(visible, scope)}")

    def _outcome(self) -> None:
        outcome = self.game.outcome
        for name, expr in (("wins", outcome.winner), ("score", outcome.score)):

            def write(emitter: Emitter, scope: Scope, expr: Expr | None = expr) -> None:
                scope._texts[outcome.player] = "seat"
                value = number(0) if expr is None else self.printer.prepared(freshened(expr))
                emitter.line(f"return {self.printer.value(value, scope)}")

            self._function(f"def {name}(s, g, seat):", write)

    # --- choices --------------------------------------------------------------------------------

    def _legal(self, node: Decide | Gather | Toss) -> None:
        shapes = offer_shapes(self.game, node)
        total = sum(shape.span for shape in shapes)

        def write(emitter: Emitter, scope: Scope) -> None:
            emitter.line("n = 0")
            base = ""
            if isinstance(node, Gather):
                base = scope.names.fresh("first")
                waiting = self.game.variable[node.waiting]
                emitter.line(f"{base} = seat * {total}")
                with emitter.block(f"if not s[seat + {waiting.offset}]:"):
                    emitter.line("return 0")
            for shape in shapes:
                self.write_offer(node, shape, emitter, scope.inner(), base)
            emitter.line("return n")

        self._function(f"def legal_{node.number}(s, g, buf, seat):", write)

    def write_offer(
        self,
        node: Decide | Gather | Toss,
        shape: OfferShape,
        emitter: Emitter,
        scope: Scope,
        base: str,
    ) -> None:
        """Lines that list the legal moves of one offer."""
        rule = shape.rule
        guards = rule.guards
        if isinstance(rule, Chance) and rule.weight is not None:
            possible = Apply(Op.GT, (rule.weight, number(0)), BOOLEAN)
            guards = (*guards, Require(possible, None))
        used = _locals_of(needed(guards))
        emitter.line(f"# {rule.name}")
        writer = StatementWriter(self.printer, self.facts, emitter, scope, None)
        values = self._enter(node, shape, writer, "seat", used)
        choices = ChoiceWriter(self.printer, self.facts, emitter, scope)
        choices.write(rule.choices, guards, values, base, shape.first)

    def _apply(self, node: Decide | Gather | Toss) -> None:
        shapes = offer_shapes(self.game, node)
        total = sum(shape.span for shape in shapes)

        def write(emitter: Emitter, scope: Scope) -> None:
            if isinstance(node, Gather):
                emitter.line(f"seat = code // {total}")
                emitter.line(f"code = code % {total}")
            self.write_application(
                node,
                shapes,
                emitter,
                scope,
                stop=lambda number: _lines(emitter, f"s[0] = {number}", "return 0"),
                jump=lambda number: _lines(emitter, f"s[0] = {number}", "return advance(s, g)"),
                failing="return {}",
            )

        self._function(f"def apply_{node.number}(s, g, code):", write)

    def write_application(
        self,
        node: Decide | Gather | Toss,
        shapes: tuple[OfferShape, ...],
        emitter: Emitter,
        scope: Scope,
        stop: Callable[[int], None],
        jump: Callable[[int], None],
        failing: str,
    ) -> None:
        """Lines that carry out the move `code` and follow the flow from there."""
        for shape in shapes[:-1]:
            with emitter.block(f"if code < {shape.first + shape.span}:"):
                self._carry_out(node, shape, emitter, scope.inner(), stop, jump, failing)
        self._carry_out(node, shapes[-1], emitter, scope.inner(), stop, jump, failing)

    def _carry_out(
        self,
        node: Decide | Gather | Toss,
        shape: OfferShape,
        emitter: Emitter,
        scope: Scope,
        stop: Callable[[int], None],
        jump: Callable[[int], None],
        failing: str,
    ) -> None:
        rule = shape.rule
        emitter.line(f"# {rule.name}")
        guards = needed(rule.guards, _locals_in(rule.body))
        writer = self._writer(emitter, scope, failing)
        in_body = _locals_in(rule.body)
        lets = tuple(
            guard
            for guard in needed(tuple(g for g in rule.guards if isinstance(g, Let)), in_body)
            if isinstance(guard, Let)
        )
        used = in_body.union(*(free_locals(let.value) for let in lets))
        values = self._enter(node, shape, writer, "seat", used)
        self.decode(rule.choices, shape.first, used, emitter, scope, values)
        known = Known(self.facts)
        bound = set(used)
        for guard in guards:
            if isinstance(guard, Let):
                if guard in lets:
                    writer.let(guard.name, guard.value, known, values)
            elif free_locals(guard.condition) <= bound:
                known.learn(self.printer.prepared(guard.condition, values))
        writer.write(rule.body, rule.name, known, values)
        self.flow.follow(node.next, writer, known, stop, jump)

    def decode(
        self,
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
            if choice.sort.size == 1:
                values[choice.name] = number(choice.sort.low)
                continue
            text = start if by == 1 else f"{start} // {by}"
            if by * choice.sort.size != total:
                text = f"{text} % {choice.sort.size}"
            low = choice.sort.low
            if by == 1 and choice.sort.size == total and first:
                shift = low - first
                text = f"code {'+' if shift >= 0 else '-'} {abs(shift)}" if shift else "code"
            elif low:
                text = f"{text} {'+' if low > 0 else '-'} {abs(low)}"
            scope.declare(choice.name, text, emitter)

    # --- flow -----------------------------------------------------------------------------------

    def _advance(self) -> str:
        """The function that runs automatic nodes; grows while it is written."""
        written: dict[int, str] = {}
        while self.jumps - set(written):
            current = min(self.jumps - set(written))
            emitter = Emitter()
            scope = Scope()
            writer = self._writer(emitter, scope)
            self.flow.follow(
                current,
                writer,
                Known(self.facts),
                stop=lambda number, e=emitter: _lines(e, f"s[0] = {number}", "return 0"),  # type: ignore[misc]
                jump=lambda number, e=emitter: _lines(e, f"s[0] = {number}", "continue"),  # type: ignore[misc]
            )
            written[current] = emitter.text()
        emitter = Emitter()
        with emitter.block("def advance(s, g):"):
            with emitter.block(f"for _ in range({AUTOMATIC_LIMIT}):"):
                emitter.line("node = s[0]")

                def leaf(current: int) -> None:
                    for line in written[current].splitlines():
                        emitter.line(line)

                dispatch(emitter, sorted(written), leaf, otherwise="return 0")
            emitter.line(f"return {ENDLESS}")
        return emitter.text()

    def _dispatch(self, choosing: Sequence[Decide | Gather | Toss]) -> None:
        by_number = {node.number: node for node in choosing}
        numbers = sorted(by_number)

        def acting(emitter: Emitter, scope: Scope) -> None:
            def leaf(current: int) -> None:
                node = by_number[current]
                if isinstance(node, Decide):
                    actor = self.printer.prepared(freshened(node.actor))
                    emitter.line(f"return {self.printer.value(actor, scope)}")
                else:
                    emitter.line(f"return {CHANCE if isinstance(node, Toss) else TOGETHER}")

            emitter.line("node = s[0]")
            dispatch(emitter, numbers, leaf)
            emitter.line(f"return {OVER}")

        self._function("def acting(s, g):", acting)
        for name, arguments, otherwise in (
            ("legal", "s, g, buf, seat", "return 0"),
            ("apply", "s, g, code", f"return {STUCK}"),
        ):

            def write(
                emitter: Emitter,
                scope: Scope,
                name: str = name,
                arguments: str = arguments,
                otherwise: str = otherwise,
            ) -> None:
                emitter.line("node = s[0]")
                dispatch(
                    emitter,
                    numbers,
                    lambda current: emitter.line(f"return {name}_{current}({arguments})"),
                )
                emitter.line(otherwise)

            self._function(f"def {name}({arguments}):", write)

    def _weights(self, tosses: Sequence[Toss]) -> None:
        weighted = {
            node.number: node
            for node in tosses
            if self.game.chance[node.offer.rule].weight is not None
        }

        def write(emitter: Emitter, scope: Scope) -> None:
            def leaf(current: int) -> None:
                node = weighted[current]
                (shape,) = offer_shapes(self.game, node)
                rule = shape.rule
                assert isinstance(rule, Chance)
                assert rule.weight is not None
                inner = scope.inner()
                guards = needed(
                    tuple(guard for guard in rule.guards if isinstance(guard, Let)),
                    free_locals(rule.weight),
                )
                used = free_locals(rule.weight) | _locals_of(guards)
                writer = StatementWriter(self.printer, self.facts, emitter, inner, None)
                values = self._enter(node, shape, writer, "seat", used)
                self.decode(rule.choices, shape.first, used, emitter, inner, values)
                for guard in guards:
                    if isinstance(guard, Let):
                        writer.let(guard.name, guard.value, Known(self.facts), values)
                weight = self.printer.prepared(rule.weight, values)
                emitter.line(f"return {self.printer.value(weight, inner)}")

            emitter.line("node = s[0]")
            dispatch(emitter, sorted(weighted), leaf)
            emitter.line("return 1")

        self._function("def weight(s, g, code):", write)

    # --- whole games ----------------------------------------------------------------------------

    def _playout(self, choosing: Sequence[Decide | Gather | Toss]) -> None:
        by_number = {node.number: node for node in choosing}

        def write(emitter: Emitter, scope: Scope) -> None:
            def leaf(current: int) -> None:
                node = by_number[current]
                seat = "0"
                if isinstance(node, Gather):
                    waiting = self.game.variable[node.waiting]
                    seat = "seat"
                    emitter.line(f"{seat} = 0")
                    with emitter.block(
                        f"while {seat} < {waiting.cells - 1} and not s[{seat} + {waiting.offset}]:"
                    ):
                        emitter.line(f"{seat} += 1")
                emitter.line(f"n = legal_{current}(s, g, buf, {seat})")
                with emitter.block("if n == 0:"):
                    emitter.line(f"return steps, x, {STUCK}")
                emitter.line(f"x = (x * {MULTIPLIER} + {INCREMENT}) & {STATE_MASK}")
                weighted = (
                    isinstance(node, Toss) and self.game.chance[node.offer.rule].weight is not None
                )
                if weighted:
                    emitter.line("total = 0")
                    with emitter.block("for i in range(n):"):
                        emitter.line("total += weight(s, g, buf[i])")
                    emitter.line("rest = (x >> 17) % total")
                    emitter.line("i = 0")
                    with emitter.block("while rest >= weight(s, g, buf[i]):"):
                        emitter.line("rest -= weight(s, g, buf[i])")
                        emitter.line("i += 1")
                    emitter.line(f"status = apply_{current}(s, g, buf[i])")
                else:
                    emitter.line(f"status = apply_{current}(s, g, buf[(x >> 17) % n])")

            emitter.line("steps = 0")
            with emitter.block("while steps < limit:"):
                emitter.line("node = s[0]")
                dispatch(emitter, sorted(by_number), leaf, otherwise="return steps, x, 0")
                with emitter.block("if status != 0:"):
                    emitter.line("return steps, x, status")
                emitter.line("steps += 1")
            with emitter.block("if acting(s, g) == -2:"):
                emitter.line("return steps, x, 0")
            emitter.line(f"return steps, x, {LIMIT}")

        self._function("def playout(s, g, buf, x, limit):", write)


def dispatch(
    emitter: Emitter,
    numbers: Sequence[int],
    leaf: Callable[[int], None],
    otherwise: str | None = None,
) -> None:
    """Halves the numbers until one is left and tests it; other values of `node` fall through."""
    if not numbers:
        if otherwise is not None:
            emitter.line(otherwise)
        return
    if len(numbers) == 1:
        with emitter.block(f"if node == {numbers[0]}:"):
            leaf(numbers[0])
        if otherwise is not None:
            with emitter.block("else:"):
                emitter.line(otherwise)
        return
    middle = len(numbers) // 2
    with emitter.block(f"if node < {numbers[middle]}:"):
        dispatch(emitter, numbers[:middle], leaf, otherwise)
    with emitter.block("else:"):
        dispatch(emitter, numbers[middle:], leaf, otherwise)


def _lines(emitter: Emitter, *lines: str) -> None:
    for line in lines:
        emitter.line(line)


def _locals_of(guards: Sequence[Require | Let]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for guard in guards:
        found |= free_locals(guard.value if isinstance(guard, Let) else guard.condition)
    return found


def _locals_in(statements: Sequence[Statement]) -> frozenset[str]:
    """Every local that the statements mention."""
    found: frozenset[str] = frozenset()
    for statement in statements:
        match statement:
            case Assign(indices=indices, value=value):
                found = found.union(free_locals(value), *(free_locals(index) for index in indices))
            case If(condition=condition, then=then, otherwise=otherwise):
                found |= free_locals(condition) | _locals_in(then) | _locals_in(otherwise)
            case For(body=body):
                found |= _locals_in(body)
            case Let(value=value):
                found |= free_locals(value)
            case Oblige(condition=condition):
                found |= free_locals(condition)
            case _:
                assert_never(statement)
    return found
