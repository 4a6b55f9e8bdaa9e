"""A third opinion: all positions that play can reach, searched, against what was proved.

Of a small game every claim can be decided by looking at all of its positions. Whatever is proved
must be true in each of them, and whatever is refuted must be false in one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

import pytest

from quarantia_checker.catalogue import all_claims
from quarantia_checker.judge import Judge
from quarantia_checker.plays import Explorer
from quarantia_checker.transition import System
from quarantia_checker.verdict import Kind, Result, Verdict
from quarantia_engine.engine import Engine, compile_game
from quarantia_spec.ir import Game
from quarantia_spec.pipeline import games_folder, load_text
from tests.checker.judging import BLIND, HEAD
from tests.checker.nasty import NASTY

MOST_POSITIONS = 60_000

# Games of the catalogue, made small enough to be searched: what is replaced by what.
SHRUNKEN: Mapping[str, Sequence[tuple[str, str]]] = {
    "nim": (),
    "tictactoe": (),
    "pig": ((r"\b100\b", "9"), (r"\b1?[0-9]{3}\b", "15"), (r"\b99\b", "8"), (r"\b94\b", "3")),
}


def shrunken(name: str) -> str:
    text = (games_folder() / name / f"{name}.rules").read_text(encoding="utf-8")
    for pattern, small in SHRUNKEN[name]:
        text = re.sub(pattern, small, text)
    return re.sub(r"\nexample .*?(?=\n\S|\Z)", "\n", text, flags=re.DOTALL)


def loaded(text: str, readings: Mapping[str, str] = {}) -> Game:
    whole = text if text.startswith(("game ", "#")) else HEAD + text
    game, diagnostics = load_text(whole, readings=readings)
    assert game is not None, diagnostics
    return game


def sources() -> dict[str, tuple[str, Mapping[str, Sequence[int]]]]:
    found: dict[str, tuple[str, Mapping[str, Sequence[int]]]] = {
        f"nasty: {each.name}": (each.rules, each.data) for each in NASTY
    }
    found |= {name: (shrunken(name), {}) for name in SHRUNKEN}
    return found


SOURCES = sources()


@cache
def searched(case: str) -> tuple[Engine, dict[tuple[Kind, str, str], bool], int]:
    """Which claims some play refutes (or, for goals, reaches), after a search of everything."""
    text, data = SOURCES[case]
    engine = compile_game(loaded(text), data)
    claims = all_claims(System(engine.game), engine)
    watches = {place: each.watch for place, each in enumerate(claims) if each.watch is not None}
    explorer = Explorer(engine, watches)
    explorer.breadth_first(MOST_POSITIONS, 120)
    assert explorer.survey.complete, "too large to be searched"
    shown: dict[tuple[Kind, str, str], bool] = {}
    for place, claim in enumerate(claims):
        if place in watches:
            key = (claim.kind, claim.name, str(claim.origin.span))
            shown[key] = shown.get(key, False) or place in explorer.survey.hits
    return engine, shown, explorer.survey.positions


def contradiction(result: Result, shown: Mapping[tuple[Kind, str, str], bool]) -> bool:
    """The verdict says one thing and the search another."""
    found = shown.get((result.kind, result.name, str(result.origin.span)))
    if found is None:
        return False
    goal = result.kind in (Kind.REACHABLE, Kind.VACUITY)
    match result.verdict:
        case Verdict.PROVED:
            return found
        case Verdict.REFUTED:
            return found if goal else not found
        case Verdict.HOLDS:
            return not found
        case Verdict.FAILS | Verdict.UNSETTLED:
            return False


@pytest.mark.parametrize("case", SOURCES)
def test_what_is_proved_is_true_of_every_position(case: str) -> None:
    text, data = SOURCES[case]
    engine, shown, positions = searched(case)
    assert positions > 2
    # The judge looks at hardly any play, so that it has to prove, or to admit that it cannot.
    results = Judge(engine.game, data, lambda readings: loaded(text, readings), BLIND).run()
    assert [each for each in results if contradiction(each, shown)] == []


def test_the_search_shows_what_is_false() -> None:
    for case in NASTY:
        _, shown, _ = searched(f"nasty: {case.name}")
        if "invariant wrong" in case.text:
            assert any(hit for (kind, name, _), hit in shown.items() if name == "wrong"), case.name


def test_a_verdict_against_the_search_is_a_contradiction() -> None:
    engine, shown, _ = searched("nim")
    key = next(key for key in shown if key[0] is Kind.INVARIANT)
    (stated,) = [each for each in engine.game.properties if each.name == key[1]]
    result = Result(Kind.INVARIANT, key[1], 2, Verdict.PROVED, stated.origin)
    assert not contradiction(result, shown)
    assert contradiction(result, {**shown, key: True})
