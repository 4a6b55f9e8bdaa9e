"""The register of ambiguities as a page: a table to filter and sort, then each entry in full."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from quarantia_checker.logs import Replay
from quarantia_checker.register import Class, Defect
from quarantia_checker.site.edition import Edition
from quarantia_checker.site.labels import decimal, label
from quarantia_checker.site.page import Page, page, page_title
from quarantia_checker.site.paragraphs import reason
from quarantia_checker.site.phrases import Phrases
from quarantia_checker.site.pictures import Painter
from quarantia_checker.site.stepping import Frames, stepper
from quarantia_engine.engine import Engine
from quarantia_engine.errors import PlayError
from quarantia_spec.ir import Clause, Term
from quarantia_spec.source import Citation
from quarantia_spec.words import Language

SEVERITIES = ("open", "ruled", "unknown", "harmless")


def register_page(edition: Edition) -> tuple[Page, list[Frames]]:
    edition.page = _slug(edition)
    language = edition.language
    parts = [f'<p class="q-intro">{label(language, "register intro")}</p>']
    frames: list[Frames] = []
    if not edition.defects:
        parts.append(f"<p>{label(language, 'no defects')}</p>")
        return page(edition, "ambiguities", _title(edition), "\n".join(parts)), frames
    parts.append(_controls(edition))
    parts.append(_table(edition))
    for defect in edition.defects:
        text, found = _entry(edition, defect)
        parts.append(text)
        frames.extend(found)
    return page(edition, "ambiguities", _title(edition), "\n".join(parts)), frames


def _slug(edition: Edition) -> str:
    from quarantia_checker.site.page import slug_of

    return slug_of("ambiguities", edition.language)


def _title(edition: Edition) -> str:
    return page_title(edition, "ambiguities")


def verdict_of(edition: Edition, defect: Defect) -> str:
    """The verdict, or that nobody asked."""
    return defect.verdict if defect.results else "unchecked"


def severity(edition: Edition, defect: Defect) -> str:
    """How bad it is: open defects first, then those that change play, then those that cannot."""
    verdict = verdict_of(edition, defect)
    if defect.open or (
        verdict in ("unchecked", "unsettled") and not defect.ruling and not _told_alike(defect)
    ):
        return "open" if defect.open else "unknown"
    if verdict in ("observable", "conflict", "gap", "fails"):
        return "ruled"
    if verdict in ("equivalent", "agree", "covered"):
        return "harmless"
    return "unknown"


def _told_alike(defect: Defect) -> bool:
    return defect.kind is Class.ARITHMETIC


def impact_share(impact: Mapping[str, Any] | None) -> float | None:
    """The largest share of games that another reading changes."""
    if impact is None:
        return None
    return max((float(each["diverged"]["share"]) for each in impact["under"].values()), default=0.0)


# --- the table ------------------------------------------------------------------------------------------


def _controls(edition: Edition) -> str:
    language = edition.language
    kinds = list(dict.fromkeys(each.kind.value for each in edition.defects))
    verdicts = list(dict.fromkeys(verdict_of(edition, each) for each in edition.defects))
    severities = [
        each for each in SEVERITIES if any(severity(edition, d) == each for d in edition.defects)
    ]
    fields = (
        ("class", kinds, "class."),
        ("severity", severities, "severity."),
        ("verdict", verdicts, "verdict."),
    )
    selects = []
    for name, values, prefix in fields:
        options = "".join(
            f'<option value="{each}">{escape(label(language, f"{prefix}{each}"))}</option>'
            for each in values
        )
        selects.append(
            f'<label>{label(language, name)} <select data-filter="{name}">'
            f'<option value="">{label(language, "all")}</option>{options}</select></label>'
        )
    orders = "".join(
        f'<option value="{key}">{escape(label(language, name))}</option>'
        for key, name in (("order", "in rule order"), ("class", "class"), ("severity", "severity"), ("verdict", "verdict"), ("impact", "impact"))
    )  # fmt: skip
    return (
        f'<form class="q-controls" data-shown="{escape(label(language, "shown"))}">'
        f'{"".join(selects)}<label>{label(language, "search")} <input type="search" data-search></label>'
        f"<label>{label(language, 'sort')} <select data-sort>{orders}</select></label>"
        '<output aria-live="polite"></output></form>'
    )


def _table(edition: Edition) -> str:
    language = edition.language
    rows: list[str] = []
    for place, defect in enumerate(edition.defects):
        impact = edition.loaded.findings.impacts.get(defect.id)
        share = impact_share(impact)
        verdict, severe = verdict_of(edition, defect), severity(edition, defect)
        question = defect.french if language == "fr" else defect.english
        measured = label(language, "not measured") if share is None else f"{100 * share:.0f} %"
        rows.append(
            f'<tr data-order="{place}" data-class="{defect.kind.value}" data-severity="{severe}" '
            f'data-severity-rank="{SEVERITIES.index(severe)}" data-verdict="{verdict}" '
            f'data-impact="{-1 if share is None else share}">'
            f'<td><a href="#{escape(defect.id)}">{escape(question)}</a></td>'
            f"<td>{label(language, f'class.{defect.kind.value}')}</td>"
            f"<td>{label(language, f'severity.{severe}')}</td>"
            f"<td>{badge(edition, verdict)}</td><td>{measured}</td></tr>"
        )
    head = "".join(
        f"<th>{label(language, each)}</th>"
        for each in ("question", "class", "severity", "verdict", "impact")
    )
    return (
        f'<div class="q-scroll" tabindex="0"><table class="q-register"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def badge(edition: Edition, verdict: str) -> str:
    """A verdict as a small coloured word."""
    return f'<span class="q-badge q-is-{verdict}">{escape(label(edition.language, f"verdict.{verdict}"))}</span>'


# --- one entry ------------------------------------------------------------------------------------------


def _entry(edition: Edition, defect: Defect) -> tuple[str, list[Frames]]:
    language = edition.language
    question = defect.french if language == "fr" else defect.english
    citations = [Citation(*_split(each)) for each in defect.passages]
    name = edition.words.one(defect.id.partition(".")[0])
    link = edition.address(defect.id.partition(".")[0])
    shown = f'<a href="{link}">{escape(name)}</a>' if link else escape(name)
    parts = [
        f'<section class="q-entry" id="{escape(defect.id)}">',
        f'<h3 id="entry-{escape(defect.id)}">{escape(question)}</h3>',
        f'<p class="q-meta">{badge(edition, verdict_of(edition, defect))} '
        f"{label(language, f'class.{defect.kind.value}')} · {shown} · {edition.cited(citations)}</p>",
        _options(edition, defect),
        _ruling(edition, defect),
        _impact(edition, defect),
    ]
    frames: list[Frames] = []
    witness, found = _witness(edition, defect)
    parts.append(witness)
    frames.extend(found)
    parts.append("</section>\n")
    return "".join(parts), frames


def _split(citation: str) -> tuple[str, str]:
    section, _, pin = citation.removeprefix("§").partition("~")
    return section, pin


def _options(edition: Edition, defect: Defect) -> str:
    """The readings, or what the passages say, side by side."""
    term = edition.game.term.get(defect.id.partition(".")[0])
    if term is None:
        return ""
    phrases = Phrases(edition.game, edition.words, edition.address)
    columns: list[str] = []
    for heading, detail, formula, chosen in _alternatives(edition, phrases, term, defect):
        mark = (
            f' <span class="q-badge q-is-holds">{label(edition.language, "in force")}</span>'
            if chosen
            else ""
        )
        columns.append(
            f'<div class="q-option-card{" q-chosen" if chosen else ""}"><b>{escape(heading)}</b>{mark}'
            f'<div class="q-small">{detail}</div><div class="q-formula">{formula}</div></div>'
        )
    return f'<div class="q-options">{"".join(columns)}</div>' if columns else ""


def _alternatives(
    edition: Edition, phrases: Phrases, term: Term, defect: Defect
) -> list[tuple[str, str, str, bool]]:
    words, language = edition.words, edition.language
    if defect.kind is Class.READING:
        clause = next(each for each in term.clauses if f"{term.name}.{each.name}" == defect.id)
        return [
            (
                words.one(f"{term.name}.{each.name}", each.name),
                edition.cited(each.origin.citations or clause.origin.citations),
                phrases.of(each.value),
                each.name == clause.chosen,
            )
            for each in clause.readings
        ]
    first = term.precedence[0] if term.precedence else ""
    found: list[tuple[str, str, str, bool]] = []
    for clause in term.clauses:
        when = (
            "" if clause.when is None else f"{label(language, 'when')} {phrases.of(clause.when)} · "
        )
        found.append((
            words.one(f"{term.name}.{clause.name}", clause.name),
            when + edition.cited(clause.origin.citations),
            phrases.of(_chosen(clause)),
            clause.name == first and defect.kind is not Class.GAP,
        ))  # fmt: skip
    if defect.kind is Class.GAP and term.otherwise is not None:
        found.append((label(language, "otherwise"), "", phrases.of(term.otherwise), True))
    return found


def _chosen(clause: Clause) -> Any:
    return next(each.value for each in clause.readings if each.name == clause.chosen)


def _ruling(edition: Edition, defect: Defect) -> str:
    language = edition.language
    if not defect.ruling:
        return f'<p class="q-open">{label(language, "no ruling")}</p>' if defect.open else ""
    term = edition.game.term.get(defect.id.partition(".")[0])
    because = "" if language == "fr" else defect.because
    if term is not None and language == "fr":
        because = term.because.french
        if defect.kind is Class.READING:
            clause = next(each for each in term.clauses if f"{term.name}.{each.name}" == defect.id)
            because = reason(edition, clause.because) or because
        elif defect.kind is Class.GAP:
            because = term.otherwise_because.french
    names = [
        edition.words.one(f"{defect.id.partition('.')[0]}.{each}", each)
        for each in defect.ruling.split(", ")
    ]
    said = " &gt; ".join(escape(each) for each in names) if defect.kind is not Class.GAP else ""
    text = f"<b>{label(language, 'ruling')}</b>{' :' if language == 'fr' else ':'} {said}"
    return f'<p class="q-ruling">{text} {"— " if said and because else ""}{escape(because)}</p>'


def _impact(edition: Edition, defect: Defect) -> str:
    impact = edition.loaded.findings.impacts.get(defect.id)
    if impact is None:
        return ""
    language = edition.language
    seats = edition.game.enumerations["Player"]
    lines: list[str] = []
    for option, numbers in impact["under"].items():
        shares = {
            key: decimal(language, f"{100 * numbers['diverged'][key]:.1f} %")
            for key in ("share", "low", "high")
        }
        winner = decimal(language, f"{100 * numbers['winner_changed']['share']:.1f} %")
        name = edition.words.one(f"{defect.id.partition('.')[0]}.{option}", option)
        known = {
            "games": numbers["games"],
            "players": impact["players"],
            "winner": winner,
            **shares,
        }
        told = label(language, "impact told", option=escape(name), **known)
        if numbers["after_moves"]:
            told += label(language, "impact after", **numbers["after_moves"])
            told += label(language, "impact length", **_change(language, numbers["length"]))
            for seat, change in zip(seats, numbers["scores"] or (), strict=False):
                told += label(
                    language,
                    "impact score",
                    name=edition.words.one(seat),
                    **_change(language, change),
                )
        lines.append(f"<li>{told}</li>")
    return f'<ul class="q-impact">{"".join(lines)}</ul>'


def _change(language: Language, change: Mapping[str, float]) -> dict[str, str]:
    """Means as they are, differences with their sign."""
    texts = {key: f"{change[key]:.1f}" for key in ("ruling", "other")}
    texts |= {key: f"{change[key]:+.2f}" for key in ("difference", "low", "high")}
    return {key: decimal(language, text).replace("-", "−") for key, text in texts.items()}


def _witness(edition: Edition, defect: Defect) -> tuple[str, list[Frames]]:
    witness = defect.witness
    if witness is None:
        return "", []
    language = edition.language
    engine = edition.loaded.engines.get(witness["players"])
    title = label(language, "witness with", n=witness["players"])
    if engine is not None and witness["trace"]:
        replay = replayed(engine, witness["trace"])
        if replay is not None:
            html, frames = stepper(edition, engine, defect.id, replay.positions, replay.moves)
            return f'<p class="q-lead">{label(language, "witness")}. {title}</p>{html}', [frames]
    if engine is not None and witness["position"]:
        cells = _cells(engine, witness["position"])
        if cells is not None:
            drawing = Painter(engine, edition.words).picture(
                cells, engine.first_cells(), only_changed=True
            )
            return f'<p class="q-lead">{label(language, "position")}. {title}</p>{drawing}', []
    return "", []


def replayed(engine: Engine, trace: Mapping[str, Any]) -> Replay | None:
    """The play under today's rules; None when they do not allow it."""
    try:
        replay = Replay(engine, trace)
    except (PlayError, KeyError):
        return None
    whole = replay.failure is None and len(replay.positions) == len(replay.moves) + 1
    return replay if whole else None


def _cells(engine: Engine, position: Mapping[str, Any]) -> list[int] | None:
    """The cells of a position as the checker tells it: by name, those at their lowest left out."""
    from quarantia_checker.encode import cell_names

    names = cell_names(engine.game)
    told_cells = position.get("cells", {})
    cells = [0] * engine.game.cells
    for variable in engine.game.variables:
        for cell in range(variable.offset, variable.offset + variable.cells):
            cells[cell] = variable.sort.low
            value = told_cells.get(names[cell])
            if value is not None:
                number = _number(engine, variable.sort, value)
                if number is None:
                    return None
                cells[cell] = number
    return cells


def _number(engine: Engine, sort: Any, value: Any) -> int | None:
    from quarantia_engine.values import from_text

    if isinstance(value, int):
        return int(value)
    try:
        return from_text(engine.game, sort, str(value), "cell")
    except PlayError:
        return None
