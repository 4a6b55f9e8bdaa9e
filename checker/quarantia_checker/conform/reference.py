"""What the rules say, step by step: who is to act, what is legal, what comes of it.

A step is a tuple of the engine's own numbers of moves: one, or one for each player to act where
several choose at once. Cells are plain lists; nothing here changes those it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from quarantia_engine import BrokenRule, Engine, Move, Position
from quarantia_engine.encoding import CHANCE, OVER, TOGETHER
from quarantia_spec.ir import Gather

Cells = list[int]
Step = tuple[int, ...]


class Reference:
    """One game, one number of players."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.program = engine.program
        self.data = engine.data
        self._waiting: dict[int, tuple[int, ...]] = {}  # by node, the cells of who has to choose
        for node in engine.game.nodes:
            if isinstance(node, Gather):
                variable = engine.game.variable[node.waiting]
                self._waiting[node.number] = tuple(
                    range(variable.offset, variable.offset + variable.cells)
                )
        self.start: Cells = list(engine.new().cells)

    def actors(self, cells: Cells) -> tuple[int, ...]:
        """The players to act; (CHANCE,) when that is chance, () at the end."""
        acting = self.program.acting(cells, self.data)
        if acting == OVER:
            return ()
        if acting == TOGETHER:
            return tuple(seat for seat, cell in enumerate(self._waiting[cells[0]]) if cells[cell])
        return (acting,)

    def legal(self, cells: Cells, actors: Sequence[int]) -> list[list[int]]:
        """For each of the actors, the numbers of the legal moves."""
        engine = self.engine
        buffer = engine.buffer()
        found: list[list[int]] = []
        for actor in actors:
            count = self.program.legal(cells, self.data, buffer, max(actor, 0))
            found.append(buffer[:count])
        return found

    def after(self, cells: Cells, step: Step) -> Cells:
        """The cells after a legal step. Raises BrokenRule."""
        row = cells[:]
        for number in step:
            status = self.program.apply(row, self.data, number)
            if status:
                self.engine.check(status, "after this move")
        return row

    def is_legal(self, cells: Cells, step: Step) -> bool:
        actors = self.actors(cells)
        return len(step) == len(actors) and all(
            number in numbers
            for number, numbers in zip(step, self.legal(cells, actors), strict=True)
        )

    def position(self, cells: Cells) -> Position:
        return Position(self.engine, tuple(cells))

    def moves(self, cells: Cells, step: Step) -> tuple[Move, ...]:
        """The moves of a step, as they are called."""
        position = self.position(cells)
        return tuple(position.move_of(number) for number in step)

    def step_of(self, cells: Cells, moves: Sequence[Move]) -> Step | None:
        """The step that some moves make here; None when the rules do not allow it."""
        position = self.position(cells)
        actors = self.actors(cells)
        players = [CHANCE if move.player is None else move.player for move in moves]
        if not actors or players != list(actors):
            return None
        numbers: list[int] = []
        for move, legal in zip(moves, self.legal(cells, actors), strict=True):
            number = position.number_of(move)
            if number is None or number not in legal:
                return None
            numbers.append(number)
        return tuple(numbers)

    def perft(self, cells: Cells, depth: int) -> int:
        """How many sequences of steps of this depth there are."""
        if depth == 0:
            return 1
        actors = self.actors(cells)
        if not actors:
            return 0
        legal = self.legal(cells, actors)
        if depth == 1:
            return prod(len(numbers) for numbers in legal)
        return sum(self.perft(self.after(cells, step), depth - 1) for step in product(*legal))

    def visible(self, cells: Cells, seat: int) -> list[int]:
        """For each cell, 1 when the seat may see it."""
        mask = [1] * len(cells)
        self.program.seen(cells, self.data, seat, mask)
        return mask


def broken(error: BrokenRule) -> str:
    """A defect of the rules that came up while testing, in words."""
    return f"the rules themselves fail here: {error}"
