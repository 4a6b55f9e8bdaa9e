"""The handwritten engine of Doge beside the rules, position by position and without the tester."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from quarantia_engine import Move, Position, open_game
from quarantia_engine.position import nested
from quarantia_spec.ir import Role
from tests.conformance.kits.engines import DOGE, Talk, needs_node, talking

FIELDS = (Role.PLACE, Role.PIECES, Role.STATE)
WANTED = ["legal", "state", "views", "outcome"]

pytestmark = needs_node


@pytest.fixture(scope="module")
def doge() -> Iterator[Talk]:
    """One engine for all tests that start a game of their own."""
    with talking(DOGE) as talk:
        yield talk


def flat(fields: Any, path: str = "") -> dict[str, Any]:
    """Values by their whole path, hidden ones left out."""
    if not isinstance(fields, dict):
        return {} if fields is None else {path: fields}
    found: dict[str, Any] = {}
    for name, value in fields.items():
        found |= flat(value, f"{path}.{name}" if path else name)
    return found


def fields_of(position: Position, seat: int | None) -> dict[str, Any]:
    game = position.engine.game
    seen = [1] * len(position.cells) if seat is None else position.visible(seat)
    return flat(
        {
            variable.name: nested(game, variable, position.cells, seen)
            for variable in game.variables
            if variable.role in FIELDS
        }
    )


def report_of(position: Position) -> dict[str, Any]:
    """What an engine has to say about a position, in a form that can be compared."""
    engine, to_act, outcome = position.engine, position.to_act(), position.outcome()
    names = engine.game.enumerations["Player"]
    return {
        "to_act": ["chance"] if to_act.chance else [names[seat] for seat in to_act.players],
        "legal": {text(engine.move_to_json(move)) for move in position.legal_moves()},
        "state": fields_of(position, None),
        "views": {name: fields_of(position, seat) for seat, name in enumerate(names)},
        "outcome": outcome
        and {
            "winners": [names[seat] for seat in outcome.winners],
            "scores": dict(zip(names, outcome.scores or (), strict=True)),
        },
    }


def text(move: object) -> str:
    return json.dumps(move, sort_keys=True)


def comparable(report: dict[str, Any]) -> dict[str, Any]:
    legal = [text(move) for move in report["legal"]]
    assert len(set(legal)) == len(legal), "a move is listed twice"
    return {
        **report,
        "legal": set(legal),
        "state": flat(report["state"]),
        "views": {seat: flat(view) for seat, view in report["views"].items()},
    }


def chosen(moves: list[Move], generator: random.Random) -> Move:
    """Any move, but rather one that brings houses and palaces: else games are long and empty."""
    busy = [move for move in moves if move.name in ("build", "place_houses", "move_houses")]
    return generator.choice(busy if busy and generator.random() < 0.7 else moves)


def play_beside(talk: Talk, players: int, seed: int, limit: int) -> Position:
    """One game in both engines, compared after every step; where it has led."""
    engine = open_game("doge", players=players)
    generator = random.Random(seed)
    position = engine.new()
    names = list(engine.game.enumerations["Player"])
    report = talk.ask("new", players=names, want=WANTED)
    for _ in range(limit):
        assert comparable(report) == report_of(position)
        to_act = position.to_act()
        if to_act.over:
            break
        seats: tuple[int | None, ...] = (None,) if to_act.chance else to_act.players
        moves = [chosen(position.legal_moves(seat), generator) for seat in seats]
        for move in moves:
            position = position.apply(move)
        step = [engine.move_to_json(move) for move in moves]
        report = talk.ask("apply", moves=step, want=WANTED)
    return position


@pytest.mark.parametrize("players", [3, 4])
def test_opening(doge: Talk, players: int) -> None:
    play_beside(doge, players, seed=players, limit=40)


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_whole_games(doge: Talk, players: int) -> None:
    for seed in range(5):
        assert play_beside(doge, players, seed, limit=4000).to_act().over


def brown(place: str) -> list[dict[str, Any]]:
    return [{"player": None, "name": "turn_brown", "args": {"q": place}}]


def test_the_cards_can_lie_in_every_order(doge: Talk) -> None:
    doge.ask("new", players=["red", "blue", "yellow"])
    assert doge.ask("perft", depth=7) == {"count": 5040}
    assert doge.ask("perft", depth=0) == {"count": 1}


def test_taking_back_all_steps(doge: Talk) -> None:
    first = doge.ask("new", players=["red", "blue", "yellow"], want=["state"])
    played = doge.ask("replay", steps=[brown("SanPolo"), brown("Castello")], want=["state"])
    assert played["positions"][1]["state"]["order.2"] == "Castello"
    assert doge.ask("undo", want=["state"]) == played["positions"][0]
    assert doge.ask("undo", steps=1, want=["state"]) == first
    assert doge.error("undo") == 1


@pytest.mark.parametrize(
    "step",
    [
        [],
        [None],
        brown("SanPolo"),
        brown("Venezia"),
        brown("Castello") * 2,
        [{"player": "red", "name": "turn_brown", "args": {"q": "Castello"}}],
        [{"player": None, "name": "turn_blue", "args": {"q": "Castello"}}],
        [{"player": None, "name": "turn_brown", "args": {"q": "Castello", "n": 1}}],
        [{"player": None, "name": "turn_brown", "args": {}}],
        [{"player": None, "name": "turn_brown"}],
        [{"name": "turn_brown", "args": {"q": "Castello"}}],
        [{"player": None, "name": "constructor", "args": {"q": "Castello"}}],
    ],
)
def test_refusals_change_nothing(doge: Talk, step: list[object]) -> None:
    doge.ask("new", players=["red", "blue", "yellow"])
    before = doge.ask("apply", moves=brown("SanPolo"), want=WANTED)
    assert doge.error("apply", moves=step) == 1
    assert doge.ask("state")["state"] == before["state"]
    assert doge.ask("legal")["legal"] == before["legal"]


@pytest.mark.parametrize(
    "params",
    [
        {"players": ["red", "blue"]},
        {"players": ["blue", "red", "yellow"]},
        {"players": ["red", "blue", "yellow"], "readings": {"number_met.numbers": "exactly"}},
    ],
)
def test_what_it_cannot_play(doge: Talk, params: dict[str, Any]) -> None:
    assert doge.error("new", **params) == 2
