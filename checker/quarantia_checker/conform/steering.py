"""Random games that come to unlike positions, made fast. Read `Steering.play`.

Choosing evenly among all moves, play hardly ever does what has few moves. In two of three games
each seat therefore has a liking for some rules over others that lasts for the game; chance too.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence

from quarantia_checker.conform.reference import Cells, Reference, Step
from quarantia_engine.encoding import CHANCE
from quarantia_spec.ir import Gather

LIKINGS = (1, 8, 8, 64)
EXTREMES = 4  # one in so many choices is the first or the last of its kind


class Steering:
    """The player of all seats in one game; the same for the same seed."""

    def __init__(self, reference: Reference, seed: int) -> None:
        self._reference = reference
        self._random = random.Random(seed)
        self._even = seed % 3 == 0
        self._likings: dict[tuple[int, str], int] = {}
        self._extreme = seed % 3 == 1

    def choose(self, cells: Cells, actors: Sequence[int], legal: Sequence[list[int]]) -> Step:
        """A step from legal moves, of which each actor must have one."""
        return tuple(
            self._one(cells, actor, numbers) for actor, numbers in zip(actors, legal, strict=True)
        )

    def _one(self, cells: Cells, actor: int, numbers: list[int]) -> int:
        below = self._random.random
        if len(numbers) == 1:
            return numbers[0]
        shapes = self._reference.engine.shapes(cells[0])
        if self._even or actor == CHANCE or len(shapes) == 1:
            first, last = 0, len(numbers)
        else:
            numbers = sorted(numbers)
            base = 0
            if isinstance(self._reference.engine.game.nodes[cells[0]], Gather):
                base = actor * sum(shape.span for shape in shapes)
            kinds: list[tuple[int, int]] = []
            weights: list[int] = []
            for shape in shapes:
                low = bisect_left(numbers, base + shape.first)
                high = bisect_left(numbers, base + shape.first + shape.span)
                if low < high:
                    key = (actor, shape.rule.name)
                    if key not in self._likings:
                        self._likings[key] = self._random.choice(LIKINGS)
                    kinds.append((low, high))
                    weights.append(self._likings[key])
            first, last = self._random.choices(kinds, weights)[0]
        if self._extreme and below() * EXTREMES < 1:
            return numbers[first if below() < 0.5 else last - 1]
        return numbers[first + int(below() * (last - first))]
