"""The snippets of the documentation are in the language: what is shown there can be said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quarantia_spec.parser import parse_module
from quarantia_spec.source import SourceFile

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```rules\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAMES = ("Doge", "The Doge Ship", "Liguria", "Venice")


def snippets(folder: str) -> list[tuple[str, str]]:
    """Every block of rules under docs/FOLDER, by file and line."""
    found = []
    for page in sorted((ROOT / "docs" / folder).rglob("*.md")):
        if page.parent.name == "diagnostics":
            continue  # half of those are wrong on purpose, and tested as such
        text = page.read_text("utf-8")
        for match in BLOCK.finditer(text):
            line = text.count("\n", 0, match.start()) + 2
            found.append((f"{page.name}:{line}", match.group(1)))
    return found


def is_whole_game(text: str) -> bool:
    return any(line.startswith("game ") for line in text.split("\n"))


SNIPPETS = [
    snippet
    for folder in ("decisions", "reference", "tutorial", "guides")
    for snippet in snippets(folder)
]


@pytest.mark.parametrize(("place", "text"), SNIPPETS, ids=[place for place, _ in SNIPPETS])
def test_a_snippet_parses(place: str, text: str) -> None:
    whole = text if is_whole_game(text) else 'game snippet "A snippet"\n' + text
    module, found = parse_module(SourceFile(place, whole))
    assert not found, [f"{d.span}: {d.message}" for d in found]
    assert module is not None


@pytest.mark.parametrize("game", GAMES)
def test_the_first_record_shows_every_game(game: str) -> None:
    text = (ROOT / "docs/decisions/0001-one-language-for-four-games.md").read_text("utf-8")
    chapter = re.search(rf"^## {game}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert chapter is not None
    headings = re.findall(r"^### ", chapter.group(1), re.MULTILINE)
    assert len(headings) >= 5
    assert len(BLOCK.findall(chapter.group(1))) >= len(headings)
