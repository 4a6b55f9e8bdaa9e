"""The language reference leaves nothing out: every word of the grammar, every limit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quarantia_spec import limits
from quarantia_spec.elaborate import flow, world
from quarantia_spec.parser import grammar_text

PAGE = (Path(__file__).resolve().parents[2] / "docs/reference/language.md").read_text("utf-8")
WORDS = sorted(set(re.findall(r'"([a-z]+)"', grammar_text())))
FOLDS = ("sum", "count", "all", "any", "max", "min", "first")


def test_the_words_are_found() -> None:
    assert {"game", "together", "decides", "extends", "hook"} <= set(WORDS)
    assert len(WORDS) > 90


@pytest.mark.parametrize("word", [*WORDS, *FOLDS, *world.BUILT_IN_FUNCTIONS])
def test_every_word_is_explained(word: str) -> None:
    assert re.search(rf"\b{word}\b", PAGE)


@pytest.mark.parametrize(
    "limit",
    [
        limits.LARGEST_FILE,
        limits.MOST_LINES,
        limits.LONGEST_LOGICAL_LINE,
        limits.DEEPEST_BRACKETS,
        limits.DEEPEST_TREE,
        limits.LONGEST_NUMBER,
        world.LARGEST_RANGE,
        world.LARGEST_DOMAIN,
        world.LARGEST_POSITION,
        flow.LARGEST_FLOW,
    ],
)
def test_every_limit_is_listed(limit: int) -> None:
    assert re.search(rf"\b{limit:,}\b", PAGE[PAGE.index("## Limits") :])
