"""Small games judged as `quarantia check` does it, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quarantia_checker.judge import Judge
from quarantia_checker.settings import Settings
from quarantia_checker.verdict import Kind, Result, Verdict
from quarantia_spec.diagnostics import RulesError
from quarantia_spec.ir import Game
from quarantia_spec.pipeline import load_text

QUICK = Settings(
    timeout=5,
    total=60,
    positions=400,
    survey=0.5,
    games=60,
    depth=6,
    search=3,
    deep=1,
    steered=3000,
    twins=3000,
)
BLIND = Settings(
    timeout=5,
    total=60,
    positions=1,
    survey=0,
    games=0,
    depth=0,
    search=0,
    deep_games=0,
    steered=0,
    twins=0,
)
"""Nothing but proof: no play is looked for that would refute what is false."""

HEAD = """game small "Small"

players 2 named ada, ben  §1

"""


def game_of(text: str, players: int | None = None, readings: Mapping[str, str] = {}) -> Game:
    """The game of a text; its first lines are added when it has none of its own."""
    whole = text if text.lstrip().startswith("game ") else HEAD + text.lstrip("\n")
    game, diagnostics = load_text(whole, players=players, readings=readings)
    if game is None:
        raise RulesError(diagnostics)
    return game


def judge_of(
    text: str, data: Mapping[str, Sequence[int]] | None = None, settings: Settings = QUICK
) -> Judge:
    return Judge(
        game_of(text), data or {}, lambda readings: game_of(text, readings=readings), settings
    )


def results_of(
    text: str, data: Mapping[str, Sequence[int]] | None = None, settings: Settings = QUICK
) -> list[Result]:
    """Everything the checker says of the game."""
    return judge_of(text, data, settings).run()


def only(results: Sequence[Result], kind: Kind, name: str = "") -> Result:
    """The one result of this kind whose name contains `name`."""
    found = [each for each in results if each.kind is kind and name in each.name]
    assert len(found) == 1, [(each.kind.value, each.name) for each in results]
    return found[0]


def verdict(results: Sequence[Result], kind: Kind, name: str = "") -> Verdict:
    return only(results, kind, name).verdict
