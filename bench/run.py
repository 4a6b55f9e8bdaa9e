"""`make bench`: measure everything, print the table, write build/bench.json.

Exit status 0 when every bar that could be measured is reached, 1 when one is missed or a group
could not be measured, 2 when the command line is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import conforming, peers, playing, proving
from bench.contest import Row
from bench.report import print_table, write_json

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "build" / "bench.json"

Group = Callable[[int], list[Row]]

GROUPS: dict[str, Group] = {
    "palace": playing.palace_rows,
    "openspiel": playing.openspiel_rows,
    "games": playing.game_rows,
    "compile": playing.compile_rows,
    "proof": proving.proof_rows,
    "check": proving.check_rows,
    "conform": conforming.conform_rows,
}


def exit_status(rows: Sequence[Row], failures: int) -> int:
    return 1 if failures or any(row.ok is False for row in rows) else 0


def measure(groups: Sequence[str], rounds: int) -> tuple[list[Row], int]:
    """The rows of the groups, and how many groups broke down instead."""
    rows: list[Row] = []
    failures = 0
    for name in groups:
        print(f"measuring: {name}", file=sys.stderr)
        try:
            rows += GROUPS[name](rounds)
        except Exception as error:  # one broken group must not hide the others
            failures += 1
            print(f"{name} could not be measured: {_told(error)}", file=sys.stderr)
    return rows, failures


def _told(error: Exception) -> str:
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("groups", nargs="*", choices=[*GROUPS, []], help="all when none is named")
    parser.add_argument("--rounds", type=int, default=7, help="the best of so many (default 7)")
    parser.add_argument("--json", type=Path, default=RESULTS, metavar="FILE")
    parser.add_argument("--install-peers", action="store_true", help="install the peers and stop")
    options = parser.parse_args(argv)
    if options.install_peers:
        return peers.install()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    rows, failures = measure(options.groups or list(GROUPS), options.rounds)
    print_table(rows, sys.stdout)
    write_json(rows, options.json)
    return exit_status(rows, failures)


if __name__ == "__main__":
    sys.exit(main())
