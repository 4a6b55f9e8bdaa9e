"""Two copies of one book, set side by side whatever the order of their columns.

NOTE(skeleton) A program that reads pictures loses accents, spaces and signs and takes `l` for `1`
and `O` for `0`. So the books are compared as rows of letters in which these are the same. A
difference counts when it falls on a word that carries meaning: a number, a negation, a modal verb
or a name. Statements are looked up by the short rows of letters that they share with the other
book, so it does not matter where they stand there.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

from quarantia_checker.rulebooks.cues import Cues
from quarantia_checker.rulebooks.pins import folded
from quarantia_checker.rulebooks.statements import Statement


class Kind(Enum):
    NUMBER = "number"
    NEGATION = "negation"
    MODAL = "modal"
    NAME = "name"
    MISSING = "only in one copy"


@dataclass(frozen=True, slots=True)
class Difference:
    """What stands `here`, and what the other copy has in its place; a line is 0 when nowhere."""

    kind: Kind
    line: int
    other_line: int
    here: str
    there: str
    pin: str


GRAM = 7  # letters in the rows by which a statement is found
FOUND, FOUND_SHORT = 0.6, 0.85  # the share of its letters that the other book must have in order
SHORT = 40  # letters
AROUND = 48  # letters to look at before and after, where columns ran into each other
PIECES = 0.7  # the share of its short rows that the other book must have, in whatever order
LONG_ENOUGH = 12  # letters, for a statement to be missed
_SAME = str.maketrans({"i": "1", "l": "1", "|": "1", "j": "1", "o": "0", "q": "0"})
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+")
_ITEM = re.compile(r"^\d{1,2}(?:\.\d{1,2})*[.)]?\s*(?=[A-ZÀ-Ý])")  # how items are counted


@dataclass(frozen=True, slots=True)
class _Letters:
    """A text as its skeleton, with the place in the text of each letter."""

    text: str
    row: str
    places: tuple[int, ...]


def collate(
    here: Sequence[Statement], there: Sequence[Statement], cues: Cues
) -> tuple[Difference, ...]:
    """What carries meaning and differs, in the order of the first copy, then of the second."""
    forward = list(_one_way(here, there, cues))
    seen = {(each.other_line, each.line, each.kind) for each in forward}
    backward = [
        Difference(each.kind, each.other_line, each.line, each.there, each.here, "")
        for each in _one_way(there, here, cues)
    ]
    more = [each for each in backward if (each.other_line, each.line, each.kind) not in seen]
    return tuple(dict.fromkeys([*forward, *more]))


def _one_way(
    here: Sequence[Statement], there: Sequence[Statement], cues: Cues
) -> Iterator[Difference]:
    other = _letters(" ".join(each.text for each in there))
    lines = _line_starts(there)
    grams: dict[str, list[int]] = defaultdict(list)
    for place in range(len(other.row) - GRAM + 1):
        grams[other.row[place : place + GRAM]].append(place)
    for statement in here:
        mine = _letters(statement.text)
        if len(mine.row) < 2:
            continue
        start = _where(mine.row, other.row, grams)
        if start is None:
            if len(mine.row) >= LONG_ENOUGH and not _scattered(mine.row, grams):
                yield Difference(
                    Kind.MISSING,
                    statement.line,
                    0,
                    statement.text,
                    "nothing like it",
                    statement.pin,
                )
            continue
        yield from _differences(statement, mine, other, start, lines, cues)


def _where(row: str, other: str, grams: dict[str, list[int]]) -> int | None:
    """Where the other book has the same letters, give or take a few."""
    votes: Counter[int] = Counter()
    for place in range(max(len(row) - GRAM + 1, 0)):
        for found in grams.get(row[place : place + GRAM], ()):
            votes[(found - place) // 8] += 1
    short = len(row) < SHORT
    for bucket, _ in votes.most_common(4):
        start = max(bucket * 8, 0)
        window = other[max(start - 12, 0) : start + len(row) + (10 if short else 24)]
        if _shared(row, window) >= (FOUND_SHORT if short else FOUND) * len(row):
            return start
    if len(row) < GRAM + 2:
        found = other.find(row)
        return found if found >= 0 else None
    return None


def _scattered(row: str, grams: dict[str, list[int]]) -> bool:
    """Whether the other book has its pieces, because columns ran into each other."""
    if len(row) < SHORT:  # a few words are easily had from elsewhere
        return False
    pieces = [row[place : place + GRAM] for place in range(max(len(row) - GRAM + 1, 1))]
    return sum(piece in grams for piece in pieces) >= PIECES * len(pieces)


def _shared(row: str, window: str) -> int:
    matcher = SequenceMatcher(None, row, window, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks() if block.size > 2)


def _differences(
    statement: Statement,
    mine: _Letters,
    other: _Letters,
    start: int,
    lines: Sequence[tuple[int, int]],
    cues: Cues,
) -> Iterator[Difference]:
    """The words that carry meaning and are not in the other copy letter for letter."""
    low = max(start - AROUND, 0)
    window = other.row[low : start + len(mine.row) + AROUND]
    blocks = [
        block
        for block in SequenceMatcher(None, mine.row, window, autojunk=False).get_matching_blocks()
        if block.size
    ]
    partner = {
        block.a + step: low + block.b + step for block in blocks for step in range(block.size)
    }
    at = {place: position for position, place in enumerate(mine.places)}
    for kind, first, last in _meaningful(statement.text, cues):
        letters = [at[place] for place in range(first, last) if place in at]
        if not letters or _same(letters, partner, kind):
            continue
        around = [
            partner[near] for near in range(letters[0] - 12, letters[-1] + 13) if near in partner
        ]
        if not around:
            continue
        begin, end = other.places[min(around)], other.places[max(around)] + 1
        line = next(line for offset, line in reversed(lines) if offset <= begin)
        yield Difference(
            kind,
            statement.line,
            line,
            _excerpt(statement.text, first, last),
            other.text[begin:end].strip(),
            statement.pin,
        )


def _replaced(letters: Sequence[int], partner: dict[int, int]) -> bool:
    """Whether what stands before and after has the same place in the other copy.

    Where it has not, columns ran into each other, and the name is elsewhere on the page.
    """
    left = range(letters[0] - 1, letters[0] - 6, -1)
    right = range(letters[-1] + 1, letters[-1] + 6)
    before = next((partner[place] for place in left if place in partner), None)
    after = next((partner[place] for place in right if place in partner), None)
    return before is not None and after is not None and after - before < 2 * len(letters) + 6


def _same(letters: Sequence[int], partner: dict[int, int], kind: Kind) -> bool:
    matched = [partner[each] for each in letters if each in partner]
    if kind is Kind.NAME:  # a letter more or less in a long name is the fault of the reader
        return len(matched) >= 0.6 * len(letters)
    return len(matched) == len(letters)


def _meaningful(text: str, cues: Cues) -> Iterator[tuple[Kind, int, int]]:
    """Numbers, negations, modal verbs and names, with where they begin and end."""
    item = _ITEM.match(text)
    for word in _WORD.finditer(text, item.end() if item else 0):
        kind = cues.meaning.get(folded(word.group()))
        if kind is not None:
            yield Kind(kind), word.start(), word.end()
        elif word.start() and word.group()[0].isupper() and len(word.group()) > 3:
            yield Kind.NAME, word.start(), word.end()
        for number in _NUMBER.finditer(word.group()):
            yield Kind.NUMBER, word.start() + number.start(), word.start() + number.end()


def _letters(text: str) -> _Letters:
    row: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        for plain in folded(letter):
            same = plain.translate(_SAME)
            if same.isalnum():
                row.append(same)
                places.append(place)
    return _Letters(text, "".join(row), tuple(places))


def _line_starts(statements: Sequence[Statement]) -> list[tuple[int, int]]:
    starts: list[tuple[int, int]] = []
    offset = 0
    for each in statements:
        starts.append((offset, each.line))
        offset += len(each.text) + 1
    return starts


def _excerpt(text: str, first: int, last: int) -> str:
    return " ".join(text[max(first - 30, 0) : last + 30].split())
