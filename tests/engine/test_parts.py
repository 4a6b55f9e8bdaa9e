"""Moves of independent choices are counted part by part, and drawn as if from the whole list.

See NOTE(parts) in `random_moves`.
"""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarantia_engine import Board, Engine, compile_game
from quarantia_engine.analysis import Facts
from quarantia_engine.enumeration import parts_of, plan
from quarantia_engine.randomness import scramble
from quarantia_spec.pipeline import load_text

RULES = """game market "Market"

players 2 named left, right  §own

type Stall = 1..5  §own

state open[s: Stall]: boolean = true  §own
state stock[s: Stall]: 0..4 = 4  §own
state coins[p: Player]: 0..40 = 12  §own
state days: 0..30 = 0  §own

# The stall by itself; price and gift together; the number by itself, between bounds.
decision trade(s: Stall, price: 0..4, gift: 0..4, number: 1..4) by p  §own
  require open[s]
  let paid = price + gift
  require paid in 2..5
  require price != gift
  require number <= coins[p] div 3
  require days < 30
  coins[p] -= number
  stock[s] -= if stock[s] > 0 then 1 else 0
  open[s] := not (price > gift)
  days += 1

decision rest by p  §own
  require days < 30
  days += 1
  coins[p] := min(40, coins[p] + 3)
  for s in Stall
    open[s] := true

# What comes last depends on what comes first: nothing to cut.
decision barter(s: Stall, price: 0..4, other: Stall) by p  §own
  require open[s] and days < 30
  require price <= stock[s]
  require other != s
  days += 1
  open[other] := false

flow  §own
  repeat
    each p in Player
      p decides trade, rest, barter
      end when days = 30

outcome  §own
  score p: coins[p]
  winner p: coins[p] >= 12
"""


@cache
def market() -> Engine:
    game, found = load_text(RULES)
    assert game is not None, found
    return compile_game(game)


@pytest.mark.parametrize(
    ("rule", "parts"),
    [
        ("trade", [["s"], ["price", "gift"], ["number"]]),
        ("rest", [[]]),
        ("barter", [["s", "price", "other"]]),
    ],
)
def test_the_plan_is_cut_where_nothing_looks_back(rule: str, parts: list[list[str]]) -> None:
    game = market().game
    decision = game.decision[rule]
    found = parts_of(plan(decision.choices, decision.guards, Facts(game)))
    assert [[loop.parameter.name for loop in part.loops] for part in found] == parts


@given(seed=st.integers(0, 2**32), limit=st.integers(0, 30))
def test_a_playout_draws_as_from_the_list(seed: int, limit: int) -> None:
    engine = market()
    assert "ways" in engine.source
    board, other = Board(engine.new()), Board(engine.new())
    made, status = board.playout(seed, limit)
    assert status <= 0
    state: int | None = scramble(seed)
    for _ in range(made):
        assert state is not None
        state = other.step(state)
    assert other.cells == board.cells
