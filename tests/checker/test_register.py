"""`quarantia ambiguities`: the register says what is in doubt, how it was decided, and what for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quarantia_checker.impact import Ending, Pair, Pairing, measure, share, summary
from tests.command_line import quarantia

KEYS = {
    "id",
    "class",
    "passages",
    "en",
    "fr",
    "options",
    "verdict",
    "witness",
    "ruling",
    "because",
    "impact",
}

DOUBTS = """game doubts "Doubts"

players 2 named ada, ben  §1

state water: 0..3 = 0  §1

term cards: 0..40
  §1 listed: 4 * 9
  §2 counted: 40
  ruling counted because "The box has forty."

term price: 0..9
  §1 low when water < 2: 3
  §2 high when water > 0: 4
  otherwise 5 because "Somebody has to say."

term bonus: 0..9
  §3 extra
    reading plain: water + 1
    reading turned: 1 + water
    ruling plain because "It is simpler."
    doubt en "Before or after?"
    doubt fr "Avant ou après ?"

term toll: 0..9
  §4 few when water < 3: 1
  §4 many when water = 2: 2

decision pour(n: 0..1) by p  §1
  water := min(3, water + n)

flow  §1
  repeat 2 times
    each p in Player
      p decides pour

outcome  §1
  winner p: water + price + bonus + toll > ordinal(p)

reachable flood  §1: water = 3
reachable drought  §1: cards = 3

ends by 0  §1

example wrong  §2
  when
    ada does pour(n: 1)
  then
    water = 2
"""


@pytest.fixture(scope="module")
def defects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("doubts") / "doubts.rules"
    path.write_text(DOUBTS, encoding="utf-8")
    answer = quarantia("ambiguities", path, "--json", "-j", "1")
    assert answer.status == 1, answer.err
    assert answer.json["game"] == str(path)
    return {each["id"]: each for each in answer.json["defects"]}


def test_every_entry_has_the_keys_of_the_contract(defects: dict[str, Any]) -> None:
    assert all(set(each) == KEYS for each in defects.values())


@pytest.mark.parametrize(
    ("name", "kind", "verdict", "ruling"),
    [
        ("cards", "arithmetic", "conflict", "counted"),
        ("price", "conflict", "conflict", ""),
        ("price.otherwise", "gap", "covered", "otherwise 5"),
        ("bonus.extra", "reading", "equivalent", "plain"),
        ("toll", "conflict", "conflict", ""),
        ("toll.otherwise", "gap", "gap", ""),
        ("wrong", "example", "fails", ""),
        ("drought", "unreachable", "fails", ""),
    ],
)
def test_each_doubt_has_its_class_verdict_and_ruling(
    defects: dict[str, Any], name: str, kind: str, verdict: str, ruling: str
) -> None:
    found = defects[name]
    assert (found["class"], found["verdict"], found["ruling"]) == (kind, verdict, ruling)


def test_nothing_else_is_in_the_register(defects: dict[str, Any]) -> None:
    assert len(defects) == 8


def test_a_conflict_is_shown_by_a_play_that_ends_where_it_shows(defects: dict[str, Any]) -> None:
    witness = defects["toll"]["witness"]
    assert [move["args"] for move in witness["trace"]["moves"]] == [{"n": 1}, {"n": 1}]
    assert witness["position"]["cells"]["water"] == "2"
    assert defects["toll"]["passages"] == ["§4"]
    assert defects["toll"]["options"] == ["few", "many"]
    assert defects["cards"]["because"] == "The box has forty."
    assert defects["bonus.extra"]["fr"] == "Avant ou après ?"


def test_the_reason_of_an_otherwise_is_not_lost(defects: dict[str, Any]) -> None:
    assert defects["price.otherwise"]["because"] == "Somebody has to say."


def test_the_terminal_shows_a_table_and_tells_one_defect_in_full() -> None:
    table = quarantia("ambiguities", "nim")
    assert table.status == 0
    assert "last_taker_wins.last" in table.out
    assert "Does taking the last counter win or lose?" in table.out
    told = quarantia("ambiguities", "nim", "--show", "last_taker_wins.last", "--language", "fr")
    assert "Prendre le dernier jeton" in told.out
    assert "right takes 3." in told.out
    assert quarantia("ambiguities", "nim", "--show", "nothing").status == 2


# --- impact ---------------------------------------------------------------------------------


def test_the_readings_of_nim_change_every_winner_and_no_length() -> None:
    answer = quarantia("ambiguities", "nim", "--impact", "60", "--json", "-j", "1")
    impact = answer.json["defects"][0]["impact"]
    found = impact["under"]["misere"]
    assert impact["games"] == found["games"] == 60
    assert found["diverged"]["share"] == found["winner_changed"]["share"] == 1
    assert found["length"]["difference"] == 0
    assert found["after_moves"]["least"] >= 4


def test_impact_does_not_depend_on_how_the_work_is_split() -> None:
    pairing = Pairing("pig", 2, "reached.first_to_reach", "at_once")
    alone, shared = measure([pairing], 60, 1), measure([pairing], 60, 2)
    assert alone == shared
    assert alone[0]["length"]["difference"] < 0
    assert 0 < alone[0]["winner_changed"]["share"] < 1


def test_pairs_are_summed_up_with_intervals() -> None:
    same = Pair(Ending(5, True, (0,), (3, 1)), Ending(5, True, (0,), (3, 1)), None)
    other = Pair(Ending(5, True, (0,), (3, 1)), Ending(9, True, (1,), (3, 5)), 2)
    endless = Pair(Ending(5, True, (0,), (3, 1)), Ending(5000, False), 3)
    found = summary([same, other, endless, same])
    assert found["diverged"]["share"] == 0.5
    assert found["after_moves"] == {"least": 2, "median": 3, "most": 3}
    assert found["winner_changed"]["share"] == round(1 / 3, 4)
    assert found["length"]["other"] == round(19 / 3, 3)
    assert [each["difference"] for each in found["scores"]] == [0, round(4 / 3, 3)]
    assert found["unfinished"] == {"ruling": 0, "other": 1}


def test_intervals_are_wilsons() -> None:
    assert share(0, 100) == {"share": 0.0, "low": 0.0, "high": 0.037}
    assert share(50, 100) == {"share": 0.5, "low": 0.4038, "high": 0.5962}
    assert share(0, 0) == {"share": 0.0, "low": 0.0, "high": 1.0}


def test_a_wrong_use_is_told(tmp_path: Path) -> None:
    assert quarantia("ambiguities", "nim", "--impact", "-3").status == 2
    assert quarantia("ambiguities", "nim", "--players", "9").status == 2
    assert quarantia("ambiguities", tmp_path / "none.rules").status == 2
