"""What Quarantia keeps when it fails by its own fault: a file to attach to a report."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import tempfile
import traceback
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from quarantia_spec.cache import cache_directory


def save_bug_report(error: BaseException, argv: Sequence[str], version: str) -> Path | None:
    """Write the report and return where it is; None when no place would take it."""
    text = (
        f"command: quarantia {shlex.join(argv)}\n"
        f"version: {version}\n"
        f"python: {sys.version.split()[0]} on {platform.platform()}\n\n"
        + "".join(traceback.format_exception(error))
    )
    name = f"bug-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    for directory in (cache_directory(), Path(tempfile.gettempdir())):
        try:
            directory.mkdir(parents=True, exist_ok=True)
            path = directory / name
            path.write_text(text, encoding="utf-8")
        except OSError:
            continue
        return path
    return None
