"""A game of the IR to a module of Python source that plays it. Read `generate` first.

The generated functions work on `s`, the cells of a position, `g`, the entries of all tables one
after the other, and `buf`, room for the numbers of moves. They use nothing but integers, lists
and loops, so that CPython and numba both run them as they stand.

    initial(s, g)            fills a new position; play has not started
    advance(s, g)            runs what happens by itself; returns a status
    acting(s, g)             the player to choose, or CHANCE, OVER, TOGETHER
    legal(s, g, buf, seat)   puts the legal moves into buf, returns how many
    permits(s, g, code)      whether one move, by its number, is legal
    apply(s, g, code)        makes a move and advances; returns a status
    weight(s, g, code)       the weight of an outcome of chance
    wins(s, g, seat), score(s, g, seat)
    seen(s, g, seat, mask)   1 in mask for each cell that the seat may see
    playout(s, g, buf, x, limit)   random moves; returns steps, the generator's state, a status
    trusted(s, g), play_on(...)    where they exist: `play_on` is a `playout` for positions that
                                   are `trusted`, as all that play leads to are

A status is 0, the number of the obligation that does not hold, or a constant of `encoding`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from quarantia_engine.analysis import Facts, free_locals
from quarantia_engine.counting import Counters
from quarantia_engine.emitter import Emitter, Scope, dispatch
from quarantia_engine.encoding import (
    CHANCE,
    ENDLESS,
    GO_ON,
    OVER,
    STUCK,
    TOGETHER,
    Choosing,
    offer_shapes,
)
from quarantia_engine.enumeration import needed
from quarantia_engine.expressions import Printer
from quarantia_engine.flow import FlowWriter
from quarantia_engine.generated import Generated
from quarantia_engine.implied import Known
from quarantia_engine.playouts import write_playout
from quarantia_engine.rewriting import freshened, number
from quarantia_engine.rules import (
    SEAT,
    Exits,
    NodeWriter,
    Workshop,
    decode_choices,
    locals_of_guards,
)
from quarantia_engine.since import Recall
from quarantia_engine.statements import Obligations, StatementWriter
from quarantia_spec.ir import (
    Assign,
    Chance,
    Decide,
    Expr,
    For,
    Game,
    Gather,
    Let,
    Local,
    Sort,
    Statement,
    Toss,
)

__all__ = ["CHANCE", "ENDLESS", "OVER", "STUCK", "TOGETHER", "Generated", "generate"]

LONGEST_ADVANCE = 250  # lines of automatic nodes in one function
AGAIN = "<on to the next node>"
AUTOMATIC_LIMIT = 100_000  # nodes in a row without a choice: the rules go round in circles


def generate(game: Game, *, checked: bool = True, counted: bool = False) -> Generated:
    """The source of a game. With `checked`, obligations that are not plainly met are tested.

    With `counted`, it counts in further cells how often each rule and each branch was taken.
    """
    return _Generator(game, checked, counted).run()


class _Generator:
    def __init__(self, game: Game, checked: bool, counted: bool) -> None:
        self.game = game
        self.printer = Printer(game)
        self.obligations = Obligations()
        self.counters = Counters(game) if counted else None
        self.jumps: set[int] = {game.entry}
        self.jumps |= {each.node for each in game.examples if each.node is not None}
        facts = Facts(game)
        self.workshop = Workshop(
            self.printer,
            facts,
            self.obligations if checked else None,
            FlowWriter(game.nodes, self.jumps, Recall(self.printer, facts)),
            self.counters,
        )
        self.parts: list[str] = []

    def run(self) -> Generated:
        game = self.game
        terms = [self.printer.term_function(term) for term in game.terms]
        self._initial()
        choosing = [node for node in game.nodes if isinstance(node, Decide | Gather | Toss)]
        for node in choosing:
            self._legal(node)
            self._permits(node)
            self._apply(node)
        playout = write_playout(self.workshop, choosing)
        advance = self._advance()
        self._dispatch(choosing)
        self._weights([node for node in choosing if isinstance(node, Toss)])
        self._outcome()
        self._seen()
        heading = f'"""{game.title or game.name}, {game.players} players."""'.replace("\\", "")
        functions = [*terms, *self.printer.functions, advance, *self.parts, playout]
        source = "\n\n".join([heading + "\n", *functions])
        counters = () if self.counters is None else tuple(self.counters.entries)
        return Generated(source, tuple(self.obligations.entries), counters)

    def _function(self, opening: str, write: Callable[[Emitter, Scope], None]) -> None:
        emitter, scope = Emitter(), Scope()
        with emitter.block(opening):
            write(emitter, scope)
        self.parts.append(emitter.text())

    # --- positions ------------------------------------------------------------------------------

    def _initial(self) -> None:
        def write(emitter: Emitter, scope: Scope) -> None:
            writer = self.workshop.plain_writer(emitter, scope)
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
                writer.write((statement,), "", Known(self.workshop.facts), {})

        self._function("def initial(s, g):", write)

    def _seen(self) -> None:
        def write(emitter: Emitter, scope: Scope) -> None:
            writer = self.workshop.plain_writer(emitter, scope)
            everyone = Sort(0, self.game.players - 1, "Player")
            scope.alias(SEAT, "seat")
            with emitter.block(f"for cell in range({self.game.cells}):"):
                emitter.line("mask[cell] = 1")
            for variable in self.game.variables:
                if variable.visible is None:
                    continue
                values: dict[str, Expr] = {"viewer": Local(SEAT, everyone)}
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
                scope.alias(outcome.player, "seat")
                value = number(0) if expr is None else self.printer.prepared(freshened(expr))
                emitter.line(f"return {self.printer.value(value, scope)}")

            self._function(f"def {name}(s, g, seat):", write)

    # --- choices --------------------------------------------------------------------------------

    def _legal(self, node: Choosing) -> None:
        def write(emitter: Emitter, scope: Scope) -> None:
            writer = NodeWriter(self.workshop, node, emitter, scope)
            scope.alias(SEAT, "seat")
            base = ""
            if isinstance(node, Gather):
                waiting = self.game.variable[node.waiting]
                with emitter.block(f"if not s[seat + {waiting.offset}]:"):
                    emitter.line("return 0")
                base = scope.names.fresh("first")
                emitter.line(f"{base} = seat * {sum(shape.span for shape in writer.shapes)}")
            emitter.line("n = 0")
            writer.bind_context(for_legality=True, for_body=False)
            for shape in writer.shapes:
                writer.list_moves(shape, base)
            emitter.line("return n")

        self._function(f"def legal_{node.number}(s, g, buf, seat):", write)

    def _permits(self, node: Choosing) -> None:
        def write(emitter: Emitter, scope: Scope) -> None:
            writer = NodeWriter(self.workshop, node, emitter, scope)
            self._take_seat(writer)
            if isinstance(node, Gather):
                waiting = self.game.variable[node.waiting]
                with emitter.block(f"if not s[seat + {waiting.offset}]:"):
                    emitter.line("return 0")
            writer.bind_context(for_legality=True, for_body=False)
            for place, shape in enumerate(writer.shapes):
                inner = scope.inner()
                if place + 1 == len(writer.shapes):
                    writer.ask(shape, inner)
                else:
                    with emitter.block(f"if code < {shape.first + shape.span}:"):
                        writer.ask(shape, inner)

        self._function(f"def permits_{node.number}(s, g, code):", write)

    def _take_seat(self, writer: NodeWriter) -> None:
        """Where several choose, the number of a move says who makes it."""
        if isinstance(writer.node, Gather):
            total = sum(shape.span for shape in writer.shapes)
            writer.emitter.lines(f"seat = code // {total}", f"code = code % {total}")
            writer.scope.alias(SEAT, "seat")

    def _apply(self, node: Choosing) -> None:
        def write(emitter: Emitter, scope: Scope) -> None:
            writer = NodeWriter(self.workshop, node, emitter, scope)
            self._take_seat(writer)
            exits = Exits(
                stop=lambda number: emitter.lines(f"s[0] = {number}", "return 0"),
                jump=lambda number: emitter.lines(f"s[0] = {number}", "return advance(s, g)"),
                failing="return {}",
            )
            writer.bind_context(for_legality=False, for_body=True)

            def carry_out(shape_number: int) -> None:
                shape = writer.shapes[shape_number]
                emitter.line(f"# {shape.rule.name}")
                inner, values = scope.inner(), writer.values(shape)
                writer.decode(shape, inner, values)
                writer.carry_out(shape, inner, values, exits)

            for place, shape in enumerate(writer.shapes[:-1]):
                with emitter.block(f"if code < {shape.first + shape.span}:"):
                    carry_out(place)
            carry_out(len(writer.shapes) - 1)

        self._function(f"def apply_{node.number}(s, g, code):", write)

    # --- flow -----------------------------------------------------------------------------------

    def _advance(self) -> str:
        """The function that runs automatic nodes; grows while it is written."""
        written: dict[int, str] = {}
        while self.jumps - set(written):
            current = min(self.jumps - set(written))
            emitter = Emitter()
            scope = Scope()
            writer = self.workshop.writer(emitter, scope)
            self.workshop.flow.follow(
                current,
                writer,
                Known(self.workshop.facts),
                stop=partial(_leave, emitter, "return 0"),
                jump=partial(_leave, emitter, AGAIN),
            )
            written[current] = emitter.text()
        emitter = Emitter()
        if sum(text.count("\n") for text in written.values()) > LONGEST_ADVANCE:
            written = self._apart(written, emitter)
        with emitter.block("def advance(s, g):"):
            with emitter.block(f"for _ in range({AUTOMATIC_LIMIT}):"):
                emitter.line("node = s[0]")

                def leaf(current: int) -> None:
                    for line in written[current].splitlines():
                        emitter.line(line.replace(AGAIN, "continue"))

                dispatch(emitter, sorted(written), leaf, otherwise=("return 0",))
            emitter.line(f"return {ENDLESS}")
        return emitter.text()

    def _apart(self, written: dict[int, str], emitter: Emitter) -> dict[int, str]:
        """A function for each node, and how `advance` calls it: what takes numba time is length."""
        calls: dict[int, str] = {}
        for current, text in sorted(written.items()):
            with emitter.block(f"def pass_{current}(s, g):"):
                for line in text.splitlines():
                    emitter.line(line.replace(AGAIN, f"return {GO_ON}"))
            emitter.lines("", "")
            call = Emitter()
            call.line(f"status = pass_{current}(s, g)")
            with call.block(f"if status != {GO_ON}:"):
                call.line("return status")
            calls[current] = call.text()
        return calls

    def _dispatch(self, choosing: Sequence[Choosing]) -> None:
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
            ("permits", "s, g, code", "return 0"),
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
                used = free_locals(rule.weight) | locals_of_guards(guards)
                writer = self.workshop.plain_writer(emitter, inner)
                values = NodeWriter(self.workshop, node, emitter, inner).bind_context_of(
                    shape, used
                )
                decode_choices(rule.choices, shape.first, used, emitter, inner, values)
                for guard in guards:
                    if isinstance(guard, Let):
                        writer.let(guard.name, guard.value, Known(self.workshop.facts), values)
                weight = self.printer.prepared(rule.weight, values)
                emitter.line(f"return {self.printer.value(weight, inner)}")

            emitter.line("node = s[0]")
            dispatch(emitter, sorted(weighted), leaf)
            emitter.line("return 1")

        self._function("def weight(s, g, code):", write)


def _leave(emitter: Emitter, how: str, number: int) -> None:
    emitter.lines(f"s[0] = {number}", how)
