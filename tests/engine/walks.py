"""Positions met in random play, for properties that must hold in all of them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from quarantia_engine import Board, Engine, Position
from quarantia_engine.randomness import scramble


@dataclass(frozen=True, slots=True)
class Walk:
    """How to get to a position: which random game, and how far."""

    seed: int
    steps: int


walks = st.builds(Walk, st.integers(0, 2**32), st.integers(0, 120))


def position_after(engine: Engine, walk: Walk) -> Position:
    """The position that the walk comes to, or the last one before the game is over."""
    board = Board(engine.new())
    state: int | None = scramble(walk.seed)
    for _ in range(walk.steps):
        before = board.position()
        assert state is not None
        state = board.step(state)
        if state is None or board.position().to_act().over:
            return before
    return board.position()
