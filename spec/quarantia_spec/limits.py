"""Texts that are refused at once; start at `refuse_hostile`.

The size of a file, the length of a logical line and the depth of brackets and blocks are limited
before anything is parsed, so that no later pass can be driven into the ground.
"""

from __future__ import annotations

import re

from quarantia_spec.diagnostics import Code, Diagnostic
from quarantia_spec.source import SourceFile, Span

LARGEST_FILE = 1_000_000
LONGEST_LOGICAL_LINE = 8_000
DEEPEST_BRACKETS = 40
DEEPEST_INDENT = 60
LONGEST_NUMBER = 9

_TOKENS = re.compile(rf'"[^"\n]*"|#[^\n]*|[()\[\]]|"[^\n]*|[0-9]{{{LONGEST_NUMBER + 1},}}')


def refuse_hostile(source: SourceFile) -> list[Diagnostic]:
    """What makes a text unfit to be parsed at all; [] when it is fit."""
    text = source.text
    if len(text) > LARGEST_FILE:
        return [
            place_at(
                source,
                1,
                1,
                Code.TOO_LARGE,
                f"this file has {len(text):,} characters",
                f"split it: a file may have {LARGEST_FILE:,}",
            )
        ]
    found: list[Diagnostic] = []
    depth = 0
    logical_start = 1
    logical_length = 0
    for number, line in enumerate(text.split("\n"), 1):
        if "\0" in line:
            return [
                place_at(
                    source,
                    number,
                    line.index("\0") + 1,
                    Code.NOT_TEXT,
                    "there is a NUL character here",
                    "save the file as plain UTF-8 text",
                )
            ]
        indent = len(line) - len(line.lstrip(" \t"))
        if "\t" in line[:indent]:
            found.append(
                place_at(
                    source,
                    number,
                    line.index("\t") + 1,
                    Code.BAD_INDENTATION,
                    "a tab in the indentation",
                    "indent with two spaces",
                )
            )
            return found
        if indent > DEEPEST_INDENT and line.strip() and depth == 0:
            return [
                place_at(
                    source,
                    number,
                    indent + 1,
                    Code.TOO_LARGE,
                    "blocks are nested too deeply",
                    "give an inner part a name of its own: a term, a step or a flow",
                )
            ]
        if depth == 0:
            logical_start, logical_length = number, 0
        logical_length += len(line)
        if logical_length > LONGEST_LOGICAL_LINE:
            return [
                place_at(
                    source,
                    logical_start,
                    1,
                    Code.TOO_LARGE,
                    "this line goes on for too long",
                    f"split it: a line may have {LONGEST_LOGICAL_LINE:,} characters",
                )
            ]
        for match in _TOKENS.finditer(line):
            token = match.group()
            column = match.start() + 1
            if token in "([":
                depth += 1
                if depth > DEEPEST_BRACKETS:
                    return [
                        place_at(
                            source,
                            number,
                            column,
                            Code.TOO_LARGE,
                            "brackets are nested too deeply",
                            "name the inner part with a term",
                        )
                    ]
            elif token in ")]":
                depth = max(0, depth - 1)
            elif token[0].isdigit():
                before = line[match.start() - 1 : match.start()]
                if not (before.isalnum() or before in "._§~"):
                    return [
                        place_at(
                            source,
                            number,
                            column,
                            Code.NUMBER_TOO_LARGE,
                            f"a number of {len(token)} digits",
                            f"numbers have at most {LONGEST_NUMBER} digits",
                        )
                    ]
            elif token[0] == '"' and (len(token) == 1 or token[-1] != '"'):
                return [
                    place_at(
                        source,
                        number,
                        column,
                        Code.UNCLOSED_STRING,
                        "this sentence is not closed",
                        'end it with " on the same line',
                    )
                ]
    return found


def place_at(
    source: SourceFile, line: int, column: int, code: Code, message: str, help: str
) -> Diagnostic:
    return Diagnostic(code, message, Span(source.name, line, column, line, column + 1), help)


def open_bracket(text: str, end: int) -> tuple[int, int, str] | None:
    """Line, column and sign of the innermost bracket that is still open at `end`."""
    opened: list[tuple[int, int, str]] = []
    for number, line in enumerate(text[:end].split("\n"), 1):
        for match in _TOKENS.finditer(line):
            if match.group() in "([":
                opened.append((number, match.start() + 1, match.group()))
            elif match.group() in ")]" and opened:
                opened.pop()
    return opened[-1] if opened else None
