"""`quarantia new` starts a game and harms nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarantia_spec.pipeline import load_with_warnings
from tests.command_line import quarantia
from tests.language.strategies import KEYWORDS


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_writes_the_three_files(tmp_path: Path) -> None:
    answer = quarantia("new", "race")
    assert answer.status == 0
    assert "quarantia check race/race.rules" in answer.out
    files = {path.name for path in (tmp_path / "race").iterdir()}
    assert files == {"race.rules", "passages.toml", "rulebook.md"}


def test_json_lists_the_files() -> None:
    assert quarantia("new", "race", "--json").json == {
        "game": "race",
        "files": ["race/passages.toml", "race/race.rules", "race/rulebook.md"],
    }


def test_every_statement_of_its_rulebook_is_traced() -> None:
    quarantia("new", "race")
    answer = quarantia("trace", "race/race.rules", "--rulebook", "race/rulebook.md", "--json")
    assert (answer.status, answer.json["summary"]["cited"]) == (0, 7)


def test_it_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "race").mkdir()
    (tmp_path / "race" / "race.rules").write_text("mine")
    answer = quarantia("new", "race")
    assert answer.status == 2
    assert "already here" in answer.err
    assert [path.name for path in (tmp_path / "race").iterdir()] == ["race.rules"]
    assert (tmp_path / "race" / "race.rules").read_text() == "mine"


@pytest.mark.parametrize("name", ["", "Race", "9pins", "a b", "../up", "/tmp/x", "é", "x" * 41])
def test_a_name_that_will_not_do_is_refused(name: str, tmp_path: Path) -> None:
    answer = quarantia("new", name)
    assert answer.status == 2
    assert "cannot be the name of a game" in answer.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_no_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, mode: int = 0o777) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    answer = quarantia("new", "race")
    assert answer.status == 2
    assert answer.err == "quarantia: cannot write race: Permission denied\n"


@pytest.mark.parametrize("name", ["race", "a", *sorted(KEYWORDS)])
def test_what_it_writes_is_a_game_in_the_one_layout(name: str, tmp_path: Path) -> None:
    assert quarantia("new", name).status == 0
    game, warnings = load_with_warnings(tmp_path / name / f"{name}.rules")
    assert (game.name, warnings) == (name, [])
    assert quarantia("fmt", "--check", tmp_path / name).status == 0


def test_what_it_writes_checks(tmp_path: Path) -> None:
    quarantia("new", "race")
    answer = quarantia("check", "race/race.rules", "-j", "1")
    assert answer.status == 0, answer.out


def test_every_reason_is_given_in_french_too(tmp_path: Path) -> None:
    quarantia("new", "race")
    rules = (tmp_path / "race" / "race.rules").read_text(encoding="utf-8")
    code = [line for line in rules.splitlines() if not line.startswith("#")]
    reasons = [number for number, line in enumerate(code) if ' because "' in line]
    assert len(reasons) == 3
    for number in reasons:
        assert code[number + 1].strip().startswith('fr "')
