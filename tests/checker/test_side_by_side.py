"""Readings played side by side: where they part, and that the same game never does."""

from __future__ import annotations

import time

import pytest

from quarantia_checker.plays import Explorer
from quarantia_checker.side_by_side import SideBySide
from quarantia_checker.twins import parting_of_twins
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


NUMBERS = """
state heap: 0..9 = 9  §1
state last: Player? = none  §1

term fewest: 0..9
  §1 few
    reading one: 1
    reading two: 2
    ruling one because "One is the least."

term wins_on: 0..9
  §1 end
    reading eight: 8
    reading six: 6
    ruling eight because "It is more."

decision take(n: 1..3) by p  §1
  require n <= heap because "there are not so many"
  require n >= fewest or heap < 3 because "more must be taken"
  heap -= n
  last := p

flow  §1
  repeat while heap > 0
    each p in Player
      p decides take
      end when heap = 0

outcome  §1
  winner p: p = last and wins_on = 8 or p != last and wins_on = 6
"""


@pytest.mark.parametrize(
    ("term", "reading"), [("fewest.few", "two"), ("wins_on.end", "six"), ("fewest.few", "one")]
)
def test_games_that_draw_the_same_numbers_part_where_the_readings_do(
    term: str, reading: str
) -> None:
    first = compile_game(game_of(NUMBERS), {})
    second = compile_game(game_of(NUMBERS, readings={term: reading}), {})
    found = parting_of_twins(first, second, None, 500, 50, time.monotonic() + 5)
    if (term, reading) == ("fewest.few", "two"):
        assert found is not None
        parting = SideBySide(first, second).with_same_numbers(500, 50, time.monotonic() + 5)
        assert parting is not None
        assert parting.told == "ada: take(n: 1) is legal only under the first"
        assert parting.moves == ()
    else:
        assert found is None  # endings are not compared, and what is the same never parts


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
