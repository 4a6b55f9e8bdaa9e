"""Proof by induction over every transition, with auxiliary facts found on the way.

`Prover.establish` takes facts wanted at nodes and keeps those that hold at the beginning and that
every transition preserves, together with all that is kept. `Prover.prove` settles one question
about the positions at a node. Both strengthen when they fail: the position that spoils the proof
(it obeys every fact so far) points at candidates that would exclude it.

NOTE(lazy-houdini) Facts offered beforehand are dropped as soon as a position breaks them. For one
that is wanted, candidates are tried that exclude the position, and it is dropped for good at a
node only when there are none. What is left is inductive as a whole, whatever the order.

NOTE(proof-records) Each step of a proof remembers the facts it used. When a fact is dropped only
the steps that used it are taken again.

NOTE(stable) Facts are about stable positions. Ranges come first and are proved like any fact; the
`Oblige` statements of the rules, assumed on the way because the engine stops there, make them
inductive.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from quarantia_checker.cones import Cones, bits
from quarantia_checker.desks import Desk, Premise, Reply
from quarantia_checker.encode import Frame, in_sort
from quarantia_checker.facts import NEVER, Fact, constant_cell, constant_of, family
from quarantia_checker.lifting import Lifter
from quarantia_checker.solver import Answer, Model
from quarantia_checker.spans import Road, lasting_constants
from quarantia_checker.terms import AND, IF, Term, Value
from quarantia_checker.transition import Arrival, System, Transition
from quarantia_checker.values import conjoin, disjoin, negate, same, substitute
from quarantia_spec.ir import Sort

HELPERS_AT_ONCE = 6
DEEPEST = 3  # so far from what is wanted are helpers of helpers of helpers: not helped themselves
OFFERED = 4  # offered beforehand, wanted by nobody
GOALS_AT_ONCE = 16
MOST_ROUNDS = 12  # of helpers for one spoiling position
SHORT = 0.5  # seconds for several goals together; alone each has more
MODEST = 1.0  # seconds for what is merely offered


Site = tuple[int, Fact]  # a fact at a node


@dataclass(frozen=True, slots=True)
class Spoiler:
    """A position that obeys every fact known at `node` and yet breaks what was asked.

    `relevant` are the cells that do it, where that is known.
    """

    node: int | None
    cells: tuple[int, ...]
    given: tuple[tuple[str, int], ...] = ()
    relevant: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Proved:
    """It holds in every position that play can reach.

    `used` are facts, and where they hold, from which it follows; see `Prover.support`.
    """

    used: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """Not proved. `spoiler` is consistent with everything proved; None when out of time."""

    spoiler: Spoiler | None


@dataclass(frozen=True, slots=True)
class Question:
    """Can `bad` hold in a stable position at `node`? With `transition`, while it is taken.

    `given` is known to hold whenever the transition comes to where `bad` matters. `twin` is a
    second position at the same node, about which the same facts are known.
    """

    name: str
    node: int | None
    bad: Value
    transition: Transition | None = None
    twin: Frame | None = None
    given: tuple[Value, ...] = ()


class Pool(Protocol):
    """Where auxiliary facts come from."""

    def violated(self, spoiler: Spoiler) -> Iterable[Fact]:
        """Facts worth trying at its node that this position violates, the best first."""

    def known(self, node: int) -> Iterable[Fact]:
        """Facts that held at the node when the rules were last checked."""

    def plausible(self, node: int, fact: Fact) -> bool:
        """The fact is worth trying at this node too."""

    def example(self, node: int) -> Sequence[int]:
        """A position that play has come to at the node; () when none is known."""

    def instead(self, node: int) -> Iterable[Fact]:
        """Facts to try where it was thought that play never comes."""

    def seen(self, source: int, target: int) -> Sequence[tuple[Sequence[int], Sequence[int]]]:
        """Positions that play has gone from and to on its way from one node to another."""

    def offered(self, node: int) -> Iterable[Fact]:
        """Facts that are likely to hold at the node, tried before anything is asked."""

    def test(self, fact: Fact) -> Callable[[Sequence[int]], bool] | None:
        """A fast way to see whether a fact that depends on the cells alone is true of them."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """A pool without facts."""

    def violated(self, spoiler: Spoiler) -> Iterable[Fact]:
        return ()

    def known(self, node: int) -> Iterable[Fact]:
        return ()

    def plausible(self, node: int, fact: Fact) -> bool:
        return False

    def example(self, node: int) -> Sequence[int]:
        return ()

    def instead(self, node: int) -> Iterable[Fact]:
        return ()

    def seen(self, source: int, target: int) -> Sequence[tuple[Sequence[int], Sequence[int]]]:
        return ()

    def offered(self, node: int) -> Iterable[Fact]:
        return ()

    def test(self, fact: Fact) -> Callable[[Sequence[int]], bool] | None:
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One transition to one node where it may arrive."""

    transition: Transition
    arrival: Arrival
    changed: int  # the mask of the cells that it changes


@dataclass(frozen=True, slots=True)
class Step:
    """A proof that some facts hold after a way, from the facts before it that it used."""

    way: Way
    goals: tuple[Fact, ...]
    used: tuple[Premise, ...]


def _sites(node: int | None, used: Iterable[Premise]) -> tuple[Site, ...]:
    if node is None:
        return ()
    return tuple((node, each.fact) for each in used if each.fact is not None)


@dataclass
class Prover:
    """Holds what is proved about one system, with the help of the pool."""

    system: System
    pool: Pool = Nothing()
    seconds: float = 10.0
    deadline: float = float("inf")
    data: Mapping[str, Sequence[int]] = field(default_factory=dict)  # of the plays that are known
    held: dict[int, dict[Fact, None]] = field(default_factory=dict)
    ranges_hold: bool = False
    unrolled: bool = True  # every loop of automatic nodes was followed to its end
    answered: list[tuple[Question, tuple[Premise, ...]]] = field(default_factory=list)
    _work: dict[int, dict[Fact, None]] = field(default_factory=dict)
    _dead: set[Site] = field(default_factory=set)
    _lost: set[Site] = field(default_factory=set)
    _spurned: set[Site] = field(default_factory=set)
    _level: dict[Fact, int] = field(default_factory=dict)
    _steps: dict[Way, dict[Fact, Step]] = field(default_factory=dict)
    _users: dict[Site, list[tuple[Way, Step]]] = field(default_factory=dict)
    _desks: dict[tuple[str, int], Desk] = field(default_factory=dict)
    _claims: dict[tuple[Way, Fact], Value] = field(default_factory=dict)
    _renamed: dict[Way, dict[Term, Value]] = field(default_factory=dict)
    _premises: dict[Fact, Premise] = field(default_factory=dict)
    _rank: dict[Fact, int] = field(default_factory=dict)  # the order in which they came up

    def __post_init__(self) -> None:
        self.cones = Cones(self.system)
        self._lifter = Lifter(self.system, self.cones)
        encoder = self.system.encoder
        self._examples = encoder.examples(self.data)
        self._assumed = [
            Premise(each, self.cones.mask(each), None, True) for each in encoder.assumed
        ]
        self.ways = [
            Way(transition, arrival, self._changes(transition, arrival))
            for transition in self.system.everything
            for arrival in transition.arrivals
        ]
        self._ways_to: dict[int, list[Way]] = {node: [] for node in self.system.points}
        for way in self.ways:
            self._ways_to[way.arrival.node].append(way)
            self._steps[way] = {}
        sources = {way.transition.source for way in self.ways}
        self._leading_on = [node for node in self.system.points if node in sources]
        for node in self.system.points:
            self.held.setdefault(node, {})
        if not self._remember():
            self._offer()
        self.ranges_hold = self._prove_ranges()

    @contextmanager
    def no_later_than(self, moment: float) -> Iterator[None]:
        """Meanwhile the work ends at this moment of the monotonic clock, if not before."""
        deadline, self.deadline = self.deadline, min(self.deadline, moment)
        try:
            yield
        finally:
            self.deadline = deadline

    def _remember(self) -> bool:
        """Establish again what was known; whether anything was, and all of it still holds."""
        known = {node: tuple(self.pool.known(node)) for node in self.system.points}
        self.establish(known)
        return any(known.values()) and all(
            self.holds(node, fact) for node, facts in known.items() for fact in facts
        )

    def _offer(self) -> None:
        """Try what is likely to hold; constants only where spans do not exclude them."""
        system = self.system
        offered = {node: list(self.pool.offered(node)) for node in system.points}
        guesses: dict[int, dict[int, int]] = {}
        for node, facts in offered.items():
            cells = ((constant_cell(fact), fact) for fact in facts)
            guesses[node] = {c: constant_of(fact) for c, fact in cells if c is not None}
        roads = [
            Road(
                way.transition.source,
                way.arrival.node,
                (way.transition.taken, way.arrival.condition),
                way.arrival.frame.cells,
            )
            for way in self.ways
        ]
        never = [node for node, facts in offered.items() if NEVER in facts]
        given = {term: (sort.low, sort.high) for term, sort in system.encoder.unknowns.items()}
        kept = lasting_constants(roads, system.frame.cells, system.sorts, given, guesses, never)
        self.establish(
            {
                node: [
                    fact
                    for fact in facts
                    if (cell := constant_cell(fact)) is None or cell in kept[node]
                ]
                for node, facts in offered.items()
            },
            OFFERED,
        )

    def _changes(self, transition: Transition, arrival: Arrival) -> int:
        if transition.source is None:
            return -1
        mask = 0
        rows = zip(self.system.frame.cells, arrival.frame.cells, strict=True)
        for number, (before, after) in enumerate(rows):
            if not same(before, after):
                mask |= 1 << number
        return mask

    # --- ranges -----------------------------------------------------------------------------

    def _prove_ranges(self) -> bool:
        """That cells keep to their sorts, which every desk takes for granted.

        The facts that help here are kept if the ranges are, and the ranges if the facts are:
        together they are inductive.
        """
        for way in self.ways:
            for cell, sort in enumerate(self.system.sorts):
                if cell == 0 or not way.changed >> cell & 1:
                    continue
                value = way.arrival.frame.cells[cell]
                inside = in_sort(value, sort)
                if inside is True or self._plainly_inside(value, sort):
                    continue
                transition = way.transition
                bad = conjoin((way.arrival.condition, negate(inside)))
                name = f"range of {self.system.names[cell]}, {transition.name}"
                question = Question(
                    name, transition.source, bad, transition, given=transition.passed
                )
                if not isinstance(self._prove(question, strengthen=True), Proved):
                    return False
        return True

    def _plainly_inside(self, value: Value, sort: Sort) -> bool:
        """The value is chosen among numbers and cells that are of the sort."""
        todo = [value]
        numbers = self.system.cell_numbers
        while todo:
            part = todo.pop()
            if type(part) is not Term:
                if not sort.low <= part <= sort.high:
                    return False
            elif part.kind == IF:
                todo += part.parts[1:]
            else:
                cell = numbers.get(part)
                if cell is None or not self.system.sorts[cell].within(sort):
                    return False
        return True

    @property
    def trusted(self) -> bool:
        """Without this nothing is proved: ranges hold, and no transition was cut short."""
        return self.ranges_hold and self.unrolled

    def check_unrolling(self) -> None:
        """Prove that play never gets past where the unrolling of loops was cut off.

        NOTE(cut) Transitions say nothing of play beyond a cut, so facts kept by them are facts
        only if no position that has them comes to the cut. Until that is proved nothing is.
        """
        self.unrolled = all(
            isinstance(
                self.prove(Question(transition.name, transition.source, cut.condition, transition)),
                Proved,
            )
            for transition in self.system.everything
            for cut in transition.stuck
        )

    # --- facts ------------------------------------------------------------------------------

    def holds(self, node: int, fact: Fact) -> bool:
        return fact in self.held[node]

    def establish(
        self,
        wanted: Mapping[int, Iterable[Fact]],
        level: int = 0,
        needed: frozenset[Site] = frozenset(),
    ) -> None:
        """Like `_establish`, with everything to try that was lost on the way to something else."""
        self._lost.clear()
        self._establish(wanted, level, needed)

    def _establish(
        self,
        wanted: Mapping[int, Iterable[Fact]],
        level: int = 0,
        needed: frozenset[Site] = frozenset(),
    ) -> None:
        """Add to `held` what can be kept of `wanted`, with the candidates that support it.

        Facts from level `DEEPEST` on are not worth being helped: they stay or go as they are.
        The rest is of no use without what is `needed`: once that is lost nothing is added.
        """
        self._work = {node: {} for node in self.system.points}
        for node, facts in wanted.items():
            for fact in facts:
                if fact not in self.held[node] and not self._gone(node, fact):
                    self._want(node, fact, level)
        queue = deque(way for way in self.ways if self._work[way.arrival.node])
        waiting = set(queue)
        while queue and time.monotonic() <= self.deadline and self._dead.isdisjoint(needed):
            way = queue.popleft()
            waiting.discard(way)
            for other in self._settle(way):
                if other not in waiting:
                    waiting.add(other)
                    queue.append(other)
        # When time ran out, even within the last `_settle`, nothing wanted has been proved, nor
        # when work stopped before its end; and what is wanted must not linger where a later proof
        # would take it for known.
        kept, self._work = self._work, {}
        if time.monotonic() <= self.deadline and self._dead.isdisjoint(needed):
            for node, facts in kept.items():
                self.held[node].update(facts)
            return
        for way in self.ways:
            held = self.held[way.arrival.node]
            self._steps[way] = {f: step for f, step in self._steps[way].items() if f in held}

    def _want(self, node: int, fact: Fact, level: int) -> None:
        self._work[node][fact] = None
        self._level[fact] = min(level, self._level.get(fact, level))

    def _settle(self, way: Way) -> list[Way]:
        """Make the way respect the facts wanted where it arrives; the ways to look at again."""
        again = self._drop(way.arrival.node, self._spurned_before(way))
        while time.monotonic() <= self.deadline:
            goals = self._next_goals(way)
            if not goals:
                break
            reply = self._ask(way, goals)
            if reply.answer is Answer.UNSATISFIABLE:
                self._record(Step(way, tuple(goals), reply.used))
                continue
            if reply.answer is Answer.UNKNOWN:
                given_up, one = self._one_by_one(way, goals)
                if given_up or one is None:
                    again += self._drop(way.arrival.node, given_up)
                    continue
                reply = one
            broken = self._broken(way, reply.model) or list(goals)
            lowly = [fact for fact in broken if self._level[fact] >= DEEPEST]
            if lowly:
                broken = self._with_variables(way.arrival.node, lowly)
            elif helpers := self._helpers(self._spoiler_of(way, broken, reply.model)):
                level = 1 + min(self._level[fact] for fact in broken)
                again += self._hire(helpers, level)
                continue
            again += self._drop(way.arrival.node, broken)
        return again

    def _spurned_before(self, way: Way) -> list[Fact]:
        """What is only offered, was given up at the source, and concerns nothing that changes.

        It might still hold where the way arrives, but to find out is dear, and seldom pays.
        """
        source = way.transition.source
        if source is None:
            return []
        return [
            fact
            for fact in self._work[way.arrival.node]
            if self._level[fact] >= OFFERED
            and (source, fact) in self._spurned
            and fact not in self._steps[way]
            and not self._premise(fact).mask & way.changed
        ]

    def _next_goals(self, way: Way) -> dict[Fact, Value]:
        """Some facts of one family whose step is still open; the trivial ones are recorded."""
        source = way.transition.source
        steps = self._steps[way]
        goals: dict[Fact, Value] = {}
        kin: object = None
        for fact in self._work[way.arrival.node]:
            if fact in steps or (kin is not None and family(fact) != kin):
                continue
            if (
                source is not None
                and not self._premise(fact).mask & way.changed
                and (fact in self.held[source] or fact in self._work[source])
            ):
                self._record(Step(way, (fact,), (self._premise(fact),)))
                continue
            claim = self._claim(way, fact)
            if claim is True:
                self._record(Step(way, (fact,), ()))
                continue
            kin = family(fact)
            goals[fact] = claim
            if len(goals) == GOALS_AT_ONCE:
                break
        return goals

    def _ask(self, way: Way, goals: Mapping[Fact, Value]) -> Reply:
        desk = self._transition_desk(way.transition)
        bad = negate(conjoin(goals.values()))
        premises = self._known_on(way.transition)
        seconds = SHORT
        if len(goals) == 1:
            offered = all(self._level[fact] >= OFFERED for fact in goals)
            seconds = MODEST if offered else self.seconds
        seconds = min(seconds, self.seconds)
        like = self._like(way.transition.source)
        reply = desk.ask((way.arrival.condition, bad), premises, seconds, like)
        if reply.answer is not Answer.UNKNOWN or len(goals) > 1:
            return reply
        # What is too hard as a whole may be easy part by part.
        used: dict[Premise, None] = {}
        (claim,) = goals.values()
        for part in claim.parts if type(claim) is Term and claim.kind == AND else ():
            reply = desk.ask((way.arrival.condition, negate(part)), premises, seconds, like)
            if reply.answer is not Answer.UNSATISFIABLE:
                break
            used.update(dict.fromkeys(reply.used))
        return replace(reply, used=tuple(used))

    def _like(self, node: int | None) -> Sequence[int]:
        return () if node is None else self.pool.example(node)

    def _known_on(self, transition: Transition) -> list[Premise]:
        known = self._known_at(transition.source)
        return [*known, *self._assumed, *self._all_given(transition.passed)]

    def _all_given(self, values: Iterable[Value]) -> list[Premise]:
        return [Premise(each, self.cones.mask(each), None, False) for each in values]

    def _known_at(self, node: int | None) -> list[Premise]:
        if node is None:
            return []
        facts = (*self.held[node], *self._work.get(node, ()))
        return [self._premise(fact) for fact in facts]

    def _premise(self, fact: Fact) -> Premise:
        if fact not in self._premises:
            claim = fact.claim(self.system.encoder, self.system.frame)
            mask = self.cones.mask(claim)
            self._rank[fact] = len(self._rank)
            test = None if mask & self.cones.given else self.pool.test(fact)
            self._premises[fact] = Premise(claim, mask, fact, True, test)
        return self._premises[fact]

    def _claim(self, way: Way, fact: Fact) -> Value:
        key = (way, fact)
        if key not in self._claims:
            self._claims[key] = self._claim_after(way, fact)
        return self._claims[key]

    def _claim_after(self, way: Way, fact: Fact) -> Value:
        """The fact, said of the position where the way arrives."""
        if way.transition.source is None:
            return fact.claim(self.system.encoder, way.arrival.frame)
        if way not in self._renamed:
            rows = zip(self.system.frame.cells, way.arrival.frame.cells, strict=True)
            self._renamed[way] = {
                before: after
                for number, (before, after) in enumerate(rows)
                if way.changed >> number & 1
            }
        return substitute(self._premise(fact).claim, self._renamed[way])

    def _broken(self, way: Way, model: Model) -> list[Fact]:
        """The facts not yet known to be kept that the model breaks."""
        steps = self._steps[way]
        after = [model.number(cell) for cell in way.arrival.frame.cells]
        broken: list[Fact] = []
        for fact in self._work[way.arrival.node]:
            if fact in steps:
                continue
            test = self._premise(fact).test
            kept = test(after) if test is not None else model.holds(self._claim(way, fact))
            if not kept:
                broken.append(fact)
        return broken

    def _with_variables(self, node: int, broken: list[Fact]) -> list[Fact]:
        """With each cell that is not always the same its whole variable: NOTE(whole-variables)."""
        spans = {
            (variable.offset, variable.offset + variable.cells)
            for fact in broken
            if (cell := constant_cell(fact)) is not None
            for variable in self.system.game.variables
            if variable.offset <= cell < variable.offset + variable.cells
        }
        more = [
            fact
            for fact in self._work[node]
            if (cell := constant_cell(fact)) is not None
            and any(low <= cell < high for low, high in spans)
        ]
        return list(dict.fromkeys((*broken, *more)))

    def _one_by_one(self, way: Way, goals: Mapping[Fact, Value]) -> tuple[list[Fact], Reply | None]:
        """Of goals too hard together: those that alone are too hard, or offered and broken; and how
        another one is broken.
        """
        if len(goals) == 1:
            return list(goals), None
        given_up: list[Fact] = []
        for fact, claim in goals.items():
            reply = self._ask(way, {fact: claim})
            if reply.answer is Answer.UNSATISFIABLE:
                self._record(Step(way, (fact,), reply.used))
            elif reply.answer is Answer.UNKNOWN or self._level[fact] >= DEEPEST:
                given_up.append(fact)
            else:
                return given_up, reply
        return given_up, None

    def _record(self, step: Step) -> None:
        for goal in step.goals:
            self._steps[step.way][goal] = step
        source = step.way.transition.source
        if source is not None:
            for premise in step.used:
                if premise.fact is not None:
                    self._users.setdefault((source, premise.fact), []).append((step.way, step))

    def _drop(self, node: int, facts: Iterable[Fact]) -> list[Way]:
        """Give facts up at a node; the ways whose steps relied on them."""
        again: dict[Way, None] = {}
        for fact in facts:
            del self._work[node][fact]
            if self._level[fact] < DEEPEST:
                self._dead.add((node, fact))
            elif self._level[fact] < OFFERED:
                self._lost.add((node, fact))
            else:
                self._spurned.add((node, fact))
            for way in self._ways_to[node]:
                self._steps[way].pop(fact, None)
            for way, step in self._users.pop((node, fact), ()):
                for goal in step.goals:
                    if self._steps[way].get(goal) is step:
                        del self._steps[way][goal]
                        again[way] = None
            if fact == NEVER:
                for other in self.pool.instead(node):
                    if (node, other) not in self._dead and other not in self.held[node]:
                        self._want(node, other, OFFERED)
                again.update(dict.fromkeys(self._ways_to[node]))
        return list(again)

    def _helpers(self, spoiler: Spoiler) -> list[Fact]:
        """Living candidates at its node that the position violates.

        NOTE(widened) What is relevant alone may be harmless, and spoil only because known facts
        do not tie it to other cells as play does: then those cells are relevant too.
        """
        if spoiler.node is None:
            return []
        found = self._living(spoiler)
        if not found and spoiler.relevant is not None:
            found = self._living(replace(spoiler, relevant=self._widened(spoiler)))
        return found

    def _gone(self, node: int, fact: Fact) -> bool:
        """Given up for good, or for now.

        NOTE(lost) What was too far from what is wanted to be helped may be near to something else.
        """
        return (node, fact) in self._dead or (node, fact) in self._lost

    def _living(self, spoiler: Spoiler) -> list[Fact]:
        node = spoiler.node
        assert node is not None
        found: list[Fact] = []
        for fact in self.pool.violated(spoiler):
            if self._gone(node, fact) or fact in self.held[node] or fact in self._work[node]:
                continue
            found.append(fact)
            if len(found) == HELPERS_AT_ONCE:
                break
        return found

    def _widened(self, spoiler: Spoiler) -> frozenset[int]:
        """With the cells that known facts speak of together with relevant ones."""
        relevant = spoiler.relevant or frozenset()
        mask = sum(1 << cell for cell in relevant)
        for premise in self._known_at(spoiler.node):
            if premise.mask & mask & ~self.cones.given:
                relevant |= frozenset(bits(premise.mask & ~self.cones.given))
        return relevant

    def _hire(self, helpers: Iterable[Fact], level: int) -> list[Way]:
        """Want the helpers too, at every node where they are candidates and play goes on."""
        again: dict[Way, None] = {}
        for fact in helpers:
            for node in self._leading_on:
                if (
                    not self._gone(node, fact)
                    and fact not in self.held[node]
                    and fact not in self._work[node]
                    and self.pool.plausible(node, fact)
                ):
                    self._want(node, fact, level)
                    again.update(dict.fromkeys(self._ways_to[node]))
        return list(again)

    # --- questions --------------------------------------------------------------------------

    def prove(self, question: Question, *, strengthen: bool = True) -> Proved | Open:
        """Proved when `bad` can hold in no reachable position at the node.

        Without `strengthen`, only with what is known already.
        """
        if question.bad is False:
            return Proved()
        return self._prove(question, strengthen) if self.trusted else Open(None)

    def _prove(self, question: Question, strengthen: bool) -> Proved | Open:
        while True:
            desk = self._question_desk(question)
            known = self._known_for(question)
            reply = desk.ask((question.bad,), known, self.seconds, self._like(question.node))
            if reply.answer is Answer.UNSATISFIABLE:
                self.answered.append((question, reply.used))
                return Proved(_sites(question.node, reply.used))
            if reply.answer is Answer.UNKNOWN or time.monotonic() > self.deadline:
                return Open(None)
            taken = True if question.transition is None else question.transition.taken
            wanted = strengthen and question.twin is None
            bad = (taken, *question.given, question.bad) if wanted else ()
            frames = [self.system.frame] if question.twin is None else [
                self.system.frame, question.twin
            ]  # fmt: skip
            spoilers = [self.spoiler(question.node, each, reply.model, bad) for each in frames]
            if not strengthen or not any(self._exclude(spoiler) for spoiler in spoilers):
                return Open(spoilers[0] if question.node is not None else None)

    def _known_for(self, question: Question) -> list[Premise]:
        known = self._known_at(question.node)
        if question.twin is not None:
            encoder = self.system.encoder
            for each in list(known):
                assert each.fact is not None
                claim = each.fact.claim(encoder, question.twin)
                known.append(Premise(claim, each.mask, each.fact, each.lasting))
        return [*known, *self._assumed, *self._all_given(question.given)]

    def _exclude(self, spoiler: Spoiler) -> bool:
        """Establish a fact that the position violates, if there is one."""
        node = spoiler.node
        if node is None:
            return False
        self._work = {each: {} for each in self.system.points}
        self._lost.clear()
        for _ in range(MOST_ROUNDS):
            helpers = self._helpers(spoiler)
            if not helpers:
                return False
            wanted: dict[int, list[Fact]] = {}
            for fact in helpers:
                for each in self.system.points:
                    useful = each == node or each in self._leading_on
                    if useful and self.pool.plausible(each, fact):
                        wanted.setdefault(each, []).append(fact)
            self._establish(wanted)
            if time.monotonic() > self.deadline:
                return False
            if any(fact in self.held[node] for fact in helpers):
                return True
            self._work = {each: {} for each in self.system.points}
        return False

    # --- desks ------------------------------------------------------------------------------

    def _question_desk(self, question: Question) -> Desk:
        if question.transition is not None:
            return self._transition_desk(question.transition)
        if question.twin is None:
            key = ("node", -1 if question.node is None else question.node)
            if key not in self._desks:
                self._desks[key] = self._fresh_desk((self.system.frame,))
            return self._desks[key]
        self.cones.count_as(question.twin.cells)
        return self._fresh_desk((self.system.frame, question.twin))

    def _transition_desk(self, transition: Transition) -> Desk:
        key = ("transition", transition.index)
        if key not in self._desks:
            frames = () if transition.source is None else (self.system.frame,)
            self._desks[key] = self._fresh_desk(frames, transition.taken)
        return self._desks[key]

    def _fresh_desk(self, frames: tuple[Frame, ...], choice: Value = True) -> Desk:
        return Desk(
            self.system.session,
            self.cones,
            frames,
            self.system.sorts,
            self._examples,
            self.seconds,
            (choice,),
        )

    # --- what was used ----------------------------------------------------------------------

    def support(self, roots: Iterable[Site]) -> tuple[Fact, ...]:
        """The facts that the proofs of these facts rest on, themselves included."""
        facts = {fact for _, fact in self.rests_on(roots)}
        return tuple(sorted(facts, key=self._rank.__getitem__))

    def used(self, besides: Iterable[Site] = ()) -> dict[int, tuple[Fact, ...]]:
        """By node, the facts that every answer so far rests on, and these facts too."""
        roots = [site for question, used in self.answered for site in _sites(question.node, used)]
        found: dict[int, list[Fact]] = {}
        sites = self.rests_on([*roots, *besides])
        for node in self.system.points:
            for fact in self.held[node]:
                if (node, fact) in sites:
                    found.setdefault(node, []).append(fact)
        return {node: tuple(facts) for node, facts in found.items()}

    def rests_on(self, roots: Iterable[Site]) -> set[Site]:
        """The facts, and where they hold, that the proofs of these rest on, themselves included."""
        todo = list(dict.fromkeys(roots))
        seen = set(todo)
        while todo:
            node, fact = todo.pop()
            for way in self._ways_to[node]:
                step = self._steps[way].get(fact)
                source = way.transition.source
                if step is None or source is None:
                    continue
                for premise in step.used:
                    if premise.fact is not None and (source, premise.fact) not in seen:
                        seen.add((source, premise.fact))
                        todo.append((source, premise.fact))
        return seen

    def steps(self) -> Iterable[Step]:
        """Every step of the proofs of the facts that are held."""
        for way in self.ways:
            seen: set[int] = set()
            for fact in self.held[way.arrival.node]:
                step = self._steps[way][fact]
                if id(step) not in seen:
                    seen.add(id(step))
                    yield step

    # --- models -----------------------------------------------------------------------------

    def _spoiler_of(self, way: Way, broken: Sequence[Fact], model: Model) -> Spoiler:
        transition = way.transition
        wrong = disjoin(negate(self._claim(way, fact)) for fact in broken)
        bad = (transition.taken, *transition.passed, way.arrival.condition, wrong)
        return self.spoiler(transition.source, self.system.frame, model, bad)

    def spoiler(
        self, node: int | None, frame: Frame, model: Model, bad: Sequence[Value]
    ) -> Spoiler:
        """The position that a model of `bad` describes."""
        cells = [model.number(cell) for cell in frame.cells]
        cells[0] = -1 if node is None else node
        given = tuple((str(term), model.number(term)) for term in self.system.encoder.unknowns)
        relevant = None if node is None or not bad else self._lifter.relevant(bad, model)
        return Spoiler(node, tuple(cells), given, relevant)
