"""The examples of a game, run by the engine: position, moves, and what comes of them."""

from __future__ import annotations

from html import escape

from quarantia_checker.site.edition import Edition
from quarantia_checker.site.labels import label
from quarantia_checker.site.page import Page, page, page_title, slug_of
from quarantia_checker.site.paragraphs import folded, players
from quarantia_checker.site.phrases import Phrases
from quarantia_checker.site.pictures import Painter
from quarantia_checker.site.register_page import badge
from quarantia_checker.site.stepping import Frames, move_told, stepper
from quarantia_checker.site.telling import told
from quarantia_engine.examples import ExampleResult, example_move, run_example
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_spec.ir import Example


def example_page(edition: Edition) -> tuple[Page, list[Frames]]:
    edition.page = slug_of("examples", edition.language)
    language = edition.language
    parts = [f'<p class="q-intro">{label(language, "examples intro")}</p>']
    frames: list[Frames] = []
    if not edition.examples:
        parts = [f"<p>{label(language, 'no examples')}</p>"]
    for count, example in edition.examples:
        text, found = _example(edition, count, example)
        parts.append(text)
        frames.extend(found)
    title = page_title(edition, "examples")
    return page(edition, "examples", title, "\n".join(parts)), frames


def _example(edition: Edition, count: int, example: Example) -> tuple[str, list[Frames]]:
    language = edition.language
    engine = edition.loaded.engines[count]
    result = run_example(engine, example)
    verdict = "holds" if result.holds else "fails"
    outcome = label(language, "comes out" if result.holds else "comes out not")
    title = edition.words.one(example.name).capitalize()
    template = edition.sentence(example.say)
    said = f'<p class="q-say">{told(edition, template)}</p>' if template is not None else ""
    parts = [
        f'<section class="q-entry" id="{example.name}"><h3 id="example-{example.name}">{escape(title)}</h3>',
        f'<p class="q-meta">{badge(edition, verdict)} {outcome} · {players(edition, count)} · {edition.cited(example.origin.citations)}</p>',
        said,
    ]
    frames: list[Frames] = []
    if result.positions:
        painter = Painter(engine, edition.words)
        drawing = painter.picture(
            result.positions[0].cells, engine.first_cells(), only_changed=True
        )
        if drawing:
            parts.append(f'<p class="q-lead">{label(language, "the position")}</p>{drawing}')
    if example.moves and result.positions:
        parts.append(
            f'<p class="q-lead">{label(language, "moves")}</p>{_moves(edition, example, result)}'
        )
    if result.moves and len(result.positions) == len(result.moves) + 1:
        html, found = stepper(edition, engine, example.name, result.positions, result.moves)
        parts.append(html)
        frames.append(found)
    if example.then:
        phrases = Phrases(engine.game, edition.words, edition.address)
        items = "".join(f"<li>{phrases.of(each)}</li>" for each in example.then)
        parts.append(f'<p class="q-lead">{label(language, "then")}</p><ul>{items}</ul>')
    formal = edition.formal(example.origin)
    if formal:
        parts.append(
            folded(
                label(language, "formal"),
                f'<pre class="q-formal"><code>{escape(formal)}</code></pre>',
            )
        )
    parts.append("</section>\n")
    return "".join(parts), frames


def _moves(edition: Edition, example: Example, result: ExampleResult) -> str:
    """The moves in words, those that must be refused among them."""
    place = 0
    items: list[str] = []
    for wanted in example.moves:
        position: Position = result.positions[min(place, len(result.positions) - 1)]
        move: Move = example_move(position, wanted)
        said = escape(move_told(edition, position, move))
        if wanted.refused:
            items.append(
                f'<li class="q-refused">{said} <span class="q-badge q-is-refused">{label(edition.language, "refused")}</span></li>'
            )
        else:
            items.append(f"<li>{said}</li>")
            place += 1
    return f'<ol class="q-moves">{"".join(items)}</ol>'
