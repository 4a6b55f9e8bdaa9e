"""Diagnostics as text: the box, its carets, and spans that point nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarantia_spec.diagnostics import Code, Diagnostic, Label, Severity
from quarantia_spec.render import WIDEST_EXCERPT, render_json, render_text
from quarantia_spec.source import Citation, Span

SOURCE = 'game nim "Nim"\nstate heap: 0..7 = 7\nstep take_two  §2.1\n  heap := heep - 2\n'


def span(line: int, column: int, end_column: int, end_line: int | None = None) -> Span:
    return Span("nim.rules", line, column, end_line or line, end_column)


def test_a_box_points_cites_and_helps() -> None:
    diagnostic = Diagnostic(
        Code.UNKNOWN_NAME,
        "nothing is called `heep`",
        span(4, 11, 15),
        "did you mean `heap`?",
        (Label(span(2, 7, 11), "declared here"),),
        (Citation("2.1"), Citation("3", "ab12")),
    )
    assert render_text([diagnostic], {"nim.rules": SOURCE}) == (
        "error[E201]: nothing is called `heep`\n"
        " --> nim.rules:4:11\n"
        "  |\n"
        "2 | state heap: 0..7 = 7\n"
        "  |       ---- declared here\n"
        "...\n"
        "4 |   heap := heep - 2\n"
        "  |           ^^^^\n"
        "  = rulebook §2.1 §3~ab12\n"
        "  = help: did you mean `heap`?\n"
    )


def test_a_label_in_another_file_is_shown_there() -> None:
    label = Label(Span("base.rules", 1, 6, 1, 7), "first here")
    diagnostic = Diagnostic(Code.DUPLICATE_NAME, "twice", span(2, 7, 11), labels=(label,))
    text = render_text([diagnostic], {"nim.rules": SOURCE, "base.rules": "type A = B | C\n"})
    assert text.endswith(" ::: base.rules:1:6\n  |\n1 | type A = B | C\n  |      - first here\n")


def test_several_are_counted() -> None:
    wrong = Diagnostic(Code.UNKNOWN_NAME, "one", span(2, 7, 11))
    odd = Diagnostic(Code.UNUSED_RULE, "two", span(3, 1, 5), severity=Severity.WARNING)
    text = render_text([wrong, wrong, odd], {"nim.rules": SOURCE})
    assert text.endswith("\n2 errors and 1 warning\n")
    assert "warning[E503]: two\n" in text
    assert render_text([], {}) == ""


def test_carets_stand_under_wide_characters() -> None:
    source = "  说 说x\ty\n"
    column = source.index("x") + 1
    text = render_text(
        [Diagnostic(Code.UNEXPECTED, "m", span(1, column, column + 1))], {"nim.rules": source}
    )
    line, carets = text.split("\n")[3:5]
    assert line == "1 |   说 说x    y"
    # Two cells for each wide character: the caret is three columns further than characters count.
    assert carets == "  | " + " " * 7 + "^"


def test_a_combining_accent_takes_no_cell() -> None:
    source = "e\u0301 x"
    text = render_text([Diagnostic(Code.UNEXPECTED, "m", span(1, 4, 5))], {"nim.rules": source})
    assert text.split("\n")[4] == "  |   ^"


def test_a_long_line_is_cut_around_the_mark() -> None:
    source = "a" * 500 + "HERE" + "b" * 500
    text = render_text([Diagnostic(Code.UNEXPECTED, "m", span(1, 501, 505))], {"nim.rules": source})
    line, carets = text.split("\n")[3:5]
    assert line.startswith("1 | …a") and line.endswith("b…")
    assert len(line) <= WIDEST_EXCERPT + 4
    assert line[carets.index("^") : carets.rindex("^") + 1] == "HERE"


def test_control_characters_do_not_reach_the_terminal() -> None:
    text = render_text(
        [Diagnostic(Code.BAD_CHARACTER, "odd \x1b[31m\nthing", span(1, 2, 3))],
        {"nim.rules": "a\x1b[31mred\u202e\n"},
    )
    assert "\x1b" not in text and "\u202e" not in text
    assert text.split("\n")[0] == "error[E102]: odd \ufffd[31m thing"


def test_colour_only_on_request() -> None:
    diagnostic = Diagnostic(Code.UNEXPECTED, "m", span(2, 7, 11))
    plain = render_text([diagnostic], {"nim.rules": SOURCE})
    coloured = render_text([diagnostic], {"nim.rules": SOURCE}, colour=True)
    assert "\x1b[" not in plain
    assert coloured != plain
    import re

    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_without_the_source_there_is_still_the_place() -> None:
    text = render_text([Diagnostic(Code.UNEXPECTED, "m", span(2, 7, 11), "try")], {})
    assert text == "error[E101]: m\n --> nim.rules:2:7\n  = help: try\n"


def test_of_a_long_span_the_first_line_is_underlined() -> None:
    diagnostic = Diagnostic(Code.UNCITED, "m", span(3, 1, 10, end_line=4))
    lines = render_text([diagnostic], {"nim.rules": SOURCE}).split("\n")
    assert lines[3:6] == ["3 | step take_two  §2.1", "  | " + "^" * 19, ""]


def test_json_has_both_ends_and_the_labels() -> None:
    label = Label(span(2, 7, 11), "declared here")
    (found,) = render_json([Diagnostic(Code.UNEXPECTED, "m", span(4, 11, 15), labels=(label,))])
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (
        4,
        11,
        4,
        15,
    )
    assert found["labels"] == [
        {
            "file": "nim.rules",
            "line": 2,
            "column": 7,
            "end_line": 2,
            "end_column": 11,
            "text": "declared here",
        }
    ]


numbers = st.integers(-3, 200)
spans = st.builds(Span, st.sampled_from(["a", "b"]), numbers, numbers, numbers, numbers)


@given(
    st.text(max_size=300),
    spans,
    st.lists(st.builds(Label, spans, st.text(max_size=5)), max_size=3),
    st.text(max_size=9),
    st.booleans(),
)
def test_no_span_breaks_it(
    source: str, where: Span, labels: list[Label], words: str, colour: bool
) -> None:
    diagnostic = Diagnostic(Code.UNEXPECTED, words, where, words, tuple(labels))
    text = render_text([diagnostic], {"a": source}, colour)
    assert text.count("E101") >= 1
    assert f"{where.file}:{where.line}:{where.column}" in text


@pytest.mark.parametrize("length", [99, 100, 101, 102, 300])
@pytest.mark.parametrize("column", [1, 50, 99, 101])
def test_the_caret_is_under_its_character(length: int, column: int) -> None:
    source = "".join(chr(0x100 + number) for number in range(length))
    column = min(column, length)
    diagnostic = Diagnostic(Code.UNEXPECTED, "m", span(1, column, column + 1))
    line, carets = render_text([diagnostic], {"nim.rules": source}).split("\n")[3:5]
    assert line[carets.index("^")] == source[column - 1]
