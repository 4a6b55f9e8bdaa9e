"""Imports point down: spec, then engine, then checker; each outside library has one home."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("quarantia_spec", "quarantia_engine", "quarantia_checker")
FOLDERS = {
    "quarantia_spec": ROOT / "spec" / "quarantia_spec",
    "quarantia_engine": ROOT / "engine" / "quarantia_engine",
    "quarantia_checker": ROOT / "checker" / "quarantia_checker",
}
MODULES = [
    pytest.param(layer, path, id=path.relative_to(ROOT).as_posix())
    for layer, folder in FOLDERS.items()
    for path in sorted(folder.rglob("*.py"))
]


# A mutant is a slightly wrong text, made from the tree of the right one.
WORKS_ON_THE_TEXT = ("mutating", "mutants")


def imported_modules(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file it does so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom():
                yield "a relative import"


def test_the_modules_are_found() -> None:
    assert {layer for layer in LAYERS for path in FOLDERS[layer].glob("*.py")} == set(LAYERS)


@pytest.mark.parametrize(("layer", "path"), MODULES)
def test_imports_point_down(layer: str, path: Path) -> None:
    above = LAYERS[LAYERS.index(layer) + 1 :]
    wrong = {name for name in imported_modules(path) if name.split(".")[0] in above}
    assert not wrong, f"{layer} may not import {sorted(wrong)}"
    assert "a relative import" not in set(imported_modules(path))


@pytest.mark.parametrize(("layer", "path"), MODULES)
def test_each_library_has_one_home(layer: str, path: Path) -> None:
    roots = {name.split(".")[0] for name in imported_modules(path)}
    if path not in (FOLDERS["quarantia_spec"] / name for name in ("parser.py", "build.py")):
        assert "lark" not in roots
    if layer != "quarantia_checker":
        assert not roots & {"z3", "cvc5"}


@pytest.mark.parametrize(("layer", "path"), MODULES)
def test_back_ends_read_only_the_intermediate_form(layer: str, path: Path) -> None:
    if layer == "quarantia_spec" or path.parent.name == "commands":
        return
    if path.stem in WORKS_ON_THE_TEXT:
        return
    names = set(imported_modules(path))
    assert not names & {"quarantia_spec.syntax", "quarantia_spec.parser"}


@pytest.mark.parametrize(("layer", "path"), MODULES)
def test_modules_are_named_for_what_they_do(layer: str, path: Path) -> None:
    assert path.stem not in {"utils", "common", "helpers", "misc"}


def test_games_are_not_known_by_name() -> None:
    games = {path.parent.name for path in (ROOT / "spec" / "quarantia_games").glob("*/*.rules")}
    for folder in FOLDERS.values():
        for path in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    assert node.value not in games, f"{path}:{node.lineno} knows {node.value}"
    assert not list((ROOT / "spec" / "quarantia_games").rglob("*/*.py"))
