"""The solver's word on what play does not come to: a play to it, or that it cannot be.

First it is asked whether any position at all, reachable or not, would do: if none would, nothing
is missing. Then a short play is looked for by bounded model checking. Both within a budget; where
the rules are too large for it, what is missing stays missing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from quarantia_checker.conform.coverage import Missing, closed
from quarantia_checker.conform.probing import Target
from quarantia_checker.conform.reference import Reference, Step
from quarantia_engine import BrokenRule, Move
from quarantia_engine.encoding import CHANCE

SECONDS = 20.0  # in all
EACH = 1.0  # for one target
DEEPEST = 10  # moves


class Proposer:
    """Asks about one target after the other until its time is used up."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self._until = time.monotonic() + SECONDS
        self._systems: list[object] = []

    def propose(self, target: Target) -> list[Step] | Missing | None:
        """Steps that lead to the target, why it cannot be, or None when nothing was found out."""
        if target.condition is None or time.monotonic() >= self._until:
            return None
        from quarantia_checker.bmc import find_play
        from quarantia_checker.induction import Question
        from quarantia_checker.pauses import PAUSE, with_pauses
        from quarantia_checker.solver import Answer, Solver
        from quarantia_checker.transition import System
        from quarantia_checker.witness import as_move

        engine = self.reference.engine
        if not self._systems:
            self._systems.append(System(with_pauses(engine.game), engine.given))
        system = self._systems[0]
        assert isinstance(system, System)
        try:
            wanted = system.encoder.condition(closed(target.condition), system.frame)
        except (KeyError, RecursionError):
            return None
        solver = Solver(system.session, EACH)
        solver.add(*system.ranges, wanted)
        answer = solver.check_also(())
        solver.release()
        if answer is Answer.UNSATISFIABLE:
            return Missing(target, "the solver: no position makes it so", True)
        goals = [Question(str(target), node, wanted) for node in system.stable]
        left = min(EACH, self._until - time.monotonic())
        play = find_play(system, goals, DEEPEST, left, EACH) if left > 0 else None
        if play is None:
            return Missing(target, "no game comes to it, and the solver found no short play")
        moves = [
            as_move(engine.game, each.actor, each.rule, each.arguments)
            for each in play
            if each.rule != PAUSE
        ]
        return steps_of(self.reference, moves)


def steps_of(reference: Reference, moves: Sequence[Move]) -> list[Step]:
    """Single moves put together to steps; where the last choice is incomplete, it is completed."""
    left = list(moves)
    steps: list[Step] = []
    cells = reference.start
    while left:
        actors = reference.actors(cells)
        if not actors:
            break
        position = reference.position(cells)
        step: list[int] = []
        for actor, legal in zip(actors, reference.legal(cells, actors), strict=True):
            player = None if actor == CHANCE else actor
            mine = next((move for move in left[: len(actors)] if move.player == player), None)
            number = None if mine is None else position.number_of(mine)
            if number is None or number not in legal:
                if not legal:
                    return steps
                number = legal[0]
            step.append(number)
        del left[: len(actors)]
        try:
            cells = reference.after(cells, tuple(step))
        except BrokenRule:
            return steps
        steps.append(tuple(step))
    return steps
