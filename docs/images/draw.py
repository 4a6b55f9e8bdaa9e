"""Draws terminal pictures from what the commands really print: `make picture`."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
WIDTH = 110
PICTURES = {
    "check.svg": ("quarantia check nim",),
}


def draw(commands: tuple[str, ...], title: str) -> str:
    """The commands and their output as one SVG; the same output gives the same file."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for command in commands:
        console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
        console.print(Text.from_ansi(output(command)))
    svg = console.export_svg(title=title, unique_id="quarantia")
    # The template fetches a typeface from elsewhere; the reader's own will do.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def output(command: str) -> str:
    """What a command prints. Being refuted is an answer; wrong input and bugs stop us."""
    program, *arguments = command.split()
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH)}
    done = subprocess.run(
        [Path(sys.executable).parent / program, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1, 3):
        sys.exit(f"`{command}` ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def main() -> None:
    for name, commands in PICTURES.items():
        (HERE / name).write_text(draw(commands, commands[0]), encoding="utf-8")
        print(f"drew {name}")


if __name__ == "__main__":
    main()
