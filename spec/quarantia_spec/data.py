"""Data files: values for what a rulebook does not print. Start at `load_data`.

`data.toml` lies beside the rules. An entry is a value, a list for each index in order, or a table
by the names of the index; `[players.3]` holds entries for three players only:

    price = [2, 3, 3, 4]
    icon.left = "coin"
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from quarantia_spec.diagnostics import Code, Diagnostic, RulesError
from quarantia_spec.ir import Game, Sort, Table
from quarantia_spec.source import Span
from quarantia_spec.wording import value_text

DATA = "data.toml"


class _Wrong(Exception):
    def __init__(self, code: Code, message: str, help: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.help = code, message, help


def load_data(file: Path, game: Game) -> dict[str, tuple[int, ...]]:
    """Values for every `given` table of the game, row by row. Raises RulesError.

    Only sizes and ranges are checked here; the conditions that the rules state are the checker's.
    """
    wanted = [table for table in game.tables if table.values is None]
    if not wanted:
        return {}
    try:
        text = file.read_text(encoding="utf-8")
        entries = tomllib.loads(text)
    except FileNotFoundError:
        names = ", ".join(table.name for table in wanted)
        raise _failure(
            file, "", Code.MISSING_DATA, f"the game needs data for {names}", f"write {file.name}"
        ) from None
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise _failure(file, "", Code.CANNOT_READ, f"cannot read the file: {reason}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise _failure(file, "", Code.BAD_DATA_FILE, f"this is not TOML: {error}") from None
    special = entries.get("players", {})
    own = special.get(str(game.players), {}) if isinstance(special, dict) else {}
    found: dict[str, tuple[int, ...]] = {}
    wrong: list[Diagnostic] = []
    for table in wanted:
        try:
            entry = own.get(table.name, entries.get(table.name))
            if entry is None:
                raise _Wrong(Code.MISSING_DATA, f"there is no entry for `{table.name}`")
            found[table.name] = tuple(_values(game, table, entry, table.dimensions, table.name))
        except _Wrong as problem:
            failure = _failure(file, table.name, problem.code, problem.message, problem.help, text)
            wrong.extend(failure.diagnostics)
    if wrong:
        raise RulesError(wrong)
    return found


def _values(
    game: Game, table: Table, entry: object, dimensions: tuple[Sort, ...], where: str
) -> list[int]:
    if not dimensions:
        return [_value(game, table.sort, entry, where)]
    names = [
        value_text(game, dimensions[0], value)
        for value in range(dimensions[0].low, dimensions[0].high + 1)
    ]
    match entry:
        case list():
            if len(entry) != len(names):
                raise _Wrong(
                    Code.BAD_DATA_FILE,
                    f"`{where}` has {len(entry)} entries, not {len(names)}",
                    f"one for each of {_listed(names)}",
                )
            parts = entry
        case dict():
            missing = [name for name in names if name not in entry]
            unknown = [name for name in entry if name not in names]
            if unknown:
                raise _Wrong(
                    Code.BAD_DATA_FILE, f"`{where}` has no index `{unknown[0]}`",
                    f"the indices are {_listed(names)}",
                )  # fmt: skip
            if missing:
                raise _Wrong(Code.MISSING_DATA, f"`{where}.{missing[0]}` is missing")
            parts = [entry[name] for name in names]
        case _:
            raise _Wrong(
                Code.BAD_DATA_FILE, f"`{where}` must be a list or a table",
                f"with entries for {_listed(names)}",
            )  # fmt: skip
    result: list[int] = []
    for name, part in zip(names, parts, strict=True):
        result.extend(_values(game, table, part, dimensions[1:], f"{where}.{name}"))
    return result


def _value(game: Game, sort: Sort, entry: object, where: str) -> int:
    first = sort.low + 1 if sort.optional else sort.low
    if sort.optional and entry == "none":
        return sort.low
    if sort.boolean:
        if isinstance(entry, bool):
            return int(entry)
    elif sort.names:
        members = game.enumerations[sort.names]
        if isinstance(entry, str) and entry in members[first : sort.high + 1]:
            return members.index(entry)
    elif isinstance(entry, int) and not isinstance(entry, bool) and first <= entry <= sort.high:
        return entry
    if sort.boolean:
        allowed = "true or false"
    elif sort.names:
        allowed = "one of " + _listed(list(game.enumerations[sort.names][first : sort.high + 1]))
    else:
        allowed = f"{first} to {sort.high}"
    shown = str(entry)[:40]
    raise _Wrong(
        Code.DATA_OUT_OF_BOUNDS, f"`{where}` is {shown}, which is not {allowed}",
        f"write {allowed}" + (' or "none"' if sort.optional else ""),
    )  # fmt: skip


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 8 else f"{', '.join(names[:6])}, … {names[-1]}"


def _failure(
    file: Path, name: str, code: Code, message: str, help: str = "", text: str = ""
) -> RulesError:
    """Points at the line of the entry: TOML gives no places, but keys start lines."""
    line = 1
    for number, words in enumerate(text.splitlines(), 1):
        if name and words.strip().lstrip("[").startswith(name):
            line = number
            break
    return RulesError([Diagnostic(code, message, Span(str(file), line, 1, line, 2), help)])
