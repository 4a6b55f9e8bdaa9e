"""Links between the pages of a game that lead nowhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from html import unescape

from quarantia_checker.site.page import Page

_ID = re.compile(r'\bid="([^"]+)"|\{ #([\w.-]+) \}')
_HREF = re.compile(r'\bhref="([^"]+)"')


def broken_links(pages: Sequence[Page]) -> Iterator[str]:
    """One line for each link of the pages whose page or anchor is not among them."""
    anchors = {
        _address(page): {unescape(a or b) for a, b in _ID.findall(page.whole)} for page in pages
    }
    bases = {posixpath.dirname(posixpath.dirname(page.path)) for page in pages}
    for page in pages:
        here = _address(page)
        for href in dict.fromkeys(_HREF.findall(page.whole)):
            path, _, anchor = unescape(href).partition("#")
            if "://" in path:
                yield f"{page.path}: {href} leaves the site"
                continue
            target = here if not path else posixpath.normpath(posixpath.join(here, path))
            if target not in anchors:
                if posixpath.dirname(target) in bases:
                    continue  # another game: the site itself is tested for those
                yield f"{page.path}: {href} leads nowhere"
            elif anchor and anchor not in anchors[target]:
                yield f"{page.path}: {href} has no such place"


def _address(page: Page) -> str:
    path = page.path.removesuffix(".md")
    return path.removesuffix("/index")
