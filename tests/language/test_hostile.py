"""Hostile files: an error within two seconds (see `patience`), never a crash and never a hang."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import quarantia
from tests.patience import PATIENCE

LIMIT = 2.0 * PATIENCE

HEAD = 'game hostile "Hostile"\n\nplayers 2  §1\n\nstate heap: 0..9  §1\n\n'


def nested_blocks(depth: int) -> str:
    lines = ["flow  §1"]
    lines.extend("  " * level + "repeat" for level in range(1, depth))
    return "\n".join([*lines, "  " * depth + "end"]) + "\n"


def nested_ifs(depth: int) -> str:
    return "term t: 0..9 = " + "if heap > 0 then " * depth + "1" + " else 2" * depth + "  §1\n"


FILES: dict[str, tuple[bytes, set[str]]] = {
    "nothing": (b"", {"E104"}),
    "one newline": (b"\n", {"E104"}),
    "a comment": (b"# nothing else", {"E104"}),
    "a byte order mark": (b"\xef\xbb\xbf", {"E104"}),
    "NUL bytes": (b"\0" * 1_000, {"E105"}),
    "a NUL in a name": (b'game a\0b "A"\n', {"E105"}),
    "a NUL in a sentence": (b'game a "A\0"\n', {"E105"}),
    "Latin-1": ('game é "É"\n'.encode("latin-1"), {"E105"}),
    "UTF-16": ('game a "A"\n'.encode("utf-16"), {"E105"}),
    "random bytes": (bytes(range(256)) * 100, {"E105"}),
    "a lone surrogate": (b'game a "\xed\xa0\x80"\n', {"E105"}),
    "a megabyte of opening brackets": (b"(" * 1_000_000, {"E106"}),
    "a megabyte of closing brackets": (b")" * 1_000_000, {"E106"}),
    "more than a megabyte": (b"x" * 1_000_001, {"E106"}),
    "a million lines": (b"\n" * 999_999, {"E106"}),
    "a million lines of rules": (HEAD.encode() + b"a\n" * 490_000, {"E106"}),
    "brackets on many lines": (HEAD.encode() + b"(\n" * 9_000, {"E106"}),
    "closed brackets on many lines": (HEAD.encode() + b"()\n" * 300_000, {"E106"}),
    "a long line": (HEAD.encode() + b"term t: 0..9 = " + b"1 + " * 100_000, {"E106"}),
    "a long name": (HEAD.encode() + b"state " + b"x" * 900_000 + b": 0..9  \xc2\xa71\n", {"E106"}),
    "an endless number": (HEAD.encode() + b"state x: 0.." + b"9" * 900_000 + b"\n", {"E106"}),
    "a number of ten digits": (HEAD.encode() + b"state x: 0..1234567890\n", {"E107"}),
    "an endless sentence": (b'game a "' + b"x" * 900_000, {"E106"}),
    "a sentence with endless holes": (
        (HEAD + 'table x: 0..9 = 1  §1\n  say en "' + "{" * 7_000 + '"\n').encode(),
        {"E207", "E208", "E501"},
    ),
    "blocks in blocks": ((HEAD + nested_blocks(200)).encode(), {"E106"}),
    "brackets in brackets": (
        (HEAD + "term t: 0..9 = " + "(" * 3_000 + "1" + ")" * 3_000 + "\n").encode(),
        {"E106"},
    ),
    "conditions in conditions": ((HEAD + nested_ifs(300)).encode(), {"E106", "E501"}),
    "not not not": (
        (HEAD + "term t: boolean = " + "not " * 1_900 + "true  §1\n").encode(),
        {"E106", "E501"},
    ),
    "minus minus minus": (
        (HEAD + "term t: 0..9 = " + "-" * 7_900 + "1  §1\n").encode(),
        {"E106", "E501", "E302"},
    ),
    "a sum of thousands": (
        (HEAD + "term t: 0..9 = " + "heap + " * 1_100 + "1  §1\n").encode(),
        {"E106", "E501"},
    ),
    "a comparison of thousands": (
        (HEAD + "term t: boolean = " + "heap < " * 1_100 + "1  §1\n").encode(),
        {"E106", "E501"},
    ),
    "implies implies implies": (
        (HEAD + "term t: boolean = " + "true implies " * 600 + "true  §1\n").encode(),
        {"E106", "E501"},
    ),
    "indices of indices": (
        (HEAD + "term t: 0..9 = " + "heap[" * 39 + "1" + "]" * 39 + "  §1\n").encode(),
        {"E303", "E501"},
    ),
    "else if else if": (
        (
            HEAD
            + "step s  §1\n  if heap = 0\n    heap := 1\n"
            + "  else if heap = 1\n    heap := 2\n" * 1_500
        ).encode(),
        {"E106", "E501", "E503"},
    ),
    "terms that double": (
        (
            HEAD
            + "term t0: 0..9 = heap  §1\n"
            + "".join(f"term t{n}: 0..9 = max(t{n - 1}, t{n - 1})  §1\n" for n in range(1, 200))
        ).encode(),
        {"E501"},
    ),
    "terms that ask twice as much": (
        (
            HEAD
            + "term t0(x: 0..9): 0..8 = x  §1\n"
            + "".join(
                f"term t{n}(x: 0..9): 0..9 = t{n - 1}(x) + t{n - 1}(9 - x)  §1\n"
                for n in range(1, 60)
            )
        ).encode(),
        {"E106", "E501"},
    ),
    "a chain of terms": (
        (
            HEAD
            + "term t0: 0..9 = heap  §1\n"
            + "".join(f"term t{n}: 0..9 = t{n - 1}  §1\n" for n in range(1, 2_000))
        ).encode(),
        {"E501", "E106"},
    ),
    "a chain of terms backwards": (
        (
            HEAD
            + "".join(f"term t{n}: 0..9 = t{n + 1}  §1\n" for n in range(2_000))
            + "term t2000: 0..9 = heap  §1\n"
        ).encode(),
        {"E501", "E106"},
    ),
    "flows that double": (
        (
            HEAD
            + "step s  §1\n  heap := 1\n\nflow f0  §1\n  run s\n"
            + "".join(
                f"\nflow f{n}  §1\n  run f{n - 1}\n  run f{n - 1}\n" for n in range(1, 40)
            )
            + "\nflow  §1\n  run f39\n\noutcome  §1\n  winner p: true\n"
        ).encode(),
        {"E306"},
    ),
    "folds in folds": (
        (
            HEAD
            + "table big[n: 1..1000]: 0..9 = 1  §1\n"
            + "state huge: 0..sum(sum(sum(sum(1 for d in 1..1000) for c in 1..1000)"
            + " for b in 1..1000) for a in 1..1000)  §1\n"
        ).encode(),
        {"E306", "E304", "E303", "E501"},
    ),
    "a huge power": (
        (
            HEAD
            + "term t0: 0..9 = 9  §1\n"
            + "state s: 0.." + "999999999 * " * 90 + "1  §1\n"
        ).encode(),
        {"E306", "E501"},
    ),
    "a table of thousands": (
        (HEAD + "table t[n: 1..1024, m: 1..1024]: 0..9 = 1, 2  §1\n").encode(),
        {"E306", "E501"},
    ),
    "states without end": (
        (
            HEAD
            + "".join(f"state s{n}[a: 1..1024, b: 1..1024]: 0..9  §1\n" for n in range(50))
            + "\nflow  §1\n  end\n\noutcome  §1\n  winner p: true\n"
        ).encode(),
        {"E306"},
    ),
    "a type with thousands of members": (
        (HEAD + "type T = " + " | ".join(f"m{n}" for n in range(1_100)) + "  §1\n").encode(),
        {"E306", "E501", "E106"},
    ),
    "a pile of zones": (
        (
            HEAD
            + "component Card: distinct 1024 in deck  §1\npile deck holds Card hidden  §1\n"
            + "zone hand[p: Player, a: 1..1000, b: 1..1000] holds Card seen by p  §1\n"
            + "\nflow  §1\n  end\n\noutcome  §1\n  winner p: true\n"
        ).encode(),
        {"E306"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_hostile_files_are_refused_in_time(name: str, tmp_path: Path) -> None:
    content, allowed = FILES[name]
    path = tmp_path / "hostile.rules"
    path.write_bytes(content)
    start = time.process_time()
    answer = quarantia("ir", path, "--json")
    seconds = time.process_time() - start
    assert answer.status == 2, answer.err[:500] or answer.out[:500]
    codes = {diagnostic["code"] for diagnostic in answer.json["diagnostics"]}
    assert codes and codes <= allowed
    assert seconds < LIMIT


@pytest.mark.parametrize("name", FILES)
def test_the_formatter_survives_them_too(name: str, tmp_path: Path) -> None:
    content, _ = FILES[name]
    path = tmp_path / "hostile.rules"
    path.write_bytes(content)
    start = time.process_time()
    answer = quarantia("fmt", "--check", path)
    assert answer.status in (0, 1, 2), answer.err[:500]
    assert time.process_time() - start < 2 * LIMIT


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    folder = tmp_path / "folder.rules"
    folder.mkdir()
    assert quarantia("ir", folder).status == 2
    assert quarantia("ir", tmp_path).status == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: b"[" * 200_000,
        lambda: b"\0",
        lambda: b"\xff\xfe",
        lambda: b'[[passage]]\nsection = "' + b"9" * 500_000 + b'"\n',
        lambda: b"a.b.c." * 50_000 + b"d = 1\n",
    ],
)
def test_hostile_passages(make: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / "hostile.rules"
    path.write_text(HEAD, encoding="utf-8")
    (tmp_path / "passages.toml").write_bytes(make())
    start = time.process_time()
    answer = quarantia("ir", path)
    assert answer.status == 2, answer.err[:500]
    assert time.process_time() - start < LIMIT


def test_a_block_that_is_missing_at_the_end_is_missed_inside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "short.rules"
    path.write_text(HEAD + "decision take by p  §1\n# nothing follows", encoding="utf-8")
    (diagnostic,) = quarantia("ir", path, "--json").json["diagnostics"]
    assert diagnostic["code"] in {"E103", "E104"}
    assert diagnostic["line"] <= 8
