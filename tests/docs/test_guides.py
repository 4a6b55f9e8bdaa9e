"""What the guide on tracing shows is what happens.

`QUARANTIA_UPDATE=1 pytest tests/docs/test_guides.py` writes the answers into the page anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from quarantia_spec.pipeline import games_folder
from tests.command_line import quarantia
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "guides" / "trace.md"
FILE = re.compile(r"^```text ([\w.]+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"^```console\n(\$ quarantia (.*?)\n.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_guide_on_tracing_shows_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PAGE.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("spec").mkdir()
    Path("spec/quarantia_games").symlink_to(games_folder())
    for name, content in FILE.findall(text):
        Path(name).write_text(content, encoding="utf-8")
    written = text
    for shown, command in CONSOLE.findall(text):
        answer = quarantia(*command.split())
        assert answer.err == ""
        written = written.replace(shown, f"$ quarantia {command}\n{answer.out}")
    if os.environ.get("QUARANTIA_UPDATE"):
        PAGE.write_text(written, encoding="utf-8")
    assert text == written, "run with QUARANTIA_UPDATE=1 and read the difference"
