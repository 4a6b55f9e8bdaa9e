"""Cells in the words of the rules: `site[Castello].house[red]`, and what changed between two rows.

NOTE(names) The front end names the cells of pieces `zone.component`, with the indices of the zone
first, then the kinds, then the owner; where distinct pieces are is `component.at`, their order in
piles `component.rank`; a sequence has its length beside it as `name.length`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quarantia_engine.values import to_text
from quarantia_spec.ir import Game, Role, Variable


@dataclass(frozen=True, slots=True)
class Change:
    """One cell that has another value than before, in words."""

    cell: int
    name: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.name} {self.before} → {self.after}"


def indices_of(variable: Variable, cell: int) -> tuple[int, ...]:
    """The indices that lead to a cell of a variable."""
    rest = cell - variable.offset
    found: list[int] = []
    for dimension, stride in zip(variable.dimensions, variable.strides, strict=True):
        place, rest = divmod(rest, stride)
        found.append(place + dimension.low)
    return tuple(found)


def cell_name(game: Game, variable: Variable, cell: int) -> str:
    """What the rules call a cell."""
    words = [
        to_text(game, dimension, index)
        for dimension, index in zip(variable.dimensions, indices_of(variable, cell), strict=True)
    ]
    outer, dot, inner = variable.name.partition(".")
    match variable.role:
        case Role.PIECES:
            zone = next(each for each in game.zones if each.name == outer)
            width = len(zone.dimensions)
            return f"{_indexed(outer, words[:width])}.{_indexed(inner, words[width:])}"
        case Role.PLACE:
            return words[0] if inner == "at" else f"{words[0]} in its pile"
        case Role.STATE if dot:
            return f"length({_indexed(outer, words)})"
        case Role.PENDING:
            return f"{variable.name} of {words[0]}" if words else variable.name
        case _:
            return _indexed(variable.name, words)


def _indexed(name: str, words: Sequence[str]) -> str:
    return f"{name}[{', '.join(words)}]" if words else name


def changes(game: Game, before: Sequence[int], after: Sequence[int]) -> list[Change]:
    """What is different afterwards; the flow's own bookkeeping is left out."""
    return [
        Change(
            cell,
            cell_name(game, variable, cell),
            to_text(game, variable.sort, before[cell]),
            to_text(game, variable.sort, after[cell]),
        )
        for variable in game.variables
        if variable.role is not Role.FLOW
        for cell in range(variable.offset, variable.offset + variable.cells)
        if before[cell] != after[cell]
    ]


def facts(game: Game, cells: Sequence[int], wanted: Sequence[int]) -> list[str]:
    """Conditions of the language that say what these cells hold.

    Left out is what the language has no word for: the flow, choices not yet carried out, the order
    within a pile, and entries of a sequence beyond its length.
    """
    found: list[str] = []
    for variable in game.variables:
        for cell in range(variable.offset, variable.offset + variable.cells):
            if cell in wanted:
                fact = _fact(game, variable, cell, cells)
                if fact:
                    found.append(fact)
    return found


def _fact(game: Game, variable: Variable, cell: int, cells: Sequence[int]) -> str:
    name, value = cell_name(game, variable, cell), to_text(game, variable.sort, cells[cell])
    match variable.role:
        case Role.FLOW | Role.PENDING:
            return ""
        case Role.PLACE:
            return f"{name} in {value}" if variable.name.endswith(".at") else ""
        case Role.PIECES:
            return f"{name} = {value}"
        case Role.STATE:
            return _state_fact(game, variable, cell, cells, name, value)


def _state_fact(
    game: Game, variable: Variable, cell: int, cells: Sequence[int], name: str, value: str
) -> str:
    indices = indices_of(variable, cell)
    length = game.variable.get(f"{variable.name}.length")
    if length is not None:
        count = length.offset
        for index, dimension, stride in zip(
            indices, length.dimensions, length.strides, strict=False
        ):
            count += (index - dimension.low) * stride
        return f"{name} = {value}" if indices[-1] <= cells[count] else ""
    if is_set(variable):
        words = [
            to_text(game, dimension, index)
            for dimension, index in zip(variable.dimensions, indices, strict=True)
        ]
        inside = "in" if cells[cell] else "not in"
        return f"{words[-1]} {inside} {_indexed(variable.name, words[:-1])}"
    return f"{name} = {value}"


def is_set(variable: Variable) -> bool:
    """True for a state that is a set: its last index stands for the elements."""
    names = variable.index_names
    return (
        variable.role is Role.STATE
        and variable.sort.boolean
        and bool(names)
        and names[-1].split("_")[0] == "element"
    )
