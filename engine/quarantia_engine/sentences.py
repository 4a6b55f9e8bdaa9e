"""Sentences of the rules with their holes filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from quarantia_engine.moves import Move, rule_of
from quarantia_engine.values import to_text
from quarantia_spec.ir import Decision, Sentences, Template

if TYPE_CHECKING:
    from quarantia_engine.position import Position

Language = Literal["en", "fr"]


def fill(position: Position, template: Template, locals_: Mapping[str, int]) -> str:
    """The template as text, its expressions worked out on the position.

    An expression that has no meaning there is shown as an ellipsis.
    """
    engine = position.engine
    words: list[str] = []
    for part in template.parts:
        if isinstance(part, str):
            words.append(part)
            continue
        try:
            value = engine.evaluator.value(part, position.cells, locals_)
        except (KeyError, IndexError, ZeroDivisionError):
            words.append("…")
        else:
            words.append(to_text(engine.game, part.sort, value))
    return "".join(words)


def choose(sentences: Sentences, language: Language) -> Template | None:
    """The sentence in a language; in the other one when there is none."""
    first, second = sentences.english, sentences.french
    if language == "fr":
        first, second = second, first
    return first if first is not None else second


def move_sentence(position: Position, move: Move, language: Language = "en") -> str:
    """What a move does, said before it is made: by its rule's own sentence, or in text form."""
    from quarantia_engine.explain import bound_locals

    engine = position.engine
    rule = rule_of(engine.game, move.name)
    template = None if rule is None else choose(rule.say, language)
    if rule is None or template is None:
        return engine.move_to_text(move)
    return fill(position, template, bound_locals(position, move, rule))


def rule_sentence(position: Position, sentences: Sentences, language: Language = "en") -> str:
    """A sentence without parameters (of a step, an invariant, a term); empty when there is none."""
    template = choose(sentences, language)
    return "" if template is None else fill(position, template, {})


def actor_name(position: Position, move: Move) -> str:
    """Who makes a move: the player's name, or `chance`."""
    if move.player is None:
        return "chance"
    return position.engine.player_name(move.player)


def is_secret(position: Position, move: Move) -> bool:
    """True when others do not learn the choice yet."""
    rule = rule_of(position.engine.game, move.name)
    return isinstance(rule, Decision) and rule.secret
