"""How much do a game's examples and properties say? Change its rules a little, and see who notices.

Each mutant goes through ever dearer tests and stops at the first that notices: the front end (a
mutant that does not load is no mutant), the examples, random play against obligations, invariants
and passages, and the solver with little time. What is left is compared with the original by the
solver: a mutant that provably plays the same is none either. Read `examine`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from quarantia_checker.claims import BadPosition, DeadEnd, Watch
from quarantia_checker.passages import applies, both, chosen, for_some
from quarantia_checker.plays import Event, Explorer
from quarantia_checker.settings import Settings
from quarantia_engine.engine import Engine, compile_game
from quarantia_engine.errors import PlayError
from quarantia_engine.examples import run_example
from quarantia_engine.moves import Move
from quarantia_spec import pipeline, syntax
from quarantia_spec.defined import definedness_of
from quarantia_spec.diagnostics import RulesError
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Clause,
    Decide,
    Expr,
    Game,
    Gather,
    Op,
    PropertyKind,
    Toss,
)
from quarantia_spec.mutations import Mutant, mutants
from quarantia_spec.passages import Passages

if TYPE_CHECKING:
    from quarantia_checker.induction import Prover

INVALID = "invalid"
EQUIVALENT = "equivalent"
SURVIVED = "survived"
NOT_TRIED = "not tried"
GAMES = 40  # random games of a mutant
LONGEST = 300  # moves of one
PLAYING = 1.5  # seconds
MOST_CELLS = 150  # of a position; larger games take too long to be judged for each mutant
PROVING = 60.0  # and once, to prove again what is known of the rules as they are
SOLVING = 12.0  # seconds of the solver for one mutant
QUICK = Settings(
    timeout=1.0, total=SOLVING, positions=1, survey=0.0, games=0, depth=0, search=0, steered=0
)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant; `by` is what noticed it."""

    kind: str
    where: str
    told: str
    fate: str  # INVALID, EQUIVALENT, SURVIVED, NOT_TRIED or the kind of check that caught it
    by: str = ""

    @property
    def caught(self) -> bool:
        return self.fate not in (INVALID, EQUIVALENT, SURVIVED, NOT_TRIED)


# --- the whole run ----------------------------------------------------------------------------


def examine(
    game: str,
    limit: int,
    seed: int,
    budget: float,
    jobs: int,
    solver: bool,
    progress: Callable[[str], None],
) -> list[Fate]:
    """The fates of `limit` mutants (0: of all), drawn by `seed`, within `budget` seconds."""
    for kept in (_parsed, _mutants, _baseline, _original):
        kept.cache_clear()  # the file may have changed since the last time
    everything = _mutants(game)
    order = list(range(len(everything)))
    random.Random(seed).shuffle(order)
    picked = sorted(order[:limit] if limit else order)
    deadline = time.time() + budget
    work = [(game, number, deadline, solver) for number in picked]
    fates: list[Fate] = []
    if jobs <= 1:
        for item in work:
            fates.append(_fate(item))
            progress(f"{game}: {len(fates)} of {len(work)} mutants")
        return fates
    with ProcessPoolExecutor(max_workers=jobs) as executor:
        for fate in executor.map(_fate, work):
            fates.append(fate)
            progress(f"{game}: {len(fates)} of {len(work)} mutants")
    return fates


def score(fates: Sequence[Fate]) -> float | None:
    """The share of real mutants that were caught."""
    caught = sum(fate.caught for fate in fates)
    survived = sum(fate.fate == SURVIVED for fate in fates)
    return caught / (caught + survived) if caught + survived else None


# --- one mutant -------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def _parsed(game: str) -> tuple[tuple[syntax.Module, ...], Passages]:
    modules, passages, found = pipeline.parse(pipeline.find_sources(game))
    if not modules or any(each.severity.value == "error" for each in found):
        raise RulesError(found)
    return tuple(modules), passages


@lru_cache(maxsize=2)
def _mutants(game: str) -> tuple[Mutant, ...]:
    modules, _ = _parsed(game)
    return tuple(mutants(modules[-1]))


def _fate(work: tuple[str, int, float, bool]) -> Fate:
    game, number, deadline, solver = work
    mutant = _mutants(game)[number]
    fate = Fate(mutant.kind, str(mutant.span), mutant.told, NOT_TRIED)
    if time.time() > deadline:
        return fate
    try:
        verdict, by = _examined(game, mutant, solver, deadline)
    except (PlayError, RecursionError, SyntaxError, MemoryError):
        verdict, by = INVALID, ""  # what cannot be set up or compiled is no rule
    return replace(fate, fate=verdict, by=by)


def _examined(game: str, mutant: Mutant, solver: bool, deadline: float) -> tuple[str, str]:
    """What became of a mutant, and what noticed it."""
    different = False
    first: tuple[Engine, Engine] | None = None
    for players in pipeline.load_game(game).player_counts:
        original = pipeline.load_game(game, players)
        changed = _elaborated(game, mutant, players, {})
        if changed is None:
            return INVALID, ""
        if _played(changed) == _played(original):
            continue
        different = True
        data = pipeline.load_data(game, original)
        engine = compile_game(changed, data)
        first = first or (compile_game(original, data), engine)
        caught = _examples(engine) or _plays(engine, compile_game(original, data))
        if caught is not None:
            return caught
    if not different or first is None:
        return EQUIVALENT, "the same rules"
    if solver and time.time() < deadline:
        return _solved(game, mutant, *first)
    return SURVIVED, ""


def _elaborated(
    game: str, mutant: Mutant, players: int, readings: Mapping[str, str]
) -> Game | None:
    modules, passages = _parsed(game)
    found, _ = pipeline.elaborate([*modules[:-1], mutant.module], passages, players, readings)
    return found


def _played(game: Game) -> str:
    """What matters in play: not what is said about it, nor readings that are not in force.

    Passages count: they may agree no more.
    """
    terms = tuple(replace(term, clauses=tuple(map(_in_force, term.clauses))) for term in game.terms)
    return repr(replace(game, terms=terms, properties=(), examples=(), ends=None))


def _in_force(clause: Clause) -> Clause:
    readings = tuple(each for each in clause.readings if each.name == clause.chosen)
    return replace(clause, readings=readings)


def _examples(engine: Engine) -> tuple[str, str] | None:
    for example in engine.game.examples:
        if not run_example(engine, example).holds:
            return "example", example.name
    return None


def _plays(engine: Engine, original: Engine) -> tuple[str, str] | None:
    """What random games show, and those of the original, from the same seeds, do not."""
    hits = _hits(engine)
    if not hits:
        return None
    expected = _hits(original)
    for name, kind in hits.items():
        if name not in expected:
            return kind, name
    return None


def _hits(engine: Engine) -> dict[str, str]:
    watches = dict(_watches(engine))
    explorer = _Player(engine, {key: watch for key, (_, _, watch) in watches.items()})
    explorer.breadth_first(400, PLAYING / 3)
    explorer.at_random(GAMES, LONGEST, PLAYING)
    found = {watches[key][0]: watches[key][1] for key in explorer.survey.hits}
    if explorer.broken:
        found[explorer.broken] = "obligation"
    return found


class _Player(Explorer):
    """Plays, and remembers the first obligation that was broken, whichever it is."""

    broken: str = ""

    def see(self, event: Event, play: Callable[[], tuple[Move, ...]]) -> None:
        if event.status and not self.broken:
            self.broken = (
                self.program.obligations[event.status - 1].message
                if event.status > 0
                else "play goes on"
            )
        super().see(event, play)


def _watches(engine: Engine) -> Iterator[tuple[int, tuple[str, str, Watch]]]:
    """All that can be seen to go wrong in a play, without the solver."""
    rows: list[tuple[str, str, Watch]] = []
    game = engine.game
    for each in game.properties:
        if each.kind is PropertyKind.INVARIANT:
            wrong = Apply(Op.NOT, (each.condition,), BOOLEAN)
            rows.append((each.name, "invariant", _position(engine, wrong)))
    known = definedness_of(game)
    for term in game.terms:
        for one, two in combinations(term.clauses, 2):
            if one.name in term.precedence or two.name in term.precedence:
                continue
            unequal = Apply(Op.NE, (chosen(one).value, chosen(two).value), BOOLEAN)
            clash = both(both(applies(one), applies(two)), unequal)
            asks = known.of(clash)
            clash = clash if asks is None else both(asks, clash)
            name = f"{term.name}: {one.name} and {two.name}"
            rows.append((name, "agreement", _position(engine, for_some(term.parameters, clash))))
    for node in game.nodes:
        if isinstance(node, Decide | Gather | Toss):
            rows.append((f"node {node.number}", "legality", DeadEnd(node.number)))
    return enumerate(rows)


def _position(engine: Engine, bad: Expr) -> BadPosition:
    return BadPosition(lambda cells: bool(engine.evaluator.value(bad, cells)))


# --- the solver -------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def _baseline(game: str) -> dict[tuple[str, str], bool]:
    """Which claims of the original are bad."""
    from quarantia_checker.judge import Judge

    original = pipeline.load_game(game)
    data = pipeline.load_data(game, original)
    judge = Judge(
        original, data, lambda readings: pipeline.load_game(game, original.players, readings), QUICK
    )
    return {(each.kind.value, each.name): each.verdict.bad for each in judge.run()}


@lru_cache(maxsize=1)
def _original(game: str, players: int) -> Prover:
    """What is known of the rules as they are."""
    from quarantia_checker.findings import file_beside, findings_in
    from quarantia_checker.judge import Judge

    original = pipeline.load_game(game, players)
    data = pipeline.load_data(game, original)
    beside = file_beside(pipeline.rules_path(game), players)
    settings = replace(QUICK, total=PROVING, timeout=5.0, survey=1.0, games=20, only=("flow",))
    judge = Judge(
        original,
        data,
        lambda readings: pipeline.load_game(game, players, readings),
        settings,
        findings_in(beside),
    )
    judge.run()
    judge.prover.deadline = float("inf")
    return judge.prover


def _solved(game: str, mutant: Mutant, original: Engine, changed: Engine) -> tuple[str, str]:
    """Refuted where the original is not; or provably the same; or neither."""
    from quarantia_checker.compare import comparable, equivalent
    from quarantia_checker.induction import Proved
    from quarantia_checker.judge import Judge
    from quarantia_checker.pauses import with_pauses
    from quarantia_checker.transition import System

    players = changed.game.players
    if comparable(original.game, changed.game):
        prover = _original(game, players)
        with prover.no_later_than(time.monotonic() + SOLVING):
            other = System(with_pauses(changed.game))
            if prover.trusted and isinstance(equivalent(prover, other, strengthen=False), Proved):
                return EQUIVALENT, "proved by the solver"
    if changed.game.cells > MOST_CELLS:
        return SURVIVED, ""

    def load(readings: Mapping[str, str]) -> Game:
        found = _elaborated(game, mutant, players, readings)
        assert found is not None
        return found

    expected = _baseline(game)
    judge = Judge(changed.game, changed.given, load, QUICK)
    for result in judge.run():
        if result.counts and result.verdict.bad:
            key = (result.kind.value, result.name)
            if not expected.get(key, False):
                return key
    return SURVIVED, ""
