"""Readings played side by side: where they part, and that the same game never does."""

from __future__ import annotations

import pytest

from quarantia_checker.plays import Explorer
from quarantia_checker.side_by_side import SideBySide
from quarantia_checker.verdict import Kind, Verdict
from quarantia_engine.engine import compile_game
from tests.checker.judging import BLIND, game_of, judge_of, only

COUNTDOWN = """
state heap: 0..4 = 4  §1
state die[p: Player]: 1..6 = 1 seen if viewer = p or dice_open  §1

term dice_open: boolean
  §1 dice
    reading closed: false
    reading open: true
    ruling closed because "They stay under the cup."

term ends_early: boolean
  §1 end
    reading later: false
    reading now: true
    ruling later because "The round is played out."

term low(n: 0..4): boolean
  §1 number
    reading less: n < 2
    reading at_most: n <= 1
    reading at_least: n >= 1
    ruling less because "It is the smaller one."

decision take by p  §1
  require heap > 0 because "there is nothing to take"
  heap -= 1

flow  §1
  repeat 4 times
    ada decides take
    end when ends_early and heap = 1

outcome  §1
  winner p: p = ada and low(heap)
"""


def parting(term: str, reading: str) -> tuple[int, str] | None:
    first = compile_game(game_of(COUNTDOWN), {})
    second = compile_game(game_of(COUNTDOWN, readings={term: reading}), {})
    found = SideBySide(first, second).nearest(100, 5)
    again = SideBySide(first, second).part_ways(5, 50, 5)
    assert (found is None) == (again is None)
    if found is not None and "sees" not in found.told:
        explorer = Explorer(first, {})
        explorer.at_random(5, 50, 5)
        assert SideBySide(first, second).follow(explorer.survey.plays) is not None
    return None if found is None else (len(found.moves), found.told)


@pytest.mark.parametrize(
    ("term", "reading", "told"),
    [
        ("dice_open.dice", "open", (0, "ada sees die[ben] only under the second")),
        ("ends_early.end", "now", (3, "others are to act")),
        ("low.number", "at_least", (4, "ada wins under the first, nobody wins under the second")),
        ("low.number", "at_most", None),
    ],
)
def test_readings_part_as_soon_as_something_differs(
    term: str, reading: str, told: tuple[int, str] | None
) -> None:
    assert parting(term, reading) == told


def test_a_reading_that_only_shows_more_is_not_the_same_game() -> None:
    """Without any play to tell them apart, nothing may be proved of readings that differ."""
    results = judge_of(COUNTDOWN, settings=BLIND).run()
    assert only(results, Kind.READING, "closed or open").verdict is Verdict.UNSETTLED
    assert only(results, Kind.READING, "less or at_least").verdict is Verdict.UNSETTLED
    assert only(results, Kind.READING, "less or at_most").verdict is Verdict.PROVED
