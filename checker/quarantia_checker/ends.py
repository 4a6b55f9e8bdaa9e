"""Must play end? By a measure that goes down along every cycle; or need it not, by a lasso.

NOTE(cycles) Positions are finite in number and so are the values of the measure. Its first number
must not go up on any transition that lies on a cycle. Those on which it goes down are not taken for
ever, so that only cycles of the others matter for the second number, and so on. When no cycle is
left, no play is endless.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quarantia_checker.claims import BadPosition
from quarantia_checker.encode import Frame
from quarantia_checker.induction import Open, Proved, Prover, Question, Site
from quarantia_checker.plays import Cells, Explorer
from quarantia_checker.terms import Value
from quarantia_checker.transition import Arrival, System, Transition, strong_parts
from quarantia_checker.values import conjoin, disjoin, equal, less, negate
from quarantia_engine.engine import Engine
from quarantia_engine.moves import Move
from quarantia_engine.randomness import following, pick, scramble
from quarantia_spec.ir import Expr

Edge = tuple[Transition, Arrival]


@dataclass(frozen=True, slots=True)
class Steps:
    """Transitions on a cycle, and how the measure fares on them."""

    proved: bool
    used: tuple[Site, ...]
    open: Open | None


def below(measure: Sequence[Expr], system: System, before: Frame, after: Frame) -> Value:
    """In lexical order the measure is less after than before."""
    cases: list[Value] = []
    alike: list[Value] = []
    for part in measure:
        old, new = system.encoder.encode(part, before), system.encoder.encode(part, after)
        cases.append(conjoin((*alike, less(new, old))))
        alike.append(equal(new, old))
    return disjoin(cases)


def not_above(measure: Sequence[Expr], system: System, before: Frame, after: Frame) -> Value:
    alike = conjoin(
        equal(system.encoder.encode(part, after), system.encoder.encode(part, before))
        for part in measure
    )
    return disjoin((alike, below(measure, system, before, after)))


def decreases(system: System, prover: Prover, measure: Sequence[Expr]) -> Steps:
    """Whether the measure goes down along every cycle of play on which somebody chooses.

    What happens by itself may go round while the measure stays the same: that it comes to an end
    is a claim of its own.
    """
    edges = [(each, arrival) for each in system.transitions for arrival in each.arrivals]
    used: dict[Site, None] = {}
    for count in range(1, len(measure) + 1):
        level: list[Edge] = []
        for edge in _on_cycles(edges):
            answer = _ask(prover, edge, below, measure[:count])
            if isinstance(answer, Open):
                answer = _ask(prover, edge, not_above, measure[:count])
                if isinstance(answer, Open):
                    return Steps(False, (), answer)
                level.append(edge)
            used.update(dict.fromkeys(answer.used))
        edges = level
    stable = frozenset(system.stable)
    if any(transition.source in stable for transition, _ in _on_cycles(edges)):
        return Steps(False, (), Open(None))
    return Steps(True, tuple(used), None)


def _ask(
    prover: Prover,
    edge: Edge,
    relation: Callable[[Sequence[Expr], System, Frame, Frame], Value],
    measure: Sequence[Expr],
) -> Proved | Open:
    system = prover.system
    transition, arrival = edge
    wanted = relation(measure, system, system.frame, arrival.frame)
    if wanted is False:
        return Open(None)
    bad = conjoin((arrival.condition, negate(wanted)))
    question = Question(
        transition.name, transition.source, bad, transition, given=transition.passed
    )
    return prover.prove(question, strengthen=False)


def _on_cycles(edges: Sequence[Edge]) -> list[Edge]:
    """Those from which others of them lead back to where they come from."""
    graph: dict[int, list[int]] = {}
    for transition, arrival in edges:
        assert transition.source is not None
        graph.setdefault(transition.source, []).append(arrival.node)
        graph.setdefault(arrival.node, [])
    parts = strong_parts(graph)
    return [edge for edge in edges if parts[edge[0].source or 0] == parts[edge[1].node]]


# --- plays that go on for ever --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lasso:
    """A play whose last position stood before: from move `start` on it can be repeated."""

    moves: tuple[Move, ...]
    start: int


def find_lasso(engine: Engine, games: int = 60, longest: int = 400) -> Lasso | None:
    """A play that comes back to a position, from random games, some of them reluctant."""
    explorer = Explorer(engine, {})
    best: tuple[tuple[int, ...], int] | None = None
    first = explorer.start()
    if first.status:
        return None
    for game in range(games):
        state = scramble(77_777 + game)
        event = first
        seen: dict[Cells, int] = {first.cells: 0}
        numbers: list[int] = []
        fixed = game % 4  # some games always choose the first, or the last, of what is legal
        while len(numbers) < longest and (best is None or len(numbers) < len(best[0])):
            legal = explorer.moves(event.cells)
            if not legal:
                break
            state = following(state)
            place = (0, len(legal) - 1)[fixed] if fixed < 2 else pick(state, len(legal))
            numbers.append(legal[place])
            event = explorer.step(event.cells, legal[place])
            if event.status:
                break
            if event.cells in seen:
                best = (tuple(numbers), seen[event.cells])
                break
            seen[event.cells] = len(numbers)
    if best is None:
        return None
    return Lasso(explorer.moves_of(first.cells, best[0]), best[1])


def rising_cycle(engine: Engine, measure: Sequence[Expr]) -> BadPosition:
    """A position from which a move leads back to its node with a measure that is not less."""
    explorer = Explorer(engine, {})

    def value(cells: Cells) -> tuple[int, ...]:
        return tuple(engine.evaluator.value(part, cells) for part in measure)

    def bad(cells: Cells) -> bool:
        before = value(cells)
        for number in explorer.moves(cells):
            event = explorer.step(cells, number)
            if not event.status and event.cells[0] == cells[0] and value(event.cells) >= before:
                return True
        return False

    return BadPosition(bad)
