"""`quarantia trace GAME --rulebook FILE`: the reader's own copy of the rulebook, and the rules."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from quarantia_checker.commands import OK, REFUTED, UsageError

if TYPE_CHECKING:
    from quarantia_checker.rulebooks.statements import Statement
    from quarantia_spec.inventory import Declared
    from quarantia_spec.passages import Passages
    from quarantia_spec.pipeline import Sources


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's name, or a path to a .rules file")
    parser.add_argument(
        "--rulebook", required=True, type=Path, metavar="FILE", help="your copy, as plain text"
    )
    parser.add_argument(
        "--collate", type=Path, metavar="OTHER", help="compare with another copy of the same book"
    )
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="write the book and the rules side by side"
    )
    parser.add_argument("--brief", action="store_true", help="only what is wrong, and the numbers")


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """After: the trace is written; the status says whether something is missing or differs."""
    from quarantia_checker.rulebooks import collation, report
    from quarantia_checker.rulebooks.coverage import trace
    from quarantia_checker.rulebooks.cues import cues_for
    from quarantia_checker.rulebooks.page import html_page
    from quarantia_checker.rulebooks.statements import split

    declared, passages = declared_in(options.game)
    statements = split(_read(options.rulebook))
    if not statements:
        raise UsageError(f"there is no text in {options.rulebook}", "give a plain text file")
    cues = cues_for(passages.language)
    found = trace(statements, cues, passages, declared)
    differences: tuple[collation.Difference, ...] = ()
    if options.collate is not None:
        other: tuple[Statement, ...] = split(_read(options.collate))
        differences = collation.collate(statements, other, cues)
    title = passages.title or str(options.game)
    if options.html is not None:
        _write(options.html, html_page(title, found, declared, passages))
    if options.json:
        answer: dict[str, Any] = {"game": str(options.game), **report.trace_json(found)}
        if options.collate is not None:
            answer["differences"] = [report.difference_json(each) for each in differences]
        json.dump(answer, out, indent=2, ensure_ascii=False)
        out.write("\n")
    else:
        report.write_trace(out, title, str(options.rulebook), found, options.brief)
        if options.collate is not None:
            report.write_differences(out, str(options.collate), differences)
    return OK if found.complete and not differences else REFUTED


def declared_in(game: str | Path) -> tuple[tuple[Declared, ...], Passages]:
    """What a game and the others in its folder declare, each once, and the passages they share.

    Raises RulesError when the files are wrong or the passages name rules that do not exist.
    """
    from quarantia_checker.rulebooks.coverage import unknown_rules
    from quarantia_spec.diagnostics import Code, Diagnostic, RulesError
    from quarantia_spec.passages import place_of
    from quarantia_spec.pipeline import find_sources, load_game
    from quarantia_spec.suggest import closest

    load_game(game)  # what is wrong with the rules is said before anything else
    sources = find_sources(game)
    declared = _declared(sources)
    passages = _passages(sources)
    names = {each.name for each in declared}
    unknown = unknown_rules(passages, declared)
    if unknown and sources.passages is not None:
        book = sources.passages
        raise RulesError(
            Diagnostic(
                Code.UNKNOWN_RULE,
                f"pin {pin}: the rules declare no `{name}`",
                place_of(pin, book.text, book.name),
                f"did you mean `{near}`?" if (near := closest(name, names)) else "name a rule",
            )
            for pin, name in unknown
        )
    return declared, passages


def _passages(sources: Sources) -> Passages:
    from quarantia_spec.passages import Passages, parse_passages

    book = sources.passages
    return parse_passages(book.text, book.name)[0] if book is not None else Passages()


def _declared(sources: Sources) -> tuple[Declared, ...]:
    """Of the files of a game and of those beside them, each read once."""
    from quarantia_spec.diagnostics import RulesError
    from quarantia_spec.inventory import inventory
    from quarantia_spec.pipeline import Sources as Files
    from quarantia_spec.pipeline import find_sources, parse

    files = {file.name: file for file in sources.rules}
    for beside in sorted(sources.folder.glob("*.rules")) if sources.folder else []:
        try:
            files.update((file.name, file) for file in find_sources(beside).rules)
        except RulesError:
            continue  # a variant that is not ready is no business of this game
    found: list[Declared] = []
    for file in files.values():
        modules, _, _ = parse(Files((file,), None, None))
        found.extend(inventory(modules, (file,)))
    return tuple(found)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}", "give your copy of the rulebook as plain text"
        ) from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
