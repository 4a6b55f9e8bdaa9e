"""The adapters in both languages: errors, digests, and the small engine with words of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import quarantia
from tests.conformance.kits.engines import DOGE, KITS, RACE, needs_node, talking

BOTH = [
    pytest.param(DOGE, ["red", "blue", "yellow"], marks=needs_node, id="javascript"),
    pytest.param(RACE, ["first", "second"], id="python"),
]


@pytest.mark.parametrize(("command", "players"), BOTH)
def test_errors_have_their_codes(command: list[str], players: list[str]) -> None:
    with talking(command) as talk:
        assert talk.error("state") == 1
        assert talk.error("apply", moves=[]) == 1
        assert talk.line("{")["error"]["code"] == -32700
        assert talk.line("")["error"]["code"] == -32700
        assert talk.line("[]")["error"]["code"] == -32600
        assert talk.line("null")["error"]["code"] == -32600
        assert talk.line('{"id": 7, "params": {}}')["error"]["code"] == -32600
        assert talk.error("dance") == -32601
        assert talk.error("new") == -32602
        assert talk.error("new", players=["nobody"]) == 2
        talk.ask("new", players=players)
        assert talk.error("view", seat="nobody") == -32602
        assert talk.error("apply", moves=7) == -32602
        assert talk.error("undo", steps=-1) in (1, -32602)
        assert talk.error("undo", steps=1) == 1
        assert talk.error("replay", steps={}) == -32602


@pytest.mark.parametrize(("command", "players"), BOTH)
def test_a_bad_wish_makes_no_move(command: list[str], players: list[str]) -> None:
    with talking(command) as talk:
        start = talk.ask("new", players=players, want=["legal", "state"])
        assert talk.error("apply", moves=start["legal"][:1], want=7) == -32602
        assert talk.ask("state")["state"] == start["state"]


@pytest.mark.parametrize(("command", "players"), BOTH)
def test_replay_stops_at_what_is_refused(command: list[str], players: list[str]) -> None:
    with talking(command) as talk:
        start = talk.ask("new", players=players, want=["legal"])
        steps = [[start["legal"][0]], [start["legal"][0]], []]
        answer = talk.ask("replay", steps=steps, want=["legal"])
        assert len(answer["positions"]) == answer["refused"]["step"] == 1
        assert talk.ask("legal") == answer["positions"][0]


@pytest.mark.parametrize(("command", "players"), BOTH)
def test_parts_are_given_when_wanted(command: list[str], players: list[str]) -> None:
    with talking(command) as talk:
        assert set(talk.ask("new", players=players)) == {"to_act"}
        parts = ["legal", "state", "views", "outcome"]
        report = talk.ask("undo", steps=0, want=parts)
        assert set(report) == {"to_act", *parts}
        assert report["legal"] == talk.ask("legal")["legal"]
        assert report["state"] == talk.ask("state")["state"]
        for seat in players:
            assert report["views"][seat] == talk.ask("view", seat=seat)["view"]


def hashed(text: str) -> int:
    """The hash of the protocol, written once more."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 % 2**32
    value = (value ^ value >> 16) * 0x85EBCA6B % 2**32
    value = (value ^ value >> 13) * 0xC2B2AE35 % 2**32
    return value ^ value >> 16


def test_the_hash_is_that_of_the_protocol() -> None:
    assert hashed("left take n=2") == 2332796245
    assert hashed("site.house.Castello.red=1") == 2180877453


@pytest.mark.parametrize(("command", "players"), BOTH)
def test_digests(command: list[str], players: list[str]) -> None:
    """What a digest stands for, worked out from the words of the same engine."""
    parts = ["legal", "state", "views", "outcome"]
    with talking(command) as talk:
        step = [talk.ask("new", players=players, want=["legal"])["legal"][0]]
        (whole,) = talk.ask("replay", steps=[step], want=parts)["positions"]
        talk.ask("undo")
        (short,) = talk.ask("replay", steps=[step], want=parts, digest=True)["positions"]

    def state_digest(fields: object, path: str = "") -> int:
        if isinstance(fields, dict):
            return sum(
                state_digest(value, f"{path}.{name}" if path else name)
                for name, value in fields.items()
            )
        if fields is None:
            return 0
        return hashed(f"{path}={fields if isinstance(fields, str) else json.dumps(fields)}")

    legal = sum(
        hashed(
            " ".join(
                [move["player"] or "chance", move["name"]]
                + [f"{name}={value}" for name, value in sorted(move["args"].items())]
            )
        )
        for move in whole["legal"]
    )
    assert short == {
        "to_act": whole["to_act"],
        "legal": legal % 2**32,
        "state": state_digest(whole["state"]) % 2**32,
        "views": {seat: state_digest(view) % 2**32 for seat, view in whole["views"].items()},
        "outcome": None,
    }


def test_the_small_engine_conforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a pipe and in the same process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(KITS / "race-py")
    assert quarantia("new", "sample").status == 0
    mapping = KITS / "race-py" / "mapping.toml"
    rules = Path("sample", "sample.rules")
    few = ("-n", "20", "--openings", "20", "--no-coverage")
    for engine in (" ".join(RACE), "python:race:adapted"):
        command = ("conform", rules, "--engine", engine, *few)
        assert quarantia(*command, "--mapping", mapping).status == 0
        # Without the mapping the tester and the engine have no words in common.
        assert quarantia(*command).status != 0
