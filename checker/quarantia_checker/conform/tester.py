"""Plays games with an engine and finds the first position in which it is not as the rules say.

A `Plan` is a game to be played: its steps, and what a right engine reports after each. Plans are
made from the rules alone, sent many at a time, and compared when the replies are there; a plan
that differs is played once more, slowly, to see what exactly is different.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from quarantia_checker.conform.client import Answer, Client, Hello, Refusal, want_of
from quarantia_checker.conform.differing import (
    Accepted,
    Counts,
    Difference,
    Refused,
    compared,
    misbehaviour,
)
from quarantia_checker.conform.link import Fault, Misdeed
from quarantia_checker.conform.protocol import PARTS, Level
from quarantia_checker.conform.reference import Cells, Reference, Step
from quarantia_checker.conform.steering import Steering
from quarantia_checker.conform.vocabulary import Report, Vocabulary
from quarantia_engine import Move

BATCH = 1500  # steps that are sent at once


@dataclass(slots=True)
class Plan:
    """A game to be played. `texts` are the steps as sent, `expected` the reports after them."""

    steps: list[Step]
    texts: list[str]
    expected: list[Report]
    moves: int
    want: tuple[Level, ...]
    over: bool


class Tester:
    """One engine, one number of players, one set of readings."""

    __test__ = False  # pytest takes it for a class of tests

    def __init__(self, client: Client, words: Vocabulary, hello: Hello) -> None:
        self.client = client
        self.words = words
        self.reference: Reference = words.reference
        self.hello = hello
        self.levels = tuple(level for level in Level if level in hello.levels)
        self.parts = tuple(level for level in PARTS if level in hello.levels)
        self.digests = hello.digests and "replay" in hello.methods
        self.moves = 0  # compared so far
        self.games = 0
        self._new = json.dumps(self._new_params())
        self._sender = ThreadPoolExecutor(1)

    def close(self) -> None:
        self._sender.shutdown(wait=False, cancel_futures=True)

    def _new_params(self) -> dict[str, Any]:
        engine = self.reference.engine
        given = {
            table.name: self.words.table_json(table, engine.given[table.name])
            for table in engine.game.tables
            if table.values is None
        }
        return {
            "players": self.words.players,
            "data": given,
            "options": dict(engine.game.options),
            # Only what the engine itself says it plays: others are ours to find out.
            "readings": {
                key: reading
                for key, reading in engine.game.readings
                if self.hello.readings.get(key) == reading
            },
            "want": [],
        }

    # --- one position at a time -------------------------------------------------------------------

    def begin(self) -> Difference | None:
        """Starts a game and compares its first position. A refusal to play raises Fault."""
        try:
            answer = self.client.ask("new", {**self._new_params(), "want": want_of(self.parts)})
            if isinstance(answer, Refusal):
                raise Fault(
                    Misdeed.BAD_REPLY, f"the engine does not start a game: {answer.message}"
                )
            return self._difference(answer, self.reference.start, [], self.parts)
        except Fault as fault:
            return misbehaviour(fault, ())

    def _difference(
        self,
        report: Mapping[str, Any],
        cells: Cells,
        steps: Sequence[Step],
        want: Sequence[Level],
    ) -> Difference | None:
        found = compared(self.words, cells, report, want)
        return None if found is None else Difference(found[0], found[1], tuple(steps))

    def look(self, steps: Sequence[Step]) -> Difference | None:
        """Plays one game step by step, looking at everything; the first difference."""
        made: list[Step] = []
        try:
            found = self.begin()
            cells = self.reference.start
            for step in steps:
                if found is not None:
                    return found
                actors = self.reference.actors(cells)
                text = self.words.step_text(cells, actors, step)
                made.append(step)
                answer = self._apply(text, self.parts)
                if isinstance(answer, Refusal):
                    return Difference(Level.LEGAL, Refused(answer.message), tuple(made))
                cells = self.reference.after(cells, step)
                self.moves += len(step)
                found = self._difference(answer, cells, made, self.parts)
            return found
        except Fault as fault:
            return misbehaviour(fault, made)

    def _apply(self, step_text: str, want: Sequence[Level]) -> Answer:
        wanted = json.dumps(want_of(want))
        (answer,) = self.client.ask_all([("apply", f'{{"moves":{step_text},"want":{wanted}}}')])
        return answer

    def goto(self, steps: Sequence[Step]) -> Cells:
        """Plays to a position without looking. Raises Fault when the engine refuses."""
        cells = self.reference.start
        questions: list[tuple[str, str | None]] = [("new", self._new)]
        for step in steps:
            actors = self.reference.actors(cells)
            text = self.words.step_text(cells, actors, step)
            questions.append(("apply", f'{{"moves":{text},"want":[]}}'))
            cells = self.reference.after(cells, step)
        for answer in self.client.ask_all(questions):
            if isinstance(answer, Refusal):
                raise Fault(Misdeed.BAD_REPLY, f"a legal step was refused: {answer.message}")
        return cells

    # --- whole games ------------------------------------------------------------------------------

    def plan(
        self, seed: int, limit: int, prefix: Sequence[Step] = (), *, views: bool = True
    ) -> Plan:
        """A random game of at most `limit` moves that begins with some steps."""
        return self._planned(prefix, Steering(self.reference, seed), limit, views)

    def plan_of(self, steps: Sequence[Step], *, views: bool = True) -> Plan:
        """The game with exactly these steps, which must be legal."""
        return self._planned(steps, None, 0, views)

    def _planned(
        self, prefix: Sequence[Step], steering: Steering | None, limit: int, views: bool
    ) -> Plan:
        reference, words = self.reference, self.words
        want = tuple(level for level in self.parts if views or level is not Level.VIEWS)
        digest = self.digests
        with_legal, with_state = Level.LEGAL in want, Level.STATE in want
        with_views, with_outcome = Level.VIEWS in want, Level.OUTCOME in want
        seats = range(reference.engine.game.players)
        plan = Plan([], [], [], 0, want, False)
        cells = reference.start
        actors = reference.actors(cells)
        legal: list[list[int]] = []
        if steering is not None:
            legal = reference.legal(cells, actors)
        while actors:
            place = len(plan.steps)
            if place < len(prefix):
                step = prefix[place]
            elif steering is None or plan.moves >= limit:
                break
            elif all(legal):
                step = steering.choose(cells, actors, legal)
            else:
                break  # a dead end: `quarantia check` reports it
            plan.texts.append(words.step_text(cells, actors, step))
            cells = reference.after(cells, step)
            plan.steps.append(step)
            plan.moves += len(step)
            actors = reference.actors(cells)
            if with_legal or steering is not None:
                legal = reference.legal(cells, actors)
            if digest:
                report: Report = {"to_act": words.actors_json(actors)}
                if with_legal:
                    report["legal"] = words.legal_digest(cells, actors, legal)
                if with_state:
                    report["state"] = words.state_digest(cells)
                if with_views:
                    report["views"] = {
                        words.players[seat]: words.view_digest(
                            cells, reference.visible(cells, seat)
                        )
                        for seat in seats
                    }
                if with_outcome:
                    report["outcome"] = None if actors else words.outcome_json(cells)
            else:
                report = {"cells": cells}
            plan.expected.append(report)
        plan.over = not actors
        return plan

    def send(self, plans: Sequence[Plan]) -> Future[list[Answer]]:
        """Starts an exchange about some plans; `check` takes what comes of it."""
        questions: list[tuple[str, str | None]] = []
        for plan in plans:
            questions.append(("new", self._new))
            wanted = json.dumps(want_of(plan.want))
            if "replay" in self.hello.methods:
                digest = ',"digest":true' if self.digests else ""
                steps = ",".join(plan.texts)
                questions.append(("replay", f'{{"steps":[{steps}],"want":{wanted}{digest}}}'))
            else:
                questions += [
                    ("apply", f'{{"moves":{text},"want":{wanted}}}') for text in plan.texts
                ]
        return self._sender.submit(self.client.ask_all, questions)

    def check(self, plans: Sequence[Plan], sent: Future[list[Answer]]) -> tuple[int, int] | None:
        """The first plan that differs and the number of its step (from 0); None when none does.

        Raises Fault.
        """
        answers = iter(sent.result())
        for number, plan in enumerate(plans):
            first = next(answers)
            if isinstance(first, Refusal):
                raise Fault(Misdeed.BAD_REPLY, f"the engine does not start a game: {first.message}")
            if "replay" in self.hello.methods:
                at = self._check_replay(plan, next(answers))
            else:
                at = self._check_applied(plan, [next(answers) for _ in plan.steps])
            if at is not None:
                self.moves += sum(map(len, plan.steps[: at + 1]))
                return number, at
            self.games += 1
            self.moves += plan.moves
        return None

    def _check_replay(self, plan: Plan, answer: Answer) -> int | None:
        if isinstance(answer, Refusal):
            raise Fault(Misdeed.BAD_REPLY, f"`replay` was refused as a whole: {answer.message}")
        positions = answer.get("positions")
        if not isinstance(positions, list):
            raise Fault(Misdeed.BAD_REPLY, "the reply to `replay` has no list of `positions`")
        if self.digests and positions == plan.expected:
            return None
        for place, expected in enumerate(plan.expected):
            if place >= len(positions) or not self._as_expected(positions[place], expected, plan):
                return place
        return None

    def _check_applied(self, plan: Plan, answers: Sequence[Answer]) -> int | None:
        for place, (answer, expected) in enumerate(zip(answers, plan.expected, strict=True)):
            if isinstance(answer, Refusal) or not self._as_expected(answer, expected, plan):
                return place
        return None

    def _as_expected(self, report: object, expected: Report, plan: Plan) -> bool:
        if not isinstance(report, Mapping):
            raise Fault(Misdeed.BAD_REPLY, "a position in a reply is not an object")
        if "cells" in expected:
            return compared(self.words, expected["cells"], report, plan.want) is None
        return all(_same(report.get(part), value) for part, value in expected.items())

    def explain(self, plan: Plan, at: int) -> Difference | None:
        """What exactly differs after step `at` of a plan; None when a second look finds nothing."""
        steps = plan.steps[: at + 1]
        return self.look_at_last(steps) or self.look(steps)

    def look_at_last(self, steps: Sequence[Step]) -> Difference | None:
        """Plays to the last of some steps and looks at what it leads to."""
        try:
            cells = self.goto(steps[:-1])
            text = self.words.step_text(cells, self.reference.actors(cells), steps[-1])
            answer = self._apply(text, self.parts)
            if isinstance(answer, Refusal):
                return Difference(Level.LEGAL, Refused(answer.message), tuple(steps))
            after = self.reference.after(cells, steps[-1])
            return self._difference(answer, after, steps, self.parts)
        except Fault as fault:
            return misbehaviour(fault, steps)

    def compare(self, plans: Sequence[Plan]) -> Difference | None:
        """Sends some plans and waits; the first difference, looked at closely."""
        return self.finish(plans, self.send(plans))

    def finish(self, plans: Sequence[Plan], sent: Future[list[Answer]]) -> Difference | None:
        """The first difference in plans that were sent, looked at closely."""
        try:
            found = self.check(plans, sent)
        except Fault as fault:
            return self._again(plans, fault)
        if found is None:
            return None
        number, at = found
        plan = plans[number]
        difference = self.explain(plan, at)
        return difference or unstable(plan.steps[: at + 1])

    def _again(self, plans: Sequence[Plan], fault: Fault) -> Difference:
        """Which step made the engine misbehave; the engine is started afresh for it."""
        if fault.misdeed in (Misdeed.HANG, Misdeed.FLOOD, Misdeed.UNASKED):
            return misbehaviour(fault, ())
        number = fault.reply // 2 if "replay" in self.hello.methods else 0
        if number < len(plans):
            found = self.look(plans[number].steps)
            if found is not None:
                return found
        return misbehaviour(fault, ())

    # --- other questions --------------------------------------------------------------------------

    def count(self, steps: Sequence[Step], depth: int) -> Difference | None:
        """Compares `perft` after some steps."""
        try:
            cells = self.goto(steps)
            answer = self.client.ask("perft", {"depth": depth})
        except Fault as fault:
            return misbehaviour(fault, steps)
        rules = self.reference.perft(cells, depth)
        found: object = answer.message if isinstance(answer, Refusal) else answer.get("count")
        if found == rules and type(found) is int:
            return None
        return Difference(Level.LEGAL, Counts(depth, rules, found), tuple(steps))

    def undo(self, steps: Sequence[Step], back: int) -> Difference | None:
        """Plays some steps, takes the last ones back, and compares the position."""
        try:
            self.goto(steps)
            answer = self.client.ask("undo", {"steps": back, "want": want_of(self.parts)})
            kept = steps[: len(steps) - back]
            cells = self.reference.start
            for step in kept:
                cells = self.reference.after(cells, step)
            if isinstance(answer, Refusal):
                raise Fault(Misdeed.BAD_REPLY, f"`undo` was refused: {answer.message}")
            found = self._difference(answer, cells, steps, self.parts)
        except Fault as fault:
            return misbehaviour(fault, steps)
        return None if found is None else replace(found, undone=back)

    def refuses(
        self, cells: Cells, steps: Sequence[Step], moves: Sequence[Move]
    ) -> Difference | None:
        """Sends a step that the rules forbid, at the position as it is."""
        position = self.reference.position(cells)
        why = next(
            (str(each) for each in (position.explain(move) for move in moves) if not each.legal),
            "a step has one move of each player to act, in seat order",
        )
        text = json.dumps([self.words.move_json(move) for move in moves])
        return self._refuses(
            cells, steps, "apply", f'{{"moves":{text},"want":[]}}', tuple(moves), why
        )

    def refuses_message(
        self, cells: Cells, steps: Sequence[Step], line: str, why: str
    ) -> Difference | None:
        """Sends a broken message, at the position as it is."""
        return self._refuses(cells, steps, "", line, (), why)

    def _refuses(
        self,
        cells: Cells,
        steps: Sequence[Step],
        method: str,
        text: str,
        moves: tuple[Move, ...],
        why: str,
    ) -> Difference | None:
        sent = text if not moves else ""
        try:
            if method:
                (answer,) = self.client.ask_all([(method, text)])
            else:
                answer = self.client.send_line(text)
            if not isinstance(answer, Refusal):
                what = Accepted(moves, sent, False, why)
                return Difference(Level.REFUSALS, what, tuple(steps))
            if not self.unchanged(cells):
                what = Accepted(moves, sent, True, why)
                return Difference(Level.REFUSALS, what, tuple(steps))
        except Fault as fault:
            return misbehaviour(fault, steps)
        return None

    def unchanged(self, cells: Cells) -> bool:
        """True when the engine, asked again, is still where the rules are."""
        methods = self.hello.methods
        if "state" in methods and Level.STATE in self.levels:
            answer = self.client.ask("state")
            want: tuple[Level, ...] = (Level.STATE,)
        elif "legal" in methods and Level.LEGAL in self.levels:
            answer, want = self.client.ask("legal"), (Level.LEGAL,)
        else:
            return True  # the next step of the game will tell
        if isinstance(answer, Refusal):
            return False
        return compared(self.words, cells, answer, want) is None


def unstable(steps: Iterable[Step]) -> Difference:
    """A difference that was not there when looked at again."""
    message = (
        "asked for many positions at once the engine says one thing, asked step by step another: "
        "its digests are wrong, or it does not always do the same"
    )
    return misbehaviour(Fault(Misdeed.BAD_REPLY, message), tuple(steps))


def _same(found: object, expected: object) -> bool:
    if isinstance(expected, Mapping) and isinstance(found, Mapping) and "winners" in expected:
        winners = found.get("winners")
        return (
            isinstance(winners, list)
            and sorted(map(str, winners)) == sorted(expected["winners"])
            and found.get("scores") == expected["scores"]
        )
    return found == expected
