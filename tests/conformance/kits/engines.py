"""Talking to the engines of the kits over their pipes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

KITS = Path(__file__).parents[3] / "conformance"
DOGE = ["node", str(KITS / "doge-js" / "main.js")]
RACE = [sys.executable, str(KITS / "race-py" / "race.py")]

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


class Talk:
    """One running engine."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._asked = 0

    def line(self, text: str) -> Any:
        """Sends a line as it is; the reply."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def reply(self, method: str, **params: object) -> Any:
        """The whole reply to a request."""
        self._asked += 1
        request = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        reply = self.line(json.dumps(request))
        assert reply["jsonrpc"] == "2.0"
        assert reply["id"] == self._asked
        return reply

    def ask(self, method: str, **params: object) -> Any:
        """The result of a request that must succeed."""
        reply = self.reply(method, **params)
        assert "error" not in reply, reply
        return reply["result"]

    def error(self, method: str, **params: object) -> int:
        """The code of the error with which a request must be answered."""
        code = self.reply(method, **params)["error"]["code"]
        assert isinstance(code, int)
        return code


@contextmanager
def talking(command: list[str]) -> Iterator[Talk]:
    """An engine that leaves by itself when its input ends."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Talk(process)
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()


def manifest(folder: str) -> list[dict[str, Any]]:
    """What a folder of engines says about them."""
    entries = json.loads((KITS / folder / "manifest.json").read_text(encoding="utf-8"))
    assert isinstance(entries, list)
    return entries
