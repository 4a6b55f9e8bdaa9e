"""A player aid on one page: the order of play, what one may do, the numbers, settled questions."""

from __future__ import annotations

from html import escape

from quarantia_checker.site.edition import Edition
from quarantia_checker.site.flow_chart import capital, phase_title
from quarantia_checker.site.labels import label
from quarantia_checker.site.order_of_play import order_of_play
from quarantia_checker.site.outline import Outline
from quarantia_checker.site.page import Page, page, page_title, slug_of
from quarantia_checker.site.telling import told
from quarantia_spec.ir import Decision, Term

MOST_NUMBERS = 24
MANY = 24  # decisions: then the print is smaller


def aid_page(edition: Edition, plan: Outline) -> Page:
    edition.page = slug_of("aid", edition.language)
    language = edition.language
    parts = [
        f'<p class="q-noprint"><button class="q-print md-button">{label(language, "print")}</button></p>',
        f'<div class="q-aid{" q-dense" if len(edition.game.decisions) > MANY else ""}">',
        f"<section><h2>{label(language, 'in this order')}</h2>{_order(edition)}</section>",
        f"<section><h2>{label(language, 'on your turn')}</h2>{_choices(edition, plan)}</section>",
        _numbers(edition, plan),
        f"<section><h2>{label(language, 'end')}</h2>{_end(edition)}</section>",
        "</div>",
    ]
    title = page_title(edition, "aid")
    return page(edition, "aid", title, "\n".join(parts))


def _order(edition: Edition) -> str:
    """The phases with what happens in each, on one line each."""
    phases: dict[str, list[str]] = {}
    for row in order_of_play(edition.game).rows:
        names = " / ".join(escape(edition.words.one(rule)) for rule in row.rules[:4])
        more = " …" if len(row.rules) > 4 else ""
        steps = phases.setdefault(row.phase, [])
        if names + more not in steps:
            steps.append(names + more)
    items = []
    for phase, steps in phases.items():
        title = escape(phase_title(edition, phase)) if phase else label(edition.language, "play")
        items.append(f"<li><b>{title}</b> — {' → '.join(steps)}</li>")
    return f"<ol>{''.join(items)}</ol>"


def _choices(edition: Edition, plan: Outline) -> str:
    items = []
    for paragraph in plan.paragraphs():
        thing = paragraph.thing
        if isinstance(thing, Decision):
            template = edition.sentence(thing.say)
            text = (
                ""
                if template is None
                else told(edition, template, thing.actor, (*thing.context, *thing.choices))
            )
            items.append(
                f'<li><b>{escape(paragraph.title)}</b> — {text} <a class="q-no" href="{edition.address(paragraph.name)}">{paragraph.number}</a></li>'
            )
    return f'<ul class="q-aid-list">{"".join(items)}</ul>'


def _numbers(edition: Edition, plan: Outline) -> str:
    """The sentences of terms that are numbers and never change."""
    items = []
    for paragraph in plan.paragraphs():
        thing = paragraph.thing
        if not isinstance(thing, Term) or thing.parameters or thing.sort.boolean:
            continue
        template = edition.sentence(thing.say)
        if template is not None and edition.constant(thing.name) is not None:
            items.append(f"<li>{told(edition, template)}</li>")
    if not items:
        return ""
    title = label(edition.language, "numbers")
    return f'<section><h2>{title}</h2><ul class="q-aid-list">{"".join(items[:MOST_NUMBERS])}</ul></section>'


def _end(edition: Edition) -> str:
    outcome = edition.game.outcome
    template = edition.sentence(outcome.say)
    said = f"<p>{told(edition, template, outcome.player)}</p>" if template is not None else ""
    condition = edition.phrases.of(outcome.winner)
    return said + f"<p>{capital(label(edition.language, 'wins when', condition=condition))}</p>"
