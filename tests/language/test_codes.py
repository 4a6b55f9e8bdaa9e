"""Every diagnostic code has a page, and its examples do what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs import diagnostics
from quarantia_spec.codes import Block, Page, command_of, files_of, page_of, pages
from quarantia_spec.diagnostics import Code
from quarantia_spec.format import format_source
from quarantia_spec.pipeline import load_with_warnings
from tests.command_line import Answer, quarantia

PAGES = Path(page_of.__wrapped__.__code__.co_filename).parent / "pages"
WARNINGS = {Code.UNUSED_RULE}


def meet(blocks: tuple[Block, ...], folder: Path, *flags: str) -> Answer:
    """What the example's command says in a folder with the example's files."""
    for name, content in files_of(blocks).items():
        (folder / name).write_bytes(content)
    return quarantia(*command_of(blocks), *flags)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_page_belongs_to_a_code() -> None:
    assert {path.stem for path in PAGES.glob("*")} == {code.value for code in Code}


@pytest.mark.parametrize("code", [code for code in Code if code not in WARNINGS])
def test_the_wrong_example_gives_exactly_its_code(code: Code, here: Path) -> None:
    answer = meet(page_of(code).wrong, here, "--json")
    assert answer.status == 2, answer.out + answer.err
    found = answer.json["diagnostics"]
    assert [diagnostic["code"] for diagnostic in found] == [code.value]
    (diagnostic,) = found
    assert diagnostic["file"] and diagnostic["line"] >= 1 and diagnostic["column"] >= 1
    assert diagnostic["help"], "say what to try"


@pytest.mark.parametrize("code", [code for code in Code if code in WARNINGS])
def test_a_warning_does_not_stop_the_game(code: Code, here: Path) -> None:
    answer = meet(page_of(code).wrong, here)
    assert answer.status == 0
    assert f"warning[{code.value}]" in answer.err and "help:" in answer.err


@pytest.mark.parametrize("code", list(Code))
def test_the_wrong_example_is_shown_with_its_place(code: Code, here: Path) -> None:
    shown = meet(page_of(code).wrong, here).err
    heading, place = shown.splitlines()[:2]
    assert f"[{code.value}]: " in heading
    assert place.lstrip().startswith("--> ")
    assert place.count(":") >= 2


@pytest.mark.parametrize("code", list(Code))
def test_the_right_example_is_right(code: Code, here: Path) -> None:
    blocks = page_of(code).right
    answer = meet(blocks, here)
    assert answer.status in (0, 3), answer.err
    assert answer.err == "", "not even a warning"
    for block in blocks:
        if block.kind == "rules":
            assert load_with_warnings(block.file)[1] == []
            assert format_source(block.text) == block.text, "in the one layout"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.code.value)
def test_pages_are_fit_to_print(page: Page) -> None:
    assert len(page.title) <= 60 and not page.title.endswith(".")
    assert page.paragraph.endswith((".", ".)"))
    assert max(len(line) for line in page.markdown.splitlines()) <= 112
    assert page.wrong != page.right


def test_explain_shows_a_page() -> None:
    answer = quarantia("explain", "e305")
    assert answer.status == 0
    assert answer.out.startswith("E305: An empty range\n\nA range runs")
    assert "    state heap: 12..0 = 12  §2\n" in answer.out
    assert quarantia("explain", "E305", "--json").json["code"] == "E305"


def test_explain_lists_all_codes() -> None:
    listed = [line.split()[0] for line in quarantia("explain").out.splitlines()]
    assert listed == [code.value for code in Code]


def test_explain_does_not_know_every_word() -> None:
    answer = quarantia("explain", "E30")
    assert (answer.status, answer.err.splitlines()[0]) == (2, "quarantia: there is no code `E30`")


def test_the_documentation_shows_what_the_tool_says() -> None:
    written = {path.name: path.read_text("utf-8") for path in diagnostics.FOLDER.glob("*.md")}
    assert written == diagnostics.files(), "run `make pages`"
