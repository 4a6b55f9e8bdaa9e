"""Quarantia's side: random playouts by generated code, and where the cells of a position lie."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from quarantia_engine import Engine, open_game
from quarantia_engine.randomness import scramble

PALACE = Path(__file__).parent / "palace" / "palace.rules"
PALACE_STEPS = 200
NO_LIMIT = 1_000_000


class PlayoutError(Exception):
    """A playout did not come to its end."""


class Playouts:
    """Random games in plain CPython, game number n with seed n."""

    def __init__(self, engine: Engine, limit: int = NO_LIMIT) -> None:
        self.engine = engine
        self.limit = limit

    def play(self, games: int) -> tuple[float, int]:
        """The seconds and the steps that the games took."""
        engine, limit = self.engine, self.limit
        program, data, buffer = engine.program, engine.data, engine.buffer()
        cells = [0] * engine.game.cells
        total = 0
        program.initial(cells, data)
        program.advance(cells, data)
        play = program.play_on if program.trusted(cells, data) else program.playout
        start = time.perf_counter()
        for seed in range(games):
            program.initial(cells, data)
            program.advance(cells, data)
            steps, _, status = play(cells, data, buffer, scramble(seed), limit)
            if status > 0:
                raise PlayoutError(f"{engine!r}, seed {seed}: status {status}")
            total += steps
        return time.perf_counter() - start, total

    def processor_time(self, games: int) -> float:
        """The seconds that the processor spent on the games."""
        start = time.process_time()
        self.play(games)
        return time.process_time() - start

    def final_cells(self, seed: int) -> list[int]:
        """The cells at the end of one game."""
        engine = self.engine
        cells = [0] * engine.game.cells
        engine.program.initial(cells, engine.data)
        engine.program.advance(cells, engine.data)
        engine.program.playout(cells, engine.data, engine.buffer(), scramble(seed), self.limit)
        return cells


def palace_engine(players: int) -> Engine:
    return open_game(str(PALACE), players)


def palace_order(engine: Engine) -> list[int]:
    """The cells of a position in the order in which the checksum of the palaces folds them."""
    game = engine.game
    seats, districts = range(game.players), range(len(game.enumerations["District"]))

    def cell(variable: str, *indices: int) -> int:
        found = game.variable[variable]
        return found.offset + sum(a * b for a, b in zip(indices, found.strides, strict=True))

    order: list[int] = []
    for kind in ("house", "palace"):
        order += [cell(f"supply.{kind}", seat) for seat in seats]
        order += [
            cell(f"site.{kind}", district, seat) for district, seat in product(districts, seats)
        ]
    return order


def fold(checksum: int, cells: Sequence[int], order: Sequence[int]) -> int:
    for cell in order:
        checksum = (checksum * 1000003 + cells[cell]) & 0xFFFFFFFF
    return checksum


def palace_checksum(playouts: Playouts, games: int) -> int:
    order = palace_order(playouts.engine)
    checksum = 0
    for seed in range(games):
        checksum = fold(checksum, playouts.final_cells(seed), order)
    return checksum
