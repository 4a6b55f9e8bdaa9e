"""From pages to a site: documents gathered in one folder, then MkDocs. Read `publish`.

Inside a checkout the project's own documents and `mkdocs.yml` are used, and the games are added to
them; anywhere else the site has the games alone.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import resources
from pathlib import Path

from quarantia_checker.commands import UsageError
from quarantia_checker.site.labels import label
from quarantia_checker.site.making import LANGUAGES, Made, make_game
from quarantia_checker.site.page import FOLDERS, PAGES, restored
from quarantia_spec.words import Language

CONFIGURATION = "mkdocs.yml"
DOCUMENTS = "docs"
NAVIGATION = "navigation.json"
AT_THE_ROOT = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")


def package_folder() -> Path:
    return Path(str(resources.files("quarantia_checker"))) / "site"


def project_folder() -> Path | None:
    """The checkout that we stand in, when it has documents of its own for the site."""
    here = Path.cwd()
    fits = (here / CONFIGURATION).is_file() and (here / DOCUMENTS / "index.md").is_file()
    return here if fits and (here / "checker" / "quarantia_checker").is_dir() else None


def make_games(
    games: Sequence[str], results: Path | None, jobs: int, progress: Callable[[str], None]
) -> list[Made]:
    """The pages of all games, in the order in which they were asked for."""
    made: dict[str, Made] = {}
    if jobs <= 1 or len(games) == 1:
        for name in games:
            progress(f"{name}: pages")
            made[name] = make_game(name, results)
    else:
        # The largest first, so that no core is idle at the end.
        with ProcessPoolExecutor(max_workers=min(jobs, len(games))) as executor:
            futures = {
                executor.submit(make_game, name, results): name
                for name in sorted(games, reverse=True)
            }
            for done in as_completed(futures):
                progress(f"{futures[done]}: pages made")
                made[futures[done]] = done.result()
    return [made[name] for name in games]


def gather(made: Sequence[Made], project: Path | None, folder: Path) -> None:
    """After: the folder has every document of the site and nothing else."""
    if folder.exists():
        shutil.rmtree(folder)
    if project is not None:
        _copy_project(project, folder)
    else:
        folder.mkdir(parents=True)
        listed = _index(made, "en").replace("(", "(games/").replace("games/../", "")
        (folder / "index.md").write_text(listed, encoding="utf-8")
    shutil.copytree(package_folder() / "assets", folder / "quarantia")
    for each in made:
        for page in each.pages:
            _write(folder / page.path, page.text)
        for frames in each.frames:
            _write(folder / frames.path, frames.text)
    for language in LANGUAGES:
        base = folder / FOLDERS[language]
        _write(base / "index.md", _index(made, language))
        _write(base / NAVIGATION, json.dumps(_navigation(made, language), ensure_ascii=False))


def _copy_project(project: Path, folder: Path) -> None:
    """The project's own documents; what lies at its root; and what its commands say of themselves."""
    from quarantia_checker.site.commands_page import commands_page

    ignored = shutil.ignore_patterns("*.py", "__pycache__")
    shutil.copytree(project / DOCUMENTS, folder, ignore=ignored)
    for name in AT_THE_ROOT:
        if (project / name).is_file():
            (folder / "project").mkdir(exist_ok=True)
            text = (project / name).read_text(encoding="utf-8")
            (folder / "project" / name).write_text(text, encoding="utf-8")
    _write(folder / "reference" / "commands.md", commands_page())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _index(made: Sequence[Made], language: Language) -> str:
    """The list of all games in one language."""
    head = ["games", "players word", "doubts", "proofs"]
    lines = [
        f"---\nlang: {language}\n---\n",
        f"# {label(language, 'games')}\n",
        f"{label(language, 'index page')}\n",
        f"| {' | '.join(label(language, each) for each in head)} |",
        f"|{' --- |' * len(head)}",
    ]
    slugs = {key: english if language == "en" else french for key, english, french in PAGES}
    for each in made:
        counts = (
            str(each.counts[0]) if len(each.counts) == 1 else f"{each.counts[0]}–{each.counts[-1]}"
        )
        proofs = label(language, "unchecked short")
        if each.checked:
            proofs = label(language, "of", good=each.good, all=each.results)
        lines.append(
            f"| [{each.titles[language]}]({each.slug}/index.md) | {counts} "
            f"| [{each.doubts}]({each.slug}/{slugs['ambiguities']}.md) "
            f"| [{proofs}]({each.slug}/{slugs['proved']}.md) |"
        )
    return "\n".join([*lines, ""])


def _navigation(made: Sequence[Made], language: Language) -> list[list[object]]:
    """Titles and paths, in order: what the navigation of the site shows for the games."""
    base = FOLDERS[language]
    found: list[list[object]] = []
    for each in made:
        pages = [
            [
                label(language, key),
                f"{base}/{each.slug}/{(english if language == 'en' else french) or 'index'}.md",
            ]
            for key, english, french in PAGES
        ]
        found.append([each.titles[language], pages])
    return found


def publish(folder: Path, site: Path, project: Path | None) -> None:
    """Runs MkDocs, strictly. Raises UsageError when it is not installed or finds something wrong."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    try:
        from mkdocs.commands.build import build
        from mkdocs.config import load_config
        from mkdocs.exceptions import Abort, MkDocsException
    except ImportError:
        raise UsageError("the site needs MkDocs", "pip install 'quarantia[docs]'") from None
    chosen = (project or package_folder()) / CONFIGURATION
    logger = logging.getLogger("mkdocs")
    logger.setLevel(logging.WARNING)
    if not logger.handlers:
        logger.addHandler(logging.StreamHandler())
    try:
        configuration = load_config(
            str(chosen), docs_dir=str(folder.resolve()), site_dir=str(site.resolve()), strict=True
        )
        configuration.plugins.on_startup(command="build", dirty=False)
        build(configuration)
        configuration.plugins.on_shutdown()
    except (Abort, MkDocsException) as error:
        raise UsageError(f"the site cannot be built: {error}") from None


def restore(made: Sequence[Made], site: Path) -> None:
    """Puts what was set aside into the built pages."""
    for each in made:
        for page in each.pages:
            if page.aside:
                path = site / page.built
                path.write_text(
                    restored(path.read_text(encoding="utf-8"), page.aside), encoding="utf-8"
                )


# --- what can be checked without building -----------------------------------------------------------


def problems(made: Sequence[Made]) -> Iterator[str]:
    """Links that lead nowhere, and what has no French words."""
    from quarantia_checker.site.links import broken_links

    for each in made:
        yield from (f"{each.name}: no French for {what}" for what in each.untold)
        yield from broken_links(each.pages)
