"""Play that is steered: the solver names a position, the engine looks for a way to one like it.

What the solver names obeys everything that is known and shows what is looked for, but nobody knows
whether play can come to it. So positions that play has come to are kept by how far they are from
it; play goes on from the nearest ones, at random or greedily, and what it comes to is kept in turn.
Only the cells that matter count: see `lifting`.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from quarantia_checker.induction import Spoiler
from quarantia_checker.library import Library
from quarantia_checker.plays import Event, Explorer
from quarantia_checker.temperaments import Temperaments
from quarantia_checker.transition import cell_sorts
from quarantia_engine.engine import Engine
from quarantia_engine.moves import Move
from quarantia_engine.randomness import following, pick, scramble

Cells = tuple[int, ...]
Hit = Callable[[Cells, int, Event], bool]

KEPT = 48  # positions at one distance
LENGTHS = (2, 6, 20, 60, 200)  # moves of one attempt
TRIED = 4  # moves among which a greedy player chooses
EVERY_MOVE = 400  # moves that are all tried where play has come to the place


def steered(
    engine: Engine, spoiler: Spoiler | None, hit: Hit, moves: int, libraries: Sequence[Library]
) -> tuple[Move, ...] | None:
    """A play to a hit near the position named by the solver; None when it is not found."""
    aim = None if spoiler is None else aim_at(engine, spoiler)
    if aim is None:
        return None
    for each in (aim, aim.without_numbers()):
        found = Steering(engine, each, hit).search(moves // 2, libraries)
        if found is not None:
            return found
    return None


@dataclass(frozen=True, slots=True)
class Aim:
    """Values of the cells that matter, and the place in the flow unless play cannot stop there."""

    node: int | None
    wanted: tuple[tuple[int, int], ...]
    named: frozenset[int]  # cells whose values are names: they fit or they do not

    def without_numbers(self) -> Aim:
        """The same, however many there are of anything."""
        return replace(self, wanted=tuple(row for row in self.wanted if row[0] in self.named))


def aim_at(engine: Engine, spoiler: Spoiler) -> Aim | None:
    """What to steer for; None when the solver has named no place."""
    if spoiler.node is None or spoiler.relevant is None:
        return None
    sorts = cell_sorts(engine.game)
    cells = sorted(spoiler.relevant - {0})
    return Aim(
        spoiler.node if spoiler.node < len(engine.game.nodes) else None,
        tuple((cell, spoiler.cells[cell]) for cell in cells),
        frozenset(cell for cell in cells if sorts[cell].names or sorts[cell].size <= 2),
    )


@dataclass(frozen=True, slots=True)
class Stop:
    """A position on the way, and how play came to it."""

    cells: Cells
    before: Stop | None
    numbers: tuple[int, ...]

    def way(self) -> list[int]:
        rows: list[tuple[int, ...]] = []
        stop: Stop | None = self
        while stop is not None:
            rows.append(stop.numbers)
            stop = stop.before
        return [number for row in reversed(rows) for number in row]


@dataclass
class Steering:
    """Steers one game; `hit` says of a position, a move and what it led to whether that is it."""

    engine: Engine
    aim: Aim
    hit: Hit
    _stops: dict[int, list[Stop]] = field(default_factory=dict)
    _distances: list[int] = field(default_factory=list)
    _tried: set[Cells] = field(default_factory=set)
    _state: int = scramble(11)

    def __post_init__(self) -> None:
        self.explorer = Explorer(self.engine, {})

    def search(self, moves: int, libraries: Iterable[Library] = ()) -> tuple[Move, ...] | None:
        """The moves of a play that ends with a hit, after at most about so many have been made."""
        start = self.explorer.start()
        if start.status:
            return None
        self._keep(Stop(start.cells, None, ()))
        for library in libraries:
            self._borrow(library)
        made = attempt = 0
        while made < moves:
            attempt += 1
            stop = self._chosen()
            found, count = self._attempt(stop, attempt)
            made += count
            if found is not None:
                return self.explorer.moves_of(start.cells, found)
        return None

    # --- what is kept -----------------------------------------------------------------------------

    def distance(self, cells: Cells) -> int:
        """How far a position is from the aim."""
        total = 0 if self.aim.node in (None, cells[0]) else 1
        named = self.aim.named
        for cell, value in self.aim.wanted:
            gap = abs(cells[cell] - value)
            if gap:
                total += 1 if cell in named else gap
        return total

    def _keep(self, stop: Stop) -> None:
        distance = self.distance(stop.cells)
        stops = self._stops.get(distance)
        if stops is None:
            stops = self._stops[distance] = []
            insort(self._distances, distance)
        if len(stops) < KEPT:
            stops.append(stop)
        else:
            stops[self._below(KEPT)] = stop

    def _borrow(self, library: Library) -> None:
        """Keep the nearest of the positions that other plays have come to."""
        rows: list[tuple[int, int, int]] = []
        for number, play in enumerate(library.plays):
            for place in range(0, len(play.numbers), 3):
                rows.append((self.distance(library.position(play, place)), number, place))
        rows.sort()
        for _, number, place in rows[: 4 * KEPT]:
            play = library.plays[number]
            cells = library.position(play, place)
            self._keep(Stop(cells, None, tuple(play.numbers[:place])))

    def _chosen(self) -> Stop:
        """Mostly one of the nearest, now and then one farther away."""
        place = 0
        while place + 1 < len(self._distances) and self._below(2) == 0:
            place += 1
        stops = self._stops[self._distances[place]]
        return stops[self._below(len(stops))]

    def _below(self, count: int) -> int:
        self._state = following(self._state)
        return pick(self._state, count)

    # --- play -------------------------------------------------------------------------------------

    def _attempt(self, stop: Stop, attempt: int) -> tuple[list[int] | None, int]:
        """Some moves from a stop on: the whole way to a hit, if there is one, and their number."""
        temperaments = Temperaments(self.engine, attempt)
        greedy = self._below(2) == 0
        cells = stop.cells
        near = self.distance(cells)
        numbers: list[int] = []
        made = 0
        for _ in range(LENGTHS[self._below(len(LENGTHS))]):
            legal = self.explorer.moves(cells)
            if not legal:
                break
            if near <= self._distances[0] and cells not in self._tried:
                self._tried.add(cells)
                for number in legal[:EVERY_MOVE]:
                    made += 1
                    if self.hit(cells, number, self.explorer.step(cells, number)):
                        return [*stop.way(), *numbers, number], made
            number, event = self._choose(temperaments, cells, legal, greedy)
            made += 1
            if self.hit(cells, number, event):
                return [*stop.way(), *numbers, number], made
            if event.status:
                break
            numbers.append(number)
            cells = event.cells
            distance = self.distance(cells)
            if distance < near or (distance == near and self._below(8) == 0):
                stop = Stop(cells, stop, tuple(numbers))
                numbers = []
                self._keep(stop)
            near = min(near, distance) if greedy else distance
        return None, made

    def _choose(
        self, temperaments: Temperaments, cells: Cells, legal: Sequence[int], greedy: bool
    ) -> tuple[int, Event]:
        tries = [temperaments.choose(cells, legal)]
        if greedy:
            tries += [legal[self._below(len(legal))] for _ in range(TRIED - 1)]
        best: tuple[int, Event] | None = None
        nearest = 0
        for number in tries:
            event = self.explorer.step(cells, number)
            distance = self.distance(cells if event.status else event.cells)
            if best is None or distance < nearest:
                best, nearest = (number, event), distance
        assert best is not None
        return best
