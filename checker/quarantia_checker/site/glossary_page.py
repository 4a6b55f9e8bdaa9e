"""The words of a game and where each is explained; and from each passage to the rules it became."""

from __future__ import annotations

from html import escape

from quarantia_checker.site.edition import Edition
from quarantia_checker.site.flow_chart import capital
from quarantia_checker.site.labels import label
from quarantia_checker.site.outline import Outline
from quarantia_checker.site.page import Page, page, page_title, slug_of
from quarantia_checker.site.paragraphs import table
from quarantia_checker.site.telling import statement, told
from quarantia_spec.ir import Auto, Chance, Decision, Term
from quarantia_spec.passages import OWN


def glossary_page(edition: Edition, plan: Outline) -> Page:
    edition.page = slug_of("glossary", edition.language)
    language = edition.language
    parts = [
        f'<p class="q-intro">{label(language, "glossary told")}</p>',
        _glossary(edition, plan),
        f"\n## {label(language, 'passages table')} {{ #passages }}\n",
        _passages(edition, plan),
    ]
    title = page_title(edition, "glossary")
    return page(edition, "glossary", title, "\n".join(parts))


def _glossary(edition: Edition, plan: Outline) -> str:
    """Kinds of things with their members, pieces, places, and every rule and term, by alphabet."""
    language = edition.language
    entries: list[tuple[str, str]] = []
    for name, members in edition.game.enumerations.items():
        if "." in name:
            continue
        listed = [edition.words.one(each) for each in members]
        if listed and listed[0][-1:].isdigit() and len(listed) > 6:
            listed = [listed[0], "…", listed[-1]]
        entries.append((edition.words.one(name), escape(", ".join(listed))))
    for component in edition.game.components:
        if component.name not in edition.game.enumerations:
            entries.append(
                (
                    edition.words.one(component.name),
                    f"{label(language, 'pieces')} · {_link(edition, plan, 'pieces')}",
                )
            )
    for zone in edition.game.zones:
        holds = ", ".join(edition.words.many(each) for each in zone.holds)
        entries.append(
            (
                edition.words.one(zone.name),
                f"{label(language, 'holds')} {escape(holds)} · {_link(edition, plan, 'places')}",
            )
        )
    for paragraph in plan.paragraphs():
        thing = paragraph.thing
        if thing is None:
            continue
        text = ""
        template = edition.sentence(thing.say)
        if template is not None and isinstance(thing, Term):
            text = statement(edition, template, thing.parameters)[0]
        elif template is not None and isinstance(thing, Decision | Chance | Auto):
            text = told(edition, template, thing.actor if isinstance(thing, Decision) else "")
        entries.append((paragraph.title, f"{text} {_link(edition, plan, paragraph.name)}"))
    rows = "".join(
        f"<dt>{escape(capital(word))}</dt><dd>{meaning}</dd>"
        for word, meaning in sorted(entries, key=lambda each: _sorted_by(each[0]))
    )
    return f'<dl class="q-glossary">{rows}</dl>'


def _sorted_by(word: str) -> str:
    plain = str.maketrans("àâäçéèêëîïôöùûüÀÂÉÈÊÎÔ", "aaaceeeeiioouuuaaeeeio")
    return word.lower().translate(plain)


def _link(edition: Edition, plan: Outline, name: str) -> str:
    return f'<a href="{edition.address(name)}">{plan.number(name)}</a>'


def _passages(edition: Edition, plan: Outline) -> str:
    """Every passage of the rulebook with the paragraphs that state it."""
    stated: dict[str, list[str]] = {}
    for paragraph in plan.paragraphs():
        if paragraph.thing is None:
            continue
        for section in dict.fromkeys(each.section for each in paragraph.thing.origin.citations):
            stated.setdefault(section, []).append(_link(edition, plan, paragraph.name))
    listed = list(edition.loaded.passages.passages) or [each for each in stated if each != OWN]
    rows = [
        [
            f"§{escape(section)}",
            escape(edition.heading(section)),
            ", ".join(stated.get(section, ())) or "—",
        ]
        for section in listed
    ]
    head = [label(edition.language, each) for each in ("passage", "heading", "paragraphs")]
    return table(head, rows)
