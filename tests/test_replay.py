"""`quarantia replay`: logs stepped through, explained rule by rule, exported, and refused."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quarantia_engine import Match, compile_game, open_game, run_example
from quarantia_engine.match import log_of
from quarantia_engine.simulation import retrace
from quarantia_engine.tracing import trace_move
from quarantia_spec.pipeline import find_sources, game_names, load, load_data
from tests.command_line import Answer, quarantia

ADDITION = """
decision add(n: 1..3) by p  §own
  require n <= {most} because "at most {most}"
  total += n
  say en "{{p}} adds {{n}}."
  say fr "{{p}} ajoute {{n}}."
"""

SUM = """
game sum "Sum"

players 2 named left, right

state total: 0..9 = 0
state rounds: 0..9 = 0
{addition}
step count  §own
  rounds += 1

flow  §own
  repeat until total >= 4
    each p in Player
      p decides add
    run count

outcome  §own
  winner p: total = 4
"""


def sum_rules(folder: Path, most: int = 3) -> Path:
    path = folder / "sum.rules"
    path.write_text(SUM.format(addition=ADDITION.format(most=most)), encoding="utf-8")
    return path


def sum_log(folder: Path, *numbers: int) -> Path:
    rules = sum_rules(folder)
    match = Match(open_game(str(rules)))
    for number in numbers:
        seat = match.to_act().players[0]
        match.play(match.engine.move_from_text(f"add(n: {number})", seat))
    path = folder / "log.json"
    path.write_text(json.dumps({**match.log(), "source": str(rules)}), encoding="utf-8")
    return path


def stepped(monkeypatch: pytest.MonkeyPatch, keys: str, *argv: str | Path) -> Answer:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{key}\n" for key in keys.split(" "))))
    return quarantia("replay", *argv, "--step")


def test_each_move_is_told_with_what_each_rule_changed(tmp_path: Path) -> None:
    answer = quarantia("replay", sum_log(tmp_path, 1, 3))
    assert answer.status == 0, answer.err
    told = [line.strip() for line in answer.out.splitlines()]
    at = told.index("2. right adds 3.")
    assert told[at : at + 5] == ["2. right adds 3.", "add", "total 1 → 4", "count", "rounds 0 → 1"]
    assert "Won by: left, right" in answer.out
    assert "2. right ajoute 3." in quarantia("replay", tmp_path / "log.json", "--lang", "fr").out


def test_stepping_goes_forwards_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = stepped(monkeypatch, "n n b b 2 f l p x ? q", sum_log(tmp_path, 1, 3)).out
    shown = [line.split(">")[-1].strip() for line in out.splitlines()]
    titles = [line for line in shown if line[:2] in ("1.", "2.") or line.startswith("Sum")]
    assert [line[:2] for line in titles] == ["Su", "1.", "2.", "1.", "Su", "2.", "Su", "2."]
    assert "`x` is none of these" in out
    assert "total 4" in out  # the position


def test_a_changed_rule_is_named_with_its_place(tmp_path: Path) -> None:
    log = sum_log(tmp_path, 1, 3)
    sum_rules(tmp_path, most=2)
    answer = quarantia("replay", log)
    assert answer.status == 1
    assert "The rules have changed" in answer.out
    assert "move 2: `add`: right: add(n: 3) is refused: at most 2" in answer.out
    assert "sum.rules:10:3" in answer.out
    failure = quarantia("replay", log, "--json").json["failure"]
    assert failure["move"] == 2 and failure["rule"] == "add"


def test_a_move_that_is_gone_is_named(tmp_path: Path) -> None:
    log = sum_log(tmp_path, 1, 3)
    rules = tmp_path / "sum.rules"
    rules.write_text(rules.read_text("utf-8").replace("add", "plus"), encoding="utf-8")
    answer = quarantia("replay", log)
    assert answer.status == 1
    assert "move 1: there is no move `add`" in answer.out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no json", "is not a log"),
        ("[]", "it has no `moves`"),
        ('{"moves": []}', "which game"),
        ('{"moves": [], "game": "nim", "players": 2, "quarantia": 99}', "format 99"),
        ('{"moves": [], "game": "nowhere", "players": 2}', "there is no game called `nowhere`"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(text, encoding="utf-8")
    answer = quarantia("replay", path)
    assert answer.status == 2
    assert told in answer.err


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert quarantia("replay", tmp_path / "none.json").status == 2


def test_a_broken_obligation_is_shown_where_it_breaks(tmp_path: Path) -> None:
    rules = sum_rules(tmp_path)
    rules.write_text(rules.read_text("utf-8").replace("0..9 = 0", "0..5 = 0"), encoding="utf-8")
    found = quarantia("simulate", rules, "-n", "300", "-j", "1", "--json").json["problems"]
    answer = quarantia("replay", found[0]["log"])
    assert answer.status == 1
    assert "here an obligation does not hold" in answer.out
    assert "`add`: an obligation does not hold" in answer.out


# --- every game -----------------------------------------------------------------------------------


def random_log(game: str, moves: int) -> dict[str, Any]:
    engine = open_game(game)
    traced = retrace(engine, 5, moves)
    whole = traced.moves if traced.trouble is None else traced.moves[:-1]
    return log_of(engine, whole, 5)


@pytest.mark.parametrize("game", game_names())
def test_taking_a_move_apart_ends_where_the_engine_does(game: str) -> None:
    engine = open_game(game)
    position = engine.new()
    for data in random_log(game, 60)["moves"]:
        move = engine.move_from_json(data)
        traced = trace_move(position, move)
        position = position.apply(move)
        assert traced.broken is None
        assert traced.cells == position.cells


@pytest.mark.parametrize("game", game_names())
def test_a_log_is_an_example_that_holds(game: str, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(random_log(game, 25)), encoding="utf-8")
    block = quarantia("replay", path, "--to-example").out
    sources = find_sources(game)
    last = sources.rules[-1]
    longer = replace(last, text=f"{last.text}\n{block}")
    loaded, diagnostics = load(replace(sources, rules=(*sources.rules[:-1], longer)))
    assert loaded is not None, diagnostics
    engine = compile_game(loaded, load_data(game, loaded))
    example = next(each for each in loaded.examples if each.name == "from_a_log")
    assert len(example.then) > 1
    result = run_example(engine, example)
    assert result.holds, result.message


@pytest.mark.parametrize("game", game_names())
def test_the_trace_format_has_every_position(game: str, tmp_path: Path) -> None:
    log = random_log(game, 12)
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    trace = quarantia("replay", path, "--itf").json
    assert len(trace["states"]) == len(log["moves"]) + 1
    for state in trace["states"]:
        assert set(state) == {"#meta", *trace["vars"]}
    taken = [state["mbt::actionTaken"] for state in trace["states"]]
    assert taken == ["init", *(move["name"] for move in log["moves"])]
