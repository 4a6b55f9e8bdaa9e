"""A game being played: chance from a seed, a log of every move, undo within what is fair.

A log holds everything needed to play the game again, outcomes of chance included, so it does not
depend on the generator. It carries a fingerprint of the rules; under other rules it is replayed
as far as they allow, and then says which move and which rule do not fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from quarantia_engine.engine import Engine
from quarantia_engine.errors import BadLog, BadMove, BrokenRule, CannotUndo, IllegalMove
from quarantia_engine.moves import Move
from quarantia_engine.position import Outcome, Position, ToAct
from quarantia_engine.randomness import following, pick_weighted, scramble
from quarantia_engine.tracing import trace_move

LOG_VERSION = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One move of a match, the position before it, and the generator's state before it."""

    move: Move
    before: Position
    state: int


class Match:
    """A game in progress. The position is always one where a player is to act, or the end."""

    def __init__(self, engine: Engine, seed: int = 0, *, chance: bool = True) -> None:
        """Starts a game. Without `chance`, its outcomes are to be given with `play` instead."""
        self.engine = engine
        self.seed = seed
        self._chance = chance
        self._state = scramble(seed)
        self._entries: list[Entry] = []
        self.position = engine.new()
        self._settle()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every move so far, outcomes of chance among them."""
        return tuple(self._entries)

    def to_act(self) -> ToAct:
        """Who chooses next."""
        return self.position.to_act()

    def outcome(self) -> Outcome | None:
        """Who has won; None while play goes on."""
        return self.position.outcome()

    def play(self, move: Move) -> Position:
        """Makes a move, then lets chance speak until a player is to act.

        Raises IllegalMove, and leaves the match as it was.
        """
        after = self.position.apply(move)
        self._entries.append(Entry(move, self.position, self._state))
        self.position = after
        self._settle()
        return self.position

    def _settle(self) -> None:
        while self._chance:
            outcomes = self.position.chances()
            if not outcomes:
                return
            before, self._state = self._state, following(self._state)
            move, _ = outcomes[pick_weighted(self._state, [weight for _, weight in outcomes])]
            self._entries.append(Entry(move, self.position, before))
            self.position = self.position.apply(move)

    def copy(self) -> Match:
        """A match of its own that goes on from here."""
        other = copy(self)
        other._entries = self._entries[:]
        return other

    def undo(self, *, even_if_unfair: bool = False) -> Move:
        """Takes back the last move of a player and returns it.

        Raises CannotUndo when there is none, or when since then chance has spoken or a seat has
        seen something that was hidden from it; `even_if_unfair` overrides the latter.
        """
        last = len(self._entries) - 1
        while last >= 0 and self._entries[last].move.player is None:
            last -= 1
        if last < 0:
            raise CannotUndo("there is no move to take back")
        if not even_if_unfair:
            if last < len(self._entries) - 1:
                raise CannotUndo("chance has spoken since that move")
            if reveals(self._entries[last].before, self._entries[last].move, self.position):
                raise CannotUndo("something hidden was seen after that move")
        entry = self._entries[last]
        del self._entries[last:]
        self.position = entry.before
        self._state = entry.state
        return entry.move

    def log(self) -> dict[str, Any]:
        """The match as JSON: the rules' fingerprint, readings, data, players, seed and moves."""
        return log_of(self.engine, [entry.move for entry in self._entries], self.seed)

    @classmethod
    def from_log(cls, engine: Engine, log: object) -> Match:
        """The match that a log describes, ready to go on. Raises BadLog."""
        moves = log_moves(engine, log)
        assert isinstance(log, Mapping)
        seed = log.get("seed", 0)
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise BadLog("the `seed` of the log must be a number")
        match = cls(engine, seed, chance=False)
        for number, move in enumerate(moves):
            match._replay(number, move, log)
            if move.player is None:
                match._state = following(match._state)
        match._chance = True
        match._settle()
        return match

    def _replay(self, number: int, move: Move, log: Mapping[str, Any]) -> None:
        try:
            after = self.position.apply(move)
        except IllegalMove as error:
            raise BadLog(_refused(self.engine, number, move, log, str(error)), number) from error
        except BrokenRule as error:
            raise BadLog(f"move {number + 1}: {error}", number) from error
        self._entries.append(Entry(move, self.position, self._state))
        self.position = after


def log_of(engine: Engine, moves: Iterable[Move], seed: int = 0) -> dict[str, Any]:
    """A log of moves from the start, outcomes of chance among them."""
    game = engine.game
    return {
        "quarantia": LOG_VERSION,
        "game": game.name,
        "players": game.players,
        "rules": engine.fingerprint,
        "readings": dict(game.readings),
        "options": dict(game.options),
        "data": {name: list(values) for name, values in engine.given.items()},
        "seed": seed,
        "moves": [engine.move_to_json(move) for move in moves],
    }


def replay(engine: Engine, log: object) -> list[Position]:
    """Every position of a log, the first included. Raises BadLog where the rules forbid it."""
    match = Match(engine, chance=False)
    positions = [match.position]
    moves = log_moves(engine, log)
    assert isinstance(log, Mapping)
    for number, move in enumerate(moves):
        match._replay(number, move, log)
        positions.append(match.position)
    return positions


def log_moves(engine: Engine, log: object) -> list[Move]:
    """The moves of a log for this game. Raises BadLog."""
    if not isinstance(log, Mapping) or not isinstance(log.get("moves"), list):
        raise BadLog("a log must be an object with `game`, `players` and `moves`")
    game = engine.game
    if log.get("quarantia", LOG_VERSION) != LOG_VERSION:
        raise BadLog(f"the log has format {log['quarantia']}; this program reads {LOG_VERSION}")
    if log.get("game") != game.name:
        raise BadLog(f"the log is of {log.get('game')}, not of {game.name}")
    if log.get("players") != game.players:
        raise BadLog(f"the log is for {log.get('players')} players, not {game.players}")
    moves: list[Move] = []
    for number, data in enumerate(log["moves"]):
        try:
            moves.append(engine.move_from_json(data))
        except BadMove as error:
            raise BadLog(f"move {number + 1}: {error}", number) from error
    return moves


def _refused(engine: Engine, number: int, move: Move, log: Mapping[str, Any], reason: str) -> str:
    text = engine.move_to_text(move, with_player=True)
    message = f"move {number + 1}, {text}, is refused: {reason}"
    if log.get("rules") != engine.fingerprint:
        message += "; the log was played under other rules"
    return message


def reveals(before: Position, move: Move, after: Position) -> bool:
    """True when a seat may have learnt something by a move that was hidden from it before.

    That is so when it sees a cell that it did not see, and when what happened by itself after the
    move looked at a cell that the seat did not see.
    """
    if not before.engine.has_secrets:
        return False
    read = trace_move(before, move).read
    for seat in range(before.engine.game.players):
        then = before.visible(seat)
        if any(not then[cell] for cell in read):
            return True
        now = after.visible(seat)
        if any(shown and not was for was, shown in zip(then, now, strict=True)):
            return True
    return False


def play_all(engine: Engine, moves: Iterable[Move]) -> list[Position]:
    """The positions that the moves lead through from the start. Raises IllegalMove."""
    positions = [engine.new()]
    for move in moves:
        positions.append(positions[-1].apply(move))
    return positions
