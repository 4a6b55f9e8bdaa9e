"""The versions of the palace fragment play the same games."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from bench.palace import compiled, flat, idiomatic, proof

GAMES = 500
CHECKSUMS = {3: 862255452, 4: 348237792}


@pytest.mark.parametrize("players", CHECKSUMS)
def test_flat_python_gives_the_checksum(players: int) -> None:
    assert flat.play(players, GAMES) == CHECKSUMS[players]


@pytest.mark.slow
@pytest.mark.parametrize("players", CHECKSUMS)
def test_idiomatic_python_gives_the_checksum(players: int) -> None:
    assert idiomatic.play(players, GAMES) == CHECKSUMS[players]


@pytest.mark.parametrize("players", CHECKSUMS)
def test_idiomatic_and_flat_python_agree_on_a_few_games(players: int) -> None:
    assert idiomatic.play(players, 20) == flat.play(players, 20)


def test_c_gives_the_checksum(tmp_path: Path) -> None:
    program = compiled.build(tmp_path)
    if program is None:
        pytest.skip("no C compiler")
    for players, checksum in CHECKSUMS.items():
        assert compiled.play(program, players, GAMES)[0] == checksum


def test_checksums_are_those_of_the_definition() -> None:
    text = (Path(flat.__file__).parent / "README.md").read_text(encoding="utf-8")
    for checksum in CHECKSUMS.values():
        assert f"**{checksum}**" in text


@pytest.mark.parametrize("players", [3, 4])
def test_invariants_are_proved(players: int) -> None:
    assert proof.prove(players)


def test_a_free_palace_breaks_the_proof() -> None:
    def build_anywhere(before: proof.Position, player: z3.ArithRef) -> proof.Transition:
        guards, after = proof.build(before, player)
        return guards[:3], after  # without room and without payment

    assert not proof.prove(3, (proof.place, build_anywhere, proof.shift))
