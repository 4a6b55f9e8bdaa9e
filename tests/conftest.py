"""What all tests share: the command line as a function, and repeatable Hypothesis runs."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase

from quarantia_checker import cli

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


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command line gave back."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(scope="session")
def quarantia() -> Callable[..., Answer]:
    """Run `quarantia` with these arguments, in this process."""

    def run(*argv: str | Path) -> Answer:
        out, err = io.StringIO(), io.StringIO()
        status = cli.run([str(word) for word in argv], out, err)
        return Answer(status, out.getvalue(), err.getvalue())

    return run


@pytest.fixture(scope="session", autouse=True)
def private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Tests leave nothing in the cache of whoever runs them."""
    before = os.environ.get("XDG_CACHE_HOME")
    directory = tmp_path_factory.mktemp("cache")
    os.environ["XDG_CACHE_HOME"] = str(directory)
    yield directory
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before
