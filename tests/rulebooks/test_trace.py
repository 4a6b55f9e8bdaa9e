"""`quarantia trace`: what becomes of each statement, and what is wrong when something is."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from quarantia_checker.commands.trace import declared_in
from quarantia_checker.rulebooks.pins import pin_of
from quarantia_spec.passages import SAYS_ENOUGH, Reason, parse_passages
from quarantia_spec.pipeline import game_names, games_folder
from tests.command_line import Answer, quarantia
from tests.rulebooks.copies import rulebook

OURS = ("nim", "pig", "tictactoe", "connectfour")
THEIRS = ("doge", "the-doge-ship", "liguria", "venice")


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of Nim to change: nim.rules, passages.toml and rulebook.md."""
    shutil.copytree(games_folder() / "nim", tmp_path / "nim")
    monkeypatch.chdir(tmp_path / "nim")
    return tmp_path / "nim"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def place(path: Path, key: str) -> str:
    """Where a key stands, as messages say it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if line.startswith(key))
    return f"{path.name}:{number}:1"


def trace(*more: str) -> Answer:
    return quarantia("trace", "nim.rules", "--rulebook", "rulebook.md", *more)


# --- the games --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", OURS)
def test_our_own_rulebooks_are_traced_in_full(game: str) -> None:
    answer = quarantia("trace", game, "--rulebook", games_folder() / game / "rulebook.md")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.endswith("100 % of what looks like a rule is accounted for\n")


@pytest.mark.parametrize("game", THEIRS)
def test_the_rulebooks_of_the_large_games_are_traced_in_full(game: str) -> None:
    found = quarantia("trace", game, "--rulebook", rulebook(f"{game}.fr.txt"), "--json")
    summary = found.json["summary"]
    assert (summary["open"], summary["lost"], summary["uncited"]) == (0, 0, 0)
    assert summary["percent"] == 100
    assert all(each["sections"] for each in found.json["statements"]), "each was looked at"
    assert found.status == 0
    assert summary["cited"] > 5 * summary["left_out"] and summary["normative"] > 150


@pytest.mark.parametrize("game", [name for name in game_names() if "/" not in name])
def test_passages_name_rules_that_exist(game: str) -> None:
    declared, passages = declared_in(game)
    assert passages.known and declared
    for passage in passages.passages.values():
        for pin in [*passage.cited, *passage.aside]:
            assert re.fullmatch("[0-9a-f]{6}", pin)
        for aside in passage.aside.values():
            assert aside.words or aside.reason in SAYS_ENOUGH


def test_a_variant_has_the_book_of_its_game() -> None:
    path = rulebook("venice.fr.txt")
    assert quarantia("trace", "venice/solo", "--rulebook", path, "--brief").status == 0


# --- what is wrong ----------------------------------------------------------------------------


def test_a_statement_that_nothing_cites_is_reported(nim: Path) -> None:
    edit(nim / "rulebook.md", "Nobody may pass.", "Nobody may pass. Nobody may speak.")
    answer = trace("--brief")
    assert answer.status == 1
    assert "cited by nothing" in answer.out
    assert f"? {pin_of('Nobody may speak.')}  Nobody may speak." in answer.out
    assert "85.7 % of what looks like a rule" in answer.out


def test_a_statement_that_changed_loses_its_pin(nim: Path) -> None:
    edit(nim / "rulebook.md", "twelve", "thirteen")
    answer = trace("--json")
    (lost,) = answer.json["lost"]
    assert lost["section"] == "2" and lost["told"] == "heap"
    assert lost["pin"] == pin_of("Put twelve counters in one heap.")
    assert answer.status == 1
    edit(nim / "rulebook.md", "Nobody may pass.", "Nobody may ever pass.")
    lost = trace("--json").json["lost"][1]
    assert lost["now"] == [pin_of("Nobody may ever pass.")], "told by its neighbours"
    assert "resolve no longer" in trace("--brief").out


def test_a_heading_may_come_and_go(nim: Path) -> None:
    edit(nim / "rulebook.md", "## 3. Play", "## 3. How to play")
    assert trace("--json").json["lost"] == []


def test_a_statement_may_be_set_aside_with_a_reason(nim: Path) -> None:
    edit(nim / "rulebook.md", "Nobody may pass.", "Nobody may pass. All beans must be dry.")
    pin = pin_of("All beans must be dry.")
    edit(nim / "passages.toml", 'aba4cc = "heading"', f'aba4cc = "heading"\n{pin} = "advice: dry"')
    answer = trace("--json")
    assert answer.status == 0
    (found,) = [each for each in answer.json["statements"] if each["pin"] == pin]
    assert (found["fate"], found["aside"], found["normative"]) == ("set aside", "advice: dry", True)


def test_a_passages_file_overrules_the_words(nim: Path) -> None:
    edit(nim / "rulebook.md", "Nobody may pass.", "Nobody may pass. Beans are counters.")
    pin = pin_of("Beans are counters.")
    assert trace().status == 0, "nothing in it looks like a rule"
    edit(nim / "passages.toml", '038da9 = ["take"]', f'038da9 = ["take"]\n{pin} = ["heap"]')
    (found,) = [each for each in trace("--json").json["statements"] if each["pin"] == pin]
    assert (found["fate"], found["rules"], found["normative"]) == ("cited", ["heap"], True)


def test_what_is_left_out_in_part_is_not_counted_as_cited(nim: Path) -> None:
    edit(nim / "passages.toml", 'aba4cc = "heading"', 'd97de7 = "left out: turns are not kept"')
    answer = trace("--json")
    assert (answer.json["summary"]["left_out"], answer.json["summary"]["cited"]) == (1, 5)
    assert answer.json["summary"]["reasons"]["left out"] == 1
    assert answer.status == 0, "it is said, with the reason"
    assert "left out of the formal rules\n" in trace("--brief").out


def test_a_rule_may_cite_a_statement_by_its_pin(nim: Path) -> None:
    edit(nim / "passages.toml", "[passage.cited]\n90ede3", "[passage.aside]\n90ede4")
    edit(nim / "passages.toml", '90ede4 = ["heap"]\n\n[passage.aside]\n', "")
    edit(nim / "passages.toml", 'heading = "The heap"', 'heading = "The heap"\npins = {90ede3=""}')
    edit(nim / "nim.rules", "= 12  §2", "= 12  §2~90ede3")
    answer = trace("--json")
    (found,) = [each for each in answer.json["statements"] if each["pin"] == "90ede3"]
    assert (found["rules"], found["sections"], answer.status) == (["heap"], ["2"], 0)


def test_rules_without_a_passage_are_reported(nim: Path) -> None:
    edit(nim / "nim.rules", "state heap: 0..12 = 12  §2", "state heap: 0..12 = 12")
    assert trace().status == 0, "a statement names it"
    edit(nim / "nim.rules", "state last: Player? = none  §own", "state last: Player? = none")
    answer = trace("--brief")
    assert answer.status == 1
    assert "rules without a passage\n  nim.rules:7:1  state last\n" in answer.out
    assert trace("--json").json["uncited"] == ["last"]


def test_an_unknown_rule_is_an_error_with_its_place(nim: Path) -> None:
    edit(nim / "passages.toml", '90ede3 = ["heap"]', '90ede3 = ["heaps"]')
    answer = trace()
    assert answer.status == 2
    assert "E211" in answer.err and place(nim / "passages.toml", "90ede3") in answer.err
    assert "did you mean `heap`?" in answer.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('90ede3 = "heap"', "expected the names of the rules"),
        ("90ede3 = []", "expected the names of the rules"),
        ("90ede3 = [3]", "expected the names of the rules"),
    ],
)
def test_malformed_citations(nim: Path, line: str, message: str) -> None:
    edit(nim / "passages.toml", '90ede3 = ["heap"]', line)
    answer = trace()
    assert answer.status == 2
    assert "E209" in answer.err and message in answer.err
    assert place(nim / "passages.toml", "90ede3") in answer.err


@pytest.mark.parametrize(
    ("told", "message", "help"),
    [
        ("flavor: x", "`flavor` is no reason", "did you mean `flavour`?"),
        ("whatever", "`whatever` is no reason", "left out"),
        ("flavour", "say in your own words", "flavour: …"),
    ],
)
def test_malformed_reasons(told: str, message: str, help: str) -> None:
    text = f'[[passage]]\nsection = "1"\n[passage.aside]\naaaaaa = "{told}"\n'
    _, (wrong,) = parse_passages(text, "passages.toml")
    assert message in wrong.message and help in wrong.help
    assert (wrong.span.line, wrong.span.column) == (4, 1)


def test_reasons_that_say_enough_need_no_words() -> None:
    text = '[[passage]]\nsection = "1"\n[passage.aside]\naaaaaa = "heading"\n'
    passages, wrong = parse_passages(text, "passages.toml")
    assert not wrong
    assert passages.passages["1"].aside["aaaaaa"].reason is Reason.HEADING


# --- the command ------------------------------------------------------------------------------


def test_files_that_cannot_be_read(nim: Path) -> None:
    answer = quarantia("trace", "nim.rules", "--rulebook", "none.txt")
    assert (answer.status, answer.out) == (2, "")
    assert "cannot read none.txt" in answer.err
    (nim / "empty.txt").write_text("\n \n", encoding="utf-8")
    assert "there is no text" in quarantia("trace", "nim.rules", "--rulebook", "empty.txt").err
    assert trace("--html", "no/such/folder.html").status == 2
    assert quarantia("trace", "nim.rules").status == 2, "a rulebook is needed"
    (nim / "noise.bin").write_bytes(bytes(range(256)) * 4)
    assert quarantia("trace", "nim.rules", "--rulebook", "noise.bin").status == 1


def test_a_broken_neighbour_does_not_matter(nim: Path) -> None:
    (nim / "draft.rules").write_text('game draft "Draft" extends "none.rules"\n', encoding="utf-8")
    assert trace().status == 0


def test_the_list_shows_pins_rules_and_reasons(nim: Path) -> None:
    lines = trace().out.splitlines()
    number = lines.index("   13 + 038da9  Nobody may pass.")
    assert lines[number + 1].split() == ["§3", "take"]
    assert "   11 - aba4cc  3. Play" in lines
    assert "Nobody may pass." not in trace("--brief").out


class Reader(HTMLParser):
    """What a page holds."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend(attrs)
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_has_the_book_and_the_rules_side_by_side(nim: Path) -> None:
    edit(nim / "rulebook.md", "Nobody may pass.", "Nobody may pass &lt; 2 times.")
    assert trace("--html", "page.html").status == 1
    page = (nim / "page.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(page)
    assert reader.open == [], "every element is closed"
    for statement in trace("--json").json["statements"]:
        assert statement["text"] in reader.text and statement["pin"] in reader.text
    assert "decision take(n: 1..3) by p" in reader.text, "the rule as it is written"
    assert "cited by nothing" in reader.text
    assert not {name for name, _ in reader.attributes} & {"src", "href"}, "nothing is fetched"


def test_json_is_for_other_programs(nim: Path) -> None:
    answer = trace("--json", "--collate", "rulebook.md")
    assert answer.json["differences"] == [] and answer.status == 0
    assert set(answer.json) == {
        "game", "statements", "lost", "uncited", "own", "unnamed", "summary", "differences",
    }  # fmt: skip
    assert json.loads(answer.out)["summary"]["percent"] == 100
    assert answer.json["own"] == ["last"]
