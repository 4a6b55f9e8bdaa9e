"""The command line: `quarantia COMMAND ...`. Read `run` first.

A command's module is imported only when the command is chosen, so that `quarantia --help` answers
at once and nothing pays for a solver it does not use.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, TextIO

from quarantia_checker.commands import BUG, OK, WRONG_INPUT, UsageError
from quarantia_spec.suggest import closest

INTERRUPTED = 130  # what shells report after control-C
PIPE_CLOSED = 141  # and when the reader of a pipe has left


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table: `module` is in `quarantia_checker.commands`."""

    name: str
    module: str
    help: str

    @property
    def path(self) -> str:
        return f"quarantia_checker.commands.{self.module}"


COMMANDS = (
    Command("check", "check", "prove or refute everything a game's rules claim"),
    Command("ambiguities", "ambiguities", "the register of defects: passages, readings, rulings"),
    Command("play", "play", "play in the terminal, against others or bots"),
    Command("simulate", "simulate", "play many random games and report what happened"),
    Command("replay", "replay", "step through a saved game or a counterexample"),
    Command("conform", "conform", "play an external engine against the rules"),
    Command("serve", "serve", "answer the conformance protocol from the rules"),
    Command("trace", "trace", "citations against your own copy of the rulebook"),
    Command("mutate", "mutate", "change the rules a little and see whether the checks notice"),
    Command("docs", "docs", "build the documentation of games"),
    Command("fmt", "fmt", "format rules files"),
    Command("new", "new", "start a game that already checks and plays"),
    Command("ir", "ir", "show what a game means, in the form that the tools read"),
    Command("explain", "explain", "what an error code means, with a bad and a good example"),
)


def main() -> NoReturn:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show `§` shows `?`; it is no reason to stop.
            stream.reconfigure(errors="replace")
    status = run(sys.argv[1:], sys.stdout, sys.stderr)
    if status == PIPE_CLOSED:
        # The interpreter flushes once more on its way out; let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


def run(argv: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Carry out one command line and return its exit status. No exception leaves here."""
    try:
        status = _dispatch(argv, out, err)
        out.flush()
        return status
    except _Stop as stop:
        return stop.status
    except UsageError as error:
        err.write(f"quarantia: {error}\n")
        if error.help:
            err.write(f"  {error.help}\n")
        return WRONG_INPUT
    except KeyboardInterrupt:
        err.write("\nquarantia: interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    except Exception as error:
        return _report_failure(error, argv, out, err)


def available_commands() -> tuple[Command, ...]:
    """The commands whose modules are installed, in the order of the table."""
    return tuple(command for command in COMMANDS if importlib.util.find_spec(command.path))


def _dispatch(argv: Sequence[str], out: TextIO, err: TextIO) -> int:
    match list(argv):
        case []:
            err.write(_overview())
            return WRONG_INPUT
        case ["-h" | "--help" | "help", *_]:
            out.write(_overview())
            return OK
        case ["-V" | "--version", *_]:
            out.write(f"quarantia {version()}\n")
            return OK
        case [name, *arguments]:
            command = _find_command(name)
            module = importlib.import_module(command.path)
            parser = parser_of(command, out, err)
            module.add_arguments(parser)
            status: int = module.run(parser.parse_args(arguments), out, err)
            return status
    raise AssertionError("a list is empty or has a head")


def parser_of(command: Command, out: TextIO, err: TextIO) -> argparse.ArgumentParser:
    """A parser with what every command takes; the command's module adds its own arguments."""
    parser = _Parser(command, out, err)
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    return parser


def _find_command(name: str) -> Command:
    commands = {command.name: command for command in available_commands()}
    if name in commands:
        return commands[name]
    what = "option" if name.startswith("-") else "command"
    near = closest(name, commands)
    help = f"did you mean `{near}`?" if near else "`quarantia --help` lists the commands"
    raise UsageError(f"there is no {what} `{name}`", help)


def _overview() -> str:
    commands = available_commands()
    width = 2 + max((len(command.name) for command in commands), default=0)
    rows = "\n".join(f"  {command.name:<{width}}{command.help}" for command in commands)
    return (
        "usage: quarantia COMMAND ...\n\n"
        "Board-game rules, written once: checked by a solver, played by an engine, documented.\n"
        "A game is the name of one that comes with Quarantia or a path to a .rules file.\n\n"
        f"commands:\n{rows}\n\n"
        "`quarantia COMMAND --help` says more; every command takes --json.\n"
        "exit status: 0 all is well, 1 refuted or a defect without a ruling, 2 wrong input,\n"
        "             3 something is unsettled, 4 a bug in Quarantia\n"
    )


def version() -> str:
    from importlib import metadata

    try:
        return metadata.version("quarantia")
    except metadata.PackageNotFoundError:
        return "(not installed)"


# --- what goes wrong ------------------------------------------------------------------------


def _report_failure(error: Exception, argv: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Wrong rules are the author's to mend and are shown in place; all else is our bug."""
    from quarantia_spec.diagnostics import RulesError

    if isinstance(error, RulesError):
        from quarantia_checker.showing import show_diagnostics, write_json

        if "--json" in argv:
            write_json(error.diagnostics, out)
        else:
            show_diagnostics(error.diagnostics, err)
        return WRONG_INPUT
    from quarantia_checker.bug_report import save_bug_report

    path = save_bug_report(error, argv, version())
    err.write(f"quarantia: this is a bug in Quarantia ({type(error).__name__}: {error})\n")
    if path:
        err.write(f"  please report it together with this file: {path}\n")
    else:
        err.write("  please report it with the command you gave and the rules file it read\n")
    return BUG


# --- argparse, speaking to the streams it is given ------------------------------------------


class _Stop(Exception):
    """The parser has said all there is to say."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Parser(argparse.ArgumentParser):
    """Writes to the given streams, and raises `_Stop` where argparse would leave Python."""

    def __init__(self, command: Command, out: TextIO, err: TextIO) -> None:
        super().__init__(
            prog=f"quarantia {command.name}",
            description=f"{command.help[0].upper()}{command.help[1:]}.",
            allow_abbrev=False,
        )
        self.out = out
        self.err = err

    def print_help(self, file: object = None) -> None:
        self.out.write(self.format_help())

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if message:
            self.err.write(message)
        raise _Stop(status)

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_INPUT, f"{self.prog}: {message}\n  {self.format_usage()}")


if __name__ == "__main__":
    main()
