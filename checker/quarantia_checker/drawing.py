"""A position as tables, drawn from the declared components, zones and states. Read `draw`.

Whatever shares its first index shares a table: all that players have, all that lies in districts.
A state with two numbers as indices is a board. What is empty everywhere is left out, what the
seat may not see is a question mark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from quarantia_engine import Position
from quarantia_engine.cells import is_set
from quarantia_engine.values import index_names, to_text
from quarantia_spec.ir import Game, Role, Sort, Variable, Zone

NOTHING, HIDDEN = "·", "?"
MOST_ACROSS, WIDEST = 3, 90
COLOURS = {"red", "blue", "yellow", "green", "white", "cyan", "magenta"}
SHADES = {"orange": "dark_orange", "purple": "purple", "brown": "orange4", "black": "bright_black"}


@dataclass(frozen=True, slots=True)
class _Item:
    """One thing to show for each value of an index (or once, without one).

    `content` gives the text for an index, None where there is nothing.
    """

    name: str
    index: Sort | None
    content: Callable[[int | None], Text | None]


class _Seen:
    """The cells of a position as one seat sees them; None sees all."""

    def __init__(self, position: Position, seat: int | None) -> None:
        self.game: Game = position.engine.game
        self.cells = position.cells
        self.mask = [1] * len(self.cells) if seat is None else position.visible(seat)

    def value(self, variable: Variable, indices: Sequence[int]) -> int | None:
        """None when it is hidden."""
        cell = variable.offset + sum(
            (index - dimension.low) * stride
            for index, dimension, stride in zip(
                indices, variable.dimensions, variable.strides, strict=True
            )
        )
        return self.cells[cell] if self.mask[cell] else None


def draw(position: Position, seat: int | None) -> RenderableType:
    """The position as a seat sees it (None sees everything)."""
    seen = _Seen(position, seat)
    boards = [_board(seen, each) for each in seen.game.variables if _is_board(each)]
    tables: list[RenderableType] = [*boards]
    groups: dict[Sort | None, list[_Item]] = {}
    for item in _items(seen):
        groups.setdefault(item.index, []).append(item)
    for index, items in groups.items():
        if index is not None:
            table = _table(seen.game, index, items)
            if table is not None:
                tables.append(table)
    single = _singles(groups.get(None, []))
    parts = [Columns(tables, padding=(0, 3))] if tables else []
    return Group(*parts, *([single] if single is not None else []))


# --- what there is to show ----------------------------------------------------------------------


def _items(seen: _Seen) -> Iterator[_Item]:
    game = seen.game
    for zone in game.zones:
        for component in zone.holds:
            counted = game.variable.get(f"{zone.name}.{component}")
            if counted is not None:
                yield _variable_item(seen, counted, f"{zone.name} {component}")
            else:
                yield _pieces_item(seen, zone, component)
    for variable in game.variables:
        if variable.role is Role.STATE and not _is_board(variable) and "." not in variable.name:
            yield _variable_item(seen, variable, variable.name)


def _variable_item(seen: _Seen, variable: Variable, name: str) -> _Item:
    """A state or a count; further indices than the first are listed inside."""
    set_like, length = is_set(variable), seen.game.variable.get(f"{variable.name}.length")
    inner_count = 1 if set_like or length is not None else 0
    outer = variable.dimensions[: len(variable.dimensions) - inner_count]
    index = outer[0] if outer else None
    inner = variable.dimensions[1:] if index is not None else variable.dimensions

    def content(chosen: int | None) -> Text | None:
        first = () if chosen is None else (chosen,)
        if length is not None:
            return _sequence(seen, variable, length, first)
        if not inner:
            return _single(seen, variable.sort, seen.value(variable, first))
        entries = [
            (rest, seen.value(variable, (*first, *rest)))
            for rest in product(*(range(each.low, each.high + 1) for each in inner))
        ]
        counts = variable.role is Role.PIECES
        return _listed(seen.game, variable.sort, inner, entries, counts)

    return _Item(name.replace("_", " "), index, content)


def _sequence(
    seen: _Seen, variable: Variable, length: Variable, first: tuple[int, ...]
) -> Text | None:
    if len(variable.dimensions) != 1 + len(first):
        return None  # a table of sequences: too much to show
    count = seen.value(length, first)
    if count is None:
        return Text(HIDDEN, "dim")
    low = variable.dimensions[-1].low
    values = [seen.value(variable, (*first, low + place)) for place in range(count)]
    parts = [_single(seen, variable.sort, value) or Text(NOTHING) for value in values]
    return Text(", ").join(parts) if parts else None


def _single(seen: _Seen, sort: Sort, value: int | None) -> Text | None:
    if value is None:
        return Text(HIDDEN, "dim")
    if _is_nothing(sort, value):
        return None
    return _word(to_text(seen.game, sort, value)) if not sort.boolean else Text("yes")


def _is_nothing(sort: Sort, value: int) -> bool:
    if sort.optional:
        return value == sort.low
    return value == 0 and not sort.names


def _word(text: str) -> Text:
    return Text(text, _style(text))


def _style(text: str) -> str:
    return text if text in COLOURS else SHADES.get(text, "")


def _listed(
    game: Game,
    sort: Sort,
    inner: Sequence[Sort],
    entries: Sequence[tuple[tuple[int, ...], int | None]],
    counts: bool,
) -> Text | None:
    if all(value is None for _, value in entries):
        return Text(HIDDEN, "dim")
    parts: list[Text] = []
    unseen = {
        first
        for first in {indices[0] for indices, _ in entries}
        if all(value is None for indices, value in entries if indices[0] == first)
    }
    for indices, value in entries:
        if indices[0] in unseen:
            continue
        if value is not None and _is_nothing(sort, value):
            continue
        labels = [to_text(game, each, index) for each, index in zip(inner, indices, strict=True)]
        part = _word(labels[0])
        part.append("".join(f" {label}" for label in labels[1:]))
        if value is None:
            part.append(f" {HIDDEN}", "dim")
        elif counts and value > 1:
            part.append(f" ×{value}")
        elif not counts and not sort.boolean:
            part.append(f" {to_text(game, sort, value)}")
        parts.append(part)
    for first in sorted(unseen):
        parts.append(_word(to_text(game, inner[0], first)).append(f" {HIDDEN}", "dim"))
    return Text(", ").join(parts) if parts else None


def _pieces_item(seen: _Seen, zone: Zone, component: str) -> _Item:
    """Distinct pieces in a zone: those that the seat can see there."""
    at = seen.game.variable[f"{component}.at"]
    first_code = dict(zone.first_codes)[component]
    pieces = at.dimensions[0]
    index = zone.dimensions[0] if zone.dimensions else None
    width = 1
    for dimension in zone.dimensions[1:]:
        width *= dimension.size

    def content(chosen: int | None) -> Text | None:
        place = first_code
        if chosen is not None and index is not None:
            place += (chosen - index.low) * width
        found = [
            _word(to_text(seen.game, pieces, piece))
            for piece in range(pieces.low, pieces.high + 1)
            if (where := seen.value(at, (piece,))) is not None and place <= where < place + width
        ]
        return Text(", ").join(found) if found else None

    return _Item(f"{zone.name} {component}".replace("_", " "), index, content)


# --- tables -------------------------------------------------------------------------------------


def _table(game: Game, index: Sort, items: Sequence[_Item]) -> Table | None:
    """A table for one index: things down and members across, or the other way round."""
    members = range(index.low, index.high + 1)
    names = index_names(game, index)
    rows = [(item, [item.content(member) for member in members]) for item in items]
    rows = [(item, cells) for item, cells in rows if any(cell is not None for cell in cells)]
    if not rows:
        return None
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    if index.names == "Player" or len(rows) > len(members) or _fits_across(names, rows):
        table.add_column("")
        for name in names:
            table.add_column(_word(name), overflow="fold")
        for item, cells in rows:
            table.add_row(item.name, *(cell or Text(NOTHING, "dim") for cell in cells))
        return table
    table.add_column("")
    for item, _ in rows:
        table.add_column(item.name, overflow="fold")
    for place, name in enumerate(names):
        cells = [found[place] for _, found in rows]
        if any(cell is not None for cell in cells):
            table.add_row(_word(name), *(cell or Text(NOTHING, "dim") for cell in cells))
    return table


def _fits_across(names: Sequence[str], rows: Sequence[tuple[_Item, Sequence[Text | None]]]) -> bool:
    """True when a few things side by side take less room than one below the other."""
    widths = [
        max([len(name), *(len(cells[place] or "") for _, cells in rows)])
        for place, name in enumerate(names)
    ]
    return len(rows) <= MOST_ACROSS and sum(widths) + 3 * len(widths) <= WIDEST


def _singles(items: Sequence[_Item]) -> Text | None:
    parts: list[Text] = []
    for item in items:
        content = item.content(None)
        if content is not None:
            parts.append(Text.assemble((f"{item.name} ", "dim"), content))
    return Text("   ").join(parts) if parts else None


# --- boards -------------------------------------------------------------------------------------


def _is_board(variable: Variable) -> bool:
    return (
        variable.role is Role.STATE
        and len(variable.dimensions) == 2
        and not is_set(variable)
        and all(not each.names and not each.boolean for each in variable.dimensions)
        and all(2 <= each.size <= 26 for each in variable.dimensions)
    )


def _board(seen: _Seen, variable: Variable) -> Table:
    """A grid. An index named like `row` runs down; as the second index it runs upwards.

    The second is the custom of diagrams: across first, then up.
    """
    upwards = variable.index_names[1].startswith("r")
    down, across = variable.dimensions if not upwards else reversed(variable.dimensions)
    rows = list(range(down.low, down.high + 1))
    table = Table(box=box.MINIMAL, pad_edge=False, title=variable.name.replace("_", " "))
    table.add_column("", style="dim")
    for name in index_names(seen.game, across):
        table.add_column(name, header_style="dim", justify="center")
    for row in reversed(rows) if upwards else rows:
        line: list[Text] = []
        for column in range(across.low, across.high + 1):
            indices = (column, row) if upwards else (row, column)
            found = _single(seen, variable.sort, seen.value(variable, indices))
            line.append(found or Text(NOTHING, "dim"))
        table.add_row(str(row), *line)
    return table
