"""The invariants of the palace fragment, proved by induction in a z3 model written by hand.

Integers as scalars, the player and the arguments of a move symbolic; for each kind of move one
solver that assumes all invariants before a legal move and is asked for each of them afterwards.
`prove` is what the benchmark times.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import z3

DISTRICTS = range(6)
HOUSES = 15
PALACES = 8
BASE_COST = 3
MOST_PALACES = 5


@dataclass(frozen=True, slots=True)
class Position:
    """Expressions for every cell: houses and palaces in reserve, and by player and district."""

    reserve: list[z3.ArithRef]
    houses: list[list[z3.ArithRef]]
    palaces_left: list[z3.ArithRef]
    palaces: list[list[z3.ArithRef]]


def unknown_position(players: int) -> Position:
    seats = range(players)
    return Position(
        [z3.Int(f"reserve_{p}") for p in seats],
        [[z3.Int(f"houses_{p}_{d}") for d in DISTRICTS] for p in seats],
        [z3.Int(f"palaces_left_{p}") for p in seats],
        [[z3.Int(f"palaces_{p}_{d}") for d in DISTRICTS] for p in seats],
    )


def first_position(players: int) -> Position:
    seats = range(players)
    return Position(
        [z3.IntVal(HOUSES) for _ in seats],
        [[z3.IntVal(0) for _ in DISTRICTS] for _ in seats],
        [z3.IntVal(PALACES) for _ in seats],
        [[z3.IntVal(0) for _ in DISTRICTS] for _ in seats],
    )


def built(position: Position, district: int) -> z3.ArithRef:
    return z3.Sum([row[district] for row in position.palaces])


def invariants(position: Position) -> list[z3.BoolRef]:
    """Nothing is negative; houses and palaces are conserved; districts and costs stay in bounds."""
    facts = [cell >= 0 for row in position.houses + position.palaces for cell in row]
    facts += [cell >= 0 for cell in position.reserve + position.palaces_left]
    for reserve, row in zip(position.reserve, position.houses, strict=True):
        facts.append(reserve + z3.Sum(row) == HOUSES)
    for left, row in zip(position.palaces_left, position.palaces, strict=True):
        facts.append(left + z3.Sum(row) == PALACES)
    for district in DISTRICTS:
        count = built(position, district)
        cost = BASE_COST + count
        facts.append(count <= MOST_PALACES)
        facts.append(z3.Implies(count < MOST_PALACES, z3.And(cost >= 3, cost <= 7)))
    return facts


def at(player: z3.ArithRef, district: z3.ArithRef, rows: list[list[z3.ArithRef]]) -> z3.ArithRef:
    """The cell of a symbolic player and district."""
    cells = [
        (z3.And(player == p, district == d), cell)
        for p, row in enumerate(rows)
        for d, cell in enumerate(row)
    ]
    result = cells[-1][1]
    for condition, cell in cells[-2::-1]:
        result = z3.If(condition, cell, result)
    return result


def plus(
    rows: list[list[z3.ArithRef]],
    player: z3.ArithRef,
    district: z3.ArithRef,
    amount: z3.ArithRef | int,
) -> list[list[z3.ArithRef]]:
    """The rows after the cell of a symbolic player and district has grown."""
    return [
        [
            z3.If(z3.And(player == p, district == d), cell + amount, cell)
            for d, cell in enumerate(row)
        ]
        for p, row in enumerate(rows)
    ]


def plus_one_row(
    row: list[z3.ArithRef], player: z3.ArithRef, amount: z3.ArithRef | int
) -> list[z3.ArithRef]:
    return [z3.If(player == p, cell + amount, cell) for p, cell in enumerate(row)]


def pick(row: list[z3.ArithRef], index: z3.ArithRef) -> z3.ArithRef:
    result = row[-1]
    for number, cell in reversed(list(enumerate(row[:-1]))):
        result = z3.If(index == number, cell, result)
    return result


Transition = tuple[list[z3.BoolRef], Position]
Move = Callable[[Position, z3.ArithRef], Transition]


def place(before: Position, player: z3.ArithRef) -> Transition:
    district, count = z3.Ints("place_district place_count")
    guards = [
        district >= 0,
        district < len(DISTRICTS),
        count >= 1,
        count <= 2,
        pick(before.reserve, player) >= count,
    ]
    return guards, Position(
        plus_one_row(before.reserve, player, -count),
        plus(before.houses, player, district, count),
        before.palaces_left,
        before.palaces,
    )


def build(before: Position, player: z3.ArithRef) -> Transition:
    district = z3.Int("build_district")
    count = pick([built(before, d) for d in DISTRICTS], district)
    cost = BASE_COST + count
    guards = [
        district >= 0,
        district < len(DISTRICTS),
        pick(before.palaces_left, player) > 0,
        count < MOST_PALACES,
        at(player, district, before.houses) >= cost,
    ]
    return guards, Position(
        plus_one_row(before.reserve, player, cost),
        plus(before.houses, player, district, -cost),
        plus_one_row(before.palaces_left, player, -1),
        plus(before.palaces, player, district, 1),
    )


def shift(before: Position, player: z3.ArithRef) -> Transition:
    source, target = z3.Ints("shift_source shift_target")
    guards = [
        source >= 0,
        source < len(DISTRICTS),
        target >= 0,
        target < len(DISTRICTS),
        source != target,
        at(player, source, before.houses) > 0,
    ]
    moved = plus(plus(before.houses, player, source, -1), player, target, 1)
    return guards, Position(before.reserve, moved, before.palaces_left, before.palaces)


MOVES: tuple[Move, ...] = (place, build, shift)


def prove(players: int, moves: tuple[Move, ...] = MOVES) -> bool:
    """Whether the invariants hold at the start and every move keeps them."""
    start = z3.SimpleSolver()
    start.add(z3.Not(z3.And(invariants(first_position(players)))))
    if start.check() != z3.unsat:
        return False
    before = unknown_position(players)
    assumed = invariants(before)
    player = z3.Int("player")
    for move in moves:
        guards, after = move(before, player)
        solver = z3.SimpleSolver()
        solver.add(*assumed, player >= 0, player < players, *guards)
        for fact in invariants(after):
            solver.push()
            solver.add(z3.Not(fact))
            if solver.check() != z3.unsat:
                return False
            solver.pop()
    return True
