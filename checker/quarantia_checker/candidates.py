"""Facts that may be true: read off positions that play has reached, to be proved or dropped.

`candidates` gives, for each stable node, facts that hold in every sampled position there, the
simplest first: equalities between sums (conservation of pieces, turns), bounds, at most so many,
order between quantities, and bounds that hold while some other cell has some value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product

from quarantia_checker.encode import Frame, value_names
from quarantia_checker.facts import Fact, Feature, Guarded, Linear, Stated, Tally, Total
from quarantia_checker.transition import System
from quarantia_spec.ir import BOOLEAN, Apply, Call, Const, Expr, Op, Role, Variable

Evaluate = Callable[[Expr, tuple[int, ...]], int]
Samples = Mapping[int, Sequence[tuple[int, ...]]]

FEWEST_SAMPLES = 4
MOST_GUARDED = 30_000
MOST_COLUMNS = 160
MOST_SUMMANDS = 60
MOST_ARGUMENTS = 64
MOST_NAMES = 8


def candidates(
    system: System, samples: Samples, evaluate: Evaluate, stated: Sequence[Fact] = ()
) -> dict[int, list[Fact]]:
    """The pool for `Prover`: what holds in all samples of a node, `stated` facts first."""
    everywhere = [cells for rows in samples.values() for cells in rows]
    predicates = term_predicates(system)
    groups = feature_groups(system)
    general: list[Fact] = []
    for group in groups:
        general.extend(equalities(group, everywhere))
    general.extend(extremes(system, [f for group in groups for f in group], everywhere))
    general.extend(orderings(groups[0], everywhere))
    pool: dict[int, list[Fact]] = {}
    for node in system.stable:
        rows = samples.get(node, ())
        local: list[Fact] = []
        if rows:
            local.extend(
                each for each in predicates if all(evaluate(each.condition, row) for row in rows)
            )
            local.extend(edges(system, rows))
        if len(rows) >= FEWEST_SAMPLES:
            local.extend(equalities(groups[0], rows))
            local.extend(cell_bounds(system, rows))
            local.extend(extremes(system, groups[0], rows))
            local.extend(orderings(groups[0], rows))
            local.extend(guarded_bounds(system, rows))
        pool[node] = list(dict.fromkeys((*stated, *general, *local)))
    return pool


# --- what is measured -----------------------------------------------------------------------


def feature_groups(system: System) -> list[list[Feature]]:
    """Quantities that may be related: aggregates, then pieces of a kind, then one seat's own."""
    game = system.game
    scalars: list[Feature] = [Total((v.offset,)) for v in game.variables if not v.dimensions]
    sums: list[Feature] = []
    for variable in game.variables:
        if variable.dimensions:
            cells = tuple(range(variable.offset, variable.offset + variable.cells))
            sums.extend(aggregates(variable, cells))
    groups = [scalars + sums]
    kinds: dict[str, list[Feature]] = {}
    for variable in game.variables:
        if variable.role is Role.PIECES:
            kind = variable.name.rpartition(".")[2]
            kinds.setdefault(kind, []).extend(
                Total((cell,)) for cell in range(variable.offset, variable.offset + variable.cells)
            )
    groups.extend(group for group in kinds.values() if len(group) <= MOST_COLUMNS)
    for seat in range(game.players):
        own: list[Feature] = []
        for variable in game.variables:
            cells = seat_cells(variable, seat)
            if cells:
                own.extend(aggregates(variable, cells))
        if own:
            groups.append(scalars + own)
    return groups


def aggregates(variable: Variable, cells: tuple[int, ...]) -> list[Feature]:
    """What to measure of several cells: the sum of numbers, how often a name occurs."""
    sort = variable.sort
    if not sort.names:
        return [Total(cells)]
    if len(cells) == 1 or sort.size > MOST_NAMES:
        return []
    first = sort.low + 1 if sort.optional else sort.low  # the rest of them are `none`
    return [Tally(cells, value) for value in range(first, sort.high + 1)]


def seat_cells(variable: Variable, seat: int) -> tuple[int, ...]:
    """The cells of a variable that belong to one player; none when it has no such index."""
    axes = [axis for axis, sort in enumerate(variable.dimensions) if sort.names == "Player"]
    if not axes:
        return ()
    domains = [range(sort.low, sort.high + 1) for sort in variable.dimensions]
    return tuple(
        variable.offset + entry
        for entry, indices in enumerate(product(*domains))
        if indices[axes[0]] == seat
    )


def term_predicates(system: System) -> list[Stated]:
    """That a boolean term holds, and that it does not, for each choice of its arguments."""
    found: list[Stated] = []
    for term in system.game.terms:
        domains = [range(each.sort.low, each.sort.high + 1) for each in term.parameters]
        count = 1
        for domain in domains:
            count *= len(domain)
        if not term.sort.boolean or count > MOST_ARGUMENTS:
            continue
        for values in product(*domains):
            names = [
                value_names(system.game, each.sort)[value - each.sort.low]
                for each, value in zip(term.parameters, values, strict=True)
            ]
            arguments = tuple(
                Const(value, each.sort) for each, value in zip(term.parameters, values, strict=True)
            )
            text = f"{term.name}({', '.join(names)})" if names else term.name
            call = Call(term.name, arguments, term.sort)
            found.append(Stated(f"not {text}", Apply(Op.NOT, (call,), BOOLEAN), term.origin))
            found.append(Stated(text, call, term.origin))
    return found


def edges(system: System, rows: Sequence[tuple[int, ...]]) -> list[Fact]:
    """Cells that keep off the first, or the last, value of their sort."""
    found: list[Fact] = []
    for cell, column in enumerate(zip(*rows, strict=True)):
        sort = system.sorts[cell]
        if cell and sort.size > 2:
            if max(column) < sort.high:
                found.append(no_more(Total((cell,)), sort.high - 1))
            if min(column) > sort.low:
                found.append(at_least(Total((cell,)), sort.low + 1))
    return found


# --- equalities -----------------------------------------------------------------------------


def equalities(features: Sequence[Feature], rows: Sequence[tuple[int, ...]]) -> list[Fact]:
    """All linear equalities between the features that hold in every row, kept sparse.

    The constant comes first among the columns, so that each equality is solved for the last
    quantity it mentions and separate laws stay separate.
    """
    if len(rows) < FEWEST_SAMPLES or not 0 < len(features) <= MOST_COLUMNS:
        return []
    width = 1 + len(features)
    basis: dict[int, list[Fraction]] = {}  # pivot column to its reduced row
    for cells in dict.fromkeys(rows):
        frame = Frame(cells)
        row = [Fraction(1), *(Fraction(feature.value(frame)) for feature in features)]
        for column, other in basis.items():
            factor = row[column]
            if factor:
                row = [left - factor * right for left, right in zip(row, other, strict=True)]
        pivot = next((column for column in range(width) if row[column]), None)
        if pivot is None:
            continue
        scale = row[pivot]
        row = [value / scale for value in row]
        for column, other in basis.items():
            factor = other[pivot]
            if factor:
                basis[column] = [
                    left - factor * right for left, right in zip(other, row, strict=True)
                ]
        basis[pivot] = row
        if len(basis) == width:
            return []
    found: list[Fact] = []
    for free in range(1, width):
        if free not in basis:
            vector = {free: Fraction(1)}
            for column, row in basis.items():
                if row[free]:
                    vector[column] = -row[free]
            fact = _equality(vector, features)
            if fact is not None:
                found.append(fact)
    return found


def _equality(vector: Mapping[int, Fraction], features: Sequence[Feature]) -> Fact | None:
    scale = 1
    for value in vector.values():
        scale = scale * value.denominator // _common(scale, value.denominator)
    if scale > 12 or len(vector) > MOST_SUMMANDS:
        return None
    whole = {column: int(value * scale) for column, value in sorted(vector.items())}
    if any(abs(value) > 12 for column, value in whole.items() if column):
        return None
    constant = -whole.pop(0, 0)
    return Linear(tuple((value, features[c - 1]) for c, value in whole.items()), constant, True)


def _common(left: int, right: int) -> int:
    while right:
        left, right = right, left % right
    return left


# --- bounds and order -----------------------------------------------------------------------


def at_least(feature: Feature, value: int) -> Linear:
    return Linear(((-1, feature),), -value, False)


def no_more(feature: Feature, value: int) -> Linear:
    return Linear(((1, feature),), value, False)


def cell_bounds(system: System, rows: Sequence[tuple[int, ...]]) -> list[Fact]:
    """Cells that stay within less than their sort."""
    found: list[Fact] = []
    for cell, column in enumerate(zip(*rows, strict=True)):
        if cell:
            sort = system.sorts[cell]
            found.extend(_tighter(cell, column, sort.low, sort.high))
    return found


def _tighter(cell: int, column: Iterable[int], low: int, high: int) -> list[Linear]:
    values = set(column)
    least, most = min(values), max(values)
    feature = Total((cell,))
    if least == most:
        return [Linear(((1, feature),), least, True)] if low < high else []
    found = [no_more(feature, most)] if most < high else []
    return [*found, at_least(feature, least)] if least > low else found


def extremes(
    system: System, features: Iterable[Feature], rows: Sequence[tuple[int, ...]]
) -> list[Fact]:
    """The least and the most that quantities over several cells come to."""
    frames = [Frame(cells) for cells in rows[:400]]
    found: list[Fact] = []
    if not frames:
        return found
    for feature in features:
        if len(feature.cells) > 1:
            values = [int(feature.value(frame)) for frame in frames]
            found += [no_more(feature, max(values)), at_least(feature, min(values))]
    return found


def orderings(features: Sequence[Feature], rows: Sequence[tuple[int, ...]]) -> list[Fact]:
    """Pairs of quantities of which one is never more than the other, or one more than it."""
    if len(features) > 40 or not rows:
        return []
    frames = [Frame(cells) for cells in rows[:200]]
    columns = [[int(feature.value(frame)) for frame in frames] for feature in features]
    found: list[Fact] = []
    for left, low in zip(features, columns, strict=True):
        for right, high in zip(features, columns, strict=True):
            if left is not right:
                gap = max(a - b for a, b in zip(low, high, strict=True))
                if -1 <= gap <= 1:
                    found.append(Linear(((1, left), (-1, right)), gap, False))
    return found


def guarded_bounds(system: System, rows: Sequence[tuple[int, ...]]) -> list[Fact]:
    """Bounds that hold whenever some cell with few values has one of them."""
    guards = [
        variable.offset + entry
        for variable in system.game.variables
        for entry in range(variable.cells)
        if variable.sort.size <= 8 and (variable.cells <= 6 or variable.role is Role.FLOW)
    ]
    columns = list(zip(*rows, strict=True))
    spans = [(min(column), max(column)) for column in columns]
    found: list[Fact] = []
    for guard in guards:
        for value in sorted(set(columns[guard])):
            chosen = [cells for cells in rows if cells[guard] == value]
            if len(chosen) < FEWEST_SAMPLES or len(chosen) == len(rows):
                continue
            for cell, column in enumerate(zip(*chosen, strict=True)):
                low, high = spans[cell]
                if cell and cell != guard and low < high:
                    found.extend(
                        Guarded(guard, value, value, bound)
                        for bound in _tighter(cell, column, low, high)
                    )
            if len(found) > MOST_GUARDED:
                return found
    return found
