"""Each level finds what only it can see, says it in words, and makes the game short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from quarantia_checker.conform.campaign import Campaign, Wanted
from quarantia_checker.conform.differing import Difference
from quarantia_checker.conform.protocol import Level
from quarantia_checker.conform.server import Server
from quarantia_checker.conform.shrinking import moves_in, shrink
from quarantia_checker.conform.telling import tell
from quarantia_checker.conform.tester import Tester
from quarantia_engine import Engine
from tests.conformance.tester.wrong_engines import Change, against, changed
from tests.engine.catalogue import engine_of

WANTED = Wanted(games=5, openings=20, limit=60, seconds=60.0, seed=0)
RIGHT = ["heap", "auction", "nim/2", "pig/2", "tictactoe/2", "connectfour/2"]


def found_by(tester: Tester) -> Difference | None:
    return Campaign(tester, WANTED).run()


@pytest.mark.parametrize("case", RIGHT)
def test_the_rules_conform_to_themselves(case: str) -> None:
    tester = against(engine_of(case))
    assert tester.digests
    assert found_by(tester) is None
    assert tester.games == WANTED.games + WANTED.openings


@pytest.mark.parametrize("case", ["heap", "auction", "pig/2"])
def test_the_rules_conform_without_digests(case: str) -> None:
    assert found_by(changed(engine_of(case), lambda report: None)) is None


def without_a_move(report: dict[str, Any]) -> None:
    if len(report.get("legal", ())) > 2:
        report["legal"] = report["legal"][:-1]


def with_a_move(report: dict[str, Any]) -> None:
    if report.get("legal") and report["legal"][0]["name"] == "take":
        more = {**report["legal"][-1], "args": {"n": 3}}
        if more not in report["legal"]:
            report["legal"].append(more)


def with_another_heap(report: dict[str, Any]) -> None:
    if "state" in report and report["state"]["heap"] == 5:
        report["state"]["heap"] = 6


def with_another_winner(report: dict[str, Any]) -> None:
    if report.get("outcome"):
        report["outcome"] = {"winners": [], "scores": None}


def with_another_actor(report: dict[str, Any]) -> None:
    if report["to_act"] == ["right"]:
        report["to_act"] = ["left"]


@pytest.mark.parametrize(
    ("change", "level", "words"),
    [
        (without_a_move, Level.LEGAL, "does not allow a legal move"),
        (with_a_move, Level.LEGAL, "allows a move that the rules forbid"),
        (with_another_heap, Level.STATE, "another position"),
        (with_another_winner, Level.OUTCOME, "another outcome"),
        (with_another_actor, Level.LEGAL, "somebody else act"),
    ],
)
def test_each_level_finds_its_own(change: Change, level: Level, words: str) -> None:
    tester = changed(engine_of("nim/2"), change)
    found = found_by(tester)
    assert found is not None
    assert found.level is level
    told = tell(tester.words, found)
    assert words in told.headline
    assert told.rules
    assert told.engine


def test_a_leak_is_found_and_called_so() -> None:
    engine = engine_of("doge/3")

    def open_views(report: dict[str, Any]) -> None:
        if "state" in report and "views" in report:
            report["views"] = dict.fromkeys(report["views"], report["state"])

    tester = changed(engine, open_views)
    found = found_by(tester)
    assert found is not None
    assert found.level is Level.VIEWS
    assert "hidden" in tell(tester.words, found).headline


def test_what_the_rules_say_comes_with_rule_and_passage() -> None:
    tester = changed(engine_of("nim/2"), with_a_move)
    found = found_by(tester)
    assert found is not None
    told = tell(tester.words, found)
    assert told.rule == "take"
    assert told.passages
    assert any("left" in sentence or "only" in sentence for sentence in told.rules)


def test_a_difference_is_made_short() -> None:
    tester = changed(engine_of("nim/2"), with_another_heap)
    found = tester.compare([tester.plan(seed, 60) for seed in range(20)])
    assert found is not None
    short = shrink(tester, found, 20.0)
    # Twelve in the heap, at most three at a time: seven are gone after three moves.
    assert moves_in(short.steps) == 3


class Forgiving(Server):
    """Carries out anything: what it cannot, it leaves out."""

    def handle(self, request: object) -> dict[str, Any]:
        reply = super().handle(request)
        if "error" in reply:
            return {"jsonrpc": "2.0", "id": reply["id"], "result": {"to_act": []}}
        return reply


class Half(Server):
    """Refuses an illegal step, and yet makes some legal one."""

    def handle(self, request: object) -> dict[str, Any]:
        reply = super().handle(request)
        if "error" in reply and isinstance(request, Mapping) and request.get("method") == "apply":
            report = super().handle({"id": 0, "method": "legal"})["result"]
            super().handle({"id": 0, "method": "apply", "params": {"moves": report["legal"][:1]}})
        return reply


@pytest.mark.parametrize(
    ("kind", "words"), [(Forgiving, "accepts a broken"), (Half, "yet changes its position")]
)
def test_what_must_be_refused(kind: type[Server], words: str) -> None:
    engine: Engine = engine_of("nim/2")
    tester = against(engine, kind(lambda players: engine).handle)
    found = found_by(tester)
    assert found is not None
    assert found.level is Level.REFUSALS
    assert words in tell(tester.words, found).headline


def test_wrong_digests_of_right_positions_are_told_apart() -> None:
    engine = engine_of("nim/2")
    server = Server(lambda players: engine)

    def handle(request: Mapping[str, Any]) -> dict[str, Any]:
        reply = server.handle(request)
        for report in reply.get("result", {}).get("positions", ()):
            report["state"] = 0
        return reply

    tester = against(engine, handle)
    found = found_by(tester)
    assert found is not None
    assert found.level is None
    assert "digests are wrong" in tell(tester.words, found).engine[0]


@pytest.mark.parametrize("method", ["undo", "perft"])
def test_undo_and_perft_are_compared(method: str) -> None:
    engine = engine_of("nim/2")
    server = Server(lambda players: engine)

    def handle(request: Mapping[str, Any]) -> dict[str, Any]:
        reply = server.handle(request)
        asked = request.get("method") if isinstance(request, dict) else None
        if asked == method and "result" in reply:
            if method == "perft":
                reply["result"]["count"] += 1
            else:
                reply["result"]["state"]["heap"] = (
                    12 if reply["result"]["state"]["heap"] < 12 else 0
                )
        return reply

    found = found_by(against(engine, handle))
    assert found is not None
    assert (found.undone > 0) == (method == "undo")
