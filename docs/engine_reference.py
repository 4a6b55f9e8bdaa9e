"""Writes docs/reference/engine.md from what the engine says of itself.

`python docs/engine_reference.py` writes the page; a test compares it with the code.
"""

from __future__ import annotations

import inspect
from enum import Enum
from pathlib import Path
from typing import Any

import quarantia_engine

PAGE = Path(__file__).parent / "reference" / "engine.md"

HEAD = """\
# The engine

Everything that `quarantia_engine` offers to programs. It is typed, and names that are not on this
page may change. [Playing from Python](../guides/playing-from-python.md) shows it at work; this page
is made from the code (`python docs/engine_reference.py`).

Players are numbers from 0 in the order of the rules; `Engine.player_name` says what they are
called. Values in moves and positions are numbers too, and come out as words in JSON and text.
"""

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Loading a game", ("open_game", "compile_game", "Engine")),
    ("Positions", ("Position", "ToAct", "Outcome")),
    ("Moves", ("Move", "Explanation", "Verdict", "move_sentence")),
    ("Games in progress", ("Match", "replay", "play_all")),
    ("Speed", ("Board",)),
    ("Examples of the rules", ("run_example", "ExampleResult")),
    (
        "What can go wrong",
        (
            "PlayError",
            "BadMove",
            "IllegalMove",
            "BadPosition",
            "BadData",
            "BrokenRule",
            "CannotUndo",
            "BadLog",
        ),
    ),
)

TAIL = """\
## Compiled by numba

With the extra `quarantia[fast]`, `quarantia_engine.fast.compile_fast(engine)` compiles the same
source. Its `play_many(games, limit, seed)` plays whole random games in compiled code; they are
those of `Board.playout`, move for move. Compiling takes seconds, for a large game minutes, and is
remembered.
"""


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    for title, names in SECTIONS:
        parts.append(f"## {title}\n")
        parts += [_entry(name, getattr(quarantia_engine, name)) for name in names]
    return "\n".join([*parts, TAIL])


def _entry(name: str, thing: Any) -> str:
    if isinstance(thing, type):
        return _class(name, thing)
    return f"### `{name}`\n\n{_code(name, thing)}\n\n{_doc(thing)}\n"


def _class(name: str, thing: type) -> str:
    lines = [f"### `{name}`\n", f"{_doc(thing)}\n"]
    if issubclass(thing, Enum):
        lines += [f"- `{member.name}`: {member.value}" for member in thing]
        return "\n".join([*lines, ""])
    fields = getattr(thing, "__dataclass_fields__", {})
    if fields:
        lines += [f"- `{each.name}`: `{_type(each.type)}`" for each in fields.values()]
        lines.append("")
    for method, found in vars(thing).items():
        if method.startswith("_") or method in fields:
            continue
        plain = found.__func__ if isinstance(found, classmethod | staticmethod) else found
        if inspect.isfunction(plain):
            lines.append(f"{_code(f'{name}.{method}', plain)}\n\n{_doc(plain)}\n")
        elif isinstance(found, property) or hasattr(found, "func"):
            getter = found.fget if isinstance(found, property) else found.func
            lines.append(f"```python\n{name}.{method}\n```\n\n{_doc(getter)}\n")
    return "\n".join(lines)


def _type(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")


def _code(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    kept = [each for key, each in signature.parameters.items() if key not in ("self", "cls")]
    text = f"{name}{signature.replace(parameters=kept)}".replace("'", "")
    return f"```python\n{text}\n```"


def _doc(thing: Any) -> str:
    return inspect.getdoc(thing) or ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
