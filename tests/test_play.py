"""`quarantia play`, played by a script: turns, refusals, undo, hints, saves, bots."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from quarantia_checker.narrowing import Narrowing
from quarantia_checker.play_words import REASONS, WORDS
from quarantia_checker.telling import can_know, told_to
from quarantia_engine import BadMove, Match, open_game
from quarantia_spec.pipeline import game_names
from tests.command_line import Answer, quarantia

SECRETS = """
game secrets "Secrets"

players 2 named left, right

component token: 4 in bag

zone bag holds token
zone hand[p: Player] holds token seen by p
state stake[p: Player]: 0..3 = 0 seen by p
state shown[p: Player]: 0..3 = 0
state drawn[p: Player]: 0..3 = 0 seen by p
state passed: 0..5 = 0
state lucky: 0..3 = 0

decision put(n: 0..3) by p  §own
  stake[p] := n
  say en "{p} stakes {n}."
  say fr "{p} mise {n}."

decision wait(n: 0..5) by p  §own
  passed := n
  say en "{p} waits {n}."
  say fr "{p} attend {n}."

chance draw[p: Player](n: 0..3)  §own
  drawn[p] := n
  say en "{p} draws {n}."
  say fr "{p} tire {n}."

step reveal  §own
  for p in Player
    shown[p] := stake[p]

flow  §own
  chance draw[left]
  left decides wait
  right decides wait
  together p in Player decides put
  left decides wait
  run reveal
  right decides wait

outcome  §own
  winner p: stake[p] = 3
  score p: shown[p]
"""


@pytest.fixture(autouse=True)
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "saves"
    monkeypatch.setenv("QUARANTIA_SAVES", str(folder))
    return folder


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    path = tmp_path / "secrets.rules"
    path.write_text(SECRETS, encoding="utf-8")
    return path


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Play with these lines typed."""

    def run(lines: list[str], *argv: str | Path) -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return quarantia("play", *argv)

    return run


# --- turns ----------------------------------------------------------------------------------------


def test_a_game_is_played_to_its_end(play: Any) -> None:
    answer = play(["3", "take 3", "take(n: 3)", "tak 3"], "nim")
    assert answer.status == 0, answer.err
    assert "It is left's turn." in answer.out
    assert "left takes 3.  take(n: 3)" in answer.out
    assert "right wins." in answer.out


def test_sentences_are_in_the_language_asked_for(play: Any) -> None:
    out = play(["quit"], "nim", "--lang", "fr").out
    assert "C'est à left de jouer." in out
    assert "left en prend 3." in out


def test_what_play_says_has_the_same_holes_in_both_languages() -> None:
    import string

    for english, french in WORDS.values():
        holes = [
            {field for _, field, _, _ in string.Formatter().parse(text) if field}
            for text in (english, french)
        ]
        assert holes[0] == holes[1]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("take 9", "`n` must be 1 to 3, not 9"),
        ("grab(n: 1)", "there is no move `grab`"),
        ("9", "There are moves 1 to 3."),
        ("take(n: 1, m: 2)", "has no argument `m`"),
    ],
)
def test_wrong_input_is_told_why(play: Any, line: str, told: str) -> None:
    assert told in play([line, "quit"], "nim").out


def test_an_illegal_move_is_told_its_rule_passage_and_numbers(play: Any) -> None:
    out = play(["3", "3", "3", "2", "take(n: 3)", "quit"], "nim").out
    assert "only 1 counters are left (§3)" in out
    assert "take  nim/nim.rules:" in out


def test_many_moves_are_asked_for_step_by_step(play: Any, tmp_path: Path) -> None:
    rules = tmp_path / "wide.rules"
    rules.write_text(
        'game wide "Wide"\n\nplayers 2 named left, right\n\nstate total: 0..20 = 0\n\n'
        "type Colour = Red | Green | Blue\n\n"
        "decision lay(c: Colour, n: 0..9) by p  §own\n  require n != 4\n  total := n\n\n"
        "flow  §own\n  left decides lay\n\noutcome  §own\n  winner p: total = 7\n",
        encoding="utf-8",
    )
    answer = play(["violet", "2", "7"], rules)
    assert "lay(c: ?)" in answer.out
    assert "must be Red, Green or Blue, not violet" in answer.out
    assert "  1  lay(c: Green, n: 0)" in answer.out
    assert answer.out.count("left and right win together.") == 1


def test_narrowing_ends_in_each_move_and_in_nothing_else() -> None:
    engine = open_game("tictactoe")
    moves = tuple(engine.new().legal_moves())
    for move in moves:
        narrowed = Narrowing(engine, moves)
        while narrowed.settled is None:
            argument = narrowed.question().argument
            narrowed = narrowed.answered(str(move.argument(argument)))
        assert narrowed.settled == move
    with pytest.raises(BadMove):
        Narrowing(engine, moves).answered("77")


# --- undo -----------------------------------------------------------------------------------------


def test_undo_goes_back_to_the_last_person(play: Any) -> None:
    answer = play(["2", "undo", "quit"], "nim", "--bots", "1", "--seed", "1")
    assert "Taken back: left: take(n: 2)" in answer.out
    assert answer.out.count("heap 12") == 2
    assert "no move to take back" in play(["undo"], "nim").out


def test_undo_never_passes_what_was_learnt(secrets: Path) -> None:
    from quarantia_engine import CannotUndo

    match = Match(open_game(str(secrets)))
    engine = match.engine

    def make(seat: int, text: str) -> None:
        match.play(engine.move_from_text(text, seat))

    with pytest.raises(CannotUndo, match="no move"):
        match.undo()
    make(0, "wait(n: 1)")
    assert match.undo().name == "wait"  # nothing was learnt
    make(0, "wait(n: 1)")
    make(1, "wait(n: 2)")
    make(0, "put(n: 3)")
    assert match.undo().name == "put"  # the other has not chosen yet
    make(0, "put(n: 3)")
    make(1, "put(n: 2)")
    with pytest.raises(CannotUndo, match="hidden"):
        match.undo()  # both were carried out: a cell that nobody else sees was looked at
    make(0, "wait(n: 0)")
    with pytest.raises(CannotUndo, match="hidden"):
        match.undo()  # the stakes were revealed
    make(1, "wait(n: 1)")
    assert match.to_act().over


def test_undo_never_passes_chance(play: Any) -> None:
    out = play(["roll", "undo", "quit"], "pig", "--seed", "4").out
    assert "chance has spoken" in out
    assert set(REASONS) >= {"chance has spoken since that move"}


# --- secrets --------------------------------------------------------------------------------------


def test_a_seat_is_told_only_what_it_can_know(secrets: Path) -> None:
    engine = open_game(str(secrets))
    start = engine.new()
    drawn = start.legal_moves()[2]
    assert told_to(0, start, drawn, "en") == "left draws 2."
    assert told_to(1, start, drawn, "en") == "chance: draw"
    waits = start.apply(drawn)
    assert can_know(1, waits, waits.legal_moves()[0])
    chosen = Match(engine)
    chosen.play(engine.move_from_text("wait(n: 0)", 0))
    chosen.play(engine.move_from_text("wait(n: 0)", 1))
    put = engine.move_from_text("put(n: 3)", 0)
    assert told_to(1, chosen.position, put, "en") == "left has chosen."
    assert told_to(0, chosen.position, put, "en") == "left stakes 3."


def test_the_screen_shows_no_secret_of_others(play: Any, secrets: Path) -> None:
    lines = ["wait 1", "", "wait 2", "", "put 3", "", "log", "quit"]
    out = play(lines, secrets, "--seed", "2").out
    for_right = out[out.rindex("Hand the screen to right") :]
    assert "left has chosen." in for_right
    assert "left stakes" not in for_right
    assert "draws" not in for_right
    assert "?" in for_right


def test_hints_do_not_look_behind_screens(play: Any, secrets: Path) -> None:
    assert "does not look at what is hidden" in play(["hint", "quit"], secrets).out
    assert "The bot would play" in play(["hint", "quit"], "nim").out


def test_the_bot_finds_a_win_in_one(play: Any) -> None:
    out = play(["take 3", "take 3", "take 3", "hint", "quit"], "nim").out
    assert "The bot would play: right takes 3." in out


# --- saves ----------------------------------------------------------------------------------------


def test_a_game_that_was_left_goes_on(play: Any, saves: Path) -> None:
    first = play(["roll", "hold", "quit"], "pig", "--bots", "1", "--seed", "7")
    (path,) = saves.glob("pig-*.json")
    assert str(path) in first.out
    before = json.loads(path.read_text("utf-8"))
    play(["quit"], "pig", "--resume", path)
    assert json.loads(path.read_text("utf-8")) == before
    again = play(["quit"], "pig", "--resume", "--json")
    assert again.json == before
    assert quarantia("replay", path).status == 0


def test_a_resumed_game_has_the_same_luck(play: Any, tmp_path: Path) -> None:
    def dice(log: Path) -> list[Any]:
        moves = json.loads(log.read_text("utf-8"))["moves"]
        return [move["args"] for move in moves if move["player"] is None]

    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    play(["roll", "roll", "roll", "quit"], "pig", "--bots", "0", "--seed", "9", "--save", whole)
    play(["roll", "quit"], "pig", "--seed", "9", "--save", parts)
    play(["roll", "roll", "quit"], "pig", "--resume", parts)
    assert len(dice(whole)) >= 3
    assert dice(parts) == dice(whole)


def test_a_save_that_the_rules_forbid_is_told_why(play: Any, tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    play(["3", "quit"], "nim", "--save", path)
    log = json.loads(path.read_text("utf-8"))
    log["moves"][0]["player"] = "right"
    path.write_text(json.dumps(log), encoding="utf-8")
    answer = play([], "nim", "--resume", path)
    assert answer.status == 2
    assert "move 1" in answer.err and "quarantia replay" in answer.err


def test_nothing_saved_is_told(play: Any) -> None:
    answer = play([], "nim", "--resume")
    assert answer.status == 2
    assert "there is no saved game of nim" in answer.err


def test_a_saved_game_goes_on_in_its_language(play: Any, tmp_path: Path) -> None:
    save = tmp_path / "save.json"
    play(["2", "quit"], "nim", "--save", save, "--lang", "fr")
    assert "à right de jouer" in play(["quit"], "nim", "--resume", save).out
    assert "right's turn" in play(["quit"], "nim", "--resume", save, "--lang", "en").out


def test_help_lists_what_the_answers_so_far_leave(play: Any) -> None:
    short = play(["Castello", "?", "quit"], "doge", "--seed", "1").out.partition("Castello")[2]
    listed = [line for line in short.splitlines() if "bid(" in line and "?" not in line]
    assert len(listed) == 39 + 1  # and the sample of a move in the help
    long = play(["? all", "quit"], "doge", "--seed", "1").out
    assert len([line for line in long.splitlines() if "and puts" in line]) == 273


def test_a_save_that_cannot_be_written_does_not_end_the_game(play: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    answer = play(["3", "3", "3", "3"], "nim", "--save", tmp_path / "file" / "save.json")
    assert answer.status == 0
    assert answer.out.count("cannot be saved") == 1
    assert "right wins." in answer.out


@pytest.mark.slow
def test_a_save_survives_a_kill_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    command = [sys.executable, "-m", "quarantia_checker.cli", "play", "pig"]
    moves = "roll\nhold\n" * 60
    for wanted in (0, 1, 4, 12):
        path.unlink(missing_ok=True)
        process = subprocess.Popen(
            [*command, "--save", str(path), "--bots", "1", "--seed", "3"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        process.stdin.write(moves.encode())
        process.stdin.flush()
        made = -1
        patience = time.monotonic() + 60
        while made < wanted and time.monotonic() < patience:
            if path.exists():  # and then it is never found half written
                made = len(json.loads(path.read_text("utf-8"))["moves"])
        os.kill(process.pid, signal.SIGKILL)
        process.stdin.close()
        process.wait()
        log = json.loads(path.read_text("utf-8"))
        assert len(log["moves"]) >= max(made, wanted)
        assert len(Match.from_log(open_game("pig"), log).entries) >= len(log["moves"])


# --- every game -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["-1", "99"])
def test_a_wrong_number_of_bots_is_refused(number: str) -> None:
    assert quarantia("play", "nim", "--bots", number).status == 2


@pytest.mark.parametrize("game", game_names())
def test_the_first_turn_can_be_seen_and_left(game: str, play: Any) -> None:
    answer = play(
        ["?", "hint", "show", "log", "back", "undo", "xyzzy", "quit"], game, "--seed", "1"
    )
    assert answer.status == 0, answer.err
    assert "Go on with: quarantia play" in answer.out


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_bots_play_to_the_end(game: str, play: Any) -> None:
    engine = open_game(game)
    answer = play([], game, "--bots", str(engine.game.players), "--seed", "1", "--json")
    assert answer.status == 0, answer.err[-2000:]
    assert Match.from_log(engine, answer.json).to_act().over
