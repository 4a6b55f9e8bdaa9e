"""Data files: values for what a rulebook does not print. Start at `load_data`.

`data.toml` lies beside the rules. An entry is a value, a list for each index in order, or a table
by the names of the index; `[players.3]` holds entries for three players only:

    price = [2, 3, 3, 4]
    icon.left = "coin"
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from quarantia_spec.constants import NoValue, constant_value
from quarantia_spec.diagnostics import Code, Diagnostic, Label, RulesError
from quarantia_spec.ir import Game, Sort, Table
from quarantia_spec.source import Span
from quarantia_spec.suggest import closest
from quarantia_spec.toml_files import NotToml, parse_toml
from quarantia_spec.wording import value_text

DATA = "data.toml"


class _Wrong(Exception):
    def __init__(self, code: Code, message: str, help: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.help = code, message, help


def load_data(file: Path, game: Game) -> dict[str, tuple[int, ...]]:
    """Values for every `given` table of the game, row by row. Raises RulesError.

    After: every value lies in its range, and every `such that` of the rules holds.
    """
    wanted = [table for table in game.tables if table.values is None]
    if not wanted:
        return {}
    text, entries = _read(file, wanted)
    special = entries.get("players", {})
    own = special.get(str(game.players), {}) if isinstance(special, dict) else {}
    if not isinstance(own, dict):
        help = f"write [players.{game.players}] and entries below it"
        raise _failure(file, "players", Code.BAD_DATA_FILE, "`players` must be a table", help, text)
    found: dict[str, tuple[int, ...]] = {}
    wrong: list[Diagnostic] = []
    for table in wanted:
        key = table.name
        try:
            entry = own.get(table.name, entries.get(table.name))
            if entry is None:
                near = closest(table.name, [*entries, *own])
                key = near or ""
                raise _Wrong(
                    Code.MISSING_DATA,
                    f"there is no entry for `{table.name}`",
                    f"there is one for `{near}`" if near else f"write `{table.name} = …`",
                )
            found[table.name] = tuple(_values(game, table, entry, table.dimensions, table.name))
        except _Wrong as problem:
            failure = _failure(file, key, problem.code, problem.message, problem.help, text)
            wrong.extend(failure.diagnostics)
    if not wrong:
        wrong.extend(_broken_conditions(file, text, game, found))
    if wrong:
        raise RulesError(wrong)
    return found


def _read(file: Path, wanted: list[Table]) -> tuple[str, dict[str, object]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
        return text, parse_toml(text)
    except FileNotFoundError:
        names = ", ".join(table.name for table in wanted)
        raise _failure(
            file, "", Code.MISSING_DATA, f"the game needs data for {names}", f"write {file.name}"
        ) from None
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise _failure(
            file, "", Code.CANNOT_READ, f"cannot read the file: {reason}", "check its rights"
        ) from None
    except UnicodeDecodeError:
        raise _failure(
            file, "", Code.NOT_TEXT, "this is not UTF-8 text", "save the file as UTF-8"
        ) from None
    except NotToml as error:
        span = Span(str(file), error.line, error.column, error.line, error.column + 1)
        message = f"this is not TOML: {error.message}"
        help = "write `name = value`, one entry a line"
        raise RulesError([Diagnostic(Code.BAD_DATA_FILE, message, span, help)]) from None


def _broken_conditions(
    file: Path, text: str, game: Game, data: Mapping[str, tuple[int, ...]]
) -> list[Diagnostic]:
    tables = {table.name: table for table in game.tables}
    terms = {term.name: term for term in game.terms}
    wrong = []
    for assumption in game.assumptions:
        try:
            holds = constant_value(assumption.condition, tables, terms, data)
            how = "does not hold"
        except NoValue:
            holds, how = 0, "has no value"
        if not holds:
            reason = assumption.because.english
            wrong.append(
                Diagnostic(
                    Code.DATA_BREAKS_CONSTRAINT,
                    f"what the rules say of `{assumption.table}` {how}",
                    _place(file, assumption.table, text),
                    f"correct the data: {reason}" if reason else "correct the data, or the rules",
                    (Label(assumption.origin.span, "said here"),),
                    assumption.origin.citations,
                )
            )
    return wrong


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
                raise _Wrong(
                    Code.MISSING_DATA, f"`{where}.{missing[0]}` is missing",
                    f"the indices are {_listed(names)}",
                )  # fmt: skip
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
    return RulesError([Diagnostic(code, message, _place(file, name, text), help)])


def _place(file: Path, name: str, text: str) -> Span:
    """The line of an entry: TOML gives no places, but keys start lines."""
    for number, words in enumerate(text.splitlines(), 1):
        start = words.lstrip("[ ")
        if name and start.startswith(name) and not start[len(name) : len(name) + 1].isalnum():
            column = len(words) - len(start) + 1
            return Span(str(file), number, column, number, column + len(name))
    return Span(str(file), 1, 1, 1, 2)
