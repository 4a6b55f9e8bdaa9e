"""Linear equalities that hold in every sampled position: conservation laws, found by elimination.

Rows are reduced modulo a large prime, which is fast and exact for the small coefficients that are
kept. A few rows settle almost everything: an equality found with them is tried on the others, and
a row that breaks one is taken in too, until none does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quarantia_checker.facts import Feature, Linear, Tally

PRIME = (1 << 31) - 1
FEWEST_ROWS = 4
MOST_COLUMNS = 160
MOST_SUMMANDS = 60
LARGEST_FACTOR = 12


def equalities(features: Sequence[Feature], rows: Sequence[Sequence[int]]) -> list[Linear]:
    """All sparse equalities with small factors between the features that hold in every row.

    The constant comes first among the columns, so that each equality is solved for the last
    quantity it mentions and separate laws stay separate.
    """
    if len(rows) < FEWEST_ROWS or not 0 < len(features) <= MOST_COLUMNS:
        return []
    measured = list(dict.fromkeys((1, *(feature.of(row) for feature in features)) for row in rows))
    basis: dict[int, list[int]] = {}  # pivot column to its reduced row
    first = 2 * len(features)
    step = max(1, len(measured) // first)
    for row in measured[::step]:
        _reduce(basis, row)
    while True:
        found = _null_space(basis, 1 + len(features))
        broken = next(
            (row for row in measured if any(_breaks(vector, row) for vector in found)), None
        )
        if broken is None:
            break
        _reduce(basis, broken)
    facts = [_equality(vector, features) for vector in found]
    return [fact for fact in facts if fact is not None and not _says_nothing(fact)]


def _says_nothing(fact: Linear) -> bool:
    """As many cells as there are have one value or another."""
    counted = {feature.cells for _, feature in fact.terms if isinstance(feature, Tally)}
    return (
        len(counted) == 1
        and len({factor for factor, _ in fact.terms}) == 1
        and all(isinstance(feature, Tally) for _, feature in fact.terms)
        and fact.constant == fact.terms[0][0] * len(next(iter(counted)))
    )


def _reduce(basis: dict[int, list[int]], row: Sequence[int]) -> None:
    """Take one more row into the basis, kept in reduced form."""
    current = list(row)
    for column, other in basis.items():
        factor = current[column]
        if factor:
            current = [(a - factor * b) % PRIME for a, b in zip(current, other, strict=True)]
    pivot = next((column for column, value in enumerate(current) if value % PRIME), None)
    if pivot is None:
        return
    inverse = pow(current[pivot], -1, PRIME)
    current = [value * inverse % PRIME for value in current]
    for column, other in basis.items():
        factor = other[pivot]
        if factor:
            basis[column] = [(a - factor * b) % PRIME for a, b in zip(other, current, strict=True)]
    basis[pivot] = current


def _null_space(basis: Mapping[int, Sequence[int]], width: int) -> list[dict[int, int]]:
    """One vector for each column that is not a pivot, in the small whole factors it stands for."""
    found: list[dict[int, int]] = []
    for free in range(1, width):
        if free in basis:
            continue
        vector = {free: 1}
        for column, row in basis.items():
            if row[free]:
                vector[column] = -row[free] % PRIME
        whole = _whole(vector)
        if whole is not None:
            found.append(whole)
    return found


def _whole(vector: Mapping[int, int]) -> dict[int, int] | None:
    """The vector scaled to small whole numbers; None when there are none."""
    if len(vector) > MOST_SUMMANDS:
        return None
    for scale in range(1, LARGEST_FACTOR + 1):
        result: dict[int, int] = {}
        for column, value in vector.items():
            scaled = value * scale % PRIME
            scaled = scaled - PRIME if scaled > PRIME // 2 else scaled
            if (column and abs(scaled) > LARGEST_FACTOR) or abs(scaled) > PRIME // 4:
                break
            result[column] = scaled
        else:
            return result
    return None


def _breaks(vector: Mapping[int, int], row: Sequence[int]) -> bool:
    return sum(factor * row[column] for column, factor in vector.items()) != 0


def _equality(vector: Mapping[int, int], features: Sequence[Feature]) -> Linear | None:
    factors = dict(sorted(vector.items()))
    constant = -factors.pop(0, 0)
    if abs(constant) > 1_000_000:
        return None
    return Linear(tuple((value, features[c - 1]) for c, value in factors.items()), constant, True)
