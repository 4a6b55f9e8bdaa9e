"""The passes in order, by name: files in, a game out. Start at `load`."""

from __future__ import annotations

import gc
import pickle
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from quarantia_spec import ir
from quarantia_spec.cache import content_key, read_cached, write_cached
from quarantia_spec.diagnostics import Code, Diagnostic, Reporter, RulesError, Severity
from quarantia_spec.limits import TooDeep
from quarantia_spec.source import SourceFile, Span
from quarantia_spec.suggest import closest

if TYPE_CHECKING:
    from quarantia_spec import syntax
    from quarantia_spec.passages import Passages

VERSION = "1"  # part of every cache key: change it when the IR changes its meaning
PASSAGES = "passages.toml"

_NO_READINGS: Mapping[str, str] = {}
_NO_OPTIONS: Mapping[str, int | str] = {}


@dataclass(frozen=True, slots=True)
class Sources:
    """Every file that a game is made of: rules (base first) and passages."""

    rules: tuple[SourceFile, ...]
    passages: SourceFile | None
    folder: Path | None


def games_folder() -> Path:
    return Path(str(resources.files("quarantia_games")))


def game_names() -> tuple[str, ...]:
    """The games that come with Quarantia, each followed by its variants: `doge`, `doge/solo`.

    A game is a folder with a rules file of its own name; the other rules files are its variants.
    """
    names: list[str] = []
    for folder in sorted(games_folder().iterdir()):
        if (folder / f"{folder.name}.rules").is_file():
            names.append(folder.name)
            names.extend(_variants(folder))
    return tuple(names)


def with_variants(game: str) -> tuple[str, ...]:
    """A game and, when it comes with Quarantia and is no variant itself, its variants."""
    names = game_names()
    return (game, *(name for name in names if name.startswith(f"{game}/") and game in names))


def _variants(folder: Path) -> list[str]:
    others = sorted(path.stem for path in folder.glob("*.rules") if path.stem != folder.name)
    return [f"{folder.name}/{stem}" for stem in others]


def load_game(
    game: str | Path,
    players: int | None = None,
    readings: Mapping[str, str] = _NO_READINGS,
    options: Mapping[str, int | str] = _NO_OPTIONS,
) -> ir.Game:
    """A game by name or path, for a number of players (the fewest when None).

    Options are given by value, or as text in the words of the rules: `{"storms": "true"}`.

    Raises RulesError with every diagnostic when the rules are wrong.
    """
    return load_with_warnings(game, players, readings, options)[0]


def load_with_warnings(
    game: str | Path,
    players: int | None = None,
    readings: Mapping[str, str] = _NO_READINGS,
    options: Mapping[str, int | str] = _NO_OPTIONS,
) -> tuple[ir.Game, list[Diagnostic]]:
    """The same, with what is worth telling the author although the game can be played."""
    found, diagnostics = load(find_sources(game), players, readings, options)
    if found is None:
        raise RulesError(diagnostics)
    return found, diagnostics


def load_data(
    name: str | Path, game: ir.Game, file: str | Path | None = None
) -> dict[str, tuple[int, ...]]:
    """The data of a game found by name or path: from `file`, else from its own folder.

    A variant without data of its own takes those of the game that it extends.
    """
    if all(table.values is not None for table in game.tables):
        return {}
    from quarantia_spec import data  # not for games that need none

    if file is not None:
        return data.load_data(Path(file), game)
    folders = [path.parent for path in reversed(_chain(rules_path(name)))]
    having = [folder for folder in folders if (folder / data.DATA).is_file()]
    return data.load_data((having or folders)[0] / data.DATA, game)


def load(
    sources: Sources,
    players: int | None = None,
    readings: Mapping[str, str] = _NO_READINGS,
    options: Mapping[str, int | str] = _NO_OPTIONS,
) -> tuple[ir.Game | None, list[Diagnostic]]:
    """The game and what is to be said about it; errors leave no game. Results are cached."""
    key = content_key(
        VERSION,
        _own_fingerprint(),
        *(part for file in sources.rules for part in (file.name, file.text)),
        sources.passages.text if sources.passages else "",
        repr((players, sorted(readings.items()), sorted(options.items()))),
    )
    saved = read_cached("games", key)
    if saved is not None:
        try:
            game, diagnostics = pickle.loads(saved)
            return game, diagnostics
        except Exception:  # a damaged cache file is as good as none
            pass
    collecting = gc.isenabled()
    gc.disable()  # nothing that is made here is thrown away
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))  # a term may use another that uses another …
    try:
        game, diagnostics = _load(sources, players, readings, options)
        if game is not None:
            _ = game.fingerprint  # kept with the game, so that it is worked out once
            write_cached("games", key, pickle.dumps((game, diagnostics)))
    except RecursionError:  # one definition leads to the next, thousands of times
        last = sources.rules[-1].name
        return None, [TooDeep(Span(last, 1, 1, 2, 1)).as_diagnostic()]
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()
    return game, diagnostics


def _load(
    sources: Sources,
    players: int | None,
    readings: Mapping[str, str],
    options: Mapping[str, int | str],
) -> tuple[ir.Game | None, list[Diagnostic]]:
    modules, passages, found = parse(sources)
    if any(each.severity is Severity.ERROR for each in found):
        return None, found
    game, more = elaborate(modules, passages, players, readings, options)
    return game, list(dict.fromkeys([*found, *more]))


def parse(sources: Sources) -> tuple[list[syntax.Module], Passages, list[Diagnostic]]:
    """The trees of the files, base first, and what is to be said about their form."""
    from quarantia_spec.parser import parse_module  # not for games that the cache has
    from quarantia_spec.passages import Passages, parse_passages

    reporter = Reporter()
    passages = Passages()
    if sources.passages is not None:
        passages, found = parse_passages(sources.passages.text, sources.passages.name)
        reporter.found.extend(found)
    modules: list[syntax.Module] = []
    for file in sources.rules:
        module, found = parse_module(file)
        reporter.found.extend(found)
        if module is not None:
            modules.append(module)
    return modules, passages, reporter.found


def elaborate(
    modules: Sequence[syntax.Module],
    passages: Passages,
    players: int | None = None,
    readings: Mapping[str, str] = _NO_READINGS,
    options: Mapping[str, int | str] = _NO_OPTIONS,
) -> tuple[ir.Game | None, list[Diagnostic]]:
    """What well-formed trees mean."""
    from quarantia_spec.elaborate import elaborate_game  # not for games that the cache has

    reporter = Reporter()
    game = elaborate_game(modules, passages, players, readings, options, reporter)
    return (None if reporter.failed else game), reporter.found


def load_text(
    text: str,
    name: str = "game.rules",
    players: int | None = None,
    passages: str | None = None,
    readings: Mapping[str, str] = _NO_READINGS,
    options: Mapping[str, int | str] = _NO_OPTIONS,
) -> tuple[ir.Game | None, list[Diagnostic]]:
    """A game from a text, for tests and the documentation's examples."""
    book = None if passages is None else SourceFile(PASSAGES, passages)
    return load(Sources((SourceFile(name, text),), book, None), players, readings, options)


# --- files ------------------------------------------------------------------------------------


def find_sources(game: str | Path) -> Sources:
    """The files of a game given by name or by the path of a `.rules` file."""
    path = rules_path(game)
    files: list[SourceFile] = []
    book: SourceFile | None = None
    for current in _chain(path):
        files.append(read_source(current))
        beside = current.parent / PASSAGES
        if beside.is_file():  # a variant's own passages go before those of its game
            book = read_source(beside)
    return Sources(tuple(files), book, path.parent)


def _chain(path: Path) -> list[Path]:
    """The rules files that a game is made of, the one that extends no other first."""
    chain = [path]
    while True:
        file = read_source(chain[0])
        found = extended_path(file, chain[0])
        if found is None:
            return chain
        base, place = found
        if any(base.resolve() == path.resolve() for path in chain):
            raise RulesError(
                [Diagnostic(Code.CIRCULAR, "the game extends itself", place, "remove `extends`")]
            )
        if not base.is_file():
            message = f"there is no file {shown_path(base)} to extend"
            help = "give the path of the other game's rules, seen from this file"
            raise RulesError([Diagnostic(Code.CANNOT_READ, message, place, help)])
        chain.insert(0, base)


def _refused(code: Code, message: str, file: str, help: str) -> RulesError:
    return RulesError([Diagnostic(code, message, Span(file, 1, 1, 1, 2), help)])


def extended_path(file: SourceFile, path: Path) -> tuple[Path, Span] | None:
    """The file that a game extends and where it says so; the parser reports malformed lines."""
    for number, line in enumerate(file.text.split("\n"), 1):
        words = line.split('"')
        if line.startswith("game ") and len(words) >= 4 and words[2].strip() == "extends":
            column = len('"'.join(words[:3])) + 1
            return path.parent / words[3], Span(
                file.name, number, column, number, column + len(words[3]) + 2
            )
        if line.strip() and not line.lstrip().startswith("#"):
            break
    return None


def rules_path(game: str | Path) -> Path:
    """The rules file of a game found by name or path."""
    path = Path(game)
    if path.suffix == ".rules" or path.is_file():
        return path
    if path.is_dir() and (path / f"{path.name}.rules").is_file():
        return path / f"{path.name}.rules"
    names = game_names()
    wanted = str(game)
    if wanted in names:
        folder, _, variant = wanted.partition("/")
        return games_folder() / folder / f"{variant or folder}.rules"
    near = closest(wanted, names)
    help = f"did you mean `{near}`?" if near else f"there are {', '.join(names)}"
    raise _refused(Code.UNKNOWN_GAME, f"there is no game called `{wanted}`", wanted, help)


def read_source(path: Path) -> SourceFile:
    name = shown_path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise _refused(
            Code.CANNOT_READ,
            f"cannot read the file: {reason}",
            name,
            "check its name and its rights",
        ) from None
    try:
        return SourceFile(name, content.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8-sig", "replace")) + 1
        place = Span(name, line, column, line, column + 1)
        raise RulesError(
            [Diagnostic(Code.NOT_TEXT, "this is not UTF-8 text", place, "save the file as UTF-8")]
        ) from None


def shown_path(path: Path) -> str:
    """Short in messages: relative to the games, or to where we are, when it lies below."""
    for base in (games_folder(), Path.cwd()):
        try:
            return str(path.resolve().relative_to(base.resolve()))
        except ValueError:
            continue
    return str(path)


_fingerprint: str | None = None


def _own_fingerprint() -> str:
    """Changes whenever the front end does, so that no stale game is ever loaded."""
    global _fingerprint
    if _fingerprint is None:
        folder = Path(__file__).parent
        parts = [
            f"{file.relative_to(folder)}:{file.stat().st_size}:{file.stat().st_mtime_ns}"
            for file in sorted([*folder.rglob("*.py"), *folder.rglob("*.lark")])
        ]
        _fingerprint = content_key(*parts)
    return _fingerprint
