"""What can differ between an engine and the rules, as values. Read `Difference`.

`compared` holds a report of an engine against the rules, part by part; the first part that is not
as the rules say it makes the difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quarantia_checker.conform.link import Fault, Misdeed
from quarantia_checker.conform.protocol import Level, Scalar, leaves
from quarantia_checker.conform.reference import Cells, Step
from quarantia_checker.conform.vocabulary import Vocabulary
from quarantia_engine import BadMove, Move

MISSING = object()  # where an engine says nothing


@dataclass(frozen=True, slots=True)
class Actors:
    """Somebody else is to act."""

    rules: tuple[str, ...]
    engine: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Legal:
    """Moves that only one side allows. `unknown` are no moves of this game at all."""

    only_rules: tuple[Move, ...]
    only_engine: tuple[Move, ...]
    unknown: tuple[str, ...] = ()
    twice: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Values:
    """Fields by path: what the rules say and what the engine does. `seat` is whose view it is."""

    rules: tuple[tuple[str, object], ...]
    engine: tuple[tuple[str, object], ...]
    seat: int | None = None
    leaked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """The outcome is another one."""

    rules: Mapping[str, Any] | None
    engine: object


@dataclass(frozen=True, slots=True)
class Refused:
    """The engine refuses a legal step."""

    message: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The engine carried out what the rules forbid, or a message that is none."""

    moves: tuple[Move, ...]
    sent: str  # the message itself when it is not a step of known moves
    changed: bool  # it said no, and yet the position is another one
    why: str


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of sequences of some depth is another one."""

    depth: int
    rules: int
    engine: object


@dataclass(frozen=True, slots=True)
class Misbehaviour:
    """The engine did not answer as the protocol asks."""

    misdeed: Misdeed
    message: str
    errors: str = ""


What = Actors | Legal | Values | Ending | Refused | Accepted | Counts | Misbehaviour


@dataclass(frozen=True, slots=True)
class Difference:
    """After `steps` from the start the engine is not as the rules are.

    `undone` of them, the last ones, have been taken back.
    """

    level: Level | None  # None when the engine misbehaves
    what: What
    steps: tuple[Step, ...]
    undone: int = 0

    def after(self, steps: Sequence[Step]) -> Difference:
        return replace(self, steps=tuple(steps))


def misbehaviour(fault: Fault, steps: Sequence[Step]) -> Difference:
    return Difference(None, Misbehaviour(fault.misdeed, str(fault), fault.errors), tuple(steps))


def compared(
    words: Vocabulary, cells: Cells, report: Mapping[str, Any], want: Sequence[Level]
) -> tuple[Level, What] | None:
    """The first part of a whole report that is not as it should be."""
    actors = tuple(words.actors_json(words.reference.actors(cells)))
    found = report.get("to_act")
    if not isinstance(found, list) or tuple(found) != actors:
        engine = tuple(str(each) for each in found) if isinstance(found, list) else (str(found),)
        return Level.LEGAL, Actors(actors, engine)
    for level in want:
        if level.value not in report:
            raise Fault(Misdeed.BAD_REPLY, f"the report lacks `{level.value}`, which was wanted")
        value = report[level.value]
        what: What | None = None
        match level:
            case Level.LEGAL:
                what = _legal(words, cells, value)
            case Level.STATE:
                what = values(words.state_leaves(cells), value, None)
            case Level.VIEWS:
                what = _views(words, cells, value)
            case Level.OUTCOME:
                what = _ending(words.outcome_json(cells), value)
            case Level.REFUSALS:
                pass
        if what is not None:
            return level, what
    return None


def _legal(words: Vocabulary, cells: Cells, value: object) -> Legal | None:
    if not isinstance(value, list):
        raise Fault(Misdeed.BAD_REPLY, "`legal` is not a list of moves")
    rules = set(words.reference.position(cells).legal_moves())
    found: set[Move] = set()
    unknown: list[str] = []
    twice: list[Move] = []
    for each in value:
        try:
            move = words.read_move(each)
        except BadMove as error:
            unknown.append(str(error))
            continue
        if move in found:
            twice.append(move)
        found.add(move)
    if found == rules and not unknown and not twice:
        return None

    def ordered(moves: set[Move]) -> tuple[Move, ...]:
        return tuple(sorted(moves, key=lambda move: (move.player or 0, move.name, move.arguments)))

    return Legal(ordered(rules - found), ordered(found - rules), tuple(unknown), tuple(twice))


def values(rules: Mapping[str, Scalar], value: object, seat: int | None) -> Values | None:
    """Where the leaves of a position are not those of the rules. null counts as saying nothing."""
    if not isinstance(value, Mapping):
        raise Fault(Misdeed.BAD_REPLY, "a position must be an object of fields")
    engine = {path: leaf for path, leaf in leaves(value) if leaf is not None}
    # 1 and true are equal in Python; to a reader of JSON they are not.
    if engine == rules and all(type(engine[path]) is type(rules[path]) for path in rules):
        return None
    different = [
        path
        for path in [*rules, *(path for path in engine if path not in rules)]
        if path not in engine
        or path not in rules
        or engine[path] != rules[path]
        or type(engine[path]) is not type(rules[path])
    ]
    return Values(
        tuple((path, rules.get(path, MISSING)) for path in different),
        tuple((path, engine.get(path, MISSING)) for path in different),
        seat,
    )


def _views(words: Vocabulary, cells: Cells, value: object) -> Values | None:
    if not isinstance(value, Mapping):
        raise Fault(Misdeed.BAD_REPLY, "`views` must be an object by seat")
    for seat, name in enumerate(words.players):
        if name not in value:
            raise Fault(Misdeed.BAD_REPLY, f"`views` has none for {name}")
        mask = words.reference.visible(cells, seat)
        found = values(words.state_leaves(cells, mask), value[name], seat)
        if found is not None:
            leaked = tuple(
                path
                for (path, rules), (_, engine) in zip(found.rules, found.engine, strict=True)
                if rules is MISSING and engine is not MISSING and path in words.cell_of
            )
            return replace(found, leaked=leaked)
    return None


def _ending(rules: Mapping[str, Any] | None, engine: object) -> Ending | None:
    if rules is None or not isinstance(engine, Mapping):
        return None if rules is None and engine is None else Ending(rules, engine)
    winners = engine.get("winners")
    same = isinstance(winners, list) and sorted(map(str, winners)) == sorted(rules["winners"])
    if same and engine.get("scores") == rules["scores"]:
        return None
    return Ending(rules, engine)
