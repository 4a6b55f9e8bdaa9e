"""Digests are those of what is said in full; names go through the mapping and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarantia_checker.commands import UsageError
from quarantia_checker.conform.mapping import SAME_NAMES, Mapped, check_mapping, read_mapping
from quarantia_checker.conform.protocol import MODULUS, hashed, leaves, move_text, scalar_text
from quarantia_checker.conform.reference import Reference
from quarantia_checker.conform.steering import Steering
from quarantia_checker.conform.vocabulary import Vocabulary
from tests.engine.catalogue import engine_of

CASES = ("heap", "auction", "palaces-3", "connectfour/2", "doge/3", "liguria/3", "pig/2")

DOGE = Mapped(
    players={"red": "R"},
    moves={"bid": "vote"},
    arguments={("bid", "q"): "where"},
    values={"DogePalace": "palace"},
    fields={"site.house": "board.houses"},
    left_out=frozenset({"wants"}),
)


def digest(state: object) -> int:
    texts = [f"{path}={scalar_text(leaf)}" for path, leaf in leaves(state) if leaf is not None]
    return sum(map(hashed, texts)) % MODULUS


@pytest.mark.parametrize(
    ("case", "mapped"), [*((case, SAME_NAMES) for case in CASES), ("doge/3", DOGE)]
)
def test_digests_are_those_of_the_whole(case: str, mapped: Mapped) -> None:
    reference = Reference(engine_of(case))
    words = Vocabulary(reference, mapped)
    steering = Steering(reference, 5)
    cells = reference.start
    for _ in range(12):
        actors = reference.actors(cells)
        legal = reference.legal(cells, actors)
        assert words.state_digest(cells) == digest(words.state_json(cells))
        mask = reference.visible(cells, 0)
        assert words.view_digest(cells, mask) == digest(words.state_json(cells, mask))
        moves = words.legal_json(cells)
        total = sum(hashed(move_text(m["player"], m["name"], m["args"])) for m in moves)
        assert words.legal_digest(cells, actors, legal) == total % MODULUS
        again = [words.read_move(move) for move in moves]
        assert again == reference.position(cells).legal_moves()
        if not actors or not all(legal):
            break
        cells = reference.after(cells, steering.choose(cells, actors, legal))


def test_the_engine_s_names_are_used() -> None:
    reference = Reference(engine_of("doge/3"))
    words = Vocabulary(reference, DOGE)
    state = words.state_json(reference.start)
    assert "wants" not in state
    assert state["board.houses"]["palace"]["R"] == 0
    assert words.left_out == ("wants",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[move]\n", "did you mean [moves]?"),
        ('[players]\nredd = "R"\n', "did you mean `red`?"),
        ('[moves.bid]\nargs = { qq = "where" }\n', "no argument of `bid` `qq`"),
        ('[players]\nred = "blue"\n', "stands for `blue` and for `red`"),
        ("[fields]\nturned = 7\n", "must be a text"),
        ("[fields\n", "is not TOML"),
    ],
)
def test_a_wrong_mapping_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "mapping.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        check_mapping(read_mapping(str(path)), engine_of("doge/3").game, str(path))
    assert told in f"{caught.value} {caught.value.help}"
