"""Counting pieces after a move: what a move cannot change stays the very same term."""

from __future__ import annotations

import z3

from quarantia_checker.values import counted, equal, same

CELL = z3.Int("cell")
OTHER = z3.Int("other")
TAKEN = z3.Bool("taken")


def number_of(before: z3.ArithRef, condition: z3.BoolRef, after: int, wanted: int) -> object:
    return counted(z3.If(condition, z3.IntVal(after), before) == wanted)


def test_pieces_moved_elsewhere_from_elsewhere_are_not_counted_anew() -> None:
    still = counted(equal(CELL, 3))
    assert same(number_of(CELL, CELL == 1, 0, 3), still)
    assert same(number_of(CELL, z3.IntVal(1) == CELL, 0, 3), still)
    assert same(number_of(CELL, z3.And(TAKEN, z3.And(CELL == 1, OTHER == 3)), 0, 3), still)


def test_every_count_means_what_it_says() -> None:
    conditions = [
        CELL == 1,
        CELL == 3,
        OTHER == 1,
        z3.And(TAKEN, CELL == 1),
        z3.Or(TAKEN, CELL == 1),
        z3.Not(CELL == 1),
    ]
    for condition in conditions:
        for after in (0, 3):
            meant = z3.If(z3.If(condition, z3.IntVal(after), CELL) == 3, 1, 0)
            solver = z3.Solver()
            solver.add(meant != number_of(CELL, condition, after, 3))
            assert solver.check() == z3.unsat, (condition, after)
