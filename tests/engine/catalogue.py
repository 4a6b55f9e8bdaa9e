"""Every game there is, for tests that hold for all of them: found, not listed."""

from __future__ import annotations

from functools import cache

from quarantia_engine import Engine, compile_game
from quarantia_spec.pipeline import game_names, load_data, load_game
from tests.engine.palaces import palaces
from tests.engine.small_games import auction, nim

HAND_BUILT = ("heap", "auction", "palaces-3")


def _cases() -> list[str]:
    found = list(HAND_BUILT)
    for name in game_names():
        found.extend(f"{name}/{players}" for players in load_game(name).player_counts)
    return found


CASES = _cases()


@cache
def engine_of(case: str) -> Engine:
    """The engine of a case: a game built by hand, or `name/players` (`game/variant/players`)."""
    match case:
        case "heap":
            return compile_game(nim())
        case "auction":
            return compile_game(auction(), {"bonus": (0, 1, 2)})
        case "palaces-3":
            return compile_game(palaces(3))
        case _:
            name, _, players = case.rpartition("/")
            game = load_game(name, int(players))
            return compile_game(game, load_data(name, game))
