"""The pages about the engine: the tutorial runs, the reference is what the code says."""

from __future__ import annotations

import doctest
import importlib.util
from pathlib import Path
from types import ModuleType

import quarantia_engine

DOCS = Path(__file__).parent.parent.parent / "docs"


def generator() -> ModuleType:
    path = DOCS / "engine_reference.py"
    spec = importlib.util.spec_from_file_location("engine_reference", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tutorial_runs() -> None:
    result = doctest.testfile(
        str(DOCS / "guides" / "playing-from-python.md"),
        module_relative=False,
        optionflags=doctest.IGNORE_EXCEPTION_DETAIL,
    )
    assert result.attempted > 20
    assert result.failed == 0


def test_the_reference_is_what_the_code_says() -> None:
    module = generator()
    written = (DOCS / "reference" / "engine.md").read_text(encoding="utf-8")
    assert written == module.page(), "run `python docs/engine_reference.py`"


def test_everything_offered_is_in_the_reference() -> None:
    listed = [name for _, names in generator().SECTIONS for name in names]
    assert sorted(listed) == sorted(quarantia_engine.__all__)


def test_everything_offered_is_described() -> None:
    for name in quarantia_engine.__all__:
        assert getattr(quarantia_engine, name).__doc__, name
