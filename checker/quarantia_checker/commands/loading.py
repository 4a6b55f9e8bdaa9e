"""What the commands that load a game have in common: which, for how many, with which data."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from quarantia_checker.commands import UsageError

if TYPE_CHECKING:
    from quarantia_engine import Engine
    from quarantia_spec.ir import Game

PATIENCE = 0.7  # seconds without a word


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """The game itself, `--players`, `--reading` and `--option`."""
    parser.add_argument("game", metavar="GAME", help="a game's name, or a path to a .rules file")
    parser.add_argument("--players", type=int, metavar="N", help="how many play (default: fewest)")
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        metavar="TERM.CLAUSE=READING",
        help="read a clause this way instead of as ruled (may be repeated)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the game (may be repeated)",
    )


def add_data_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="FILE.toml", help="values for what the text leaves open")


def load_asked(options: argparse.Namespace, err: TextIO | None = None) -> Game:
    """The game that the arguments ask for, with warnings on `err`.

    Raises RulesError or UsageError.
    """
    from quarantia_spec.pipeline import load_with_warnings

    game, warnings = load_with_warnings(
        options.game,
        options.players,
        _pairs(options.reading, "reading", "--reading TERM.CLAUSE=READING"),
        _pairs(options.option, "option", "--option NAME=VALUE"),
    )
    if warnings and err is not None:
        from quarantia_checker.showing import show_diagnostics

        show_diagnostics(warnings, err)
    return game


def load_engine(options: argparse.Namespace, err: TextIO | None = None) -> Engine:
    """The same game ready to play, with its data. Raises RulesError or UsageError.

    The first time that takes seconds for a large game, which `err` says if it is a terminal.
    """
    with told_if_slow(err, "Making the game ready; next time it will be quick."):
        from quarantia_engine import compile_game
        from quarantia_spec.pipeline import load_data

        game = load_asked(options)
        return compile_game(game, load_data(options.game, game, options.data))


@contextmanager
def told_if_slow(err: TextIO | None, message: str) -> Iterator[None]:
    """Says the message on a terminal when the work takes a while, and wipes it off afterwards."""
    if err is None or not err.isatty():
        yield
        return
    shown = threading.Event()

    def show() -> None:
        shown.set()
        err.write(message)
        err.flush()

    timer = threading.Timer(PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if shown.is_set():
            err.write("\r\x1b[K")
            err.flush()


def _pairs(words: list[str], what: str, usage: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise UsageError(f"`{word}` names no {what}", f"write {usage}")
        pairs[name] = value
    return pairs
