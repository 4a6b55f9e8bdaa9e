"""The pages about checks: there is one for each kind, and what they show is what happens.

`QUARANTIA_UPDATE=1 pytest tests/docs/test_checks.py` writes the answers into the pages anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from quarantia_checker.verdict import Kind
from tests.command_line import quarantia
from tests.conftest import ROOT

FOLDER = ROOT / "docs" / "checks"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(text: str, language: str) -> list[str]:
    return [body for kind, body in BLOCK.findall(text) if kind == language]


def settled(answer: str) -> str:
    """The answer without what differs from day to day."""
    answer = re.sub(r"in \d+\.\d s", "in 0.0 s", answer)
    answer = re.sub(r"quarantia replay \S*/([^/\s]+\.json)", r"quarantia replay …/\1", answer)
    return "\n".join(line.rstrip() for line in answer.splitlines()) + "\n"


def test_every_kind_of_check_has_its_page() -> None:
    pages = {path.stem for path in FOLDER.glob("*.md")} - {"index"}
    assert pages == {kind.value for kind in Kind}
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert all(f"({kind.value}.md)" in index for kind in Kind)


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_the_game_of_a_page_fails_as_the_page_shows(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = FOLDER / f"{kind.value}.md"
    text = page.read_text(encoding="utf-8")
    (rules,) = blocks(text, "rules")
    (console,) = blocks(text, "console")
    monkeypatch.chdir(tmp_path)
    Path(f"{kind.value}.rules").write_text(rules, encoding="utf-8")
    for data in blocks(text, "toml"):
        Path("data.toml").write_text(data, encoding="utf-8")
    command = f"$ quarantia check {kind.value}.rules\n"
    answer = quarantia("check", f"{kind.value}.rules", "-j", "1")
    found = command + settled(answer.out + answer.err)
    if os.environ.get("QUARANTIA_UPDATE"):
        page.write_text(text.replace(console, found), encoding="utf-8")
        return
    assert console == found
    if kind is Kind.DATA:  # wrong data are found when they are read
        assert answer.status == 2
        return
    results = quarantia("check", f"{kind.value}.rules", "-j", "1", "--json").json["results"]
    own = [each for each in results if each["kind"] == kind.value]
    others = [each for each in results if each["kind"] not in (kind.value, "vacuity")]
    assert any(each["verdict"] in ("refuted", "fails") for each in own)
    assert {each["verdict"] for each in others if not each["ruled"]} <= {
        "proved",
        "holds",
        "unsettled",
    }
