"""The same generated source, compiled by numba: the extra `quarantia[fast]`.

`compile_fast` needs numba and takes seconds the first time a game is compiled; numba keeps the
result beside the source in the cache. Games are the same, move for move, as those of CPython.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from quarantia_engine.randomness import scramble
from quarantia_spec.cache import cache_directory, read_cached, write_cached

if TYPE_CHECKING:
    from quarantia_engine.engine import Engine

KIND = "compiled-2"  # a new name whenever what numba remembers would mislead it

# Many games in one call: what the caller of a compiled function would otherwise spend on calling.
MANY = """
def play_many(start, s, g, buf, seed, games, limit, steps, statuses, finals):
    for game in range(games):
        for cell in range(start.shape[0]):
            s[cell] = start[cell]
        x = ((seed + game) ^ {multiplier}) & {mask}
        made, x, status = {play_on}(s, g, buf, x, limit)
        steps[game] = made
        statuses[game] = status
        for cell in range(start.shape[0]):
            finals[game, cell] = s[cell]
"""


def fast_available() -> bool:
    """True when numba can be imported."""
    return importlib.util.find_spec("numba") is not None


@dataclass(frozen=True, slots=True)
class Playouts:
    """The results of many random games: one entry, or one row of cells, for each."""

    steps: Any
    statuses: Any
    finals: Any


class FastEngine:
    """Compiled functions of one engine. Cells, data and buffers are arrays of 64-bit integers."""

    def __init__(self, engine: Engine) -> None:
        import numpy

        self._numpy = numpy
        self.engine = engine
        self.functions = _compiled(engine)
        self.data = numpy.array(engine.data or (0,), dtype=numpy.int64)
        self.buffer = numpy.zeros(max(len(engine.buffer()), 1), dtype=numpy.int64)
        self.start = numpy.array(engine.new().cells, dtype=numpy.int64)

    def playout(self, seed: int, limit: int) -> tuple[int, int, tuple[int, ...]]:
        """One random game: how many moves, the status, the cells at the end."""
        cells = self.start.copy()
        function: Callable[..., tuple[int, int, int]] = self.functions["playout"]
        steps, _, status = function(cells, self.data, self.buffer, scramble(seed), limit)
        return int(steps), int(status), tuple(int(cell) for cell in cells)

    def play_many(self, games: int, limit: int, seed: int = 0) -> Playouts:
        """Random games with the seeds from `seed` on, all in compiled code."""
        numpy = self._numpy
        steps = numpy.zeros(games, dtype=numpy.int64)
        statuses = numpy.zeros(games, dtype=numpy.int64)
        finals = numpy.zeros((games, len(self.start)), dtype=numpy.int64)
        self.functions["play_many"](
            self.start,
            self.start.copy(),
            self.data,
            self.buffer,
            seed,
            games,
            limit,
            steps,
            statuses,
            finals,
        )
        return Playouts(steps, statuses, finals)


def compile_fast(engine: Engine) -> FastEngine:
    """The engine with its functions compiled. ImportError when numba is not installed."""
    return FastEngine(engine)


def _compiled(engine: Engine) -> dict[str, Any]:
    import numba

    from quarantia_engine.encoding import MULTIPLIER, STATE_MASK

    start = engine.new().cells
    trusted = engine.program.trusted(list(start), engine.data)
    play_on = "play_on" if trusted and "play_on" in engine.program.namespace else "playout"
    many = MANY.format(multiplier=MULTIPLIER, mask=STATE_MASK, play_on=play_on)
    source = f"{engine.source}\n{many}"
    path = _source_on_disk(source)
    code: CodeType = compile(source, str(path) if path else f"<{engine.game.name}>", "exec")
    # After the source and nothing else: numba's cache beside it remembers the module by name.
    namespace: dict[str, Any] = {"__name__": f"quarantia_compiled_{_source_key(source)}"}
    exec(code, namespace)  # our own generator wrote it
    for name, value in list(namespace.items()):
        if isinstance(value, FunctionType):
            # numba looks for the module of what it finds in its cache
            namespace[name] = numba.njit(value, cache=path is not None, error_model="numpy")
    if path is not None:
        module = type(sys)(namespace["__name__"])
        module.__dict__.update(namespace)
        sys.modules[namespace["__name__"]] = module
    return namespace


def _source_on_disk(source: str) -> Path | None:
    """A file with the source, for numba to keep its results beside; None when that cannot be."""
    key = f"{_source_key(source)}.py"
    if read_cached(KIND, key) is None:
        write_cached(KIND, key, source.encode())
        if read_cached(KIND, key) is None:
            return None
    return cache_directory() / KIND / key


def _source_key(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:32]
