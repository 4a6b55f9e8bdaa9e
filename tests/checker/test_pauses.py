"""The game in shorter steps is the same game, and loops that never end are not called ended."""

from __future__ import annotations

import pytest

from quarantia_checker.induction import Open, Proved, Prover
from quarantia_checker.loops import come_to_an_end, unrolled_to_the_end
from quarantia_checker.pauses import PAUSE, successors, with_pauses
from quarantia_checker.transition import System
from quarantia_engine import compile_game
from quarantia_engine.randomness import following, pick, scramble
from quarantia_spec.ir import Auto, Branch, Game
from quarantia_spec.pipeline import game_names, load_data, load_game, load_text

COUNTING = """game g "G"
players 2
state left: 0..5 = 5
decision go by p  §own
  nothing
flow  §own
  repeat
    left := 5
    repeat while left > 0
      {body}
    Player_one decides go
outcome  §own
  winner p: false
"""


def counting(body: str) -> Game:
    text = COUNTING.replace("{body}", body).replace("Player_one", "first_player")
    text = text.replace("players 2\n", "players 2 named first_player, other\n")
    game, found = load_text(text)
    assert game is not None, found
    return game


@pytest.mark.parametrize("name", game_names())
def test_paused_play_is_the_same_play(name: str) -> None:
    game = load_game(name)
    data = load_data(name, game)
    plain, paused = compile_game(game, data).new(), compile_game(with_pauses(game), data).new()
    state = scramble(7)
    for _ in range(60):
        while any(move.name == PAUSE for move in paused.legal_moves()):
            (pause,) = paused.legal_moves()
            paused = paused.apply(pause)
        assert paused.cells == plain.cells
        if plain.to_act().over:
            return
        seats = plain.to_act().players
        moves = plain.legal_moves(seats[0]) if seats else plain.legal_moves()
        state = following(state)
        move = moves[pick(state, len(moves))]
        plain, paused = plain.apply(move), paused.apply(move)


@pytest.mark.parametrize("name", game_names())
def test_no_step_of_a_paused_game_goes_round(name: str) -> None:
    game = with_pauses(load_game(name))
    automatic = {node.number for node in game.nodes if isinstance(node, Auto | Branch)}
    for start in automatic:
        todo, seen = [start], {start}
        while todo:
            for target in successors(game.nodes[todo.pop()]):
                assert target != start, "a loop of automatic nodes has no pause in it"
                if target in automatic and target not in seen:
                    seen.add(target)
                    todo.append(target)


def test_a_loop_that_counts_down_ends() -> None:
    prover = Prover(System(with_pauses(counting("left -= 1"))))
    assert isinstance(come_to_an_end(prover), Proved)


def test_a_loop_that_stands_still_is_not_said_to_end() -> None:
    game = counting("left := left")
    prover = Prover(System(with_pauses(game)))
    assert isinstance(come_to_an_end(prover), Open)
    assert isinstance(unrolled_to_the_end(prover, System(game)), Open)
