"""What an earlier check has found saves work, and is never believed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from quarantia_checker.checking import Task, check_task
from quarantia_checker.facts import Linear, Stated, Total
from quarantia_checker.findings import NOTHING, Findings, from_text, to_text
from quarantia_checker.judge import Judge
from quarantia_checker.settings import Settings
from quarantia_checker.transition import System
from quarantia_checker.verdict import Verdict
from quarantia_spec.pipeline import load_game, rules_path
from tests.checker.judging import QUICK


def again(judge: Judge, text: str, settings: Settings = QUICK) -> Judge:
    return Judge(judge.game, judge.data, judge.load, settings, text)


@pytest.fixture(scope="module")
def pig() -> Judge:
    judge = Judge(load_game("pig", 2), {}, lambda readings: load_game("pig", 2, readings), QUICK)
    judge.run()
    return judge


def verdicts(judge: Judge) -> dict[tuple[str, str], Verdict]:
    return {(each.kind.value, each.name): each.verdict for each in judge.results}


def test_the_same_is_decided_with_and_without_what_was_found(pig: Judge) -> None:
    later = again(pig, pig.found())
    later.run()
    assert verdicts(later) == verdicts(pig)
    assert later.known.facts


def test_facts_positions_and_plays_come_back_from_their_text(pig: Judge) -> None:
    system = System(pig.paused)
    held = [fact for facts in pig.prover.held.values() for fact in facts]
    named = [fact for fact in held if isinstance(fact, Stated)]
    text = pig.found()
    found = from_text(text, system, named)
    assert to_text(found, system) == text


def test_a_false_fact_is_not_believed(pig: Judge) -> None:
    """That no score ever comes above 3 would prove a good deal."""
    system = System(pig.paused)
    cell = system.names.index("score[elder]")
    false = Linear(((1, Total((cell,))),), 3, False)
    text = to_text(Findings(facts=dict.fromkeys(system.points, (false,))), system)
    later = again(pig, text)
    later.run()
    assert not any(later.prover.holds(node, false) for node in system.points)
    assert verdicts(later) == verdicts(pig)


def test_a_play_that_does_not_show_it_is_not_believed(pig: Judge) -> None:
    system = System(pig.paused)
    text = to_text(Findings(plays={"reachable the game can end": (0,)}), system)
    later = again(pig, text)
    later.run()
    assert verdicts(later) == verdicts(pig)
    result = next(each for each in later.results if each.name == "the game can end")
    assert result.trace is not None
    assert len(result.trace["moves"]) > 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": 1}',
        '{"format": 99, "form": "", "facts": [], "positions": [], "plays": []}',
        '{"format": 1, "form": "", "facts": [], "positions": [], "plays": [["x", []]]}',
    ],
)
def test_a_damaged_file_is_as_good_as_none(pig: Judge, text: str) -> None:
    assert from_text(text, System(pig.paused), []) == NOTHING


def test_facts_about_another_form_of_the_game_are_left_out(pig: Judge) -> None:
    content = json.loads(pig.found())
    content["form"] = "another"
    found = from_text(json.dumps(content), System(pig.paused), [])
    assert not found.facts
    assert found.plays


def test_cells_that_there_are_not_make_no_facts(pig: Judge) -> None:
    content = json.loads(pig.found())
    content["facts"] = [[["=", 0, [1, ["sum", [0, 9999]]]], [3]]]
    assert from_text(json.dumps(content), System(pig.paused), []) == NOTHING


def test_what_is_recorded_stands_beside_the_rules(tmp_path: Path) -> None:
    folder = tmp_path / "nim"
    folder.mkdir()
    for file in rules_path("nim").parent.iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    task = Task(str(folder / "nim.rules"), 2, QUICK, use_cache=False, record=True)
    first = check_task(task)
    assert (folder / "findings" / "nim-2.json").is_file()
    second = check_task(replace(task, record=False))
    assert [(r.kind, r.name, r.verdict) for r in first] == [
        (r.kind, r.name, r.verdict) for r in second
    ]
