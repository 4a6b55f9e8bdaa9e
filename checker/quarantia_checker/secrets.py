"""Two plays that look alike to the player to choose, who yet may do different things."""

from __future__ import annotations

from dataclasses import dataclass

from quarantia_checker.plays import Cells, Explorer
from quarantia_engine.engine import Engine
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_engine.randomness import following, pick, scramble

GAMES = 300
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Pair:
    first: tuple[Move, ...]
    second: tuple[Move, ...]
    told: str


def tell_apart(engine: Engine, node: int | None) -> Pair | None:
    """Plays to `node`, from random games, after which one view allows two sets of choices."""
    explorer = Explorer(engine, {})
    start = explorer.start()
    seen: dict[tuple[object, ...], tuple[frozenset[Move], tuple[int, ...]]] = {}
    for game in range(GAMES):
        state = scramble(5_000 + game)
        event = start
        numbers: list[int] = []
        while not event.status and len(numbers) < LONGEST:
            cells = event.cells
            if cells[0] == node:
                for seat in explorer.seats(cells):
                    view = (seat, *_view(engine, cells, seat))
                    position = Position(engine, cells)
                    legal = frozenset(position.legal_moves(seat))
                    before = seen.setdefault(view, (legal, tuple(numbers)))
                    if before[0] != legal:
                        return Pair(
                            explorer.moves_of(start.cells, before[1]),
                            explorer.moves_of(start.cells, numbers),
                            _told(engine, seat, before[0] ^ legal),
                        )
            moves = explorer.moves(cells)
            if not moves:
                break
            state = following(state)
            numbers.append(moves[pick(state, len(moves))])
            event = explorer.step(cells, numbers[-1])
    return None


def _view(engine: Engine, cells: Cells, seat: int) -> tuple[object, ...]:
    position = Position(engine, cells)
    visible = position.visible(seat)
    shown = repr(position.view(seat)["terms"])
    return (shown, *(cell if seen else None for cell, seen in zip(cells, visible, strict=True)))


def _told(engine: Engine, seat: int, moves: frozenset[Move]) -> str:
    move = min(moves, key=str)
    return (
        f"{engine.player_name(seat)} sees the same after both plays, "
        f"but {engine.move_to_text(move)} is legal after only one of them"
    )
