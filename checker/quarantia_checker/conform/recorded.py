"""Recorded games held against the rules: `quarantia conform GAME --log FILE...`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from quarantia_checker.logs import Failure, read_log


@dataclass(frozen=True, slots=True)
class Checked:
    """One log. `moves` are those that the rules allow, `told` what they led to."""

    path: str
    moves: int
    same_rules: bool
    over: bool
    failure: Failure | None
    outcome: str

    def as_json(self) -> dict[str, Any]:
        return {
            "log": self.path,
            "moves": self.moves,
            "same_rules": self.same_rules,
            "over": self.over,
            "failure": None if self.failure is None else self.failure.as_json(),
            "outcome": self.outcome,
        }


def check_logs(paths: Sequence[str], game: str, data: str | None) -> list[Checked]:
    """Each log played again under the rules. Raises UsageError when a file is no log."""
    return [_checked(path, game, data) for path in paths]


def _checked(path: str, game: str, data: str | None) -> Checked:
    replay = read_log(path, game, data)
    failure = replay.failure
    last = replay.positions[-1] if replay.positions else None
    outcome = None if last is None else last.outcome()
    said = replay.log.get("outcome")
    if failure is None and isinstance(said, dict):
        failure = _other_outcome(replay, said)
    told = ""
    if outcome is not None:
        names = [replay.engine.player_name(seat) for seat in outcome.winners]
        told = f"{' and '.join(names) or 'nobody'} wins"
    return Checked(
        path, len(replay.moves), not replay.other_rules, outcome is not None, failure, told
    )


def _other_outcome(replay: Any, said: dict[str, Any]) -> Failure | None:
    """A log may carry the outcome that its writer came to; the rules must come to the same."""
    outcome = replay.positions[-1].outcome()
    engine = replay.engine
    origin = engine.game.outcome.origin
    passages = tuple(str(each) for each in origin.citations if each.section != "own")
    number = len(replay.moves)
    if outcome is None:
        message = "the log says that the game is over, but play goes on"
        return Failure(number, message, "outcome", passages, str(origin.span))
    winners = [engine.player_name(seat) for seat in outcome.winners]
    if "winners" in said and sorted(map(str, said["winners"])) != sorted(winners):
        message = (
            f"the log says that {' and '.join(map(str, said['winners'])) or 'nobody'} wins; "
            f"by the rules {' and '.join(winners) or 'nobody'} does"
        )
        return Failure(number, message, "outcome", passages, str(origin.span))
    scores = said.get("scores")
    if isinstance(scores, dict) and outcome.scores is not None:
        right = {engine.player_name(seat): score for seat, score in enumerate(outcome.scores)}
        if scores != right:
            message = f"the log gives the scores {scores}; by the rules they are {right}"
            return Failure(number, message, "outcome", passages, str(origin.span))
    return None


def write_logs(checked: Sequence[Checked], out: TextIO) -> None:
    for each in checked:
        rules = "" if each.same_rules else " (played under other rules)"
        if each.failure is not None:
            out.write(f"{each.path}: move {each.failure.number} breaks the rules{rules}\n")
            out.write(f"  {each.failure}\n")
        else:
            end = each.outcome if each.over else "not played to its end"
            out.write(f"{each.path}: {each.moves} moves, all legal{rules}; {end}\n")
