"""A position that changes in place, with undo: for search and simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quarantia_engine.encoding import CHANCE, OVER, TOGETHER
from quarantia_engine.position import Position
from quarantia_engine.randomness import following, pick, pick_weighted, scramble

if TYPE_CHECKING:
    from quarantia_engine.engine import Engine


class Board:
    """Moves are the engine's own numbers here; `Position.move_of` says what they mean.

    Nothing checks that a number is legal: use those that `legal` gives.
    """

    def __init__(self, position: Position) -> None:
        """A board that starts at a position."""
        self.engine: Engine = position.engine
        self.cells = list(position.cells)
        self._history: list[list[int]] = []
        self._buffer = [0] * len(self.engine.buffer())

    def position(self) -> Position:
        """The board as a position of its own."""
        return Position(self.engine, tuple(self.cells))

    def acting(self) -> int:
        """The player to choose, or one of the codes CHANCE, OVER and TOGETHER."""
        return self.engine.program.acting(self.cells, self.engine.data)

    def seat(self) -> int:
        """The first player to choose; 0 when that is chance, or nobody."""
        acting = self.acting()
        if acting == TOGETHER:
            return self.position().to_act().players[0]
        return max(acting, 0)

    def legal(self, seat: int | None = None) -> list[int]:
        """The legal moves of a seat; of the first to act when None."""
        chosen = self.seat() if seat is None else seat
        engine = self.engine
        count = engine.program.legal(self.cells, engine.data, self._buffer, chosen)
        return self._buffer[:count]

    def apply(self, number: int) -> None:
        """Makes a legal move and all that follows from it. Raises BrokenRule."""
        before = self.cells[:]
        status = self.engine.program.apply(self.cells, self.engine.data, number)
        if status:
            self.cells = before
            self.engine.check(status, "after this move")
        self._history.append(before)

    def undo(self) -> None:
        """Takes the last move back. IndexError when there is none."""
        self.cells = self._history.pop()

    def perft(self, depth: int) -> int:
        """How many sequences of `depth` moves there are; see `Position.perft`."""
        if depth == 0:
            return 1
        if self.acting() == OVER:
            return 0
        numbers = self.legal()
        if depth == 1:
            return len(numbers)
        total = 0
        for number in numbers:
            self.apply(number)
            total += self.perft(depth - 1)
            self.undo()
        return total

    def draw(self, state: int) -> tuple[int, int | None]:
        """The generator's next state, and the random move it stands for; None without a move."""
        numbers = self.legal()
        if not numbers:
            return state, None
        state = following(state)
        if self.acting() == CHANCE:
            weigh = self.engine.program.weight
            weights = [weigh(self.cells, self.engine.data, number) for number in numbers]
            return state, numbers[pick_weighted(state, weights)]
        return state, numbers[pick(state, len(numbers))]

    def step(self, state: int) -> int | None:
        """Makes a random move with the generator's state; returns the next state.

        None when there is no move. Identical to a step of `playout`.
        """
        after, number = self.draw(state)
        if number is None:
            return None
        self.apply(number)
        return after

    def playout(self, seed: int, limit: int) -> tuple[int, int]:
        """Random moves until the game is over or `limit` moves are made.

        Returns how many were made, and a status of `codegen`. There is nothing to undo after it.
        """
        self._history.clear()
        engine = self.engine
        steps, _, status = engine.program.playout(
            self.cells, engine.data, self._buffer, scramble(seed), limit
        )
        return steps, status
