"""Values that are known now or only to the solver, and operations that fold what is known.

A `Value` is a Python `int` or `bool`, or a z3 term of sort Int or Bool. Every operation here
returns a Python value when its operands decide it, so that a position made of numbers is
evaluated, not encoded, and one made of symbols yields small terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import z3

# z3 would check the sorts of every term that is made. They are those of typed rules: `Sort` says of
# each value whether it is a boolean, and the checks took a fifth of the time of a proof.
z3.z3.Z3_DEBUG = False

Term: TypeAlias = Any  # z3 ships no type information
Value: TypeAlias = Any  # int | bool | Term


def is_known(value: Value) -> bool:
    return isinstance(value, int)


def is_boolean(value: Value) -> bool:
    return isinstance(value, bool) or (not isinstance(value, int) and z3.is_bool(value))


def to_term(value: Value) -> Term:
    """The z3 term of a value."""
    if isinstance(value, bool):
        return z3.BoolVal(value)
    if isinstance(value, int):
        return z3.IntVal(value)
    return value


def as_integer(value: Value) -> Value:
    """A boolean as 0 or 1; an integer as it is."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) or not z3.is_bool(value):
        return value
    return z3.If(value, z3.IntVal(1), z3.IntVal(0))


def as_boolean(value: Value) -> Value:
    """An integer as "it is not 0"; a boolean as it is."""
    if isinstance(value, int):
        return bool(value)
    if z3.is_bool(value):
        return value
    return value != 0


def same(left: Value, right: Value) -> bool:
    """Both are the same Python value or the same term (not merely equal in meaning)."""
    if left is right:
        return True
    if isinstance(left, int) or isinstance(right, int):
        return isinstance(left, int) and isinstance(right, int) and left == right
    return bool(left.eq(right))


def negate(value: Value) -> Value:
    if isinstance(value, bool):
        return not value
    if z3.is_not(value):
        return value.arg(0)
    return z3.Not(value)


def conjoin(values: Iterable[Value]) -> Value:
    """All of them, looked at in order until one is known to be false."""
    terms: list[Term] = []
    for value in values:
        if value is True:
            continue
        if value is False:
            return False
        terms.append(value)
    if not terms:
        return True
    return terms[0] if len(terms) == 1 else z3.And(terms)


def disjoin(values: Iterable[Value]) -> Value:
    """Any of them, looked at in order until one is known to be true."""
    terms: list[Term] = []
    for value in values:
        if value is False:
            continue
        if value is True:
            return True
        terms.append(value)
    if not terms:
        return False
    return terms[0] if len(terms) == 1 else z3.Or(terms)


def implies(left: Value, right: Value) -> Value:
    return disjoin((negate(left), right))


def choose(condition: Value, yes: Value, no: Value) -> Value:
    """`yes` where the condition holds, else `no`."""
    if isinstance(condition, bool):
        return yes if condition else no
    if same(yes, no):
        return yes
    if is_boolean(yes) or is_boolean(no):
        yes, no = as_boolean(yes), as_boolean(no)
        if yes is True:
            return disjoin((condition, no))
        if yes is False:
            return conjoin((negate(condition), no))
        if no is True:
            return disjoin((negate(condition), yes))
        if no is False:
            return conjoin((condition, yes))
    return z3.If(condition, to_term(yes), to_term(no))


def equal(left: Value, right: Value) -> Value:
    if is_boolean(left) and is_boolean(right):
        if isinstance(left, bool):
            return right if left else negate(right)
        if isinstance(right, bool):
            return left if right else negate(left)
        return True if same(left, right) else left == right
    left, right = as_integer(left), as_integer(right)
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    if same(left, right):
        return True
    return to_term(left) == to_term(right)


def at_most(left: Value, right: Value) -> Value:
    left, right = as_integer(left), as_integer(right)
    if isinstance(left, int) and isinstance(right, int):
        return left <= right
    return True if same(left, right) else to_term(left) <= to_term(right)


def less(left: Value, right: Value) -> Value:
    left, right = as_integer(left), as_integer(right)
    if isinstance(left, int) and isinstance(right, int):
        return left < right
    return False if same(left, right) else to_term(left) < to_term(right)


def between(value: Value, low: int, high: int) -> Value:
    """`low <= value <= high`; a boolean is 0 or 1."""
    if is_boolean(value):
        if low <= 0 and high >= 1:
            return True
        value = as_integer(value)
    return conjoin((at_most(low, value), at_most(value, high)))


def total(values: Iterable[Value]) -> Value:
    """The sum.

    NOTE(deltas) "a if h, else b" is added as b, plus what h changes: after a move that touches
    one of many cells the sum is then the old sum plus a difference, which is what makes proofs
    about sums and counts fast.
    """
    known = 0
    terms: list[Term] = []
    todo = [as_integer(value) for value in values]
    for integer in todo:
        if isinstance(integer, int):
            known += integer
        elif _is_choice(integer) and not z3.is_int_value(integer.arg(2)):
            condition, yes, no = integer.children()
            todo.append(no)
            terms.append(z3.If(condition, yes - no, z3.IntVal(0)))
        else:
            terms.append(integer)
    if not terms:
        return known
    if known:
        terms.append(z3.IntVal(known))
    return terms[0] if len(terms) == 1 else z3.Sum(terms)


def counted(value: Value) -> Value:
    """1 where a boolean holds, else 0, so written that `total` finds the differences."""
    if isinstance(value, int):
        return int(value)
    if z3.is_eq(value):
        left, right = value.children()
        if z3.is_int_value(left):
            left, right = right, left
        if _is_choice(left) and z3.is_int_value(right):
            condition, yes, no = left.children()
            kept = equal(_plain(no), _plain(right))
            changed = equal(_plain(yes), _plain(right))
            if changed is False and _excludes(condition, kept):
                return counted(kept)
            return choose(condition, counted(changed), counted(kept))
    return as_integer(value)


def _excludes(condition: Term, value: Value) -> bool:
    """The condition gives a cell another number than `value` does, so that both cannot hold."""
    claimed = _cell_and_number(value)
    if claimed is None:
        return False
    cell, number = claimed
    todo = [condition]
    while todo:
        part = todo.pop()
        if z3.is_and(part):
            todo.extend(part.children())
            continue
        found = _cell_and_number(part)
        if found is not None and found[1] != number and found[0].eq(cell):
            return True
    return False


def _cell_and_number(value: Value) -> tuple[Term, int] | None:
    """What is said to have which number, when that is all that is said."""
    if isinstance(value, int) or not z3.is_eq(value):
        return None
    left, right = value.children()
    if z3.is_int_value(left):
        left, right = right, left
    return (left, int(right.as_long())) if z3.is_int_value(right) else None


def _is_choice(term: Term) -> bool:
    return bool(z3.is_app_of(term, z3.Z3_OP_ITE))


def _plain(term: Term) -> Value:
    return int(term.as_long()) if z3.is_int_value(term) else term


def minus(value: Value) -> Value:
    integer = as_integer(value)
    return -integer


def times(left: Value, right: Value) -> Value:
    left, right = as_integer(left), as_integer(right)
    if isinstance(left, int) and left in (0, 1):
        return right if left else 0
    if isinstance(right, int) and right in (0, 1):
        return left if right else 0
    return left * right


def quotient(left: Value, right: Value) -> Value:
    """Division rounded down; 0 for a divisor of 0, which the rules never let happen."""
    left, right = as_integer(left), as_integer(right)
    if isinstance(right, int):
        if right == 0:
            return 0
        if isinstance(left, int):
            return left // right
        # z3 rounds so that the remainder is never negative: down when the divisor is positive.
        return left / right if right > 0 else (-left) / z3.IntVal(-right)
    left = to_term(left)
    return z3.If(right > 0, left / right, z3.If(right < 0, (-left) / (-right), z3.IntVal(0)))


def remainder(left: Value, right: Value) -> Value:
    """What division rounded down leaves: it has the sign of the divisor."""
    left, right = as_integer(left), as_integer(right)
    if isinstance(right, int) and right == 0:
        return 0
    if isinstance(left, int) and isinstance(right, int):
        return left % right
    if isinstance(right, int) and right > 0:
        return left % right
    return total((left, minus(times(right, quotient(left, right)))))


def larger(left: Value, right: Value) -> Value:
    left, right = as_integer(left), as_integer(right)
    return choose(at_most(left, right), right, left)


def smaller(left: Value, right: Value) -> Value:
    left, right = as_integer(left), as_integer(right)
    return choose(at_most(left, right), left, right)


def absolute(value: Value) -> Value:
    value = as_integer(value)
    return abs(value) if isinstance(value, int) else choose(value >= 0, value, -value)


def pick(
    index: Value, low: int, entries: Sequence[Callable[[], Value]], first: int, last: int
) -> Value:
    """The entry for `index`: `entries[0]` stands for index `low`.

    A symbolic index is taken to lie in `first..last`; outside, any value will do.
    """
    high = low + len(entries) - 1
    if isinstance(index, int):
        return entries[min(max(index, low), high) - low]()
    first, last = max(first, low), min(last, high)
    if first > last:
        first, last = low, high
    result = entries[last - low]()
    for number in range(last - 1, first - 1, -1):
        result = choose(index == number, entries[number - low](), result)
    return result
