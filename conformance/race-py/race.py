"""An engine of the race that `quarantia new` starts with, and how it is served.

It has its own words for players, moves and fields; `mapping.toml` says what they mean.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # where the adapter is

from adapter import Adapter, serve

GOAL = 10


class Race:
    """Two runners on a track; whoever lands on the goal exactly wins."""

    def new_game(self, players: Sequence[str], settings: Mapping[str, Any]) -> str | None:
        if len(players) != 2:
            return "the race is for two"
        self.names = list(players)
        self.track = [[0, 0]]  # all positions so far, the present one last
        return None

    @property
    def runner(self) -> int:
        """Whose turn it is."""
        return (len(self.track) - 1) % 2

    def to_act(self) -> list[str]:
        return [] if GOAL in self.track[-1] else [self.names[self.runner]]

    def legal(self) -> list[dict[str, Any]]:
        now, other = self.track[-1][self.runner], self.track[-1][1 - self.runner]
        return [
            {"player": name, "name": "run", "args": {"distance": distance}}
            for name in self.to_act()
            for distance in (1, 2)
            if now + distance <= GOAL and now + distance != other
        ]

    def apply(self, moves: Sequence[dict[str, Any]]) -> str | None:
        if len(moves) != 1 or moves[0] not in self.legal():
            return "this move is not legal"
        after = list(self.track[-1])
        after[self.runner] += moves[0]["args"]["distance"]
        self.track.append(after)
        return None

    def undo(self) -> str | None:
        self.track.pop()
        return None

    def state(self) -> dict[str, Any]:
        return {"space": dict(zip(self.names, self.track[-1], strict=True))}

    def view(self, seat: str) -> dict[str, Any]:
        return self.state()  # nothing is hidden

    def outcome(self) -> dict[str, Any] | None:
        if self.to_act():
            return None
        winner = self.names[self.track[-1].index(GOAL)]
        return {"winners": [winner], "scores": None}


ABOUT = {"engine": "race.py 1.0", "game": "sample", "players": [2]}


def adapted() -> Adapter:
    """For a tester in the same process: `--engine python:race:adapted`."""
    return Adapter(Race(), ABOUT)


if __name__ == "__main__":
    serve(Race(), ABOUT)
