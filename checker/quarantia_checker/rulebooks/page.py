"""The rulebook and the rules side by side, as one HTML file for whoever owns the rulebook.

The page holds the text of the book: it is for the editor's own desk, and is not to be published.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from quarantia_checker.rulebooks.coverage import Fate, Trace, Traced
from quarantia_checker.rulebooks.report import numbers
from quarantia_spec.inventory import Declared
from quarantia_spec.passages import Passages

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --open: #c62828;
  --left: #b26a00; --aside: light-dark(#5c5c5c, #b4b4b4); }
body { font: 16px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 1500px; padding: 1rem; }
header pre { font-size: .9rem; overflow-x: auto; }
.row { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; padding: .45rem 0;
  border-top: 1px solid var(--line); }
.said { border-left: 4px solid transparent; padding-left: .7rem; }
.open .said { border-color: var(--open); } .left .said { border-color: var(--left); }
.cited .said { border-color: #2e7d32; } .aside, .free { color: var(--aside); }
.pin { font: .8rem ui-monospace, monospace; margin-right: .6rem; }
details { margin: .15rem 0; } summary { cursor: pointer; }
details pre { overflow-x: auto; font-size: .82rem; border: 1px solid var(--line); padding: .5rem; }
.why { font-style: italic; }
#hide-free:checked ~ main .free, #hide-aside:checked ~ main .aside { display: none; }
@media (max-width: 700px) { .row { grid-template-columns: 1fr; gap: .3rem; } }
"""

_CLASSES = {
    Fate.CITED: "cited",
    Fate.ASIDE: "aside",
    Fate.LEFT_OUT: "left",
    Fate.OPEN: "open",
    Fate.FREE: "free",
}


def html_page(title: str, trace: Trace, declared: Sequence[Declared], passages: Passages) -> str:
    """One row for each statement: what the book says, and what becomes of it."""
    rules: dict[str, list[Declared]] = {}
    for each in declared:
        rules.setdefault(each.name, []).append(each)
    rows = "\n".join(_row(each, rules, passages) for each in trace.statements)
    summary = escape("\n".join(numbers(trace)))
    name = escape(title)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{name}: the rulebook and the rules</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<header>\n<h1>{name}: the rulebook and the rules</h1>\n<pre>{summary}</pre>\n"
        f"<p>This page holds the text of the rulebook: keep it to yourself.</p>\n</header>\n"
        f'<input type="checkbox" id="hide-free"> <label for="hide-free">hide what is no rule'
        f'</label>\n<input type="checkbox" id="hide-aside"> <label for="hide-aside">hide what is '
        f'set aside</label>\n<main lang="{escape(passages.language or "en")}">\n{rows}\n</main>\n'
        f"</body>\n</html>\n"
    )


def _row(each: Traced, rules: dict[str, list[Declared]], passages: Passages) -> str:
    sections = " ".join(_section(section, passages) for section in each.sections)
    said = (
        f'<div class="said"><span class="pin">{each.statement.pin}</span>'
        f"{escape(each.statement.text)}</div>"
    )
    stated = "".join(_rule(rule) for name in each.rules for rule in rules.get(name, ()))
    if each.aside is not None and each.fate is not Fate.CITED:
        stated += f'<span class="why">{escape(str(each.aside))}</span>'
    elif each.fate is Fate.OPEN:
        stated = "cited by nothing"
    return (
        f'<div class="row {_CLASSES[each.fate]}" id="line-{each.statement.line}-'
        f'{each.statement.pin}">{said}<div lang="en">{sections} {stated}</div></div>'
    )


def _section(section: str, passages: Passages) -> str:
    heading = passages.passages[section].heading
    return f'<span class="pin" title="{escape(heading)}">§{escape(section)}</span>'


def _rule(rule: Declared) -> str:
    told = f" — {escape(rule.english)}" if rule.english else ""
    kind = "" if rule.kind == rule.name else f"{escape(rule.kind)} "
    return (
        f"<details><summary>{kind}<b>{escape(rule.name)}</b>{told}</summary>"
        f"<pre>{escape(rule.text)}</pre></details>"
    )
