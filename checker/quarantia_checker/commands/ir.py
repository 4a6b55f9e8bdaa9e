"""`quarantia ir GAME`: the canonical text of what a game means, for one number of players."""

from __future__ import annotations

import argparse
import json
from typing import TextIO

from quarantia_checker.commands import OK, UsageError
from quarantia_spec.ir_text import game_text
from quarantia_spec.pipeline import load_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's name, or a path to a .rules file")
    parser.add_argument("--players", type=int, metavar="N", help="for this number of players")
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
    parser.add_argument(
        "--python", action="store_true", help="show the Python that the engine makes of it"
    )


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    game = load_game(
        options.game,
        options.players,
        _pairs(options.reading, "reading", "--reading TERM.CLAUSE=READING"),
        _pairs(options.option, "option", "--option NAME=VALUE"),
    )
    if options.python:
        from quarantia_engine.codegen import generate

        text = generate(game).source
    else:
        text = game_text(game)
    if options.json:
        answer = {"game": game.name, "players": game.players, "readings": dict(game.readings)}
        json.dump({**answer, "text": text}, out, indent=2, ensure_ascii=False)
        out.write("\n")
    else:
        out.write(text if text.endswith("\n") else text + "\n")
    return OK


def _pairs(words: list[str], what: str, usage: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise UsageError(f"`{word}` names no {what}", f"write {usage}")
        pairs[name] = value
    return pairs
