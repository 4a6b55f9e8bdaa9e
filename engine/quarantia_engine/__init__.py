"""The engine of Quarantia: plays what the rules say.

engine = open_game("nim")
position = engine.new()
for move in position.legal_moves():
    print(engine.move_to_text(move))
position = position.apply(engine.move_from_text("take(n: 2)", player=0))
"""

from quarantia_engine.board import Board
from quarantia_engine.engine import Engine, compile_game, open_game
from quarantia_engine.errors import (
    BadData,
    BadLog,
    BadMove,
    BadPosition,
    BrokenRule,
    CannotUndo,
    IllegalMove,
    PlayError,
)
from quarantia_engine.examples import ExampleResult, run_example
from quarantia_engine.explain import Explanation, Verdict
from quarantia_engine.match import Match, play_all, replay
from quarantia_engine.moves import Move
from quarantia_engine.position import Outcome, Position, ToAct
from quarantia_engine.sentences import move_sentence

__all__ = [
    "BadData",
    "BadLog",
    "BadMove",
    "BadPosition",
    "Board",
    "BrokenRule",
    "CannotUndo",
    "Engine",
    "ExampleResult",
    "Explanation",
    "IllegalMove",
    "Match",
    "Move",
    "Outcome",
    "PlayError",
    "Position",
    "ToAct",
    "Verdict",
    "compile_game",
    "move_sentence",
    "open_game",
    "play_all",
    "replay",
    "run_example",
]
