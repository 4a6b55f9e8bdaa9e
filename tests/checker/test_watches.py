"""What a play is watched for can be worked out at the start of every game."""

from __future__ import annotations

import pytest

from quarantia_checker.catalogue import all_claims
from quarantia_checker.pauses import with_pauses
from quarantia_checker.plays import Explorer
from quarantia_checker.transition import System
from quarantia_engine.engine import compile_game
from quarantia_spec import pipeline


@pytest.mark.parametrize("name", ["nim", "doge"])
def test_every_watch_has_an_answer(name: str) -> None:
    game = pipeline.load_game(name)
    engine = compile_game(game, pipeline.load_data(name, game))
    claims = all_claims(System(with_pauses(game)), engine)
    watches = {n: each.watch for n, each in enumerate(claims) if each.watch is not None}
    explorer = Explorer(engine, watches)
    explorer.see(explorer.start(), tuple)
    assert set(explorer.open) | set(explorer.survey.hits) == set(watches)
