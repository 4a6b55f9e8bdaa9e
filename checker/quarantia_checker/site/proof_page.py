"""What is proved about a game: its stated properties in words, then every result."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from quarantia_checker.site.edition import Edition
from quarantia_checker.site.labels import label
from quarantia_checker.site.page import Page, page, page_title, slug_of
from quarantia_checker.site.paragraphs import folded, table
from quarantia_checker.site.register_page import badge
from quarantia_checker.site.telling import told
from quarantia_checker.verdict import Kind, Result, Verdict
from quarantia_spec.ir import Property, PropertyKind

WORST_FIRST = (Verdict.REFUTED, Verdict.FAILS, Verdict.UNSETTLED, Verdict.HOLDS, Verdict.PROVED)


def proof_page(edition: Edition) -> Page:
    edition.page = slug_of("proved", edition.language)
    language, findings = edition.language, edition.loaded.findings
    parts = [f'<p class="q-intro">{label(language, "proved intro")}</p>']
    if not findings.checked:
        parts.append(f'<p class="q-warning">{label(language, "not checked")}</p>')
    elif set(findings.checked) != set(edition.counts):
        counts = ", ".join(map(str, sorted(findings.checked)))
        parts.append(f'<p class="q-warning">{label(language, "partly checked", counts=counts)}</p>')
    command = f"quarantia check {edition.loaded.name} --no-cache --solver both"
    parts.append(
        f"<p>{label(language, 'recheck')}{_colon(edition)} <code>{escape(command)}</code></p>"
    )
    parts.append(f"\n## {label(language, 'properties')} {{ #properties }}\n")
    parts.extend(_property(edition, each) for each in edition.properties)
    if findings.results:
        parts.append(f"\n## {label(language, 'all results')} {{ #results }}\n")
        parts.append(_results(edition, findings.results))
    title = page_title(edition, "proved")
    return page(edition, "proved", title, "\n".join(parts))


def _colon(edition: Edition) -> str:
    return " :" if edition.language == "fr" else ":"


def summed(verdicts: Sequence[Verdict]) -> str:
    """The worst of several verdicts; `unchecked` when there are none."""
    return next((each.value for each in WORST_FIRST if each in verdicts), "unchecked")


def _property(edition: Edition, each: Property) -> str:
    """One property: in words, as a formula, with its verdict for each number of players."""
    language = edition.language
    kind = Kind.INVARIANT if each.kind is PropertyKind.INVARIANT else Kind.REACHABLE
    rows = [
        row for row in edition.loaded.findings.results if row.kind is kind and row.name == each.name
    ]
    verdicts: dict[str, list[int]] = {}
    for count in edition.counts:
        found = [row.verdict for row in rows if row.players == count]
        verdicts.setdefault(summed(found), []).append(count)
    marks = edition.by_count(
        {badge(edition, verdict): counts for verdict, counts in verdicts.items()}
    )
    lead = label(language, "must hold" if kind is Kind.INVARIANT else "must be possible")
    template = edition.sentence(each.say)
    said = told(edition, template) if template is not None else escape(edition.words.one(each.name))
    formula = edition.phrases.of(each.condition)
    facts = sorted({fact for row in rows for fact in row.auxiliary})
    extra = ""
    if facts and language == "en":
        items = "".join(f"<li><code>{escape(fact)}</code></li>" for fact in facts)
        extra = folded(label(language, "auxiliary", n=len(facts)), f"<ul>{items}</ul>")
    elif facts:
        extra = f"<p>{label(language, 'auxiliary', n=len(facts))}</p>"
    seconds = sum(row.seconds for row in rows)
    how = f" · {', '.join(sorted({row.solver for row in rows}))}, {seconds:.1f} s" if rows else ""
    return (
        f'<section class="q-entry" id="{each.name}"><h3 id="property-{each.name}">{escape(edition.words.one(each.name).capitalize())}</h3>'
        f'<p class="q-meta">{marks}{how} · {edition.cited(each.origin.citations)}</p>'
        f'<p class="q-say"><b>{lead}</b> {said}</p><p class="q-formula">{formula}</p>{extra}</section>\n'
    )


def _results(edition: Edition, results: Sequence[Result]) -> str:
    """Every result, claims with one verdict put together."""
    language = edition.language
    groups: dict[tuple[str, str, str], list[Result]] = {}
    for each in results:
        groups.setdefault((each.kind.value, each.name, each.verdict.value), []).append(each)
    kinds = [kind.value for kind in Kind]
    rows: list[list[str]] = []
    for (kind, name, verdict), found in sorted(
        groups.items(), key=lambda item: kinds.index(item[0][0])
    ):
        ruled = (
            f" ({label(language, 'ruling').lower()})"
            if found[0].ruled and found[0].verdict.bad
            else ""
        )
        rows.append([
            label(language, f"kind.{kind}"),
            f"<code>{escape(name)}</code>",
            badge(edition, verdict) + ruled,
            ", ".join(str(each.players) for each in found),
            ", ".join(sorted({each.solver for each in found})),
            f"{sum(each.seconds for each in found):.1f}",
        ])  # fmt: skip
    head = [
        label(language, each) for each in ("kind", "name", "verdict", "counts", "solver", "seconds")
    ]
    return table(head, rows)
