"""Between which numbers terms lie, and which cells therefore always have one value at a node.

Cheap and coarse: numbers are followed through the terms of each way as spans, without the solver.
Many guesses can be sorted out like this in the time that the solver takes for one; those that are
left it mostly proves at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from quarantia_checker.terms import AT_MOST, NOT, SAME, SYMBOL, Term, Value, parts_of
from quarantia_checker.values import conjuncts
from quarantia_spec.ir import Sort

Span = tuple[int, int]
Known = dict[Term, Span]

TRUE: Span = (1, 1)
FALSE: Span = (0, 0)
EITHER: Span = (0, 1)
FAR = 10**9
LONGEST_PRODUCT = 10**12


def span_of(value: Value, known: Known) -> Span:
    """Between which numbers a value lies; `known` grows by what is worked out."""
    if type(value) is not Term:
        return int(value), int(value)
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
        known[term] = _span(term, [_part(part, known) for part in term.parts])
        todo.pop()
    return known[value]


def _part(part: object, known: Known) -> Span:
    if type(part) is Term:
        return known[part]
    assert isinstance(part, int)
    return int(part), int(part)


def _span(term: Term, parts: Sequence[Span]) -> Span:
    match term.kind:
        case "symbol":
            return EITHER if term.boolean else (-FAR, FAR)
        case "if":
            test, yes, no = parts
            if test == TRUE:
                return yes
            return no if test == FALSE else (min(yes[0], no[0]), max(yes[1], no[1]))
        case "and":
            return min(low for low, _ in parts), min(high for _, high in parts)
        case "or":
            return max(low for low, _ in parts), max(high for _, high in parts)
        case "not":
            return 1 - parts[0][1], 1 - parts[0][0]
        case "=":
            (low, high), (other_low, other_high) = parts
            if high < other_low or other_high < low:
                return FALSE
            return TRUE if low == high == other_low == other_high else EITHER
        case "<=":
            (low, high), (other_low, other_high) = parts
            if high <= other_low:
                return TRUE
            return FALSE if low > other_high else EITHER
        case "+":
            low = high = parts[0][0]
            for place in range(1, len(parts), 2):
                factor, (least, most) = parts[place][0], parts[place + 1]
                low += factor * (least if factor > 0 else most)
                high += factor * (most if factor > 0 else least)
            return low, high
        case "*":
            products = [left * right for left in parts[0] for right in parts[1]]
            return max(min(products), -LONGEST_PRODUCT), min(max(products), LONGEST_PRODUCT)
        case "div":
            (low, high), (divisor, largest) = parts
            if divisor > 0:
                ends = [low // divisor, low // largest, high // divisor, high // largest]
                return min(ends), max(ends)
            most = max(abs(low), abs(high))
            return -most, most
        case "mod":
            most = max(abs(end) for end in parts[1])
            return 0, max(0, most - 1)
        case "exists":
            return EITHER
        case _:
            raise AssertionError(term.kind)


def narrow(condition: Value, known: Known) -> bool:
    """Brings what a condition says of single symbols into `known`; False when it cannot hold."""
    if type(condition) is not Term:
        return bool(condition)
    rows = conjuncts(condition)
    for _ in range(2):  # what the second row says may tell more of the first
        for part in rows:
            if not _narrowed(part, known):
                return False
    return True


def _narrowed(part: Term, known: Known) -> bool:
    wanted = TRUE
    if part.kind == NOT:
        part, wanted = part.parts[0], FALSE
    if part.kind == SYMBOL:
        return _meet(part, wanted, known)
    if part.kind not in (SAME, AT_MOST) or part.parts[0].kind != SYMBOL:
        return True
    symbol, other = part.parts
    low, high = known.get(symbol, EITHER if symbol.boolean else (-FAR, FAR))
    if type(other) is Term:
        if other.kind != SYMBOL:
            return True
        there = known.get(other, EITHER if other.boolean else (-FAR, FAR))
        if part.kind == SAME and wanted == TRUE:
            return _meet(symbol, there, known) and _meet(other, (low, high), known)
        return True
    if part.kind == AT_MOST:
        span = (low, min(high, other)) if wanted == TRUE else (max(low, other + 1), high)
    elif wanted == TRUE:
        span = (max(low, other), min(high, other))
    else:
        span = (low + (low == other), high - (high == other))
    return _meet(symbol, span, known)


def _meet(symbol: Term, span: Span, known: Known) -> bool:
    low, high = known.get(symbol, span)
    low, high = max(low, span[0]), min(high, span[1])
    known[symbol] = (low, high)
    return low <= high


Constants = dict[int, int]  # the number of each cell that has one


class Road:
    """One way from node to node, as this module sees it."""

    def __init__(
        self, source: int | None, target: int, conditions: Sequence[Value], cells: Sequence[Value]
    ) -> None:
        self.source = source
        self.target = target
        self.conditions = conditions
        self.cells = cells

    def arriving(self, wanted: Iterable[int], before: Known) -> Mapping[int, Span] | None:
        """The spans of some cells after the way; None when it cannot be taken."""
        known = dict(before)
        if not all(narrow(condition, known) for condition in self.conditions):
            return None
        if any(span_of(condition, known)[1] == 0 for condition in self.conditions):
            return None
        return {cell: span_of(self.cells[cell], known) for cell in wanted}


def lasting_constants(
    roads: Sequence[Road],
    symbols: Sequence[Value],
    sorts: Sequence[Sort],
    choices: Known,
    guesses: Mapping[int, Constants],
    never: Iterable[int] = (),
) -> dict[int, Constants]:
    """Those of the guessed constants that every way keeps, as far as spans can tell.

    `never` are nodes where play is thought never to come.
    """
    kept = {node: dict(cells) for node, cells in guesses.items()}
    shut = set(never)
    general: Known = dict(choices)
    for cell, (term, sort) in enumerate(zip(symbols, sorts, strict=True)):
        if cell and type(term) is Term:
            general[term] = (sort.low, sort.high)
    roads_from: dict[int | None, list[Road]] = {}
    for road in roads:
        roads_from.setdefault(road.source, []).append(road)
    queue = deque(roads)
    waiting = set(map(id, roads))
    while queue:
        road = queue.popleft()
        waiting.discard(id(road))
        if road.source in shut or not kept.get(road.target):
            continue
        before = dict(general)
        if road.source is not None:
            for cell, number in kept.get(road.source, {}).items():
                before[symbols[cell]] = (number, number)
        wanted = kept[road.target]
        found = road.arriving(wanted, before)
        if found is None:
            continue
        broken = [cell for cell, number in wanted.items() if found[cell] != (number, number)]
        for cell in broken:
            del wanted[cell]
        if broken:
            for other in roads_from.get(road.target, ()):
                if id(other) not in waiting:
                    waiting.add(id(other))
                    queue.append(other)
    return kept
