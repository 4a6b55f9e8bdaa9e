"""Terms mean what the numbers in their place would have come to, for us, for z3 and as SMT-LIB."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarantia_checker import values
from quarantia_checker.smtlib import script
from quarantia_checker.solver import Answer, Session, Solver
from quarantia_checker.terms import Term, Value, symbol, values_of, walk
from quarantia_checker.values import choose, conjoin, counted, equal, negate, same, substitute

NUMBERS = [symbol(name, False) for name in "abcd"]
TRUTHS = [symbol(name, True) for name in "pqr"]
CELL, OTHER, TAKEN = NUMBERS[0], NUMBERS[1], TRUTHS[0]

# An expression is a function of the values of the symbols, so that it can be worked out with
# numbers in their place or made into a term of them.
Made = Callable[[dict[str, Any]], Any]


def leaf(name: str) -> Made:
    return lambda scope: scope[name]


def number(value: int) -> Made:
    return lambda scope: value


def of(operation: Callable[..., Any], *parts: Made) -> Made:
    return lambda scope: operation(*(part(scope) for part in parts))


def sums(left: Made, right: Made, third: Made) -> Made:
    return lambda scope: values.total((left(scope), right(scope), third(scope)))


def both(*parts: Made) -> Made:
    return lambda scope: values.conjoin(part(scope) for part in parts)


def either(*parts: Made) -> Made:
    return lambda scope: values.disjoin(part(scope) for part in parts)


def picked(index: Made, *entries: Made) -> Made:
    def pick(scope: dict[str, Any]) -> Any:
        at = values.smaller(values.larger(index(scope), 0), len(entries) - 1)
        ready = [partial(entry, scope) for entry in entries]
        return values.pick(at, 0, ready, 0, len(entries) - 1)

    return pick


def expressions() -> tuple[st.SearchStrategy[Made], st.SearchStrategy[Made]]:
    integer = st.sampled_from([leaf(each.name) for each in NUMBERS]) | st.integers(-3, 5).map(
        number
    )
    boolean = st.sampled_from([leaf(each.name) for each in TRUTHS]) | st.booleans().map(number)
    for _ in range(3):
        small, test = integer, boolean
        integer = st.one_of(
            small,
            st.builds(sums, small, small, small),
            st.builds(of, st.just(values.times), small, small),
            st.builds(of, st.just(values.minus), small),
            st.builds(of, st.just(values.quotient), small, small),
            st.builds(of, st.just(values.remainder), small, small),
            st.builds(of, st.just(values.larger), small, small),
            st.builds(of, st.just(values.smaller), small, small),
            st.builds(of, st.just(values.absolute), small),
            st.builds(of, st.just(choose), test, small, small),
            st.builds(of, st.just(counted), test),
            st.builds(of, st.just(values.as_integer), test),
            st.builds(picked, small, small, small, small),
        )
        boolean = st.one_of(
            test,
            st.builds(both, test, test, test),
            st.builds(either, test, test),
            st.builds(of, st.just(values.implies), test, test),
            st.builds(of, st.just(negate), test),
            st.builds(of, st.just(equal), small, small),
            st.builds(of, st.just(equal), test, test),
            st.builds(of, st.just(values.at_most), small, small),
            st.builds(of, st.just(values.less), small, small),
            st.builds(of, st.just(choose), test, test, test),
            st.builds(of, st.just(values.as_boolean), small),
        )
    return integer, boolean


INTEGER, BOOLEAN = expressions()
EXPRESSION = INTEGER | BOOLEAN
SCOPE = st.fixed_dictionaries(
    {each.name: st.integers(-3, 5) for each in NUMBERS}
    | {each.name: st.booleans() for each in TRUTHS}
)
SYMBOLS: dict[str, Any] = {each.name: each for each in (*NUMBERS, *TRUTHS)}


def numbers_of(scope: dict[str, Any]) -> dict[Term, int]:
    return {SYMBOLS[name]: int(value) for name, value in scope.items()}


@settings(deadline=None, max_examples=400)
@given(EXPRESSION, SCOPE)
def test_a_term_is_worth_what_its_numbers_come_to(made: Made, scope: dict[str, Any]) -> None:
    assert values_of(made(SYMBOLS), numbers_of(scope)) == int(made(scope))


@settings(deadline=None, max_examples=200)
@given(EXPRESSION, st.sampled_from("abcd"), INTEGER, SCOPE)
def test_what_is_put_in_place_is_what_is_meant(
    made: Made, name: str, other: Made, scope: dict[str, Any]
) -> None:
    put = substitute(made(SYMBOLS), {SYMBOLS[name]: other(SYMBOLS)})
    assert values_of(put, numbers_of(scope)) == int(made({**scope, name: other(scope)}))


@settings(deadline=None, max_examples=100)
@given(EXPRESSION, SCOPE)
def test_z3_is_told_the_same(made: Made, scope: dict[str, Any]) -> None:
    solver = Solver(Session(), 10)
    solver.add(*(equal(SYMBOLS[name], value) for name, value in scope.items()))
    claim = equal(made(SYMBOLS), made(scope))
    assert solver.check_also((negate(claim),)) is Answer.UNSATISFIABLE
    solver.release()
    assert solver.check_also((claim,)) is Answer.SATISFIABLE
    model = solver.model()
    assert all(model.number(SYMBOLS[name]) == int(value) for name, value in scope.items())


@settings(deadline=None, max_examples=60)
@given(EXPRESSION, SCOPE)
def test_so_is_whoever_reads_smt_lib(made: Made, scope: dict[str, Any]) -> None:
    z3 = pytest.importorskip("z3")
    known = [equal(SYMBOLS[name], value) for name, value in scope.items()]
    claim = equal(made(SYMBOLS), made(scope))
    for wanted, expected in ((claim, "sat"), (negate(claim), "unsat")):
        solver = z3.Solver()
        solver.from_string(script("a claim", (*known, wanted), expected))
        assert str(solver.check()) == expected


def test_like_terms_are_one_object() -> None:
    assert same(values.total((CELL, OTHER, 1)), values.total((1, OTHER, CELL)))
    assert same(equal(CELL, OTHER), equal(OTHER, CELL))
    assert same(values.less(CELL, 3), values.at_most(CELL, 2))
    assert same(values.at_most(3, CELL), negate(values.at_most(CELL, 2)))
    assert same(equal(values.total((CELL, 2)), 5), equal(CELL, 3))
    assert equal(values.times(2, CELL), 5) is False


def test_terms_go_when_nobody_has_their_symbols() -> None:
    before = symbol("soon forgotten", False)
    values.total((before, 1))
    number_before = before.number
    del before
    gc.collect()
    assert symbol("soon forgotten", False).number > number_before


def test_what_is_split_and_comes_together_again_is_what_it_was() -> None:
    inside = conjoin((TRUTHS[1], TAKEN))
    outside = conjoin((TRUTHS[1], negate(TAKEN)))
    assert same(values.disjoin((inside, outside)), TRUTHS[1])


def test_quantifiers_are_told_to_solvers() -> None:
    bound = symbol("sought n", False)
    claim = values.some((bound,), conjoin((equal(values.times(2, bound), CELL), equal(CELL, 3))))
    solver = Solver(Session(), 10)
    assert solver.check_also((claim,)) is Answer.UNSATISFIABLE
    assert "(exists ((|sought n| Int))" in script("half of three", (claim,), "unsat")


# --- counting pieces after a move: what a move cannot change stays the very same term -----------


def number_of(before: Term, condition: Value, after: int, wanted: int) -> Value:
    return counted(equal(choose(condition, after, before), wanted))


def test_pieces_moved_elsewhere_from_elsewhere_are_not_counted_anew() -> None:
    still = counted(equal(CELL, 3))
    assert same(number_of(CELL, equal(CELL, 1), 0, 3), still)
    both_ = conjoin((TAKEN, conjoin((equal(CELL, 1), equal(OTHER, 3)))))
    assert same(number_of(CELL, both_, 0, 3), still)


def test_a_sum_after_a_move_is_the_sum_before_and_a_difference() -> None:
    after = choose(TAKEN, values.total((CELL, -1)), CELL)
    gone = values.total((after, OTHER))
    assert same(gone, values.total((CELL, OTHER, choose(TAKEN, -1, 0))))
    assert not any(part.kind == "if" and CELL in part.parts for part in walk(gone))
