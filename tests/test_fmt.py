"""`quarantia fmt` on files: what changes, what does not, and what is said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quarantia_checker.commands import fmt
from quarantia_spec.format import format_source
from tests.command_line import quarantia

MESSY = 'game  tiny   "Tiny"\nplayers 2   named a,b  §1   # who\n'
NEAT = format_source(MESSY)


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "messy.rules"
    path.write_text(MESSY, encoding="utf-8")
    return path


def test_the_sample_needs_formatting() -> None:
    assert NEAT != MESSY
    assert "# who" in NEAT


def test_it_formats_in_place_and_then_has_nothing_to_do(messy: Path) -> None:
    answer = quarantia("fmt", messy)
    assert answer.status == 0
    assert f"formatted {messy}\n" in answer.out
    assert messy.read_text(encoding="utf-8") == NEAT
    assert quarantia("fmt", messy).out == "1 of 1 files were in order\n"
    assert [path.name for path in messy.parent.iterdir()] == ["messy.rules"]


def test_check_changes_nothing_and_says_so(messy: Path) -> None:
    answer = quarantia("fmt", "--check", messy)
    assert answer.status == 1
    assert f"would format {messy}\n" in answer.out
    assert messy.read_text(encoding="utf-8") == MESSY
    messy.write_text(NEAT, encoding="utf-8")
    assert quarantia("fmt", "--check", messy).status == 0


def test_diff_shows_the_lines_and_changes_nothing(messy: Path) -> None:
    answer = quarantia("fmt", "--diff", messy)
    assert answer.status == 1
    assert '-game  tiny   "Tiny"\n' in answer.out
    assert messy.read_text(encoding="utf-8") == MESSY


def test_json_names_the_files(messy: Path) -> None:
    assert quarantia("fmt", "--check", "--json", messy).json == {
        "files": [{"path": str(messy), "changed": True}],
        "written": False,
        "diagnostics": [],
    }
    assert quarantia("fmt", "--json", messy).json["written"] is True


def test_a_folder_means_the_rules_files_in_it(messy: Path) -> None:
    (messy.parent / "inner").mkdir()
    inner = messy.parent / "inner" / "other.rules"
    inner.write_text(MESSY, encoding="utf-8")
    (messy.parent / "notes.txt").write_text(MESSY, encoding="utf-8")
    assert quarantia("fmt", messy.parent, messy).status == 0
    assert inner.read_text(encoding="utf-8") == messy.read_text(encoding="utf-8") == NEAT
    assert (messy.parent / "notes.txt").read_text(encoding="utf-8") == MESSY


def test_without_a_path_it_is_the_current_folder(
    messy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(messy.parent)
    assert quarantia("fmt").status == 0
    assert messy.read_text(encoding="utf-8") == NEAT


def test_in_the_source_tree_it_is_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent)
    files = fmt.rules_files([])
    assert files
    assert all(path.parts[:2] == ("spec", "quarantia_games") for path in files)


def test_a_broken_file_is_reported_and_the_others_are_formatted(messy: Path) -> None:
    broken = messy.parent / "broken.rules"
    broken.write_text("game game game\n", encoding="utf-8")
    binary = messy.parent / "binary.rules"
    binary.write_bytes(b"game \xff\xfe")
    missing = messy.parent / "missing.rules"
    answer = quarantia("fmt", broken, binary, missing, messy)
    assert answer.status == 2
    assert messy.read_text(encoding="utf-8") == NEAT
    assert broken.read_text(encoding="utf-8") == "game game game\n"
    for path, code in ((broken, "E1"), (binary, "E105"), (missing, "E109")):
        assert f"{path}:1:" in answer.err
        assert f"error[{code}" in answer.err


def test_broken_files_in_json_are_one_document(messy: Path) -> None:
    messy.write_text("game game game\n", encoding="utf-8")
    answer = quarantia("fmt", "--json", messy)
    assert answer.status == 2
    assert answer.json["diagnostics"]


def test_a_folder_without_rules_is_wrong_usage(tmp_path: Path) -> None:
    answer = quarantia("fmt", tmp_path)
    assert answer.status == 2
    assert "there are no .rules files in" in answer.err


def test_permissions_and_links_stay(messy: Path) -> None:
    messy.chmod(0o640)
    link = messy.parent / "link.rules"
    link.symlink_to(messy)
    assert quarantia("fmt", link).status == 0
    assert link.is_symlink()
    assert messy.stat().st_mode & 0o777 == 0o640
    assert messy.read_text(encoding="utf-8") == NEAT


def test_a_write_that_fails_leaves_the_file_as_it_was(
    messy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, *arguments: object, **settings: object) -> None:
        os.close(descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", refuse)
    answer = quarantia("fmt", messy)
    assert answer.status == 2
    assert answer.err == f"quarantia: cannot write {messy}: No space left on device\n"
    assert messy.read_text(encoding="utf-8") == MESSY
    assert [path.name for path in messy.parent.iterdir()] == ["messy.rules"]
