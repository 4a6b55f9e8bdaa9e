"""What the flow has found not to hold on every way to a choice, and not changed since.

NOTE(standing) `end when four(p)` stands behind every move, so wherever a move is due nobody has
four. Rather than look for four all over the board after the next move, a playout looks only at
what that move has changed (see `since`). That holds of positions that play leads to; a position
made by hand may be another matter, so `trusted` asks before a playout relies on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from quarantia_engine.analysis import Facts, assigned
from quarantia_spec.ir import Auto, Branch, Decide, End, Expr, Game, Gather, Node, Toss

Refused = frozenset[int]
"""Numbers of branches whose condition does not hold."""


def standing(game: Game, facts: Facts) -> dict[int, tuple[Expr, ...]]:
    """For each node where someone chooses, the conditions that never hold when play comes there.

    Play is taken to come from another choice, or to start where they do not hold.
    """
    branches = {node.number: node for node in game.nodes if isinstance(node, Branch)}
    reads = {number: facts.reads(node.condition) for number, node in branches.items()}
    everything = frozenset(branches)
    arriving: dict[int, Refused] = {node.number: everything for node in game.nodes}

    def without(refused: Refused, changed: frozenset[str]) -> Refused:
        return frozenset(number for number in refused if not reads[number] & changed)

    def leaving(node: Node) -> Iterator[tuple[int, Refused]]:
        before = arriving[node.number]
        match node:
            case Auto(body=body, next=following):
                yield following, without(before, assigned(body))
            case Branch(number=number, yes=yes, no=no):
                same = {each for each in branches if _same(branches[each], branches[number])}
                yield yes, before - same
                yield no, before | same
            case Decide(offers=offers, next=following):
                bodies = [game.decision[offer.rule].body for offer in offers]
                yield following, without(before, frozenset().union(*map(assigned, bodies)))
            case Gather(offers=offers, waiting=waiting, next=following):
                bodies = [game.decision[offer.rule].body for offer in offers]
                changed = frozenset({waiting}).union(*map(assigned, bodies))
                yield following, without(before, changed)
            case Toss(offer=offer, next=following):
                yield following, without(before, assigned(game.chance[offer.rule].body))
            case End():
                return
            case _:
                assert_never(node)

    # Whatever is not so on some way in is struck out, until nothing changes.
    waiting = [node.number for node in game.nodes]
    while waiting:
        for following, refused in leaving(game.nodes[waiting.pop()]):
            kept = arriving[following] & refused
            if kept != arriving[following]:
                arriving[following] = kept
                waiting.append(following)
    return {
        node.number: tuple(
            dict.fromkeys(branches[number].condition for number in sorted(arriving[node.number]))
        )
        for node in game.nodes
        if isinstance(node, Decide | Gather | Toss)
    }


def _same(one: Branch, other: Branch) -> bool:
    return one is other or one.condition == other.condition
