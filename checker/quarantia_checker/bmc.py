"""Bounded model checking: a play of so many moves that ends where something is wrong.

The steps of a play are copies of the transition relation, each with symbols of its own; the first
position is known. Needs the data of `given` tables, so that the engine can replay what is found.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from quarantia_checker.encode import symbol
from quarantia_checker.induction import Question
from quarantia_checker.solver import Answer, Model, Solver
from quarantia_checker.terms import SYMBOL, Term, Value
from quarantia_checker.terms import symbol as symbol_of
from quarantia_checker.transition import Known, System, Transition
from quarantia_checker.values import conjoin, disjoin, equal, implies, substitute


@dataclass
class Unrolling:
    """Plays of ever more moves; `find` asks for one that satisfies a goal."""

    system: System
    seconds: float

    def __post_init__(self) -> None:
        self.solver = Solver(self.system.session, self.seconds)
        self.nodes: list[Value] = []
        self.cells: list[tuple[Value, ...]] = []
        self.taken: list[Term] = []
        self._copies: list[dict[Term, Value]] = []
        beginning = self.system.beginning
        self.possible = len(beginning.arrivals) == 1 and not self.system.encoder.unknowns
        if self.possible:
            (arrival,) = beginning.arrivals
            self.nodes.append(arrival.node)
            self.cells.append(arrival.frame.cells)

    @property
    def depth(self) -> int:
        return len(self.taken)

    def deepen(self) -> None:
        """Allow one more move."""
        step = self.depth
        which = symbol_of(f"move {step}", False)
        node = symbol_of(f"node {step + 1}", False)
        after = tuple(
            symbol(f"{name} @{step + 1}", sort)
            for name, sort in zip(self.system.names, self.system.sorts, strict=True)
        )
        self.taken.append(which)
        known = self.nodes[step]
        choices: list[Value] = []
        for transition in self.system.transitions:
            if isinstance(known, int) and known != transition.source:
                continue
            here = equal(which, transition.index)
            choices.append(here)
            self.solver.add(
                implies(here, equal(known, transition.source)),
                implies(here, self._at(step, conjoin((transition.taken, transition.assumed)))),
            )
            for arrival in transition.arrivals:
                arrives = conjoin((here, self._at(step, arrival.condition)))
                same = [equal(node, arrival.node)]
                same += [
                    equal(new, self._at(step, old))
                    for new, old in zip(after[1:], arrival.frame.cells[1:], strict=True)
                ]
                self.solver.add(implies(arrives, conjoin(same)))
        self.solver.add(disjoin(choices))
        self.nodes.append(node)
        self.cells.append(after)

    def find(self, goals: Sequence[Question]) -> list[Known] | Answer | None:
        """A play of `depth` moves (and one more, for a goal about a move) to one of the goals."""
        step = self.depth
        wanted = disjoin(
            conjoin(
                (
                    equal(self.nodes[step], goal.node),
                    True if goal.transition is None else self._at(step, goal.transition.taken),
                    self._at(step, goal.bad),
                )
            )
            for goal in goals
            if goal.node is not None
        )
        answer = self.solver.check_also((wanted,))
        model = self.solver.model() if answer is Answer.SATISFIABLE else None
        self.solver.release()
        if model is None:
            return None if answer is Answer.UNSATISFIABLE else answer
        play = [self._move(model, at, self._taken(model, at)) for at in range(step)]
        for goal in goals:
            if goal.node is None or goal.transition is None:
                continue
            here = conjoin(
                (
                    equal(self.nodes[step], goal.node),
                    self._at(step, conjoin((goal.transition.taken, goal.bad))),
                )
            )
            if model.holds(here):
                play.append(self._move(model, step, goal.transition))
                break
        return play

    def _taken(self, model: Model, step: int) -> Transition:
        return self.system.everything[model.number(self.taken[step])]

    def _move(self, model: Model, step: int, transition: Transition) -> Known:
        assert transition.offer is not None
        actor = transition.actor
        return Known(
            None if actor is None else model.number(self._at(step, actor)),
            transition.offer.rule,
            {
                name: model.number(self._at(step, value))
                for name, value in transition.arguments.items()
            },
        )

    def _at(self, step: int, value: Value) -> Value:
        """The value with the symbols of this step: cells before the move, choices of the move."""
        while len(self._copies) <= step:
            self._copies.append(self._renaming(len(self._copies)))
        return substitute(value, self._copies[step])

    def _renaming(self, step: int) -> dict[Term, Value]:
        renaming: dict[Term, Value] = dict(
            zip(self.system.frame.cells[1:], self.cells[step][1:], strict=True)
        )
        for transition in self.system.transitions:
            for value in (*transition.arguments.values(), transition.actor):
                if type(value) is Term and value.kind == SYMBOL and value not in renaming:
                    renaming[value] = symbol_of(f"{value.name} @{step}", value.boolean)
        return renaming


def find_play(
    system: System, goals: Sequence[Question], deepest: int, seconds: float, query: float
) -> list[Known] | None:
    """A shortest play to one of the goals, within so many moves and seconds."""
    deadline = time.monotonic() + seconds
    unrolling = Unrolling(system, query)
    while unrolling.possible and time.monotonic() < deadline:
        found = unrolling.find(goals)
        if isinstance(found, list):
            return found
        if found is Answer.UNKNOWN or unrolling.depth == deepest:
            return None
        unrolling.deepen()
    return None
