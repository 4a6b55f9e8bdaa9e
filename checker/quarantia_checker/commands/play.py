"""`quarantia play GAME`: a game in the terminal, with people and bots."""

from __future__ import annotations

import argparse
import contextlib
import json
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from quarantia_checker.commands import OK, REFUTED, UsageError
from quarantia_checker.commands.loading import add_data_argument, add_game_arguments, load_engine

if TYPE_CHECKING:
    from rich.console import Console

    from quarantia_engine import Match
    from quarantia_engine.sentences import Language

LANGUAGES = ("en", "fr")
NEWEST = "the last one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    add_data_argument(parser)
    parser.add_argument(
        "--bots", type=int, default=0, metavar="N", help="so many seats, the last, are bots"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="for chance and bots, to play again")
    parser.add_argument(
        "--lang", choices=LANGUAGES, help="language of sentences (default: as saved, else en)"
    )
    parser.add_argument(
        "--save", default="", metavar="FILE", help="where the game is kept after each move"
    )
    parser.add_argument(
        "--resume",
        nargs="?",
        const=NEWEST,
        default="",
        metavar="FILE",
        help="go on with a saved game (the last one of GAME without FILE)",
    )


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """With --json, the log of the game is all that goes to `out`."""
    from rich.console import Console

    from quarantia_checker.play_words import say
    from quarantia_checker.playing import Table
    from quarantia_checker.saves import new_save

    stream = err if options.json else out
    console = Console(file=stream, highlight=False, width=None if stream.isatty() else 110)
    resumed = _resumed(options) if options.resume else None
    language: Language = options.lang or "en"
    if resumed is not None:
        match, save, bots, spoken = resumed
        language = options.lang or spoken
    else:
        engine = load_engine(options, err)
        match = _new_match(engine, options.seed)
        save = Path(options.save) if options.save else new_save(engine.game.name)
        bots = _bots(options.bots, engine.game.players)
    table = Table(
        match,
        bots,
        language,
        console,
        _reader(console),
        save,
        {"source": options.game, "language": language},
    )
    try:
        over = table.run()
    except KeyboardInterrupt:
        over = False
        console.print()
    if not over and table.saving:
        command = f"quarantia play {shlex.quote(options.game)} --resume {shlex.quote(str(save))}"
        table.write(say(language, "saved", path=save))
        table.write(say(language, "resume", command=command))
    if options.json:
        json.dump(table.log(), out, indent=2, ensure_ascii=False)
        out.write("\n")
    return REFUTED if table.failed else OK


def _bots(count: int, players: int) -> frozenset[int]:
    if not 0 <= count <= players:
        raise UsageError(f"--bots must be 0 to {players}: so many seats there are")
    return frozenset(range(players - count, players))


def _new_match(engine: Any, seed: int | None) -> Match:
    from quarantia_engine import BrokenRule, Match

    try:
        return Match(engine, int(time.time()) if seed is None else seed)
    except BrokenRule as error:
        raise UsageError(f"the rules themselves fail: {error}") from None


def _resumed(options: argparse.Namespace) -> tuple[Match, Path, frozenset[int], Language]:
    """The match of a saved game, its file, its bots and its language. Raises UsageError."""
    from quarantia_checker.logs import read_log
    from quarantia_checker.saves import newest_save
    from quarantia_engine import Match

    named = options.resume != NEWEST
    path = Path(options.resume) if named else newest_save(Path(options.game).stem)
    replay = read_log(str(path), options.game, options.data)
    if replay.failure is not None:
        raise UsageError(
            f"{path} cannot go on: move {replay.failure.number}: {replay.failure}",
            f"`quarantia replay {path}` shows how far it goes",
        )
    match = Match.from_log(replay.engine, replay.log)
    names = replay.log.get("bots")
    seats = range(replay.engine.game.players)
    listed = names if isinstance(names, list) else []
    bots = frozenset(seat for seat in seats if replay.engine.player_name(seat) in listed)
    if options.bots:
        bots = _bots(options.bots, len(seats))
    language: Language = "fr" if replay.log.get("language") == "fr" else "en"
    return match, Path(options.save) if options.save else path, bots, language


def _reader(console: Console) -> Callable[[str], str]:
    """Lines from the keyboard, with history and editing; or from a pipe."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (input() uses it by being there)
        return lambda prompt: console.input(prompt, markup=False)

    def read(prompt: str) -> str:
        console.print(prompt, end="", markup=False)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        console.print()
        return line

    return read
