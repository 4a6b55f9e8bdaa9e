"""Texts that are refused at once; start at `refuse_hostile`.

The size of a file, the length of a logical line and the depth of brackets and blocks are limited
before anything is parsed, so that no later pass can be driven into the ground.
"""

from __future__ import annotations

import re

from quarantia_spec.diagnostics import Code, Diagnostic
from quarantia_spec.source import SourceFile, Span

LARGEST_FILE = 1_000_000
MOST_LINES = 20_000
LONGEST_LOGICAL_LINE = 8_000
DEEPEST_BRACKETS = 40
DEEPEST_INDENT = 60
DEEPEST_TREE = 100  # expressions, statements and flows inside each other
LONGEST_NUMBER = 9

_TOKENS = re.compile(
    r'"[^"\n]*"|"[^\n]*'  # sentences, closed and not
    r"|#[^\n]*|[()\[\]]"
    r"|§[0-9A-Za-z.~]*|[A-Za-z_][A-Za-z0-9_]*"  # digits in citations and names are not numbers
    rf"|[0-9]{{{LONGEST_NUMBER + 1},}}"
)


class TooDeep(Exception):
    """Something is nested deeper than DEEPEST_TREE; says where."""

    def __init__(self, span: Span) -> None:
        super().__init__(str(span))
        self.span = span

    def as_diagnostic(self) -> Diagnostic:
        help = "give an inner part a name of its own: a term, a step or a flow"
        return Diagnostic(Code.TOO_LARGE, "this is nested too deeply", self.span, help)


def place_at(
    source: SourceFile, line: int, column: int, code: Code, message: str, help: str
) -> Diagnostic:
    return Diagnostic(code, message, Span(source.name, line, column, line, column + 1), help)


def refuse_hostile(source: SourceFile) -> list[Diagnostic]:
    """What makes a text unfit to be parsed at all; [] when it is fit."""

    def refused(line: int, column: int, code: Code, message: str, help: str) -> list[Diagnostic]:
        return [place_at(source, line, column, code, message, help)]

    text = source.text
    if len(text) > LARGEST_FILE:
        message = f"this file has {len(text):,} characters"
        return refused(1, 1, Code.TOO_LARGE, message, f"split it: {LARGEST_FILE:,} are allowed")
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        message = f"this file has {len(lines):,} lines"
        return refused(1, 1, Code.TOO_LARGE, message, f"split it: {MOST_LINES:,} are allowed")
    depth = 0
    logical_start = 1
    logical_length = 0
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            help = "save the file as plain UTF-8 text"
            column = line.index("\0") + 1
            return refused(number, column, Code.NOT_TEXT, "there is a NUL character here", help)
        indent = len(line) - len(line.lstrip(" \t"))
        if "\t" in line[:indent]:
            column = line.index("\t") + 1
            message, help = "a tab in the indentation", "indent with two spaces"
            return refused(number, column, Code.BAD_INDENTATION, message, help)
        if indent > DEEPEST_INDENT and depth == 0 and line.strip():
            help = "give an inner part a name of its own: a term, a step or a flow"
            message = "blocks are nested too deeply"
            return refused(number, indent + 1, Code.TOO_LARGE, message, help)
        if depth == 0:
            logical_start, logical_length = number, 0
        logical_length += len(line)
        if logical_length > LONGEST_LOGICAL_LINE:
            help = f"split it: a line may have {LONGEST_LOGICAL_LINE:,} characters"
            message = "this line goes on for too long"
            return refused(logical_start, 1, Code.TOO_LARGE, message, help)
        for match in _TOKENS.finditer(line):
            token, column = match.group(), match.start() + 1
            if token in "([":
                depth += 1
                if depth > DEEPEST_BRACKETS:
                    message, help = "brackets are nested too deeply", "name the inner part"
                    return refused(number, column, Code.TOO_LARGE, message, f"{help} with a term")
            elif token in ")]":
                depth = max(0, depth - 1)
            elif token[0].isdigit():
                message = f"a number of {len(token)} digits"
                help = f"numbers have at most {LONGEST_NUMBER} digits"
                return refused(number, column, Code.NUMBER_TOO_LARGE, message, help)
            elif token[0] == '"' and (len(token) == 1 or token[-1] != '"'):
                message, help = "this sentence is not closed", 'end it with " on the same line'
                return refused(number, column, Code.UNCLOSED_STRING, message, help)
    return []


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
