"""Every kind of check is seen to fail, at least three times, with the witness it should have."""

from __future__ import annotations

from collections import Counter

import pytest

from quarantia_checker.plays import replay
from quarantia_checker.verdict import Kind
from quarantia_engine.engine import compile_game
from tests.checker.failing import FAILING, Failing
from tests.checker.judging import game_of, only, results_of


def test_there_are_three_games_for_every_kind() -> None:
    count = Counter(each.kind for each in FAILING)
    assert {kind for kind in Kind if count[kind] < 3} == set()


@pytest.mark.parametrize("case", FAILING, ids=lambda case: f"{case.kind.value}-{case.name}")
def test_the_check_fails_and_shows_why(case: Failing) -> None:
    text = case.rules
    if text.count("\noutcome") == 2:  # it has its own
        text = text.replace("\noutcome  §1\n  winner p: true\n", "")
    result = only(results_of(text, case.data), case.kind, case.name)
    assert result.verdict.bad, result
    assert case.told in result.detail
    if case.moves is None:
        return
    assert result.trace is not None or not case.moves
    moves = [] if result.trace is None else result.trace["moves"]
    engine = compile_game(game_of(text), case.data)
    played = [engine.move_from_json(each) for each in moves]
    told = [engine.move_to_text(each, with_player=True) for each in played]
    if isinstance(case.moves, int):
        assert len(told) == case.moves
    else:
        assert tuple(told) == case.moves
    assert replay(engine, played) is not None
