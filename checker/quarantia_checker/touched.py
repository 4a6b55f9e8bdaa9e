"""Where another reading can make a difference at all, seen from the rules alone.

What mentions neither the terms that mean something else nor rules that are written otherwise is the
same under both. Read `touched`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass

from quarantia_spec.ir import Auto, Branch, Call, Chance, Decide, Decision, End, Game, Gather, Toss


@dataclass(frozen=True, slots=True)
class Touched:
    """Nodes at which something that is asked may differ, and from which a move may lead elsewhere.

    `sight`: what the seats see may differ. `outcome`: who has won.
    """

    asked: frozenset[int]
    leading: frozenset[int]
    sight: bool
    outcome: bool


def touched(first: Game, second: Game) -> Touched:
    """Before: the two have nodes and rules of the same form."""
    terms = _terms(first, second)

    def differs(here: object, there: object) -> bool:
        return here != there or not terms.isdisjoint(_called((here, there)))

    questions: set[str] = set()
    effects: set[str] = set()
    others: dict[str, Decision | Chance] = {**second.decision, **second.chance}
    rules: tuple[Decision | Chance, ...] = (*first.decisions, *first.chances)
    for rule in rules:
        if differs(_question(rule), _question(others[rule.name])):
            questions.add(rule.name)
        if differs(rule, others[rule.name]):
            effects.add(rule.name)
    changed = {
        node.number
        for node, twin in zip(first.nodes, second.nodes, strict=True)
        if differs(node, twin)
    }
    asked: set[int] = set()
    leading: set[int] = set()
    for node, twin in zip(first.nodes, second.nodes, strict=True):
        match node:
            case Decide(offers=offers) | Gather(offers=offers):
                offered = {offer.rule for offer in offers}
            case Toss(offer=offer):
                offered = {offer.rule}
            case Auto() | Branch() | End():
                continue
        if node.number in changed or offered & questions:
            asked.add(node.number)
        passed = _by_itself(first, node.next) | {node.number}
        if node != twin or offered & effects or passed & changed:
            leading.add(node.number)
    variables = zip(first.variables, second.variables, strict=True)
    return Touched(
        frozenset(asked),
        frozenset(leading),
        any(differs(here.visible, there.visible) for here, there in variables),
        differs(first.outcome, second.outcome),
    )


def _terms(first: Game, second: Game) -> frozenset[str]:
    """Terms whose meaning may differ, because of themselves or of what they call."""
    others = second.term
    found = {
        term.name
        for term in first.terms
        if term.name not in others or others[term.name].body != term.body
    }
    calls = {
        term.name: frozenset((*_called(term.body), *_called(others[term.name].body)))
        for term in first.terms
        if term.name in others
    }
    while fresh := {name for name in calls if name not in found and calls[name] & found}:
        found |= fresh
    return frozenset(found)


def _question(rule: Decision | Chance) -> tuple[object, ...]:
    weight = rule.weight if isinstance(rule, Chance) else None
    return rule.context, rule.choices, rule.guards, weight


def _by_itself(game: Game, start: int) -> set[int]:
    """The nodes that play may pass from `start` on before anybody acts."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        number = waiting.pop()
        if number in found:
            continue
        found.add(number)
        match game.nodes[number]:
            case Auto(next=following):
                waiting.append(following)
            case Branch(yes=yes, no=no):
                waiting.extend((yes, no))
            case _:
                pass  # somebody acts here, or the game is over
    return found


def _called(thing: object) -> Iterator[str]:
    """The names of all terms that are mentioned."""
    if isinstance(thing, Call):
        yield thing.term
    if isinstance(thing, tuple):
        yield from _in_all(thing)
    elif is_dataclass(thing):
        yield from _in_all(getattr(thing, field.name) for field in fields(thing))


def _in_all(things: Iterable[object]) -> Iterator[str]:
    for each in things:
        yield from _called(each)
