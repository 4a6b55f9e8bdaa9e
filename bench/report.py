"""The rows as a table for a person and as JSON for a machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from bench.contest import Row

HEADINGS = ("bench", "against", "unit", "ours", "theirs", "ratio", "bar", "")


def write_json(rows: Sequence[Row], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps([row.as_json() for row in rows], indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def print_table(rows: Sequence[Row], out: TextIO) -> None:
    """With rich where it is installed, in plain columns where it is not."""
    lines = [_cells(row) for row in rows]
    try:
        from rich.console import Console
        from rich.markup import escape
        from rich.table import Table
    except ImportError:
        _print_plain(lines, out)
        return
    table = Table(*HEADINGS)
    for column in table.columns[3:7]:
        column.justify = "right"
    for row, cells in zip(rows, lines, strict=True):
        table.add_row(*map(escape, cells), style={True: "", False: "bold red", None: "dim"}[row.ok])
    # A pipe is as wide as it needs to be: a table cut to 80 columns says nothing.
    width = None if out.isatty() else 140
    Console(file=out, width=width).print(table)


def _cells(row: Row) -> tuple[str, ...]:
    verdict = {True: "ok", False: "missed", None: f"absent: {row.absent}"}[row.ok]
    figures = (_figure(row.ours), _figure(row.theirs), _figure(row.ratio), _figure(row.bar))
    return (row.bench, row.against, row.unit.value, *figures, verdict)


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _print_plain(lines: Sequence[tuple[str, ...]], out: TextIO) -> None:
    widths = [max(map(len, column)) for column in zip(HEADINGS, *lines, strict=True)]
    for line in (HEADINGS, *lines):
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print("  ".join(padded).rstrip(), file=out)
