"""The register for people: a table, and the whole story of one defect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from quarantia_checker.register import Defect

MOST_MOVES = 12  # of a witness: the last ones tell the story

STYLES = {
    "observable": "cyan",
    "conflict": "cyan",
    "gap": "cyan",
    "fails": "bold red",
    "unsettled": "yellow",
}


def write(
    out: TextIO,
    game: str,
    defects: Sequence[Defect],
    impacts: Mapping[str, Mapping[str, Any]],
    language: str,
    show: str,
) -> int:
    """Print the register of a game; how many defects were told in full."""
    console = Console(file=out, highlight=False, width=None if out.isatty() else 110)
    if not show:
        _write_table(console, game, defects, impacts, language)
        for defect in defects:
            if defect.open:
                _write_story(console, defect, impacts.get(defect.id), language)
        return 0
    chosen = [defect for defect in defects if show in ("all", defect.id)]
    for defect in chosen:
        _write_story(console, defect, impacts.get(defect.id), language)
    return len(chosen)


def _write_table(
    console: Console,
    game: str,
    defects: Sequence[Defect],
    impacts: Mapping[str, Mapping[str, Any]],
    language: str,
) -> None:
    table = Table(title=game, title_justify="left", box=None, pad_edge=False)
    for heading in ("class", "id", "question", "verdict", "ruling"):
        table.add_column(heading, overflow="fold")
    if impacts:
        table.add_column("plays differ", overflow="fold")
    for defect in defects:
        row: list[str | Text] = [
            defect.kind.value,
            Text(defect.id),
            Text(f"{_question(defect, language)}  {' '.join(defect.passages)}".rstrip()),
            Text(
                defect.verdict, "bold red" if defect.open else STYLES.get(defect.verdict, "green")
            ),
            Text(defect.ruling or ("none yet" if defect.open else "")),
        ]
        if impacts:
            row.append(_short(impacts.get(defect.id)))
        table.add_row(*row)
    console.print(table)
    missing = sum(defect.open for defect in defects)
    console.print(
        f"{len(defects)} {'entry' if len(defects) == 1 else 'entries'}, "
        f"{missing} without a ruling; `--show ID` tells one in full"
    )


def _question(defect: Defect, language: str) -> str:
    return defect.french if language == "fr" else defect.english


def _short(impact: Mapping[str, Any] | None) -> str:
    if impact is None:
        return ""
    return ", ".join(
        f"{option} {100 * numbers['diverged']['share']:.0f} %"
        for option, numbers in impact["under"].items()
    )


def _write_story(
    console: Console, defect: Defect, impact: Mapping[str, Any] | None, language: str
) -> None:
    def line(text: str, style: str = "") -> None:
        console.print(Text(text, style))

    line("")
    style = "bold red" if defect.open else "bold"
    line(f"{defect.id}: {defect.kind.value}, {defect.verdict}", style)
    line(f"  {_question(defect, language)}")
    line(f"  {' '.join(defect.passages)}  {defect.where}".rstrip())
    if defect.options:
        line(f"  options: {', '.join(defect.options)}")
    if defect.ruling:
        line(f"  ruling: {defect.ruling}")
        if defect.because:
            line(f"    because {defect.because}")
    elif defect.open:
        line("  no ruling settles it yet")
    witness = defect.witness
    if witness is not None:
        line(f"  with {witness['players']} players: {witness['told'] or defect.verdict}")
        story = (witness["trace"] or {}).get("story", ())
        first = 1 if len(story) <= MOST_MOVES else len(story) - MOST_MOVES + 1
        if first > 1:
            line(f"    … after {first - 1} moves:")
        for number, text in enumerate(story[first - 1 :], first):
            line(f"    {number}. {text}")
    if impact is not None:
        for option, numbers in impact["under"].items():
            _write_impact(line, option, numbers, impact["players"])


def _write_impact(line: Any, option: str, numbers: Mapping[str, Any], players: int) -> None:
    line(f"  under {option}, {numbers['games']} random games with {players} players:")
    when = numbers["after_moves"]
    after = ""
    if when:
        after = f", after {when['least']} to {when['most']} moves (median {when['median']})"
    line(f"    play differs in {_share(numbers['diverged'])}{after}")
    line(f"    other winners in {_share(numbers['winner_changed'])}")
    line(f"    length {_change(numbers['length'])}")
    for seat, change in enumerate(numbers["scores"] or (), 1):
        line(f"    score of player {seat} {_change(change)}")
    for side, count in numbers["unfinished"].items():
        if count:
            line(f"    {count} games under the {side} did not come to an end")


def _share(share: Mapping[str, float]) -> str:
    low, high = 100 * share["low"], 100 * share["high"]
    return f"{100 * share['share']:.1f} % of games (95 %: {low:.1f} to {high:.1f})"


def _change(change: Mapping[str, float]) -> str:
    return (
        f"{change['ruling']:.1f} becomes {change['other']:.1f}: "
        f"{change['difference']:+.2f} (95 %: {change['low']:+.2f} to {change['high']:+.2f})"
    )
