"""The twenty wrong engines: each starts, and each is found at the level of its mistake."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from tests.command_line import quarantia
from tests.conformance.kits.engines import DOGE, KITS, manifest, needs_node, talking

WRONG = manifest("doge-js/wrong")
EACH = pytest.mark.parametrize("entry", WRONG, ids=[entry["name"] for entry in WRONG])

pytestmark = needs_node


def test_every_mistake_is_listed() -> None:
    files = {path.stem for path in (KITS / "doge-js" / "wrong").glob("*.js")}
    assert len(WRONG) == 20
    assert {entry["name"] for entry in WRONG} == files
    levels = {level for entry in WRONG for level in entry["levels"]}
    assert levels == {"legal", "state", "views", "outcome", "refusals"}


def test_an_unknown_mistake() -> None:
    answer = subprocess.run([*DOGE, "--wrong", "fine"], capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert "ring-not-returned" in answer.stderr


@EACH
def test_it_starts(entry: dict[str, Any]) -> None:
    with talking([*DOGE, "--wrong", entry["name"]]) as talk:
        talk.ask("hello", protocol=1)
        report = talk.ask("new", players=["red", "blue", "yellow", "green"], want=["legal"])
        assert len(report["legal"]) == 7


@pytest.mark.slow
@EACH
def test_it_is_found(entry: dict[str, Any]) -> None:
    engine = " ".join([*DOGE, "--wrong", entry["name"]])
    answer = quarantia("conform", "doge", "--engine", engine, "--players", "3", "--json")
    assert answer.status == 1
    (run,) = answer.json["runs"]
    assert run["difference"]["level"] in entry["levels"]
