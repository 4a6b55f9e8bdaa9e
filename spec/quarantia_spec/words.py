"""What the names of a game's rules are called on paper, in English and in French.

`words.toml` lies beside the rules. A name that it does not list is called in English by its own
words, `to_place` "to place" and `SanMarco` "San Marco"; in French it has no words yet.

    [fr]
    house = "maison"
    palace = "palais|palais"              # singular and plural, where it is not an s
    "last_taker_wins.last" = "le dernier" # a clause or reading, where the bare name says less

    [fr.sections]
    "3" = "Un tour"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from quarantia_spec.diagnostics import Code, Diagnostic, RulesError
from quarantia_spec.source import Span
from quarantia_spec.toml_files import NotToml, parse_toml

WORDS = "words.toml"
TITLE = "game"  # the key of the game's own title
Language = Literal["en", "fr"]

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language. Several names may be asked for: the first that is known wins."""

    language: Language
    names: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)

    def known(self, name: str) -> bool:
        return name in self.names or (self.language == "en" and name != TITLE)

    def one(self, *names: str) -> str:
        """The singular, or the only form."""
        return self._found(names).partition("|")[0]

    def many(self, *names: str) -> str:
        """The plural."""
        one, bar, many = self._found(names).partition("|")
        if bar:
            return many
        return one if one.endswith(("s", "x", "z")) else f"{one}s"

    def _found(self, names: tuple[str, ...]) -> str:
        for name in names:
            if name in self.names:
                return self.names[name]
        return spelled(names[-1].rpartition(".")[2])

    def section(self, section: str, otherwise: str) -> str:
        """The heading of a section of the rulebook."""
        return self.sections.get(section, otherwise if self.language == "en" else "")


def spelled(name: str) -> str:
    """A name of the rules as words: `to_place` is "to place", `SanMarco` "San Marco"."""
    if not name.strip("_"):
        return name
    words = _CAPITAL.sub(" ", name.replace("_", " ")).split()
    small = {"of", "the", "and", "in"}
    return " ".join(
        word.lower() if place and word.lower() in small else word
        for place, word in enumerate(words)
    )


def load_words(folder: Path | None) -> dict[Language, Words]:
    """The words beside a game's rules; none when there is no file. Raises RulesError."""
    path = None if folder is None else folder / WORDS
    if path is None or not path.is_file():
        return {"en": Words("en"), "fr": Words("fr")}
    return parse_words(path.read_text(encoding="utf-8"), str(Path(path.parent.name) / WORDS))


def parse_words(text: str, file: str) -> dict[Language, Words]:
    def wrong(message: str, line: int = 1, column: int = 1) -> RulesError:
        span = Span(file, line, column, line, column + 1)
        help = 'write [en] and [fr] tables with lines such as house = "maison"'
        return RulesError([Diagnostic(Code.BAD_PASSAGES, message, span, help)])

    try:
        data = parse_toml(text)
    except NotToml as error:
        raise wrong(f"this is not TOML: {error.message}", error.line, error.column) from None
    if set(data) - {"en", "fr"}:
        raise wrong(f"there is no language `{min(set(data) - {'en', 'fr'})}`")
    return {
        "en": _words(data.get("en", {}), "en", wrong),
        "fr": _words(data.get("fr", {}), "fr", wrong),
    }


def _words(table: object, language: Language, wrong: object) -> Words:
    assert callable(wrong)
    if not isinstance(table, dict):
        raise wrong(f"[{language}] must be a table")
    sections = table.get("sections", {})
    names = {name: word for name, word in table.items() if name != "sections"}
    for name, word in (*names.items(), *(sections.items() if isinstance(sections, dict) else ())):
        if not isinstance(word, str):
            raise wrong(f"the words for `{name}` must be a text")
    if not isinstance(sections, dict):
        raise wrong(f"[{language}.sections] must be a table")
    return Words(language, names, sections)
