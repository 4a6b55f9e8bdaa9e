"""Logs of games read from files and played again, move by move. Read `read_log` and `Replay`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from quarantia_checker.commands import UsageError
from quarantia_engine import BadLog, BrokenRule, Engine, IllegalMove, Move, Position, compile_game
from quarantia_engine.cells import changes
from quarantia_engine.match import log_moves
from quarantia_engine.sentences import Language, actor_name, move_sentence, rule_sentence
from quarantia_engine.tracing import Happening, Traced, trace_move, trace_start
from quarantia_spec.pipeline import game_names, load_data, load_game


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a log goes no further. `number` counts moves from 1; 0 is the start of play."""

    number: int
    message: str
    rule: str = ""
    passages: tuple[str, ...] = ()
    place: str = ""

    def __str__(self) -> str:
        where = "  ".join(part for part in (" ".join(self.passages), self.place) if part)
        rule = f"`{self.rule}`: " if self.rule else ""
        return f"{rule}{self.message}" + (f"  ({where})" if where else "")

    def as_json(self) -> dict[str, Any]:
        return {
            "move": self.number,
            "message": self.message,
            "rule": self.rule,
            "passages": list(self.passages),
            "place": self.place,
        }


@dataclass(frozen=True, slots=True)
class Step:
    """A move that was made, from which position, and what it did."""

    number: int
    move: Move
    before: Position
    traced: Traced


class Replay:
    """A log under today's rules: the positions it leads through, as far as they allow it."""

    def __init__(self, engine: Engine, log: Mapping[str, Any]) -> None:
        self.engine = engine
        self.log = log
        self.positions: list[Position] = []
        self.moves: list[Move] = []
        self.failure: Failure | None = None
        self._play()

    @property
    def other_rules(self) -> bool:
        """True when the log was written under rules that say something else."""
        return self.log.get("rules") != self.engine.fingerprint

    def _play(self) -> None:
        try:
            wanted = log_moves(self.engine, self.log)
        except BadLog as error:
            if error.move is None:
                raise UsageError(f"this log cannot be replayed: {error}") from None
            # Moves before the one that cannot be read are still worth seeing.
            cut = {**self.log, "moves": self.log["moves"][: error.move]}
            wanted = log_moves(self.engine, cut)
            message = str(error).partition(": ")[2]
            self.failure = Failure(error.move + 1, message)
        try:
            self.positions.append(self.engine.new())
        except BrokenRule as error:
            self.failure = self._broken(0, error)
            return
        for number, move in enumerate(wanted, 1):
            position = self.positions[-1]
            try:
                after = position.apply(move)
            except IllegalMove as error:
                why = error.explanation
                message = f"{self.engine.move_to_text(move, with_player=True)} is refused"
                message += f": {why.message}"
                self.failure = Failure(number, message, why.rule, why.citations, why.place)
                return
            except BrokenRule as error:
                self.failure = self._broken(number, error)
                self.moves.append(move)
                return
            self.moves.append(move)
            self.positions.append(after)

    def _broken(self, number: int, error: BrokenRule) -> Failure:
        if error.obligation is None:
            return Failure(number, str(error))
        origin = error.obligation.origin
        cited = tuple(str(each) for each in origin.citations if each.section != "own")
        message = f"an obligation does not hold: {error.obligation.message}"
        return Failure(number, message, error.obligation.rule, cited, str(origin.span))

    @cached_property
    def start(self) -> Traced:
        """What happened before the first choice."""
        return trace_start(self.engine)

    def step(self, number: int) -> Step:
        """Move `number`, from 1; the last may be one that broke an obligation."""
        move, before = self.moves[number - 1], self.positions[number - 1]
        return Step(number, move, before, trace_move(before, move))

    def changed(self) -> list[int]:
        """The cells that are not as at the start of play."""
        first, last = self.engine.first_cells(), self.positions[-1].cells
        return [change.cell for change in changes(self.engine.game, first, last)]


def read_log(path: str, game: str = "", data: str | None = None) -> Replay:
    """The log in a file, played again. `game` and `data` take the place of what the log says.

    Raises UsageError when the file is no log, RulesError when its game cannot be loaded.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a log: it is not UTF-8 text") from None
    try:
        log = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{path} is not a log: {error}") from None
    if not isinstance(log, dict) or not isinstance(log.get("moves"), list):
        raise UsageError(
            f"{path} is not a log: it has no `moves`",
            "logs are written by `quarantia play`, `check` and `simulate`",
        )
    return Replay(_engine_of(log, path, game, data), log)


def _engine_of(log: Mapping[str, Any], path: str, game: str, data: str | None) -> Engine:
    source = game or log.get("source") or _shipped(log.get("game"))
    players, readings, options = log.get("players"), log.get("readings"), log.get("options")
    if not isinstance(source, str) or type(players) is not int:
        raise UsageError(f"{path} is not a log: it does not say which game and how many players")
    loaded = load_game(source, players, _named(readings, str), _named(options, int))
    kept = log.get("data")
    if data is None and isinstance(kept, Mapping) and _fits(kept):
        given = {str(name): tuple(values) for name, values in kept.items()}
        wanted = {table.name for table in loaded.tables if table.values is None}
        if set(given) == wanted:
            return compile_game(loaded, given)
    return compile_game(loaded, load_data(source, loaded, data))


def _shipped(name: object) -> object:
    """The name to load a game by that calls itself this: `a-game`, or a variant, `game/variant`."""
    names = game_names()
    if name in names:
        return name
    return next((each for each in names if load_game(each).name == name), name)


def _named(values: object, kind: type) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        return {}
    return {str(name): value for name, value in values.items() if isinstance(value, kind)}


def _fits(data: Mapping[Any, Any]) -> bool:
    return all(
        isinstance(values, list) and all(type(value) is int for value in values)
        for values in data.values()
    )


# --- in words -----------------------------------------------------------------------------------


def told_move(position: Position, move: Move, language: Language) -> str:
    """Who does what: the rule's own sentence, the player's name before it when it lacks it."""
    said, who = move_sentence(position, move, language), actor_name(position, move)
    return said if who in said or move.player is None else f"{who}: {said}"


def told_happening(happening: Happening, language: Language) -> list[str]:
    """The lines about one rule that ran: its name, passages and sentence, then the changes."""
    cited = " ".join(str(each) for each in happening.origin.citations if each.section != "own")
    said = rule_sentence(happening.before, happening.say, language) if happening.rule else ""
    head = " ".join(part for part in (happening.rule or "flow", cited, said) if part)
    lines = [head, *(f"  {change}" for change in happening.changes)]
    if happening.broken is not None:
        lines.append(f"  here an obligation does not hold: {happening.broken.message}")
    return lines


def as_json(replay: Replay, language: Language) -> dict[str, Any]:
    engine = replay.engine
    return {
        "game": engine.game.name,
        "players": engine.game.players,
        "same_rules": not replay.other_rules,
        "steps": [_step_json(replay, number, language) for number in _numbers(replay)],
        "failure": None if replay.failure is None else replay.failure.as_json(),
    }


def _numbers(replay: Replay) -> range:
    return range(1, len(replay.moves) + 1)


def _step_json(replay: Replay, number: int, language: Language) -> dict[str, Any]:
    step = replay.step(number)
    return {
        "number": number,
        "move": replay.engine.move_to_json(step.move),
        "say": told_move(step.before, step.move, language),
        "happenings": [
            {
                "rule": each.rule,
                "passages": [str(cited) for cited in each.origin.citations],
                "changes": [
                    {"cell": change.name, "before": change.before, "after": change.after}
                    for change in each.changes
                ],
            }
            for each in step.traced.happenings
        ],
    }
