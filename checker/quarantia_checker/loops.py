"""What happens by itself comes to an end: every loop of automatic nodes counts something down.

`come_to_an_end` looks, part by part of the loops, for a quantity that no step raises and some step
lowers, takes those steps out, and goes on with what still goes round. Where there is no such
quantity, it leaves out the steps that cannot come round again because one of them never follows
at once on another. With nothing left, no play stays among automatic nodes for ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from quarantia_checker.induction import Open, Proved, Prover, Question, Site
from quarantia_checker.pauses import is_pause
from quarantia_checker.terms import Value
from quarantia_checker.transition import Arrival, System, Transition, strong_parts
from quarantia_checker.values import as_integer, at_most, conjoin, disjoin, less, negate, same
from quarantia_spec.ir import Role


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One way from a pause to a pause."""

    transition: Transition
    arrival: Arrival

    @property
    def ends(self) -> tuple[int, int]:
        assert self.transition.source is not None
        return self.transition.source, self.arrival.node


def come_to_an_end(prover: Prover) -> Proved | Open:
    """Proved when no play can stay among automatic nodes for ever."""
    nodes = prover.system.game.nodes
    steps = [
        Step(transition, arrival)
        for transition in prover.system.transitions
        if transition.source is not None and is_pause(nodes[transition.source])
        for arrival in transition.arrivals
        if is_pause(nodes[arrival.node])
    ]
    used: dict[Site, None] = {}
    while parts := _loops(steps):
        lowered: set[Step] = set()
        for part in parts:
            found = _counted_down(prover, part, used) or _broken_off(prover, part, used)
            if not found:
                return Open(None)
            lowered |= found
        steps = [step for part in parts for step in part if step not in lowered]
    return Proved(tuple(used))


def unrolled_to_the_end(prover: Prover, whole: System) -> Proved | Open:
    """The same by brute force: `whole`, the game without pauses, follows each loop to its end."""
    used: dict[Site, None] = {}
    for transition in whole.everything:
        for cut in transition.stuck:
            bad = conjoin((transition.taken, cut.condition))
            answer = prover.prove(Question(transition.name, transition.source, bad))
            if isinstance(answer, Open):
                return answer
            used.update(dict.fromkeys(answer.used))
    return Proved(tuple(used))


def _loops(steps: list[Step]) -> list[list[Step]]:
    """The steps that lie on a loop, by strongly connected part."""
    graph: dict[int, list[int]] = {end: [] for step in steps for end in step.ends}
    for step in steps:
        source, target = step.ends
        graph[source].append(target)
    part_of = strong_parts(graph)
    parts: dict[int, list[Step]] = {}
    for step in steps:
        source, target = step.ends
        if part_of[source] == part_of[target]:
            parts.setdefault(part_of[source], []).append(step)
    return list(parts.values())


def _counted_down(prover: Prover, part: list[Step], used: dict[Site, None]) -> set[Step]:
    """The steps of the part that lower the first quantity which none of them raises."""
    for cell, sign in _quantities(prover, part):
        if all(
            _proved(prover, step, _moves(prover, step, cell, sign, at_most), used) for step in part
        ):
            lowered = {
                step
                for step in part
                if _may_lower(prover, step, cell, sign)
                and _proved(prover, step, _moves(prover, step, cell, sign, less), used)
            }
            if lowered:
                return lowered
    return set()


def _broken_off(prover: Prover, part: list[Step], used: dict[Site, None]) -> set[Step]:
    """The steps of the part that lie on no loop of steps that can follow one another."""
    follows: dict[int, list[int]] = {number: [] for number in range(len(part))}
    for number, step in enumerate(part):
        for other, after in enumerate(part):
            if step.ends[1] == after.ends[0] and not _never_follows(prover, step, after, used):
                follows[number].append(other)
    part_of = strong_parts(follows)
    sizes = Counter(part_of.values())
    return {
        step
        for number, step in enumerate(part)
        if sizes[part_of[number]] == 1 and number not in follows[number]
    }


def _never_follows(prover: Prover, step: Step, after: Step, used: dict[Site, None]) -> bool:
    """It is proved that `after` cannot be the step taken where `step` has just arrived."""
    system, arrival = prover.system, step.arrival
    ways: list[Value] = []
    for option in system.options(arrival.node, arrival.frame):
        second = system.carry_out(arrival.node, option, arrival.frame, after.transition.index)
        ways += [
            conjoin((*second.passed, each.condition))
            for each in second.arrivals
            if each.node == after.arrival.node
        ]
    return _proved(prover, step, negate(disjoin(ways)), used)


def _quantities(prover: Prover, part: list[Step]) -> Iterator[tuple[int, int]]:
    """Cells that some step of the part changes, counters of the flow first, up and down."""
    system = prover.system
    variables = sorted(system.game.variables, key=lambda each: each.role is not Role.FLOW)
    for variable in variables:
        for cell in range(variable.offset, variable.offset + variable.cells):
            if any(not same(system.frame.cells[cell], s.arrival.frame.cells[cell]) for s in part):
                for sign in (-1, 1):
                    if _may_go_down(prover, part, cell, sign):
                        yield cell, sign


def _may_go_down(prover: Prover, part: list[Step], cell: int, sign: int) -> bool:
    """Play has been seen to lower it and never to raise it, or has not been seen here at all."""
    changes = [
        sign * (after[cell] - before[cell])
        for step in part
        for before, after in prover.pool.seen(*step.ends)
    ]
    return not changes or max(changes) <= 0 > min(changes)


def _may_lower(prover: Prover, step: Step, cell: int, sign: int) -> bool:
    """Play has not been seen to take the step and leave the cell as it was."""
    return all(
        sign * (after[cell] - before[cell]) < 0 for before, after in prover.pool.seen(*step.ends)
    )


def _moves(
    prover: Prover, step: Step, cell: int, sign: int, relation: Callable[[Value, Value], Value]
) -> Value:
    """The cell counted up (sign -1) or down (1) is, after the step, in relation to before."""
    before = as_integer(prover.system.frame.cells[cell])
    after = as_integer(step.arrival.frame.cells[cell])
    return relation(after, before) if sign == 1 else relation(before, after)


def _proved(prover: Prover, step: Step, wanted: Value, used: dict[Site, None]) -> bool:
    transition = step.transition
    bad = conjoin((step.arrival.condition, negate(wanted)))
    question = Question(
        transition.name, transition.source, bad, transition, given=transition.passed
    )
    # Most quantities that are tried do not go down: no search for facts that would make them.
    answer = prover.prove(question, strengthen=False)
    if isinstance(answer, Proved):
        used.update(dict.fromkeys(answer.used))
    return isinstance(answer, Proved)
