"""What a seat is told of a move: all of it, or only as much as it can know.

A seat can know a move when no other move that was possible would look the same to it afterwards.
"""

from __future__ import annotations

from quarantia_checker.logs import told_move
from quarantia_checker.play_words import say
from quarantia_engine import Move, Position
from quarantia_engine.sentences import Language, actor_name, is_secret

MOST_COMPARED = 60  # other moves that are tried before we believe that it can be known


def told_to(seat: int | None, position: Position, move: Move, language: Language) -> str:
    """A sentence about a move that was made from a position; a None seat is told everything."""
    if seat is None or move.player == seat or can_know(seat, position, move):
        return told_move(position, move, language)
    who = actor_name(position, move)
    if move.player is None:
        who = say(language, "chance")
    if is_secret(position, move):
        return say(language, "secret", who=who)
    return say(language, "unseen", who=who, rule=move.name)


def can_know(seat: int, position: Position, move: Move) -> bool:
    """True when the seat can tell the move from every other that was possible."""
    if not position.engine.has_secrets:
        return True
    if is_secret(position, move):
        return False
    seen = _looks(position.apply(move), seat)
    others = [each for each in position.legal_moves(move.player) if each != move]
    near = sorted(others, key=lambda each: each.name != move.name)[:MOST_COMPARED]
    return all(_looks(position.apply(other), seat) != seen for other in near)


def _looks(position: Position, seat: int) -> tuple[int | None, ...]:
    mask = position.visible(seat)
    return tuple(cell if shown else None for cell, shown in zip(position.cells, mask, strict=True))
