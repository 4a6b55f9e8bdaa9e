"""`quarantia simulate`: what it counts, and that it reports what goes wrong instead of stopping."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from quarantia_checker.plot import bars
from quarantia_engine import open_game
from quarantia_engine.simulation import Simulator, retrace
from quarantia_spec.pipeline import game_names
from tests.command_line import quarantia

WALK = """
game walk "A walk"

players 2 named left, right

state place: 0..5 = 0
state dry: 0..1 = 0

decision go(n: 1..2) by p  §own
  {guard}
  place += n
  if place > 90
    dry := 1

decision never_offered_true by p  §own
  require place > 90
  nothing

flow  §own
  repeat
    each p in Player
      p decides go, never_offered_true
      end when place >= {goal}

outcome  §own
  winner p: place = 5
"""


def walk(folder: Path, goal: int = 4, guard: str = "require true") -> Path:
    path = folder / "walk.rules"
    path.write_text(WALK.format(goal=goal, guard=guard), encoding="utf-8")
    return path


def test_the_report_of_a_sound_game(tmp_path: Path) -> None:
    answer = quarantia("simulate", walk(tmp_path), "-n", "200", "-j", "1")
    assert answer.status == 0, answer.err
    assert "200 of 200 random games" in answer.out
    assert "`never_offered_true` was never carried out" in answer.out
    assert "in `go`, this was never true: place > 90" in answer.out


def test_json_adds_up(tmp_path: Path) -> None:
    found = quarantia("simulate", walk(tmp_path), "-n", "100", "--json", "-j", "1").json
    assert found["games"] == found["finished"] == sum(found["length"]["counts"].values()) == 100
    moves = sum(int(length) * games for length, games in found["length"]["counts"].items())
    assert found["fired"]["go"] == moves
    assert found["wins"]["left"] == found["wins"]["right"]
    assert found["wins"]["left"] + found["without_winner"] == 100


def test_processes_play_the_same_games() -> None:
    alone, together = (
        quarantia("simulate", "pig", "-n", "60", "-j", jobs, "--json").json for jobs in "12"
    )
    for part in ("length", "scores", "wins", "fired", "never"):
        assert alone[part] == together[part]


def test_a_broken_obligation_is_reported_with_its_seed_and_rule(tmp_path: Path) -> None:
    path = walk(tmp_path, goal=5)
    answer = quarantia("simulate", path, "-n", "50", "-j", "1", "--json")
    assert answer.status == 1
    (problem,) = answer.json["problems"]
    assert problem["kind"] == "broken obligation"
    assert problem["rule"] == "go"
    assert ":11:" in problem["place"]  # place += n
    traced = retrace(open_game(str(path)), problem["seed"], 100)
    assert len(traced.moves) == problem["moves"] > 0
    assert "broken obligation in" in quarantia("simulate", path, "-n", "50", "-j", "1").out


def test_a_dead_end_is_reported_with_its_seed_and_choice(tmp_path: Path) -> None:
    path = walk(tmp_path, goal=5, guard="require place + n < 5")
    answer = quarantia("simulate", path, "-n", "50", "-j", "1", "--json")
    assert answer.status == 1
    assert {problem["kind"] for problem in answer.json["problems"]} == {"dead end"}
    message = answer.json["problems"][0]["message"]
    assert "has no legal choice of go or never_offered_true" in message


def test_games_that_reach_the_limit_are_counted() -> None:
    answer = quarantia("simulate", "pig", "-n", "10", "--limit", "7", "-j", "1", "--json")
    assert answer.status == 0
    assert answer.json["limited"] == 10
    assert answer.json["length"]["counts"] == {"7": 10}


def test_the_plot_is_well_formed_and_holds_every_game(tmp_path: Path) -> None:
    picture = tmp_path / "pig.svg"
    quarantia("simulate", "pig", "-n", "40", "-j", "1", "--plot", picture)
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    name = "{http://www.w3.org/2000/svg}"
    panels = root.findall(f"{name}g")
    assert len(panels) == 3  # length, and a score for each seat
    for panel in panels:
        told = [bar.findtext(f"{name}title") or "" for bar in panel.findall(f"{name}rect")]
        assert sum(int(each.rpartition(":")[2]) for each in told) == 40


def test_bars_hold_every_value() -> None:
    counts = {-3: 1, 0: 2, 400: 5}
    shown = bars(counts)
    assert sum(bar.count for bar in shown) == 8
    assert shown[0].low == -3 and shown[-1].low <= 400 <= shown[-1].high
    assert bars({}) == []


@pytest.mark.parametrize("word", ["-n0", "--limit=0", "--jobs=0"])
def test_wrong_numbers_are_refused(word: str) -> None:
    assert quarantia("simulate", "pig", word).status == 2


@pytest.mark.slow
def test_an_interrupt_prints_what_there_is() -> None:
    command = [sys.executable, "-m", "quarantia_checker.cli", "simulate", "pig", "-n", "99999999"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "of 99999999 random games" in out
    assert "Traceback" not in err


@pytest.mark.parametrize("game", game_names())
def test_counting_changes_nothing(game: str) -> None:
    engine = open_game(game)
    simulator = Simulator(engine)
    tally = simulator.play(range(3), 200)
    plain = [retrace(engine, seed, 200) for seed in range(3)]
    assert sorted(tally.lengths.elements()) == sorted(
        len(each.moves) for each in plain if each.trouble is None
    )
    fired = {
        c.rule: n for c, n in zip(simulator.counters, tally.counts, strict=True) if not c.condition
    }
    for name in (*engine.game.decision, *engine.game.chance):
        made = sum(move.name == name for each in plain for move in each.moves)
        assert fired[name] == made
