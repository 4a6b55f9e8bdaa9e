"""`quarantia ir GAME`: the canonical text of what a game means, for one number of players."""

from __future__ import annotations

import argparse
import json
from typing import TextIO

from quarantia_checker.commands import OK
from quarantia_checker.commands.loading import add_game_arguments, load_asked
from quarantia_spec.ir_text import game_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument(
        "--python", action="store_true", help="show the Python that the engine makes of it"
    )


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    game = load_asked(options, err)
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
