"""The same source under CPython and compiled by numba: identical games for identical seeds."""

from __future__ import annotations

import pytest

from quarantia_engine import Board
from quarantia_engine.fast import compile_fast, fast_available
from tests.engine.catalogue import CASES, engine_of

GAMES, LIMIT = 12, 400

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not fast_available(), reason="numba is not installed"),
    # numba warns of what it does for speed; nothing of it is about the games
    pytest.mark.filterwarnings("ignore::Warning:numba"),
]


def _smallest() -> list[str]:
    """One number of players for each game: compiling takes seconds, for a large game minutes."""
    found: dict[str, str] = {}
    for case in CASES:
        found.setdefault(case.partition("/")[0], case)
    return list(found.values())


@pytest.mark.parametrize("case", _smallest())
def test_compiled_games_are_the_same_move_for_move(case: str) -> None:
    engine = engine_of(case)
    many = compile_fast(engine).play_many(GAMES, LIMIT, seed=3)
    for game in range(GAMES):
        board = Board(engine.new())
        steps, status = board.playout(3 + game, LIMIT)
        assert (steps, status) == (int(many.steps[game]), int(many.statuses[game]))
        if status <= 0:
            assert board.cells == many.finals[game].tolist()
