"""Rows about playing: the palace fragment by hand, OpenSpiel, and the time whole games take."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from bench import ours, peers
from bench.contest import Row, Side, Unit, take_turns
from bench.palace import compiled, flat, idiomatic
from bench.worker import Worker
from quarantia_engine import open_game
from quarantia_engine.fast import compile_fast, fast_available

ROOT = Path(__file__).parent.parent
HERE = Path(__file__).parent
PLAYER_COUNTS = (3, 4)
CHECKSUMS = {3: 862255452, 4: 348237792}
CHECKSUM_GAMES = 500


class WrongChecksumError(Exception):
    """Two versions do not play the same games: their speeds say nothing about each other."""


def rate(seconds: float, amount: int) -> float:
    return amount / seconds


def timed_steps(play: Callable[[int, int], int], games: int) -> Side:
    """Steps per second over `games` games with each number of players."""

    def measure() -> float:
        start = time.perf_counter()
        for players in PLAYER_COUNTS:
            play(players, games)
        amount = games * len(PLAYER_COUNTS) * ours.PALACE_STEPS
        return rate(time.perf_counter() - start, amount)

    return measure


def best_compiled(programs: Mapping[str, Path], games: int) -> dict[str, Side]:
    def side(program: Path) -> Side:
        def measure() -> float:
            seconds = sum(compiled.play(program, players, games)[1] for players in PLAYER_COUNTS)
            return rate(seconds, games * len(PLAYER_COUNTS) * ours.PALACE_STEPS)

        return measure

    return {level: side(program) for level, program in programs.items()}


def palace_rows(rounds: int) -> list[Row]:
    """Ours, plain and fast, against Python by hand twice over and against C."""
    plain = {
        players: ours.Playouts(ours.palace_engine(players), ours.PALACE_STEPS)
        for players in PLAYER_COUNTS
    }
    for players, playouts in plain.items():
        _same_games("quarantia", players, ours.palace_checksum(playouts, CHECKSUM_GAMES))

    def play_plain(players: int, games: int) -> int:
        return plain[players].play(games)[1]

    sides: dict[str, Side] = {
        "plain": timed_steps(play_plain, 200),
        "flat-python": timed_steps(flat.play, 200),
        "dataclasses-python": timed_steps(idiomatic.play, 12),
    }
    levels = ("-O2", "-O3")
    programs: dict[str, Path] = {}
    for level in levels:
        program = compiled.build(ROOT / "build" / "bench", level)
        if program is not None:
            programs[level] = program
            for players in PLAYER_COUNTS:
                checksum, _ = compiled.play(program, players, CHECKSUM_GAMES)
                _same_games(f"C {level}", players, checksum)
    sides |= best_compiled(programs, 10_000)
    fast = _fast_palace()
    if fast is not None:
        sides["fast"] = fast
    figures = take_turns(sides, Unit.STEPS, rounds)
    c = max((figures[level] for level in programs), default=None)
    without_numba = "" if fast is not None else "numba is not installed"
    without_compiler = without_numba or ("" if c is not None else "no C compiler")
    measured = figures.get("fast")
    by_hand = figures["dataclasses-python"]
    return [
        Row("palace", "flat-python", Unit.STEPS, 0.6, figures["plain"], figures["flat-python"]),
        Row("palace", "dataclasses-python", Unit.STEPS, 12, figures["plain"], by_hand),
        Row("palace[fast]", "c", Unit.STEPS, 0.5, measured, c, without_compiler),
        Row(
            "palace[fast]", "dataclasses-python", Unit.STEPS, 200, measured, by_hand, without_numba
        ),
    ]


FAST_GAMES = 10_000


def _fast_palace() -> Side | None:
    """The same games in compiled code, which must give the same checksum first."""
    if not fast_available():
        return None
    fast = {players: compile_fast(ours.palace_engine(players)) for players in PLAYER_COUNTS}
    for players, engine in fast.items():
        finals = engine.play_many(CHECKSUM_GAMES, ours.PALACE_STEPS).finals
        order = ours.palace_order(engine.engine)
        checksum = 0
        for cells in finals.tolist():
            checksum = ours.fold(checksum, cells, order)
        _same_games("quarantia[fast]", players, checksum)

    def play(players: int, games: int) -> int:
        return int(fast[players].play_many(games, ours.PALACE_STEPS).steps.sum())

    return timed_steps(play, FAST_GAMES)


def _same_games(side: str, players: int, checksum: int) -> None:
    if checksum != CHECKSUMS[players]:
        raise WrongChecksumError(
            f"palace with {players} players: {side} gives {checksum}, not {CHECKSUMS[players]}"
        )


# --- OpenSpiel ----------------------------------------------------------------------------------

OPEN_SPIEL_NAMES = {"tictactoe": "tic_tac_toe", "connectfour": "connect_four", "pig": "pig"}
OPEN_SPIEL_BARS = (
    ("", "openspiel-python", 0.8),
    ("[fast]", "openspiel-python", 10.0),
    ("[fast]", "openspiel-c++", 1.0),
)
PLAYOUTS = {"tictactoe": 10_000, "connectfour": 3_000, "pig": 800}


def openspiel_rows(rounds: int) -> list[Row]:
    """Random playouts per second, OpenSpiel in its own process and environment."""
    python = peers.interpreter()
    if python is None:
        return [
            Row(
                f"{game}{how}",
                against,
                Unit.PLAYOUTS,
                bar,
                None,
                None,
                "run `make bench-peers`",
            )
            for game in OPEN_SPIEL_NAMES
            for how, against, bar in OPEN_SPIEL_BARS
        ]
    rows: list[Row] = []
    with Worker(python, HERE / "openspiel_driver.py") as worker:
        for game in OPEN_SPIEL_NAMES:
            rows += _openspiel_rows_of(game, worker, rounds)
    return rows


def _openspiel_rows_of(game: str, worker: Worker, rounds: int) -> list[Row]:
    amount = PLAYOUTS[game]
    plain = ours.Playouts(open_game(game))

    def play_plain() -> float:
        return rate(plain.play(amount)[0], amount)

    def theirs(driver: str, playouts: int) -> Side:
        def measure() -> float:
            answer = worker.ask(
                game=OPEN_SPIEL_NAMES[game], driver=driver, playouts=playouts, seed=1
            )
            return rate(answer["seconds"], playouts)

        return measure

    sides: dict[str, Side] = {
        "": play_plain,
        "openspiel-python": theirs("python", amount),
        "openspiel-c++": theirs("c++", amount * 10),
    }
    fast = _fast_game(game, amount * 10)
    if fast is not None:
        sides["[fast]"] = fast
    figures = take_turns(sides, Unit.PLAYOUTS, rounds)
    return [
        Row(
            f"{game}{how}",
            against,
            Unit.PLAYOUTS,
            bar,
            figures.get(how),
            figures[against],
            "" if how in figures else "numba is not installed",
        )
        for how, against, bar in OPEN_SPIEL_BARS
    ]


def _fast_game(game: str, playouts: int) -> Side | None:
    if not fast_available():
        return None
    fast = compile_fast(open_game(game))
    fast.play_many(1, ours.NO_LIMIT)  # compiles

    def measure() -> float:
        start = time.perf_counter()
        fast.play_many(playouts, ours.NO_LIMIT)
        return rate(time.perf_counter() - start, playouts)

    return measure


# --- large games --------------------------------------------------------------------------------

# Milliseconds that a random game may take on average, to the end, with so many players.
GAME_LIMITS = (("doge", 4, 50), ("the-doge-ship", 5, 50), ("liguria", 4, 50), ("venice", 4, 100))
GAMES_EACH = 20
MOST_STEPS = 10_000  # no game of these comes near

COMPILE = """
import time
from quarantia_engine import open_game
start = time.process_time()
open_game("doge", 4)
print(time.process_time() - start)
"""


def game_rows(rounds: int) -> list[Row]:
    """Time limits are the other side: the ratio says how many times as fast as required.

    Against a limit the time of the processor counts: a peer would be held up by what else the
    machine does as much as we are, a limit is not.
    """

    def side(game: str, players: int) -> Side:
        playouts = ours.Playouts(open_game(game, players), limit=MOST_STEPS)
        return lambda: 1000 * playouts.processor_time(GAMES_EACH) / GAMES_EACH

    sides = {game: side(game, players) for game, players, _ in GAME_LIMITS}
    figures = take_turns(sides, Unit.MILLISECONDS, rounds)
    return [
        Row(
            f"{game} random game, {players} players",
            "limit",
            Unit.MILLISECONDS,
            1,
            figures[game],
            limit,
        )
        for game, players, limit in GAME_LIMITS
    ]


def compile_rows(rounds: int) -> list[Row]:
    cold, warm = compile_times(rounds)
    return [
        Row("doge compiled, cold cache", "limit", Unit.MILLISECONDS, 1, cold, 2000),
        Row("doge compiled, warm cache", "limit", Unit.MILLISECONDS, 1, warm, 100),
    ]


def compile_times(rounds: int) -> tuple[float, float]:
    """Milliseconds from rules to an engine, in a new process, without and with a filled cache.

    The files that Python itself compiles modules to are no cache of ours: they are kept from one
    process to the next, and the first process, which makes them, does not count.
    """
    cold: list[float] = []
    warm: list[float] = []
    uncounted: list[float] = []
    with tempfile.TemporaryDirectory() as modules:
        for times in (uncounted, *[cold] * min(rounds, 5)):
            with tempfile.TemporaryDirectory() as cache:
                times.append(_compile_time(modules, cache))
                for _ in range(2):
                    warm.append(_compile_time(modules, cache))
    return min(cold), min(warm)


def _compile_time(modules: str, cache: str) -> float:
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": cache,
        "QUARANTIA_CACHE": cache,
        "PYTHONPYCACHEPREFIX": modules,
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    answer = subprocess.run(
        [sys.executable, "-c", COMPILE],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return 1000 * float(answer.stdout)
