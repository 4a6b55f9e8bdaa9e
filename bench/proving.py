"""Rows about proving: the palace fragment against a model by hand, and the time Doge takes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import ours
from bench.contest import Row, Side, Unit, take_turns
from quarantia_spec.ir import Game

PLAYER_COUNTS = (3, 4)
REFUTED_OR_WORSE = (1, 2, 4)


class NotProvedError(Exception):
    """A side did not prove what both must prove."""


def prove_generated(game: Game) -> bool:
    """From the IR to the verdict: the translation, the ranges of all cells and the invariants."""
    from quarantia_checker.facts import Stated
    from quarantia_checker.induction import Prover
    from quarantia_checker.transition import System

    facts = [Stated(each.name, each.condition) for each in game.properties]
    prover = Prover(System(game))
    prover.establish(dict.fromkeys(prover.system.stable, facts))
    kept = all(prover.holds(node, fact) for node in prover.system.stable for fact in facts)
    return prover.ranges_hold and kept


def proof_rows(rounds: int) -> list[Row]:
    """Milliseconds for three and for four players together."""
    from bench.palace import proof
    from quarantia_spec.pipeline import load_game

    games = [load_game(str(ours.PALACE), players) for players in PLAYER_COUNTS]

    def generated() -> bool:
        return all(prove_generated(game) for game in games)

    def by_hand() -> bool:
        return all(proof.prove(players) for players in PLAYER_COUNTS)

    def timed(name: str) -> Side:
        prove = {"generated": generated, "z3-by-hand": by_hand}[name]

        def measure() -> float:
            start = time.perf_counter()
            if not prove():
                raise NotProvedError(f"{name} does not prove the invariants")
            return 1000 * (time.perf_counter() - start)

        return measure

    sides = {name: timed(name) for name in ("generated", "z3-by-hand")}
    figures = take_turns(sides, Unit.MILLISECONDS, rounds)
    ours_, theirs = figures["generated"], figures["z3-by-hand"]
    return [Row("proof", "z3-by-hand", Unit.MILLISECONDS, 0.5, ours_, theirs)]


def check_rows(rounds: int) -> list[Row]:
    """`quarantia check doge` for all that is proved, once without a cache, then with it."""
    del rounds  # half a minute each: once is enough
    program = str(Path(sys.executable).parent / "quarantia")
    command = [program, "check", "doge", "--only", "invariant,agreement,coverage", "--json"]
    times: list[float] = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache, "QUARANTIA_CACHE": cache}
        for _ in ("cold", "warm"):
            start = time.perf_counter()
            done = subprocess.run(command, env=environment, capture_output=True, check=False)
            times.append(1000 * (time.perf_counter() - start))
            if done.returncode in REFUTED_OR_WORSE:
                raise NotProvedError(f"quarantia check doge ended with status {done.returncode}")
    return [
        Row("doge checked, cold cache", "limit", Unit.MILLISECONDS, 1, times[0], 30_000),
        Row("doge checked, warm cache", "limit", Unit.MILLISECONDS, 1, times[1], 2_000),
    ]
