"""Which readings does an engine play? Read `infer`; `hints` asks the same of one difference.

Wherever the engine and the rules part, each other reading of each clause is tried on the game at
hand. A reading under which they agree is taken up, and the comparison goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from quarantia_checker.conform.campaign import Campaign, Progress
from quarantia_checker.conform.client import Client, Hello
from quarantia_checker.conform.differing import Difference, Misbehaviour
from quarantia_checker.conform.link import Fault
from quarantia_checker.conform.mapping import Mapped
from quarantia_checker.conform.protocol import Level
from quarantia_checker.conform.reference import Reference, Step
from quarantia_checker.conform.shrinking import moves_of
from quarantia_checker.conform.telling import tell
from quarantia_checker.conform.tester import Tester
from quarantia_checker.conform.vocabulary import Vocabulary
from quarantia_engine import BrokenRule, Move
from quarantia_engine.analysis import walk
from quarantia_spec.diagnostics import RulesError
from quarantia_spec.ir import Auto, Call, Chance, Decision, Game, Let

if TYPE_CHECKING:
    from quarantia_checker.conform.running import Request

HINT_SECONDS = 8.0
CONFIRMED_BY = 8  # openings that must agree as well, up to where the game at hand differs
SOON = 15  # moves, where that is earlier
MOST_READINGS = 12  # that an engine may play otherwise than ruled


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another way to read the rules: a reading of a clause, or a clause that goes first."""

    key: str
    option: str
    term: str
    passages: tuple[str, ...]

    def __str__(self) -> str:
        where = f" of {' '.join(self.passages)}" if self.passages else ""
        name = self.option.replace("_", " ")
        return f"this engine plays the *{name}* reading{where} ({self.key} = {self.option})"


@dataclass(slots=True)
class Inferred:
    readings: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def alternatives(game: Game) -> list[Alternative]:
    """Every other reading of every clause, and every clause that a ruling puts behind others."""
    found: list[Alternative] = []
    for term in game.terms:
        for clause in term.clauses:
            cited = _cited(clause.origin)
            found += [
                Alternative(f"{term.name}.{clause.name}", reading.name, term.name, cited)
                for reading in clause.readings
                if reading.name != clause.chosen
            ]
        found += [
            Alternative(term.name, clause.name, term.name, _cited(clause.origin))
            for clause in term.clauses
            if term.precedence and clause.name != term.precedence[0]
        ]
    return found


def _cited(origin: Any) -> tuple[str, ...]:
    return tuple(str(each) for each in origin.citations if each.section != "own")


def hints(
    request: Request, tester: Tester, readings: Mapping[str, str], found: Difference
) -> list[str]:
    """Readings under which the engine would be right about the game at hand."""
    if isinstance(found.what, Misbehaviour) or found.level in (None, Level.REFUSALS):
        return []
    if found.undone:
        return []
    told = tell(tester.words, found)
    search = _Search(request, tester.client, tester.hello, tester.words.mapped)
    until = time.monotonic() + HINT_SECONDS
    game = tester.reference.engine.game
    moves = moves_of(tester.reference, found.steps)
    for each in ordered(game, told.rule, told.passages):
        if time.monotonic() >= until:
            break
        if search.agrees(game.players, {**readings, each.key: each.option}, moves):
            return [str(each)]
    return []


def ordered(game: Game, rule: str, passages: Sequence[str]) -> list[Alternative]:
    """All alternatives, those that the rule looks at first, then those of the same passages."""
    near = _terms_of(game, rule)

    def distance(each: Alternative) -> int:
        return (each.term not in near) * 2 + (not set(each.passages) & set(passages))

    return sorted(alternatives(game), key=distance)


def _terms_of(game: Game, rule: str) -> set[str]:
    """The terms that a rule looks at, also through other terms."""
    found: set[str] = set()
    waiting: list[Any] = []
    rules: tuple[Decision | Chance, ...] = (*game.decisions, *game.chances)
    for each in rules:
        if each.name == rule:
            waiting += [g.value if isinstance(g, Let) else g.condition for g in each.guards]
            waiting += list(_expressions(each.body))
    for node in game.nodes:
        if isinstance(node, Auto) and node.rule == rule:
            waiting += list(_expressions(node.body))
    if rule == "outcome":
        waiting.append(game.outcome.winner)
    while waiting:
        for part in walk(waiting.pop()):
            if isinstance(part, Call) and part.term not in found:
                found.add(part.term)
                waiting.append(game.term[part.term].body)
    return found


def _expressions(statements: Sequence[Any]) -> Iterator[Any]:
    for each in statements:
        for name in ("condition", "value"):
            if hasattr(each, name):
                yield getattr(each, name)
        for name in ("then", "otherwise", "body"):
            yield from _expressions(getattr(each, name, ()))


class _Search:
    """Tries readings on games."""

    def __init__(self, request: Request, client: Client, hello: Hello, mapped: Mapped) -> None:
        self.request = request
        self.client = client
        self.hello = hello
        self.mapped = mapped

    def tester(self, players: int, readings: Mapping[str, str]) -> Tester | None:
        """A tester under some readings; None when the rules do not go with them."""
        from quarantia_checker.conform.running import engine_for

        try:
            engine = engine_for(self.request, players, readings)
            words = Vocabulary(Reference(engine), self.mapped, self.hello.fields)
        except (RulesError, BrokenRule):
            return None
        return Tester(self.client, words, self.hello)

    def agrees(
        self, players: int, readings: Mapping[str, str], moves: Sequence[Move]
    ) -> Tester | None:
        """The tester under whose readings the engine is right about a game and some openings."""
        tester = self.tester(players, readings)
        if tester is None:
            return None
        try:
            steps = _steps(tester.reference, moves)
            if steps is None or tester.compare([tester.plan_of(steps)]) is not None:
                return None
            if _parts_soon(tester, len(moves)):
                return None
        except (BrokenRule, Fault):
            return None
        finally:
            tester.close()
        return tester


def _parts_soon(tester: Tester, moves: int) -> bool:
    """True when openings differ sooner than the game at hand did; it then explains little."""
    soon = max(SOON, moves)
    plans = [tester.plan(seed, soon) for seed in range(CONFIRMED_BY)]
    found = tester.check(plans, tester.send(plans))
    return found is not None and sum(map(len, plans[found[0]].steps[: found[1] + 1])) < soon


def _steps(reference: Reference, moves: Sequence[Move]) -> list[Step] | None:
    """The moves as steps of other rules; None when these do not allow them."""
    left = list(moves)
    steps: list[Step] = []
    cells = reference.start
    while left:
        count = max(1, len(reference.actors(cells)))
        step = reference.step_of(cells, left[:count])
        if step is None:
            return None
        steps.append(step)
        cells = reference.after(cells, step)
        del left[:count]
    return steps


def infer(
    request: Request,
    client: Client,
    hello: Hello,
    mapped: Mapped,
    readings: Mapping[str, str],
    players: int,
    show: Callable[[int, Progress], None],
) -> Inferred:
    """The readings that the engine plays, as far as comparing shows them."""
    inferred = Inferred()
    search = _Search(request, client, hello, mapped)
    wanted = replace(request.wanted, games=min(request.wanted.games, 10))
    for _ in range(MOST_READINGS):
        current = {**readings, **inferred.readings}
        tester = search.tester(players, current)
        assert tester is not None
        campaign = Campaign(tester, wanted, show=lambda progress: show(players, progress))
        found = campaign.run()
        tester.close()
        if found is None or isinstance(found.what, Misbehaviour) or found.level is Level.REFUSALS:
            break
        moves = moves_of(tester.reference, found.steps)
        told = tell(tester.words, found)
        game = tester.reference.engine.game
        for each in ordered(game, told.rule, told.passages):
            if each.key in inferred.readings:
                continue
            if search.agrees(players, {**current, each.key: each.option}, moves):
                inferred.readings[each.key] = each.option
                inferred.notes.append(str(each))
                break
        else:
            inferred.notes.append(
                f"no reading of the rules explains this: {told.headline} (after {len(moves)} moves)"
            )
            break
    if not inferred.readings and not inferred.notes:
        inferred.notes.append("this engine plays every reading as it is ruled")
    return inferred
