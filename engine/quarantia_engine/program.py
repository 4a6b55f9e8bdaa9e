"""Generated source made runnable, and kept on disk so that it is generated once.

NOTE(cache) An entry is named after a hash of the game, the way it was compiled and the state of
the generator's own files. Anything that goes wrong with the disk (no space, no permission, a
damaged entry) costs time, never correctness: the source is generated again.
"""

from __future__ import annotations

import marshal
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from quarantia_engine.counting import Counter
from quarantia_engine.generated import Generated, Obligation
from quarantia_spec.cache import content_key, read_cached, write_cached
from quarantia_spec.ir import Game

KIND = "programs"

Cells = list[int]
Data = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """The functions of a generated module (see `codegen`), and its source."""

    key: str  # names this program in the cache
    source: str
    obligations: tuple[Obligation, ...]
    counters: tuple[Counter, ...]
    namespace: dict[str, Any]
    initial: Callable[[Cells, Data], None]
    advance: Callable[[Cells, Data], int]
    acting: Callable[[Cells, Data], int]
    legal: Callable[[Cells, Data, Cells, int], int]
    permits: Callable[[Cells, Data, int], int]
    apply: Callable[[Cells, Data, int], int]
    weight: Callable[[Cells, Data, int], int]
    wins: Callable[[Cells, Data, int], int]
    score: Callable[[Cells, Data, int], int]
    seen: Callable[[Cells, Data, int, Cells], None]
    playout: Callable[[Cells, Data, Cells, int, int], tuple[int, int, int]]
    trusted: Callable[[Cells, Data], int]
    play_on: Callable[[Cells, Data, Cells, int, int], tuple[int, int, int]]


FUNCTIONS = (
    "initial",
    "advance",
    "acting",
    "legal",
    "permits",
    "apply",
    "weight",
    "wins",
    "score",
    "seen",
    "playout",
)


def digest(game: Game) -> str:
    """A fingerprint of everything that the rules say, for this number of players and readings."""
    return game.fingerprint


@cache
def _own_fingerprint() -> str:
    """Changes whenever the generator does."""
    folder = Path(__file__).parent
    states = [(file.name, file.stat()) for file in sorted(folder.glob("*.py"))]
    return repr([(name, state.st_size, state.st_mtime_ns) for name, state in states])


def load_program(
    game: Game, fingerprint: str, *, checked: bool = True, counted: bool = False
) -> Program:
    """The program of a game: from the cache, or generated and put there."""
    how = repr((checked, counted, _own_fingerprint(), sys.implementation.cache_tag))
    key = content_key(fingerprint, how)
    found = _read(key)
    if found is None:
        from quarantia_engine.codegen import generate  # not when it has been done before

        generated = generate(game, checked=checked, counted=counted)
        code = compile(generated.source, f"<{game.name}>", "exec")
        write_cached(KIND, key, pickle.dumps((generated, marshal.dumps(code))))
    else:
        generated, code = found
    namespace: dict[str, Any] = {"__name__": f"quarantia_generated_{key}"}
    exec(code, namespace)  # our own generator wrote it
    functions = {function: namespace[function] for function in FUNCTIONS}
    return Program(
        key=key,
        source=generated.source,
        obligations=generated.obligations,
        counters=generated.counters,
        namespace=namespace,
        trusted=namespace.get("trusted", _always),
        play_on=namespace.get("play_on", namespace["playout"]),
        **functions,
    )


def _always(cells: Cells, data: Data) -> int:
    return 1


def _read(key: str) -> tuple[Generated, CodeType] | None:
    content = read_cached(KIND, key)
    if content is None:
        return None
    try:
        generated, packed = pickle.loads(content)
        code = marshal.loads(packed)
    except Exception:  # see NOTE(cache)
        return None
    good = isinstance(generated, Generated) and isinstance(code, CodeType)
    return (generated, code) if good else None
