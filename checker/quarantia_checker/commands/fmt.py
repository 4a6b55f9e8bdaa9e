"""`quarantia fmt`: rules files in the one layout, comments kept.

A file is replaced whole or not at all. One that cannot be parsed is reported and left alone, and
the others are formatted all the same.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import quarantia_games
from quarantia_checker.commands import OK, REFUTED, WRONG_INPUT, UsageError
from quarantia_spec.diagnostics import Code, Diagnostic, RulesError
from quarantia_spec.format import format_source
from quarantia_spec.render import render_json
from quarantia_spec.source import Span


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="rules files, or folders of them (without: the current folder, or the games that "
        "come with Quarantia when you stand in its source tree)",
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing; status 1 when a file would change"
    )
    parser.add_argument(
        "--diff", action="store_true", help="change nothing; show what would change"
    )


@dataclass(frozen=True, slots=True)
class Formatted:
    path: Path
    before: str
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """After: every file that parses is in the one layout, unless asked to change nothing."""
    dry = options.check or options.diff
    formatted: list[Formatted] = []
    wrong: list[Diagnostic] = []
    for path in rules_files(options.paths):
        try:
            file = format_file(path)
        except RulesError as error:
            wrong.extend(error.diagnostics)
            continue
        formatted.append(file)
        if file.changed and not dry:
            replace_file(path, file.after)
    changed = [file for file in formatted if file.changed]
    if options.json:
        answer = {
            "files": [{"path": str(file.path), "changed": file.changed} for file in formatted],
            "written": bool(changed) and not dry,
            "diagnostics": render_json(wrong),
        }
        json.dump(answer, out, indent=2, ensure_ascii=False)
        out.write("\n")
        return WRONG_INPUT if wrong else REFUTED if dry and changed else OK
    for file in changed:
        out.write(difference(file) if options.diff else f"{_verb(dry)} {file.path}\n")
    out.write(f"{len(formatted) - len(changed)} of {len(formatted)} files were in order\n")
    if wrong:
        raise RulesError(wrong)
    return REFUTED if dry and changed else OK


def rules_files(paths: Sequence[Path]) -> list[Path]:
    """The files that are meant, each once, in the order given and then by name."""
    games = Path(quarantia_games.__file__).parent
    if not paths:
        here = Path.cwd()
        paths = [games.relative_to(here) if games.is_relative_to(here) else Path()]
    found: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            found[path] = None
            continue
        inside = sorted(path.rglob("*.rules"))
        if not inside:
            raise UsageError(f"there are no .rules files in {path.absolute()}")
        found.update(dict.fromkeys(inside))
    return list(found)


def format_file(path: Path) -> Formatted:
    """Raises `RulesError` when the file cannot be read or parsed."""
    place = Span(str(path), 1, 1, 1, 1)
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        message = f"cannot read {path}: {error.strerror}"
        raise RulesError([Diagnostic(Code.CANNOT_READ, message, place)]) from None
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} is not UTF-8 text"
        help = "save the file as plain UTF-8 text"
        raise RulesError([Diagnostic(Code.NOT_TEXT, message, place, help)]) from None
    return Formatted(path, text, format_source(text, str(path)))


def replace_file(path: Path, text: str) -> None:
    """After: the file holds `text`, with the permissions it had; no reader saw half of it."""
    target = path.resolve()  # a link stays a link
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            shutil.copymode(target, name)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def difference(file: Formatted) -> str:
    return "".join(
        difflib.unified_diff(
            file.before.splitlines(keepends=True),
            file.after.splitlines(keepends=True),
            str(file.path),
            f"{file.path} (formatted)",
        )
    )


def _verb(dry: bool) -> str:
    return "would format" if dry else "formatted"
