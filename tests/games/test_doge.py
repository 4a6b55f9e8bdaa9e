"""Doge: its register is complete in both languages, its games end, its readings are told apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quarantia_checker.side_by_side import SideBySide
from quarantia_engine.board import Board
from quarantia_engine.encoding import LIMIT, OVER
from quarantia_engine.engine import compile_game
from quarantia_engine.examples import run_example
from quarantia_spec import pipeline

RULES = Path(pipeline.games_folder()) / "doge" / "doge.rules"


def test_the_register_has_every_doubt_in_both_languages() -> None:
    text = RULES.read_text(encoding="utf-8")
    assert text.count('doubt en "') == text.count('doubt fr "') >= 65


def test_every_reason_is_given_in_french_too() -> None:
    lines = RULES.read_text(encoding="utf-8").splitlines()
    bare = [
        f"{number}: {line.strip()}"
        for number, (line, below) in enumerate(zip(lines, [*lines[1:], ""], strict=True), 1)
        if re.search(r'because "[^"]*"', line) and not below.strip().startswith('fr "')
    ]
    assert bare == []


@pytest.mark.parametrize("players", [3, 4])
def test_random_games_break_no_rule_and_examples_hold(players: int) -> None:
    game = pipeline.load_game("doge", players)
    engine = compile_game(game, {})
    failing = [each.name for each in game.examples if not run_example(engine, each).holds]
    assert failing == []
    ended = 0
    for seed in range(4):
        board = Board(engine.new())
        _, status = board.playout(seed, 4000)
        assert status in (0, LIMIT), (seed, status)
        assert board.acting() == OVER or board.legal()
        ended += board.acting() == OVER
    assert ended, "no game came to its end"


def test_no_reading_stops_play() -> None:
    """Somebody can act until the game is over, and no rule asks the impossible."""
    stopped: list[str] = []
    for term in pipeline.load_game("doge", 3).terms:
        for clause in term.clauses:
            for reading in clause.readings:
                if reading.name == clause.chosen:
                    continue
                key = f"{term.name}.{clause.name}"
                board = Board(
                    compile_game(pipeline.load_game("doge", 3, {key: reading.name}), {}).new()
                )
                _, status = board.playout(1, 400)
                if status not in (0, LIMIT) or not (board.acting() == OVER or board.legal()):
                    stopped.append(f"{key} = {reading.name}")
    assert stopped == []


@pytest.mark.parametrize(
    ("clause", "reading"),
    [
        ("may_hold_back.choice", "may"),
        ("blue_before_gains.counted", "votes_added_up"),
        ("pouches_open.behind", "open_pouch"),
        ("number_to_place.may_place", "all_or_none"),
        ("markers_back.unsaid", "never"),
        ("bidding_turns.repeated", "after_the_first"),
        ("circle.stay", "by_symbol"),
        ("councillor_of.named", "standing_there"),
        ("may_pick.numbered", "in_line"),
        ("houses_before_councillor.listed", "houses_first"),
    ],
)
def test_readings_that_matter_are_told_apart_by_a_play(clause: str, reading: str) -> None:
    ruled = compile_game(pipeline.load_game("doge", 3), {})
    other = compile_game(pipeline.load_game("doge", 3, {clause: reading}), {})
    assert SideBySide(ruled, other).part_ways(3, 400, 60) is not None
