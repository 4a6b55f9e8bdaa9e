"""Positions as pictures: boards, and cards for players and places with their pieces, in SVG.

Nothing is known about any game: zones, components and states decide what is drawn. A component has
one shape throughout a game, a player one colour. What differs from another position is marked.
Read `picture`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import product

from quarantia_checker.site.phrases import Phrases
from quarantia_engine.cells import is_set
from quarantia_engine.engine import Engine
from quarantia_spec.ir import Game, Role, Sort, Variable, Zone
from quarantia_spec.words import Words

SHAPES = (
    "house",
    "palace",
    "disc",
    "square",
    "ring",
    "diamond",
    "hexagon",
    "card",
    "triangle",
    "drop",
)
CALLED = {  # what pieces are often called, and look like
    "house": "house", "palace": "palace", "ring": "ring", "card": "card", "coin": "disc",
    "cube": "square", "tile": "hexagon", "marker": "disc", "gondola": "drop", "barricade": "triangle",
}  # fmt: skip
COLOURS = ("red", "blue", "yellow", "green", "purple", "orange", "brown", "cyan")
NAMED = {"black": "brown", "white": "cyan", "pink": "purple"}

CARD, ROW, HEAD, PAD = 212, 24, 26, 9
MOST_MEMBERS = 24  # of an enumeration whose members have cards of their own
LEAST_SHARED = 3  # things that an enumeration must be the index of, for its members to have cards
MOST_TOKENS = 16  # in one line of a card


@dataclass
class Entry:
    """One line of a card: what it is about, and what is there."""

    label: str
    tokens: list[Token] = field(default_factory=list)
    changed: bool = False


@dataclass(frozen=True)
class Token:
    """A piece or a word. `shape` "" is plain text."""

    text: str
    shape: str = ""
    colour: str = ""
    count: int = 1


@dataclass
class Card:
    title: str
    colour: str = ""
    entries: list[Entry] = field(default_factory=list)


class Painter:
    """Draws the positions of one game, for one number of players, in one language."""

    def __init__(self, engine: Engine, words: Words) -> None:
        self.engine = engine
        self.game: Game = engine.game
        self.words = words
        self.phrases = Phrases(self.game, words)
        self.shape = _shapes([each.name for each in self.game.components])

    def picture(
        self, cells: Sequence[int], before: Sequence[int] | None = None, only_changed: bool = False
    ) -> str:
        """The position as SVG; what is not as `before` is marked, or the only thing shown."""
        boards = [
            self._board(each, cells, before)
            for each in self.game.variables
            if _is_board(each)
            and not (only_changed and before is not None and not _differs(each, cells, before))
        ]
        cards = self._cards(cells, before, only_changed)
        return self._layout(boards, cards)

    # --- what there is to show --------------------------------------------------------------------

    def colour(self, player: int) -> str:
        name = self.game.enumerations["Player"][player]
        if name in COLOURS:
            return name
        return NAMED.get(name, COLOURS[player % len(COLOURS)])

    @cached_property
    def _shown(self) -> list[Variable]:
        return [
            each
            for each in self.game.variables
            if each.role in (Role.STATE, Role.PIECES)
            and not _is_board(each)
            and not each.name.endswith(".length")
        ]

    def _cards(
        self, cells: Sequence[int], before: Sequence[int] | None, only_changed: bool
    ) -> list[Card]:
        cards: dict[tuple[str, int], Card] = {}

        def card(sort: Sort | None, member: int) -> Card:
            key = (sort.names if sort is not None else "", member)
            if key not in cards:
                if sort is None:
                    cards[key] = Card("")
                else:
                    title = self.phrases.value(Sort(0, sort.high, sort.names), member)
                    colour = self.colour(member) if sort.names == "Player" else ""
                    cards[key] = Card(title, colour)
            return cards[key]

        for variable, index in self._groups():
            members: Sequence[int | None] = [None]
            if index is not None:
                members = range(index.low, index.high + 1)
            for member in members:
                entry = self._entry(variable, index, member, cells, before)
                if entry is None or (only_changed and not entry.changed):
                    continue
                _add(card(index, -1 if member is None else member), entry, variable)
        for zone, component in self._distinct_zones():
            index = self._card_index(zone.dimensions)
            for member in range(index.low, index.high + 1) if index is not None else [None]:
                entry = self._pieces(zone, component, index, member, cells, before)
                if entry is None or (only_changed and not entry.changed):
                    continue
                _add(card(index, -1 if member is None else member), entry, None)
        order = ["Player", *(name for name in self.game.enumerations if name != "Player"), ""]
        kept = sorted(cards.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))
        return [each for _, each in kept if each.entries]

    def _groups(self) -> Iterator[tuple[Variable, Sort | None]]:
        for variable in self._shown:
            yield variable, self._card_index(variable.dimensions)

    @cached_property
    def _with_cards(self) -> set[str]:
        """The enumerations whose members have cards: players, and those that much is about."""
        firsts = [_named(each.dimensions) for each in self._shown]
        firsts += [_named(zone.dimensions) for zone, _ in self._distinct_zones()]
        found = [each.names for each in firsts if each is not None]
        return {"Player", *(name for name in found if found.count(name) >= LEAST_SHARED)}

    def _card_index(self, dimensions: Sequence[Sort]) -> Sort | None:
        """The dimension that chooses the card, None for the card of everything else."""
        named = _named(dimensions)
        return named if named is not None and named.names in self._with_cards else None

    def _distinct_zones(self) -> Iterator[tuple[Zone, str]]:
        for zone in self.game.zones:
            for component in zone.holds:
                if f"{zone.name}.{component}" not in self.game.variable:
                    yield zone, component

    def _entry(
        self,
        variable: Variable,
        index: Sort | None,
        member: int | None,
        cells: Sequence[int],
        before: Sequence[int] | None,
    ) -> Entry | None:
        outer, _, inner = variable.name.partition(".")
        pieces = variable.role is Role.PIECES
        entry = Entry(self.words.one(outer))
        place = variable.dimensions.index(index) if index is not None else -1
        ranges = [
            [member] if position == place else range(each.low, each.high + 1)
            for position, each in enumerate(variable.dimensions)
        ]
        count = 0
        for indices in product(*ranges):
            cell = variable.offset + sum(
                (int(each or 0) - dimension.low) * stride
                for each, dimension, stride in zip(
                    indices, variable.dimensions, variable.strides, strict=True
                )
            )
            value = cells[cell]
            if before is not None and before[cell] != value:
                entry.changed = True
            if _is_nothing(variable.sort, value):
                continue
            rest = [
                (dimension, int(each or 0))
                for position, (dimension, each) in enumerate(
                    zip(variable.dimensions, indices, strict=True)
                )
                if position != place
            ]
            owner = next(
                (each for dimension, each in reversed(rest) if dimension.names == "Player"), None
            )
            if owner is None and index is not None and index.names == "Player" and pieces:
                owner = member
            words = [
                self.phrases.value(dimension, each)
                for dimension, each in rest
                if not (pieces and dimension.names == "Player")
            ]
            count += 1
            if pieces:
                colour = self.colour(owner) if owner is not None else ""
                component = next(each for each in self.game.components if each.name == inner)
                colour = colour if component.owned else ""
                text = " ".join([*words]) or ""
                entry.tokens.append(Token(text, self.shape[inner], colour, value))
            elif is_set(variable) or variable.sort.boolean:
                entry.tokens.append(
                    self._word(
                        rest, words, "" if words else self.phrases.value(variable.sort, value)
                    )
                )
            else:
                entry.tokens.append(self._value(variable.sort, value, words))
        if len(entry.tokens) > MOST_TOKENS:
            entry.tokens = [*entry.tokens[: MOST_TOKENS - 1], Token(f"… ({count})")]
        if not entry.tokens and not entry.changed:
            return None
        return entry

    def _word(self, rest: Sequence[tuple[Sort, int]], words: Sequence[str], extra: str) -> Token:
        colour = ""
        if len(rest) == 1 and rest[0][0].names == "Player":
            colour = self.colour(rest[0][1])
        return Token(" ".join([*words, extra]).strip(), "", colour)

    def _value(self, sort: Sort, value: int, words: Sequence[str]) -> Token:
        text = self.phrases.value(sort, value)
        colour = self.colour(value) if sort.names == "Player" and value < self.game.players else ""
        colon = " :" if self.words.language == "fr" else ":"
        return Token(f"{' '.join(words)}{colon} {text}" if words else text, "", colour)

    def _pieces(
        self,
        zone: Zone,
        component: str,
        index: Sort | None,
        member: int | None,
        cells: Sequence[int],
        before: Sequence[int] | None,
    ) -> Entry | None:
        """Distinct pieces that lie in a zone."""
        at = self.game.variable[f"{component}.at"]
        first = dict(zone.first_codes)[component]
        width = 1
        for dimension in zone.dimensions[1:]:
            width *= dimension.size
        start = (
            first + ((member or 0) - index.low) * width
            if index is not None and member is not None
            else first
        )
        total = 1
        for dimension in zone.dimensions:
            total *= dimension.size
        stop = start + (width if index is not None and zone.dimensions[0] == index else total)
        pieces = at.dimensions[0]

        def inside(row: Sequence[int]) -> list[int]:
            return [
                piece
                for piece in range(pieces.low, pieces.high + 1)
                if start <= row[at.offset + piece - pieces.low] < stop
            ]

        found = inside(cells)
        entry = Entry(
            self.words.one(zone.name), changed=before is not None and inside(before) != found
        )
        if len(found) > 6 and (zone.ordered or len(found) == pieces.size):
            entry.tokens.append(Token("", self.shape[component], "", len(found)))
        else:
            entry.tokens = [
                Token(self.phrases.value(pieces, piece), self.shape[component]) for piece in found
            ]
        return entry if found or entry.changed else None

    # --- boards -------------------------------------------------------------------------------------

    def _board(
        self, variable: Variable, cells: Sequence[int], before: Sequence[int] | None
    ) -> tuple[str, int, int]:
        """A grid; an index named like `row` runs down, or upwards when it comes second."""
        upwards = variable.index_names[1].startswith("r")
        down, across = reversed(variable.dimensions) if upwards else variable.dimensions
        size = 34
        parts: list[str] = []
        left, top = 22, 20
        rows = list(range(down.low, down.high + 1))
        for place, row in enumerate(reversed(rows) if upwards else rows):
            y = top + place * size
            parts.append(
                f'<text class="q-label q-end" x="{left - 7}" y="{y + size / 2 + 4:.0f}">{row}</text>'
            )
            for column in range(across.low, across.high + 1):
                x = left + (column - across.low) * size
                indices = (column, row) if upwards else (row, column)
                cell = variable.offset + sum(
                    (each - dimension.low) * stride
                    for each, dimension, stride in zip(
                        indices, variable.dimensions, variable.strides, strict=True
                    )
                )
                changed = before is not None and before[cell] != cells[cell]
                parts.append(
                    f'<rect class="q-cell{" q-changed" if changed else ""}" x="{x}" y="{y}" width="{size}" height="{size}"/>'
                )
                parts.append(self._man(variable.sort, cells[cell], x + size / 2, y + size / 2))
        for column in range(across.low, across.high + 1):
            middle = left + (column - across.low) * size + size // 2
            parts.append(
                f'<text class="q-label q-middle" x="{middle}" y="{top - 6}">{column}</text>'
            )
        return "".join(parts), left + across.size * size + 6, top + down.size * size + 8

    def _man(self, sort: Sort, value: int, x: float, y: float) -> str:
        if _is_nothing(sort, value):
            return ""
        if sort.names == "Player":
            title = escape(self.phrases.value(sort, value))
            mark = escape(title[:1].upper())
            return (
                f'<circle class="q-piece q-{self.colour(value)}" cx="{x:.0f}" cy="{y:.0f}" r="12"><title>{title}</title></circle>'
                f'<text class="q-on q-on-{self.colour(value)}" x="{x:.0f}" y="{y + 4:.0f}">{mark}</text>'
            )
        return f'<text class="q-label q-middle" x="{x:.0f}" y="{y + 4:.0f}">{escape(self.phrases.value(sort, value))}</text>'

    # --- layout ---------------------------------------------------------------------------------------

    def _layout(self, boards: Sequence[tuple[str, int, int]], cards: Sequence[Card]) -> str:
        """Boards and cards beside each other, as many in a row as the page has room for."""
        drawn = [
            *boards,
            *((drawing, CARD, tall) for drawing, tall in (self._card(each) for each in cards)),
        ]
        if not drawn:
            return ""
        name = "Position de jeu" if self.words.language == "fr" else "Position of play"
        pictures = "".join(
            f'<svg viewBox="-1 -1 {wide + 2} {tall + 2}" width="{wide + 2}" height="{tall + 2}" '
            f'aria-hidden="true">{drawing}</svg>'
            for drawing, wide, tall in drawn
        )
        return f'<div class="q-position" role="img" aria-label="{name}">{pictures}</div>'

    def _card(self, card: Card) -> tuple[str, int]:
        parts: list[str] = []
        y = PAD
        if card.title:
            y = HEAD + 6
        body: list[str] = []
        for entry in card.entries:
            drawing, tall = self._line(entry, y)
            body.append(drawing)
            y += tall
        tall = y + PAD - 4
        colour = f" q-edge-{card.colour}" if card.colour else ""
        parts.append(f'<rect class="q-card{colour}" width="{CARD}" height="{tall}" rx="7"/>')
        if card.title:
            tint = f" q-{card.colour}" if card.colour else ""
            on = f" q-on-{card.colour}" if card.colour else ""
            parts.append(
                f'<path class="q-head{tint}" d="M0 {HEAD}V7a7 7 0 0 1 7-7H{CARD - 7}a7 7 0 0 1 7 7V{HEAD}z"/>'
            )
            parts.append(
                f'<text class="q-title{on}" x="{PAD}" y="{HEAD - 8}">{escape(_fit(card.title, 28))}</text>'
            )
        return "".join([*parts, *body]), tall

    def _line(self, entry: Entry, y: int) -> tuple[str, int]:
        """A label and its tokens, wrapped to the width of a card."""
        parts: list[str] = []
        text = _fit(entry.label, 30)
        x = PAD + _width(text) + 8
        line = y
        parts.append(f'<text class="q-label" x="{PAD}" y="{line + 15}">{escape(text)}</text>')
        if not entry.tokens:
            parts.append(f'<text class="q-label" x="{x}" y="{line + 15}">–</text>')
        for token in entry.tokens:
            wide = _token_width(token)
            if x + wide > CARD - PAD and x > PAD + 14:
                line += ROW
                x = PAD + 14
            parts.append(_token(token, x, line))
            x += wide + 7
        mark = ""
        if entry.changed:
            mark = f'<rect class="q-changed" x="3" y="{y}" width="{CARD - 6}" height="{line - y + ROW - 2}" rx="4"/>'
        return mark + "".join(parts), line - y + ROW


def _shapes(names: Sequence[str]) -> dict[str, str]:
    """A shape for each component: the one that it is called after, else one that is left."""
    found: dict[str, str] = {}
    for name in names:
        called = next((shape for word, shape in CALLED.items() if word in name.lower()), "")
        if called and called not in found.values():
            found[name] = called
    free = [shape for shape in SHAPES if shape not in found.values()] or list(SHAPES)
    for place, name in enumerate(each for each in names if each not in found):
        found[name] = free[place % len(free)]
    return found


def legend(painter: Painter, words: Words) -> str:
    """The shapes of the components, with their names."""
    if not painter.game.components:
        return ""
    items = [
        f'<span class="q-sign"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">{_shape(painter.shape[each.name], 10, 10, "")}</svg> {escape(words.one(each.name))}</span>'
        for each in painter.game.components
    ]
    return f'<p class="q-legend">{" ".join(items)}</p>'


def _add(card: Card, entry: Entry, variable: Variable | None) -> None:
    """Pieces of several kinds in one zone stand in one line."""
    pieces = variable is None or variable.role is Role.PIECES
    same = (
        next((each for each in card.entries if each.label == entry.label), None) if pieces else None
    )
    if same is None:
        card.entries.append(entry)
        return
    same.tokens += entry.tokens
    same.changed = same.changed or entry.changed


# --- small things -------------------------------------------------------------------------------------


def _named(dimensions: Sequence[Sort]) -> Sort | None:
    """The first dimension that has names, when they are not too many for cards."""
    fitting = (each for each in dimensions if each.names and not each.optional)
    first = next(fitting, None)
    return first if first is not None and first.size <= MOST_MEMBERS else None


def _differs(variable: Variable, cells: Sequence[int], before: Sequence[int]) -> bool:
    stretch = slice(variable.offset, variable.offset + variable.cells)
    return list(cells[stretch]) != list(before[stretch])


def _is_board(variable: Variable) -> bool:
    return (
        variable.role is Role.STATE
        and len(variable.dimensions) == 2
        and not is_set(variable)
        and all(not each.names and not each.boolean for each in variable.dimensions)
        and all(2 <= each.size <= 26 for each in variable.dimensions)
    )


def _is_nothing(sort: Sort, value: int) -> bool:
    if sort.optional:
        return value == sort.low
    return value == 0 and not sort.names


def _fit(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _width(text: str) -> int:
    return round(6.3 * len(text))


def _token_width(token: Token) -> int:
    count = _width(f"×{token.count}") + 3 if token.count > 1 else 0
    shape = 17 if token.shape else 0
    swatch = 14 if token.colour and not token.shape else 0
    return (
        shape
        + swatch
        + count
        + (_width(_fit(token.text, 28)) + (3 if shape else 0) if token.text else 0)
    )


def _token(token: Token, x: float, y: float) -> str:
    parts: list[str] = []
    if token.shape:
        parts.append(_shape(token.shape, x + 8, y + 11, token.colour))
        x += 17
    elif token.colour:
        parts.append(f'<circle class="q-piece q-{token.colour}" cx="{x + 5}" cy="{y + 11}" r="5"/>')
        x += 14
    text = _fit(token.text, 28)
    if token.text:
        x += 2 if token.shape else 0
        parts.append(f'<text class="q-value" x="{x}" y="{y + 15}">{escape(text)}</text>')
        x += _width(text) + 3
    if token.count > 1:
        parts.append(
            f'<text class="q-value q-times" x="{x + 1}" y="{y + 15}">×{token.count}</text>'
        )
    return "".join(parts)


def _shape(shape: str, x: float, y: float, colour: str) -> str:
    tint = f'class="q-piece q-{colour or "plain"}"'
    match shape:
        case "house":
            return f'<path {tint} d="M{x - 6} {y + 6}v-7l6 -5l6 5v7z"/>'
        case "palace":
            return f'<path {tint} d="M{x - 7} {y + 6}v-12h3v3h2.5v-3h3v3h2.5v-3h3v12z"/>'
        case "disc":
            return f'<circle {tint} cx="{x}" cy="{y}" r="6.5"/>'
        case "square":
            return f'<rect {tint} x="{x - 6}" y="{y - 6}" width="12" height="12" rx="1.5"/>'
        case "ring":
            return f'<path {tint} fill-rule="evenodd" d="M{x - 7} {y}a7 7 0 1 0 14 0a7 7 0 1 0 -14 0zm4 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z"/>'
        case "diamond":
            return f'<path {tint} d="M{x} {y - 7}l7 7l-7 7l-7 -7z"/>'
        case "hexagon":
            return f'<path {tint} d="M{x - 3.5} {y - 6}h7l3.5 6l-3.5 6h-7l-3.5 -6z"/>'
        case "card":
            return f'<rect {tint} x="{x - 4.5}" y="{y - 7}" width="9" height="14" rx="2"/>'
        case "triangle":
            return f'<path {tint} d="M{x} {y - 7}l7 13h-14z"/>'
        case _:
            return f'<path {tint} d="M{x} {y - 8}q8 9 5 13q-5 4 -10 0q-3 -4 5 -13z"/>'
