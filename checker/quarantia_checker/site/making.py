"""All pages of a game, in both languages: read `make_game`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from quarantia_checker.site import findings
from quarantia_checker.site.aid_page import aid_page
from quarantia_checker.site.edition import Edition, load
from quarantia_checker.site.example_page import example_page
from quarantia_checker.site.glossary_page import glossary_page
from quarantia_checker.site.outline import outline
from quarantia_checker.site.page import FOLDERS, PAGES, Page
from quarantia_checker.site.proof_page import proof_page
from quarantia_checker.site.register_page import register_page, verdict_of
from quarantia_checker.site.rules_page import rules_page
from quarantia_checker.site.statistics_page import play, statistics_page
from quarantia_checker.site.stepping import Frames
from quarantia_spec.ir import Chance, Decision, Require, Sentences
from quarantia_spec.words import Language

LANGUAGES: tuple[Language, ...] = ("en", "fr")


@dataclass(frozen=True)
class Made:
    """The pages of a game, and what the lists of games say about it."""

    name: str
    slug: str
    titles: dict[Language, str]
    counts: tuple[int, ...]
    pages: tuple[Page, ...]
    frames: tuple[Frames, ...]
    doubts: int
    open_doubts: int
    results: int
    good: int
    checked: tuple[int, ...]
    untold: tuple[str, ...]  # what lacks French words


def make_game(name: str, results: Path | None) -> Made:
    """Every page of one game. Raises RulesError when its rules are wrong."""
    loaded = load(name, findings.find(name, results))
    played = play(loaded)
    pages: list[Page] = []
    frames: list[Frames] = []
    titles: dict[Language, str] = {}
    untold: list[str] = []
    edition = Edition(loaded, "en")
    for language in LANGUAGES:
        edition = Edition(loaded, language)
        titles[language] = edition.title
        plan = outline(edition)
        pages.append(rules_page(edition, plan))
        register, found = register_page(edition)
        pages.append(register)
        frames += found
        pages.append(proof_page(edition))
        examples, found = example_page(edition)
        pages.append(examples)
        frames += found
        pages.append(statistics_page(edition, played))
        pages.append(glossary_page(edition, plan))
        pages.append(aid_page(edition, plan))
        if language == "fr":
            untold = list(_untold(edition))
    assert len(pages) == len(PAGES) * len(FOLDERS)
    known = loaded.findings.results
    return Made(
        name,
        loaded.slug,
        titles,
        tuple(loaded.engines),
        tuple(pages),
        tuple(frames),
        len(edition.defects),
        sum(each.open and verdict_of(edition, each) != "unchecked" for each in edition.defects),
        len(known),
        sum(each.verdict.good or (each.ruled and each.verdict.bad) for each in known),
        tuple(sorted(loaded.findings.checked)),
        tuple(dict.fromkeys(untold)),
    )


def _untold(edition: Edition) -> Iterator[str]:
    """The names and sentences without which a French page would have to speak English."""
    game, words = edition.game, edition.words
    named = [name for name in game.enumerations if "." not in name]
    named += [each for name in named for each in game.enumerations[name] if not each[-1].isdigit()]
    named += [each.name for each in game.components]
    named += [each.name for each in game.zones]
    named += [each.name for each in game.phases]
    named += [*game.decision, *game.chance, *edition.steps, *game.term]
    named += [each.name for each in edition.properties]
    named += [example.name for _, example in edition.examples]
    named += [each.name for each in game.tables]
    named += [
        each.name for each in game.variables if each.role.value == "state" and "." not in each.name
    ]
    for term in game.terms:
        for clause in term.clauses:
            if len(term.clauses) > 1:
                named.append(_qualified(edition, term.name, clause.name))
            if len(clause.readings) > 1:
                named += [_qualified(edition, term.name, each.name) for each in clause.readings]
    yield from (f"word: {name}" for name in named if not words.known(name))
    for section in edition.loaded.passages.passages:
        if section not in words.sections:
            yield f"section: {section}"
    said: list[tuple[str, Sentences]] = [("outcome", game.outcome.say)]
    said += [(each.name, each.say) for each in game.terms]
    said += [(each.name, each.say) for each in game.properties]
    for rule in (*game.decisions, *game.chances):
        assert isinstance(rule, Decision | Chance)
        said.append((rule.name, rule.say))
        for guard in rule.guards:
            if isinstance(guard, Require) and guard.because is not None:
                said.append((rule.name, guard.because))
    for name, sentences in said:
        if sentences.english is not None and sentences.french is None:
            yield f"sentence: {name}"


def _qualified(edition: Edition, term: str, name: str) -> str:
    whole = f"{term}.{name}"
    return whole if whole in edition.words.names else name
