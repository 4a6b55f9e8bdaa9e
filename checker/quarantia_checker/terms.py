"""Terms: what is known only to the solver, as a graph in which like terms are one object.

A term is a symbol or an operator with its parts, which are terms or numbers. Terms are made by the
operations in `values`, which fold what is known; they are alike exactly when they are the same
object. Nothing here knows a solver: `solver` tells z3 what a term means, `smtlib` writes it down.

NOTE(one-object) Every term is remembered by the first term among its parts, so that what is made
twice is found again, and whole families of terms go when their symbols go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

SYMBOL = "symbol"
IF = "if"  # condition, yes, no
AND = "and"
OR = "or"
NOT = "not"
SAME = "="  # of two booleans, or of two integers
AT_MOST = "<="
SUM = "+"  # a number, then a factor and a term in turn
TIMES = "*"
DIVIDE = "div"  # rounded so that the remainder is never negative
REMAINDER = "mod"  # never negative
SOME = "exists"  # the bound symbols, then what holds of some values of theirs

Value: TypeAlias = Any  # int, bool or Term; operations tell them apart as they go

_numbers = count()


class Term:
    """One node of the graph. `boolean` says its sort; the other sort is the integers."""

    __slots__ = ("__weakref__", "_above", "boolean", "kind", "name", "number", "parts")

    def __init__(self, kind: str, parts: tuple[Any, ...], boolean: bool, name: str = "") -> None:
        self.kind = kind
        self.parts = parts
        self.boolean = boolean
        self.name = name
        self.number = next(_numbers)  # terms are put in the order in which they were made
        self._above: dict[tuple[str, tuple[Any, ...]], Term] = {}

    def __repr__(self) -> str:
        if self.kind == SYMBOL:
            return self.name
        return f"({self.kind} {' '.join(map(str, self.parts))})"

    # A term in a condition of Python would always be true: that is a bug, never meant.
    def __bool__(self) -> bool:
        raise TypeError(f"nobody knows yet whether {self} holds")


_symbols: WeakValueDictionary[tuple[str, bool], Term] = WeakValueDictionary()


def symbol(name: str, boolean: bool) -> Term:
    """The symbol of this name and sort, always the same object while anybody has it."""
    found = _symbols.get((name, boolean))
    if found is None:
        found = _symbols[name, boolean] = Term(SYMBOL, (), boolean, name)
    return found


def made(kind: str, parts: tuple[Any, ...], boolean: bool, first: Term) -> Term:
    """The term with these parts, of which `first` is the first that is a term."""
    key = (kind, parts)
    found = first._above.get(key)
    if found is None:
        found = first._above[key] = Term(kind, parts, boolean)
    return found


def parts_of(term: Term) -> Iterator[Term]:
    """The terms directly inside a term."""
    for part in term.parts:
        if type(part) is Term:
            yield part


def walk(*terms: Value) -> Iterator[Term]:
    """Every term in these, each once, a part before what it is a part of."""
    seen: set[Term] = set()
    for root in terms:
        if type(root) is not Term or root in seen:
            continue
        todo: list[tuple[Term, bool]] = [(root, False)]
        while todo:
            term, done = todo.pop()
            if done:
                yield term
            elif term not in seen:
                seen.add(term)
                todo.append((term, True))
                todo += [(part, False) for part in parts_of(term) if part not in seen]


def symbols_of(*terms: Value) -> list[Term]:
    """The symbols in these, in the order in which they are met; bound ones are left out."""
    bound: set[Term] = set()
    found: list[Term] = []
    for term in walk(*terms):
        if term.kind == SYMBOL:
            found.append(term)
        elif term.kind == SOME:
            bound.update(term.parts[:-1])
    return [each for each in found if each not in bound] if bound else found


def rewritten(
    value: Value, known: dict[Term, Value], make: Callable[[Term, list[Value]], Value]
) -> Value:
    """`value` with what is `known` put in place of terms; `known` grows by what is worked out.

    `make` puts a term together again from new parts.
    """
    if type(value) is not Term:
        return value
    todo = [value]
    while todo:
        term = todo[-1]
        if term in known:
            todo.pop()
            continue
        missing = [part for part in parts_of(term) if part not in known]
        if missing:
            todo += missing
            continue
        todo.pop()
        fresh = [known[part] if type(part) is Term else part for part in term.parts]
        unchanged = all(new is old for new, old in zip(fresh, term.parts, strict=True))
        known[term] = term if unchanged else make(term, fresh)
    return known[value]


def values_of(term: Value, given: Mapping[Term, int]) -> int:
    """What a term is worth when its symbols have these values (0 for those that are missing)."""
    return worked_out(term, dict(given))


def worked_out(value: Value, known: dict[Term, int], missing: int = 0) -> int:
    """The same; `known` grows by what is worked out, for the next term that shares parts."""
    if type(value) is not Term:
        return int(value)
    found = known.get(value)
    if found is not None:
        return found
    todo = [value]
    while todo:
        term = todo[-1]
        if term in known:
            todo.pop()
            continue
        ready = _worth(term, known, missing)
        if type(ready) is int:
            known[term] = ready
            todo.pop()
        else:
            todo.append(ready)  # a part that must be known first
    return known[value]


def _worth(term: Term, known: dict[Term, int], missing: int) -> Any:
    """The number of a term, or a part whose number is needed for it."""
    kind, parts = term.kind, term.parts
    if kind == SYMBOL:
        return missing
    if kind in (AND, OR):
        stop = 1 if kind == OR else 0
        for part in parts:
            worth = known.get(part)
            if worth is None:
                return part
            if worth == stop:
                return stop
        return 1 - stop
    if kind == IF:
        test = known.get(parts[0])
        if test is None:
            return parts[0]
        chosen = parts[1] if test else parts[2]
        if type(chosen) is not Term:
            return int(chosen)
        worth = known.get(chosen)
        return chosen if worth is None else worth
    if kind == SUM:
        total = parts[0]
        for place in range(1, len(parts), 2):
            worth = known.get(parts[place + 1])
            if worth is None:
                return parts[place + 1]
            total += parts[place] * worth
        return total
    if kind == SOME:
        raise AssertionError("whether there is such a value is for the solver to say")
    numbers: list[int] = []
    for part in parts:
        if type(part) is Term:
            worth = known.get(part)
            if worth is None:
                return part
            numbers.append(worth)
        else:
            numbers.append(int(part))
    match kind:
        case "not":
            return 1 - numbers[0]
        case "=":
            return int(numbers[0] == numbers[1])
        case "<=":
            return int(numbers[0] <= numbers[1])
        case "*":
            return numbers[0] * numbers[1]
        case "div":
            left, right = numbers
            return left // right if right > 0 else -(left // -right) if right else 0
        case "mod":
            return numbers[0] % abs(numbers[1]) if numbers[1] else numbers[0]
        case _:
            raise AssertionError(kind)
