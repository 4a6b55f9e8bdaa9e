"""The laws of the formatter, on trees drawn from the grammar and on pages written by hand."""

from __future__ import annotations

import dataclasses
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import quarantia_games
from quarantia_spec import syntax
from quarantia_spec.diagnostics import RulesError
from quarantia_spec.format import comments_of, format_module, format_source
from quarantia_spec.parser import parse_module
from quarantia_spec.source import SourceFile
from tests.language.strategies import declarations, expressions, modules

SHIPPED = sorted(Path(quarantia_games.__file__).parent.glob("*/*.rules"))
slow_to_draw = settings(suppress_health_check=list(HealthCheck))


def parse(text: str) -> syntax.Module:
    module, diagnostics = parse_module(SourceFile("drawn.rules", text))
    assert module is not None, "\n".join([text, *(str(d) for d in diagnostics)])
    return module


# --- laws -------------------------------------------------------------------------------------


@slow_to_draw
@given(modules)
def test_printing_then_parsing_gives_the_same_tree(module: syntax.Module) -> None:
    assert parse(format_module(module)) == module


@settings(slow_to_draw, max_examples=400)
@given(declarations)
def test_each_declaration_comes_back(declaration: syntax.Declaration) -> None:
    module = syntax.Module("g", syntax.Text("G"), None, (declaration,))
    assert parse(format_module(module)) == module


@settings(slow_to_draw, max_examples=400)
@given(expressions(5))
def test_brackets_are_added_where_a_tree_needs_them(expression: syntax.Expression) -> None:
    bare = without_groups(expression)
    module = syntax.Module("g", syntax.Text("G"), None, (syntax.Ends((bare,), None, ()),))
    (ends,) = parse(format_module(module)).declarations
    assert isinstance(ends, syntax.Ends)
    assert without_groups(ends.measure[0]) == bare


def without_groups(node: Any) -> Any:
    """The tree without the brackets that the author wrote."""
    if isinstance(node, syntax.Group):
        return without_groups(node.inner)
    if isinstance(node, tuple):
        return tuple(without_groups(part) for part in node)
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        fields = [field.name for field in dataclasses.fields(node) if field.name != "span"]
        return dataclasses.replace(
            node, **{name: without_groups(getattr(node, name)) for name in fields}
        )
    return node


@slow_to_draw
@given(modules)
def test_a_printed_module_is_formatted(module: syntax.Module) -> None:
    text = format_module(module)
    assert format_source(text) == text


@slow_to_draw
@given(modules, st.randoms(use_true_random=False))
def test_untidy_text_is_formatted_once_and_for_all(
    module: syntax.Module, source: random.Random
) -> None:
    untidy = make_untidy(format_module(module), source)
    formatted = format_source(untidy)
    assert parse(formatted) == module
    assert format_source(formatted) == formatted
    assert Counter(comments_of(formatted)) == Counter(comments_of(untidy))


def make_untidy(text: str, source: random.Random) -> str:
    """The same tree and other spaces: indentation, blank lines, comments, broken brackets."""
    step = source.choice([1, 2, 3, 4])
    lines: list[str] = []
    depth = 0
    for number, line in enumerate(text.split("\n")[:-1]):
        body = line.lstrip(" ")
        indent = " " * ((len(line) - len(body)) // 2 * step)
        if depth > 0:
            indent = " " * source.randrange(9)
        pieces = [indent]
        for token in re.findall(r'"[^"]*"|§\S*|[A-Za-z0-9_]+|[()\[\]]| +|.', body):
            if token.isspace():
                token = " " * source.choice([1, 1, 2])
            depth += (token in "([") - (token in ")]")
            pieces.append(token)
            if depth > 0 and token in ("(", "[", ",") and source.random() < 0.2:
                note = f"  # within {number}" if source.random() < 0.5 else ""
                pieces.append(note + "\n" + " " * source.randrange(5))
        if source.random() < 0.2:
            pieces.append(f'   # at the end of {number} "[( ')
        if source.random() < 0.2 and depth == 0:
            lines.extend([""] * source.randrange(3))
            lines.append(" " * source.randrange(8) + f"# before {number}")
        lines.extend([""] * (source.randrange(3) if source.random() < 0.2 else 0))
        lines.append("".join(pieces))
    if source.random() < 0.5:
        lines.append(" " * source.randrange(5) + "# the end")
    return "\n".join(lines) + "\n" * source.randrange(3)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_files_keep_their_tree_and_comments(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    formatted = format_source(text, path.name)
    assert parse(formatted) == parse(text)
    assert format_source(formatted) == formatted
    assert comments_of(formatted) == comments_of(text)


def test_windows_line_ends_become_plain() -> None:
    text = 'game g "G"\nstate a: 0..3  # why\n'
    assert format_source(text.replace("\n", "\r\n")) == format_source(text)


def test_a_text_that_does_not_parse_is_left_alone() -> None:
    with pytest.raises(RulesError, match="E101"):
        format_source("game\n", "x.rules")


# --- the layout -------------------------------------------------------------------------------


def check(untidy: str, expected: str) -> None:
    assert format_source(untidy) == expected
    assert format_source(expected) == expected


def test_spaces() -> None:
    check(
        'game g "G"   extends "x"\n'
        "state a[ p:Player,0..3 ] :0 .. 3=-1+2*( 3 )   seen by p §1   §2~ab\n",
        'game g "G" extends "x"\n'
        "\n"
        "state a[p: Player, 0..3]: 0..3 = -1 + 2 * (3) seen by p  §1 §2~ab\n",
    )


def test_blank_lines() -> None:
    check(
        """

game g "G"
state a: 0..3
state b: 0..3



state c: 0..3
# about the type
type T = A | B
step one  §1

  a := 1


  b := 1
step two  §1
  a := 2

""",
        """\
game g "G"

state a: 0..3
state b: 0..3

state c: 0..3

# about the type
type T = A | B

step one  §1
  a := 1

  b := 1

step two  §1
  a := 2
""",
    )


def test_comments_stay_where_they_belong() -> None:
    check(
        """\
# about the file

game g "G"  # a game
step one  §1  # a step
      # before the first
      a := 1 #tight
      # after the last
  # level with the block's head? no: nothing is open there
# about two
step two  §1
  if a = 1
    a := 2
    # in the branch
  # before else
  else
    a := 3
  # after the choice
""",
        """\
# about the file

game g "G"  # a game

step one  §1  # a step
  # before the first
  a := 1  #tight
  # after the last

# level with the block's head? no: nothing is open there
# about two
step two  §1
  if a = 1
    a := 2
    # in the branch
  # before else
  else
    a := 3
  # after the choice
""",
    )


def test_comments_inside_brackets_go_above_the_line() -> None:
    check(
        """\
game g "G"

state a: 0..3 = max(1,  # one
  # two
  2)  # three
""",
        """\
game g "G"

# one
# two
state a: 0..3 = max(1, 2)  # three
""",
    )


def test_else_and_if_become_one_line() -> None:
    check(
        """\
game g "G"

step s  §1
  if a = 1
    a := 2
  else  # otherwise
    # perhaps
    if a = 2
      a := 3
    else
      nothing
""",
        """\
game g "G"

step s  §1
  if a = 1
    a := 2
  # otherwise
  # perhaps
  else if a = 2
    a := 3
  else
    nothing
""",
    )


def test_long_lines_break_inside_brackets() -> None:
    check(
        'game g "G"\n\n'
        "term leads(p: Player, q: Place): boolean = contends(p, q) and all(votes(o, q) <= "
        "votes(p, q) and another_condition(o, q) for o in Player where contends(o, q) and "
        "not leads(o, q))  §5\n",
        """\
game g "G"

term leads(p: Player, q: Place): boolean = contends(p, q) and all(
  votes(o, q) <= votes(p, q) and another_condition(o, q)
  for o in Player
  where contends(o, q) and not leads(o, q)
)  §5
""",
    )


def test_a_chain_breaks_at_its_loosest_operator() -> None:
    first = "first_condition_of_many[p] > 0 and second_condition_of_many[p] > 0"
    second = "third_condition_of_many[p] > 0 and fourth_condition_of_many[p] > 0"
    check(
        f'game g "G"\n\nends by ({first} or {second})\n',
        f'game g "G"\n\nends by (\n  {first}\n  or {second}\n)\n',
    )


def test_small_brackets_stay_closed() -> None:
    words = " + ".join(f"counter_number_{number}[p]" for number in range(9))
    check(f'game g "G"\n\nends by {words}\n', f'game g "G"\n\nends by {words}\n')
