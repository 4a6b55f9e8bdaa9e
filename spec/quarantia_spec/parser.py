"""Text to syntax tree. The only module that knows Lark; start at `parse_module`.

A hostile text is refused before Lark sees it: its size, the length of a logical line and the
depth of brackets and blocks are limited, so that no later pass can be driven into the ground.
"""

from __future__ import annotations

import io
import re
from functools import cache
from importlib import resources

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError, Indenter

from quarantia_spec import syntax
from quarantia_spec.build import Builder
from quarantia_spec.cache import content_key, read_cached, write_cached
from quarantia_spec.diagnostics import Code, Diagnostic, Reporter
from quarantia_spec.source import SourceFile, Span
from quarantia_spec.suggest import closest

LARGEST_FILE = 1_000_000
LONGEST_LOGICAL_LINE = 8_000
DEEPEST_BRACKETS = 40
DEEPEST_INDENT = 60
LONGEST_NUMBER = 9


class _Blocks(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012  Lark reads class attributes
    CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


def grammar_text() -> str:
    return resources.files("quarantia_spec").joinpath("grammar.lark").read_text("utf-8")


@cache
def _lark() -> Lark:
    text = grammar_text()
    key = content_key("lark 1.3.1", text)
    saved = read_cached("parser", key)
    if saved is not None:
        try:
            return Lark.load(io.BytesIO(saved))
        except Exception:  # a damaged cache file is as good as none
            pass
    made = Lark(
        text,
        parser="lalr",
        lexer="contextual",
        postlex=_Blocks(),
        propagate_positions=True,
        maybe_placeholders=True,
        start=["start", "chunk", "lone_expression"],
    )
    buffer = io.BytesIO()
    made.save(buffer)
    write_cached("parser", key, buffer.getvalue())
    return made


def parse_module(source: SourceFile) -> tuple[syntax.Module | None, list[Diagnostic]]:
    """The tree of a file, or what is wrong with its form: one diagnostic per broken declaration."""
    refused = _refuse_hostile(source)
    if refused:
        return None, refused
    text = _with_final_newline(source.text)
    try:
        tree = _lark().parse(text, start="start")
    except (UnexpectedInput, DedentError) as error:
        first = _explain(error, source, text)
        return None, _errors_by_declaration(source, text, first)
    reporter = Reporter()
    module = Builder(source.name, reporter).module(tree)
    return (None if reporter.failed else module), reporter.found


def parse_expression(
    text: str, file: str, line: int, column: int
) -> tuple[syntax.Expression | None, list[Diagnostic]]:
    """An expression in a hole of a sentence, which starts at the given place of its file."""
    source = SourceFile(file, text)
    refused = _refuse_hostile(source)
    reporter = Reporter()
    if not refused:
        try:
            tree = _lark().parse(text, start="lone_expression")
        except (UnexpectedInput, DedentError) as error:
            refused = [_explain(error, source, text)]
        else:
            found = Builder(file, reporter, line - 1, column - 1).expression(tree.children[0])
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


# --- texts that are refused at once -----------------------------------------------------------

_TOKENS = re.compile(rf'"[^"\n]*"|#[^\n]*|[()\[\]]|"[^\n]*|[0-9]{{{LONGEST_NUMBER + 1},}}')


def _refuse_hostile(source: SourceFile) -> list[Diagnostic]:
    text = source.text
    if len(text) > LARGEST_FILE:
        return [
            _at(
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
                _at(
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
                _at(
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
                _at(
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
                _at(
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
                        _at(
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
                        _at(
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
                    _at(
                        source,
                        number,
                        column,
                        Code.UNCLOSED_STRING,
                        "this sentence is not closed",
                        'end it with " on the same line',
                    )
                ]
    return found


def _at(
    source: SourceFile, line: int, column: int, code: Code, message: str, help: str
) -> Diagnostic:
    return Diagnostic(code, message, Span(source.name, line, column, line, column + 1), help)


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
        return _at(
            source,
            line,
            1,
            Code.BAD_INDENTATION,
            "this line is not level with any line above it",
            "give it the indentation of the block that it belongs to",
        )
    if isinstance(error, UnexpectedCharacters):
        character = text[error.pos_in_stream or 0]
        return _at(
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
        if token.type == "$END":
            last = text.count("\n") + 1
            return _at(
                source,
                last,
                1,
                Code.UNFINISHED,
                "the text ends too early",
                f"expected {_listing(words)}",
            )
        if token.type in ("_INDENT", "_DEDENT") or "_INDENT" in expected:
            place = _next_line(token)
            what = (
                "this line is indented, but the line above opens no block"
                if token.type == "_INDENT"
                else "an indented block is missing here"
                if "_INDENT" in expected
                else "the block ends too early"
            )
            return _at(
                source,
                place,
                1,
                Code.BAD_INDENTATION,
                what,
                f"expected {_listing(words)}" if words else "",
            )
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
        return _at(source, text.count("\n") + 1, 1, Code.UNFINISHED, "the text ends too early", "")
    return _at(
        source,
        getattr(error, "line", 1),
        getattr(error, "column", 1),
        Code.UNEXPECTED,
        "this cannot be read",
        "",
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
            return ""


def _next_line(token: Token) -> int:
    return (token.line or 1) + (str(token).count("\n") if token.type == "_NL" else 0)


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
