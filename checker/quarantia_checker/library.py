"""Plays kept for later: their moves, and the positions that they came to, packed tightly."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from quarantia_checker.transition import cell_sorts
from quarantia_spec.ir import Game

Cells = tuple[int, ...]

SMALL = 2**15 - 1


@dataclass(slots=True)
class Recorded:
    """One play by the engine's numbers of its moves; `positions` has one more than there are.

    `broken`: the last move could not be carried out.
    """

    numbers: list[int] = field(default_factory=list)
    positions: list[bytes] = field(default_factory=list)
    broken: bool = False


class Library:
    """Plays of one game, `most` positions of them at the most."""

    def __init__(self, game: Game, most: int) -> None:
        wide = any(not -SMALL <= sort.low <= sort.high <= SMALL for sort in cell_sorts(game))
        self._kind = "q" if wide else "h"
        self._most = most
        self.positions = 0
        self.plays: list[Recorded] = []

    @property
    def full(self) -> bool:
        return self.positions >= self._most

    def begin(self) -> None:
        self.plays.append(Recorded())

    def add(self, cells: Cells, number: int) -> None:
        """The next move of the play that was begun last."""
        self.plays[-1].numbers.append(number)
        self._keep(cells)

    def end(self, cells: Cells, status: int) -> None:
        """Where the play that was begun last has come to."""
        self.plays[-1].broken = status != 0
        self._keep(cells)

    def _keep(self, cells: Cells) -> None:
        self.plays[-1].positions.append(array(self._kind, cells).tobytes())
        self.positions += 1

    def position(self, play: Recorded, place: int) -> Cells:
        row = array(self._kind)
        row.frombytes(play.positions[place])
        return tuple(row)

    def by_distance(self) -> Iterator[tuple[Recorded, int]]:
        """Each recorded position, those after the fewest moves first."""
        longest = max((len(play.positions) for play in self.plays), default=0)
        for place in range(longest):
            for play in self.plays:
                if place < len(play.positions):
                    yield play, place

    def moves_to(self, play: Recorded, place: int) -> Sequence[int]:
        return play.numbers[:place]
