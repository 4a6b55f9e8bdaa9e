"""Contests are fair, rows keep to their contract, and absent is neither passed nor missed."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from bench import peers
from bench.contest import Row, Unit, take_turns
from bench.playing import GAME_LIMITS, openspiel_rows
from bench.report import print_table, write_json
from bench.run import exit_status
from quarantia_spec.pipeline import game_names, load_game

LARGE_GAME = 100  # cells

REACHED = Row("palace", "flat-python", Unit.STEPS, 0.6, 70.0, 100.0)
MISSED = Row("palace", "flat-python", Unit.STEPS, 0.6, 50.0, 100.0)
ABSENT = Row("pig", "openspiel-python", Unit.PLAYOUTS, 0.8, 9.0, None, "not installed")


def test_sides_take_turns_and_nobody_is_always_first() -> None:
    order: list[str] = []
    figures = {"ours": iter((1.0, 5.0, 3.0)), "theirs": iter((2.0, 1.0, 9.0))}

    def side(name: str) -> float:
        order.append(name)
        return next(figures[name])

    best = take_turns({name: lambda n=name: side(n) for name in figures}, Unit.STEPS, 3)  # type: ignore[misc]
    assert order == ["ours", "theirs", "theirs", "ours", "ours", "theirs"]
    assert best == {"ours": 5.0, "theirs": 9.0}


def test_the_best_time_is_the_shortest() -> None:
    times = iter((30.0, 10.0, 20.0))
    assert take_turns({"ours": lambda: next(times)}, Unit.MILLISECONDS, 3) == {"ours": 10.0}


@pytest.mark.parametrize(
    ("unit", "ours", "theirs", "ratio"),
    [(Unit.STEPS, 50.0, 100.0, 0.5), (Unit.MILLISECONDS, 50.0, 100.0, 2.0)],
)
def test_a_ratio_above_one_means_that_ours_is_better(
    unit: Unit, ours: float, theirs: float, ratio: float
) -> None:
    assert Row("a", "b", unit, 1, ours, theirs).ratio == ratio


def test_a_row_has_the_fields_of_the_contract(tmp_path: Path) -> None:
    write_json([REACHED, ABSENT], tmp_path / "new" / "bench.json")
    reached, absent = json.loads((tmp_path / "new" / "bench.json").read_text(encoding="utf-8"))
    assert reached == {
        "bench": "palace",
        "against": "flat-python",
        "unit": "steps/s",
        "ours": 70.0,
        "theirs": 100.0,
        "ratio": 0.7,
        "bar": 0.6,
        "ok": True,
    }
    assert absent["ok"] is None
    assert absent["absent"] == "not installed"


def test_the_exit_status_is_one_when_a_bar_is_missed_or_a_group_breaks() -> None:
    assert exit_status([REACHED, ABSENT], 0) == 0
    assert exit_status([REACHED, MISSED], 0) == 1
    assert exit_status([REACHED], 1) == 1


@pytest.mark.parametrize("with_rich", [True, False])
def test_the_table_tells_passed_missed_and_absent_apart(
    with_rich: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not with_rich:
        monkeypatch.setitem(__import__("sys").modules, "rich.console", None)
    out = io.StringIO()
    print_table([REACHED, MISSED, ABSENT], out)
    lines = out.getvalue().splitlines()
    assert any("0.7" in line and "ok" in line for line in lines)
    assert any("0.5" in line and "missed" in line for line in lines)
    assert any("absent: not installed" in line and "ok" not in line for line in lines)


def test_every_large_game_has_a_limit() -> None:
    """A game of many cells is measured: nobody would notice that it became slow."""
    measured = {game for game, _, _ in GAME_LIMITS}
    large = {
        name for name in game_names() if "/" not in name and load_game(name).cells > LARGE_GAME
    }
    assert large == measured


def test_peers_that_are_not_installed_are_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "interpreter", lambda: None)
    rows = openspiel_rows(1)
    assert len(rows) == 9
    assert all(row.ok is None and "bench-peers" in row.absent for row in rows)
    assert exit_status(rows, 0) == 0
