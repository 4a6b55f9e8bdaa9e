"""Assertions as SMT-LIB 2, for other solvers and for people who want to see for themselves.

Written from the terms themselves, not by z3, so that what z3 was told is checked as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from quarantia_checker.terms import SOME, SYMBOL, Term, Value, parts_of, symbols_of, walk

LONGEST = 60  # a part used once is written where it is used, unless that would get longer than this


def script(name: str, assertions: Sequence[Value], expected: str) -> str:
    """A file that asks whether the assertions can all hold."""
    title = " ".join(name.split())
    # As a comment: cvc5 takes `:status` for a promise and answers "error" where it is broken.
    lines = [f"; {title}", f"; expected: {expected}", "(set-logic ALL)"]
    for each in symbols_of(*assertions):
        lines.append(f"(declare-const {quoted(each.name)} {'Bool' if each.boolean else 'Int'})")
    written = _definitions(assertions, lines)
    for value in assertions:
        if value is not True:
            lines.append(f"(assert {_text(value, written)})")
    lines.append("(check-sat)")
    return "\n".join(lines) + "\n"


def quoted(name: str) -> str:
    """A symbol that any text can be, but for the two characters that SMT-LIB excludes."""
    return "|" + name.replace("|", "!").replace("\\", "/") + "|"


def _definitions(assertions: Iterable[Value], lines: list[str]) -> dict[Term, str]:
    """How each term is written; those that are used often, or are long, get a name first."""
    terms = list(walk(*assertions))
    uses = Counter(part for term in terms for part in parts_of(term))
    bound = _under_quantifiers(terms)
    written: dict[Term, str] = {}
    for term in terms:
        text = quoted(term.name) if term.kind == SYMBOL else _made(term, written)
        if term.kind != SYMBOL and term not in bound and (uses[term] > 1 or len(text) > LONGEST):
            name = f"t{len(written)}"
            lines.append(f"(define-fun {name} () {'Bool' if term.boolean else 'Int'} {text})")
            text = name
        written[term] = text
    return written


def _under_quantifiers(terms: Iterable[Term]) -> set[Term]:
    """Terms that mention a bound symbol: they cannot be named outside."""
    mentioning: set[Term] = set()
    terms = list(terms)
    for term in terms:
        if term.kind == SOME:
            mentioning.update(term.parts[:-1])
    if mentioning:
        for term in terms:
            if term.kind != SOME and any(part in mentioning for part in parts_of(term)):
                mentioning.add(term)
    return mentioning


def _text(value: Value, written: dict[Term, str]) -> str:
    if type(value) is Term:
        return written[value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if value >= 0 else f"(- {-value})"


def _made(term: Term, written: dict[Term, str]) -> str:
    parts = [_text(part, written) for part in term.parts]
    match term.kind:
        case "if":
            return f"(ite {parts[0]} {parts[1]} {parts[2]})"
        case "+":
            rows = [parts[0]] if term.parts[0] else []
            for place in range(1, len(parts), 2):
                once = term.parts[place] == 1
                rows.append(parts[place + 1] if once else f"(* {parts[place]} {parts[place + 1]})")
            return rows[0] if len(rows) == 1 else f"(+ {' '.join(rows)})"
        case "exists":
            bound = " ".join(f"({name} Int)" for name in parts[:-1])
            for part in term.parts[:-1]:
                if part.boolean:
                    bound = bound.replace(f"({written[part]} Int)", f"({written[part]} Bool)")
            return f"(exists ({bound}) {parts[-1]})"
        case _:
            return f"({term.kind} {' '.join(parts)})"
