"""What the small games mean, as text: a change of meaning is a change of these files.

`QUARANTIA_UPDATE=1 pytest tests/language/test_ir_text.py` writes them again; read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quarantia_spec.ir_text import game_text
from quarantia_spec.pipeline import game_names, load_game
from tests.command_line import quarantia

GOLDEN = Path(__file__).parent / "golden"
SMALL = ("nim", "tictactoe", "connectfour", "pig")


@pytest.mark.parametrize("name", SMALL)
def test_the_meaning_of_a_small_game(name: str) -> None:
    told = quarantia("ir", name)
    assert (told.status, told.err) == (0, "")
    path = GOLDEN / f"{name}.ir"
    if os.environ.get("QUARANTIA_UPDATE"):
        path.write_text(told.out, encoding="utf-8")
    assert told.out == path.read_text(encoding="utf-8")


def test_another_reading_is_another_meaning() -> None:
    ruled = quarantia("ir", "nim").out.splitlines()
    misere = quarantia("ir", "nim", "--reading", "last_taker_wins.last=misere").out.splitlines()
    changed = [line for line in misere if line not in ruled]
    assert changed == [
        "reading last_taker_wins.last = misere",
        "term last_taker_wins(): boolean = false",
        "    normal: true",
        "    misere (chosen): false",
        "outcome player: winner (player = last) = false",
    ]


def test_json_holds_the_same_text() -> None:
    answer = quarantia("ir", "nim", "--json").json
    assert (answer["game"], answer["players"]) == ("nim", 2)
    assert answer["text"] == quarantia("ir", "nim").out


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_a_text_that_does_not_depend_on_the_day(name: str) -> None:
    game = load_game(name)
    text = game_text(game)
    assert text == game_text(load_game(name))
    assert text.startswith(f"game {game.name}, {game.players} players, {game.cells} cells\n")
    assert "<" not in text.replace("<=", "").replace(" < ", ""), "no Python shows through"
