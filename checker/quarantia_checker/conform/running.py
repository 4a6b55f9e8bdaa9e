"""A whole run of `quarantia conform`: for each number of players, from hello to the last game."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quarantia_checker.commands import UsageError
from quarantia_checker.conform.campaign import Campaign, Progress, Wanted
from quarantia_checker.conform.client import Client, Hello
from quarantia_checker.conform.differing import Difference, misbehaviour
from quarantia_checker.conform.link import Fault, Link
from quarantia_checker.conform.mapping import (
    FIELD_ROLES,
    SAME_NAMES,
    Mapped,
    check_mapping,
    read_mapping,
)
from quarantia_checker.conform.protocol import Level
from quarantia_checker.conform.reference import Reference, Step
from quarantia_checker.conform.shrinking import moves_in, moves_of, shrink
from quarantia_checker.conform.telling import Told, tell
from quarantia_checker.conform.tester import Tester
from quarantia_checker.conform.vocabulary import Vocabulary
from quarantia_engine import Engine, compile_game
from quarantia_engine.match import log_of
from quarantia_engine.values import described, index_names
from quarantia_spec.cache import cache_directory, write_cached
from quarantia_spec.ir import Game
from quarantia_spec.pipeline import load_data, load_game

TIME_TO_CHOOSE = 60.0  # seconds that must be left when games are to be chosen afresh

if TYPE_CHECKING:
    from quarantia_checker.conform.coverage import Covered

Show = Callable[[int, Progress], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for. `readings` are those given on the command line."""

    game: str
    players: int | None
    readings: Mapping[str, str]
    options: Mapping[str, str]
    data: str | None
    mapping: str | None
    levels: frozenset[Level] | None
    wanted: Wanted
    shrink: float
    infer: bool
    save: str | None
    coverage: bool

    @classmethod
    def of(cls, options: argparse.Namespace) -> Request:
        """Raises UsageError."""
        from quarantia_checker.commands.loading import _pairs

        return cls(
            options.game,
            options.players,
            _pairs(options.reading, "reading", "--reading TERM.CLAUSE=READING"),
            _pairs(options.option, "option", "--option NAME=VALUE"),
            options.data,
            options.mapping,
            _levels(options.levels),
            Wanted(options.games, options.openings, options.limit, options.seconds, options.seed),
            options.shrink,
            options.infer,
            options.save,
            not options.no_coverage,
        )


def _levels(text: str | None) -> frozenset[Level] | None:
    if text is None:
        return None
    known = {level.value: level for level in Level}
    found: set[Level] = set()
    for word in text.split(","):
        if word.strip() not in known:
            raise UsageError(f"there is no level `{word.strip()}`", f"there are {', '.join(known)}")
        found.add(known[word.strip()])
    return frozenset(found)


@dataclass(slots=True)
class Found:
    """A difference, shrunk, told and saved."""

    difference: Difference
    told: Told
    moves: list[str]  # the game, in words
    first_moves: int  # after how many moves it was found at first
    log: str
    hints: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Run:
    """What came of one number of players."""

    players: int
    progress: Progress
    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    found: Found | None = None
    left_out: tuple[str, ...] = ()
    coverage: Covered | None = None


@dataclass(slots=True)
class Result:
    """What came of all of it."""

    game: str
    hello: Hello | None
    readings: dict[str, str]
    runs: list[Run]
    notes: list[str]
    inferred: dict[str, str] | None = None

    @property
    def differs(self) -> bool:
        return any(run.found is not None for run in self.runs)

    @property
    def stopped(self) -> bool:
        return any(run.progress.stopped for run in self.runs)


def conform(
    request: Request, open_link: Callable[[], Link], show: Show = lambda players, progress: None
) -> Result:
    """Tests an engine. Raises UsageError or RulesError when it cannot even begin."""
    mapped = SAME_NAMES if request.mapping is None else read_mapping(request.mapping)
    first = load_game(request.game, request.players, request.readings, request.options)
    check_mapping(mapped, first, request.mapping or "")
    client = Client(open_link)
    result = Result(first.name, None, {**mapped.readings, **request.readings}, [], [])
    try:
        try:
            hello = client.hello(first.name, first.fingerprint, "quarantia")
        except Fault as fault:
            found = _plain(misbehaviour(fault, ()))
            result.runs.append(Run(first.players, Progress(), found=found))
            return result
        result.hello = hello
        if hello.game != first.name:
            raise UsageError(f"the engine plays {hello.game}, not {first.name}")
        if request.levels is not None:
            hello = _only(hello, request.levels)
        if not request.infer:  # then it is to be found out, not believed
            result.readings = {**hello.readings, **result.readings}
        _drop_ruled(first, result.readings)
        counts = _counts(request, hello, first.player_counts)
        if request.infer:
            from quarantia_checker.conform.inferring import infer

            inferred = infer(request, client, hello, mapped, result.readings, counts[0], show)
            result.inferred = inferred.readings
            result.readings.update(inferred.readings)
            result.notes += inferred.notes
            for key, reading in hello.readings.items():
                if key in inferred.readings and inferred.readings[key] != reading:
                    result.notes.append(
                        f"the engine says that it plays {key} = {reading}, but it does not"
                    )
        for players in counts:
            run = _one(request, client, hello, mapped, result, players, show)
            result.runs.append(run)
            if run.found is not None:
                break
    finally:
        client.close()
    return result


def _drop_ruled(game: Game, readings: dict[str, str]) -> None:
    """Leaves out readings that say what is ruled anyway: the rules then keep their fingerprint."""
    for term in game.terms:
        for clause in term.clauses:
            key = f"{term.name}.{clause.name}"
            if readings.get(key) == clause.chosen and key not in dict(game.readings):
                del readings[key]


def _only(hello: Hello, levels: frozenset[Level]) -> Hello:
    from dataclasses import replace

    return replace(hello, levels=hello.levels & levels)


def _counts(request: Request, hello: Hello, allowed: Sequence[int]) -> list[int]:
    if request.players is not None:
        return [request.players]
    counts = [count for count in allowed if hello.players is None or count in hello.players]
    if not counts:
        raise UsageError(
            f"the engine plays with {hello.players} players, the rules are for {tuple(allowed)}"
        )
    return counts


def engine_for(request: Request, players: int, readings: Mapping[str, str]) -> Engine:
    """The game under some readings. Raises RulesError when there is no such reading."""
    game = load_game(request.game, players, readings, request.options)
    return compile_game(game, load_data(request.game, game, request.data))


def _one(
    request: Request,
    client: Client,
    hello: Hello,
    mapped: Mapped,
    result: Result,
    players: int,
    show: Show,
) -> Run:
    started = time.monotonic()
    engine = engine_for(request, players, result.readings)
    words = Vocabulary(Reference(engine), mapped, hello.fields)
    tester = Tester(client, words, hello)
    run = Run(players, Progress(), left_out=words.left_out)

    def corpus(seconds: float) -> Sequence[Sequence[Step]]:
        if not request.coverage:
            return ()
        from quarantia_checker.conform.coverage import planned, remembered

        if seconds >= TIME_TO_CHOOSE:
            run.coverage = planned(words.reference)
        else:
            run.coverage = remembered(words.reference)
        return () if run.coverage is None else run.coverage.corpus

    campaign = Campaign(tester, request.wanted, corpus, lambda progress: show(players, progress))
    run.progress = campaign.progress
    try:
        found = campaign.run()
        run.games, run.moves = tester.games, tester.moves
        if found is not None:
            run.found = _examined(request, tester, result, found, campaign.progress, show)
    finally:
        tester.close()
    run.seconds = time.monotonic() - started
    return run


def _examined(
    request: Request,
    tester: Tester,
    result: Result,
    found: Difference,
    progress: Progress,
    show: Show,
) -> Found:
    """Makes a difference short, tells it, saves it."""
    players = tester.reference.engine.game.players
    progress.stage, progress.total, progress.done = "a shorter game", 0, moves_in(found.steps)

    def shorter(moves: int) -> None:
        progress.done = moves
        show(players, progress)

    best = shrink(tester, found, request.shrink, seed=request.wanted.seed, show=shorter)
    reference = tester.reference
    moves = moves_of(reference, best.steps)
    engine = reference.engine
    shown = [engine.move_to_text(move, with_player=True) for move in moves]
    log = {**log_of(engine, moves), "source": request.game}
    path = _save(request, engine, log)
    told = tell(tester.words, best)
    examined = Found(best, told, shown, moves_in(found.steps), path)
    from quarantia_checker.conform.inferring import hints

    examined.hints = hints(request, tester, result.readings, best)
    return examined


def _plain(difference: Difference) -> Found:
    what = difference.what
    from quarantia_checker.conform.differing import Misbehaviour
    from quarantia_checker.conform.telling import MISDEEDS

    assert isinstance(what, Misbehaviour)
    said = (f"it wrote to standard error: {what.errors[-400:]}",) if what.errors else ()
    return Found(difference, Told(MISDEEDS[what.misdeed], (), (what.message, *said)), [], 0, "")


def _save(request: Request, engine: Engine, log: Mapping[str, Any]) -> str:
    text = json.dumps(log, ensure_ascii=False)
    if request.save:
        try:
            Path(request.save).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {request.save}: {error.strerror}") from None
        return request.save
    name = f"{engine.game.name}-{engine.game.players}-differs.json"
    write_cached("witnesses", name, text.encode())
    path = cache_directory() / "witnesses" / name
    return str(path) if path.is_file() else ""


def fields_of(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The fields of a position with their shapes, for `--fields`."""
    game = load_game(options.game, options.players)
    return [
        {
            "field": variable.name,
            "indices": [list(index_names(game, sort)) for sort in variable.dimensions],
            "values": described(game, variable.sort),
        }
        for variable in game.variables
        if variable.role in FIELD_ROLES
    ]
