"""Checking on a cluster: the same verdicts, and an address where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from quarantia_checker.checking import check_games, tasks_for
from tests.checker.judging import QUICK
from tests.command_line import quarantia

distributed = pytest.importorskip("distributed", reason="Dask is not installed")

pytestmark = pytest.mark.filterwarnings("default")  # of Dask's own making


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_comes_to_the_same_verdicts(address: str) -> None:
    tasks = tasks_for(["nim"], [], QUICK, use_cache=False)
    here = dict(check_games(tasks, 1, lambda text: None))
    there = dict(check_games(tasks, 1, lambda text: None, address))
    assert {
        task: [(each.kind, each.name, each.verdict) for each in results]
        for task, results in here.items()
    } == {
        task: [(each.kind, each.name, each.verdict) for each in results]
        for task, results in there.items()
    }


def test_where_no_cluster_is_nothing_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quarantia_checker.checking.CONNECTING", 1)
    answer = quarantia("check", "nim", "--cluster", "tcp://127.0.0.1:1")
    assert answer.status == 2
    assert "no cluster at tcp://127.0.0.1:1" in answer.err
