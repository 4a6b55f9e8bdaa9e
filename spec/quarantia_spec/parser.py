"""Text to syntax tree. The only module that knows Lark; start at `parse_module`.

Hostile texts are refused before Lark sees them: see `limits`.
"""

from __future__ import annotations

import io
import zlib
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError, Indenter

from quarantia_spec import syntax
from quarantia_spec.build import Builder
from quarantia_spec.cache import content_key, read_cached, write_cached
from quarantia_spec.diagnostics import Code, Diagnostic, Reporter
from quarantia_spec.limits import TooDeep, open_bracket, place_at, refuse_hostile
from quarantia_spec.source import SourceFile, Span
from quarantia_spec.suggest import closest


class _Blocks(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012  Lark reads class attributes
    CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


def grammar_text() -> str:
    return resources.files("quarantia_spec").joinpath("grammar.lark").read_text("utf-8")


# NOTE(tables) Lark needs more than a second to work out its tables from the grammar. They come
# with the package, under the key of the grammar that they were made from; `make pages` writes them
# again. While the grammar is being changed they are made as needed and kept in the cache.
TABLES = "grammar.tables"


def grammar_key() -> str:
    """What the tables of the grammar as it is are known by."""
    return content_key("lark 1.3.1", grammar_text())


def shipped_tables() -> tuple[str, bytes]:
    """The tables that come with the package, and the key of the grammar that they are for."""
    try:
        content = resources.files("quarantia_spec").joinpath(TABLES).read_bytes()
        key, _, packed = content.partition(b"\n")
        return key.decode(), zlib.decompress(packed)
    except (OSError, ValueError, zlib.error):
        return "", b""


def write_tables(path: Path) -> None:
    """Make the tables that come with the package."""
    buffer = io.BytesIO()
    _new_lark().save(buffer)
    path.write_bytes(grammar_key().encode() + b"\n" + zlib.compress(buffer.getvalue(), 9))


@cache
def _lark() -> Lark:
    key = grammar_key()
    made_from, tables = shipped_tables()
    saved = tables if made_from == key else read_cached("parser", key)
    if saved is not None:
        try:
            return Lark.load(io.BytesIO(saved))
        except Exception:  # a damaged file is as good as none
            pass
    made = _new_lark()
    buffer = io.BytesIO()
    made.save(buffer)
    write_cached("parser", key, buffer.getvalue())
    return made


def _new_lark() -> Lark:
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        postlex=_Blocks(),
        propagate_positions=True,
        maybe_placeholders=True,
        start=["start", "chunk", "lone_expression"],
    )


# Kept, because a game is elaborated once for each reading and number of players.
@lru_cache(maxsize=32)
def parse_module(source: SourceFile) -> tuple[syntax.Module | None, list[Diagnostic]]:
    """The tree of a file, or what is wrong with its form: one diagnostic per broken declaration."""
    refused = refuse_hostile(source)
    if refused:
        return None, refused
    text = _with_final_newline(source.text)
    try:
        tree = _lark().parse(text, start="start")
    except (UnexpectedInput, DedentError) as error:
        first = _explain(error, source, text)
        return None, _errors_by_declaration(source, text, first)
    reporter = Reporter()
    try:
        module = Builder(source.name, reporter).module(tree)
    except TooDeep as error:
        return None, [error.as_diagnostic()]
    return (None if reporter.failed else module), reporter.found


@lru_cache(maxsize=8192)
def parse_expression(
    text: str, file: str, line: int, column: int
) -> tuple[syntax.Expression | None, list[Diagnostic]]:
    """An expression in a hole of a sentence, which starts at the given place of its file."""
    source = SourceFile(file, text)
    refused = refuse_hostile(source)
    reporter = Reporter()
    if not refused:
        try:
            tree = _lark().parse(text, start="lone_expression")
        except (UnexpectedInput, DedentError) as error:
            refused = [_explain(error, source, text)]
        else:
            try:
                found = Builder(file, reporter, line - 1, column - 1).expression(tree.children[0])
            except TooDeep as deep:
                return None, [deep.as_diagnostic()]
            return found, reporter.found
    moved = [
        Diagnostic(d.code, d.message, _shift(d.span, line - 1, column - 1), d.help) for d in refused
    ]
    return None, moved


def _shift(span: Span, lines: int, columns: int) -> Span:
    return Span(
        span.file,
        span.line + lines,
        span.column + columns,
        span.end_line + lines,
        span.end_column + columns,
    )


def _with_final_newline(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


# --- syntax errors in words -------------------------------------------------------------------

_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'a sentence in "…"',
    "CITATION": "a citation such as §1.2",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "EQUAL": "`=`",
    "VBAR": "`|`",
    "QMARK": "`?`",
    "__ANON_0": "`..`",
    "ASSIGN": "`:=`",
    "COMPARE": "a comparison",
    "SIGN": "`+` or `-`",
    "TIMES": "`*`",
    "LANGUAGE": "`en` or `fr`",
    "FOLD": "`sum`, `count`, `all`, …",
}
_EXPRESSION_STARTS = {"NUMBER", "NAME", "FOLD", "NONE", "TRUE", "FALSE", "LPAR"}
_OPERATORS = {"COMPARE", "SIGN", "TIMES", "AND", "OR", "IMPLIES", "IN", "NOT", "LSQB", "DOT"}


def _expected_words(terminals: set[str]) -> list[str]:
    words: list[str] = []
    rest = set(terminals)
    if rest >= _EXPRESSION_STARTS:
        words.append("an expression")
        rest -= _EXPRESSION_STARTS | {"SIGN", "IF", "NOT"}
    elif rest >= {"COMPARE", "SIGN", "AND"} or rest >= {"SIGN", "TIMES", "LSQB"}:
        words.append("an operator")
        rest -= _OPERATORS
    for terminal in sorted(rest):
        words.append(_WORDS.get(terminal) or f"`{terminal.lower()}`")
    return words


def _listing(words: list[str]) -> str:
    if len(words) > 8:
        words = [*words[:8], "…"]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _explain(error: UnexpectedInput | DedentError, source: SourceFile, text: str) -> Diagnostic:
    if isinstance(error, DedentError):
        line = _first_bad_dedent(text)
        return place_at(
            source,
            line,
            1,
            Code.BAD_INDENTATION,
            "this line is not level with any line above it",
            "give it the indentation of the block that it belongs to",
        )
    if isinstance(error, UnexpectedCharacters):
        character = text[error.pos_in_stream or 0]
        return place_at(
            source,
            error.line,
            error.column,
            Code.BAD_CHARACTER,
            f"the character `{character}` means nothing here",
            _character_help(character),
        )
    if isinstance(error, UnexpectedToken):
        token = error.token
        expected = set(error.accepts or error.expected)
        line, column = token.line or 1, token.column or 1
        words = _expected_words(expected)
        at_end = token.type == "$END" or (
            token.type == "_DEDENT" and line >= text.rstrip().count("\n") + 1
        )
        opened = open_bracket(text, len(text) if at_end else token.start_pos or 0)
        if opened is not None and opened[0] < line + at_end and (at_end or column == 1):
            bracket = opened[2]
            return place_at(
                source,
                opened[0],
                opened[1],
                Code.UNFINISHED,
                f"this `{bracket}` is never closed",
                f"close it with `{')' if bracket == '(' else ']'}`",
            )
        if token.type == "$END":
            lines = text.rstrip().split("\n")
            return place_at(
                source,
                len(lines),
                len(lines[-1]) + 1,
                Code.UNFINISHED,
                "the text ends too early",
                f"expected {_listing(words)}",
            )
        if token.type in ("_INDENT", "_DEDENT") or "_INDENT" in expected:
            return _bad_block(token, "_INDENT" in expected, words, source, text)
        shown = "the end of the line" if token.type == "_NL" else f"`{token}`"
        near = closest(str(token), [t.lower() for t in expected if t.isalpha()])
        help = f"did you mean `{near}`?" if near else f"expected {_listing(words)}"
        end = column + (1 if token.type == "_NL" else len(token))
        return Diagnostic(
            Code.UNEXPECTED,
            f"{shown} cannot stand here",
            Span(source.name, line, column, line, end),
            help,
        )
    if isinstance(error, UnexpectedEOF):
        return place_at(
            source,
            text.rstrip().count("\n") + 1,
            1,
            Code.UNFINISHED,
            "the text ends too early",
            "finish it",
        )
    return place_at(
        source,
        getattr(error, "line", 1),
        getattr(error, "column", 1),
        Code.UNEXPECTED,
        "this cannot be read",
        "compare it with the language reference",
    )


def _character_help(character: str) -> str:
    match character:
        case "'" | "\u201c" | "\u201d" | "\u00ab":
            return 'sentences stand in plain double quotes: "…"'
        case "{" | "}":
            return "blocks are made by indentation; braces belong in sentences"
        case ";":
            return "one statement a line"
        case "&":
            return "write `and`"
        case "!":
            return "write `not`, or `!=` for different"
        case "/":
            return "write `div`"
        case "%":
            return "write `mod`"
        case _:
            return "remove it, or put it in a sentence or a comment"


def _bad_block(
    token: Token, block_missing: bool, words: list[str], source: SourceFile, text: str
) -> Diagnostic:
    """Blocks begin and end between lines: point at the line after the break."""
    lines = text.rstrip().split("\n")
    number = token.line or 1
    if token.type in ("_INDENT", "_DEDENT"):
        number += 1
    number = min(number, len(lines))  # a block that is missing at the end of the file
    while number < len(lines) and not lines[number - 1].partition("#")[0].strip():
        number += 1
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip(" "))
    if token.type == "_INDENT":
        message = "this line is indented, but the line above opens no block"
        help = "indent it like the line above"
    elif block_missing:
        message, help = "an indented block is missing here", f"expected {_listing(words)}"
    else:
        message, help = "the block ends too early", f"expected {_listing(words)}"
    return place_at(source, number, indent + 1, Code.BAD_INDENTATION, message, help)


def _first_bad_dedent(text: str) -> int:
    stack = [0]
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if indent > stack[-1]:
            stack.append(indent)
        while indent < stack[-1]:
            stack.pop()
        if indent != stack[-1]:
            return number
    return 1


def _errors_by_declaration(source: SourceFile, text: str, first: Diagnostic) -> list[Diagnostic]:
    """Parse each top-level declaration alone, so that one mistake does not hide the next."""
    lines = text.split("\n")
    starts = [index for index, line in enumerate(lines) if line and line[0] not in " \t#)]\r"]
    found = [first]
    for position, start in enumerate(starts[1:], 1):
        end = starts[position + 1] if position + 1 < len(starts) else len(lines)
        chunk = "\n" * start + "\n".join(lines[start:end]) + "\n"
        try:
            _lark().parse(chunk, start="chunk")
        except (UnexpectedInput, DedentError) as error:
            if isinstance(error, DedentError):
                continue
            diagnostic = _explain(error, source, chunk)
            if diagnostic.span.line > first.span.line:
                found.append(diagnostic)
        if len(found) >= 10:
            break
    return found


def lark_tree(text: str) -> Tree[Token]:
    """For tests of the grammar itself."""
    return _lark().parse(text, start="start")
