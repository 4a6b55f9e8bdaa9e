"""`quarantia new NAME`: a folder with a small game that formats, checks and plays at once."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import TextIO

from quarantia_checker.commands import OK, UsageError
from quarantia_spec.starter import starter_files

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the game, and of its new folder")


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """After: the folder NAME holds the starter files; nothing that was there has changed."""
    name: str = options.name
    if not NAME.fullmatch(name):
        raise UsageError(
            f"`{name}` cannot be the name of a game",
            "use up to 40 small letters, digits and underscores, a letter first",
        )
    folder = Path(name)
    try:
        folder.mkdir()
        for file_name, text in starter_files(name).items():
            (folder / file_name).write_text(text, encoding="utf-8", newline="\n")
    except FileExistsError:
        raise UsageError(f"`{name}` is already here", "choose another name") from None
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None
    rules = folder / f"{name}.rules"
    if options.json:
        files = [path.as_posix() for path in sorted(folder.iterdir())]
        json.dump({"game": name, "files": files}, out, indent=2)
        out.write("\n")
    else:
        out.write(f"wrote {folder}/: read {rules} first\n\n")
        out.write(f"  quarantia check {rules}\n  quarantia play {rules}\n")
    return OK
