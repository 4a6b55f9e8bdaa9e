"""Builds the site's navigation from the folders under docs/, in the order given here.

A page appears by being written: its title is its first heading, and a folder's `index.md` opens
its section.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SECTIONS = (
    ("guides", "Guides"),
    ("reference", "Reference"),
    ("checks", "Checks"),
    ("conformance", "Conformance"),
    ("games", "Games"),
    ("jeux", "Jeux"),
    ("decisions", "Decisions"),
    ("project", "Project"),
)
GAMES = "navigation.json"  # written by `quarantia docs` beside the pages of games


def on_config(config: Any) -> Any:
    docs = Path(config.docs_dir)
    config.nav = ["index.md", "tutorial.md"]
    for folder, title in SECTIONS:
        listed = docs / folder / GAMES
        pages = _games(folder, listed) if listed.is_file() else _pages(docs, docs / folder)
        if pages:
            config.nav.append({title: pages})
    return config


def _games(folder: str, listed: Path) -> list[Any]:
    """The pages of games, which know their own order."""
    games = json.loads(listed.read_text(encoding="utf-8"))
    sections = [{title: [{name: path} for name, path in pages]} for title, pages in games]
    return [f"{folder}/index.md", *sections]


def _pages(docs: Path, folder: Path) -> list[Any]:
    """The pages of a folder, its index first, then the folders inside it."""
    files = sorted(folder.glob("*.md"), key=lambda path: (path.name != "index.md", path.name))
    pages: list[Any] = [path.relative_to(docs).as_posix() for path in files]
    for inner in sorted(path for path in folder.glob("*/") if path.is_dir()):
        if nested := _pages(docs, inner):
            pages.append({inner.name.replace("-", " ").capitalize(): nested})
    return pages
