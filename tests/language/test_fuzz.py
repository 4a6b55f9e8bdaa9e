"""Generated and mutated sources: whatever a text is, the answer is a game or diagnostics.

`pytest -m slow` runs all ten thousand; the usual run takes a sample of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings

from quarantia_spec import syntax
from quarantia_spec.diagnostics import RulesError, Severity
from quarantia_spec.format import format_module, format_source
from quarantia_spec.pipeline import find_sources, game_names, load_text
from quarantia_spec.render import render_json, render_text
from tests.language.strategies import KEYWORDS, modules

LONGER_SIGNS = ".. != <= >= := += -= §1 §own 99999999999 Player players viewer none true"
SIGNS: tuple[str, ...] = (
    *"()[]{}:,.=<>+-*|?§\"#~';\\/%&!07é_\t\r\0\u2028\ufeff\U0001f3b2",
    *LONGER_SIGNS.split(),
)
WORDS: list[str] = [*sorted(KEYWORDS), *SIGNS, "\n", "\n  ", "\n    ", "\n\n"]


@cache
def declarations() -> list[str]:
    """Every declaration of every game, and the first line of one."""
    texts = {file.text for name in game_names() for file in find_sources(name).rules}
    return [part for text in sorted(texts) for part in text.rstrip("\n").split("\n\n")]


def games(chance: random.Random) -> str:
    """A whole small game, or a few declarations that need not go together."""
    if chance.randrange(2):
        return find_sources(chance.choice(("nim", "nim", "pig"))).rules[0].text
    return "\n\n".join(['game a "A"', *chance.choices(declarations(), k=5)]) + "\n"


def mutants(count: int, seed: int) -> Iterator[str]:
    """Games with a few changes: pieces dropped, doubled, swapped, replaced; lines shifted."""
    chance = random.Random(seed)
    for _ in range(count):
        text = games(chance)
        for _ in range(chance.choice((1, 1, 2, 4))):
            text = mutated(text, chance)
        yield text


def mutated(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice((1, 1, 3, 10, 60)))
    lines = text.split("\n")
    line = chance.randrange(len(lines))
    match chance.randrange(9):
        case 0:
            return text[:start] + text[end:]
        case 1:
            return text[:end] + text[start:end] + text[end:]
        case 2:
            return text[:start] + chance.choice(WORDS) + text[start:]
        case 3:
            return text[:start] + chance.choice(WORDS) + text[end:]
        case 4:
            lines[line] = " " * chance.randrange(6) + lines[line].strip()
        case 5:
            other = chance.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
        case 6:
            del lines[line]
        case 7:
            words = lines[line].split(" ")
            words[chance.randrange(len(words))] = chance.choice(WORDS)
            lines[line] = " ".join(words)
        case _:
            lines[line:line] = chance.choice(declarations()).split("\n")
    return "\n".join(lines)


def soups(count: int, seed: int) -> Iterator[str]:
    """Words of the language in any order, some of them after a decent beginning."""
    chance = random.Random(seed)
    for _ in range(count):
        words = " ".join(chance.choice(WORDS) for _ in range(chance.randrange(1, 60)))
        head = 'game a "A"\n\nplayers 2  §1\n\n' if chance.randrange(2) else ""
        yield head + words


def survives(text: str) -> bool:
    """True when the text is a game. After: whatever is wrong with it can be shown."""
    game, found = load_text(text)
    assert game is not None or any(each.severity is Severity.ERROR for each in found), text
    lines = text.count("\n") + 2
    for diagnostic in found:
        assert diagnostic.message and diagnostic.help, (diagnostic, text)
        assert 1 <= diagnostic.span.line <= lines, (diagnostic, text)
        assert diagnostic.span.column >= 1
    assert render_text(found, {"game.rules": text}) or not found
    assert len(render_json(found)) == len(found)
    try:
        formatted = format_source(text)
    except RulesError:
        return game is not None
    assert format_source(formatted) == formatted
    return game is not None


def test_mutated_games() -> None:
    played = [survives(text) for text in mutants(60, 0)]
    assert any(played) and not all(played), "mutants should be both broken and sound"


def test_words_in_any_order() -> None:
    for text in soups(100, 1):
        survives(text)


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(modules)
def test_generated_trees(module: syntax.Module) -> None:
    survives(format_module(module))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_seven_thousand_mutated_games(part: int) -> None:
    for text in mutants(700, 1_000 + part):
        survives(text)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_two_thousand_soups(part: int) -> None:
    for text in soups(500, 1_000 + part):
        survives(text)


@pytest.mark.slow
@settings(max_examples=1_000, suppress_health_check=list(HealthCheck))
@given(modules)
def test_a_thousand_generated_trees(module: syntax.Module) -> None:
    survives(format_module(module))
