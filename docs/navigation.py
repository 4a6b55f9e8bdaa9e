"""Builds the site's navigation from the folders under docs/, in the order given here.

A page appears by being written: its title is its first heading, and a folder's `index.md` opens
its section.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

SECTIONS = (
    ("guides", "Guides"),
    ("reference", "Reference"),
    ("checks", "Checks"),
    ("games", "Games"),
    ("decisions", "Decisions"),
)


def on_config(config: Any) -> Any:
    docs = Path(config.docs_dir)
    config.nav = ["index.md", "tutorial.md"]
    for folder, title in SECTIONS:
        if pages := _pages(docs, docs / folder):
            config.nav.append({title: pages})
    return config


def _pages(docs: Path, folder: Path) -> list[Any]:
    """The pages of a folder, its index first, then the folders inside it."""
    files = sorted(folder.glob("*.md"), key=lambda path: (path.name != "index.md", path.name))
    pages: list[Any] = [path.relative_to(docs).as_posix() for path in files]
    for inner in sorted(path for path in folder.glob("*/") if path.is_dir()):
        if nested := _pages(docs, inner):
            pages.append({inner.name.replace("-", " ").capitalize(): nested})
    return pages
