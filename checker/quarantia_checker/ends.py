"""Must play end? By a measure that goes down along every cycle; or need it not, by a lasso.

NOTE(cycles) Positions are finite in number and so are the values of the measure. On every
transition between stable nodes that lie on a common cycle the measure must not go up, and those
on which it may stay the same must not form a cycle among themselves. Then no play is endless.
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
    graph: dict[int, list[int]] = {node: [] for node in system.points}
    for transition in system.transitions:
        assert transition.source is not None
        graph[transition.source].extend(arrival.node for arrival in transition.arrivals)
    parts = strong_parts(graph)
    level: dict[int, list[int]] = {node: [] for node in system.points}
    used: dict[Site, None] = {}
    for transition in system.transitions:
        for arrival in transition.arrivals:
            assert transition.source is not None
            if parts[transition.source] != parts[arrival.node]:
                continue
            answer = _ask(prover, transition, arrival, below, measure)
            if isinstance(answer, Open):
                weak = _ask(prover, transition, arrival, not_above, measure)
                if isinstance(weak, Open):
                    return Steps(False, (), answer)
                level[transition.source].append(arrival.node)
                answer = weak
            used.update(dict.fromkeys(answer.used))
    if _cyclic(level, system.stable):
        return Steps(False, (), Open(None))
    return Steps(True, tuple(used), None)


def _ask(
    prover: Prover,
    transition: Transition,
    arrival: Arrival,
    relation: Callable[[Sequence[Expr], System, Frame, Frame], Value],
    measure: Sequence[Expr],
) -> Proved | Open:
    system = prover.system
    wanted = relation(measure, system, system.frame, arrival.frame)
    bad = conjoin((arrival.condition, negate(wanted)))
    question = Question(
        transition.name, transition.source, bad, transition, given=transition.passed
    )
    return prover.prove(question, strengthen=False)


def _cyclic(graph: dict[int, list[int]], stable: Sequence[int]) -> bool:
    """Some cycle of the graph goes through a stable node."""
    parts = strong_parts(graph)
    round_ = {
        parts[source]
        for source in graph
        for target in graph[source]
        if parts[source] == parts[target]
    }
    return any(parts[node] in round_ for node in stable)


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
