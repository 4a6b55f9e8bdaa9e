"""How the generated code numbers moves, actors and what went wrong.

The number of a move: the number of the offer's first move plus its choices in mixed radix; where
several choose at once, the player times the numbers of all offers is added.
"""

from __future__ import annotations

from dataclasses import dataclass

from quarantia_spec.ir import Chance, Decide, Decision, Game, Gather, Offer, Parameter, Toss

Choosing = Decide | Gather | Toss

# Who acts, besides a player.
CHANCE, OVER, TOGETHER = -1, -2, -3

# Statuses besides 0 (all went well) and the numbers of obligations.
STUCK, LIMIT, ENDLESS = -1, -2, -3
GO_ON = -4  # between generated functions: another automatic node follows

# The generator: see `randomness`.
MULTIPLIER, INCREMENT, STATE_MASK = 0x5DEECE66D, 0xB, 2**48 - 1

# Room for moves. Behind it lies room for the parts of moves, see NOTE(parts) in `random_moves`.
LARGEST_BUFFER = 1 << 22
ROOM_FOR_PARTS = 4096


@dataclass(frozen=True, slots=True)
class OfferShape:
    """Where the moves of one offer lie among the numbers of its node's moves."""

    rule: Decision | Chance
    offer: Offer
    first: int
    span: int


def offer_shapes(game: Game, node: Choosing) -> tuple[OfferShape, ...]:
    """The offers of a node with the numbers of their moves."""
    shapes: list[OfferShape] = []
    first = 0
    offers = (node.offer,) if isinstance(node, Toss) else node.offers
    for offer in offers:
        rule: Decision | Chance
        rule = game.chance[offer.rule] if isinstance(node, Toss) else game.decision[offer.rule]
        width = span(rule.choices)
        shapes.append(OfferShape(rule, offer, first, width))
        first += width
    return tuple(shapes)


def buffer_size(game: Game) -> int:
    """Room enough for the legal moves of any position, and for the parts of moves behind them."""
    return room_for_moves(game) + ROOM_FOR_PARTS


def room_for_moves(game: Game) -> int:
    """Room enough for the legal moves of any position, within reason."""
    most = 1
    for node in game.nodes:
        if isinstance(node, Decide | Gather | Toss):
            most = max(most, sum(shape.span for shape in offer_shapes(game, node)))
    return min(most, LARGEST_BUFFER)


def radix(choices: tuple[Parameter, ...]) -> tuple[int, ...]:
    """For each choice, how much one more of it adds to the number of a move."""
    result: list[int] = []
    product = 1
    for choice in reversed(choices):
        result.append(product)
        product *= choice.sort.size
    return tuple(reversed(result))


def span(choices: tuple[Parameter, ...]) -> int:
    """How many numbers the moves of one offer take up."""
    product = 1
    for choice in choices:
        product *= choice.sort.size
    return product
