"""Games that together exercise every rule, case, condition and boundary. Read `planned`.

Games are played at random, and a game that comes to something new is kept up to there; later games
go on from games that were kept. What is still missing is then looked at one by one: it may be
impossible, the solver may know a play to it, or it stays unreached. Which games are kept does not
depend on the engine under test, so they are remembered from one run to the next.
"""

from __future__ import annotations

import itertools
import pickle
import random
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from quarantia_checker.conform.probing import Aim, Probes, Target
from quarantia_checker.conform.reference import Cells, Reference, Step
from quarantia_checker.conform.steering import Steering
from quarantia_engine import BrokenRule, Move
from quarantia_engine.analysis import Facts, walk
from quarantia_engine.encoding import CHANCE
from quarantia_spec.cache import content_key, read_cached, write_cached
from quarantia_spec.ir import Expr, Fold, Local

KIND = "conformance"
SECONDS = 15.0  # of play in search of something new
IDLE_GAMES = 60  # games without anything new after which play has shown what it can
LONGEST = 1_500  # steps of one game
ATTEMPTS = 3  # moves tried at each position besides the one that is made
MOST_TRIED = 4_096  # values of locals that are tried one by one
SHOWN = 12  # missing targets that are spelt out


@dataclass(frozen=True, slots=True)
class Missing:
    """A target that no game exercises, and why."""

    target: Target
    why: str
    impossible: bool = False


@dataclass(frozen=True, slots=True)
class Covered:
    """`corpus` are the games, shortest first; `missing` says what they leave out."""

    corpus: tuple[tuple[Step, ...], ...]
    total: int
    hit: int
    by_aim: tuple[tuple[str, int, int], ...]  # aim, exercised, in all
    missing: tuple[Missing, ...]
    games: int
    proposed: int  # plays that the solver found

    def as_json(self) -> dict[str, Any]:
        return {
            "targets": self.total,
            "covered": self.hit,
            "impossible": sum(each.impossible for each in self.missing),
            "games": len(self.corpus),
            "proposed_by_solver": self.proposed,
            "by_kind": {aim: {"covered": hit, "targets": all_} for aim, hit, all_ in self.by_aim},
            "not_covered": [
                {
                    "kind": each.target.aim.value,
                    "what": str(each.target),
                    "place": str(each.target.origin.span),
                    "passages": [
                        str(cited)
                        for cited in each.target.origin.citations
                        if cited.section != "own"
                    ],
                    "why": each.why,
                    "impossible": each.impossible,
                }
                for each in self.missing
            ],
        }

    def write(self, out: TextIO) -> None:
        impossible = sum(each.impossible for each in self.missing)
        rest = [each for each in self.missing if not each.impossible]
        parts = ", ".join(f"{aim} {hit}/{all_}" for aim, hit, all_ in self.by_aim)
        out.write(
            f"    covered {self.hit} of {self.total} cases of the rules by {len(self.corpus)} "
            f"chosen games ({parts})\n"
        )
        if self.missing:
            out.write(f"    not covered: {impossible} impossible, {len(rest)} not reached\n")
        for each in rest[:SHOWN]:
            text = f"{each.target} ({each.target.origin.span}): {each.why}"
            out.write(
                textwrap.fill(
                    text,
                    100,
                    initial_indent="      ",
                    subsequent_indent="        ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
                + "\n"
            )
        if len(rest) > SHOWN:
            out.write(f"      and {len(rest) - SHOWN} more (--json lists all)\n")


def planned(
    reference: Reference,
    seed: int = 0,
    seconds: float = SECONDS,
    show: Callable[[int, int], None] = lambda hit, total: None,
) -> Covered:
    """Games for a game, from the cache when they are known."""
    known = remembered(reference, seed, seconds)
    if known is None:
        known = _Search(reference, seed).run(seconds, show)
        write_cached(KIND, _key(reference, seed, seconds), pickle.dumps(known))
    return known


def remembered(reference: Reference, seed: int = 0, seconds: float = SECONDS) -> Covered | None:
    """Games that were found before."""
    content = read_cached(KIND, _key(reference, seed, seconds))
    if content is None:
        return None
    try:
        known = pickle.loads(content)
    except Exception:  # damaged: it is worked out again
        return None
    return known if isinstance(known, Covered) else None


def _key(reference: Reference, seed: int, seconds: float) -> str:
    engine = reference.engine
    data = repr(sorted(engine.given.items()))
    return content_key(engine.fingerprint, data, repr((seed, seconds)), _own_code())


@cache
def _own_code() -> str:
    folder = Path(__file__).parent
    names = ("coverage.py", "probing.py", "steering.py", "proposing.py")
    return repr([(folder / name).read_bytes() for name in names if (folder / name).is_file()])


class _Search:
    def __init__(self, reference: Reference, seed: int) -> None:
        self.reference = reference
        self.probes = Probes(reference)
        self.chance = random.Random(seed)
        self.corpus: list[tuple[Step, ...]] = []
        self.covered: set[int] = set()
        self.games = 0

    def run(self, seconds: float, show: Callable[[int, int], None]) -> Covered:
        until = time.monotonic() + seconds
        idle = 0
        total = len(self.probes.targets)
        while idle < IDLE_GAMES and time.monotonic() < until and len(self.covered) < total:
            idle = 0 if self._game(until) else idle + 1
            show(len(self.covered), total)
        missing = [number for number in range(total) if number not in self.covered]
        reasons = {number: self._why(self.probes.targets[number]) for number in missing}
        proposed = self._proposed([n for n in missing if not reasons[n].impossible], reasons)
        left = [number for number in missing if number not in self.covered]
        aims = Counter(each.aim for each in self.probes.targets)
        hit = Counter(self.probes.targets[number].aim for number in self.covered)
        return Covered(
            tuple(sorted(self.corpus, key=len)),
            total,
            len(self.covered),
            tuple((aim.value, hit[aim], aims[aim]) for aim in Aim if aims[aim]),
            tuple(reasons[number] for number in left),
            self.games,
            proposed,
        )

    # --- playing ----------------------------------------------------------------------------------

    def _game(self, until: float) -> bool:
        """Plays one game; true when it came to something new, and is kept up to there."""
        prefix: Sequence[Step] = ()
        if self.corpus and self.chance.random() < 0.5:
            chosen = self.corpus[self.chance.randrange(len(self.corpus))]
            prefix = chosen[: self.chance.randint(len(chosen) // 2, len(chosen))]
        self.games += 1
        return self.follow(prefix, Steering(self.reference, self.chance.getrandbits(30)), until)

    def follow(self, prefix: Sequence[Step], steering: Steering | None, until: float) -> bool:
        """Plays some steps, then goes on as steered, and notes what is exercised."""
        reference, probes = self.reference, self.probes
        steps: list[Step] = []
        cells = reference.start
        last_new = 0
        try:
            for place in range(LONGEST):
                actors = reference.actors(cells)
                if not actors:
                    probes.outcome(cells)
                    break
                if place < len(prefix):
                    step = prefix[place]
                elif steering is None or time.monotonic() > until:
                    break
                else:
                    legal = reference.legal(cells, actors)
                    if not all(legal):
                        break
                    step = steering.choose(cells, actors, legal)
                if steering is None or place >= len(prefix):
                    self._attempts(cells, actors)
                    cells = probes.step(cells, step)
                else:
                    cells = reference.after(cells, step)
                steps.append(step)
                if self._news():
                    last_new = len(steps)
        except (BrokenRule, IndexError, ZeroDivisionError):
            pass  # a defect of the rules: `quarantia check` reports it
        if self._news():
            last_new = len(steps)
        if last_new:
            self.corpus.append(tuple(steps[:last_new]))
        return bool(last_new)

    def _attempts(self, cells: Cells, actors: Sequence[int]) -> None:
        """Asks about moves that may be forbidden: the engine's list of moves is compared here."""
        shapes = self.reference.engine.shapes(cells[0])
        for _ in range(ATTEMPTS):
            actor = actors[self.chance.randrange(len(actors))]
            shape = shapes[self.chance.randrange(len(shapes))]
            arguments = tuple(
                (choice.name, self.chance.randint(choice.sort.low, choice.sort.high))
                for choice in shape.rule.choices
            )
            move = Move(shape.rule.name, arguments, None if actor == CHANCE else actor)
            self.probes.attempt(cells, move)

    def _news(self) -> bool:
        new = [n for n, hits in enumerate(self.probes.hits) if hits and n not in self.covered]
        self.covered.update(new)
        return bool(new)

    # --- what is missing --------------------------------------------------------------------------

    def _why(self, target: Target) -> Missing:
        if target.aim is Aim.RULE:
            return Missing(target, "no game that was played carries it out")
        assert target.condition is not None
        facts = Facts(self.reference.engine.game)
        if not facts.reads(target.condition):
            possible = any(self._values(target.condition))
            if not possible:
                return Missing(target, "it is settled by the rules and rulings alone", True)
        return Missing(target, "no game that was played comes to it")

    def _values(self, condition: Expr) -> Iterator[bool]:
        """Whether a condition that looks at no position holds, for all values of its locals."""
        sorts = _free_sorts(condition)
        size = 1
        for sort in sorts.values():
            size *= sort.size
        if size > MOST_TRIED:
            yield True
            return
        evaluate = self.reference.engine.evaluator.value
        for values in itertools.product(
            *(range(sort.low, sort.high + 1) for sort in sorts.values())
        ):
            try:
                yield bool(
                    evaluate(condition, self.reference.start, dict(zip(sorts, values, strict=True)))
                )
            except (IndexError, ZeroDivisionError):
                yield False

    def _proposed(self, missing: Sequence[int], reasons: dict[int, Missing]) -> int:
        """Asks the solver for plays to what is missing; follows those that it finds."""
        from quarantia_checker.conform.proposing import Proposer

        proposer = Proposer(self.reference)
        found = 0
        for number in missing:
            if number in self.covered:
                continue
            answer = proposer.propose(self.probes.targets[number])
            if isinstance(answer, Missing):
                reasons[number] = answer
            elif answer is not None:
                self.follow(answer, None, time.monotonic() + 5)
                found += number in self.covered
                why = "the solver knows a play to such a position, but nothing looks at it there"
                reasons[number] = Missing(self.probes.targets[number], why)
        return found


def _free_sorts(expr: Expr) -> dict[str, Any]:
    """The locals that an expression needs from outside, with their sorts."""
    bound = {part.name for part in walk(expr) if isinstance(part, Fold)}
    return {
        part.name: part.sort
        for part in walk(expr)
        if isinstance(part, Local) and part.name not in bound
    }


def closed(expr: Expr) -> Expr:
    """The expression, true for some values of the locals that it needs from outside."""
    from quarantia_checker.passages import for_some
    from quarantia_spec.ir import Parameter

    parameters = tuple(Parameter(name, sort) for name, sort in _free_sorts(expr).items())
    return for_some(parameters, expr) if parameters else expr
