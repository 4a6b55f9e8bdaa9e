"""The reference of the command line, from what the commands say of themselves."""

from __future__ import annotations

import argparse
import importlib
import io
import os

from quarantia_checker.cli import available_commands, parser_of

HEAD = """\
# The command line

One command, `quarantia`. A game is the name of one that comes with Quarantia, such as `nim`, a
variant of one, such as `game/variant`, or a path to a `.rules` file. Every command takes `--json`.

| exit status | |
| --- | --- |
| 0 | all is well |
| 1 | something is refuted, differs, or is a defect without a ruling |
| 2 | the input or the usage is wrong |
| 3 | nothing is refuted, but something is unsettled |
| 4 | a bug in Quarantia itself |
"""


def commands_page() -> str:
    """The page as Markdown; this page is made when the site is built."""
    parts = [HEAD]
    for command in available_commands():
        module = importlib.import_module(command.path)
        parser = parser_of(command, io.StringIO(), io.StringIO())
        module.add_arguments(parser)
        parts.append(f"## quarantia {command.name}\n\n{_capital(command.help)}.\n")
        parts.append(f"```text\n{_usage(parser)}\n```\n")
        parts.append(_arguments(parser))
    return "\n".join(parts)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _usage(parser: argparse.ArgumentParser) -> str:
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "90"  # the same on every terminal
    try:
        return parser.format_usage().removeprefix("usage: ").rstrip()
    finally:
        if columns is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = columns


def _arguments(parser: argparse.ArgumentParser) -> str:
    rows = ["| argument | |", "| --- | --- |"]
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        shown = action.metavar if isinstance(action.metavar, str) else (action.dest or "")
        if action.choices is not None and not isinstance(action.metavar, str):
            shown = "/".join(str(each) for each in action.choices)
        names = ", ".join(f"`{each}`" for each in action.option_strings) or f"`{shown}`"
        if action.option_strings and action.nargs != 0:
            names += f" `{shown}`"
        told = (action.help or "").replace("|", "\\|").replace("%%", "%")
        rows.append(f"| {names} | {told} |")
    return "\n".join([*rows, ""])
