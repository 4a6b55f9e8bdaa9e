"""Engines that misbehave: the tester says so, in time, and leaves no process behind."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import quarantia
from tests.conformance.kits.engines import KITS, manifest, needs_node, talking

HOSTILE = manifest("hostile")
COMMAND = ["node", str(KITS / "hostile" / "hostile.js")]

pytestmark = needs_node


def test_every_one_is_listed() -> None:
    usage = subprocess.run(COMMAND, capture_output=True, text=True, check=False)
    assert usage.returncode == 2
    names = usage.stderr.strip().rpartition(" is ")[2].split(", ")
    assert sorted(names) == sorted(entry["name"] for entry in HOSTILE)


def test_they_behave_at_first() -> None:
    with talking([*COMMAND, "garbage", "3"]) as talk:
        talk.ask("hello", protocol=1)
        talk.ask("new", players=["red", "blue", "yellow"])
        talk.ask("legal")


def processes_of(command: str) -> list[str]:
    """Processes whose command line contains a text."""
    found: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has just ended
        if command in words:
            found.append(words)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("entry", HOSTILE, ids=[entry["name"] for entry in HOSTILE])
def test_the_tester_copes(entry: dict[str, Any]) -> None:
    engine = " ".join([*COMMAND, entry["name"], str(entry["after"])])
    started = time.monotonic()
    answer = quarantia(
        *("conform", "doge", "--players", "3", "--engine", engine, "--no-coverage"),
        *("--games", "1", "--openings", "5", "--timeout", "3", "--shrink", "2"),
    )
    if entry.get("conforms"):
        assert answer.status == 0, answer.out
    else:
        assert answer.status in (1, 2), answer.out
        assert time.monotonic() - started < 60  # the game is compiled once, on a busy machine
    assert "bug in Quarantia" not in answer.err
    assert not processes_of(engine)
