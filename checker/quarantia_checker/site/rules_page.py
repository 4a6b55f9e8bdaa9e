"""The rules of a game for people to read: chapters, numbered paragraphs, and what belongs to each."""

from __future__ import annotations

from html import escape

from quarantia_checker.site import paragraphs
from quarantia_checker.site.edition import Edition
from quarantia_checker.site.flow_chart import flow_chart
from quarantia_checker.site.labels import label
from quarantia_checker.site.outline import Outline, Paragraph
from quarantia_checker.site.page import Page, page, slug_of
from quarantia_checker.site.pictures import Painter, legend
from quarantia_checker.site.telling import told
from quarantia_spec.ir import Auto, Chance, Decision, Table, Term
from quarantia_spec.source import Origin


def rules_page(edition: Edition, plan: Outline) -> Page:
    edition.page = ""
    language = edition.language
    sample = next((each.number for each in plan.paragraphs() if each.thing is not None), "R-1.1")
    intro = label(language, "intro", title=edition.title, sample=sample)
    parts = [f'<p class="q-intro">{escape(intro)}</p>']
    if edition.loaded.is_variant:
        base = edition.loaded.name.partition("/")[0]
        link = f'<a href="../{base}/">{escape(base.capitalize())}</a>'
        parts.append(f"<p>{label(language, 'variant intro', base=link)}</p>")
    if edition.loaded.passages.title:
        told_of = label(language, "passages of", title=edition.loaded.passages.title)
        parts.append(f'<p class="q-intro">{escape(told_of)}</p>')
    parts.append(
        f'<p class="q-noprint"><button class="q-print md-button">{label(language, "print")}</button></p>'
    )
    for chapter in plan.chapters:
        parts.append(f"\n## {chapter.number}. {chapter.title} {{ #{chapter.name} }}\n")
        parts.extend(_section(edition, plan, each) for each in chapter.paragraphs)
    return page(edition, "rules", edition.title, "\n".join(parts))


def _section(edition: Edition, plan: Outline, paragraph: Paragraph) -> str:
    thing = paragraph.thing
    body = _body(edition, paragraph)
    cited = ""
    extra = ""
    if thing is not None:
        cited = edition.cited(thing.origin.citations)
        extra = _extra(edition, plan, paragraph.name, thing.origin)
    return (
        f'<section class="q-rule-text" id="{paragraph.number}">'
        f'<h3 id="{paragraph.name}"><a class="q-no" href="#{paragraph.number}">{paragraph.number}</a> '
        f'{escape(paragraph.title)} <span class="q-cited">{cited}</span></h3>'
        f"{body}{extra}</section>\n"
    )


def _body(edition: Edition, paragraph: Paragraph) -> str:
    match paragraph.thing:
        case Term() as term:
            return paragraphs.term(edition, term) + _rulings(edition, term)
        case Decision() | Chance() | Auto() as rule:
            return paragraphs.rule(edition, rule)
        case Table() as data:
            return paragraphs.data(edition, data)
        case None:
            return _special(edition, paragraph.name)


def _special(edition: Edition, name: str) -> str:
    language, game = edition.language, edition.game
    match name:
        case "players":
            return _players(edition)
        case "pieces":
            painter = Painter(edition.loaded.engines[edition.counts[0]], edition.words)
            return paragraphs.pieces(edition) + legend(painter, edition.words)
        case "places":
            return paragraphs.places(edition)
        case "notes":
            return paragraphs.notes(edition)
        case "table":
            return _start(edition)
        case "flow":
            return f"<p>{label(language, 'order told')}</p>{flow_chart(edition, edition.address)}"
        case "outcome":
            template = edition.sentence(game.outcome.say)
            said = (
                f'<p class="q-say">{told(edition, template, game.outcome.player)}</p>'
                if template
                else ""
            )
            condition = edition.phrases.of(game.outcome.winner)
            parts = [said, f"<p>{label(language, 'wins when', condition=condition)}</p>"]
            if game.outcome.score is not None:
                score = edition.phrases.of(game.outcome.score)
                parts.append(f"<p>{label(language, 'score is', score=score)}</p>")
            return "".join(parts)
        case "ends":
            assert game.ends is not None
            if game.ends.measure:
                measure = ", ".join(edition.phrases.of(each) for each in game.ends.measure)
                return f"<p>{label(language, 'ends by', measure=measure)}</p>"
            why = escape(paragraphs.reason(edition, game.ends.because))
            return f"<p>{label(language, 'ends never', why=why)}</p>"
        case _:
            raise AssertionError(name)


def _players(edition: Edition) -> str:
    language = edition.language
    names = ", ".join(edition.words.one(each) for each in edition.game.enumerations["Player"])
    if edition.counts == (1,):
        counted = label(language, "for one")
    else:
        joined = f" {label(language, 'and')} ".join(
            part
            for part in (", ".join(map(str, edition.counts[:-1])), str(edition.counts[-1]))
            if part
        )
        counted = label(language, "for players", counts=joined)
    return f"<p>{counted} {label(language, 'seats', names=escape(names))}</p>"


def _start(edition: Edition) -> str:
    """A picture for every number of players."""
    parts = [f"<p>{label(edition.language, 'start told')}</p>"]
    for place, (count, engine) in enumerate(edition.loaded.engines.items()):
        drawing = Painter(engine, edition.words).picture(engine.first_cells())
        if not drawing:
            return f"<p>{label(edition.language, 'empty')}</p>"
        if len(edition.counts) == 1:
            parts.append(drawing)
        else:
            opened = " open" if place == 0 else ""
            parts.append(
                f"<details{opened}><summary>{paragraphs.players(edition, count)}</summary>{drawing}</details>"
            )
    return "".join(parts)


def _rulings(edition: Edition, term: Term) -> str:
    """The questions that a ruling settles for this term, with its reason."""
    language = edition.language
    register = edition.to_page(slug_of("ambiguities", language))
    parts: list[str] = []
    for defect in edition.defects:
        if defect.id.partition(".")[0] != term.name:
            continue
        question = defect.french if language == "fr" else defect.english
        link = f'<a href="{register}#{escape(defect.id)}">{label(language, "see register")}</a>'
        parts.append(
            f'<p class="q-doubt"><span>{label(language, "doubt")}</span> {escape(question)} ({link})</p>'
        )
    return "".join(parts)


def _extra(edition: Edition, plan: Outline, name: str, origin: Origin) -> str:
    """What belongs to a paragraph: who uses it, what always holds, examples, the formal text."""
    language = edition.language
    examples, proved = (edition.to_page(slug_of(key, language)) for key in ("examples", "proved"))
    lines: list[str] = []
    colon = " :" if language == "fr" else ":"
    callers = [
        f'<a href="#{each}">{plan.number(each)}</a>'
        for each in plan.callers.get(name, ())
        if plan.number(each)
    ]
    if callers:
        lines.append(f"<li>{label(language, 'used by')}{colon} {', '.join(callers)}</li>")
    held = [
        f'<a href="{proved}#{each}">{escape(edition.words.one(each))}</a>'
        for each in plan.constraints.get(name, ())
    ]
    if held:
        lines.append(f"<li>{label(language, 'invariants')}{colon} {', '.join(held)}</li>")
    used = [
        f'<a href="{examples}#{each}">{escape(edition.words.one(each))}</a>'
        for each in plan.uses.get(name, ())
    ]
    if used:
        lines.append(f"<li>{label(language, 'in examples')}{colon} {', '.join(used)}</li>")
    related = f'<ul class="q-related">{"".join(lines)}</ul>' if lines else ""
    formal = edition.formal(origin)
    code = f'<pre class="q-formal"><code>{escape(formal)}</code></pre>'
    return related + (paragraphs.folded(label(language, "formal"), code) if formal else "")
