"""A difference found in a long game, looked for in shorter ones. Read `shrink`.

Three ways to a shorter game are tried in turn, many at a time: begin like the game at hand and go
on at random; leave out some of its steps and mend what is no longer legal; start afresh.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from quarantia_checker.conform.differing import Accepted, Counts, Difference, Misbehaviour
from quarantia_checker.conform.link import Fault, Misdeed
from quarantia_checker.conform.protocol import Level
from quarantia_checker.conform.provoking import forbidden_steps
from quarantia_checker.conform.reference import Reference, Step
from quarantia_checker.conform.tester import Plan, Tester
from quarantia_engine import BrokenRule, Move

AT_ONCE = 800  # moves that are sent together
SHORT = 25  # moves
SHORT_PATIENCE = 8  # rounds without success after which a short game is short enough
PATIENCE = 60  # and a longer one
AHEAD = 8  # how far a mended game looks ahead for a move that is legal now


def shrink(
    tester: Tester,
    found: Difference,
    seconds: float,
    same: Callable[[Difference], bool] | None = None,
    seed: int = 0,
    show: Callable[[int], None] = lambda moves: None,
) -> Difference:
    """A difference of the same kind after as few moves as could be found in the time given."""
    match found.what:
        case Misbehaviour(misdeed=Misdeed.HANG | Misdeed.FLOOD):
            return found  # each try would take as long as the first
        case _:
            pass
    alike = same or (lambda other: _alike(found, other))
    chance = random.Random(seed)
    best = found
    until = time.monotonic() + seconds
    if isinstance(found.what, Accepted | Counts) or found.undone:
        return _asked_elsewhere(tester, found, alike, chance, until)
    idle = 0
    while time.monotonic() < until and moves_in(best.steps) > 1:
        if idle >= (SHORT_PATIENCE if moves_in(best.steps) <= SHORT else PATIENCE):
            break
        better = _round(tester, best, alike, chance)
        idle = idle + 1 if better is None else 0
        if better is not None:
            best = better
            show(moves_in(best.steps))
    return _simplified(tester, best, alike, until)


def _asked_elsewhere(
    tester: Tester,
    found: Difference,
    alike: Callable[[Difference], bool],
    chance: random.Random,
    until: float,
) -> Difference:
    """The same question (a forbidden step, `undo`, `perft`) asked after fewer moves."""
    for limit in (0, 1, 2, 4, 7, 8, 10, 13, 16, 20, 25, 30, 40, 60, 90):
        for _ in range(6):
            if limit >= moves_in(found.steps) or time.monotonic() >= until:
                return found
            steps = tester.plan(chance.getrandbits(30), limit, views=False).steps
            better = _ask(tester, found, steps, chance)
            if better is not None and alike(better):
                return better
    return found


def _ask(
    tester: Tester, found: Difference, steps: Sequence[Step], chance: random.Random
) -> Difference | None:
    match found.what:
        case _ if found.undone:
            back = min(found.undone, len(steps))
            return tester.undo(steps, back) if back else None
        case Counts(depth=depth):
            return tester.count(steps, depth)
        case Accepted(sent=sent, why=why):
            try:
                cells = tester.goto(steps)
                if not tester.unchanged(cells):
                    return None
            except Fault:
                return None
            if sent:
                return tester.refuses_message(cells, steps, sent, why)
            for each in forbidden_steps(tester.reference, cells, chance, set()):
                better = tester.refuses(cells, steps, each.moves)
                if better is not None:
                    return better
            return None
        case _:
            return None


def moves_in(steps: Sequence[Step]) -> int:
    return sum(len(step) for step in steps)


def _alike(first: Difference, second: Difference) -> bool:
    if isinstance(first.what, Misbehaviour) and isinstance(second.what, Misbehaviour):
        return first.what.misdeed is second.what.misdeed
    # What is first seen as another position may show as other moves in a shorter game.
    return isinstance(second.what, Misbehaviour) == isinstance(first.what, Misbehaviour) and (
        first.level is second.level
        or {first.level, second.level} <= {Level.LEGAL, Level.STATE, Level.OUTCOME}
    )


def _round(
    tester: Tester,
    best: Difference,
    alike: Callable[[Difference], bool],
    chance: random.Random,
) -> Difference | None:
    """Some shorter games; the shortest in which the difference shows."""
    length = moves_in(best.steps)
    plans: list[Plan] = []
    planned = 0
    while planned < AT_ONCE and len(plans) < 60:
        plan = _candidate(tester, best, length - 1, chance)
        if not plan.steps:
            continue
        plans.append(plan)
        planned += plan.moves
    plans.sort(key=lambda plan: plan.moves)
    found = tester.compare(plans)
    if found is not None and alike(found) and moves_in(found.steps) < length:
        return found
    return None


def _candidate(tester: Tester, best: Difference, limit: int, chance: random.Random) -> Plan:
    how = chance.random()
    steps, views = best.steps, best.level is Level.VIEWS
    if how < 0.3:
        kept = steps[: chance.randrange(len(steps))]
        return tester.plan(chance.getrandbits(30), limit, kept, views=views)
    if how < 0.4:
        return tester.plan(chance.getrandbits(30), limit, views=views)
    moves = moves_of(tester.reference, steps)
    first = chance.randrange(len(moves))
    last = min(len(moves), first + 1 + int(chance.expovariate(3 / len(moves))))
    kept_moves = [*moves[:first], *moves[last:]]
    return tester.plan_of(mended(tester.reference, kept_moves, limit, chance), views=views)


def moves_of(reference: Reference, steps: Sequence[Step]) -> list[Move]:
    """The moves of some steps, one after the other."""
    cells = reference.start
    found: list[Move] = []
    for step in steps:
        found += reference.moves(cells, step)
        cells = reference.after(cells, step)
    return found


def mended(
    reference: Reference, wanted: Sequence[Move], limit: int, chance: random.Random
) -> list[Step]:
    """A legal game of at most `limit` moves that is as much like the wanted moves as can be."""
    left = list(wanted)
    cells = reference.start
    steps: list[Step] = []
    made = 0
    while left:
        actors = reference.actors(cells)
        if not actors or made + len(actors) > limit:
            break
        position = reference.position(cells)
        step: list[int] = []
        for actor, numbers in zip(actors, reference.legal(cells, actors), strict=True):
            if not numbers:
                return steps
            player = None if actor < 0 else actor
            for place, move in enumerate(left[:AHEAD]):
                number = position.number_of(move) if move.player == player else None
                if number is not None and number in numbers:
                    step.append(number)
                    del left[place]
                    break
            else:
                step.append(numbers[chance.randrange(len(numbers))])
        try:
            cells = reference.after(cells, tuple(step))
        except BrokenRule:
            return steps
        steps.append(tuple(step))
        made += len(step)
    return steps


def _simplified(
    tester: Tester, best: Difference, alike: Callable[[Difference], bool], until: float
) -> Difference:
    """The same game with the first choice wherever the choice does not matter."""
    reference = tester.reference
    for place in range(len(best.steps)):
        if time.monotonic() >= until:
            break
        cells = reference.start
        for step in best.steps[:place]:
            cells = reference.after(cells, step)
        actors = reference.actors(cells)
        simple = tuple(min(numbers) for numbers in reference.legal(cells, actors) if numbers)
        if simple == best.steps[place] or len(simple) != len(actors):
            continue
        steps = [*best.steps[:place], simple]
        rest = moves_of(reference, best.steps)[moves_in(best.steps[: place + 1]) :]
        try:
            cells = reference.after(cells, simple)
            for _ in best.steps[place + 1 :]:
                actors = reference.actors(cells)
                follow = reference.step_of(cells, rest[: len(actors)]) if actors else None
                if follow is None:
                    break
                rest = rest[len(actors) :]
                steps.append(follow)
                cells = reference.after(cells, follow)
        except BrokenRule:
            continue
        views = best.level is Level.VIEWS
        found = tester.compare([tester.plan_of(steps, views=views)])
        if found is not None and alike(found) and moves_in(found.steps) <= moves_in(best.steps):
            best = found
            if place >= len(best.steps):
                break
    return best
