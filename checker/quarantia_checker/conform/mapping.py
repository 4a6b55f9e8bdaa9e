"""The mapping file: what an engine calls things, and which readings it plays.

    [players]
    red = "R"

    [moves.place_houses]          # a move of the rules
    name = "build"                # what the engine calls it
    args = { n = "count" }        # and its arguments

    [values]                      # members of enumerations, as values and as indices
    DogePalace = "palace"

    [fields]
    "site.house" = "board.houses"
    wants = false                 # the engine has no such field

    [readings]
    "seven_in_five.seven" = "exactly"

Each name of the rules has one name of the engine and the other way round.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quarantia_checker.commands import UsageError
from quarantia_spec.ir import Chance, Decision, Game, Role
from quarantia_spec.suggest import closest

TABLES = ("players", "moves", "values", "fields", "readings")


@dataclass(frozen=True, slots=True)
class Mapped:
    """A file as read: from the names of the rules to those of the engine."""

    players: Mapping[str, str] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[tuple[str, str], str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    readings: Mapping[str, str] = field(default_factory=dict)


SAME_NAMES = Mapped()


def read_mapping(path: str) -> Mapped:
    """The mapping in a file. Raises UsageError."""
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a mapping: it is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not TOML: {error}") from None
    return mapping_from(data, path)


def mapping_from(data: Mapping[str, Any], path: str) -> Mapped:
    for name in data:
        if name not in TABLES:
            close = closest(name, TABLES)
            hint = f"did you mean [{close}]?" if close else f"there are {', '.join(TABLES)}"
            raise UsageError(f"{path}: there is no table [{name}] in a mapping", hint)
    moves: dict[str, str] = {}
    arguments: dict[tuple[str, str], str] = {}
    for name, entry in _table(data, "moves", path).items():
        if isinstance(entry, str):
            entry = {"name": entry}
        if not isinstance(entry, Mapping) or set(entry) - {"name", "args"}:
            raise UsageError(f"{path}: [moves.{name}] takes `name` and `args`")
        if "name" in entry:
            moves[name] = _text(entry["name"], f"moves.{name}.name", path)
        for argument, word in _table(entry, "args", path).items():
            arguments[name, argument] = _text(word, f"moves.{name}.args.{argument}", path)
    fields = _table(data, "fields", path)
    return Mapped(
        _texts(data, "players", path),
        moves,
        arguments,
        _texts(data, "values", path),
        {
            name: _text(word, f"fields.{name}", path)
            for name, word in fields.items()
            if word is not False
        },
        frozenset(name for name, word in fields.items() if word is False),
        _texts(data, "readings", path),
    )


def check_mapping(mapped: Mapped, game: Game, path: str) -> None:
    """That every name of the rules in the mapping is one, and no engine's name stands for two.

    Raises UsageError.
    """
    every: tuple[Decision | Chance, ...] = (*game.decisions, *game.chances)
    rules = {each.name: each for each in every}
    members = {name for names in game.enumerations.values() for name in names}
    variables = {each.name for each in game.variables if each.role in FIELD_ROLES}
    _known(mapped.players, set(game.enumerations["Player"]), "player", path)
    _known(mapped.moves, set(rules), "move", path)
    _known(mapped.values, members, "value", path)
    _known(mapped.fields, variables, "field", path)
    _known(dict.fromkeys(mapped.left_out, ""), variables, "field", path)
    for name, argument in mapped.arguments:
        _known({name: ""}, set(rules), "move", path)
        rule = rules[name]
        wanted = {each.name for each in (*rule.context, *rule.choices)}
        _known({argument: ""}, wanted, f"argument of `{name}`", path)
    for what, words, names in (
        ("players", mapped.players, set(game.enumerations["Player"])),
        ("moves", mapped.moves, set(rules)),
        ("values", mapped.values, members - set(game.enumerations["Player"])),
        ("fields", mapped.fields, variables - mapped.left_out),
    ):
        taken: dict[str, str] = {}
        for name in sorted(names):
            word = words.get(name, name)
            if word in taken:
                raise UsageError(
                    f"{path}: in [{what}], `{word}` stands for `{taken[word]}` and for `{name}`",
                    "each name of the engine must stand for one of the rules",
                )
            taken[word] = name


FIELD_ROLES = (Role.STATE, Role.PIECES, Role.PLACE)  # what a position shows of itself


def _known(words: Mapping[str, str], names: set[str], what: str, path: str) -> None:
    for name in words:
        if name not in names:
            close = closest(name, sorted(names))
            hint = f"did you mean `{close}`?" if close else ""
            raise UsageError(f"{path}: the rules have no {what} `{name}`", hint)


def _table(data: Mapping[str, Any], name: str, path: str) -> Mapping[str, Any]:
    found = data.get(name, {})
    if not isinstance(found, Mapping):
        raise UsageError(f"{path}: `{name}` must be a table")
    return found


def _texts(data: Mapping[str, Any], name: str, path: str) -> dict[str, str]:
    return {
        key: _text(word, f"{name}.{key}", path) for key, word in _table(data, name, path).items()
    }


def _text(word: object, where: str, path: str) -> str:
    if not isinstance(word, str) or not word:
        raise UsageError(f"{path}: `{where}` must be a text")
    return word
