"""Proof by induction over every transition, with auxiliary facts found on the way.

`Prover.establish` takes facts wanted at nodes and keeps those that hold at the beginning and that
every transition preserves, together with all that is kept. `Prover.prove` settles one question
about the positions at a node. Both strengthen when they fail: the position that spoils the proof
(it obeys every fact so far) points at candidates that would exclude it.

NOTE(lazy-houdini) A candidate is tried only when a spoiling position violates it, and is dropped
for good at a node once no living candidate excludes the position that breaks it. What is left is
inductive as a whole, whatever the order in which it was found.

NOTE(stable) Facts are about stable positions. Ranges come first and are proved like any fact; the
`Oblige` statements of the rules, assumed on the way because the engine stops there, make them
inductive.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import z3

from quarantia_checker.encode import Frame, in_sort
from quarantia_checker.facts import Fact
from quarantia_checker.lifting import Lifter, cells_in
from quarantia_checker.solver import Answer, Solver
from quarantia_checker.transition import Arrival, System, Transition, ranges_of
from quarantia_checker.values import Term, Value, conjoin, disjoin, negate, same, to_term

HELPERS_AT_ONCE = 6
DEEPEST_HELP = 3  # helpers of helpers of helpers of what is wanted


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
    """It holds in every position that play can reach; `used` are the auxiliary facts."""

    used: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """Not proved. `spoiler` is consistent with everything proved; None when out of time."""

    spoiler: Spoiler | None


@dataclass(frozen=True, slots=True)
class Question:
    """Can `bad` hold in a stable position at `node`? With `transition`, while it is taken.

    `twin` is a second position at the same node, about which the same facts are known.
    """

    name: str
    node: int | None
    bad: Value
    transition: Transition | None = None
    twin: Frame | None = None


@dataclass
class _Desk:
    """A solver with everything about one transition, or one node, asserted."""

    solver: Solver
    frames: tuple[Frame, ...]
    literals: dict[Fact, Term] = field(default_factory=dict)


class Pool(Protocol):
    """Where auxiliary facts come from."""

    def violated(self, spoiler: Spoiler) -> Iterable[Fact]:
        """Facts worth trying at its node that this position violates, the best first."""

    def plausible(self, node: int, fact: Fact) -> bool:
        """The fact is worth trying at this node too."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """A pool without facts."""

    def violated(self, spoiler: Spoiler) -> Iterable[Fact]:
        return ()

    def plausible(self, node: int, fact: Fact) -> bool:
        return False


@dataclass
class Prover:
    """Holds what is proved about one system, with the help of the pool."""

    system: System
    pool: Pool = Nothing()
    seconds: float = 10.0
    deadline: float = float("inf")
    held: dict[int, dict[Fact, None]] = field(default_factory=dict)
    ranges_hold: bool = False
    unrolled: bool = True  # every loop of automatic nodes was followed to its end
    answered: list[Question] = field(default_factory=list)  # what `prove` has proved
    _dead: set[tuple[int, Fact]] = field(default_factory=set)
    _cores: dict[tuple[int, Fact], dict[int, set[tuple[int, Fact]]]] = field(default_factory=dict)
    _desks: dict[tuple[str, int], _Desk] = field(default_factory=dict)
    _claims: dict[tuple[int, int, Fact], Value] = field(default_factory=dict)
    _changed: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict)
    _mentioned: dict[Fact, frozenset[int]] = field(default_factory=dict)
    _level: dict[Fact, int] = field(default_factory=dict)
    _by_literal: dict[str, Fact] = field(default_factory=dict)
    _work: dict[int, dict[Fact, None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lifter = Lifter(self.system)
        for node in self.system.points:
            self.held.setdefault(node, {})
        self.ranges_hold = self._prove_ranges()

    # --- ranges -----------------------------------------------------------------------------

    def _prove_ranges(self) -> bool:
        """That cells keep to their sorts, which every desk takes for granted.

        The facts that help here are kept if the ranges are, and the ranges if the facts are:
        together they are inductive.
        """
        before = self.system.frame.cells
        for transition in self.system.everything:
            for arrival in transition.arrivals:
                rows = list(zip(before, arrival.frame.cells, self.system.sorts, strict=True))[1:]
                inside = conjoin(
                    in_sort(after, sort)
                    for old, after, sort in rows
                    if transition.source is None or not same(old, after)
                )
                if inside is True:
                    continue
                bad = conjoin((transition.assumed, arrival.condition, negate(inside)))
                question = Question(transition.name, transition.source, bad, transition)
                if not isinstance(self._prove(question, strengthen=True), Proved):
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

    def establish(self, wanted: Mapping[int, Iterable[Fact]]) -> None:
        """Add to `held` what can be kept of `wanted`, with the candidates that support it."""
        self._work = {node: {} for node in self.system.points}
        for node, facts in wanted.items():
            for fact in facts:
                if fact not in self.held[node] and (node, fact) not in self._dead:
                    self._work[node][fact] = None
        dirty = {
            transition.index
            for transition in self.system.everything
            if any(self._work[arrival.node] for arrival in transition.arrivals)
        }
        while dirty and time.monotonic() <= self.deadline:
            index = min(dirty)
            dirty.discard(index)
            transition = self.system.everything[index]
            for arrival in transition.arrivals:
                dirty |= self._settle(transition, arrival)
        # When time ran out, even within the last `_settle`, nothing wanted has been proved; and
        # what is wanted must not linger where a later proof would take it for known.
        kept, self._work = self._work, {}
        if time.monotonic() <= self.deadline:
            for node, facts in kept.items():
                self.held[node].update(facts)

    def _settle(self, transition: Transition, arrival: Arrival) -> set[int]:
        """Make `arrival` respect the facts wanted there; the transitions to look at again."""
        again: set[int] = set()
        while True:
            goals = {
                fact: claim
                for fact in self._work[arrival.node]
                if not self._untouched(transition, arrival, fact)
                and (claim := self._claim(transition, arrival, fact)) is not True
            }
            if not goals or time.monotonic() > self.deadline:
                return again
            answer, model, core = self._ask(transition, arrival, list(goals.values()))
            if answer is Answer.UNSATISFIABLE:
                self._note_core(transition, arrival, goals, core)
                return again
            if answer is Answer.UNKNOWN:
                broken = self._undecided(transition, arrival, goals)
            else:
                broken = [
                    fact
                    for fact, claim in goals.items()
                    if not z3.is_true(model.eval(to_term(claim), model_completion=True))
                ]
                wrong = disjoin(negate(goals[fact]) for fact in broken)
                bad = (transition.taken, transition.assumed, arrival.condition, wrong)
                level = min(self._level.get(fact, 0) for fact in broken)
                if level < DEEPEST_HELP:
                    spoiler = self.spoiler(transition.source, self.system.frame, model, bad)
                    helpers = self._helpers(spoiler)
                    if helpers:
                        for _, helper in helpers:
                            self._level.setdefault(helper, level + 1)
                        again |= self._hire(helpers)
                        continue
            for fact in broken:
                del self._work[arrival.node][fact]
                self._dead.add((arrival.node, fact))
            again |= {
                other.index
                for other in self.system.transitions
                if other.source == arrival.node
                and any(self._work[each.node] for each in other.arrivals)
            }

    def _undecided(
        self, transition: Transition, arrival: Arrival, goals: Mapping[Fact, Value]
    ) -> list[Fact]:
        """Those among the goals that alone are too hard; all when no one of them is."""
        if len(goals) == 1:
            return list(goals)
        hard = [
            fact
            for fact, claim in goals.items()
            if self._ask(transition, arrival, [claim])[0] is Answer.UNKNOWN
        ]
        return hard or list(goals)

    def _ask(
        self, transition: Transition, arrival: Arrival, claims: Sequence[Value]
    ) -> tuple[Answer, Any, list[Term]]:
        desk = self._desk(transition)
        literals = self._literals(desk, transition.source)
        bad = negate(conjoin(claims))
        answer = desk.solver.check_also((transition.assumed, arrival.condition, bad), *literals)
        model = desk.solver.model() if answer is Answer.SATISFIABLE else None
        core = desk.solver.core() if answer is Answer.UNSATISFIABLE else []
        desk.solver.release()
        return answer, model, core

    def _claim(self, transition: Transition, arrival: Arrival, fact: Fact) -> Value:
        key = (transition.index, arrival.node, fact)
        if key not in self._claims:
            self._claims[key] = fact.claim(self.system.encoder, arrival.frame)
        return self._claims[key]

    def _untouched(self, transition: Transition, arrival: Arrival, fact: Fact) -> bool:
        """The transition changes no cell that the fact is about, and it held before."""
        source = transition.source
        if source is None or not (fact in self.held[source] or fact in self._work[source]):
            return False
        key = (transition.index, arrival.node)
        if key not in self._changed:
            rows = zip(self.system.frame.cells, arrival.frame.cells, strict=True)
            self._changed[key] = frozenset(n for n, (a, b) in enumerate(rows) if not same(a, b))
        if fact not in self._mentioned:
            claim = fact.claim(self.system.encoder, self.system.frame)
            self._mentioned[fact] = cells_in(claim, self.system)
        if self._mentioned[fact] & self._changed[key]:
            return False
        self._cores.setdefault((arrival.node, fact), {})[transition.index] = {(source, fact)}
        return True

    def _helpers(self, spoiler: Spoiler) -> list[tuple[int, Fact]]:
        """Living candidates at its node that the position violates."""
        node = spoiler.node
        if node is None:
            return []
        found: list[tuple[int, Fact]] = []
        for fact in self.pool.violated(spoiler):
            if (node, fact) in self._dead or fact in self.held[node] or fact in self._work[node]:
                continue
            found.append((node, fact))
            if len(found) == HELPERS_AT_ONCE:
                break
        return found

    def _hire(self, helpers: Iterable[tuple[int, Fact]]) -> set[int]:
        """Want the helpers too, at every node where they are candidates."""
        nodes: set[int] = set()
        for _, fact in helpers:
            for node in self.system.points:
                if (
                    (node, fact) not in self._dead
                    and fact not in self.held[node]
                    and self.pool.plausible(node, fact)
                ):
                    self._work[node][fact] = None
                    nodes.add(node)
        return {
            transition.index
            for transition in self.system.everything
            if any(arrival.node in nodes for arrival in transition.arrivals)
        }

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
            literals = self._literals(desk, question.node)
            answer = desk.solver.check_also((question.bad,), *literals)
            model = desk.solver.model() if answer is Answer.SATISFIABLE else None
            core = desk.solver.core() if answer is Answer.UNSATISFIABLE else []
            desk.solver.release()
            if answer is Answer.UNSATISFIABLE:
                self.answered.append(question)
                return Proved(self._closure(question.node, core))
            if answer is Answer.UNKNOWN or time.monotonic() > self.deadline:
                return Open(None)
            taken = True if question.transition is None else question.transition.taken
            bad = (taken, question.bad) if question.twin is None else ()
            spoilers = [self.spoiler(question.node, frame, model, bad) for frame in desk.frames]
            if not strengthen or not any(self._exclude(spoiler) for spoiler in spoilers):
                return Open(spoilers[0] if spoilers else None)

    def _exclude(self, spoiler: Spoiler) -> bool:
        """Establish a fact that the position violates, if there is one."""
        node = spoiler.node
        if node is None:
            return False
        self._work = {each: {} for each in self.system.points}
        while helpers := self._helpers(spoiler):
            wanted: dict[int, list[Fact]] = {}
            for _, fact in helpers:
                for each in self.system.points:
                    if self.pool.plausible(each, fact):
                        wanted.setdefault(each, []).append(fact)
            self.establish(wanted)
            if time.monotonic() > self.deadline:
                return False
            if any(fact in self.held[node] for _, fact in helpers):
                return True
            self._work = {each: {} for each in self.system.points}
        return False

    def _question_desk(self, question: Question) -> _Desk:
        if question.transition is not None:
            return self._desk(question.transition)
        if question.twin is None:
            key = ("node", -1 if question.node is None else question.node)
            if key not in self._desks:
                self._desks[key] = self._fresh_desk((self.system.frame,))
            return self._desks[key]
        return self._fresh_desk((self.system.frame, question.twin))

    # --- desks ------------------------------------------------------------------------------

    def _desk(self, transition: Transition) -> _Desk:
        key = ("transition", transition.index)
        if key not in self._desks:
            frames = () if transition.source is None else (self.system.frame,)
            desk = self._fresh_desk(frames)
            desk.solver.add(transition.taken)
            self._desks[key] = desk
        return self._desks[key]

    def _fresh_desk(self, frames: tuple[Frame, ...]) -> _Desk:
        solver = Solver(self.seconds)
        solver.add(*self.system.background)
        for frame in frames:
            solver.add(*ranges_of(frame, self.system.sorts))
        return _Desk(solver, frames)

    def _literals(self, desk: _Desk, node: int | None) -> list[Term]:
        """One literal for each fact known, or wanted, at the node; true makes it hold here."""
        if node is None:
            return []
        literals: list[Term] = []
        for fact in (*self.held[node], *self._work.get(node, ())):
            if fact not in desk.literals:
                name = f"fact {len(self._by_literal)}"
                literal = z3.Bool(name)
                self._by_literal[name] = fact
                desk.literals[fact] = literal
                for frame in desk.frames:
                    claim = fact.claim(self.system.encoder, frame)
                    desk.solver.add(z3.Implies(literal, to_term(claim)))
            literals.append(desk.literals[fact])
        return literals

    # --- what was used ----------------------------------------------------------------------

    def _note_core(
        self,
        transition: Transition,
        arrival: Arrival,
        goals: Iterable[Fact],
        core: Iterable[Term],
    ) -> None:
        source = transition.source
        if source is None:
            return
        used = {(source, self._by_literal[str(literal)]) for literal in core}
        for goal in goals:
            self._cores.setdefault((arrival.node, goal), {})[transition.index] = used

    def _closure(self, node: int | None, core: Iterable[Term]) -> tuple[Fact, ...]:
        if node is None:
            return ()
        return self.support((node, self._by_literal[str(literal)]) for literal in core)

    def support(self, roots: Iterable[tuple[int, Fact]]) -> tuple[Fact, ...]:
        """The facts that the proofs of these facts rest on, themselves included."""
        seen = set(roots)
        todo = list(seen)
        while todo:
            for core in self._cores.get(todo.pop(), {}).values():
                todo.extend(core - seen)
                seen |= core
        return tuple(dict.fromkeys(fact for _, fact in sorted(seen, key=lambda pair: str(pair))))

    # --- models -----------------------------------------------------------------------------

    def spoiler(self, node: int | None, frame: Frame, model: Any, bad: Sequence[Value]) -> Spoiler:
        """The position that a model of `bad` describes."""
        cells = [number_in(model, cell) for cell in frame.cells]
        cells[0] = -1 if node is None else node
        given = tuple((str(term), number_in(model, term)) for term in self.system.encoder.unknowns)
        relevant = None if node is None or not bad else self._lifter.relevant(bad, model)
        return Spoiler(node, tuple(cells), given, relevant)


def number_in(model: Any, value: Value) -> int:
    if isinstance(value, int):
        return int(value)
    result = model.eval(value, model_completion=True)
    return int(z3.is_true(result)) if z3.is_bool(result) else int(result.as_long())
