"""What a playout takes for granted holds wherever play leads, and elsewhere it is not relied on.

See NOTE(standing) in `standing`.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarantia_engine import Board, Engine, compile_game
from quarantia_engine.randomness import scramble
from quarantia_spec.pipeline import load_text
from tests.engine.catalogue import CASES, engine_of
from tests.engine.walks import Walk, position_after, walks

every_game = pytest.mark.parametrize("case", CASES)
few = settings(max_examples=40)
LONG = 300


def relies(engine: Engine) -> bool:
    return "play_on" in engine.program.namespace


def test_a_game_of_lines_relies_on_it() -> None:
    assert relies(engine_of("connectfour/2"))


@every_game
@few
@given(walk=walks)
def test_positions_of_play_are_trusted(case: str, walk: Walk) -> None:
    engine = engine_of(case)
    if not relies(engine):
        return
    position = position_after(engine, walk)
    assert engine.program.trusted(list(position.cells), engine.data)


def by_single_steps(engine: Engine, cells: list[int], seed: int, made: int) -> list[int]:
    board = Board(engine.position(cells))
    state: int | None = scramble(seed)
    for _ in range(made):
        assert state is not None
        state = board.step(state)
    return board.cells


@every_game
@few
@given(walk=walks, seed=st.integers(0, 2**32), data=st.data())
def test_positions_made_by_hand_are_played_by_the_rules(
    case: str, walk: Walk, seed: int, data: st.DataObject
) -> None:
    engine = engine_of(case)
    if not relies(engine):
        return
    cells = list(position_after(engine, walk).cells)
    for variable in data.draw(st.lists(st.sampled_from(engine.game.variables), max_size=3)):
        values = st.integers(variable.sort.low, variable.sort.high)
        for cell in range(variable.offset, variable.offset + variable.cells):
            cells[cell] = data.draw(values)
    board = Board(engine.position(cells))
    made, status = board.playout(seed, LONG)
    if status <= 0:  # a move may break an obligation in a position that play never leads to
        assert by_single_steps(engine, cells, seed, made) == board.cells


def test_a_condition_that_holds_before_the_move_is_noticed_after_it() -> None:
    """A finished game whose players go on all the same ends after one more move, wherever."""
    engine = engine_of("connectfour/2")
    board = Board(engine.new())
    start = board.cells[0]
    board.playout(0, LONG)
    cells = [start, *board.cells[1:]]
    assert not engine.program.trusted(list(cells), engine.data)
    for seed in range(20):
        again = Board(engine.position(cells))
        assert again.playout(seed, LONG) == (1, 0)


RACE = """game race "Race"

players 2 named left, right  §own

type Lane = 1..3  §own

state track[c: Lane, r: 1..3]: Player? = none  §own
state used[c: Lane]: 0..3 = 0  §own
state jumped: boolean = false  §own

term full(p: Player): boolean = any(all(track[c, r] = p for r in 1..3) for c in Lane) or any(
  all(track[c, r] = p for c in Lane) for r in 1..3
)  §own

term ended: boolean = full(left) or full(right) or all(used[c] = 3 for c in Lane)  §own

decision put(c: Lane) by p  §own
  require used[c] < 3
  used[c] += 1
  track[c, used[c]] := p

# Two cells of one variable change: nothing is known of which.
decision swap(c: Lane) by p  §own
  require c < 3 and used[c] > 0 and used[c + 1] > 0 and not jumped
  let mine = track[c, 1]
  track[c, 1] := track[c + 1, 1]
  track[c + 1, 1] := mine
  jumped := true

flow  §own
  repeat
    each p in Player
      p decides put, swap
      end when ended

outcome  §own
  winner p: full(p)
"""


@few
@given(seed=st.integers(0, 2**32))
def test_moves_that_change_one_cell_or_several(seed: int) -> None:
    engine = race()
    assert relies(engine)
    board = Board(engine.new())
    made, status = board.playout(seed, LONG)
    assert status <= 0
    assert by_single_steps(engine, list(engine.new().cells), seed, made) == board.cells


_RACE: list[Engine] = []


def race() -> Engine:
    if not _RACE:
        game, found = load_text(RACE)
        assert game is not None, found
        _RACE.append(compile_game(game))
    return _RACE[0]
