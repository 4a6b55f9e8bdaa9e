"""What can go wrong when a game is played, each with what a user needs to know.

PlayError            the base of all
  BadMove            text or JSON that names no move, or names one wrongly
  IllegalMove        a well-formed move that the rules do not allow here
  BadPosition        JSON that is no position of this game
  BadData            given tables that are missing or of the wrong shape
  BrokenRule         the rules themselves broke an obligation while running
  CannotUndo         undoing would take back something that was learnt
  BadLog             a log that is malformed or that the rules no longer allow
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quarantia_engine.explain import Explanation
    from quarantia_engine.generated import Obligation


class PlayError(Exception):
    """Something about a game in play; the text is meant for its user."""


class BadMove(PlayError):
    """The move cannot be read."""


class IllegalMove(PlayError):
    """The rules do not allow the move; `explanation` says which rule, and why."""

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(str(explanation))
        self.explanation = explanation


class BadPosition(PlayError):
    """The position does not belong to the game."""


class BadData(PlayError):
    """The given tables do not fit the game."""


class BrokenRule(PlayError):
    """A rule did what it must not do: a defect of the rules, not of the move.

    `obligation` is what did not hold; None when the flow went round without a choice.
    """

    def __init__(self, message: str, obligation: Obligation | None) -> None:
        super().__init__(message)
        self.obligation = obligation


class CannotUndo(PlayError):
    """Since that move, chance has spoken or something hidden was seen."""


class BadLog(PlayError):
    """The log cannot be replayed; `move` is the number of the move that fails, from 0."""

    def __init__(self, message: str, move: int | None = None) -> None:
        super().__init__(message)
        self.move = move
