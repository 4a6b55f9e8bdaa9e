"""Which statements of a rulebook are rules, by the words in them. The words are in `cues.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from quarantia_checker.rulebooks.pins import folded
from quarantia_checker.rulebooks.statements import Statement

FALLBACK = "en"
EXAMPLE = "example"  # a sign that stands for the rest of its paragraph too
HEADING = "heading"
LONGEST_HEADING = 7  # words

_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+\S")
_ITEM = re.compile(r"^\d{1,2}(?:\.\d{1,2})*[.)]?\s*(?=[A-ZÀ-Ý])")


@dataclass(frozen=True, slots=True)
class Cues:
    """The signs of one language by name: patterns that bind, and patterns that free.

    `meaning` has the words that no copy may change, with what each is.
    """

    binding: tuple[tuple[str, re.Pattern[str]], ...]
    free: tuple[tuple[str, re.Pattern[str]], ...]
    meaning: dict[str, str]


@dataclass(frozen=True, slots=True)
class Sign:
    """What the words of a statement show: `normative`, and by which signs."""

    normative: bool
    names: tuple[str, ...]


@cache
def cues_for(language: str) -> Cues:
    """Those of a language, or of English when it has none."""
    table = _tables().get(language, _tables()[FALLBACK])
    meaning = {word: kind for kind, words in table["meaning"].items() for word in words}
    return Cues(_compiled(table["binding"]), _compiled(table["free"]), meaning)


def languages() -> tuple[str, ...]:
    return tuple(_tables())


@cache
def _tables() -> dict[str, dict[str, dict[str, list[str]]]]:
    file = resources.files("quarantia_checker").joinpath("rulebooks", "cues.toml")
    return tomllib.loads(file.read_text("utf-8"))


def read_signs(statements: Sequence[Statement], cues: Cues) -> tuple[Sign, ...]:
    """One sign for each statement; an example goes on to the end of its paragraph."""
    signs: list[Sign] = []
    example_block = -1
    for statement in statements:
        text = folded(_ITEM.sub("", statement.text)).replace("’", "'").replace("‘", "'")
        free = [name for name, pattern in cues.free if pattern.search(text)]
        if statement.block == example_block and EXAMPLE not in free:
            free.append(EXAMPLE)
        if EXAMPLE in free:
            example_block = statement.block
        if statement.heading or _is_heading(statement.text):
            free.append(HEADING)
        binding = [name for name, pattern in cues.binding if pattern.search(text)]
        signs.append(Sign(bool(binding) and not free, tuple(free or binding)))
    return tuple(signs)


def _is_heading(text: str) -> bool:
    """Short and without an end: in capitals, a single word, or with the number of a section."""
    if text.rstrip().endswith((".", "!", "?", ";", ",")) or len(text.split()) > LONGEST_HEADING:
        return False
    numbered = _NUMBERED.match(text) is not None and _ITEM.match(text) is not None
    return text.upper() == text or " " not in text or numbered


def _compiled(table: dict[str, list[str]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (name, re.compile("|".join(_pattern(words) for words in patterns)))
        for name, patterns in table.items()
    )


def _pattern(words: str) -> str:
    """`^` is the beginning, after a number or a sign; `#` any number; `*` part of a word."""
    start = r"^[\W\d]*" if words.startswith("^") else r"(?<![a-z0-9])"
    body = re.escape(words.removeprefix("^"))
    body = body.replace(r"\#", r"\d+").replace(r"\ \*\ ", r"\W(?:[^.;]*?\W)?")
    body = body.replace(r"'\*\ ", r"'[^.;]*?\W").replace(r"\*", r"[a-z0-9.]*")
    return f"(?:{start}{body}(?![a-z0-9]))"
