"""`quarantia replay LOG`: a saved game or a counterexample, move by move, forwards and back."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, TextIO

from quarantia_checker.commands import OK, REFUTED, UsageError

if TYPE_CHECKING:
    from quarantia_checker.logs import Replay
    from quarantia_engine.sentences import Language

HELP = """\
  Enter, n   forwards            b      back
  f          to the start        l      to the end
  12         to move 12          p      the whole position
  q          leave               ?      this list
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", metavar="LOG", help="a file written by play, check or simulate")
    parser.add_argument("--game", default="", metavar="GAME", help="the game, if the log's moved")
    parser.add_argument("--data", metavar="FILE.toml", help="other data than the log's own")
    parser.add_argument("--lang", choices=("en", "fr"), default="en", help="language of sentences")
    parser.add_argument("--step", action="store_true", help="step through it, even in a pipe")
    parser.add_argument("--all", action="store_true", help="print it all, even on a terminal")
    parser.add_argument("--to-example", action="store_true", help="print it as an example block")
    parser.add_argument("--itf", action="store_true", help="print it in the Informal Trace Format")


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """Status 1 when the rules do not allow the log, or broke an obligation in it."""
    from quarantia_checker.logs import as_json, read_log

    if options.to_example and options.itf:
        raise UsageError("--to-example and --itf cannot be had at once", "choose one of them")
    replay = read_log(options.log, options.game, options.data)
    if options.to_example or options.itf:
        from quarantia_checker.log_exports import example_text, itf_trace

        if not replay.positions:
            raise UsageError(f"there is no play to print: {replay.failure}")
        _warn(replay, err)
        if options.to_example:
            out.write(example_text(replay, "from_a_log"))
        else:
            json.dump(itf_trace(replay), out, ensure_ascii=False)
            out.write("\n")
    elif options.json:
        json.dump(as_json(replay, options.lang), out, indent=2, ensure_ascii=False)
        out.write("\n")
    elif options.step or (out.isatty() and sys.stdin.isatty() and not options.all):
        _Stepper(replay, options.lang, out).run()
    else:
        stepper = _Stepper(replay, options.lang, out)
        for number in range(len(replay.moves) + 1):
            stepper.show(number)
        stepper.show_failure()
    return REFUTED if replay.failure is not None else OK


def _warn(replay: Replay, err: TextIO) -> None:
    if replay.failure is not None:
        err.write(f"quarantia: move {replay.failure.number}: {replay.failure}\n")


class _Stepper:
    """Shows moves one at a time, as asked for on standard input."""

    def __init__(self, replay: Replay, language: Language, out: TextIO) -> None:
        from rich.console import Console

        self.replay = replay
        self.language = language
        self.last = len(replay.moves)
        width = None if out.isatty() else 110
        self.console = Console(file=out, highlight=False, width=width)

    def run(self) -> None:
        number = 0
        self.show(number)
        while True:
            self.console.print(f"[dim]{number} of {self.last}, ? for help >[/dim] ", end="")
            line = sys.stdin.readline()
            if not line:
                self.console.print()
                return
            match line.strip().lower():
                case "" | "n":
                    wanted = number + 1
                case "b":
                    wanted = number - 1
                case "f":
                    wanted = 0
                case "l":
                    wanted = self.last
                case "p":
                    self.show_position(number)
                    continue
                case "q" | "quit":
                    return
                case "?":
                    self.console.print(HELP, end="")
                    continue
                case word if word.isdecimal():
                    wanted = int(word)
                case word:
                    self.console.print(f"`{word}` is none of these:", markup=False)
                    self.console.print(HELP, end="")
                    continue
            if not 0 <= wanted <= self.last:
                at_end = {0: "this is the start; ", self.last: "this is the last move; "}
                here = at_end.get(number, "") if abs(wanted - number) == 1 else ""
                self.console.print(f"{here}there are moves 0 to {self.last}")
                if here and wanted > 0:
                    self.show_failure()
                continue
            number = wanted
            self.show(number)
            if number == self.last:
                self.show_failure()

    def show(self, number: int) -> None:
        """A move and what it changed; number 0 is what happened before the first."""
        from rich.text import Text

        from quarantia_checker.logs import told_happening, told_move

        replay, language = self.replay, self.language
        if number == 0:
            game = replay.engine.game
            title = f"{game.title or game.name}, {game.players} players, {self.last} moves"
            self.console.print(Text(title, "bold"))
            if replay.other_rules:
                told = "The rules have changed since this log was written."
                self.console.print(Text(told, "yellow"))
            happenings = replay.start.happenings
        else:
            step = replay.step(number)
            happenings = step.traced.happenings
            told = told_move(step.before, step.move, language)
            self.console.print(Text(f"{number}. {told}", "bold"))
        for happening in happenings:
            for line in told_happening(happening, language):
                self.console.print(Text(f"    {line}"), soft_wrap=True)

    def show_position(self, number: int) -> None:
        from quarantia_checker.drawing import draw

        shown = min(number, len(self.replay.positions) - 1)
        if shown >= 0:
            self.console.print(draw(self.replay.positions[shown], None))

    def show_failure(self) -> None:
        """Why the log goes no further, if it does not end by itself."""
        from rich.text import Text

        failure = self.replay.failure
        if failure is not None:
            told = f"move {failure.number}: {failure}"
            self.console.print(Text(told, "bold red"), soft_wrap=True)
            if self.replay.other_rules:
                told = "The log was written under other rules; this is the first they do not allow."
                self.console.print(told)
            return
        outcome = self.replay.positions[-1].outcome()
        if outcome is not None:
            names = [self.replay.engine.player_name(seat) for seat in outcome.winners]
            self.console.print(f"The game is over. Won by: {', '.join(names) or 'nobody'}.")
