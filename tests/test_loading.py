"""Work that takes a while says so on a terminal, and nothing anywhere else."""

from __future__ import annotations

import io
import time

import pytest

from quarantia_checker.commands import loading


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("out", [Terminal(), io.StringIO()])
def test_only_a_terminal_is_told(out: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "PATIENCE", 0.0)
    with loading.told_if_slow(out, "a moment"):
        time.sleep(0.3)
    assert out.getvalue() == ("a moment\r\x1b[K" if out.isatty() else "")


def test_quick_work_is_not_talked_about() -> None:
    out = Terminal()
    with loading.told_if_slow(out, "a moment"):
        pass
    assert out.getvalue() == ""


def test_what_goes_wrong_is_not_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "PATIENCE", 0.0)
    with pytest.raises(ValueError, match="broken"), loading.told_if_slow(Terminal(), "a moment"):
        raise ValueError("broken")
