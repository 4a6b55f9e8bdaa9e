"""Plays by the engine: to learn what positions there are, and to find one that refutes a claim.

`survey` looks at positions near the start in order of distance, so that what it finds is found by
a shortest play, then plays at random. A `Play` is the moves from the start; every hit has been
played by the engine by construction.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from quarantia_checker.claims import BadPosition, BrokenDuty, Circles, DeadEnd, Watch
from quarantia_checker.library import Library
from quarantia_checker.shrinking import Shrinker
from quarantia_checker.temperaments import Temperaments
from quarantia_engine.codegen import ENDLESS, OVER
from quarantia_engine.engine import Engine
from quarantia_engine.generated import Obligation
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_engine.randomness import following, pick, scramble
from quarantia_spec.ir import Gather, Oblige
from quarantia_spec.source import Origin

Cells = tuple[int, ...]
SAMPLES_PER_NODE = 300
STEPS_PER_WAY = 60
MOST_SEEN = 50_000


@dataclass(frozen=True, slots=True)
class Event:
    """Where a play has come to: a stable position, or a move that could not be carried out.

    `status` is 0 or the status of the engine for the last move; `cells` are then those before it.
    """

    cells: Cells
    status: int = 0


@dataclass(slots=True)
class Survey:
    """What was seen. `complete` says that these are all the positions that play can reach."""

    samples: dict[int, list[Cells]] = field(default_factory=dict)
    rules: set[tuple[int, str]] = field(default_factory=set)  # taken: at which node, which rule
    hits: dict[int, tuple[Move, ...]] = field(default_factory=dict)
    plays: list[tuple[int, ...]] = field(default_factory=list)  # random games, by number of move
    steps: dict[tuple[int, int], list[tuple[Cells, Cells]]] = field(
        default_factory=dict
    )  # by nodes
    positions: int = 0
    complete: bool = False


class Explorer:
    """Plays one game. `watches` are looked for by number until each has been hit.

    Random games are kept in the `library`, if there is one, until it is full.
    """

    def __init__(
        self, engine: Engine, watches: Mapping[int, Watch], library: Library | None = None
    ) -> None:
        self.engine = engine
        self.library = library
        self.program = engine.program
        self.data = engine.data
        self.open = dict(watches)
        self.survey = Survey()
        self._kept: dict[int, set[Cells]] = {}
        self._state = scramble(3)

    # --- the engine's own numbers -----------------------------------------------------------

    def start(self) -> Event:
        cells = self.engine.first_cells()
        before = tuple(cells)
        status = self.program.advance(cells, self.data)
        return Event(before, status) if status else Event(tuple(cells))

    def moves(self, cells: Cells) -> list[int]:
        """Legal moves of all who are to act; none where the conditions have no meaning."""
        numbers: list[int] = []
        for seat in self.seats(cells):
            numbers.extend(self._legal(cells, seat) or ())
        return numbers

    def _legal(self, cells: Cells, seat: int) -> list[int] | None:
        """The legal moves of one; None when a condition has no meaning (see `meanings`)."""
        buffer = self.engine.buffer()
        try:
            count = self.program.legal(list(cells), self.data, buffer, seat)
        except (IndexError, ZeroDivisionError):
            return None
        return buffer[:count]

    def permits(self, cells: Cells, number: int) -> bool:
        """Whether somebody who is to act may make the move; no where that has no meaning."""
        try:
            return Position(self.engine, cells).permits(number)
        except (IndexError, ZeroDivisionError):
            return False

    def seats(self, cells: Cells) -> tuple[int, ...]:
        acting = self.program.acting(list(cells), self.data)
        if acting == OVER:
            return ()
        node = self.engine.game.nodes[cells[0]]
        if isinstance(node, Gather):
            return Position(self.engine, cells).to_act().players
        return (max(acting, 0),)

    def step(self, cells: Cells, number: int) -> Event:
        row = list(cells)
        status = self.program.apply(row, self.data, number)
        return Event(cells, status) if status else Event(tuple(row))

    # --- seeing -----------------------------------------------------------------------------

    def see(self, event: Event, play: Callable[[], tuple[Move, ...]]) -> None:
        """Keep the position as a sample and note which watches it satisfies."""
        if not event.status:
            self._sample(event.cells)
        for key in [key for key, watch in self.open.items() if self.matches(watch, event)]:
            self.survey.hits[key] = play()
            del self.open[key]

    def matches(self, watch: Watch, event: Event) -> bool:
        match watch:
            case BadPosition(bad=bad):
                try:
                    return not event.status and bad(event.cells)
                except (IndexError, ZeroDivisionError):
                    return False  # it has no meaning here, which `meanings` reports
            case BrokenDuty(statement=statement):
                return event.status > 0 and _is(
                    self.program.obligations[event.status - 1], statement
                )
            case DeadEnd(node=node):
                return (
                    not event.status and event.cells[0] == node and self._without_move(event.cells)
                )
            case Circles():
                return event.status == ENDLESS
            case _:
                assert_never(watch)

    def shown_in(self, library: Library, watch: Watch) -> tuple[Move, ...] | None:
        """A recorded play that satisfies the watch, after as few moves as possible."""
        for play, place in library.by_distance():
            last = place == len(play.numbers)
            cells = library.position(play, place)
            broken = play.broken and place + 1 == len(play.numbers)
            event = self.step(cells, play.numbers[place]) if broken else Event(cells)
            if not (last and play.broken) and self.matches(watch, event):
                first = self.start().cells
                return self.moves_of(first, play.numbers[: place + broken])
        return None

    def _without_move(self, cells: Cells) -> bool:
        return any(self._legal(cells, seat) == [] for seat in self.seats(cells))

    def _sample(self, cells: Cells) -> None:
        """Reservoir sampling: in the end every position seen is as likely to be kept."""
        kept = self._kept.setdefault(cells[0], set())
        if cells in kept or len(kept) >= MOST_SEEN:
            return
        kept.add(cells)
        rows = self.survey.samples.setdefault(cells[0], [])
        if len(rows) < SAMPLES_PER_NODE:
            rows.append(cells)
            return
        self._state = following(self._state)
        place = pick(self._state, len(kept))
        if place < SAMPLES_PER_NODE:
            rows[place] = cells

    def moves_of(self, start: Cells, numbers: Sequence[int]) -> tuple[Move, ...]:
        """The moves behind the numbers of a play from `start`."""
        moves: list[Move] = []
        cells = start
        for number in numbers:
            moves.append(Position(self.engine, cells).move_of(number))
            cells = self.step(cells, number).cells
        return tuple(moves)

    def _note_rule(self, cells: Cells, number: int) -> None:
        shapes = self.engine.shapes(cells[0])
        if isinstance(self.engine.game.nodes[cells[0]], Gather):
            number %= sum(shape.span for shape in shapes)
        for shape in shapes:
            if shape.first <= number < shape.first + shape.span:
                self.survey.rules.add((cells[0], shape.rule.name))

    # --- searching --------------------------------------------------------------------------

    def breadth_first(self, positions: int, seconds: float) -> None:
        """All positions, nearest first, until there are this many or so much work is done."""
        deadline = time.process_time() + seconds
        first = self.start()
        parents: dict[Cells, tuple[Cells, int] | None] = {}

        def play_to(cells: Cells, last: int | None = None) -> tuple[Move, ...]:
            numbers = [] if last is None else [last]
            at = cells
            while (link := parents[at]) is not None:
                at, number = link
                numbers.append(number)
            return self.moves_of(at, numbers[::-1])

        if first.status:
            self.see(first, tuple)
            return
        parents[first.cells] = None
        self.see(first, tuple)
        queue = deque([first.cells])
        while queue:
            if len(parents) > positions or time.process_time() > deadline:
                self.survey.positions = max(self.survey.positions, len(parents))
                return
            cells = queue.popleft()
            for number in self.moves(cells):
                self._note_rule(cells, number)
                event = self.step(cells, number)
                if event.status:
                    self.see(event, lambda at=cells, last=number: play_to(at, last))  # type: ignore[misc]
                elif event.cells not in parents:
                    parents[event.cells] = (cells, number)
                    self.see(event, lambda at=event.cells: play_to(at))  # type: ignore[misc]
                    queue.append(event.cells)
        self.survey.positions = len(parents)
        self.survey.complete = True

    def at_random(
        self, games: int, longest: int, seconds: float, seed: int = 1, most: int = 10**9
    ) -> None:
        """Random games, each of at most `longest` moves, about `most` moves in all."""
        deadline = time.process_time() + seconds
        moves = 0
        for game in range(games):
            if time.process_time() > deadline or moves > most:
                return
            if self.library is not None and self.library.full and not self.open:
                return  # nobody has any use for more
            self.survey.plays.append(self._random_game(seed * 1_000_003 + game, longest))
            moves += len(self.survey.plays[-1])

    def _random_game(self, seed: int, longest: int) -> tuple[int, ...]:
        event = self.start()
        start = event.cells
        numbers: list[int] = []
        temperaments = Temperaments(self.engine, seed)
        library = None if self.library is None or self.library.full else self.library
        if library is not None:
            library.begin()
        while True:
            self.see(event, lambda: self.moves_of(start, numbers))
            cells = event.cells
            legal = [] if event.status else self.moves(cells)
            if not legal or len(numbers) >= longest:
                if library is not None:
                    library.end(cells, event.status)
                return tuple(numbers)
            number = temperaments.choose(cells, legal)
            self._note_rule(cells, number)
            numbers.append(number)
            if library is not None:
                library.add(cells, number)
            event = self.step(cells, number)
            rows = self.survey.steps.setdefault((cells[0], event.cells[0]), [])
            if len(rows) < STEPS_PER_WAY and not event.status:
                rows.append((cells, event.cells))


def _is(obligation: Obligation, statement: Oblige) -> bool:
    return (
        obligation.duty is statement.duty
        and obligation.message == statement.message
        # A compiled program may come from a copy of the rules in another file.
        and _place(obligation.origin) == _place(statement.origin)
    )


def _place(origin: Origin) -> tuple[int, int]:
    return origin.span.line, origin.span.column


class Replayer:
    """Makes given moves in one game, illegal ones refused; `Event`s are its positions."""

    def __init__(self, engine: Engine) -> None:
        self.explorer = Explorer(engine, {})
        self._numbers: dict[tuple[int, Move], int | None] = {}

    def start(self) -> Event:
        return self.explorer.start()

    def number(self, cells: Cells, move: Move) -> int | None:
        """The number of a legal move; None when it is not legal."""
        key = (cells[0], move)
        position = Position(self.explorer.engine, cells)
        if key not in self._numbers:
            found = position.number_of(move)
            if move.arguments != _choices(self.explorer.engine, cells[0], move):
                return found if found is not None and position.is_legal(move) else None
            self._numbers[key] = found
        number = self._numbers[key]
        if number is None or not self._turn(position, move):
            return None
        try:
            return number if position.permits(number) else None
        except (IndexError, ZeroDivisionError):
            return None

    def _turn(self, position: Position, move: Move) -> bool:
        to_act = position.to_act()
        return to_act.chance if move.player is None else move.player in to_act.players

    def after(self, event: Event, move: Move) -> Event | None:
        """Where the move leads, even if it cannot be carried out; None when it is illegal."""
        if event.status:
            return None
        number = self.number(event.cells, move)
        return None if number is None else self.explorer.step(event.cells, number)


def _choices(engine: Engine, node: int, move: Move) -> tuple[tuple[str, int], ...]:
    """The arguments of a move that are choices: its number depends on nothing else."""
    for shape in engine.shapes(node):
        if shape.rule.name == move.name:
            names = {choice.name for choice in shape.rule.choices}
            return tuple(row for row in move.arguments if row[0] in names)
    return ()


def replay(engine: Engine, moves: Sequence[Move]) -> list[Event] | None:
    """Where the play stands after each move, the start included; None when a move is illegal.

    Only the last move may fail to be carried out.
    """
    replayer = Replayer(engine)
    events = [replayer.start()]
    for move in moves:
        after = replayer.after(events[-1], move)
        if after is None:
            return None
        events.append(after)
    return events


def numbers_of(engine: Engine, moves: Sequence[Move]) -> tuple[int, ...] | None:
    """The engine's numbers of the moves of a play; None when one is illegal."""
    replayer = Replayer(engine)
    event = replayer.start()
    numbers: list[int] = []
    for move in moves:
        number = None if event.status else replayer.number(event.cells, move)
        if number is None:
            return None
        numbers.append(number)
        event = replayer.explorer.step(event.cells, number)
    return tuple(numbers)


def moves_behind(engine: Engine, numbers: Sequence[int]) -> tuple[Move, ...] | None:
    """The moves that these numbers stand for from the start; None when one is illegal."""
    explorer = Explorer(engine, {})
    event = explorer.start()
    moves: list[Move] = []
    for number in numbers:
        if event.status or number < 0 or not explorer.permits(event.cells, number):
            return None
        moves.append(Position(engine, event.cells).move_of(number))
        event = explorer.step(event.cells, number)
    return tuple(moves)


def shrink(engine: Engine, moves: Sequence[Move], watch: Watch) -> tuple[Move, ...]:
    """A shorter play that still ends where the watch is satisfied."""
    replayer = Replayer(engine)
    shows = replayer.explorer.matches
    return Shrinker(replayer, lambda event: shows(watch, event)).shortened(moves)


def shows_watch(engine: Engine, watch: Watch) -> Callable[[Sequence[Event]], bool]:
    """Whether a play ends where the watch is satisfied."""
    explorer = Explorer(engine, {})
    return lambda events: explorer.matches(watch, events[-1])
