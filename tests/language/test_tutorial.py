"""The tutorial works: its blocks are followed to the letter, in order, in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quarantia_spec.format import format_source
from tests.command_line import quarantia

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w+)(?: ([\w.]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEAD = re.compile(r"(\w+)(?: (\w+))?")


def changed(rules: str, block: str) -> str:
    """The rules with the declarations of a block: new ones at the end, known ones in place."""
    declarations = {head(part): part for part in parts(rules)}
    declarations.update({head(part): part for part in parts(block)})
    return "\n\n".join(declarations.values()) + "\n"


def parts(rules: str) -> list[str]:
    return [part for part in re.split(r"\n(?=\w)", rules.strip("\n")) if part.strip()]


def head(declaration: str) -> str:
    found = HEAD.match(declaration)
    assert found is not None
    return found.group()


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_following_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    rules = Path("market.rules")
    rules.write_text("", encoding="utf-8")
    commands = 0
    for kind, file, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        match kind:
            case "rules":
                now = changed(rules.read_text(encoding="utf-8"), text)
                rules.write_text(format_source(now), encoding="utf-8")
            case "console":
                command, *expected = text.splitlines()
                commands += 1
                answer = quarantia(*command.split()[2:])
                shown = squeezed(answer.out + answer.err)
                for line in expected:
                    assert squeezed(line) in shown, f"{command}\n{answer.out}{answer.err}"
            case _:
                Path(file).write_text(text, encoding="utf-8")
    assert commands >= 10
    last = quarantia("check", "market.rules")
    assert last.status == 0, last.out


def test_its_rules_are_in_the_one_layout() -> None:
    rules = ""
    for kind, _, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "rules":
            rules = changed(rules, text)
            for part in parts(text):
                assert part.rstrip("\n") in format_source(rules)
