"""`quarantia mutate`: wrong rules are noticed by what a game says of itself, or are listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarantia_checker.mutating import EQUIVALENT, SURVIVED, Fate, examine, score
from quarantia_spec.mutations import mutants
from quarantia_spec.parser import parse_module
from quarantia_spec.source import SourceFile
from tests.command_line import quarantia

BARE = """game bare "Bare"

players 2 named ada, ben  §1

component stone: 4 in bag  §1
zone bag holds stone  §1
zone table holds stone  §1

state laid: 0..9 = 0  §1
state last: Player? = none  §1

decision lay(n: 1..2) by p  §1
  require n <= bag.stone because "too few"
  move n stone from bag to table
  laid += n
  last := p

decision rest by p  §1
  require not laid = 0 because "not at first"
  nothing

flow  §1
  repeat 2 times
    each p in Player where bag.stone > 0
      p decides lay, rest
      end when laid = 4 and last = ben

outcome  §1
  winner p: last = p
"""

TALKATIVE = """
invariant together  §1: laid + bag.stone = 4
invariant somebody  §1: laid > 0 implies last != none

reachable all_laid  §1: laid = 4

ends by 0  §1

example two_moves  §1
  when
    ada cannot rest()
    ada does lay(n: 2)
    ben does rest()
    ada does lay(n: 1)
    ben cannot lay(n: 2)
    ben does lay(n: 1)
  then
    laid = 4
    last = ben
"""


TINY = """game tiny "Tiny"

players 2 named ada, ben  §1

state laid: 0..9 = 0  §1

decision lay(n: 1..2) by p  §1
  laid += n * 1 + 0 * 5

flow  §1
  each p in Player
    p decides lay

outcome  §1
  winner p: laid > 3
"""


def fates(path: Path, text: str, solver: bool = False) -> list[Fate]:
    path.write_text(text, encoding="utf-8")
    return examine(str(path), 0, 0, 200, 1, solver, lambda text: None)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> list[Fate]:
    return fates(tmp_path_factory.mktemp("quiet") / "bare.rules", BARE)


@pytest.fixture(scope="module")
def loud(tmp_path_factory: pytest.TempPathFactory) -> list[Fate]:
    return fates(tmp_path_factory.mktemp("loud") / "bare.rules", BARE + TALKATIVE)


def line_of(text: str) -> str:
    return f":{BARE[: BARE.index(text)].count(chr(10)) + 1}:"


def test_mutants_are_made_of_everything_that_is_a_rule_of_play() -> None:
    module, _ = parse_module(SourceFile("bare.rules", BARE + TALKATIVE))
    assert module is not None
    found = list(mutants(module))
    assert {each.kind for each in found} >= {
        "off by one",
        "another comparison",
        "another operator",
        "a condition dropped",
        "a negation lost",
        "places swapped",
        "an effect left out",
        "a step of play skipped",
        "an offer left out",
    }
    last = BARE.count("\n")
    assert all(each.span.line <= last for each in found), "what is said of rules is left alone"
    assert all(each.module != module for each in found)


def test_what_a_game_says_of_itself_decides_how_many_are_caught(
    quiet: list[Fate], loud: list[Fate]
) -> None:
    assert len(quiet) == len(loud) > 30
    low, high = score(quiet), score(loud)
    assert low is not None and high is not None
    assert low + 0.2 < high
    assert {fate.fate for fate in quiet if fate.caught} >= {"obligation", "legality"}
    assert "example" in {fate.fate for fate in loud}
    place = line_of("require n <=")
    (dropped,) = [each for each in loud if each.told == "no such condition" and place in each.where]
    assert dropped.caught


def test_a_survivor_has_its_place_and_what_it_says_now(quiet: list[Fate]) -> None:
    place = line_of("end when")
    survivors = [each for each in quiet if each.fate == SURVIVED and place in each.where]
    assert "!= instead of =" in {each.told for each in survivors}


def test_a_mutant_that_plays_the_same_is_none(tmp_path: Path) -> None:
    found = fates(tmp_path / "tiny.rules", TINY, solver=True)
    same = {each.told for each in found if each.fate == EQUIVALENT}
    assert same >= {"4", "6"}, found
    assert any(each.fate == SURVIVED for each in found)


def test_the_command_lists_survivors_and_holds_to_a_score() -> None:
    answer = quarantia("mutate", "nim", "--limit", "0", "-j", "1", "--json")
    assert answer.status == 0
    summary = answer.json["summary"]
    assert summary["caught"] > summary["survived"] > 0
    assert summary["score"] == round(
        summary["caught"] / (summary["caught"] + summary["survived"]), 4
    )
    survivor = next(each for each in answer.json["mutants"] if each["fate"] == "survived")
    assert survivor["where"].startswith("nim/nim.rules:")
    text = quarantia("mutate", "nim", "--limit", "6", "--no-solver", "-j", "1", "--at-least", "100")
    assert text.status == 1
    assert "nobody noticed" in text.out


def test_the_same_seed_tries_the_same_mutants() -> None:
    first, second = (
        quarantia(
            "mutate", "nim", "--limit", "3", "--seed", "5", "--no-solver", "-j", "1", "--json"
        ).json["mutants"]
        for _ in range(2)
    )
    assert first == second
    assert len(first) == 3


@pytest.mark.parametrize("wrong", [("--limit", "-1"), ("--budget", "0")])
def test_a_wrong_use_is_told(wrong: tuple[str, str]) -> None:
    assert quarantia("mutate", "nim", *wrong).status == 2
    assert quarantia("mutate", "no-such-game").status == 2
