"""A simple player: tries each move in random games and takes the one that did best.

Where its seat cannot see everything it does not look behind the screens: it picks a kind of move
at random, then one of that kind. The same position and state always give the same move.
"""

from __future__ import annotations

from quarantia_engine.board import Board
from quarantia_engine.encoding import LIMIT
from quarantia_engine.errors import BrokenRule
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_engine.randomness import following, pick, scramble

MOST_MOVES = 40  # tried; more are thinned out at random
STEPS = 6_000  # of random play in all
LONGEST = 600  # moves of one random game


def choose(position: Position, seat: int, state: int) -> Move:
    """A legal move for the seat, which must be one of those to act."""
    moves = position.legal_moves(seat)
    state = following(scramble(state))
    if len(moves) == 1:
        return moves[0]
    if not all(position.visible(seat)):
        return _guess(moves, state)
    while len(moves) > MOST_MOVES:
        state = following(state)
        del moves[pick(state, len(moves))]
    return _best(position, seat, moves, state)


def sees_enough(position: Position, seat: int) -> bool:
    """True when the choice rests on random games and not on a guess."""
    return all(position.visible(seat))


def _guess(moves: list[Move], state: int) -> Move:
    names = sorted({move.name for move in moves})
    name = names[pick(state, len(names))]
    kind = [move for move in moves if move.name == name]
    return kind[pick(following(state), len(kind))]


def _best(position: Position, seat: int, moves: list[Move], state: int) -> Move:
    starts = [position.apply(move) for move in moves]
    totals = [0.0] * len(moves)
    spent, seed = 0, state
    while spent < STEPS:
        seed += 1
        for place, start in enumerate(starts):
            value, steps = _play_out(start, seat, seed)
            totals[place] += value
            spent += steps + 1
    return moves[max(range(len(moves)), key=lambda place: totals[place])]


def _play_out(start: Position, seat: int, seed: int) -> tuple[float, int]:
    """What a random game from here is worth to the seat, from 0 to about 1, and its length."""
    board = Board(start)
    try:
        steps, status = board.playout(seed, LONGEST)
    except (IndexError, ZeroDivisionError, BrokenRule):
        return 0.0, 1
    if status == LIMIT or status:
        return 0.5, steps
    outcome = board.position().outcome()
    assert outcome is not None
    value = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    if not outcome.winners:
        value = 0.5
    if outcome.scores is not None:
        others = [score for place, score in enumerate(outcome.scores) if place != seat]
        lead = outcome.scores[seat] - max(others, default=0)
        value += 0.01 * max(-10, min(10, lead))
    return value, steps
