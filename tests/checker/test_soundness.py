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
    prover = Prover(System(game), {}, deadline=time.monotonic() - 1)
    prover.establish({node: [never_full] for node in prover.system.stable})
    assert not prover.holds(0, never_full)
    full = Question("full", 0, prover.system.frame.cells[1] == 12)
    assert isinstance(prover.prove(full), Open)


def test_time_that_runs_out_while_the_last_transition_is_settled_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prover = Prover(System(nim()), {}, deadline=10.0)
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


def test_nothing_is_proved_of_play_beyond_where_the_unrolling_was_cut_off() -> None:
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
    assert verdict(results, Kind.FLOW) is Verdict.UNSETTLED
    assert not verdict(results, Kind.INVARIANT, "low").good
    assert not only(results, Kind.REACHABLE).verdict.bad
    short = results_of(text.replace("n: 0..200", "n: 0..90") + REST, settings=BLIND)
    assert verdict(short, Kind.FLOW) is Verdict.PROVED
    assert verdict(short, Kind.INVARIANT, "low") is Verdict.PROVED
