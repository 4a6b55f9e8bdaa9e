"""What the pages at the root promise is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted(ROOT.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if not target.startswith("https:"):
            assert (ROOT / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert "check" in targets
    wanted = re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(wanted) <= targets


def test_every_package_ships_and_is_typed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    roots = project["tool"]["hatch"]["build"]["dev-mode-dirs"]
    found = {path for root in roots for path in (ROOT / root).glob("quarantia_*")}
    assert {path.relative_to(ROOT).as_posix() for path in found} == packages
    for path in found:
        assert (path / "__init__.py").exists()
        assert (path / "py.typed").exists() or path.name == "quarantia_games"


def test_dependencies_are_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [word for words in project["optional-dependencies"].values() for word in words]
    for requirement in [*project["dependencies"], *extras]:
        assert "==" in requirement or requirement.startswith("quarantia["), requirement


def test_architecture_fits_on_one_screen() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()) <= 60
