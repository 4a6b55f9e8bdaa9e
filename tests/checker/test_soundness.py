"""What is false is never called proved: games made to mislead the checker.

Unless a test says otherwise the checker is blind here (`BLIND`): it looks for no play, so that only
the honesty of its proofs stands between a false claim and the verdict "proved".
"""

from __future__ import annotations

import time

import pytest

from quarantia_checker.facts import Linear, Total
from quarantia_checker.induction import Open, Prover, Question
from quarantia_checker.transition import System
from quarantia_checker.values import equal
from quarantia_checker.verdict import Kind, Verdict
from tests.checker.hand_built import nim
from tests.checker.judging import BLIND, only, results_of, verdict

REST = """
outcome  §1
  winner p: true

ends by 0  §1
"""


# --- time ------------------------------------------------------------------------------------


def test_what_was_wanted_when_time_ran_out_is_not_taken_for_known() -> None:
    game = nim()
    never_full = Linear(((1, Total((1,))),), 3, False)
    prover = Prover(System(game), deadline=time.monotonic() - 1)
    prover.establish({node: [never_full] for node in prover.system.stable})
    assert not prover.holds(0, never_full)
    full = Question("full", 0, equal(prover.system.frame.cells[1], 12))
    assert isinstance(prover.prove(full), Open)


def test_time_that_runs_out_while_the_last_transition_is_settled_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prover = Prover(System(nim()), deadline=10.0)
    clock = iter([0.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock, 20.0))
    never_full = Linear(((1, Total((1,))),), 3, False)
    prover.establish({2: [never_full]})
    assert not prover.holds(2, never_full)


# --- loops that go on by themselves -----------------------------------------------------------

COUNTING = """
state x: 0..5000 = 0  §1

step tick  §1
  x += 2

decision go by p  §1
  nothing

flow  §1
  repeat ROUNDS
    run tick
  ada decides go

invariant low  §1: x < 100
"""


def test_play_is_followed_through_a_loop_that_counts_far() -> None:
    results = results_of(COUNTING.replace("ROUNDS", "90 times") + REST, settings=BLIND)
    assert verdict(results, Kind.FLOW) is Verdict.PROVED
    assert not verdict(results, Kind.INVARIANT, "low").good


def test_play_is_followed_through_a_loop_of_unknown_length() -> None:
    text = """
state x: 0..5000 = 0  §1
state target: 0..200 = 0  §1

step tick  §1
  x += 2

decision go(n: 0..200) by p  §1
  target := n

decision rest by p  §1
  nothing

flow  §1
  ada decides go
  repeat while x < target
    run tick
  ada decides rest

invariant low  §1: x < 150
"""
    results = results_of(text + REST, settings=BLIND)
    assert verdict(results, Kind.FLOW) is Verdict.PROVED
    assert not verdict(results, Kind.INVARIANT, "low").good
    assert not only(results, Kind.REACHABLE).verdict.bad
    short = results_of(text.replace("n: 0..200", "n: 0..90") + REST)
    assert verdict(short, Kind.FLOW) is Verdict.PROVED
    assert verdict(short, Kind.INVARIANT, "low") is Verdict.PROVED


# --- what has no meaning ----------------------------------------------------------------------


UNDEFINED = """
state x: 0..5 = 1  §1
state row[i: 1..3]: 0..9 = 5  §1

decision go(n: 0..5) by p  §1
  CONDITION
  x := n

flow  §1
  repeat 3 times
    ada decides go
"""


@pytest.mark.parametrize(
    ("condition", "fails"),
    [
        ('require row[x] = 5 because "…"', True),
        ('require 1 <= x <= 3 implies row[x] = 5 because "…"', False),
        ('require 6 div n > 0 because "…"', True),
        ('require n > 0 because "…"\n  require 6 div n > 0 because "…"', False),
        ("let twice = row[x] * 2", True),
    ],
)
def test_a_condition_that_may_have_no_meaning_is_reported(condition: str, fails: bool) -> None:
    results = results_of(UNDEFINED.replace("CONDITION", condition) + REST)
    found = [each for each in results if "has a meaning" in each.name]
    assert [each.verdict for each in found] == ([Verdict.REFUTED] if fails else [Verdict.PROVED])


@pytest.mark.parametrize(
    "claim",
    [
        "invariant odd  §1: row[x] = 5",
        "reachable odd  §1: 6 div x = 7",
        "term odd: 0..9 = row[x]  §1\ninvariant uses  §1: odd = 5",
    ],
)
def test_a_property_that_may_have_no_meaning_is_reported(claim: str) -> None:
    results = results_of(UNDEFINED.replace("CONDITION", "nothing") + claim + "\n" + REST)
    assert only(results, Kind.OBLIGATION, "has a meaning").verdict is Verdict.REFUTED


def test_an_outcome_a_measure_and_a_view_have_a_meaning() -> None:
    text = UNDEFINED.replace("CONDITION", "nothing").replace(
        "= 5  §1\n", "= 5 seen if viewer = ada and 3 div x > 0  §1\n", 1
    )
    text += "outcome  §1\n  winner p: row[x] = 5\n  score p: 3 div x\n\nends by 3 div x  §1\n"
    results = results_of(text)
    names = {each.name for each in results if "has a meaning" in each.name}
    assert len(names) == 4
    assert all(each.verdict.bad for each in results if each.name in names)


def test_passages_that_have_no_meaning_somewhere_do_not_clash_there() -> None:
    text = """
state x: 0..5 = 1  §1
state row[i: 1..3]: 0..9 = 5  §1

term price: 0..9
  §1 first when x > 0: row[x]
  §2 second when x > 0: 5

decision go(n: 0..5) by p  §1
  x := n

flow  §1
  ada decides go
"""
    results = results_of(text + REST)
    assert not verdict(results, Kind.AGREEMENT).bad


def test_a_weight_that_may_be_negative_is_reported() -> None:
    text = """
state x: 0..5 = 1  §1

chance roll(n: 0..5)  §1
  weight n - 1
  x := n

flow  §1
  chance roll
"""
    assert only(results_of(text + REST), Kind.OBLIGATION, "negative").verdict is Verdict.REFUTED


def test_what_was_named_when_choosing_in_secret_may_have_no_meaning_later() -> None:
    text = """
state pot: 0..6 = 3  §1
state got[p: Player]: 0..6 = 0  §1

decision bid(n: 0..3) by p  §1
  require 0 < pot and n <= pot because "no"
  let share = 6 div pot
  got[p] := min(6, share)
  pot := max(0, pot - n)

flow  §1
  together p in Player decides bid
"""
    found = only(results_of(text + REST), Kind.OBLIGATION, "`share` has a meaning")
    assert found.verdict is Verdict.REFUTED
    assert found.trace is not None
    assert len(found.trace["moves"]) == 2


def test_given_data_may_not_set_a_state_beyond_its_range() -> None:
    text = """
given high[n: 1..2]: 0..9  §1

state x: 0..3 = high[1]  §1

decision go by p  §1
  nothing

flow  §1
  ada decides go

invariant small  §1: x <= 3
"""
    outside = results_of(text + REST, {"high": (5, 7)})
    assert only(outside, Kind.OBLIGATION, "`x` begins").verdict is Verdict.REFUTED
    inside = results_of(text + REST, {"high": (3, 7)})  # but another edition may differ
    assert only(inside, Kind.OBLIGATION, "`x` begins").verdict is Verdict.UNSETTLED
    assert not verdict(inside, Kind.INVARIANT, "small").good
    bounded = results_of(text.replace("0..9", "0..3") + REST, {"high": (3, 2)})
    assert verdict(bounded, Kind.INVARIANT, "small") is Verdict.PROVED


SEQUENCE = """
type Colour = Red | Green  §1

state list: sequence of Colour up to 2  §1
state copy: Colour = Red  §1

decision put(c: Colour) by p  §1
  append c to list

step look  §1
  copy := list[LAST]

step wipe  §1
  clear list

flow  §1
  ada decides put
  run look
  run wipe
  ada decides put

invariant red  §1: CONDITION
"""


@pytest.mark.parametrize(
    ("last", "condition", "kept"),
    [
        ("1", "true", (True, True)),
        ("2", "true", (False, True)),
        ("1", "list[1] = list[1]", (True, False)),
        ("1", "length(list) > 0 implies list[1] = list[1]", (True, True)),
        ("1", "Red in list or not Red in list", (True, True)),
    ],
)
def test_what_lies_beyond_the_length_of_a_sequence_has_no_meaning(
    last: str, condition: str, kept: tuple[bool, bool]
) -> None:
    text = SEQUENCE.replace("LAST", last).replace("CONDITION", condition)
    results = results_of(text + REST)
    duties = [each for each in results if each.kind is Kind.OBLIGATION]
    assert not any(each.verdict is Verdict.UNSETTLED for each in duties), duties
    stated = [each.verdict.bad for each in duties if "red has a meaning" in each.name]
    others = [each.verdict.bad for each in duties if "red has a meaning" not in each.name]
    assert (not any(others), not any(stated)) == kept


def test_agreement_that_rests_on_facts_says_for_which_positions() -> None:
    text = """
state water: 0..3 = 0  §1

term price: 0..9
  §1 low when water < 3: 1
  §2 high when water = 2: HIGH
  otherwise 0 because "…"

decision go(n: 0..1) by p  §1
  water := n

flow  §1
  repeat 3 times
    ada decides go

invariant shallow  §1: water < 2
"""
    resting = only(results_of(text.replace("HIGH", "5") + REST), Kind.AGREEMENT)
    assert resting.verdict is Verdict.PROVED
    assert "wherever somebody chooses" in resting.detail
    plain = only(results_of(text.replace("HIGH", "1") + REST), Kind.AGREEMENT)
    assert plain.verdict is Verdict.PROVED
    assert plain.detail == ""


# --- measures ---------------------------------------------------------------------------------

VOYAGES = """
state rounds: 0..3 = 3  §1
state legs: 0..2 = 0  §1

step start  §1
  legs := 2

decision go(n: 0..1) by p  §1
  legs := max(0, legs - LESS)

step finish  §1
  rounds := max(0, rounds - FEWER)

flow  §1
  repeat until rounds = 0
    run start
    repeat until legs = 0
      ada decides go
    run finish

outcome  §1
  winner p: true

ends by rounds, legs  §1
"""


@pytest.mark.parametrize(
    ("less", "fewer", "ends"),
    [
        ("1", "1", True),  # the legs grow where the rounds have fallen already
        ("1", "0", False),
        ("1", "(if legs = 0 then 0 else 1)", False),
        ("n", "1", False),
    ],
)
def test_a_measure_may_rise_only_where_what_comes_before_it_has_fallen(
    less: str, fewer: str, ends: bool
) -> None:
    text = VOYAGES.replace("LESS", less).replace("FEWER", fewer)
    result = only(results_of(text, settings=BLIND), Kind.ENDS)
    assert (result.verdict is Verdict.PROVED) == ends
