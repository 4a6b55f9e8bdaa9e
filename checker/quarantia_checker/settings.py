"""How hard the checker tries, and which solver it uses: all that a verdict may depend on."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata


@dataclass(frozen=True, slots=True)
class Settings:
    """How hard to try. `timeout` is for one query of the solver, in seconds."""

    timeout: float = 20.0
    claim: float = 120.0  # seconds for the proof of one claim
    total: float = 600.0
    positions: int = 4000
    survey: float = 2.0
    games: int = 400
    longest: int = 400
    kept: int = 60_000  # positions of random games, among which readings are compared
    sampled: int = 60_000  # moves of games from which auxiliary facts are guessed
    sampled_longest: int = 8_000
    depth: int = 14
    search: float = 10.0  # seconds of bounded model checking for one open claim
    steered: int = 100_000  # moves of play steered to a position that the solver has named
    twins: int = 1_500_000  # moves of games played with the same numbers under two readings
    only: tuple[str, ...] = ()  # kinds of check; all when none is named
    deep_games: int = 200  # whole games, for goals and readings that are still open
    deep_longest: int = 1600
    deep: float = 150.0  # seconds to play them in


def solver_version() -> str:
    """The version of z3 that is installed, found without loading it."""
    return f"z3 {metadata.version('z3-solver')}"
