"""Engines that play from the rules, and engines that do one thing differently.

Each wrong engine changes what the right one answers in one respect, so that each level of
comparison has something that only it can see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from quarantia_checker.conform.client import Client
from quarantia_checker.conform.link import Direct
from quarantia_checker.conform.reference import Reference
from quarantia_checker.conform.server import Server
from quarantia_checker.conform.tester import Tester
from quarantia_checker.conform.vocabulary import Vocabulary
from quarantia_engine import Engine

Change = Callable[[dict[str, Any]], None]


class Changed:
    """Answers like the rules, with each report changed; without digests, which would not fit."""

    def __init__(self, engine: Engine, change: Change) -> None:
        self._server = Server(lambda players: engine)
        self._change = change

    def handle(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        reply = self._server.handle(request)
        result = reply.get("result")
        if isinstance(result, dict):
            if request["method"] == "hello":
                result["digests"] = False
            for report in [result, *result.get("positions", [])]:
                if "to_act" in report:
                    self._change(report)
        return reply


def against(engine: Engine, handle: Callable[[Mapping[str, Any]], Any] | None = None) -> Tester:
    """A tester of an engine in this process; of the rules themselves when none is given."""
    chosen = handle or Server(lambda players: engine).handle
    client = Client(lambda: Direct(chosen))
    hello = client.hello(engine.game.name, engine.fingerprint, "tests")
    return Tester(client, Vocabulary(Reference(engine), fields=hello.fields), hello)


def changed(engine: Engine, change: Change) -> Tester:
    return against(engine, Changed(engine, change).handle)
