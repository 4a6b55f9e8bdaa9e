"""Flows that run flows and choices made together: what one part does, another does not undo."""

from __future__ import annotations

from quarantia_engine import Position, compile_game
from quarantia_spec.diagnostics import Diagnostic
from quarantia_spec.ir import Game
from quarantia_spec.pipeline import load_text

HEAD = """\
game flows "Flows"

players 3 named red, blue, green  §own

outcome  §own
  winner p: true

state log: sequence of 0..9 up to 9  §own

step note[n: 0..9]  §own
  append n to log

decision choose(n: 0..2) by p  §own
  append n to log

decision refrain by p  §own
  append 9 to log

"""


def load(text: str) -> tuple[Game | None, list[Diagnostic]]:
    return load_text(HEAD + text)


def played(text: str, *numbers: int) -> list[int]:
    """What the log holds at the end of a game with these choices."""
    game, found = load(text)
    assert game is not None, found
    engine = compile_game(game)
    position: Position = engine.new()
    for number in numbers:
        player = position.to_act().players[0]
        moves = position.legal_moves(player)
        position = position.apply(moves[number])
    assert position.to_act().over
    log, length = game.variable["log"], game.variable["log.length"]
    return list(position.cells[log.offset : log.offset + position.cells[length.offset]])


def test_a_flow_does_not_change_the_loop_it_is_run_in() -> None:
    inner = "flow inner[p: Player]  §own\n  run note[ordinal(p)]\n\n"
    outer = """\
flow  §own
  each p in Player
    run inner[next(p)]
    run note[ordinal(p)]
"""
    assert played(inner + outer) == [1, 0, 2, 1, 0, 2]


def test_a_flow_has_loops_of_its_own() -> None:
    inner = """\
flow inner  §own
  each k in 1..2
    run note[k]
  let m = 5
  run note[m]

"""
    outer = """\
flow  §own
  let m = 7
  each k in 1..2
    run inner
    run note[k]
  run note[m]
"""
    game, found = load(inner + outer)
    assert game is not None, found
    assert played(inner + outer) == [1, 2, 5, 1, 1, 2, 5, 2, 7]


def test_values_that_change_places() -> None:
    inner = "flow inner[a: 0..9, b: 0..9]  §own\n  run note[a]\n  run note[b]\n\n"
    outer = "flow  §own\n  let a = 1\n  let b = 2\n  run inner[b, a]\n  run inner[a, b]\n"
    assert played(inner + outer) == [2, 1, 1, 2]


def test_loops_side_by_side_share_a_cell() -> None:
    game, _ = load(
        "flow  §own\n  each k in 1..2\n    run note[k]\n  each k in 1..2\n    run note[k]\n"
    )
    assert game is not None
    assert [name for name in game.variable if name.startswith("k")] == ["k"]


def test_choosing_together_again() -> None:
    text = """\
flow  §own
  together p in Player decides choose, refrain
  together p in Player where p != blue decides choose, refrain
"""
    # Moves are numbered from 0: the three values of `choose`, then `refrain`.
    assert played(text, 2, 3, 0, 1, 1) == [2, 9, 0, 1, 1]


def test_choosing_together_in_another_company() -> None:
    text = """\
flow  §own
  together p in Player decides choose, refrain
  together p in Player decides refrain
"""
    game, found = load(text)
    assert game is None
    assert [(d.code.value, d.span.line) for d in found] == [("E307", 21)]
    assert "offer choose, refrain here too" in found[0].help


def test_deciding_both_alone_and_together() -> None:
    game, found = load("flow  §own\n  together p in Player decides choose\n  red decides choose\n")
    assert game is None
    assert [d.code.value for d in found if d.code.value != "E503"] == ["E307"]
