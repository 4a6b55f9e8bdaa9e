"""A folder for what can be made again: parser tables, loaded games, generated code, proofs.

Nothing may fail because of it: a folder that cannot be read or written (full, read-only, missing)
only makes things slower.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path


def cache_directory() -> Path:
    """QUARANTIA_CACHE, else `quarantia` under XDG_CACHE_HOME or ~/.cache."""
    chosen = os.environ.get("QUARANTIA_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path("~/.cache").expanduser()) / "quarantia"


def content_key(*parts: str | bytes) -> str:
    """A name that changes when any part does."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()[:32]


def read_cached(kind: str, key: str) -> bytes | None:
    try:
        return (cache_directory() / kind / key).read_bytes()
    except OSError:
        return None


def write_cached(kind: str, key: str, content: bytes) -> None:
    """Write whole or not at all: a reader never sees half a file."""
    with contextlib.suppress(OSError):
        folder = cache_directory() / kind
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(temporary, folder / key)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
