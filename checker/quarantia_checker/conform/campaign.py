"""All that is done to find out whether an engine conforms, in the order in which it pays.

First the start, then openings (short games, in which most mistakes show already), then what must
be refused, then whole games. The first difference ends it.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from quarantia_checker.conform.differing import Difference, misbehaviour
from quarantia_checker.conform.link import Fault
from quarantia_checker.conform.protocol import Level
from quarantia_checker.conform.provoking import broken_messages, forbidden_steps
from quarantia_checker.conform.reference import Step
from quarantia_checker.conform.tester import BATCH, Plan, Tester, unstable

SWITCH = 0.0005  # seconds: planning must not keep replies waiting
OPENING = 30  # moves
MOST_COUNTED = 5_000  # sequences that `perft` may have to count
FIRST_GAMES = 60  # whole games before chosen ones, which may have to be looked for
PROVOKED = 40  # positions at which refusals are tried
VIEWS_EVERY = 10  # in one game of so many, views are compared at every position


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much is asked for. `games` are whole games, of at most `limit` moves each."""

    games: int
    openings: int
    limit: int
    seconds: float
    seed: int


@dataclass(slots=True)
class Progress:
    """How far it has come, for a bar on a terminal."""

    stage: str = ""
    done: int = 0
    total: int = 0
    moves: int = 0
    refusals: int = 0
    finished: int = 0  # games that were played to their end
    conditions: set[str] = field(default_factory=set)  # conditions tried from the forbidden side
    stopped: bool = False  # out of time


Show = Callable[[Progress], None]
Watch = Callable[[Plan], None]


class Campaign:
    """One run. `watch` sees every plan before it is sent."""

    def __init__(
        self,
        tester: Tester,
        wanted: Wanted,
        corpus: Callable[[float], Sequence[Sequence[Step]]] = lambda seconds: (),
        show: Show = lambda progress: None,
        watch: Watch = lambda plan: None,
    ) -> None:
        self.tester = tester
        self.wanted = wanted
        self.corpus = corpus
        self.progress = Progress()
        self._show = show
        self._watch = watch
        self._until = time.monotonic() + wanted.seconds
        self._seed = wanted.seed

    def run(self) -> Difference | None:
        """The first difference; None when there is none, or no time left to find one."""
        tester, wanted = self.tester, self.wanted
        found = tester.begin()
        if found is not None:
            return found
        first = min(wanted.games, FIRST_GAMES)
        found = (
            self._games("openings", wanted.openings, OPENING)
            or self.refusals()
            or self.other_questions()
            or self._games("games", first, wanted.limit)
            or self._chosen()
            or self._games("games", wanted.games - first, wanted.limit)
        )
        if found is not None:
            return found
        try:
            tester.client.quiet()
        except Fault as fault:
            return misbehaviour(fault, ())
        return None

    # --- games ------------------------------------------------------------------------------------

    def games(self, games: int, limit: int) -> Difference | None:
        """So many random games, each of at most so many moves."""
        return self._games("games", games, limit)

    def _games(self, stage: str, games: int, limit: int) -> Difference | None:
        self._stage(stage, games)

        def plans(number: int) -> Plan:
            self._seed += 1
            views = stage == "openings" or number % VIEWS_EVERY == 0
            plan = self.tester.plan(self._seed, limit, views=views)
            if stage == "games":
                self.progress.finished += plan.over
            return plan

        return self._play(games, plans)

    def _chosen(self) -> Difference | None:
        self._stage("choosing games", 0)
        corpus = self.corpus(self._until - time.monotonic())
        self._stage("chosen games", len(corpus))
        return self._play(len(corpus), lambda number: self.tester.plan_of(corpus[number]))

    def _play(self, games: int, make: Callable[[int], Plan]) -> Difference | None:
        """Plays games, planning some while the engine answers about others."""
        sys.setswitchinterval(SWITCH)
        tester = self.tester
        waiting: tuple[list[Plan], object] | None = None
        number = 0
        size = 100
        while number < games or waiting is not None:
            batch: list[Plan] = []
            planned = 0
            while number < games and planned < size and not self._out_of_time():
                plan = make(number)
                self._watch(plan)
                number += 1
                batch.append(plan)
                planned += plan.moves + 1
            size = min(2 * size, BATCH)
            if waiting is not None:
                plans, sent = waiting
                found = tester.finish(plans, sent)  # type: ignore[arg-type]
                self.progress.done += len(plans)
                self._tell()
                if found is not None:
                    return found
            waiting = (batch, tester.send(batch)) if batch else None
            if not batch and number < games:
                self.progress.stopped = True
                return None
        return None

    # --- other questions --------------------------------------------------------------------------

    def refusals(self) -> Difference | None:
        """Illegal steps and broken messages at positions of many kinds."""
        tester, progress = self.tester, self.progress
        if Level.REFUSALS not in tester.levels:
            return None
        chance = random.Random(self.wanted.seed)
        self._stage("refusals", PROVOKED)
        for number in range(PROVOKED):
            if self._out_of_time():
                progress.stopped = True
                return None
            self._seed += 1
            limit = 40 if number % 2 else 200
            plan = tester.plan(self._seed, chance.randrange(limit), views=False)
            steps = plan.steps
            try:
                cells = tester.goto(steps)
                if not tester.unchanged(cells):
                    # A mistake that has nothing to do with refusals.
                    return tester.look(steps) or unstable(steps)
            except Fault as fault:
                return tester.look(steps) or misbehaviour(fault, steps)
            if number in (0, 1, PROVOKED - 1):
                for line, why in broken_messages(tester.words, cells):
                    found = tester.refuses_message(cells, steps, line, why)
                    progress.refusals += 1
                    if found is not None:
                        return found
            for each in forbidden_steps(tester.reference, cells, chance, progress.conditions):
                found = tester.refuses(cells, steps, each.moves)
                progress.refusals += 1
                if found is not None:
                    return found
                progress.conditions.add(each.place)
            progress.done += 1
            self._tell()
        return None

    def other_questions(self) -> Difference | None:
        """`undo` and `perft`, where the engine has them."""
        tester = self.tester
        chance = random.Random(self.wanted.seed + 1)
        for _ in range(10):
            if self._out_of_time():
                return None
            self._seed += 1
            steps = tester.plan(self._seed, chance.randrange(2, 60), views=False).steps
            if "undo" in tester.hello.methods and steps:
                found = tester.undo(steps, chance.randint(1, len(steps)))
                if found is not None:
                    return found
            if "perft" in tester.hello.methods:
                depth = self._depth(steps)
                if depth:
                    found = tester.count(steps, depth)
                    if found is not None:
                        return found
        return None

    def _depth(self, steps: Sequence[Step]) -> int:
        """How deep `perft` can count from here without taking long; 0 when not even one step."""
        reference = self.tester.reference
        cells = reference.start
        for step in steps:
            cells = reference.after(cells, step)
        if reference.perft(cells, 1) > MOST_COUNTED:
            return 0
        width = reference.perft(cells, 1)
        depth = 1
        while depth < 3 and width ** (depth + 1) <= MOST_COUNTED and width > 1:
            depth += 1
        return depth

    # --- progress ---------------------------------------------------------------------------------

    def _out_of_time(self) -> bool:
        return time.monotonic() >= self._until

    def _stage(self, name: str, total: int) -> None:
        self.progress.stage, self.progress.done, self.progress.total = name, 0, total
        self._tell()

    def _tell(self) -> None:
        self.progress.moves = self.tester.moves
        self._show(self.progress)
