"""Results for people, for programs and for continuous integration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO
from xml.etree import ElementTree

from rich.console import Console
from rich.table import Table
from rich.text import Text

from quarantia_checker.verdict import Kind, Result, Verdict, summary

STYLES = {
    Verdict.PROVED: "green",
    Verdict.HOLDS: "green",
    Verdict.REFUTED: "bold red",
    Verdict.FAILS: "bold red",
    Verdict.UNSETTLED: "yellow",
}


def as_json(game: str, results: Sequence[Result], seconds: float) -> dict[str, Any]:
    return {
        "game": game,
        "rules": rules_of(game),
        "results": [result.as_json() for result in results],
        "summary": summary(results, seconds),
    }


def rules_of(game: str) -> dict[str, str]:
    """What the rules were, by number of players, so that a saved answer can be known as stale."""
    from quarantia_spec.pipeline import load_game

    counts = load_game(game).player_counts
    return {str(count): load_game(game, count).fingerprint for count in counts}


def ordered(results: Iterable[Result]) -> list[Result]:
    kinds = list(Kind)
    return sorted(results, key=lambda each: (kinds.index(each.kind), each.players))


def write_table(
    out: TextIO, game: str, results: Sequence[Result], saved: Mapping[int, str], seconds: float
) -> None:
    """A table with one row per claim, the numbers of players with one verdict put together."""
    console = Console(file=out, highlight=False, width=None if out.isatty() else 110)
    table = Table(title=game, title_justify="left", box=None, pad_edge=False)
    for heading in ("verdict", "kind", "what", "players", "how"):
        table.add_column(heading, overflow="fold")
    for rows in _grouped(results):
        first = rows[0]
        word = first.verdict.value
        style = STYLES[first.verdict]
        if first.verdict.bad and first.ruled:
            word, style = f"{word}, ruled", "cyan"
        elif first.warning and not first.verdict.good:
            word, style = f"{word} (warning)", "magenta"
        passages = " ".join(first.passages)
        table.add_row(
            Text(word, style),
            first.kind.value,
            Text(f"{first.name}  {passages}".rstrip()),
            ", ".join(str(row.players) for row in rows),
            Text(first.detail),
        )
    console.print(table)
    for number, result in enumerate(results):
        if result.counts and not result.verdict.good:
            _write_story(console, result, saved.get(number, ""))
    counts = summary(results, seconds)
    console.print(
        f"{counts['proved']} proved or holding, {counts['refuted']} refuted "
        f"({counts['unruled']} without a ruling), {counts['unsettled']} unsettled, "
        f"in {counts['seconds']:.1f} s"
    )


def _grouped(results: Sequence[Result]) -> list[list[Result]]:
    groups: dict[tuple[object, ...], list[Result]] = {}
    for each in results:
        key = (each.kind, each.name, each.verdict, each.ruled, str(each.origin.span))
        groups.setdefault(key, []).append(each)
    return list(groups.values())


def _write_story(console: Console, result: Result, saved: str) -> None:
    console.print()
    heading = f"{result.verdict.value}: {result.kind.value} {result.name}, {result.players} players"
    console.print(Text(heading, STYLES[result.verdict]))
    if result.detail:
        console.print(Text(f"  {result.detail}"))
    if result.trace is not None:
        for number, line in enumerate(result.trace.get("story", ()), 1):
            console.print(Text(f"  {number}. {line}"))
    if result.position is not None:
        cells = ", ".join(f"{k} = {v}" for k, v in result.position["cells"].items())
        console.print(Text(f"  position: {cells or 'every cell at its lowest value'}"))
    if saved:
        console.print(Text(f"  quarantia replay {saved}"), soft_wrap=True)


def junit(reports: Mapping[str, Sequence[Result]]) -> bytes:
    """JUnit XML: a suite per game; what is unsettled is an error, what is refuted a failure."""
    root = ElementTree.Element("testsuites")
    for game, results in reports.items():
        failures = sum(result.counts and result.verdict.bad for result in results)
        errors = sum(result.counts and result.verdict is Verdict.UNSETTLED for result in results)
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=game,
            tests=str(len(results)),
            failures=str(failures),
            errors=str(errors),
        )
        for result in results:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=f"{game}.{result.kind.value}",
                name=f"{result.name} ({result.players} players)",
                time=f"{result.seconds:.3f}",
            )
            if result.counts and not result.verdict.good:
                tag = "failure" if result.verdict.bad else "error"
                told = ElementTree.SubElement(case, tag, message=result.detail)
                if result.trace is not None:
                    told.text = "\n".join(result.trace.get("story", ()))
    content: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def github_lines(results: Iterable[Result]) -> Iterable[str]:
    """GitHub workflow commands, one line for each result that is not good."""
    for result in results:
        if result.verdict.good or (result.ruled and result.verdict.bad):
            continue
        level = "error" if result.counts and result.verdict.bad else "warning"
        span = result.origin.span
        message = f"{result.kind.value} {result.name}: {result.verdict.value}"
        if result.detail:
            message += f" ({result.detail})"
        yield (
            f"::{level} file={_escaped(span.file, True)},line={span.line},col={span.column}"
            f"::{_escaped(message, False)}"
        )


def _escaped(text: str, property_value: bool) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if property_value else text
