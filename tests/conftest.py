"""What all tests share: repeatable Hypothesis runs, and a cache of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase

ROOT = Path(__file__).parent.parent

# The same examples every time, so that a failure is the change's fault and not the day's;
# `pytest --hypothesis-profile=explore` goes looking for new ones.
settings.register_profile("repeatable", deadline=None, derandomize=True, database=None)
settings.register_profile(
    "explore",
    deadline=None,
    max_examples=2_000,
    database=DirectoryBasedExampleDatabase(ROOT / "build" / "hypothesis"),
)
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Tests leave nothing in the cache of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        directory = tmp_path_factory.mktemp("cache")
        patch.setenv("QUARANTIA_CACHE", str(directory))
        yield directory
