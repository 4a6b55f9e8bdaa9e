"""`quarantia conform` from outside: exit status, report, log, JSON, misbehaving programs."""

from __future__ import annotations

import json
import os
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.command_line import quarantia

RIGHT = f"{sys.executable} -m quarantia_checker.cli serve nim"
SMALL = ("-n", "3", "--openings", "10", "--shrink", "5", "--no-coverage")


def test_an_engine_that_is_right() -> None:
    answer = quarantia("conform", "nim", "--engine", RIGHT, *SMALL, "--json")
    assert answer.status == 0, answer.err
    assert answer.json["conforms"]
    (run,) = answer.json["runs"]
    assert run["games"] == 13
    assert run["refusals"] > 20
    assert run["difference"] is None


def test_an_engine_of_another_reading_differs_and_the_reading_is_named(tmp_path: Path) -> None:
    rules = tmp_path / "race.rules"
    rules.write_text(
        textwrap.dedent(
            """\
            game race "A race"

            players 2 named white, black  §1

            term enough(n: 0..9): boolean
              §2 goal
                reading at_least: n >= 6
                reading exactly: n = 6
                ruling at_least because "More is better."
                doubt en "Six exactly, or at least?"
                doubt fr "Six, ou six au moins ?"
              say en "{n} is enough: {enough}."
              say fr "{n} suffit : {enough}."

            state place: 0..9 = 0  §1

            decision walk(n: 1..3) by p  §1
              require place + n <= 9 because "the road ends at nine"
              place := place + n
              say en "{p} walks {n}."
              say fr "{p} avance de {n}."

            outcome  §2
              winner p: enough(place)

            flow  §1
              repeat
                each p in Player
                  p decides walk
                  end when enough(place) or place = 9
            """
        ),
        encoding="utf-8",
    )
    other = f"{sys.executable} -m quarantia_checker.cli serve {rules} --reading enough.goal=exactly"
    silent = tmp_path / "silent.py"  # it does not say which reading it plays
    silent.write_text(
        "import json, subprocess, sys\n"
        f"inner = subprocess.Popen({other.split()!r}, stdin=-1, stdout=-1, text=True)\n"
        "for line in sys.stdin:\n"
        "    inner.stdin.write(line)\n"
        "    inner.stdin.flush()\n"
        "    reply = json.loads(inner.stdout.readline())\n"
        "    reply.get('result', {}).pop('readings', None)\n"
        "    print(json.dumps(reply), flush=True)\n",
        encoding="utf-8",
    )
    log = tmp_path / "differs.json"
    command = f"{sys.executable} {silent}"
    answer = quarantia("conform", rules, "--engine", command, *SMALL, "--save", log)
    assert answer.status == 1, answer.err
    assert "*exactly* reading of §2" in answer.out
    assert json.loads(log.read_text(encoding="utf-8"))["moves"]
    assert quarantia("replay", log).status == 0
    answer = quarantia("conform", rules, "--engine", command, *SMALL, "--infer", "--json")
    assert answer.status == 0, answer.err
    assert answer.json["inferred"] == {"enough.goal": "exactly"}
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('[readings]\n"enough.goal" = "exactly"\n', encoding="utf-8")
    answer = quarantia("conform", rules, "--engine", command, *SMALL, "--mapping", mapping)
    assert answer.status == 0, answer.out


HOSTILE = {
    "hang": ("time.sleep(600)", "does not answer"),
    "crash": ("sys.exit(3)", "status 3"),
    "garbage": ("print('Segmentation fault', flush=True)", "not JSON"),
    "flood": ("print('x' * 200_000_000, flush=True)", "without the end of a line"),
    "two at once": ("print(reply + chr(10) + reply, flush=True)", "without being asked"),
    "another id": (
        "print(reply.replace('\"id\":', '\"id\":9'), flush=True)",
        "answered with the id",
    ),
    "child": (
        "subprocess.Popen(['sleep', '577'], start_new_session=True); time.sleep(600)",
        "does not answer",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_program_that_misbehaves_is_reported_and_ended(tmp_path: Path, name: str) -> None:
    deed, words = HOSTILE[name]
    program = tmp_path / "hostile.py"
    program.write_text(
        "import subprocess, sys, time\n"
        "from quarantia_checker.conform.server import Server\n"
        "from quarantia_engine import open_game\n"
        "engine = open_game('nim')\n"
        "server = Server(lambda players: engine)\n"
        "for number, line in enumerate(sys.stdin):\n"
        "    reply = server.line(line)\n"
        "    if number < 2:\n"
        "        print(reply, flush=True)\n"
        "    else:\n"
        f"        {deed}\n",
        encoding="utf-8",
    )
    started = time.monotonic()
    answer = quarantia(
        "conform", "nim", "--engine", f"{sys.executable} {program}", "--timeout", "5", *SMALL
    )
    assert answer.status == 1, answer.err
    assert words in answer.out
    assert time.monotonic() - started < 30
    assert not _running(str(program))
    assert not _running("sleep\0577")


def _running(words: str) -> bool:
    """Whether a process with these words on its command line is left."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if words.encode() in (folder / "cmdline").read_bytes() and folder.name != str(
                os.getpid()
            ):
                return True
        except OSError:
            continue
    return False


def test_recorded_games(tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    moves = [
        {"player": "left", "name": "take", "args": {"n": 3}},
        {"player": "right", "name": "take", "args": {"n": 3}},
    ]
    log = {"quarantia": 1, "game": "nim", "players": 2, "moves": moves}
    good.write_text(json.dumps(log), encoding="utf-8")
    bad = tmp_path / "bad.json"
    wrong = {"player": "right", "name": "take", "args": {"n": 3}}
    bad.write_text(json.dumps({**log, "moves": [*moves, wrong]}), encoding="utf-8")
    ended = tmp_path / "ended.json"
    ended.write_text(json.dumps({**log, "outcome": {"winners": ["left"]}}), encoding="utf-8")
    assert quarantia("conform", "nim", "--log", good).status == 0
    answer = quarantia("conform", "nim", "--log", good, bad, ended)
    assert answer.status == 1
    assert "move 3 breaks the rules" in answer.out
    assert "play goes on" in answer.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "nothing to test"),
        (("--engine", "no-such-program-anywhere"), "cannot start"),
        (("--engine", "'"), "not a command"),
        (("--engine", "python:nowhere:x"), "cannot find"),
        (("--engine", RIGHT, "--levels", "legal,colour"), "no level `colour`"),
        (("--engine", RIGHT, "--mapping", "nowhere.toml"), "cannot read"),
        (("--log", "nowhere.json"), "cannot read"),
    ],
)
def test_wrong_usage_is_told(words: tuple[str, ...], told: str) -> None:
    answer = quarantia("conform", "nim", *words)
    assert answer.status == 2
    assert told in answer.err


def test_the_fields_are_listed() -> None:
    answer = quarantia("conform", "nim", "--fields")
    assert answer.out.startswith("heap: 0 to 12")
