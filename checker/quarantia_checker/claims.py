"""A claim: something the checker is to decide, as questions for the solver and a thing to watch.

The questions all being answered "cannot happen" proves the claim. The watch says what a play that
refutes it looks like.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from quarantia_checker.induction import Question
from quarantia_checker.verdict import Kind
from quarantia_spec.ir import Decide, End, Game, Gather, Node, Oblige, Toss
from quarantia_spec.source import BUILT_IN, Origin


@dataclass(frozen=True, slots=True)
class BadPosition:
    """A stable position of which `bad` is true (its cells are given)."""

    bad: Callable[[tuple[int, ...]], bool]


@dataclass(frozen=True, slots=True)
class BrokenDuty:
    """A move that the engine cannot carry out because `statement` does not hold."""

    statement: Oblige


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """A position at `node` in which somebody must choose and has nothing to choose from."""

    node: int


@dataclass(frozen=True, slots=True)
class Circles:
    """A move after which play goes round among automatic nodes for ever."""


Watch = BadPosition | BrokenDuty | DeadEnd | Circles


@dataclass(frozen=True, slots=True)
class Claim:
    """`general`, when it can be proved, answers all the questions at once.

    A `goal` is something that ought to happen: the play that the watch finds is then good news,
    and the proof that it cannot happen is bad.
    """

    kind: Kind
    name: str
    questions: tuple[Question, ...]
    watch: Watch | None
    origin: Origin = BUILT_IN
    ruled: bool = False
    warning: bool = False
    goal: bool = False
    general: Question | None = None
    told: str = ""  # what a play shows that refutes it (or reaches the goal)


def node_name(game: Game, node: Node) -> str:
    """How a place in the flow is told to people."""
    match node:
        case Decide(offers=offers) | Gather(offers=offers):
            what = ", ".join(dict.fromkeys(offer.rule for offer in offers))
        case Toss(offer=offer):
            what = offer.rule
        case End():
            what = "end"
        case _:
            what = f"node {node.number}"
    return " / ".join((*node.phase, what))
