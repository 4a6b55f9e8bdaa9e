"""Players of many kinds for random games, so that such games come to unlike positions.

Choosing evenly among all moves, play hardly ever does what has few moves: where a piece can go to
seven places, staying out is one choice in eight. In most games here each seat therefore has likes
and dislikes of its own, which last for the game: among the rules, and among the names (places,
pieces, players) that moves mention. Every third game is played evenly.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeVar

from quarantia_engine.encoding import CHANCE
from quarantia_engine.engine import Engine
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_engine.randomness import following, pick, pick_weighted, scramble
from quarantia_spec.ir import Gather

Key = TypeVar("Key")

LIKINGS = (1, 8, 8, 64)
TASTES = (1, 4, 16)
SAMPLED = 6  # moves among which taste decides
EVEN_GAMES = 3


class Temperaments:
    """Chooses the moves of one random game, the same ones for the same seed."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine = engine
        self._state = scramble(seed)
        self._even = seed % EVEN_GAMES == 0
        self._likings: dict[tuple[int, str], int] = {}
        self._tastes: dict[tuple[int, str, int], int] = {}

    def choose(self, cells: Sequence[int], numbers: Sequence[int]) -> int:
        """One of the legal moves, of which there must be one."""
        program, data = self.engine.program, self.engine.data
        row = list(cells)
        self._state = following(self._state)
        acting = program.acting(row, data)
        if acting == CHANCE:
            weights = [program.weight(row, data, number) for number in numbers]
        elif self._even:
            return numbers[pick(self._state, len(numbers))]
        else:
            return self._liked(tuple(cells), acting, numbers)
        return numbers[pick_weighted(self._state, weights)]

    def _liked(self, cells: tuple[int, ...], acting: int, numbers: Sequence[int]) -> int:
        rows = sorted(numbers)
        kinds = [
            (liking, first, last)
            for kind, low, high in self._kinds(cells[0], acting)
            if (first := bisect_left(rows, low)) < (last := bisect_left(rows, high))
            for liking in (self._lasting(self._likings, kind, LIKINGS),)
        ]
        self._state = following(self._state)
        _, first, last = kinds[pick_weighted(self._state, [liking for liking, _, _ in kinds])]
        sample = [rows[first + self._below(last - first)] for _ in range(SAMPLED)]
        position = Position(self.engine, cells)
        to_act = position.to_act()
        weights = [self._taste(position.move_of(number, to_act)) for number in sample]
        self._state = following(self._state)
        return sample[pick_weighted(self._state, weights)]

    def _kinds(self, node: int, acting: int) -> list[tuple[tuple[int, str], int, int]]:
        """Who may move by which rule at a node, and from where to where such moves are numbered."""
        shapes = self.engine.shapes(node)
        everybody = isinstance(self.engine.game.nodes[node], Gather)
        span = sum(shape.span for shape in shapes)
        return [
            (
                (seat, shape.rule.name),
                shape.first + (seat * span if everybody else 0),
                shape.first + shape.span + (seat * span if everybody else 0),
            )
            for seat in (range(self.engine.game.players) if everybody else (acting,))
            for shape in shapes
        ]

    def _below(self, count: int) -> int:
        self._state = following(self._state)
        return pick(self._state, count)

    def _taste(self, move: Move) -> int:
        """How much the player likes the things that a move names; numbers are all alike."""
        sorts = {each.name: each.sort for each in self.engine.game.decision[move.name].choices}
        taste = 1
        for name, value in move.arguments:
            sort = sorts.get(name)
            if sort is not None and sort.names:
                thing = (move.player or 0, sort.names, value)
                taste *= self._lasting(self._tastes, thing, TASTES)
        return taste

    def _lasting(self, known: dict[Key, int], key: Key, values: Sequence[int]) -> int:
        """What was settled for the key when it first came up."""
        if key not in known:
            known[key] = values[self._below(len(values))]
        return known[key]
