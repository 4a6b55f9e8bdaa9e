"""Many random games, tallied: lengths, scores, winners, what fired, and what went wrong.

`Simulator.play` plays the games of some seeds and returns a `Tally`; tallies add up, so the work
can be split in any way. `retrace` plays one of the games again, move by move.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from quarantia_engine.board import Board
from quarantia_engine.encoding import ENDLESS, LIMIT, STUCK
from quarantia_engine.engine import Engine
from quarantia_engine.errors import BrokenRule
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_engine.program import load_program
from quarantia_engine.randomness import scramble
from quarantia_spec.ir import Decide, Gather, Toss
from quarantia_spec.source import NOWHERE, Origin

NO_MEANING = -100  # the status of a game that asked for something that is not there


class Trouble(Enum):
    """What a game can run into that no game should."""

    BROKEN = "broken obligation"
    DEAD_END = "dead end"
    ENDLESS = "endless flow"
    NO_MEANING = "no meaning"


@dataclass(slots=True)
class Found:
    """Games that stopped with one status at one node: how many, and the shortest of them."""

    games: int
    seed: int
    moves: int

    def add(self, other: Found) -> None:
        self.games += other.games
        if (other.moves, other.seed) < (self.moves, self.seed):
            self.seed, self.moves = other.seed, other.moves


@dataclass(slots=True)
class Tally:
    """The sum of some games. Lists go by seat; `counts` goes by the counters of the program."""

    players: int
    counts: list[int]
    games: int = 0
    limited: int = 0
    finished: int = 0
    lengths: Multiset[int] = field(default_factory=Multiset)
    scores: list[Multiset[int]] = field(default_factory=list)
    won: list[int] = field(default_factory=list)
    alone: list[int] = field(default_factory=list)
    undecided: int = 0
    troubles: dict[tuple[int, int], Found] = field(default_factory=dict)  # by status and node

    def __post_init__(self) -> None:
        self.scores = self.scores or [Multiset() for _ in range(self.players)]
        self.won = self.won or [0] * self.players
        self.alone = self.alone or [0] * self.players

    def add(self, other: Tally) -> None:
        """Takes in the games of another tally of the same game."""
        self.games += other.games
        self.limited += other.limited
        self.finished += other.finished
        self.undecided += other.undecided
        self.lengths += other.lengths
        for seat in range(self.players):
            self.scores[seat] += other.scores[seat]
            self.won[seat] += other.won[seat]
            self.alone[seat] += other.alone[seat]
        self.counts = [mine + more for mine, more in zip(self.counts, other.counts, strict=True)]
        for key, found in other.troubles.items():
            if key in self.troubles:
                self.troubles[key].add(found)
            else:
                self.troubles[key] = found


class Simulator:
    """Plays random games of one engine; game number n has seed n and is always the same."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.program = load_program(engine.game, engine.fingerprint, counted=True)
        self.counters = self.program.counters
        self._first = [*engine.first_cells(), *[0] * len(self.counters)]

    def empty(self) -> Tally:
        """The tally of no games."""
        return Tally(self.engine.game.players, [0] * len(self.counters))

    def play(self, seeds: Iterable[int], limit: int) -> Tally:
        """The games of these seeds, each cut off after `limit` moves."""
        tally = self.empty()
        engine, program = self.engine, self.program
        own = engine.game.cells
        for seed in seeds:
            cells = self._first[:]
            steps = 0
            try:
                status = program.advance(cells, engine.data)
                if not status:
                    steps, _, status = program.playout(
                        cells, engine.data, engine.buffer(), scramble(seed), limit
                    )
            except (IndexError, ZeroDivisionError):
                status = NO_MEANING
            tally.games += 1
            counts = zip(tally.counts, cells[own:], strict=True)
            tally.counts = [mine + more for mine, more in counts]
            self._tally(tally, cells, seed, steps, status)
        return tally

    def _tally(self, tally: Tally, cells: list[int], seed: int, steps: int, status: int) -> None:
        if status == LIMIT:
            tally.limited += 1
            tally.lengths[steps] += 1
        elif status:
            found = Found(1, seed, steps)
            key = (status, cells[0] if status == STUCK else 0)
            if key in tally.troubles:
                tally.troubles[key].add(found)
            else:
                tally.troubles[key] = found
        else:
            tally.finished += 1
            tally.lengths[steps] += 1
            self._tally_outcome(tally, cells)

    def _tally_outcome(self, tally: Tally, cells: list[int]) -> None:
        engine, program = self.engine, self.program
        seats = range(engine.game.players)
        winners = [seat for seat in seats if program.wins(cells, engine.data, seat)]
        for seat in winners:
            tally.won[seat] += 1
        if len(winners) == 1:
            tally.alone[winners[0]] += 1
        tally.undecided += not winners
        if engine.game.outcome.score is not None:
            for seat in seats:
                tally.scores[seat][program.score(cells, engine.data, seat)] += 1


@dataclass(frozen=True, slots=True)
class Retraced:
    """A random game move by move, as far as it goes; the last move is the one that failed.

    `rule` is the rule that did, "" when that is the flow; `origin` is where in the rules.
    """

    moves: tuple[Move, ...]
    position: Position | None  # the last one that could be reached
    trouble: Trouble | None
    message: str
    rule: str
    origin: Origin


def retrace(engine: Engine, seed: int, limit: int) -> Retraced:
    """Plays the game of a seed again until it is over, fails, or has `limit` moves."""
    moves: list[Move] = []
    position: Position | None = None

    def ended(trouble: Trouble | None, message: str, rule: str, origin: Origin) -> Retraced:
        return Retraced(tuple(moves), position, trouble, message, rule, origin)

    nowhere = Origin(NOWHERE)
    try:
        position = engine.new()
        board = Board(position)
        state: int | None = scramble(seed)
        for _ in range(limit):
            position = board.position()
            if position.to_act().over:
                return ended(None, "", "", nowhere)
            assert state is not None
            following, number = board.draw(state)
            if number is None:
                return ended(Trouble.DEAD_END, _dead_end(position), "", _node_origin(position))
            moves.append(position.move_of(number))
            board.apply(number)
            state = following
        return ended(None, "", "", nowhere)
    except BrokenRule as error:
        broken = error.obligation
        if broken is None:
            return ended(Trouble.ENDLESS, str(error), "", nowhere)
        return ended(Trouble.BROKEN, broken.message, broken.rule, broken.origin)
    except (IndexError, ZeroDivisionError):
        message = "an index is outside its range, or something is divided by nothing"
        rule = moves[-1].name if moves else ""
        return ended(Trouble.NO_MEANING, message, rule, nowhere)


def _dead_end(position: Position) -> str:
    """Who has nothing to choose, and what was on offer."""
    engine = position.engine
    names = " or ".join(dict.fromkeys(s.rule.name for s in engine.shapes(position.cells[0])))
    acting = position.to_act()
    who = engine.player_name(acting.players[0]) if acting.players else "chance"
    phase = " / ".join(engine.game.nodes[position.cells[0]].phase)
    return f"{who} has no legal choice of {names}" + (f", in {phase}" if phase else "")


def _node_origin(position: Position) -> Origin:
    node = position.engine.game.nodes[position.cells[0]]
    assert isinstance(node, Decide | Gather | Toss)
    return node.origin


def trouble_of(status: int) -> Trouble:
    """The kind of a status that is not 0 and not the limit."""
    if status == STUCK:
        return Trouble.DEAD_END
    if status == ENDLESS:
        return Trouble.ENDLESS
    return Trouble.NO_MEANING if status == NO_MEANING else Trouble.BROKEN
