"""The pages of games: what they say, in which language, and where their links lead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from quarantia_checker.site.edition import Edition, load
from quarantia_checker.site.findings import Findings, find
from quarantia_checker.site.links import broken_links
from quarantia_checker.site.making import Made, make_game
from quarantia_checker.site.order_of_play import order_of_play
from quarantia_checker.site.page import Page, restored, set_aside
from quarantia_spec.pipeline import game_names, load_game
from tests.command_line import quarantia

SMALL = ("nim", "pig", "tictactoe", "connectfour")
LARGE = tuple(name for name in game_names() if name not in SMALL)

# Words that no sentence of the language can do without, and that the other one does not have.
ENGLISH = re.compile(r"\b(the|is|are|of|and|with|to|every|which|has|have|been|there|this)\b", re.I)
FRENCH = re.compile(r"\b(le|la|les|des|une|est|sont|du|dans|avec|pour|qui|aux|ce|cette)\b", re.I)
BLOCKS = re.compile(
    r"</?(?:p|li|td|th|h\d|dt|dd|div|text|summary|section|title|option|label)\b[^>]*>|\n"
)
MOST_FOREIGN = 1  # in one stretch of text: a name such as "Council of Ten" is no sentence


@pytest.fixture(scope="module")
def made() -> dict[str, Made]:
    return {name: make_game(name, None) for name in SMALL}


def page_of(game: Made, path: str) -> Page:
    return next(page for page in game.pages if page.path.endswith(path))


def stretches(page: Page) -> Iterator[str]:
    """The texts of a page as a reader sees them: paragraph by paragraph, without formal text."""
    text = re.sub(r"^---.*?---", "", page.whole, flags=re.DOTALL)
    text = re.sub(r"<(pre|code)\b.*?</\1>", "", text, flags=re.DOTALL)
    text = re.sub(r'<a class="q-switch".*?</a>', "", text)
    blocks = re.split(
        r"</?(?:p|li|td|th|h\d|dt|dd|div|text|summary|section|title|option|label)\b[^>]*>|\n", text
    )
    for block in blocks:
        plain = unescape(re.sub(r"<[^>]+>", " ", block)).strip()
        if plain:
            yield plain


def foreign(page: Page) -> list[str]:
    """What a page says in the other language."""
    french = page.path.startswith("jeux/")
    wrong, right = (ENGLISH, FRENCH) if french else (FRENCH, ENGLISH)
    return [
        each
        for each in stretches(page)
        if len(set(map(str.lower, wrong.findall(each))))
        > max(MOST_FOREIGN - 1, len(right.findall(each)))
    ]


def test_foreign_sentences_are_noticed() -> None:
    assert foreign(Page("jeux/x/index.md", "<p>The player is to the left of the heap.</p>"))
    assert foreign(Page("games/x/index.md", "<p>Le joueur est dans la maison.</p>"))
    assert not foreign(Page("jeux/x/index.md", "<p>Le joueur est dans la maison.</p>"))


@pytest.mark.parametrize("name", SMALL)
def test_every_page_speaks_one_language(made: dict[str, Made], name: str) -> None:
    assert not {page.path: found for page in made[name].pages if (found := foreign(page))}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_games_speak_one_language_and_link_to_themselves(name: str) -> None:
    game = make_game(name, None)
    assert not game.untold
    assert not list(broken_links(game.pages))
    assert not {page.path: found for page in game.pages if (found := foreign(page))}


@pytest.mark.parametrize("name", SMALL)
def test_everything_has_french_words_and_every_link_leads_somewhere(
    made: dict[str, Made], name: str
) -> None:
    assert not made[name].untold
    assert not list(broken_links(made[name].pages))


def test_a_link_that_leads_nowhere_is_noticed(made: dict[str, Made]) -> None:
    pages = made["nim"].pages
    wrong = Page(pages[0].path, pages[0].whole.replace("#take", "#taken"))
    assert any("#taken" in each for each in broken_links([wrong, *pages[1:]]))


def test_numbers_come_from_the_rules(tmp_path: Path) -> None:
    rules = (Path(load("nim", Findings()).sources.folder or "") / "nim.rules").read_text("utf-8")
    other = tmp_path / "nim.rules"
    other.write_text(rules.replace("0..12 = 12", "0..9 = 9").replace("heap = 12 or", "heap = 9 or"))
    before, after = make_game("nim", None), make_game(str(other), None)
    assert "0 to 12" in page_of(before, "games/nim/index.md").whole
    assert "0 to 9" in page_of(after, "games/nim/index.md").whole


def test_a_paragraph_has_its_passage_invariants_examples_and_formal_text(
    made: dict[str, Made],
) -> None:
    text = page_of(made["nim"], "games/nim/index.md").whole
    section = text[text.index('id="R-4.1"') : text.index('id="R-5.1"')]
    for part in ("The player takes", "§3", "proved/#someone_was_last", "examples/#three_then_one"):
        assert part in section
    assert "decision take(n: 1..3) by p" in section
    assert 'say en "' not in section


def test_what_depends_on_the_number_of_players_is_told_for_each() -> None:
    edition = Edition(load("doge", Findings()), "en")
    told = edition.constant("bidding_turns")
    assert told == "<b>4</b> (with 3 players), <b>3</b> (with 4 players)"
    assert edition.constant("houses_each") == "<b>15</b>"
    assert edition.constant("votes") is None


def test_nothing_is_claimed_that_nobody_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUARANTIA_CACHE", str(tmp_path / "cache"))
    game = make_game("nim", tmp_path)
    proved = page_of(game, "games/nim/proved.md").whole
    assert "not checked in this build" in proved
    assert "q-is-proved" not in proved
    assert game.checked == ()


def test_saved_answers_count_only_for_the_same_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUARANTIA_CACHE", str(tmp_path / "cache"))
    answer = quarantia("check", "nim", "--json", "-j", "1").json
    monkeypatch.setenv("QUARANTIA_CACHE", str(tmp_path / "another cache"))
    saved = tmp_path / "results" / "nim.json"
    saved.parent.mkdir()
    saved.write_text(json.dumps(answer))
    assert find("nim", saved.parent).checked == {2}
    proved = page_of(make_game("nim", saved.parent), "games/nim/proved.md").whole
    assert "q-is-proved" in proved
    saved.write_text(json.dumps({**answer, "rules": {"2": "other rules"}}))
    stale = find("nim", saved.parent)
    assert stale.checked == frozenset()
    assert stale.stale


def test_the_witness_is_there_to_step_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUARANTIA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "results").mkdir()
    answer = quarantia("check", "nim", "--json", "-j", "1").json
    impact = quarantia("ambiguities", "nim", "--impact", "20", "--json", "-j", "1").json
    (tmp_path / "results" / "check.json").write_text(json.dumps(answer))
    (tmp_path / "results" / "impact.json").write_text(json.dumps(impact))
    game = make_game("nim", tmp_path / "results")
    register = page_of(game, "games/nim/ambiguities.md").whole
    assert 'class="q-steps"' in register
    assert 'data-impact="1.0"' in register
    assert "q-is-observable" in register
    script = next(each.text for each in game.frames if "last_taker_wins" in each.path)
    assert script.count('"told"') >= 4


def test_the_order_of_play_keeps_to_the_flow() -> None:
    order = order_of_play(load_game("pig"))
    assert [row.rules for row in order.rows] == [("roll", "hold"), ("die",)]
    loops = [(each.first, each.last) for each in order.brackets if each.repeated]
    options = [(each.first, each.last) for each in order.brackets if not each.repeated]
    assert (0, 1) in loops
    assert (1, 1) in options
    phases = [row.phase for row in order_of_play(load_game("doge")).rows]
    assert phases == sorted(phases, key=["set_up", "bidding", "votes_counted", "round_end"].index)


def test_what_is_set_aside_comes_back() -> None:
    text = 'a <svg x="1"><g/></svg> b <details class="q-fold"><p>c</p></details> d'
    rest, aside = set_aside(text)
    assert "svg" not in rest
    assert restored(rest, aside) == text


def test_the_command_checks_pages_and_tells_in_json() -> None:
    answer = quarantia("docs", "nim", "--check", "--json", "-j", "1")
    assert answer.status == 0
    assert answer.json["problems"] == []
    assert len(answer.json["games"][0]["pages"]) == 14


def test_a_game_without_words_has_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert quarantia("new", "mygame").status == 0
    answer = quarantia("docs", "mygame/mygame.rules", "--check", "-j", "1")
    assert answer.status == 1
    assert "no French for word" in answer.out


def test_a_site_is_built_outside_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert quarantia("new", "mygame").status == 0
    answer = quarantia("docs", "mygame/mygame.rules", "-j", "1")
    assert answer.status == 0, answer.err
    built = (tmp_path / "build" / "site" / "games" / "mygame" / "index.html").read_text("utf-8")
    assert "<svg" in built
    assert "<!--aside" not in built
    assert "https://" not in re.sub(r'<a href="https://squidfunk[^"]*"', "", built)
