"""Plays that a reader steps through: pictures in a script of their own, loaded when asked for.

The page holds the story in words; the pictures of all steps lie beside it in a small script, which
also works where a page may not fetch files.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from quarantia_checker.site.edition import Edition
from quarantia_checker.site.labels import label
from quarantia_checker.site.pictures import Painter
from quarantia_engine.engine import Engine
from quarantia_engine.moves import Move, rule_of
from quarantia_engine.position import Position
from quarantia_engine.sentences import choose
from quarantia_spec.ir import Template

MOST_FRAMES = 25


@dataclass(frozen=True, slots=True)
class Frames:
    """A script file and its content."""

    path: str
    text: str


def move_told(edition: Edition, position: Position, move: Move) -> str:
    """What a move does, in the language and the words of the page, as plain text."""
    from quarantia_engine.explain import bound_locals

    engine = position.engine
    rule = rule_of(engine.game, move.name)
    template = None if rule is None else choose(rule.say, edition.language)
    if rule is None or template is None:
        return engine.move_to_text(move, with_player=True)
    who = "" if move.player is None else edition.words.one(engine.player_name(move.player))
    said = _filled(edition, position, template, bound_locals(position, move, rule))
    return said if not who or who.lower() in said.lower() else f"{who}: {said}"


def _filled(edition: Edition, position: Position, template: Template, local: dict[str, int]) -> str:
    from quarantia_checker.site.phrases import Phrases

    engine = position.engine
    phrases = Phrases(engine.game, edition.words)
    words: list[str] = []
    for part in template.parts:
        if isinstance(part, str):
            words.append(part)
            continue
        try:
            value = engine.evaluator.value(part, position.cells, local)
        except (KeyError, IndexError, ZeroDivisionError):
            words.append("…")
        else:
            words.append(phrases.value(part.sort, value))
    text = "".join(words)
    return text[:1].upper() + text[1:]


def stepper(
    edition: Edition,
    engine: Engine,
    name: str,
    positions: Sequence[Position],
    moves: Sequence[Move],
) -> tuple[str, Frames]:
    """The HTML of a step-through and the script with its pictures.

    `positions` has one more entry than `moves`. The last moves tell the story when there are many.
    """
    language = edition.language
    painter = Painter(engine, edition.words)
    skipped = max(0, len(positions) - MOST_FRAMES)
    frames: list[dict[str, str]] = []
    for place in range(skipped, len(positions)):
        before = positions[place - 1].cells if place > skipped else None
        told = label(language, "beginning")
        if place > 0:
            told = move_told(edition, positions[place - 1], moves[place - 1])
        frames.append({"told": told, "picture": painter.picture(positions[place].cells, before)})
    path = f"frames/{edition.loaded.slug}/{language}/{name}.js"
    script = (
        f"window.quarantiaFrames({json.dumps(name)}, {json.dumps(frames, ensure_ascii=False)});\n"
    )
    note = f"<p>{label(language, 'skipped', n=skipped)}</p>" if skipped else ""
    story = "".join(f"<li>{escape(frame['told'])}</li>" for frame in frames[1:] or frames)
    up = "../../../"
    words = {key: label(language, f"step {key}") for key in ("back", "on", "of")}
    html = (
        f'{note}<div class="q-steps" data-name="{escape(name)}" data-script="{up}{path}" '
        f'data-back="{words["back"]}" data-on="{words["on"]}" data-of="{escape(words["of"])}"></div>'
        f'<details class="q-fold"><summary>{label(language, "story")}</summary>'
        f'<ol start="{max(1, skipped + 1)}">{story}</ol></details>'
    )
    return html, Frames(path, script)
