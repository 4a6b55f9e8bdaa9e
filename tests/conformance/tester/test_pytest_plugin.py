"""Three lines in a test file are enough, and a failure comes with a short game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """\
from quarantia_checker.conform.pytest_plugin import conformance_tests

TestRight = conformance_tests("nim", "python:engines:right")
TestWrong = conformance_tests("nim", "python:engines:wrong")
"""

ENGINES = """\
from quarantia_checker.conform.server import Server
from quarantia_engine import open_game

engine = open_game("nim")

class Wrong(Server):
    def handle(self, request):
        reply = super().handle(request)
        result = reply.get("result", {})
        if "digests" in result:
            result["digests"] = False
        for report in [result, *result.get("positions", [])]:
            if "state" in report and report["state"]["heap"] == 5:
                report["state"]["heap"] = 4
        return reply

def right():
    return Server(lambda players: engine)

def wrong():
    return Wrong(lambda players: engine)
"""


@pytest.mark.slow
def test_three_lines_make_tests(tmp_path: Path) -> None:
    (tmp_path / "engines.py").write_text(ENGINES, encoding="utf-8")
    (tmp_path / "test_engine.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, "--conform-games", "60", "test_engine.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert "TestRight" not in run.stdout
    assert "FAILED test_engine.py::TestWrong::test_games" in run.stdout
    assert "engine: the engine says heap is 4" in run.stdout
    assert "after 3 moves:" in run.stdout
