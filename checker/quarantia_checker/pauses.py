"""The same play in shorter steps: the game pauses wherever two ways of what happens by itself meet.

NOTE(pauses) From one choice to the next much may happen by itself, along many ways. As one formula
it is too large to reason about, so the solver sees a game with a pause before every automatic node
to which more than one way leads: chance "chooses" the only thing there is, to go on. Positions,
numbers of nodes and moves are those of the game itself, pauses come after its nodes. At a pause
nothing is promised: invariants are about the positions where somebody really chooses.

Every loop of automatic nodes has a pause in it, so no step of the paused game goes round; that the
loops come to an end is proved on its own (`loops.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from quarantia_spec.ir import (
    NO_SENTENCES,
    Auto,
    Branch,
    Chance,
    Decide,
    End,
    Game,
    Gather,
    Node,
    Offer,
    Toss,
)

PAUSE = "(pause)"


def is_pause(node: Node) -> bool:
    return isinstance(node, Toss) and node.offer.rule == PAUSE


def with_pauses(game: Game) -> Game:
    """The game with a pause before each automatic node to which several ways lead."""
    ways = Counter([game.entry, *(target for node in game.nodes for target in successors(node))])
    meeting = [
        node.number
        for node in game.nodes
        if isinstance(node, Auto | Branch) and ways[node.number] > 1
    ]
    detour = {number: len(game.nodes) + count for count, number in enumerate(meeting)}
    pauses = [
        Toss(detour[number], Offer(PAUSE, ()), number, game.nodes[number].phase)
        for number in meeting
    ]
    return replace(
        game,
        chances=(*game.chances, Chance(PAUSE, (), (), (), None, (), NO_SENTENCES)),
        nodes=(*(_redirected(node, detour) for node in game.nodes), *pauses),
        entry=detour.get(game.entry, game.entry),
    )


def successors(node: Node) -> Iterator[int]:
    """Where play may go on from a node."""
    match node:
        case Branch(yes=yes, no=no):
            yield from (yes, no)
        case Auto(next=after) | Decide(next=after) | Gather(next=after) | Toss(next=after):
            yield after
        case End():
            return


def _redirected(node: Node, detour: dict[int, int]) -> Node:
    match node:
        case Branch(yes=yes, no=no):
            return replace(node, yes=detour.get(yes, yes), no=detour.get(no, no))
        case Auto(next=after) | Decide(next=after) | Gather(next=after) | Toss(next=after):
            return replace(node, next=detour.get(after, after))
        case End():
            return node
