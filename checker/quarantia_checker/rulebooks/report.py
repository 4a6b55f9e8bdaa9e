"""A trace as text for a terminal and as JSON for other programs."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from typing import Any, TextIO

from quarantia_checker.rulebooks.collation import Difference
from quarantia_checker.rulebooks.coverage import Fate, Lost, Trace, Traced

MARKS = {Fate.CITED: "+", Fate.ASIDE: "-", Fate.LEFT_OUT: "!", Fate.OPEN: "?", Fate.FREE: " "}


def write_trace(out: TextIO, title: str, book: str, trace: Trace, brief: bool) -> None:
    """Every statement with its pin and its rules (`brief`: only what is wrong), then numbers."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 120)
    out.write(f"{title}, against {book}\n")
    if not brief:
        _list(out, trace, width)
    _problems(out, trace, width)
    out.write("\n" + "\n".join(numbers(trace)) + "\n")


def numbers(trace: Trace) -> list[str]:
    normative = trace.normative
    rows = [
        (len(trace.statements), "statements"),
        (len(normative), "look like rules or are cited by rules; of these"),
        (len(trace.of(Fate.CITED)), "  are cited by rules"),
        (sum(each.fate is Fate.ASIDE for each in normative), "  are set aside with a reason"),
        (len(trace.of(Fate.LEFT_OUT)), "  are left out of the formal rules, with the reason"),
        (len(trace.of(Fate.OPEN)), "  are cited by nothing"),
        (len(trace.lost), "pins resolve no longer"),
        (len(trace.uncited), "rules have no passage"),
        (len(trace.own), "rules are our own and say so"),
    ]
    lines = [f"{count:5} {words}" for count, words in rows]
    # Rounding must not make a hundred of what is less.
    percent = int(10 * trace.percent) / 10
    return [*lines, f"{percent:g} % of what looks like a rule is accounted for"]


def trace_json(trace: Trace) -> dict[str, Any]:
    normative = trace.normative
    set_aside = [each for each in trace.statements if each.fate in (Fate.ASIDE, Fate.LEFT_OUT)]
    reasons = Counter(each.aside.reason.value for each in set_aside if each.aside)
    return {
        "statements": [_statement_json(each) for each in trace.statements],
        "lost": [_lost_json(each) for each in trace.lost],
        "uncited": [each.name for each in trace.uncited],
        "own": [each.name for each in trace.own],
        "unnamed": [each.name for each in trace.unnamed],
        "summary": {
            "statements": len(trace.statements),
            "normative": len(normative),
            "cited": len(trace.of(Fate.CITED)),
            "aside": len(trace.of(Fate.ASIDE)),
            "left_out": len(trace.of(Fate.LEFT_OUT)),
            "open": len(trace.of(Fate.OPEN)),
            "lost": len(trace.lost),
            "uncited": len(trace.uncited),
            "percent": trace.percent,
            "reasons": dict(sorted(reasons.items())),
        },
    }


def _statement_json(each: Traced) -> dict[str, Any]:
    return {
        "pin": each.statement.pin,
        "line": each.statement.line,
        "text": each.statement.text,
        "sections": list(each.sections),
        "normative": each.normative,
        "signs": list(each.sign.names),
        "fate": each.fate.value,
        "rules": list(each.rules),
        "aside": " ".join(_reason(each)) or None,
    }


def _lost_json(lost: Lost) -> dict[str, Any]:
    return {
        "pin": lost.pin,
        "section": lost.section,
        "told": lost.told,
        "now": [each.pin for each in lost.now],
    }


def _list(out: TextIO, trace: Trace, width: int) -> None:
    out.write("  + cited   - set aside   ! left out   ? cited by nothing\n\n")
    for each in trace.statements:
        out.write(_line(each, width))


def _line(each: Traced, width: int) -> str:
    text = textwrap.shorten(each.statement.text, max(width - 20, 30), placeholder=" …")
    line = f"{each.statement.line:5} {MARKS[each.fate]} {each.statement.pin}  {text}\n"
    sections = " ".join(f"§{section}" for section in each.sections)
    told = "; ".join([*([", ".join(each.rules)] if each.rules else []), *_reason(each)])
    if not told:
        return line
    return line + textwrap.fill(
        f"{sections}  {told}", width, initial_indent=" " * 16, subsequent_indent=" " * 18
    ) + "\n"  # fmt: skip


def _reason(each: Traced) -> list[str]:
    """A heading here may be a rule there: what is cited needs no reason."""
    return [str(each.aside)] if each.aside and each.fate is not Fate.CITED else []


def _problems(out: TextIO, trace: Trace, width: int) -> None:
    if opened := trace.of(Fate.OPEN):
        out.write("\ncited by nothing: name the rules in passages.toml, or set it aside\n")
        for each in opened:
            out.write(_line(each, width))
    if left := trace.of(Fate.LEFT_OUT):
        out.write("\nleft out of the formal rules\n")
        for each in left:
            out.write(_line(each, width))
    if trace.lost:
        out.write("\npins that resolve no longer: the text has changed, or this is another copy\n")
        for lost in trace.lost:
            places = ", ".join(each.pin for each in lost.now)
            now = f"; where it stood there is now {places}" if places else ""
            out.write(f"  §{lost.section}~{lost.pin}  {lost.told}{now}\n")
    if trace.uncited:
        out.write("\nrules without a passage\n")
        for rule in trace.uncited:
            out.write(f"  {rule.span}  {rule.kind} {rule.name}\n")


# --- two copies of one book -------------------------------------------------------------------


def write_differences(out: TextIO, other: str, differences: tuple[Difference, ...]) -> None:
    out.write(f"\ndifferences from {other} that carry meaning: {len(differences)}\n")
    for each in differences:
        places = " and ".join(
            f"line {line}" if line else "nowhere" for line in (each.line, each.other_line)
        )
        out.write(f"  {each.kind.value}, {places}\n")
        out.write(f"    {each.here}\n    {each.there}\n")


def difference_json(each: Difference) -> dict[str, Any]:
    return {
        "kind": each.kind.value,
        "line": each.line,
        "other_line": each.other_line,
        "here": each.here,
        "there": each.there,
        "pin": each.pin,
    }
