"""What one choice does, for all positions at once.

A *stable* node is one where somebody chooses, chance speaks or the game is over. A `Transition`
starts at a stable node with one offer, its choices being symbols, carries out the rule and all
that then happens by itself, and arrives at stable nodes. Read `System`, then `_Run.follow`.

NOTE(merging) Where strands of play meet again they become one position whose cells say "this if
we came that way, else that", so there is one arrival per stable node, not one per path. Loops of
automatic nodes are unrolled for as long as the solver finds that play can still be inside; what
is left after `ROUNDS` is a `Stuck`, which must be proved impossible before anything else counts
as proved. While it is certain that play is inside, as when counting to 90, more rounds are cheap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import assert_never

from quarantia_checker.encode import (
    NO_LOCALS,
    Encoder,
    Frame,
    Locals,
    cell_names,
    fit,
    in_sort,
    symbol,
)
from quarantia_checker.pauses import is_pause
from quarantia_checker.solver import Answer, Session, Solver
from quarantia_checker.terms import Term, Value
from quarantia_checker.values import (
    as_boolean,
    as_integer,
    choose,
    conjoin,
    disjoin,
    equal,
    implies,
    less,
    negate,
    same,
)
from quarantia_spec.ir import (
    Assign,
    Auto,
    Branch,
    Chance,
    Decide,
    Decision,
    End,
    Expr,
    For,
    Game,
    Gather,
    Guard,
    If,
    Let,
    Node,
    Oblige,
    Offer,
    Parameter,
    Require,
    Sort,
    Statement,
    Toss,
)

ROUNDS = 64
CERTAIN_ROUNDS = 1_100  # a type has at most 1,024 members
FEASIBILITY_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Arrival:
    """Play comes to the stable node `node` in the position `frame` when `condition` holds."""

    node: int
    condition: Value
    frame: Frame


@dataclass(frozen=True, slots=True)
class Demand:
    """When `path` holds, play passes `statement`, and `claim` must hold there.

    `before` are the demands that it has met on the way.
    """

    statement: Oblige
    path: Value
    claim: Value
    before: tuple[Value, ...] = ()

    @property
    def context(self) -> Value:
        return conjoin((self.path, *self.before))


@dataclass(frozen=True, slots=True)
class Stuck:
    """When `condition` holds, play is still among automatic nodes after `ROUNDS` rounds."""

    nodes: tuple[int, ...]
    condition: Value


@dataclass(frozen=True, slots=True)
class Passage:
    """When `condition` holds, play goes from an automatic node to `target`."""

    node: int
    target: int
    condition: Value


@dataclass(frozen=True)
class Transition:
    """One offer taken at one stable node; the beginning of play when `source` is None.

    `legal` says that this choice, with these `arguments`, is allowed. `passed` says of each
    `Oblige` on the way that it did not fail: the engine stops at one that does, so play never gets
    past it.
    """

    index: int
    source: int | None
    offer: Offer | None
    actor: Value | None
    arguments: Mapping[str, Value]
    bounds: Value
    legal: Value
    passed: tuple[Value, ...]
    arrivals: tuple[Arrival, ...]
    demands: tuple[Demand, ...]
    stuck: tuple[Stuck, ...]
    passages: tuple[Passage, ...]
    weight: Value | None = None  # how likely chance is to choose it

    @property
    def taken(self) -> Value:
        """The choice is among those offered and allowed."""
        return conjoin((self.bounds, self.legal))

    @property
    def assumed(self) -> Value:
        """No `Oblige` on the way failed."""
        return conjoin(self.passed)

    @property
    def name(self) -> str:
        return "beginning" if self.offer is None else f"{self.source}:{self.offer.rule}"


@dataclass(frozen=True, slots=True)
class Known:
    """A choice that was made: by whom (None: chance), which rule, with which arguments."""

    actor: Value | None
    rule: str
    arguments: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Option:
    """An offer at a stable node, not carried out: who chooses, among what, and what is legal."""

    offer: Offer
    rule: Decision | Chance
    actor: Value | None
    scope: Locals
    arguments: Mapping[str, Value]
    bounds: Value
    legal: Value
    weight: Value | None = None


class System:
    """A game as the solver sees it, for one number of players."""

    def __init__(self, game: Game, data: Mapping[str, Sequence[int]] | None = None) -> None:
        self.game = game
        self.encoder = Encoder(game, data)
        self.names = cell_names(game)
        self.sorts = cell_sorts(game)
        symbols = [symbol(name, sort) for name, sort in zip(self.names, self.sorts, strict=True)]
        self.frame = Frame(symbols)
        # Where facts are kept: every node where play stands, pauses (see `pauses`) included.
        self.points = tuple(n.number for n in game.nodes if not isinstance(n, Auto | Branch))
        self.stable = tuple(n for n in self.points if not is_pause(game.nodes[n]))
        self.ranges = ranges_of(self.frame, self.sorts)

    @cached_property
    def cell_numbers(self) -> dict[Term, int]:
        """The number of each cell by its symbol."""
        return {cell: number for number, cell in enumerate(self.frame.cells)}

    @cached_property
    def session(self) -> Session:
        """What z3 is told of this system."""
        return Session()

    @property
    def background(self) -> tuple[Value, ...]:
        return self.encoder.background

    @cached_property
    def order(self) -> dict[int, tuple[int, int]]:
        return automatic_order(self.game)

    @cached_property
    def beginning(self) -> Transition:
        """From before the first position to the stable nodes where play first stands."""
        run = _Run(self, None, True)
        run.follow(self.game.entry, True, self.first_frame())
        return run.result(0, None, None)

    @cached_property
    def transitions(self) -> tuple[Transition, ...]:
        """Every offer at every stable node, in the order of the nodes; then of the offers."""
        result: list[Transition] = []
        for number in self.points:
            for option in self.options(number, self.frame):
                result.append(self.carry_out(number, option, self.frame, len(result) + 1))
        return tuple(result)

    @cached_property
    def everything(self) -> tuple[Transition, ...]:
        return (self.beginning, *self.transitions)

    def first_frame(self) -> Frame:
        """Every variable at its initial value, before play starts."""
        cells: list[Value] = [self.game.entry] + [0] * (self.game.cells - 1)
        for variable in self.game.variables:
            domains = [range(sort.low, sort.high + 1) for sort in variable.dimensions]
            for entry, indices in enumerate(product(*domains)):
                scope = dict(zip(variable.index_names, indices, strict=True))
                value = self.encoder.encode(variable.initial, Frame(cells), scope)
                cells[variable.offset + entry] = fit(value, variable.sort)
        return Frame(cells)

    def options(
        self, number: int, frame: Frame, suffix: str = "", known: Known | None = None
    ) -> tuple[Option, ...]:
        """What is offered at a stable node in the position `frame`.

        Choices are symbols whose names end in `suffix`, or the numbers that are `known`.
        """
        node: Node = self.game.nodes[number]
        match node:
            case Decide(actor=actor, offers=offers):
                chooser = self.encoder.encode(actor, frame)
                bounds: Value = True if known is None else equal(chooser, known.actor)
            case Gather(waiting=waiting, offers=offers):
                variable = self.game.variable[waiting]
                seat = variable.dimensions[0]
                chooser = known.actor if known else symbol(f"choice who{suffix}", seat)
                waits: Value = False
                for step in range(seat.size):
                    cell = as_boolean(frame.cells[variable.offset + step])
                    waits = choose(equal(chooser, seat.low + step), cell, waits)
                bounds = conjoin((in_sort(chooser, seat), waits))
            case Toss(offer=offer):
                offers, chooser, bounds = (offer,), None, True
            case End():
                return ()
            case Auto() | Branch():
                raise AssertionError(f"node {number} is not stable")
            case _:
                assert_never(node)
        return tuple(
            self._option(offer, chooser, bounds, frame, suffix, known)
            for offer in offers
            if known is None or known.rule == offer.rule
        )

    def _option(
        self,
        offer: Offer,
        actor: Value | None,
        bounds: Value,
        frame: Frame,
        suffix: str,
        known: Known | None,
    ) -> Option:
        rule: Decision | Chance
        scope: dict[str, Value] = {}
        if offer.rule in self.game.decision:
            rule = self.game.decision[offer.rule]
            scope[rule.actor] = actor
        else:
            rule = self.game.chance[offer.rule]
        for parameter, argument in zip(rule.context, offer.arguments, strict=True):
            scope[parameter.name] = fit(self.encoder.encode(argument, frame, scope), parameter.sort)
        arguments: dict[str, Value] = {}
        for parameter in rule.choices:
            if known is None:
                name = f"choice {rule.name}.{parameter.name}{suffix}"
                arguments[parameter.name] = symbol(name, parameter.sort)
            else:
                arguments[parameter.name] = fit(known.arguments[parameter.name], parameter.sort)
        scope.update(arguments)
        bounds = conjoin((bounds, in_parameters(rule.choices, arguments)))
        scope, legal = self.guard(rule.guards, frame, scope)
        weight: Value | None = None
        if isinstance(rule, Chance) and rule.weight is not None:
            weight = self.encoder.encode(rule.weight, frame, scope)
            legal = conjoin((legal, less(0, weight)))
        return Option(offer, rule, actor, scope, arguments, bounds, legal, weight)

    def guard(
        self, guards: Iterable[Guard], frame: Frame, scope: Locals
    ) -> tuple[dict[str, Value], Value]:
        """The scope with the lets among the guards, and whether all that is required holds."""
        inner = dict(scope)
        required: list[Value] = []
        for item in guards:
            match item:
                case Require(condition=condition):
                    required.append(self.encoder.condition(condition, frame, inner))
                case Let(name=name, value=value):
                    inner[name] = self.encoder.encode(value, frame, inner)
                case _:
                    assert_never(item)
        return inner, conjoin(required)

    def carry_out(self, number: int, option: Option, frame: Frame, index: int) -> Transition:
        """What taking this option in `frame` leads to."""
        node = self.game.nodes[number]
        assert isinstance(node, Decide | Gather | Toss)
        taken = conjoin((option.bounds, option.legal))
        run = _Run(self, number, taken)
        after = run.block(option.rule.body, frame, option.scope, True)
        run.follow(node.next, True, after)
        return run.result(index, number, option)


def in_parameters(parameters: Iterable[Parameter], scope: Locals) -> Value:
    return conjoin(in_sort(scope[each.name], each.sort) for each in parameters)


def cell_sorts(game: Game) -> list[Sort]:
    """The sort of every cell; the control cell holds the number of a node."""
    sorts = [Sort(0, len(game.nodes) - 1)] + [Sort(0, 0)] * (game.cells - 1)
    for variable in game.variables:
        for entry in range(variable.cells):
            sorts[variable.offset + entry] = variable.sort
    return sorts


def ranges_of(frame: Frame, sorts: Sequence[Sort]) -> tuple[Value, ...]:
    """That each cell, the control cell left out, has a value of its sort."""
    pairs = zip(frame.cells[1:], sorts[1:], strict=True)
    return tuple(
        claim for claim in (in_sort(cell, sort) for cell, sort in pairs) if claim is not True
    )


@dataclass(slots=True)
class _Strand:
    condition: Value
    frame: Frame


@dataclass
class _Run:
    """One execution: what was met on the way is collected in the lists."""

    system: System
    source: int | None
    taken: Value
    assumed: list[Value] = field(default_factory=list)
    demands: list[Demand] = field(default_factory=list)
    arrivals: dict[int, _Strand] = field(default_factory=dict)
    stuck: list[Stuck] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)

    def result(self, index: int, source: int | None, option: Option | None) -> Transition:
        return Transition(
            index=index,
            source=source,
            offer=option.offer if option else None,
            actor=option.actor if option else None,
            arguments=option.arguments if option else {},
            bounds=option.bounds if option else True,
            legal=option.legal if option else True,
            passed=tuple(each for each in self.assumed if each is not True),
            arrivals=tuple(
                Arrival(node, strand.condition, strand.frame.with_cells({0: node}))
                for node, strand in sorted(self.arrivals.items())
            ),
            demands=tuple(self.demands),
            stuck=tuple(self.stuck),
            passages=tuple(self.passages),
            weight=option.weight if option else None,
        )

    # --- statements -------------------------------------------------------------------------

    def block(
        self, statements: Iterable[Statement], frame: Frame, scope: Locals, path: Value
    ) -> Frame:
        """The position after the statements; `path` is what it takes to be here."""
        inner = dict(scope)
        encoder = self.system.encoder
        for statement in statements:
            match statement:
                case Assign():
                    frame = self._assign(statement, frame, inner)
                case Let(name=name, value=value):
                    inner[name] = encoder.encode(value, frame, inner)
                case Oblige(condition=condition):
                    claim = encoder.condition(condition, frame, inner)
                    self.demands.append(Demand(statement, path, claim, tuple(self.assumed)))
                    self.assumed.append(implies(path, claim))
                case For(name=name, low=low, high=high, body=body):
                    for number in range(low, high + 1):
                        frame = self.block(body, frame, {**inner, name: number}, path)
                case If(condition=test, then=then, otherwise=otherwise):
                    frame = self._fork(test, then, otherwise, frame, inner, path)
                case _:
                    assert_never(statement)
        return frame

    def _fork(
        self,
        test: Expr,
        then: tuple[Statement, ...],
        otherwise: tuple[Statement, ...],
        frame: Frame,
        scope: Locals,
        path: Value,
    ) -> Frame:
        condition = self.system.encoder.condition(test, frame, scope)
        if isinstance(condition, bool):
            return self.block(then if condition else otherwise, frame, scope, path)
        yes = self.block(then, frame, scope, conjoin((path, condition)))
        no = self.block(otherwise, frame, scope, conjoin((path, negate(condition))))
        return merge(condition, yes, no)

    def _assign(self, statement: Assign, frame: Frame, scope: Locals) -> Frame:
        encoder = self.system.encoder
        variable = self.system.game.variable[statement.variable]
        value = fit(encoder.encode(statement.value, frame, scope), variable.sort)
        targets: list[tuple[int, Value]] = [(0, True)]
        for index, dimension in zip(statement.indices, variable.dimensions, strict=True):
            at = as_integer(encoder.encode(index, frame, scope))
            choices: list[tuple[int, Value]] = []
            for step in range(dimension.size):
                here = equal(at, dimension.low + step)
                if here is not False:
                    choices.append((step, here))
            targets = [
                (base * dimension.size + step, conjoin((so_far, here)))
                for base, so_far in targets
                for step, here in choices
            ]
        return frame.with_cells(
            {
                variable.offset + entry: choose(here, value, frame.cells[variable.offset + entry])
                for entry, here in targets
            }
        )

    # --- automatic nodes --------------------------------------------------------------------

    def follow(self, start: int, condition: Value, frame: Frame) -> None:
        """Go on from node `start` until every strand stands at a stable node."""
        order = self.system.order
        pending: dict[int, _Strand] = {}
        waiting: dict[int, _Strand] = {}  # came back to where it had been: the next round
        rounds: dict[int, int] = {}
        solver: Solver | None = None
        self._send(start, _Strand(condition, frame), pending)
        while pending or waiting:
            component = min(order[node][0] for node in (*pending, *waiting))
            here = [node for node in pending if order[node][0] == component]
            if not here:
                rounds[component] = rounds.get(component, 0) + 1
                again = {n: s for n, s in waiting.items() if order[n][0] == component}
                for node in again:
                    del waiting[node]
                solver = solver or self._feasibility()
                inside = disjoin(strand.condition for strand in again.values())
                if self._impossible(solver, inside):
                    continue
                if rounds[component] > (CERTAIN_ROUNDS if inside is True else ROUNDS):
                    self.stuck.append(Stuck(tuple(again), conjoin((inside, *self.assumed))))
                    continue
                pending.update(again)
                continue
            node = min(here, key=lambda each: order[each][1])
            strand = pending.pop(node)
            for target, after in self._step(self.system.game.nodes[node], strand):
                self.passages.append(Passage(node, target, after.condition))
                back = target in order and order[target][1] <= order[node][1]
                self._send(target, after, waiting if back else pending)

    def _step(self, node: Node, strand: _Strand) -> list[tuple[int, _Strand]]:
        match node:
            case Auto(body=body, next=after):
                frame = self.block(body, strand.frame, NO_LOCALS, strand.condition)
                return [(after, _Strand(strand.condition, frame))]
            case Branch(condition=test, yes=yes, no=no):
                holds = self.system.encoder.condition(test, strand.frame)
                arms = ((yes, holds), (no, negate(holds)))
                return [
                    (target, _Strand(conjoin((strand.condition, arm)), strand.frame))
                    for target, arm in arms
                    if arm is not False
                ]
            case Decide() | Gather() | Toss() | End():
                raise AssertionError(f"node {node.number} is stable")
            case _:
                assert_never(node)

    def _send(self, target: int, strand: _Strand, pending: dict[int, _Strand]) -> None:
        node = self.system.game.nodes[target]
        place = pending if isinstance(node, Auto | Branch) else self.arrivals
        if target in place:
            other = place[target]
            strand = _Strand(
                disjoin((other.condition, strand.condition)),
                merge(other.condition, other.frame, strand.frame),
            )
        place[target] = strand

    def _feasibility(self) -> Solver:
        solver = Solver(self.system.session, FEASIBILITY_SECONDS)
        solver.add(*self.system.background, *self.system.ranges, self.taken)
        return solver

    def _impossible(self, solver: Solver, condition: Value) -> bool:
        if isinstance(condition, bool):
            return not condition
        answer = solver.check_also((condition, *self.assumed))
        solver.release()
        return answer is Answer.UNSATISFIABLE


def merge(condition: Value, yes: Frame, no: Frame) -> Frame:
    """The position that is `yes` where the condition holds, else `no`."""
    if yes is no:
        return yes
    return Frame(
        [
            left if same(left, right) else choose(condition, left, right)
            for left, right in zip(yes.cells, no.cells, strict=True)
        ]
    )


def automatic_order(game: Game) -> dict[int, tuple[int, int]]:
    """For each automatic node the rank of its strongly connected part, and its own rank.

    Ranks follow the direction of play: an edge to a lower or equal own rank closes a loop.
    """
    successors = {
        node.number: [
            target
            for target in ((node.next,) if isinstance(node, Auto) else (node.yes, node.no))
            if isinstance(game.nodes[target], Auto | Branch)
        ]
        for node in game.nodes
        if isinstance(node, Auto | Branch)
    }
    return _ranks(successors)


def _ranks(successors: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Tarjan's strongly connected components, without recursion."""
    finished: list[int] = []
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    component: dict[int, int] = {}
    stack: list[int] = []
    components = 0
    for root in successors:
        if root in number:
            continue
        work = [(root, iter(successors[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        while work:
            node, rest = work[-1]
            target = next(rest, None)
            if target is None:
                work.pop()
                finished.append(node)
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    while True:
                        member = stack.pop()
                        component[member] = components
                        if member == node:
                            break
                    components += 1
            elif target not in number:
                number[target] = low[target] = len(number)
                stack.append(target)
                work.append((target, iter(successors[target])))
            elif target not in component:
                low[node] = min(low[node], number[target])
    total = len(finished)
    return {
        node: (components - 1 - component[node], total - 1 - rank)
        for rank, node in enumerate(finished)
    }


def strong_parts(graph: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """The number of the strongly connected part of each node."""
    return {node: part for node, (part, _) in _ranks(graph).items()}
