"""The order of play as rows with brackets, found in the graph of the flow: read `order_of_play`.

Rows are the nodes where something happens, in the order in which play comes to them. What can come
again is a bracket, and so is what a condition may leave out. Bookkeeping of the flow is not shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from quarantia_engine.analysis import walk
from quarantia_spec.ir import (
    Auto,
    Branch,
    Decide,
    End,
    Expr,
    Game,
    Gather,
    Node,
    Read,
    Role,
    Toss,
)


@dataclass(frozen=True, slots=True)
class Row:
    """Something that happens: the rules that one of which is carried out."""

    node: int
    kind: str  # decide, together, chance, step
    rules: tuple[str, ...]
    phase: str


@dataclass(frozen=True, slots=True)
class Bracket:
    """Rows from `first` to `last` that come again, or that happen only at times.

    `condition` None: nothing is said about when. `wanted` is the value that it must have.
    """

    first: int
    last: int
    repeated: bool
    condition: Expr | None
    wanted: bool
    counted: bool = False  # a set number of times


@dataclass(frozen=True, slots=True)
class Order:
    rows: tuple[Row, ...]
    brackets: tuple[Bracket, ...]


def order_of_play(game: Game) -> Order:
    """The rows and brackets of a game's flow."""
    graph = _Graph(game)
    rows: list[Row] = []
    place: dict[int, int] = {}
    for number in graph.order:
        row = _row(game.nodes[number])
        if row is not None:
            place[number] = len(rows)
            rows.append(row)
    found = [*_loops(game, graph, place), *_options(game, graph, place)]
    return Order(tuple(rows), tuple(_distinct(found)))


def _row(node: Node) -> Row | None:
    phase = node.phase[-1] if node.phase else ""
    match node:
        case Decide(offers=offers):
            return Row(node.number, "decide", tuple(each.rule for each in offers), phase)
        case Gather(offers=offers):
            return Row(node.number, "together", tuple(each.rule for each in offers), phase)
        case Toss(offer=offer):
            return Row(node.number, "chance", (offer.rule,), phase)
        case Auto(rule=rule):
            return Row(node.number, "step", (rule,), phase) if rule else None
        case Branch() | End():
            return None
        case _:
            assert_never(node)


def _distinct(brackets: Iterable[Bracket]) -> list[Bracket]:
    """One bracket for the same rows and side: the first that says when."""
    best: dict[tuple[int, int, bool], Bracket] = {}
    for each in brackets:
        key = (each.first, each.last, each.repeated)
        known = best.get(key)
        if known is None or (known.condition is None and each.condition is not None):
            best[key] = each
    return sorted(best.values(), key=lambda each: (each.first, -each.last, not each.repeated))


# --- the graph ----------------------------------------------------------------------------------


class _Graph:
    def __init__(self, game: Game) -> None:
        self.next = {node.number: _successors(node) for node in game.nodes}
        self.before: dict[int, list[int]] = {number: [] for number in self.next}
        self.order = self._ordered(game)
        for number in self.order:
            for target in self.next[number]:
                self.before[target].append(number)
        self.dominators = self._dominators(game.entry)
        self.loops = self._loops()
        self._keep_together()

    def _loops(self) -> list[set[int]]:
        """The loops, smallest first."""
        loops: dict[int, set[int]] = {}
        for number in self.order:
            for target in self.next[number]:
                if target in self.dominators[number]:
                    loops.setdefault(target, set()).update(self.loop(number, target))
        return sorted(loops.values(), key=len)

    def _keep_together(self) -> None:
        """What lies behind a loop comes after all of it."""
        for inside in self.loops:
            places = [place for place, number in enumerate(self.order) if number in inside]
            first, last = places[0], places[-1] + 1
            part = self.order[first:last]
            self.order[first:last] = [
                *(number for number in part if number in inside),
                *(number for number in part if number not in inside),
            ]

    def _distance(self, start: int, goal: int) -> int:
        seen, edge, steps = {start}, [start], 0
        while edge:
            if goal in edge:
                return steps
            edge = [each for number in edge for each in self.next[number] if each not in seen]
            edge = list(dict.fromkeys(edge))
            seen.update(edge)
            steps += 1
        return 1_000_000

    def _ordered(self, game: Game) -> list[int]:
        """Reverse postorder; inside a loop comes before behind it."""
        done: list[int] = []
        seen: set[int] = set()
        stack: list[tuple[int, list[int]]] = []

        def children(number: int) -> list[int]:
            targets = list(dict.fromkeys(self.next[number]))
            if len(targets) > 1:  # what is visited last comes first
                phases = {each: _phase_rank(game, each) for each in targets}
                near = {each: self._distance(each, number) for each in targets}
                if len(set(phases.values())) > 1 and -1 not in phases.values():
                    targets.sort(key=lambda each: -phases[each])
                elif len(set(near.values())) > 1:
                    targets.sort(key=lambda each: -near[each])
                else:
                    targets.reverse()
            return targets

        seen.add(game.entry)
        stack.append((game.entry, children(game.entry)))
        while stack:
            number, rest = stack[-1]
            if not rest:
                done.append(number)
                stack.pop()
                continue
            target = rest.pop(0)
            if target not in seen:
                seen.add(target)
                stack.append((target, children(target)))
        return list(reversed(done))

    def _dominators(self, entry: int) -> dict[int, frozenset[int]]:
        """The nodes through which every way to a node leads."""
        everything = frozenset(self.order)
        found = dict.fromkeys(self.order, everything)
        found[entry] = frozenset((entry,))
        changed = True
        while changed:
            changed = False
            for number in self.order:
                if number == entry:
                    continue
                sets = [found[each] for each in self.before[number] if each in found]
                common = frozenset.intersection(*sets) if sets else frozenset()
                better = common | {number}
                if better != found[number]:
                    found[number], changed = better, True
        return found

    def loop(self, tail: int, head: int) -> set[int]:
        """The nodes of the loop that an edge back from `tail` to `head` closes."""
        inside, todo = {head, tail}, [tail]
        while todo:
            number = todo.pop()
            if number == head:
                continue
            for each in self.before[number]:
                if each not in inside:
                    inside.add(each)
                    todo.append(each)
        return inside


def _phase_rank(game: Game, number: int) -> int:
    """Where the phase of a node stands in the rules; -1 outside all phases."""
    phase = game.nodes[number].phase
    names = [each.name for each in game.phases]
    return names.index(phase[-1]) if phase and phase[-1] in names else -1


def _successors(node: Node) -> tuple[int, ...]:
    match node:
        case Branch(yes=yes, no=no):
            return (yes, no)
        case End():
            return ()
        case Auto() | Decide() | Gather() | Toss():
            return (node.next,)
        case _:
            assert_never(node)


# --- brackets -------------------------------------------------------------------------------------


def _loops(game: Game, graph: _Graph, place: Mapping[int, int]) -> list[Bracket]:
    found: list[Bracket] = []
    for inside in graph.loops:
        rows = sorted(place[number] for number in inside if number in place)
        if not rows or _only_waits(game, inside):
            continue
        condition, wanted = _leaving(game, inside)
        counted = condition is None and any(
            isinstance(node := game.nodes[number], Branch)
            and (node.yes in inside) != (node.no in inside)
            and _reads_bookkeeping(game, node.condition)
            for number in inside
        )
        found.append(Bracket(rows[0], rows[-1], True, condition, wanted, counted))
    return found


def _only_waits(game: Game, inside: set[int]) -> bool:
    """A loop that only goes on until everybody has answered."""
    nodes = [game.nodes[number] for number in inside]
    return len(nodes) <= 3 and any(isinstance(node, Gather) for node in nodes)


def _leaving(game: Game, inside: set[int]) -> tuple[Expr | None, bool]:
    """The condition under which a loop goes on, when one branch alone leaves it."""
    exits = [
        node
        for number in inside
        if isinstance(node := game.nodes[number], Branch)
        and (node.yes in inside) != (node.no in inside)
        and not _reads_bookkeeping(game, node.condition)
    ]
    if len(exits) != 1:
        return None, True
    return exits[0].condition, exits[0].yes in inside


def _options(game: Game, graph: _Graph, place: Mapping[int, int]) -> list[Bracket]:
    tests = [_leaving(game, loop)[0] for loop in graph.loops]
    found: list[Bracket] = []
    for number in graph.order:
        node = game.nodes[number]
        if not isinstance(node, Branch) or node.condition in tests:
            continue
        if _reads_bookkeeping(game, node.condition) or node.yes == node.no:
            continue
        for target, wanted in ((node.yes, True), (node.no, False)):
            ways_in = [
                each for each in graph.before[target] if target not in graph.dominators[each]
            ]
            leaves = any(number in loop and target not in loop for loop in graph.loops)
            chained = not wanted and isinstance(game.nodes[target], Branch)
            back = target in graph.dominators[number]
            around = next((loop for loop in graph.loops if number in loop), set(graph.order))
            rows = [
                place[each]
                for each in graph.order
                if each in place and each in around and target in graph.dominators[each]
            ]
            if rows and len(ways_in) == 1 and not (leaves or chained or back):
                found.append(Bracket(min(rows), max(rows), False, node.condition, wanted))
    return found


def _reads_bookkeeping(game: Game, condition: Expr) -> bool:
    """Counters of the flow and choices that are still awaited mean nothing to a reader."""
    return any(
        isinstance(part, Read) and game.variable[part.variable].role in (Role.FLOW, Role.PENDING)
        and not game.variable[part.variable].sort.names
        for part in walk(condition)
    )  # fmt: skip
