"""Play finds its way to what the solver names, where chance would hardly ever bring it."""

from __future__ import annotations

from dataclasses import replace

from quarantia_checker.verdict import Kind, Verdict
from tests.checker.judging import QUICK, only, results_of

SHALLOW = replace(QUICK, positions=1, games=5, longest=60, deep_games=2, deep_longest=60, depth=2)

# Every step but the right one of four leads back to the beginning.
STAIRS = """
state height: 0..60 = 0  §1
state door: 1..4 = 1  §1

decision climb(through: 1..4) by p  §1
  if through = door
    height := min(60, height + 1)
    door := 1 + (height + through) mod 4
  else
    height := 0

flow  §1
  repeat
    each p in Player
      p decides climb
      end when height = 60

{more}
outcome  §1
  winner p: true

ends never because "One can fall for ever."  §1
"""

UNREAD = """
term lift(h: 0..60): 0..60
  §1 usual
    reading one: h
    reading other: if h = 40 then 41 else h
    ruling one because "It is shorter."
"""


def test_a_goal_far_away_is_come_to() -> None:
    text = STAIRS.replace("{more}", "reachable on_top  §1: height = 40")
    unseen = only(results_of(text, settings=replace(SHALLOW, steered=0)), Kind.REACHABLE, "on_top")
    assert unseen.verdict is Verdict.UNSETTLED
    result = only(
        results_of(text, settings=replace(SHALLOW, steered=100_000)), Kind.REACHABLE, "on_top"
    )
    assert result.verdict is Verdict.HOLDS
    assert result.trace is not None
    assert len(result.trace["moves"]) >= 40


def test_readings_that_part_far_away_are_told_apart() -> None:
    text = UNREAD + STAIRS.replace("{more}", "").replace(
        "height := min(60, height + 1)", "height := min(60, lift(height) + 1)"
    )
    result = only(results_of(text, settings=replace(SHALLOW, steered=100_000)), Kind.READING)
    assert result.verdict is Verdict.REFUTED
    assert "height is 41 under the first, 42 under the second" in result.detail
