"""The one layout of a rules file; start at `format_source`.

The tree is printed without comments (`printing`), and the comments are put back by logical line:
the tree's lines and the text's lines come in the same order. A comment on a line of its own stays
before the line that it precedes, in the block that its indentation says; one at the end of a line
stays there; one inside a bracket goes above the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from quarantia_spec import syntax
from quarantia_spec.diagnostics import RulesError
from quarantia_spec.layout import INDENT, lay_out
from quarantia_spec.parser import parse_module
from quarantia_spec.printing import Line, module_lines
from quarantia_spec.source import SourceFile


def format_source(text: str, name: str = "<text>") -> str:
    """The text in the one layout: the same tree, the same comments.

    Raises `RulesError` when the text cannot be parsed. Formatting what was formatted changes
    nothing.
    """
    module = _parse(text, name)
    lines = list(module_lines(module))
    formatted = _assemble(lines, _match(lines, _read_lines(text)))
    # A file is never replaced by one that says something else.
    assert _parse(formatted, name) == module, "the formatted text has another tree"
    return formatted


def format_module(module: syntax.Module) -> str:
    """A tree as text in the one layout; trees hold no comments."""
    lines = list(module_lines(module))
    return _assemble(lines, [_Surroundings() for _ in range(len(lines) + 1)])


def comments_of(text: str) -> list[str]:
    """Every comment of a text, in order, without the spaces around it."""
    found: list[str] = []
    for line in _read_lines(text):
        found.extend(comment.text for comment in line.above)
        found.extend(comment.text for comment in line.within)
        if line.trailing:
            found.append(line.trailing)
    return found


def _parse(text: str, name: str) -> syntax.Module:
    module, diagnostics = parse_module(SourceFile(name, text))
    if module is None:
        raise RulesError(diagnostics)
    return module


# --- the text as logical lines ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Comment:
    """On a line of its own; `blank` says that an empty line stands above it."""

    text: str
    column: int
    blank: bool


@dataclass(slots=True)
class _SourceLine:
    """A logical line, or the end of the file, with the comments that belong to it."""

    code: str = ""
    indent: int = 0
    blank: bool = False
    above: list[_Comment] = field(default_factory=list)
    within: list[_Comment] = field(default_factory=list)
    trailing: str = ""


_TOKENS = re.compile(r'"[^"\n]*"|#.*|[()\[\]]', re.DOTALL)


def _read_lines(text: str) -> list[_SourceLine]:
    """The logical lines of a text that parses; the last one is the end of the file."""
    lines = [_SourceLine()]
    blank = False
    depth = 0
    for physical in text.split("\n"):
        code, comment, change = _split_comment(physical)
        line = lines[-1]
        if depth > 0:
            if comment and (depth + change > 0 or not code.strip()):
                line.within.append(_Comment(comment, 0, False))
            else:
                line.trailing = comment
        elif code.strip():
            line.code = code.strip()
            line.indent = len(code) - len(code.lstrip(" "))
            line.blank = blank
            blank = False
            if comment and change > 0:
                line.within.append(_Comment(comment, 0, False))
            else:
                line.trailing = comment
        else:
            if comment:
                line.above.append(_Comment(comment, physical.index("#"), blank))
            blank = not comment
            continue
        depth = max(0, depth + change)
        if depth == 0:
            lines.append(_SourceLine())
    return lines


def _split_comment(physical: str) -> tuple[str, str, int]:
    """What stands before the comment, the comment, and how the depth of brackets changes."""
    change = 0
    for match in _TOKENS.finditer(physical):
        token = match.group()
        if token in "([":
            change += 1
        elif token in ")]":
            change -= 1
        elif token[0] == "#":
            return physical[: match.start()], token.rstrip(), change
    return physical, "", change


# --- what stands around each printed line -----------------------------------------------------


@dataclass(slots=True)
class _Surroundings:
    """Comments above a printed line, each with its depth, and the one at its end."""

    above: list[tuple[str, int, bool]] = field(default_factory=list)
    blank: bool = False
    trailing: str = ""


def _match(lines: Sequence[Line], source: Sequence[_SourceLine]) -> list[_Surroundings]:
    """For each printed line, and for the end of the file, what the source has around it."""
    result: list[_Surroundings] = []
    indents: list[int] = []  # of the blocks that are open, outermost first
    previous = 0
    remaining = iter(source)
    for line in lines:
        found = next(remaining)
        indent = found.indent
        around = _Surroundings(blank=found.blank)
        _add_comments(around, found, line.depth, previous, indents)
        if found.code == "else" and not _is_lone_else(line):
            # `else` and the `if` below it become one line.
            around.above.extend((text, line.depth, False) for text in [found.trailing] if text)
            found = next(remaining)
            _add_comments(around, found, line.depth, line.depth, indents)
        around.trailing = found.trailing
        result.append(around)
        del indents[line.depth :]
        indents.extend([indent] * (line.depth + 1 - len(indents)))
        previous = line.depth
    last = next(remaining)
    around = _Surroundings()
    _add_comments(around, last, 0, previous, indents)
    result.append(around)
    assert next(remaining, None) is None, "the text has more lines than its tree"
    return result


def _is_lone_else(line: Line) -> bool:
    return lay_out(line.document, 0) == ["else"]


def _add_comments(
    around: _Surroundings, found: _SourceLine, depth: int, previous: int, indents: Sequence[int]
) -> None:
    for comment in found.above:
        deepest = depth
        while deepest < previous and indents[deepest + 1] <= comment.column:
            deepest += 1
        around.above.append((comment.text, deepest, comment.blank))
        # The depths of a run of comments never rise: what follows cannot be in a closed block.
        previous = max(depth, deepest)
    for comment in found.within:
        around.above.append((comment.text, depth, around.blank))
        around.blank = False


def _assemble(lines: Sequence[Line], surroundings: Sequence[_Surroundings]) -> str:
    written: list[str] = []
    starts = [index for index, line in enumerate(lines) if line.opens]
    lengths = [end - start for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    length_at = dict(zip(starts, lengths, strict=True))
    last_start = 0
    for index, around in enumerate(surroundings):
        line = lines[index] if index < len(lines) else None
        depth = 0 if line is None else line.depth
        blanks = [blank for _, _, blank in around.above] + [around.blank]
        if line is not None and line.opens and index > 0:
            alike = lines[last_start].opens == line.opens
            if not (alike and length_at[last_start] == length_at[index] == 1):
                _force_blank(blanks, [depth for _, depth, _ in around.above])
            last_start = index
        opens_block = index > 0 and depth > lines[index - 1].depth
        elements = [(" " * (INDENT * level) + text) for text, level, _ in around.above]
        if line is not None:
            laid_out = lay_out(line.document, INDENT * depth)
            if around.trailing:
                laid_out[-1] += f"  {around.trailing}"
            elements.append("\n".join(laid_out))
        for position, (element, blank) in enumerate(zip(elements, blanks, strict=False)):
            starts_block = position == 0 and opens_block
            if blank and written and not starts_block:
                written.append("")
            written.append(element)
    return "\n".join(written) + "\n"


def _force_blank(blanks: list[bool], depths: Iterable[int]) -> None:
    """Make sure of an empty line before a declaration, above the comments that belong to it."""
    own = next((index for index, depth in enumerate(depths) if depth == 0), len(blanks) - 1)
    if not any(blanks[own:]):
        blanks[own] = True
