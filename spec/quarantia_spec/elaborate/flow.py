"""The order of play: structured flow to a graph of nodes.

Each item is elaborated in order, in a scope that knows the flow's variables, and becomes a
function from "what comes next" to the number of its first node; the graph is then built from the
end to the start. Loop variables are cells of the position, since decisions happen inside loops.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import assert_never

from quarantia_spec import ir, syntax
from quarantia_spec.diagnostics import Code
from quarantia_spec.elaborate.expressions import (
    boolean,
    domain_of,
    elaborate,
    elaborate_as,
    elaborate_indices,
    require_number,
)
from quarantia_spec.elaborate.rules import (
    ElaboratedRule,
    as_chance,
    as_decision,
    inline_body,
    rule_of,
)
from quarantia_spec.elaborate.scope import Scope
from quarantia_spec.elaborate.statements import (
    Permissions,
    assign,
    defined,
    elaborate_statement,
)
from quarantia_spec.elaborate.world import Gone, World
from quarantia_spec.ir import Duty, FoldOp, Op, Sort
from quarantia_spec.ops import FALSE, apply, conjunction, fold, in_range, number, shift, truth
from quarantia_spec.source import Origin, Span

Make = Callable[[int], int]  # what comes next -> the first node of an item
LARGEST_FLOW = 10_000  # parts, each `run` of a named flow counting all of its parts again


class FlowTooLarge(Exception):
    """Reported already; nothing more can be said about the flow."""


@dataclass
class FlowBuilder:
    """Collects nodes, the variables of the flow and the rules that it uses."""

    world: World
    nodes: list[ir.Node | None] = field(default_factory=list)
    variables: dict[str, ir.Variable] = field(default_factory=dict)
    decisions: dict[str, ir.Decision] = field(default_factory=dict)
    chances: dict[str, ir.Chance] = field(default_factory=dict)
    phases: list[ir.Phase] = field(default_factory=list)
    points: dict[str, int] = field(default_factory=dict)  # rule -> where an example may start
    phase: tuple[str, ...] = ()
    loops: list[int] = field(default_factory=list)  # nodes that `stop` goes to
    running: list[str] = field(default_factory=list)  # named flows being copied in
    together: dict[str, tuple[str, ...]] = field(default_factory=dict)  # offered side by side
    live: list[str] = field(default_factory=list)  # variables whose values are still needed
    items: int = 0

    # --- nodes --------------------------------------------------------------------------------

    def reserve(self) -> int:
        self.nodes.append(None)
        return len(self.nodes) - 1

    def add(self, make: Callable[[int], ir.Node]) -> int:
        number_ = self.reserve()
        self.nodes[number_] = make(number_)
        return number_

    def auto(
        self,
        body: list[ir.Statement],
        following: int,
        origin: Origin,
        rule: ElaboratedRule | None = None,
    ) -> int:
        if not body and rule is None:
            return following
        return self.add(
            lambda n: ir.Auto(
                n, tuple(body), following, rule.name if rule else "", self.phase,
                rule.say if rule else ir.NO_SENTENCES, rule.origin if rule else origin,
            )
        )  # fmt: skip

    def branch(self, condition: ir.Expr, yes: int, no: int, origin: Origin) -> int:
        if isinstance(condition, ir.Const):
            return yes if condition.value else no
        made = self.add(lambda n: ir.Branch(n, condition, yes, no, self.phase, origin))
        return self.auto(defined(self.world, condition, origin), made, origin)

    # --- variables ----------------------------------------------------------------------------

    def variable(
        self, scope: Scope, name: str, sort: Sort, span: Span, hidden: str = ""
    ) -> ir.Read:
        """A cell for a loop variable or a let. Loops side by side share a name of one sort.

        A flow that is run inside another's loop knows nothing of that loop's names: its own must
        not get the same cells.
        """
        scope.check_free(name, span)
        unique, count = name, 2
        while unique in self.live or (
            unique in self.variables and self.variables[unique].sort != sort
        ):
            unique, count = f"{name}_{count}", count + 1
        while hidden and unique in self.variables:
            unique, count = f"{name}_{count}", count + 1
        if unique not in self.variables:
            self.variables[unique] = ir.Variable(
                unique, (), (), sort, ir.Const(sort.low, sort), None, ir.Role.FLOW, 0, Origin(span)
            )
            self.world.defined.dimensions[unique] = ()
        self.live.append(unique)
        cell = ir.Read(unique, (), sort, Origin(span))
        scope.names[name] = cell
        return cell

    # --- blocks -------------------------------------------------------------------------------

    def block(self, scope: Scope, items: tuple[syntax.FlowItem, ...]) -> Make:
        inner = scope.child()
        makes: list[Make] = []
        alive = len(self.live)
        for item in items:
            within = len(self.live)
            try:
                makes.append(self.item(inner, item))
            except Gone:
                continue
            finally:
                if not isinstance(item, syntax.FlowStatement):  # a `let` lives on in its block
                    del self.live[within:]
        del self.live[alive:]

        def make(following: int) -> int:
            entry = following
            for one in reversed(makes):
                entry = one(entry)
            return entry

        return make

    def item(self, scope: Scope, item: syntax.FlowItem) -> Make:
        self.items += 1
        if self.items > LARGEST_FLOW:
            self.world.reporter.error(
                Code.TOO_MANY_VALUES,
                "flows that run flows make this game too long",
                item.span,
                f"at most {LARGEST_FLOW:,} parts can be run: use `repeat`, `each`, or a step",
            )
            raise FlowTooLarge
        origin = Origin(item.span)
        match item:
            case syntax.PhaseBlock():
                return self._phase(scope, item)
            case syntax.Repeat():
                return self._repeat(scope, item)
            case syntax.Each():
                return self._each(scope, item)
            case syntax.Decides():
                return self._decides(scope, item)
            case syntax.Together():
                return self._together(scope, item)
            case syntax.Toss(offer=offer):
                return self._toss(scope, offer)
            case syntax.Run(offer=offer):
                return self._run(scope, offer)
            case syntax.Hook(name=name):
                found = self.world.declared.get(name)
                if not isinstance(found, syntax.Flow):
                    return lambda following: following
                return self._named_flow(scope, found, (), item.span)
            case syntax.FlowIf(condition=condition, then=then, otherwise=otherwise):
                test = boolean(scope, condition)
                if isinstance(test, ir.Const):
                    return self.block(scope, then if test.value else otherwise)
                yes, no = self.block(scope, then), self.block(scope, otherwise)
                return self._in_phase(
                    lambda following: self.branch(test, yes(following), no(following), origin)
                )
            case syntax.Stop(when=when):
                return self._leave(scope, when, item.span, ending=False)
            case syntax.EndPlay(when=when):
                return self._leave(scope, when, item.span, ending=True)
            case syntax.FlowStatement(statement=statement):
                return self._statement(scope, statement)
            case _:
                assert_never(item)

    def _in_phase(self, make: Make) -> Make:
        """Remember the phase in force, since nodes are made later, from the end."""
        phase = self.phase

        def inner(following: int) -> int:
            before, self.phase = self.phase, phase
            try:
                return make(following)
            finally:
                self.phase = before

        return inner

    def _phase(self, scope: Scope, item: syntax.PhaseBlock) -> Make:
        title = item.title.text if item.title is not None else item.name.replace("_", " ")
        if all(phase.name != item.name for phase in self.phases):
            origin = self.world.origin(item.span, item.cites)
            self.phases.append(ir.Phase(item.name, title, origin))
        before, self.phase = self.phase, (*self.phase, item.name)
        try:
            return self.block(scope, item.body)
        finally:
            self.phase = before

    def _statement(
        self,
        scope: Scope,
        statement: syntax.Assignment | syntax.Let | syntax.Collect | syntax.Clear,
    ) -> Make:
        origin = Origin(statement.span)
        if isinstance(statement, syntax.Let):
            value = elaborate(scope, statement.value)
            cell = self.variable(scope, statement.name, value.sort, statement.span)
            body = assign(self.world, cell, value, origin)
        else:
            body = elaborate_statement(scope, statement, Permissions(assign_flow=True))
        return self._in_phase(lambda following: self.auto(body, following, origin))

    def _leave(
        self, scope: Scope, when: syntax.Expression | None, span: Span, ending: bool
    ) -> Make:
        origin = Origin(span)
        condition: ir.Expr = truth(True) if when is None else boolean(scope, when)
        if ending:
            return self._in_phase(
                lambda following: self.branch(condition, self._end(), following, origin)
            )
        if not self.loops:
            self.world.reporter.error(
                Code.STOP_OUTSIDE,
                "`stop` leaves a `repeat`, and there is none around it",
                span,
                "put it inside a `repeat`, or use `end` to end the game",
            )
            raise Gone
        target = self.loops[-1]
        return self._in_phase(lambda following: self.branch(condition, target, following, origin))

    def _end(self) -> int:
        for node in self.nodes:
            if isinstance(node, ir.End):
                return node.number
        return self.add(lambda n: ir.End(n))

    # --- loops --------------------------------------------------------------------------------

    def _repeat(self, scope: Scope, item: syntax.Repeat) -> Make:
        origin = Origin(item.span)
        exit_node = self.reserve()
        head = self.reserve()
        inner = scope.child()
        counter: ir.Read | None = None
        bound: ir.Expr | None = None
        setup: list[ir.Statement] = []
        if item.kind == "times":
            assert item.bound is not None
            times = elaborate(scope, item.bound)
            require_number(self.world, times, item.bound.span)
            sort = Sort(0, max(0, times.sort.high))
            counter = self.variable(inner, "times_left", sort, item.span, hidden="counter")
            setup = assign(self.world, counter, times, origin)
        elif item.bound is not None:
            bound = boolean(scope, item.bound)
        self.loops.append(exit_node)
        try:
            body = self.block(inner, item.body)
        finally:
            self.loops.pop()

        def make(following: int) -> int:
            self._forward(exit_node, following, origin)
            if counter is not None:
                # Counted down right after the test, so that it plainly stays within its range.
                less = apply(Op.SUB, counter, number(1))
                count: list[ir.Statement] = [ir.Assign(counter.variable, (), less, origin)]
                test = apply(Op.GT, counter, number(0))
                self._fill_branch(
                    head, test, self.auto(count, body(head), origin), following, origin
                )
                return self.auto(setup, head, origin)
            if item.kind == "while":
                assert bound is not None
                self._fill_branch(head, bound, body(head), following, origin)
                return head
            if item.kind == "until":
                assert bound is not None
                test_node = self.branch(bound, following, head, origin)
                self._forward(head, body(test_node), origin)
                return head
            self._forward(head, body(head), origin)
            return head

        return self._in_phase(make)

    def _forward(self, reserved: int, target: int, origin: Origin) -> None:
        """A reserved node that only passes play on; removed when the graph is tidied."""
        self.nodes[reserved] = ir.Auto(
            reserved, (), target, "", self.phase, ir.NO_SENTENCES, origin
        )

    def _fill_branch(
        self, reserved: int, condition: ir.Expr, yes: int, no: int, origin: Origin
    ) -> None:
        if isinstance(condition, ir.Const):
            self._forward(reserved, yes if condition.value else no, origin)
            return
        asks = defined(self.world, condition, origin)
        if asks:
            self._forward(reserved, self.branch(condition, yes, no, origin), origin)
        else:
            self.nodes[reserved] = ir.Branch(reserved, condition, yes, no, self.phase, origin)

    def _each(self, scope: Scope, item: syntax.Each) -> Make:
        origin = Origin(item.span)
        _, local, added = domain_of(scope, replace(item.binding, name="_each"))
        sort = local.sort
        start = None if item.start is None else elaborate_as(scope, item.start, sort)
        inner = scope.child()
        cell = self.variable(inner, item.binding.name, sort, item.binding.span)
        left: ir.Read | None = None
        if start is not None:
            left = self.variable(
                inner, f"{item.binding.name}_left", Sort(0, sort.size - 1), item.span, "counter"
            )
        condition: ir.Expr | None = None
        if added is not None:
            from quarantia_spec.defined import substitute

            condition = substitute(added, {local.name: cell})
        if item.where is not None:
            condition = conjunction(condition, boolean(inner, item.where))
        body = self.block(inner, item.body)
        head = self.reserve()
        first, last, step = (sort.high, sort.low, -1) if item.down else (sort.low, sort.high, 1)

        def make(following: int) -> int:
            onward: ir.Expr
            if left is not None:
                edge = apply(Op.EQ, cell, ir.Const(last, Sort(last, last, sort.names)))
                wrapped = ir.Const(first, Sort(first, first, sort.names))
                onward = ir.Apply(Op.IF, (edge, wrapped, shift(cell, step, sort)), sort, origin)
                done = apply(Op.EQ, left, number(0))
            else:
                onward = shift(cell, step, sort)
                done = apply(Op.EQ, cell, ir.Const(last, Sort(last, last, sort.names)))
            moves: list[ir.Statement] = [ir.Assign(cell.variable, (), onward, origin)]
            if left is not None:
                less = apply(Op.SUB, left, number(1))
                moves.append(ir.Assign(left.variable, (), less, origin))
            advance = self.auto(moves, head, origin)
            after = self.branch(done, following, advance, origin)
            entry = body(after)
            if condition is not None:
                entry = self.branch(condition, entry, after, origin)
            self._forward(head, entry, origin)
            begin: list[ir.Statement] = []
            if start is None:
                opening = ir.Const(first, Sort(first, first, sort.names))
                begin.append(ir.Assign(cell.variable, (), opening, origin))
            else:
                assert left is not None
                begin.extend(assign(self.world, cell, start, origin))
                begin.append(ir.Assign(left.variable, (), number(sort.size - 1), origin))
            return self.auto(begin, head, origin)

        return self._in_phase(make)

    # --- offers -------------------------------------------------------------------------------

    def _rule(self, offer: syntax.Offer, kind: str) -> ElaboratedRule:
        declaration = self.world.declared.get(offer.name)
        if not isinstance(declaration, syntax.Rule) or declaration.kind != kind:
            if declaration is None:
                rules = {
                    n for n, d in self.world.declared.items()
                    if isinstance(d, syntax.Rule) and d.kind == kind
                }  # fmt: skip
                raise self.world.unknown(offer.name, offer.span, rules)
            raise self.world.wrong_kind(offer.name, offer.span, f"a {kind}")
        self.world.rules_used.add(offer.name)
        return rule_of(self.world, offer.name, declaration)

    def _arguments(
        self, scope: Scope, offer: syntax.Offer, parameters: tuple[ir.Parameter, ...]
    ) -> tuple[tuple[ir.Expr, ...], list[ir.Statement]]:
        """The context of an offer, and the obligation that it lies within its sorts."""
        found = elaborate_indices(
            scope, offer.name, offer.arguments or (), tuple(p.sort for p in parameters), offer.span
        )
        origin = Origin(offer.span)
        asks = conjunction(
            *(self.world.defined.of(value) for value in found),
            *(in_range(v, p.sort) for v, p in zip(found, parameters, strict=True)),
        )
        if asks is None:
            return found, []
        return found, [
            ir.Oblige(asks, Duty.DEFINED, f"`{offer.name}` needs a proper context", origin)
        ]

    def _decides(self, scope: Scope, item: syntax.Decides) -> Make:
        origin = Origin(item.span)
        player = elaborate_as(scope, item.player, self.world.types["Player"])
        asks = conjunction(
            self.world.defined.of(player), in_range(player, self.world.types["Player"])
        )
        before: list[ir.Statement] = []
        if asks is not None:
            before.append(ir.Oblige(asks, Duty.DEFINED, "somebody must decide", origin))
        offers = []
        for offer in item.offers:
            rule = self._rule(offer, "decision")
            arguments, obligations = self._arguments(scope, offer, rule.context)
            before.extend(obligations)
            self._use(rule, secret=False, span=offer.span)
            offers.append(ir.Offer(rule.name, arguments))

        def make(following: int) -> int:
            node = self.add(
                lambda n: ir.Decide(n, player, tuple(offers), following, self.phase, origin)
            )
            entry = self.auto(before, node, origin)
            for offer in offers:
                self.points.setdefault(offer.rule, entry)
            return entry

        return self._in_phase(make)

    def _use(self, rule: ElaboratedRule, secret: bool, span: Span) -> None:
        known = self.decisions.get(rule.name)
        if known is not None and known.secret != secret:
            self.world.reporter.error(
                Code.MISPLACED,
                f"`{rule.name}` is decided both alone and together",
                span,
                "declare two decisions",
            )
            raise Gone
        if known is None and not secret:
            self.decisions[rule.name] = as_decision(rule)

    def _toss(self, scope: Scope, offer: syntax.Offer) -> Make:
        origin = Origin(offer.span)
        rule = self._rule(offer, "chance")
        arguments, before = self._arguments(scope, offer, rule.context)
        self.chances.setdefault(rule.name, as_chance(rule))

        def make(following: int) -> int:
            node = self.add(
                lambda n: ir.Toss(n, ir.Offer(rule.name, arguments), following, self.phase, origin)
            )
            entry = self.auto(before, node, origin)
            self.points.setdefault(rule.name, entry)
            return entry

        return self._in_phase(make)

    def _run(self, scope: Scope, offer: syntax.Offer) -> Make:
        declaration = self.world.declared.get(offer.name)
        if isinstance(declaration, syntax.Flow):
            return self._named_flow(scope, declaration, offer.arguments or (), offer.span)
        rule = self._rule(offer, "step")
        arguments, before = self._arguments(scope, offer, rule.context)
        bound = {p.name: a for p, a in zip(rule.context, arguments, strict=True)}
        body = [*before, *inline_body(rule, bound)]

        def make(following: int) -> int:
            entry = self.auto(body, following, rule.origin, rule)
            self.points.setdefault(rule.name, entry)
            return entry

        return self._in_phase(make)

    def _named_flow(
        self,
        scope: Scope,
        declaration: syntax.Flow,
        arguments: tuple[syntax.Expression, ...],
        span: Span,
    ) -> Make:
        name = declaration.name or ""
        if name in self.running:
            self.world.reporter.error(
                Code.CIRCULAR, f"flow `{name}` runs itself", span, "use `repeat` instead"
            )
            raise Gone
        from quarantia_spec.elaborate.sorts import domain_sort

        self.world.rules_used.add(name)
        inner = Scope(self.world)
        setup: list[ir.Statement] = []
        if len(arguments) != len(declaration.context):
            self.world.reporter.error(
                Code.WRONG_COUNT,
                f"flow `{name}` takes {len(declaration.context)} values in [ ]",
                span,
                "write one value for each index, in the order of the declaration",
            )
            raise Gone
        for index, argument in zip(declaration.context, arguments, strict=True):
            sort = domain_sort(self.world, index.sort)
            value = elaborate_as(scope, argument, sort)
            given_name = index.name or "_"
            if isinstance(value, ir.Read) and (value.variable, value.sort) == (given_name, sort):
                inner.names[given_name] = value  # the caller's variable has this name already
                continue
            cell = self.variable(inner, given_name, sort, index.span)
            setup.extend(assign(self.world, cell, value, Origin(span)))
        self.world.origin(declaration.span, declaration.cites)
        self.running.append(name)
        try:
            body = self.block(inner, declaration.body)
        finally:
            self.running.pop()
        return self._in_phase(lambda following: self.auto(setup, body(following), Origin(span)))

    # --- choices made together ----------------------------------------------------------------

    def _together(self, scope: Scope, item: syntax.Together) -> Make:
        """Everyone writes a choice down; then all are carried out in seat order."""
        world = self.world
        origin = Origin(item.span)
        players = world.types["Player"]
        _, domain, _ = domain_of(scope, item.binding)
        inner = scope.child()
        seat = ir.Local(f"seat_{item.binding.name}", players, Origin(item.binding.span))
        inner.names[item.binding.name] = seat
        if domain.sort != players:
            world.reporter.error(
                Code.TYPE_MISMATCH, "players choose together", item.binding.span,
                "write `together p in Player …`",
            )  # fmt: skip
            raise Gone
        where = None if item.where is None else boolean(inner, item.where)
        label = item.offers[0].name
        waiting = self._pending(f"{label}.waiting", ir.BOOLEAN, seen_by_all=True)
        chosen = self._pending(f"{label}.chosen", Sort(0, len(item.offers)))
        offers = []
        carry_out: list[ir.Statement] = []
        reset: list[ir.Statement] = [
            ir.Assign(chosen, (seat,), number(0), origin),
        ]
        for position, offer in enumerate(item.offers, 1):
            rule = self._rule(offer, "decision")
            self._use(rule, secret=True, span=offer.span)
            beside = self.together.setdefault(rule.name, tuple(each.name for each in item.offers))
            if beside != tuple(each.name for each in item.offers):
                world.reporter.error(
                    Code.MISPLACED,
                    f"`{rule.name}` is offered together with other decisions elsewhere",
                    offer.span,
                    f"offer {', '.join(beside)} here too, in this order, or declare two decisions",
                )
                raise Gone
            arguments, obligations = self._arguments(inner, offer, rule.context)
            kept = self._kept_choices(rule)
            actor = ir.Local(rule.actor, players)
            body: list[ir.Statement] = [ir.Assign(chosen, (actor,), number(position), rule.origin)]
            for parameter, variable in kept:
                value = ir.Local(parameter.name, parameter.sort)
                body.append(ir.Assign(variable, (actor,), value, rule.origin))
            body.append(ir.Assign(waiting, (actor,), FALSE, rule.origin))
            self.decisions[rule.name] = ir.Decision(
                rule.name, rule.actor, rule.context, rule.choices, rule.guards, tuple(body),
                rule.say, True, rule.origin,
            )  # fmt: skip
            offers.append(ir.Offer(rule.name, arguments))
            bound: dict[str, ir.Expr] = {
                p.name: a for p, a in zip(rule.context, arguments, strict=True)
            }
            bound[rule.actor] = seat
            for parameter, variable in kept:
                bound[parameter.name] = ir.Read(variable, (seat,), parameter.sort)
                reset.append(
                    ir.Assign(
                        variable, (seat,), ir.Const(parameter.sort.low, parameter.sort), origin
                    )
                )
            effects = inline_body(rule, bound)
            carry_out.append(
                ir.If(
                    apply(
                        Op.EQ, ir.Read(chosen, (seat,), Sort(0, len(item.offers))),
                        number(position),
                    ),
                    (*obligations, *effects),
                    (),
                    rule.origin,
                )
            )  # fmt: skip
        asks: list[ir.Statement] = []
        value_of_waiting: ir.Expr = truth(True) if where is None else where
        if where is not None:
            asks = defined(world, where, origin)
        opening = ir.For(
            seat.name, players.low, players.high,
            (*asks, ir.Assign(waiting, (seat,), value_of_waiting, origin)), origin,
        )  # fmt: skip
        resolution = ir.For(seat.name, players.low, players.high, (*carry_out, *reset), origin)
        someone = ir.Local("somebody", players)
        anyone = fold(
            FoldOp.ANY, someone.name, players, None, ir.Read(waiting, (someone,), ir.BOOLEAN)
        )

        def make(following: int) -> int:
            resolve = self.auto([resolution], following, origin)
            gather = self.reserve()
            check = self.branch(anyone, gather, resolve, origin)
            self.nodes[gather] = ir.Gather(
                gather, waiting, tuple(offers), check, self.phase, origin
            )
            entry = self.auto([opening], check, origin)
            for offer in offers:
                self.points.setdefault(offer.rule, entry)
            return entry

        return self._in_phase(make)

    def name_variables(self, scope: Scope) -> None:
        """Let what is said of positions speak of the flow's own loop variables and counters."""
        for name, variable in self.variables.items():
            if variable.role is ir.Role.FLOW:
                scope.names.setdefault(name, ir.Read(name, (), variable.sort))

    def _pending(self, name: str, sort: Sort, seen_by_all: bool = False) -> str:
        players = self.world.types["Player"]
        unique, count = name, 2
        while unique in self.variables and self.variables[unique].sort != sort:
            unique, count = f"{name}_{count}", count + 1
        viewer, owner = ir.Local("viewer", players), ir.Local("player", players)
        self.variables[unique] = ir.Variable(
            unique,
            (players,),
            ("player",),
            sort,
            ir.Const(sort.low, sort),
            None if seen_by_all else apply(Op.EQ, viewer, owner),
            ir.Role.PENDING,
            0,
        )
        self.world.defined.dimensions[unique] = (players,)
        return unique

    def _kept_choices(self, rule: ElaboratedRule) -> list[tuple[ir.Parameter, str]]:
        return [
            (parameter, self._pending(f"{rule.name}.{parameter.name}", parameter.sort))
            for parameter in rule.choices
        ]


def reachable_nodes(
    nodes: list[ir.Node | None], entry: int
) -> tuple[tuple[ir.Node, ...], int, dict[int, int]]:
    """Drop nodes that only pass play on and nodes without use; number the rest from the entry."""

    def settle(number_: int) -> int:
        seen = set()
        while True:
            node = nodes[number_]
            if (
                isinstance(node, ir.Auto)
                and not node.body
                and not node.rule
                and number_ not in seen
            ):
                seen.add(number_)
                number_ = node.next
            else:
                return number_

    entry = settle(entry)
    order: dict[int, int] = {}
    pending = [entry]
    while pending:
        current = pending.pop(0)
        if current in order:
            continue
        order[current] = len(order)
        node = nodes[current]
        assert node is not None
        pending.extend(settle(target) for target in successors(node))
    result: list[ir.Node] = []
    for old in order:
        node = nodes[old]
        assert node is not None
        result.append(_renumbered(node, order, settle))
    where = {
        old: order[settle(old)] for old in range(len(nodes)) if _known(nodes, old, order, settle)
    }
    return tuple(result), order[entry], where


def _known(nodes: list[ir.Node | None], number_: int, order: dict[int, int], settle: Make) -> bool:
    return nodes[number_] is not None and settle(number_) in order


def successors(node: ir.Node) -> tuple[int, ...]:
    match node:
        case ir.Branch(yes=yes, no=no):
            return (yes, no)
        case ir.End():
            return ()
        case _:
            return (node.next,)


def _renumbered(node: ir.Node, order: dict[int, int], settle: Make) -> ir.Node:
    own = order[node.number]
    match node:
        case ir.Branch():
            return replace(node, number=own, yes=order[settle(node.yes)], no=order[settle(node.no)])
        case ir.End():
            return replace(node, number=own)
        case _:
            return replace(node, number=own, next=order[settle(node.next)])
