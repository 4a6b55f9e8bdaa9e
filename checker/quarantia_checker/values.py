"""Values that are known now or only to the solver, and operations that fold what is known.

A `Value` is a Python `int` or `bool`, or a term. Every operation here returns a Python value when
its operands decide it, so that a position made of numbers is evaluated, not encoded, and one made
of symbols yields small terms. Sums and comparisons are kept in one form each, so that what is
written in two ways is mostly one term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from quarantia_checker.terms import (
    AND,
    AT_MOST,
    DIVIDE,
    IF,
    NOT,
    OR,
    REMAINDER,
    SAME,
    SOME,
    SUM,
    TIMES,
    Term,
    Value,
    made,
    rewritten,
)


def is_known(value: Value) -> bool:
    return isinstance(value, int)


def is_boolean(value: Value) -> bool:
    return value.boolean if type(value) is Term else isinstance(value, bool)


def as_integer(value: Value) -> Any:
    """A boolean as 0 or 1; an integer as it is."""
    if type(value) is Term:
        return made(IF, (value, 1, 0), False, value) if value.boolean else value
    return int(value)


def as_boolean(value: Value) -> Value:
    """An integer as "it is not 0"; a boolean as it is."""
    if type(value) is Term:
        return value if value.boolean else negate(equal(value, 0))
    return bool(value)


def same(left: Value, right: Value) -> bool:
    """Both are the same Python value or the same term (not merely equal in meaning)."""
    if left is right:
        return True
    return type(left) is not Term and type(right) is not Term and left == right


# --- booleans -------------------------------------------------------------------------------


def negate(value: Value) -> Value:
    if type(value) is not Term:
        return not value
    if value.kind == NOT:
        return value.parts[0]
    return made(NOT, (value,), True, value)


def conjoin(values: Iterable[Value]) -> Value:
    """All of them, looked at in order until one is known to be false."""
    terms: dict[Term, None] = {}
    for value in values:
        if type(value) is not Term:
            if not value:
                return False
            continue
        terms[value] = None
    for term in terms:
        if term.kind == NOT and term.parts[0] in terms:
            return False
    return _joined(AND, terms, True)


def disjoin(values: Iterable[Value]) -> Value:
    """Any of them, looked at in order until one is known to be true."""
    terms: dict[Term, None] = {}
    for value in values:
        if type(value) is not Term:
            if value:
                return True
            continue
        terms[value] = None
    for term in terms:
        if term.kind == NOT and term.parts[0] in terms:
            return True
    if len(terms) == 2:
        left, right = terms
        joined = _rejoined(left, right)
        if joined is not None:
            return joined
    return _joined(OR, terms, False)


def _joined(kind: str, terms: dict[Term, None], neutral: bool) -> Value:
    if not terms:
        return neutral
    first = next(iter(terms))
    return first if len(terms) == 1 else made(kind, tuple(terms), True, first)


def _rejoined(left: Term, right: Term) -> Value | None:
    """What "this and that" or "this and not that" come to, when it is as simple as that."""
    if left.kind != AND or right.kind != AND or len(left.parts) != 2 or len(right.parts) != 2:
        return None
    shared = left.parts[0]
    if right.parts[0] is shared and negate(left.parts[1]) is right.parts[1]:
        return shared
    return None


def conjuncts(value: Value) -> dict[Term, None]:
    """What is joined by `and` in a value, looking through what is joined again."""
    found: dict[Term, None] = {}
    todo = [value]
    while todo:
        part = todo.pop()
        if type(part) is not Term:
            continue
        if part.kind == AND:
            todo += reversed(part.parts)
        else:
            found[part] = None
    return found


def implies(left: Value, right: Value) -> Value:
    return disjoin((negate(left), right))


def choose(condition: Value, yes: Value, no: Value) -> Value:
    """`yes` where the condition holds, else `no`."""
    if type(condition) is not Term:
        return yes if condition else no
    if same(yes, no):
        return yes
    if condition.kind == NOT:
        condition, yes, no = condition.parts[0], no, yes
    if type(yes) is Term and yes.kind == IF and yes.parts[0] is condition:
        yes = yes.parts[1]
    if type(no) is Term and no.kind == IF and no.parts[0] is condition:
        no = no.parts[2]
    if is_boolean(yes) or is_boolean(no):
        yes, no = as_boolean(yes), as_boolean(no)
        if yes is True or yes is condition:
            return disjoin((condition, no))
        if yes is False:
            return conjoin((negate(condition), no))
        if no is True:
            return disjoin((negate(condition), yes))
        if no is False or no is condition:
            return conjoin((condition, yes))
        return made(IF, (condition, yes, no), True, condition)
    if same(yes, no):
        return yes
    return made(IF, (condition, yes, no), False, condition)


def some(bound: Sequence[Term], value: Value) -> Value:
    """There are values of the bound symbols for which it holds."""
    if type(value) is not Term or not bound:
        return value
    return made(SOME, (*bound, value), True, value)


# --- comparisons ----------------------------------------------------------------------------


def equal(left: Value, right: Value) -> Value:
    if is_boolean(left) and is_boolean(right):
        return _alike(left, right)
    left, right = as_integer(left), as_integer(right)
    if type(left) is not Term and type(right) is not Term:
        return bool(left == right)
    if left is right:
        return True
    constant, terms = difference(left, right)
    if not terms:
        return constant == 0
    if len(terms) == 1:
        ((term, factor),) = terms.items()
        return constant % factor == 0 and _is(term, -constant // factor)
    if len(terms) == 2 and constant == 0:
        (first, factor), (second, other) = terms.items()
        if factor == -other:
            if first.number > second.number:
                first, second = second, first
            return made(SAME, (first, second), True, first)
    if next(iter(terms.values())) < 0:
        constant, terms = -constant, {term: -factor for term, factor in terms.items()}
    left = _summed(0, terms)
    return made(SAME, (left, -constant), True, left)


def _alike(left: Value, right: Value) -> Value:
    if type(left) is not Term:
        return right if left else negate(right)
    if type(right) is not Term:
        return left if right else negate(left)
    if left is right:
        return True
    if left.kind == NOT and right.kind == NOT:
        return _alike(left.parts[0], right.parts[0])
    if left.kind == NOT:
        return negate(_alike(left.parts[0], right))
    if right.kind == NOT:
        return negate(_alike(left, right.parts[0]))
    if left.number > right.number:
        left, right = right, left
    return made(SAME, (left, right), True, left)


def _is(term: Term, number: int) -> Value:
    """A term that is no sum equals a number."""
    if term.kind == IF and type(term.parts[1]) is int and type(term.parts[2]) is int:
        return choose(term.parts[0], term.parts[1] == number, term.parts[2] == number)
    return made(SAME, (term, number), True, term)


def at_most(left: Value, right: Value) -> Value:
    left, right = as_integer(left), as_integer(right)
    if type(left) is not Term and type(right) is not Term:
        return bool(left <= right)
    if left is right:
        return True
    constant, terms = difference(left, right)
    if not terms:
        return constant <= 0
    if len(terms) == 1:
        ((term, factor),) = terms.items()
        if factor > 0:
            return _no_more(term, -constant // factor)
        return negate(_no_more(term, -(-constant // -factor) - 1))
    if next(iter(terms.values())) > 0:
        total_ = _summed(0, terms)
        return made(AT_MOST, (total_, -constant), True, total_)
    total_ = _summed(0, {term: -factor for term, factor in terms.items()})
    return negate(made(AT_MOST, (total_, constant - 1), True, total_))


def _no_more(term: Term, number: int) -> Value:
    """A term that is no sum is at most a number."""
    if term.kind == IF and type(term.parts[1]) is int and type(term.parts[2]) is int:
        return choose(term.parts[0], term.parts[1] <= number, term.parts[2] <= number)
    return made(AT_MOST, (term, number), True, term)


def less(left: Value, right: Value) -> Value:
    return negate(at_most(right, left))


def between(value: Value, low: int, high: int) -> Value:
    """`low <= value <= high`; a boolean is 0 or 1."""
    if is_boolean(value) and low <= 0 and high >= 1:
        return True
    return conjoin((at_most(low, value), at_most(value, high)))


# --- sums -----------------------------------------------------------------------------------


def difference(left: Value, right: Value) -> tuple[int, dict[Term, int]]:
    """`left - right` as a number and terms with factors, in the order of the terms."""
    terms: dict[Term, int] = {}
    constant = _gather(left, 1, terms) + _gather(right, -1, terms)
    return constant, _ordered(terms)


def _gather(value: Value, factor: int, terms: dict[Term, int]) -> Any:
    """Adds `factor * value` to the terms; returns what is a number in it."""
    if type(value) is not Term:
        return factor * int(value)
    if value.boolean:
        value = as_integer(value)
    if value.kind == SUM:
        parts = value.parts
        for place in range(1, len(parts), 2):
            term = parts[place + 1]
            terms[term] = terms.get(term, 0) + factor * parts[place]
        return factor * parts[0]
    terms[value] = terms.get(value, 0) + factor
    return 0


def _ordered(terms: dict[Term, int]) -> dict[Term, int]:
    kept = [(term.number, term, factor) for term, factor in terms.items() if factor]
    kept.sort()
    return {term: factor for _, term, factor in kept}


def _summed(constant: int, terms: dict[Term, int]) -> Any:
    """The sum; the terms have factors other than 0 and stand in order."""
    if not terms:
        return constant
    first = next(iter(terms))
    if constant == 0 and len(terms) == 1 and terms[first] == 1:
        return first
    parts: list[Any] = [constant]
    for term, factor in terms.items():
        parts += (factor, term)
    return made(SUM, tuple(parts), False, first)


def total(values: Iterable[Value]) -> Any:
    """The sum.

    NOTE(deltas) "a if h, else b" is added as b, plus what h changes: after a move that touches
    one of many cells the sum is then the old sum plus a difference, which is what makes proofs
    about sums and counts fast.
    """
    return _added((1, value) for value in values)


def _added(rows: Iterable[tuple[int, Value]]) -> Any:
    """The sum of factors times values."""
    terms: dict[Term, int] = {}
    constant = 0
    todo = [(factor, as_integer(value)) for factor, value in rows]
    todo.reverse()
    while todo:
        factor, value = todo.pop()
        if type(value) is Term and value.kind == IF:
            condition, yes, no = value.parts
            if type(no) is Term:
                todo.append((factor, no))
                value = choose(condition, _summed(*difference(yes, no)), 0)
        constant += _gather(value, factor, terms)
    return _summed(constant, _ordered(terms))


def counted(value: Value) -> Any:
    """1 where a boolean holds, else 0, so written that `total` finds the differences.

    A boolean about cells of which some change when `condition` holds counts as it did before, plus
    what counts after the change, minus what counted before it.
    """
    if type(value) is not Term:
        return int(value)
    parted = _parted(value)
    if parted is None:
        return as_integer(value)
    condition, changed, kept = parted
    gone = False if _excludes(condition, kept) else conjoin((condition, kept))
    came = conjoin((condition, changed))
    return total((counted(kept), as_integer(came), minus(as_integer(gone))))


def _parted(value: Term) -> tuple[Term, Value, Value] | None:
    """A condition, and what the value comes to where it holds and where it does not."""
    if value.kind == SAME and type(value.parts[1]) is int:
        left, right = value.parts
        if left.kind == IF:
            condition, yes, no = left.parts
            return condition, equal(yes, right), equal(no, right)
    if value.kind == AND:
        for part in value.parts:
            found = _parted(part)
            if found is not None:
                condition = found[0]
                return condition, _where(value, condition, 1), _where(value, condition, 2)
    return None


def _where(value: Term, condition: Term, side: int) -> Value:
    """A conjunction where the condition holds (1) or does not (2)."""
    parts: list[Value] = []
    for part in value.parts:
        found = _parted(part)
        parts.append(found[side] if found is not None and found[0] is condition else part)
    return conjoin(parts)


def _excludes(condition: Term, value: Value) -> bool:
    """The condition gives a cell another number than `value` does, so that both cannot hold."""
    claimed = _cell_and_number(value)
    if claimed is None:
        return False
    cell, number = claimed
    for part in conjuncts(condition):
        found = _cell_and_number(part)
        if found is not None and found[1] != number and found[0] is cell:
            return True
    return False


def _cell_and_number(value: Value) -> tuple[Term, int] | None:
    """What is said to have which number, when that is all that is said."""
    if type(value) is Term and value.kind == SAME and type(value.parts[1]) is int:
        return value.parts[0], value.parts[1]
    return None


def minus(value: Value) -> Any:
    return times(-1, value)


def times(left: Value, right: Value) -> Any:
    left, right = as_integer(left), as_integer(right)
    if type(left) is Term and type(right) is Term:
        for one, other in ((left, right), (right, left)):
            if one.kind == IF and type(one.parts[1]) is int and type(one.parts[2]) is int:
                condition, yes, no = one.parts
                return choose(condition, times(yes, other), times(no, other))
        if left.number > right.number:
            left, right = right, left
        return made(TIMES, (left, right), False, left)
    if type(left) is Term:
        left, right = right, left
    terms: dict[Term, int] = {}
    constant = _gather(right, left, terms)
    return _summed(constant, _ordered(terms))


def quotient(left: Value, right: Value) -> Any:
    """Division rounded down; 0 for a divisor of 0, which the rules never let happen."""
    left, right = as_integer(left), as_integer(right)
    if type(right) is not Term:
        if right == 0:
            return 0
        if type(left) is not Term:
            return left // right
        return _divided(DIVIDE, left, right) if right > 0 else _divided(DIVIDE, minus(left), -right)
    return choose(
        less(0, right),
        _divided(DIVIDE, left, right),
        choose(less(right, 0), _divided(DIVIDE, minus(left), minus(right)), 0),
    )


def _divided(kind: str, left: Any, right: Any) -> Any:
    """What SMT-LIB makes of it: the remainder is never negative."""
    if type(left) is Term:
        return made(kind, (left, right), False, left)
    if type(right) is Term:
        return made(kind, (left, right), False, right)
    if right == 0:
        return 0
    remainder_ = left % abs(right)
    return remainder_ if kind == REMAINDER else (left - remainder_) // right


def remainder(left: Value, right: Value) -> Any:
    """What division rounded down leaves: it has the sign of the divisor."""
    left, right = as_integer(left), as_integer(right)
    if type(right) is not Term and right == 0:
        return 0
    if type(left) is not Term and type(right) is not Term:
        return left % right
    if type(right) is not Term and right > 0:
        return _divided(REMAINDER, left, right)
    rest = total((left, minus(times(right, quotient(left, right)))))
    return choose(equal(right, 0), 0, rest)


def larger(left: Value, right: Value) -> Any:
    left, right = as_integer(left), as_integer(right)
    return choose(at_most(left, right), right, left)


def smaller(left: Value, right: Value) -> Any:
    left, right = as_integer(left), as_integer(right)
    return choose(at_most(left, right), left, right)


def absolute(value: Value) -> Any:
    value = as_integer(value)
    return abs(value) if type(value) is not Term else choose(at_most(0, value), value, minus(value))


def pick(
    index: Value, low: int, entries: Sequence[Callable[[], Value]], first: int, last: int
) -> Value:
    """The entry for `index`: `entries[0]` stands for index `low`.

    A symbolic index is taken to lie in `first..last`; outside, any value will do.
    """
    high = low + len(entries) - 1
    if type(index) is not Term:
        return entries[min(max(index, low), high) - low]()
    first, last = max(first, low), min(last, high)
    if first > last:
        first, last = low, high
    result = entries[last - low]()
    for number in range(last - 1, first - 1, -1):
        result = choose(equal(index, number), entries[number - low](), result)
    return result


# --- putting together again -----------------------------------------------------------------


def substitute(value: Value, known: dict[Term, Value]) -> Value:
    """`value` with other values in place of some terms.

    `known` grows by what was worked out: hand it in again, and what terms share is done once.
    """
    return rewritten(value, known, remade)


def remade(term: Term, parts: list[Any]) -> Value:
    """The term with other parts, as if it had just been made of them."""
    match term.kind:
        case "if":
            if parts[1:] == [1, 0] and not term.boolean:
                return counted(parts[0])
            return choose(parts[0], parts[1], parts[2])
        case "and":
            return conjoin(parts)
        case "or":
            return disjoin(parts)
        case "not":
            return negate(parts[0])
        case "=":
            return equal(parts[0], parts[1])
        case "<=":
            return at_most(parts[0], parts[1])
        case "+":
            pairs = zip(parts[1::2], parts[2::2], strict=True)
            return _added(((1, parts[0]), *pairs))
        case "*":
            return times(parts[0], parts[1])
        case "div" | "mod":
            return _divided(term.kind, parts[0], parts[1])
        case "exists":
            return some(parts[:-1], parts[-1])
        case _:
            raise AssertionError(term.kind)
