"""A shorter play that still shows what a long one shows.

Moves are left out, many at a time and then fewer, while what is left can be played and shows it.
What stands before the moves left out is not played again; where play comes back to a position
that it had come to with them, the rest need not be played either.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, Protocol, TypeVar

from quarantia_engine.moves import Move

State = TypeVar("State", bound=Hashable)


class Playable(Protocol[State]):
    """Something that moves can be made in."""

    def start(self) -> State:
        """Where play begins."""

    def after(self, state: State, move: Move) -> State | None:
        """What a move leads to; None when it cannot be made."""


class Shrinker(Generic[State]):
    """Shortens plays, such that `shows` is true of where they come to."""

    def __init__(self, playable: Playable[State], shows: Callable[[State], bool]) -> None:
        self._playable = playable
        self._shows = shows

    def shortened(
        self, moves: Sequence[Move], seconds: float = 10.0, tries: int = 4_000
    ) -> tuple[Move, ...]:
        """Fewer of the moves. Before: the moves can be made and show it."""
        deadline = time.monotonic() + seconds
        best = list(moves)
        states = self._states(best)
        if states is None or not self._shows(states[-1]):
            return tuple(moves)
        size = max(1, len(best) // 2)
        while size >= 1 and tries > 0:
            place, smaller = 0, False
            while place + size <= len(best) and tries > 0 and time.monotonic() < deadline:
                tries -= 1
                tail = self._without(best, states, place, size)
                if tail is None:
                    place += 1
                    continue
                kept, fresh = tail
                best = [*best[:place], *kept]
                states = [*states[: place + 1], *fresh]
                smaller = True
            if not smaller:
                size //= 2
        return tuple(best)

    def _states(self, moves: Sequence[Move]) -> list[State] | None:
        states = [self._playable.start()]
        for move in moves:
            after = self._playable.after(states[-1], move)
            if after is None:
                return None
            states.append(after)
        return states

    def _without(
        self, moves: Sequence[Move], states: Sequence[State], place: int, size: int
    ) -> tuple[list[Move], list[State]] | None:
        """The moves and positions from `place` on when so many are left out; None: impossible."""
        state = states[place]
        kept = list(moves[place + size :])
        fresh: list[State] = []
        for count, move in enumerate(kept):
            if state == states[place + size + count]:
                return kept, [*fresh, *states[place + size + count + 1 :]]
            after = self._playable.after(state, move)
            if after is None:
                return None
            state = after
            fresh.append(state)
            if count + 1 < len(kept) and self._shows(state):
                return kept[: count + 1], fresh
        return (kept, fresh) if self._shows(state) else None
