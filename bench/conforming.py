"""Rows about conformance: how many moves of another engine are compared in a second."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from bench.conform.four import Four
from bench.contest import Row, Side, Unit, take_turns
from quarantia_checker.conform.campaign import Campaign, Wanted
from quarantia_checker.conform.client import Client
from quarantia_checker.conform.link import Direct, Link, Pipe
from quarantia_checker.conform.reference import Reference
from quarantia_checker.conform.tester import Tester
from quarantia_checker.conform.vocabulary import Vocabulary
from quarantia_engine import open_game

ROOT = Path(__file__).parent.parent
NODE_ENGINE = ROOT / "conformance" / "doge-js" / "main.js"
IN_PROCESS, OVER_A_PIPE = 20_000, 5_000  # moves a second that are asked for


def conform_rows(rounds: int) -> list[Row]:
    """The bar is the other side: the ratio says how many times as fast as required."""
    four = take_turns({"ours": in_process()}, Unit.MOVES, rounds)["ours"]
    rows = [Row("conform, connect four by hand", "bar", Unit.MOVES, 1, four, IN_PROCESS)]
    absent = ""
    if shutil.which("node") is None:
        absent = "node is not installed"
    elif not NODE_ENGINE.is_file():
        absent = "the engine in JavaScript is not there"
    piped = None
    if not absent:
        piped = take_turns({"ours": over_a_pipe()}, Unit.MOVES, rounds)["ours"]
    rows.append(Row("conform, doge in node", "bar", Unit.MOVES, 1, piped, OVER_A_PIPE, absent))
    return rows


def in_process() -> Side:
    return _comparing("connectfour", 2, lambda: Direct(Four().handle), games=300)


def over_a_pipe() -> Side:
    return _comparing("doge", 3, lambda: Pipe(f"node {NODE_ENGINE}", 30.0), games=12)


def _comparing(game: str, players: int, open_link: Callable[[], Link], games: int) -> Side:
    """Moves compared in a second: legal moves, positions and outcomes of whole random games.

    Every tenth game is compared with all views, as in `quarantia conform`.
    """
    engine = open_game(game, players)
    reference = Reference(engine)
    seed = 0

    def measure() -> float:
        nonlocal seed
        client = Client(open_link)
        hello = client.hello(engine.game.name, engine.fingerprint, "bench")
        tester = Tester(client, Vocabulary(reference, fields=hello.fields), hello)
        try:
            assert Campaign(tester, Wanted(0, 20, 50, 600.0, seed)).games(20, 50) is None
            before = tester.moves
            start = time.perf_counter()
            found = Campaign(tester, Wanted(0, 0, 0, 600.0, seed)).games(games, 2_000)
            seconds = time.perf_counter() - start
            assert found is None, found
            seed += games
            return (tester.moves - before) / seconds
        finally:
            tester.close()
            client.close()

    return measure
