"""Games in progress on disk: written whole or not at all, so that a kill at any moment is survived.

NOTE(saves) The text goes to a file beside the save, is forced to the disk, and then takes its
place in one step. Whoever reads the save finds the game as it was before the move, or after it.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quarantia_checker.commands import UsageError


def save_directory() -> Path:
    """QUARANTIA_SAVES, else `quarantia` under XDG_STATE_HOME or ~/.local/state."""
    chosen = os.environ.get("QUARANTIA_SAVES")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path("~/.local/state").expanduser()) / "quarantia"


def new_save(game: str) -> Path:
    """A name for a new game that no other game has, for now."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    path = save_directory() / f"{game}-{stamp}.json"
    number = 2
    while path.exists():
        path = save_directory() / f"{game}-{stamp}-{number}.json"
        number += 1
    return path


def newest_save(game: str) -> Path:
    """The game that was played last. Raises UsageError when there is none."""
    found = list(save_directory().glob(f"{game}-*.json"))
    if not found:
        raise UsageError(
            f"there is no saved game of {game} in {save_directory()}",
            f"`quarantia play {game}` starts one; or name a file after --resume",
        )
    return max(found, key=lambda path: path.stat().st_mtime_ns)


def write_save(path: Path, log: Mapping[str, Any]) -> None:
    """See NOTE(saves). Raises OSError, and leaves what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            json.dump(log, file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
