"""Numbers in cells to what people and JSON call them, and back.

A member of an enumeration goes by its name, `none` is null, a boolean is true or false.
"""

from __future__ import annotations

from collections.abc import Mapping

from quarantia_engine.errors import BadMove
from quarantia_spec.ir import Game, Sort
from quarantia_spec.wording import value_text

JsonValue = str | int | bool | None
Nested = JsonValue | Mapping[str, "Nested"]


def to_json(game: Game, sort: Sort, value: int) -> JsonValue:
    """The JSON form of a value of a sort."""
    if sort.optional and value == sort.low:
        return None
    if sort.boolean:
        return bool(value)
    if sort.names:
        return game.enumerations[sort.names][value]
    return value


def to_text(game: Game, sort: Sort, value: int) -> str:
    """The value as it stands in a sentence or a move."""
    return value_text(game, sort, value)


def described(game: Game, sort: Sort) -> str:
    """What values a sort has, for messages."""
    first = sort.low + 1 if sort.optional else sort.low
    if sort.boolean:
        text = "true or false"
    elif sort.names:
        text = _listed(game.enumerations[sort.names][first : sort.high + 1])
    elif first == sort.high:
        text = str(first)
    else:
        text = f"{first} to {sort.high}"
    return f"{text}, or none" if sort.optional else text


def from_json(game: Game, sort: Sort, value: object, where: str) -> int:
    """The number for a JSON value. `where` names the argument in messages."""
    if value is None and sort.optional:
        return sort.low
    if sort.boolean:
        if isinstance(value, bool):
            return int(value)
    elif sort.names:
        members = game.enumerations[sort.names]
        if isinstance(value, str) and value in members:
            number = members.index(value)
            if _member(sort, number):
                return number
    elif isinstance(value, int) and not isinstance(value, bool) and _member(sort, value):
        return value
    shown = "null" if value is None else str(value).lower() if isinstance(value, bool) else value
    raise BadMove(f"`{where}` must be {described(game, sort)}, not {shown}")


def from_text(game: Game, sort: Sort, text: str, where: str) -> int:
    """The number for a word of a move in text form; capitals do not matter."""
    wanted = text.strip()
    if sort.optional and wanted.lower() == "none":
        return sort.low
    if sort.boolean:
        if wanted.lower() in ("true", "false"):
            return int(wanted.lower() == "true")
    elif sort.names:
        members = game.enumerations[sort.names]
        matches = [number for number, name in enumerate(members) if name == wanted] or [
            number for number, name in enumerate(members) if name.lower() == wanted.lower()
        ]
        if matches and _member(sort, matches[0]):
            return matches[0]
    else:
        try:
            number = int(wanted)
        except ValueError:
            pass
        else:
            if _member(sort, number):
                return number
    raise BadMove(f"`{where}` must be {described(game, sort)}, not {wanted or 'nothing'}")


def _member(sort: Sort, number: int) -> bool:
    first = sort.low + 1 if sort.optional else sort.low
    return first <= number <= sort.high


def _listed(words: tuple[str, ...]) -> str:
    if len(words) <= 1:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"


def index_names(game: Game, sort: Sort) -> tuple[str, ...]:
    """What the values of a dimension are called, in order."""
    return tuple(to_text(game, sort, value) for value in range(sort.low, sort.high + 1))
