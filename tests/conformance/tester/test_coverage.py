"""The probed rules play like the engine, and chosen games exercise what there is."""

from __future__ import annotations

import pytest

from quarantia_checker.conform.coverage import planned
from quarantia_checker.conform.probing import Aim, Probes
from quarantia_checker.conform.reference import Reference
from quarantia_checker.conform.steering import Steering
from tests.engine.catalogue import HAND_BUILT, engine_of

LARGE = ("doge/3", "liguria/3", "the-doge-ship/2", "venice/3")
CASES = [
    *HAND_BUILT,
    "connectfour/2",
    "pig/2",
    *(pytest.param(case, marks=pytest.mark.slow) for case in LARGE),
]


@pytest.mark.parametrize("case", CASES)
def test_the_probed_rules_play_like_the_engine(case: str) -> None:
    reference = Reference(engine_of(case))
    probes = Probes(reference)
    for seed in range(2):
        steering = Steering(reference, seed)
        cells = reference.start
        for _ in range(80):
            actors = reference.actors(cells)
            legal = reference.legal(cells, actors)
            if not actors or not all(legal):
                break
            step = steering.choose(cells, actors, legal)
            after = reference.after(cells, step)
            assert probes.step(cells, step) == after
            cells = after
    assert any(probes.hits)


@pytest.mark.parametrize("case", ["nim/2", "pig/2"])
def test_everything_in_small_games_is_covered(case: str) -> None:
    covered = planned(Reference(engine_of(case)), seconds=20.0)
    assert covered.hit == covered.total
    assert covered.corpus


def test_what_cannot_be_is_told_from_what_was_not_reached() -> None:
    covered = planned(Reference(engine_of("tictactoe/2")), seconds=20.0)
    assert covered.hit >= covered.total - 3
    assert all(each.why for each in covered.missing)
    report = covered.as_json()
    assert report["targets"] == covered.total
    assert {aim for aim, _, _ in covered.by_aim} <= {aim.value for aim in Aim}
