"""The built site in a real browser: run `make docs` first, then `make docs-test`.

Debian's chromium is driven by Playwright; without it, or without a site, the tests are skipped.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

SITE = ROOT / "build" / "site"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 900}
PATIENCE = 120_000  # milliseconds

# One page of every sort, and those of the games that exercise them most.
OWN = ("", "tutorial/", "reference/language/", "reference/commands/", "checks/", "games/", "jeux/")
KINDS = ("", "ambiguities/", "proved/", "examples/", "statistics/", "glossary/", "aid/")
FRENCH = ("", "ambiguites/", "prouve/", "exemples/", "statistiques/", "glossaire/", "aide/")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="there is no chromium (apt-get install chromium)"),
    pytest.mark.skipif(not (SITE / "games").is_dir(), reason="there is no site (make docs)"),
    pytest.mark.filterwarnings("default"),  # those of the browser's driver are not ours
]


def opened(browser: Any, **options: Any) -> Any:
    """A page of its own, with patience for a busy machine."""
    context = browser.new_context(viewport=DESKTOP, **options)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


def games() -> list[str]:
    return sorted(path.parent.name for path in SITE.glob("games/*/index.html"))


def largest() -> str:
    """The game with the longest rules."""
    return max(games(), key=lambda game: (SITE / "games" / game / "index.html").stat().st_size)


def pages() -> list[str]:
    if not games():
        return []
    of_games = [f"games/{game}/" for game in games()] + [f"jeux/{game}/" for game in games()]
    shown = sorted({largest(), games()[0]})
    of_games += [f"games/{game}/{kind}" for game in shown for kind in KINDS]
    of_games += [f"jeux/{game}/{kind}" for game in shown for kind in FRENCH]
    return list(dict.fromkeys([*OWN, *of_games]))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def phone(browser: Any, address: str) -> Iterator[dict[str, Any]]:
    """Every page once at the width of a phone: what it logged, asked for, and how wide it is."""
    found: dict[str, Any] = {}
    context = browser.new_context(viewport=PHONE)
    context.set_default_timeout(PATIENCE)
    for path in pages():
        page = context.new_page()
        seen: dict[str, Any] = {"logged": [], "outside": []}
        page.on("console", lambda each, seen=seen: seen["logged"].append((each.type, each.text)))
        page.on("pageerror", lambda each, seen=seen: seen["logged"].append(("error", str(each))))
        page.on(
            "request",
            lambda each, seen=seen: (
                None
                if each.url.startswith((address, "data:", "blob:"))
                else seen["outside"].append(each.url)
            ),
        )
        page.goto(address + path)
        page.wait_for_load_state("networkidle")
        seen["wide"] = page.evaluate("document.documentElement.scrollWidth")
        seen["lang"] = page.evaluate("document.documentElement.lang")
        found[path] = seen
        page.close()
    yield found
    context.close()


def test_no_page_logs_an_error(phone: dict[str, Any]) -> None:
    wrong = {
        path: [text for kind, text in seen["logged"] if kind in ("error", "warning")]
        for path, seen in phone.items()
    }
    assert not {path: texts for path, texts in wrong.items() if texts}


def test_no_request_leaves_the_site(phone: dict[str, Any]) -> None:
    assert not {path: seen["outside"] for path, seen in phone.items() if seen["outside"]}


def test_no_page_is_wider_than_a_phone(phone: dict[str, Any]) -> None:
    wide = {path: seen["wide"] for path, seen in phone.items() if seen["wide"] > PHONE["width"]}
    assert not wide


def test_pages_say_which_language_they_are_in(phone: dict[str, Any]) -> None:
    for path, seen in phone.items():
        assert seen["lang"] == ("fr" if path.startswith("jeux") else "en"), path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    [
        *OWN[:3],
        *(f"games/GAME/{kind}" for kind in KINDS),
        *(f"jeux/GAME/{kind}" for kind in FRENCH[:2]),
    ],
)
def test_axe_finds_nothing(browser: Any, address: str, path: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    path = path.replace("GAME", games()[0])
    page = opened(browser, color_scheme=scheme)
    page.goto(address + path)
    page.wait_for_timeout(400)  # the theme fades in, and half-faded text has no contrast
    rules = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
    found = axe.run(page, options=rules).response["violations"]
    page.context.close()
    assert not [(each["id"], [node["html"][:160] for node in each["nodes"][:3]]) for each in found]


def test_the_register_is_filtered_searched_and_sorted(browser: Any, address: str) -> None:
    page = opened(browser)
    page.goto(f"{address}games/{largest()}/ambiguities/")
    rows = page.locator(".q-register tbody tr")
    everything = rows.count()
    visible = ".q-register tbody tr:visible"
    assert everything > 3
    assert page.locator(visible).count() == everything
    kinds = page.locator('[data-filter="class"] option').evaluate_all(
        "all => all.map(o => o.value)"
    )
    shown = []
    for kind in kinds[1:]:
        page.select_option('[data-filter="class"]', kind)
        found = page.locator(visible).evaluate_all("all => all.map(row => row.dataset.class)")
        assert set(found) == {kind}
        assert page.locator(".q-entry:visible").count() == len(found)
        shown.append(len(found))
    assert sum(shown) == everything
    page.select_option('[data-filter="class"]', "")
    page.select_option("[data-sort]", "severity")
    ranks = page.locator(visible).evaluate_all(
        "all => all.map(row => Number(row.dataset.severityRank))"
    )
    assert ranks == sorted(ranks)
    words = rows.first.locator("a").inner_text()
    page.fill("[data-search]", words)
    assert 1 <= page.locator(visible).count() < everything
    assert str(everything) in page.locator(".q-controls output").inner_text()
    page.close()


def stepped() -> str:
    """A page with a play to step through."""
    for page in sorted(SITE.glob("games/*/*/index.html")):
        if 'class="q-steps"' in page.read_text(encoding="utf-8"):
            return page.parent.relative_to(SITE).as_posix() + "/"
    raise AssertionError("no page has a play to step through")


def test_a_play_is_stepped_through_forwards_and_back(browser: Any, address: str) -> None:
    page = opened(browser)
    page.goto(address + stepped())
    steps = page.locator(".q-steps").first
    steps.scroll_into_view_if_needed()
    steps.locator("svg").first.wait_for()
    back, on = steps.locator("button.q-back"), steps.locator("button.q-on-button")
    assert back.is_disabled()
    first = steps.locator(".q-picture").inner_html()
    told = steps.locator(".q-told").inner_text()
    on.click()
    assert steps.locator(".q-told").inner_text() != told
    assert steps.locator(".q-picture").inner_html() != first
    back.click()
    assert steps.locator(".q-told").inner_text() == told
    assert steps.locator(".q-picture").inner_html() == first
    while on.is_enabled():
        on.click()
    assert "of" in steps.locator(".q-count").inner_text()
    page.close()


def test_the_search_finds_a_rule(browser: Any, address: str) -> None:
    page = opened(browser)
    page.goto(f"{address}games/{largest()}/")
    title = (
        page.locator(".q-rule-text h3").nth(6).inner_text().split(" ", 1)[1].split("§")[0].strip()
    )
    page.click("input.md-search__input")
    page.keyboard.type(title)
    page.locator(".md-search-result__link").first.wait_for()
    assert page.locator(".md-search-result__link").count() >= 1
    page.close()


def test_the_player_aid_prints_on_few_sheets(browser: Any, address: str, tmp_path: Path) -> None:
    page = opened(browser)
    for game in games():
        page.goto(f"{address}games/{game}/aid/")
        printed = page.pdf(path=str(tmp_path / f"{game}.pdf"), format="A4")
        assert printed.count(b"/Type /Page\n") <= 2, game
    page.close()
