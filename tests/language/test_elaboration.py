"""Games that would lose pieces, numbers or claims without a word: each is told so."""

from __future__ import annotations

import pytest

from quarantia_spec.ir_text import game_text
from quarantia_spec.pipeline import load_text

HEAD = 'game odd "Odd"\n\nplayers 2..3 named red, blue, green  §own\n\n'
TAIL = "\nflow  §own\n  end\n\noutcome  §own\n  winner p: true\n"


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("component coin: 5  §1\n\nzone bank holds coin  §1\n", "E309", "no place to start"),
        (
            "component coin: 5 in vault  §1\ncomponent gem: 3 in vault  §1\n\n"
            "zone vault holds gem  §1\n",
            "E205",
            "which does not hold it",
        ),
        (
            "component coin: 5 in bank  §1\n\nzone bank holds coin up to 3  §1\n",
            "E302",
            "room for 3",
        ),
        (
            "component coin: 5 in bank  §1\n\nzone bank holds coin, coin  §1\n",
            "E202",
            "holds `coin` twice",
        ),
        (
            "component Card[k: 1..2]: distinct 4 in deck  §1\n\npile deck holds Card  §1\n",
            "E307",
            "no kinds",
        ),
        ("state a: 0..9 = 3  §1\nstate b: 0..9 = a  §1\n", "E304", "no position yet"),
        ("state a: 0..9  §1\n\nends by a  §1\n\nends by a  §1\n", "E202", "told twice"),
        ("example e  §1\n  players 7\n  then\n    true\n", "E505", "never played by 7"),
        ("type E = A | B  §1\ntype D = E | C  §1\n\nstate e: E = C  §1\n", "E302", "`C` cannot"),
        ("state a: 0..9  §1\n\noption n: 0..3 = 7  §1\n", "E302", "7 does not fit in 0..3"),
    ],
)
def test_nothing_is_lost_in_silence(text: str, code: str, message: str) -> None:
    game, found = load_text(HEAD + text + TAIL)
    assert game is None
    assert [diagnostic.code.value for diagnostic in found] == [code]
    assert message in found[0].message


def test_pieces_of_each_player_fit_into_zones_of_their_own() -> None:
    text = "component house: 3 per player in supply  §1\n\n"
    zone = "zone supply[p: Player] holds house of p up to 3  §1\n"
    game, found = load_text(HEAD + text + zone + TAIL)
    assert game is not None, found


def test_an_example_may_be_given_in_parts() -> None:
    example = "example e  §1\n  given\n    a := 1\n  given\n    b := 2\n  then\n    a + b = 3\n"
    game, found = load_text(HEAD + "state a: 0..9  §1\nstate b: 0..9  §1\n\n" + example + TAIL)
    assert game is not None, found
    assert "example e\n  a := 1\n  b := 2\n" in game_text(game)
