"""Runs in the environment of the peers: random playouts of OpenSpiel games, timed.

Reads one JSON object per line, `{"game", "driver", "playouts", "seed"}`, and answers each with
`{"seconds", "steps"}`. The driver is `python` (each step is called from Python) or `c++`
(OpenSpiel's own loop; it does not count steps).
"""

from __future__ import annotations

import json
import random
import sys
import time

import pyspiel  # type: ignore[import-not-found]


def play_from_python(game: pyspiel.Game, playouts: int, seed: int) -> tuple[float, int]:
    """Chance outcomes are drawn alike, which is what they are in the games measured here."""
    draw = random.Random(seed).random
    steps = 0
    start = time.perf_counter()
    for _ in range(playouts):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
            steps += 1
    return time.perf_counter() - start, steps


def play_in_cpp(game: pyspiel.Game, playouts: int, seed: int) -> tuple[float, int]:
    """A search that looks at the first position once, and values it by that many rollouts.

    That is the shortest way from Python to the loop over random playouts in C++.
    """
    evaluator = pyspiel.RandomRolloutEvaluator(playouts, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed, False)
    state = game.new_initial_state()
    start = time.perf_counter()
    bot.mcts_search(state)
    return time.perf_counter() - start, 0


DRIVERS = {"python": play_from_python, "c++": play_in_cpp}


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        game = pyspiel.load_game(request["game"])
        driver = DRIVERS[request["driver"]]
        seconds, steps = driver(game, request["playouts"], request["seed"])
        print(json.dumps({"seconds": seconds, "steps": steps}), flush=True)


if __name__ == "__main__":
    main()
