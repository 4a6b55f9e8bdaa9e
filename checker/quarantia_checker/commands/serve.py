"""`quarantia serve GAME`: an engine that speaks the conformance protocol from the rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from quarantia_checker.commands import OK
from quarantia_checker.commands.loading import add_data_argument, add_game_arguments, load_engine

if TYPE_CHECKING:
    from quarantia_engine import Engine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    add_data_argument(parser)


def run(options: argparse.Namespace, out: TextIO, err: TextIO, lines: TextIO | None = None) -> int:
    """Answers line by line until the input ends."""
    from quarantia_checker.conform.server import Server

    server = Server(engines(options))
    for line in lines or sys.stdin:
        if line.strip():
            out.write(server.line(line) + "\n")
            out.flush()
    return OK


def engines(options: argparse.Namespace) -> Callable[[int], Engine]:
    """The game asked for, by number of players; 0 is the number that was asked for, or fewest."""
    known: dict[int, Engine] = {0: load_engine(options)}
    first = known[0]
    known[first.game.players] = first

    def engine_for(players: int) -> Engine:
        if players not in known:
            if players not in first.game.player_counts:
                counts = ", ".join(map(str, first.game.player_counts))
                raise LookupError(f"the game is for {counts} players, not {players}")
            asked = argparse.Namespace(**{**vars(options), "players": players})
            known[players] = load_engine(asked)
        return known[players]

    return engine_for
