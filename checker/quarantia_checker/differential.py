"""Do the engine and the solver's transition relation say the same of one move?

Both directions. A move that the engine makes must satisfy the formulas, and arrive where they say
(`engine_against_solver`). A model of the formulas must be a move that the engine makes, with the
same result (`solver_against_engine`); its position need not be one that play can reach.
Each answers with what differs, in words, or with nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quarantia_checker.encode import Frame
from quarantia_checker.plays import Cells, Explorer
from quarantia_checker.solver import Answer, Model, Solver
from quarantia_checker.terms import Term, Value, worked_out
from quarantia_checker.transition import System, Transition
from quarantia_checker.values import equal
from quarantia_engine.engine import Engine
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_engine.randomness import following, pick, scramble
from quarantia_spec.ir import Decision, Gather, Sort

SECONDS = 5.0


@dataclass
class Differential:
    """Compares one engine with the system made from the same game, for the engine's own data."""

    engine: Engine
    system: System

    @classmethod
    def of(cls, engine: Engine) -> Differential:
        return cls(engine, System(engine.game, engine.given))

    # --- what the engine does --------------------------------------------------------------------

    def engine_against_solver(self, cells: Cells, move: Move) -> str:
        """ "" when the formulas agree with what the engine makes of the move, legal or not."""
        explorer = Explorer(self.engine, {})
        position = Position(self.engine, cells)
        legal = position.is_legal(move)
        found = [
            transition
            for transition in self._transitions(cells[0], move)
            if self._holds(transition.taken, transition, cells, move)
        ]
        told = self.engine.move_to_text(move, with_player=True)
        if bool(found) != legal:
            says = "legal" if legal else "illegal"
            return f"{told} is {says} for the engine, but not for the solver, in {cells}"
        if not legal:
            return ""
        number = position.number_of(move)
        assert number is not None
        after = explorer.step(cells, number)
        reached: set[Cells] = set()
        for transition in found:
            if not self._holds(transition.assumed, transition, cells, move):
                continue
            for arrival in transition.arrivals:
                if self._holds(arrival.condition, transition, cells, move):
                    reached.add(self._values(arrival.frame, transition, cells, move))
        if after.status:
            return f"{told} breaks a rule only for the engine, in {cells}" if reached else ""
        if reached != {after.cells}:
            return f"{told} leads to {after.cells}, for the solver to {reached}, from {cells}"
        return ""

    def _transitions(self, node: int, move: Move) -> Iterator[Transition]:
        """The offers that a move may be meant for."""
        for each in self.system.transitions:
            if each.source == node and each.offer is not None and each.offer.rule == move.name:
                yield each

    def _known(self, transition: Transition, cells: Cells, move: Move) -> dict[Term, int]:
        """The numbers of all symbols that a transition mentions."""
        known = {
            cell: value
            for cell, value in zip(self.system.frame.cells, cells, strict=True)
            if type(cell) is Term
        }
        arguments = dict(move.arguments)
        for name, term in transition.arguments.items():
            if type(term) is Term and name in arguments:
                known[term] = int(arguments[name])
        if self._is_gather(transition) and move.player is not None:
            assert type(transition.actor) is Term
            known[transition.actor] = move.player
        return known

    def _is_gather(self, transition: Transition) -> bool:
        assert transition.source is not None
        return isinstance(self.engine.game.nodes[transition.source], Gather)

    def _holds(self, value: Value, transition: Transition, cells: Cells, move: Move) -> bool:
        return bool(worked_out(value, self._known(transition, cells, move)))

    def _values(
        self, frame: Frame, transition: Transition, cells: Cells, move: Move
    ) -> tuple[int, ...]:
        known = self._known(transition, cells, move)
        return tuple(worked_out(value, known) for value in frame.cells)

    # --- what the solver proposes -----------------------------------------------------------------

    def solver_against_engine(self, transition: Transition, seed: int, wishes: int = 8) -> str:
        """ "" when a random model of the transition is a move that the engine makes alike.

        Also when there is no model: some arrivals cannot happen. `wishes` are random values for
        cells and choices, kept as far as they can be met, so that models differ.
        """
        solver = Solver(self.system.session, SECONDS)
        solver.add(
            *self.system.ranges, transition.taken, transition.assumed, *self._clear(transition)
        )
        state = scramble(seed)
        if solver.check() is not Answer.SATISFIABLE:
            return ""
        variables = [*self.system.frame.cells[1:], *transition.arguments.values()]
        sorts = [*self.system.sorts[1:], *self._choice_sorts(transition)]
        for _ in range(min(wishes, len(variables))):
            state = following(state)
            place = pick(state, len(variables))
            state = following(state)
            sort = sorts[place]
            number = sort.low + pick(state, sort.size)
            wish = equal(variables[place], bool(number) if sort.boolean else number)
            answer = solver.check_also((wish,))
            solver.release()
            if answer is Answer.SATISFIABLE:
                solver.add(wish)
        answer = solver.check()
        if answer is not Answer.SATISFIABLE:
            return ""
        return self._compare(transition, solver.model())

    def _choice_sorts(self, transition: Transition) -> list[Sort]:
        assert transition.offer is not None
        game = self.engine.game
        rule = game.decision.get(transition.offer.rule) or game.chance[transition.offer.rule]
        return [each.sort for each in rule.choices]

    def _clear(self, transition: Transition) -> list[Value]:
        """That the conditions of the rule have a meaning: the engine makes nothing of the rest."""
        assert transition.offer is not None and transition.source is not None
        (option,) = [
            each
            for each in self.system.options(transition.source, self.system.frame)
            if each.offer == transition.offer
        ]
        return [
            self.system.encoder.condition(guard.defined, self.system.frame, option.scope)
            for guard in option.rule.guards
            if guard.defined is not None
        ]

    def _compare(self, transition: Transition, model: Model) -> str:
        assert transition.offer is not None and transition.source is not None
        cells = tuple(
            transition.source if place == 0 else model.number(cell)
            for place, cell in enumerate(self.system.frame.cells)
        )
        game = self.engine.game
        name = transition.offer.rule
        arguments = {key: model.number(value) for key, value in transition.arguments.items()}
        rule = game.decision.get(name) or game.chance[name]
        chosen = tuple((each.name, arguments[each.name]) for each in rule.choices)
        actor = None
        if isinstance(rule, Decision):
            assert transition.actor is not None
            actor = model.number(transition.actor)
        reached = {
            tuple(
                arrival.node if place == 0 else model.number(cell)
                for place, cell in enumerate(arrival.frame.cells)
            )
            for arrival in transition.arrivals
            if model.holds(arrival.condition)
        }
        position = Position(self.engine, cells)
        try:
            number = self._number(position, transition, Move(name, chosen, actor))
            legal = number is not None and number in position.legal_numbers(actor)
        except (IndexError, ZeroDivisionError):
            return ""  # another offer has no meaning in this position
        told = f"{name}{dict(chosen)} by {actor} in {cells}"
        if not legal:
            return f"the solver allows {told}, the engine does not"
        assert number is not None
        after = Explorer(self.engine, {}).step(cells, number)
        if after.status:
            return f"{told} breaks a rule of the engine ({after.status}), none of the solver's"
        if reached != {after.cells}:
            return f"{told} leads to {after.cells}, for the solver to {reached}"
        return ""

    def _number(self, position: Position, transition: Transition, move: Move) -> int | None:
        """The engine's number of the move of this very offer; a node may offer a rule twice."""
        from quarantia_engine.moves import number_of

        shapes = self.engine.shapes(position.cells[0])
        for shape in shapes:
            if shape.offer == transition.offer:
                number = number_of(shape, dict(move.arguments))
                if number is not None and self._is_gather(transition):
                    assert move.player is not None
                    number += move.player * sum(each.span for each in shapes)
                return number
        return None
