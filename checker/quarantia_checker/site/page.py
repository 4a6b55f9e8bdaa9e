"""What all pages of a game share: their names, their heads, and the links between them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from quarantia_checker.site.edition import Edition
from quarantia_checker.site.labels import label
from quarantia_spec.words import Language

# The key of each page's label, and its address in English and in French.
PAGES: tuple[tuple[str, str, str], ...] = (
    ("rules", "", ""),
    ("ambiguities", "ambiguities", "ambiguites"),
    ("proved", "proved", "prouve"),
    ("examples", "examples", "exemples"),
    ("statistics", "statistics", "statistiques"),
    ("glossary", "glossary", "glossaire"),
    ("aid", "aid", "aide"),
)
FOLDERS: dict[Language, str] = {"en": "games", "fr": "jeux"}


@dataclass(frozen=True, slots=True)
class Page:
    """A page to be written: its path below the folder of documents, and its Markdown.

    Pictures and folded texts are set aside: nothing in them is Markdown or worth searching, and
    they would take MkDocs minutes. A comment marks the place of each.
    """

    path: str
    text: str
    aside: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        return restored(self.text, self.aside)

    @property
    def built(self) -> str:
        """Where MkDocs puts it."""
        folder = self.path.removesuffix(".md").removesuffix("/index")
        return f"{folder}/index.html"


def set_aside(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with marks, and what stood there."""
    found: list[str] = []

    def mark(match: re.Match[str]) -> str:
        found.append(match.group())
        return f"<!--aside {len(found) - 1}-->"

    return _BULKY.sub(mark, text), tuple(found)


def restored(text: str, aside: Sequence[str]) -> str:
    return _MARK.sub(lambda match: aside[int(match.group(1))], text)


_BULKY = re.compile(
    r'<details class="q-fold">.*?</details>|<div class="q-position".*?</div>|<svg\b.*?</svg>',
    re.DOTALL,
)
_MARK = re.compile(r"<!--aside (\d+)-->")
UNSEARCHED = ("statistics", "glossary", "aid")  # they repeat what other pages say


def slug_of(key: str, language: Language) -> str:
    return next(
        english if language == "en" else french for name, english, french in PAGES if name == key
    )


def page_title(edition: Edition, key: str) -> str:
    colon = " :" if edition.language == "fr" else ":"
    return f"{edition.title}{colon} {label(edition.language, key).lower()}"


def page(edition: Edition, key: str, title: str, body: str) -> Page:
    """A page with its front matter, its heading and the links to its neighbours."""
    language = edition.language
    slug = slug_of(key, language)
    folder = f"{FOLDERS[language]}/{edition.loaded.slug}"
    front = {"lang": language, "title": title, "description": page_title(edition, key)}
    head = "\n".join(
        f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in front.items()
    )
    if key in UNSEARCHED:
        head += "\nsearch: { exclude: true }"
    rest, aside = set_aside(f"{_links(edition, key)}\n\n{body}")
    return Page(
        f"{folder}/{slug or 'index'}.md", f"---\n{head}\n---\n\n# {title}\n\n{rest}\n", aside
    )


def _links(edition: Edition, key: str) -> str:
    language = edition.language
    here = slug_of(key, language)
    up = "../" if here else "./"
    items: list[str] = []
    for name, english, french in PAGES:
        slug = english if language == "en" else french
        text = escape(label(language, name))
        if name == key:
            items.append(f'<b aria-current="page">{text}</b>')
        else:
            items.append(f'<a href="{up}{slug}{"/" if slug else ""}">{text}</a>')
    other: Language = "fr" if language == "en" else "en"
    there = slug_of(key, other)
    back = "../../../" if here else "../../"
    address = f"{back}{FOLDERS[other]}/{edition.loaded.slug}/{there}{'/' if there else ''}"
    switch = f'<a class="q-switch" lang="{other}" hreflang="{other}" href="{address}">{label(language, "other language")}</a>'
    name = escape(label(language, "pages"))
    return f'<nav class="q-pages" aria-label="{name}">{" ".join(items)} {switch}</nav>'
