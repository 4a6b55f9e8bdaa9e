"""Cells that several conditions look at, read once.

Works on lines, not on expressions: what counts is how often the text of a cell is met on the way
through the lines, and only the text knows what has been written out and folded.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from quarantia_engine.emitter import Emitter, Names

_CELL = re.compile(r"\bs\[[^\[\]]*\]")
_WORD = re.compile(r"[A-Za-z_]\w*")
_BOUND = re.compile(r"^\s*(?:for (\w+) in|(\w+) =)")

ENOUGH = 1.5  # how often a cell must be met, about, to be read beforehand
LESS_LIKELY = 0.7  # for each condition on the way
IN_LOOP = 3.0


def hoist_repeated(lines: Emitter, into: Emitter, names: Names, safe: AbstractSet[str]) -> None:
    """Copies lines that change no cell; cells met often are read into locals before them.

    Only cells in `safe` are read early: their index is right in every position.
    """
    entries = lines.entries()
    bound = {
        found.group(1) or found.group(2)
        for _, text in entries
        if (found := _BOUND.match(text)) is not None
    }
    weights: dict[str, float] = {}
    loops: list[int] = []
    for depth, text in entries:
        loops = [each for each in loops if each < depth]
        likely = LESS_LIKELY ** (depth - len(loops)) * IN_LOOP ** len(loops)
        if text.startswith("for "):
            loops.append(depth)
        for found in _CELL.finditer(text):
            cell = found.group()
            if cell not in safe or set(_WORD.findall(cell)) & bound:
                continue
            before = text[: found.start()]
            weight = likely * LESS_LIKELY ** len(re.findall(r"\b(?:and|or|if|else)\b", before[3:]))
            weights[cell] = weights.get(cell, 0.0) + weight
    held = {
        cell: names.fresh(re.sub(r"\W+", "_", cell).strip("_"))
        for cell, weight in weights.items()
        if weight >= ENOUGH
    }
    for cell, name in held.items():
        into.line(f"{name} = {cell}")
    into.include(lines, lambda text: _CELL.sub(lambda found: _held(found, held), text))


def _held(found: re.Match[str], held: dict[str, str]) -> str:
    return held.get(found.group(), found.group())
