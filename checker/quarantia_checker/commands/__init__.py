"""The commands of `quarantia`, one module each, imported only when its command is chosen.

A command module has two functions:

    add_arguments(parser: argparse.ArgumentParser) -> None
    run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int

`run` writes to `out` and `err` (never to `sys.stdout`) and returns one of the statuses below.
The command line adds `--json` to every command itself: read `options.json`. Input that is wrong
is reported by raising `RulesError` (a rules file) or `UsageError` (anything else), never by a
traceback. The table of commands is in `quarantia_checker.cli`.
"""

from __future__ import annotations

from typing import Final

OK: Final = 0  # all is well
REFUTED: Final = 1  # refuted, different, or a defect without a ruling
WRONG_INPUT: Final = 2  # the input or the usage is wrong
UNSETTLED: Final = 3  # nothing is refuted, but something is unsettled
BUG: Final = 4  # a bug in Quarantia itself


class UsageError(Exception):
    """What was asked for cannot be done; the message says why and, in `help`, what to try."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help
