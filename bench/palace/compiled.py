"""The palace fragment in C, where there is a compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "palace.c"


def find_compiler() -> str | None:
    return shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")


def build(directory: Path, level: str = "-O2") -> Path | None:
    """The program in `directory`, up to date; None when there is no compiler."""
    compiler = find_compiler()
    if compiler is None:
        return None
    directory.mkdir(parents=True, exist_ok=True)
    program = directory / f"palace{level}"
    subprocess.run([compiler, level, "-o", str(program), str(SOURCE)], check=True)
    return program


def play(program: Path, players: int, games: int) -> tuple[int, float]:
    """The checksum and the seconds, without those that starting the program takes."""
    command = [str(program), str(players), str(games)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    checksum, seconds = answer.stdout.split()
    return int(checksum), float(seconds)
