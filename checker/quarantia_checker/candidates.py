"""Facts that may be true: read off positions that play has reached, to be proved or dropped.

NOTE(on-demand) Nothing is listed beforehand. `Candidates.violated` takes a position that spoils a
proof and gives facts that it violates but every sampled position at its node obeys, the simplest
first: what the author stated, equalities between sums (conservation of pieces, turns), terms that
always hold, bounds, order between quantities, and bounds that hold while another cell has a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product

from quarantia_checker.cones import Cones
from quarantia_checker.encode import value_names
from quarantia_checker.equalities import equalities
from quarantia_checker.facts import (
    NEVER,
    Fact,
    Feature,
    Guarded,
    Linear,
    Settled,
    Stated,
    Tally,
    Total,
)
from quarantia_checker.induction import Spoiler
from quarantia_checker.transition import System
from quarantia_checker.truth import Truth
from quarantia_spec.ir import BOOLEAN, Apply, Call, Const, End, Op, Role, Variable

Cells = tuple[int, ...]
Samples = Mapping[int, Sequence[Cells]]
Steps = Mapping[tuple[int, int], Sequence[tuple[Cells, Cells]]]  # from node to node

FEWEST_SAMPLES = 4
FEWEST_GUARDED = 25
ENOUGH_SAMPLES = 100
MOST_EVERYWHERE = 1500
MOST_COLUMNS = 160
MOST_ARGUMENTS = 64
MOST_NAMES = 8
MOST_ORDERED = 40
FILTERING = 100


@dataclass
class Candidates:
    """The pool of `Prover`. `stated` facts come first."""

    system: System
    samples: Samples
    truth: Truth
    stated: Sequence[Stated] = ()
    suggested: Sequence[Sequence[Stated]] = ()  # by the rules; see `templates`
    steps: Steps = field(default_factory=dict)
    _turn: int = 0
    _cells: dict[Fact, frozenset[int]] = field(default_factory=dict)
    _true: dict[tuple[int, Fact], bool] = field(default_factory=dict)
    _spans: dict[tuple[int, int, int], list[tuple[int, int]] | None] = field(default_factory=dict)
    _extremes: dict[tuple[int, Feature], tuple[int, int]] = field(default_factory=dict)
    _settled: dict[int, list[Settled]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = self.system.game
        self._cones = Cones(self.system)
        self._predicates = term_predicates(self.system)
        self._own = seat_groups(self.system)
        self._groups = [*feature_groups(self.system), *self._own]
        self._summed = [
            [feature for feature in group if len(feature.cells) > 1]
            for group in (self._groups[0], *self._own)
        ]
        self._rows = {node: list(self.samples.get(node, ())) for node in self.system.points}
        everywhere = [row for rows in self._rows.values() for row in rows]
        step = max(1, len(everywhere) // MOST_EVERYWHERE)
        self._everywhere = everywhere[::step]
        self._everywhere_equal = [
            fact for group in self._groups for fact in equalities(group, self._everywhere)
        ]
        self._guards = [
            variable.offset + entry
            for variable in game.variables
            for entry in range(variable.cells)
            if variable.role is not Role.PIECES
            and variable.sort.size <= MOST_NAMES
            and (variable.cells <= 6 or variable.role is Role.FLOW)
        ]
        # A choice made together is only read before it is carried out: later it is a leftover.
        self._lasting = frozenset(
            cell
            for variable in game.variables
            if variable.role is not Role.PENDING
            for cell in range(variable.offset, variable.offset + variable.cells)
        )
        self._counters = [
            variable.offset
            for variable in game.variables
            if variable.role is Role.FLOW and not variable.dimensions and not variable.sort.names
        ]
        self._turns = [
            variable.offset
            for variable in game.variables
            if variable.role is Role.FLOW
            and not variable.dimensions
            and variable.sort.names
            and variable.sort.size <= MOST_NAMES
        ]
        self._first = frozenset(arrival.node for arrival in self.system.beginning.arrivals)
        self._node_equal = cache(self._equal_at)

    def _equal_at(self, node: int) -> list[Linear]:
        """Equalities at one node: between totals, and between what is each seat's own."""
        groups = (self._groups[0], *self._own)
        rows = self._rows[node]
        return list(dict.fromkeys(fact for group in groups for fact in equalities(group, rows)))

    # --- what the prover asks -------------------------------------------------------------------

    def plausible(self, node: int, fact: Fact) -> bool:
        """Every sampled position at the node obeys the fact."""
        key = (node, fact)
        if key not in self._true:
            rows = self._rows[node]
            if isinstance(fact, Guarded):
                guard, low, fact = fact.cell, fact.low, fact.fact
                rows = [row for row in rows if row[guard] == low]
            if isinstance(fact, Stated):
                self._true[key] = all(self.truth.obeys(fact, row) for row in rows)
            else:
                self._true[key] = all(fact.true_of(row) for row in rows)
        return self._true[key]

    def example(self, node: int) -> Cells:
        """A position that play has come to at the node, another one each time."""
        rows = self._rows[node]
        if not rows:
            return ()
        self._turn += 1
        return rows[self._turn % len(rows)]

    def instead(self, node: int) -> Iterator[Fact]:
        """What to offer at a node where play was not seen but can come."""
        for group in self.suggested:
            yield from group

    def seen(self, source: int, target: int) -> Sequence[tuple[Cells, Cells]]:
        return self.steps.get((source, target), ())

    def offered(self, node: int) -> Iterator[Fact]:
        """What the rules suggest, and variables that are always the same here.

        NOTE(whole-variables) That one cell of many was never seen to change is often an accident;
        that none of them was, hardly ever.
        """
        rows = self._rows[node]
        if isinstance(self.system.game.nodes[node], End):
            return
        if not rows:
            yield NEVER
            return
        some = rows[:: 1 + len(rows) // FILTERING]
        for group in self.suggested:
            if all(self.truth.obeys(fact, row) for fact in group for row in some):
                yield from group
        columns = list(zip(*rows, strict=True))
        # Where play begins there may be but one position.
        enough = len(rows) >= FEWEST_SAMPLES or node in self._first
        for variable in self.system.game.variables:
            cells = range(variable.offset, variable.offset + variable.cells)
            if enough and all(min(columns[cell]) == max(columns[cell]) for cell in cells):
                for cell in cells:
                    yield Linear(((1, Total((cell,))),), columns[cell][0], True)
        yield from self._twins(columns)

    def _twins(self, columns: Sequence[Sequence[int]]) -> Iterator[Fact]:
        """Two single cells of one type that always have the same value."""
        single = [v for v in self.system.game.variables if not v.dimensions and v.sort.names]
        for left, right in combinations(single, 2):
            here, there = left.offset, right.offset
            if left.sort.names == right.sort.names and columns[here] == columns[there]:
                yield Linear(((1, Total((here,))), (-1, Total((there,)))), 0, True)

    def test(self, fact: Fact) -> Callable[[Sequence[int]], bool]:
        return self.truth.test(fact)

    def violated(self, spoiler: Spoiler) -> Iterator[Fact]:
        """Plausible facts that this position violates, the simplest first.

        NOTE(laws-first) What the author stated, terms and equalities between sums are seldom
        accidents. While one of them is violated nothing else is tried: bounds that merely were
        never seen to be exceeded would ask for help of their own, without end.
        """
        node, cells = spoiler.node, spoiler.cells
        assert node is not None
        laws = list(self._violated(self._laws(node), spoiler, beside=True))
        yield from laws or self._violated(self._guesses(node, cells), spoiler, beside=False)

    def _violated(self, facts: Iterable[Fact], spoiler: Spoiler, *, beside: bool) -> Iterator[Fact]:
        """Those that speak only of what is relevant go ahead of those that speak of other things
        too; those that speak only of other things are of no help.
        """
        node, cells, relevant = spoiler.node, spoiler.cells, spoiler.relevant
        assert node is not None
        later: list[Fact] = []
        for fact in facts:
            if self.truth.obeys(fact, cells) or not self.plausible(node, fact):
                continue
            mentioned = self._mentioned(fact)
            if relevant is None or mentioned <= relevant:
                yield fact
            elif beside and mentioned & relevant:
                later.append(fact)
        yield from later

    def _mentioned(self, fact: Fact) -> frozenset[int]:
        if fact not in self._cells:
            if isinstance(fact, Stated):
                claim = fact.claim(self.system.encoder, self.system.frame)
                self._cells[fact] = self._cones.cells(claim)
            else:
                self._cells[fact] = fact.mentioned
        return self._cells[fact]

    def _laws(self, node: int) -> Iterator[Fact]:
        yield from self.stated
        yield from self._everywhere_equal
        if self._rows[node]:
            yield from self._predicates
        if len(self._rows[node]) >= FEWEST_SAMPLES:
            yield from self._node_equal(node)
            yield from self._in_turn(node)

    def _guesses(self, node: int, cells: Cells) -> Iterator[Fact]:
        rows = self._rows[node]
        if rows:
            yield from self._edges(cells)
        if len(rows) >= FEWEST_SAMPLES:
            yield from self._bounds(node, cells)
            yield from self._extreme(node, self._groups[0], cells)
            yield from self._paced(node, cells)
            yield from self._ordered(node, cells)
            yield from self._guarded(node, cells)
        for group in self._groups:
            yield from self._extreme(-1, group, cells)
        if len(rows) >= ENOUGH_SAMPLES:
            yield from self._furthest(node, cells)

    # --- bounds -------------------------------------------------------------------------------

    def _edges(self, cells: Cells) -> Iterator[Fact]:
        """Cells that keep off the first, or the last, value of their sort."""
        for cell, (value, sort) in enumerate(zip(cells, self.system.sorts, strict=True)):
            if cell and sort.size > 2:
                if value == sort.high:
                    yield no_more(Total((cell,)), sort.high - 1)
                if value == sort.low:
                    yield at_least(Total((cell,)), sort.low + 1)

    def _bounds(self, node: int, cells: Cells) -> Iterator[Linear]:
        """Cells that have left what was seen at the node."""
        spans = self._span(node, -1, 0)
        assert spans is not None
        yield from self._outside(spans, cells)

    def _guarded(self, node: int, cells: Cells) -> Iterator[Fact]:
        """Cells that have left what was seen at the node while another cell had its value."""
        for guard in self._guards:
            spans = self._span(node, guard, cells[guard])
            if spans is not None:
                for bound in self._outside(spans, cells):
                    yield Guarded(guard, cells[guard], cells[guard], bound)

    def _in_turn(self, node: int) -> list[Settled]:
        """What all have together, or one seat has, where the place in the flow settles it."""
        if node not in self._settled:
            found: list[Settled] = []
            for guard in self._turns:
                by_value: dict[int, list[Cells]] = {}
                for row in self._rows[node]:
                    by_value.setdefault(row[guard], []).append(row)
                if len(by_value) > 1 and all(len(r) >= FEWEST_GUARDED for r in by_value.values()):
                    found += self._settled_by(guard, by_value)
            self._settled[node] = found
        return self._settled[node]

    def _settled_by(self, guard: int, by_value: Mapping[int, Sequence[Cells]]) -> Iterator[Settled]:
        low = min(by_value)
        for feature in dict.fromkeys(each for group in self._summed for each in group):
            numbers: list[int | None] = [None] * (max(by_value) - low + 1)
            for value, rows in by_value.items():
                number = feature.of(rows[0])
                if any(feature.of(row) != number for row in rows):
                    break
                numbers[value - low] = number
            else:
                if len(set(numbers)) > 1:
                    yield Settled(guard, low, tuple(numbers), feature)

    def _outside(self, spans: Sequence[tuple[int, int]], cells: Cells) -> Iterator[Linear]:
        """For each cell outside its span, the bound that it breaks.

        NOTE(accidents) That a cell was never seen above 2 of 7 means little. Bounds that keep a
        cell at one value, or off the first or last value of its sort, are seldom accidents.
        """
        rows = zip(cells, spans, self.system.sorts, strict=True)
        for cell, (value, (low, high), sort) in enumerate(rows):
            if cell in self._lasting and not low <= value <= high:
                feature = Total((cell,))
                if low == high:
                    yield Linear(((1, feature),), low, True)
                elif value == sort.high and sort.size > 2:
                    yield no_more(feature, sort.high - 1)
                elif value == sort.low and sort.size > 2:
                    yield at_least(feature, sort.low + 1)

    def _furthest(self, node: int, cells: Cells) -> Iterator[Linear]:
        """The most and the least that a cell was seen to be, when nothing better is known."""
        spans = self._span(node, -1, 0)
        assert spans is not None
        for cell, (value, (low, high)) in enumerate(zip(cells, spans, strict=True)):
            if cell in self._lasting and value > high:
                yield no_more(Total((cell,)), high)
            elif cell in self._lasting and value < low:
                yield at_least(Total((cell,)), low)

    def _span(self, node: int, guard: int, value: int) -> list[tuple[int, int]] | None:
        """The least and the most of each cell, in the samples where the guard has the value."""
        key = (node, guard, value)
        if key not in self._spans:
            rows = [row for row in self._rows[node] if guard < 0 or row[guard] == value]
            self._spans[key] = None
            if len(rows) >= (FEWEST_SAMPLES if guard < 0 else FEWEST_GUARDED):
                columns = zip(*rows, strict=True)
                self._spans[key] = [(min(column), max(column)) for column in columns]
        return self._spans[key]

    def _extreme(self, node: int, features: Sequence[Feature], cells: Cells) -> Iterator[Fact]:
        """The least and the most that quantities over several cells come to; -1: at any node."""
        rows = self._everywhere if node < 0 else self._rows[node]
        if not rows:
            return
        for feature in features:
            if len(feature.cells) > 1:
                if (node, feature) not in self._extremes:
                    values = [feature.of(row) for row in rows]
                    self._extremes[node, feature] = (min(values), max(values))
                least, most = self._extremes[node, feature]
                value = feature.of(cells)
                if value > most and most <= 1:
                    yield no_more(feature, most)
                if value < least and least == 1:
                    yield at_least(feature, least)

    def _paced(self, node: int, cells: Cells) -> Iterator[Fact]:
        """Sums that keep pace with a counter of the flow: so much is still to come, or has been."""
        rows = self._rows[node]
        for counter in self._counters:
            span = [row[counter] for row in rows]
            if min(span) == max(span):
                continue
            for group in self._groups[1:]:
                for feature in group:
                    if feature.cells == (counter,):
                        continue
                    values = [feature.of(row) for row in rows]
                    for sign in (1, -1):
                        most = max(v + sign * c for v, c in zip(values, span, strict=True))
                        loose = max(values) + max(sign * c for c in span)
                        if most < loose and feature.of(cells) + sign * cells[counter] > most:
                            yield Linear(((1, feature), (sign, Total((counter,)))), most, False)

    def _ordered(self, node: int, cells: Cells) -> Iterator[Fact]:
        """Pairs of quantities of which one is never more than the other, or one more than it."""
        features = self._groups[0]
        rows = self._rows[node]
        if len(features) > MOST_ORDERED:
            return
        for left, right in product(features, features):
            if left is right:
                continue
            gap = left.of(cells) - right.of(cells)
            for most in (-1, 0, 1):
                if most < gap and all(left.of(row) - right.of(row) <= most for row in rows):
                    yield Linear(((1, left), (-1, right)), most, False)
                    break


# --- what is measured -----------------------------------------------------------------------


def feature_groups(system: System) -> list[list[Feature]]:
    """Quantities that may be related: aggregates, then pieces of a kind."""
    game = system.game
    scalars: list[Feature] = [Total((v.offset,)) for v in game.variables if not v.dimensions]
    sums: list[Feature] = []
    for variable in game.variables:
        if variable.dimensions and variable.role is not Role.PENDING:
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
    return groups


def seat_groups(system: System) -> list[list[Feature]]:
    """Of each seat what is its own, beside what is nobody's."""
    game = system.game
    scalars: list[Feature] = [Total((v.offset,)) for v in game.variables if not v.dimensions]
    groups: list[list[Feature]] = []
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
    if len(cells) == 1:
        return []
    # Which of many names it is matters less than whether it is one.
    last = sort.high if sort.size <= MOST_NAMES else sort.low - (not sort.optional)
    return [Tally(cells, value) for value in range(sort.low, last + 1)]


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


# --- kinds of facts -------------------------------------------------------------------------


def at_least(feature: Feature, value: int) -> Linear:
    return Linear(((-1, feature),), -value, False)


def no_more(feature: Feature, value: int) -> Linear:
    return Linear(((1, feature),), value, False)
