"""One random move at one node: how many are legal, which one is drawn, what it does.

NOTE(counted) A random move needs the number of legal moves and then one of them. Where the moves
of an offer form a box (each choice runs between bounds that no other choice touches), or a row of
boxes under one condition each, they are counted without being listed and the one that was drawn is
worked out. The order is that of `legal`, so a playout makes exactly the moves that one would make
by drawing from the list.

NOTE(parts) Where later choices do not look at earlier ones, the moves are all combinations of
their parts. Each part is listed or counted by itself, so that 7 places and 54 ways to bid are 61
things to look at instead of 378.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from quarantia_engine.analysis import free_locals
from quarantia_engine.emitter import Emitter, Scope
from quarantia_engine.encoding import (
    INCREMENT,
    MULTIPLIER,
    ROOM_FOR_PARTS,
    STATE_MASK,
    STUCK,
    Choosing,
    OfferShape,
    room_for_moves,
    span,
)
from quarantia_engine.enumeration import ChoiceWriter, Loop, Plan, parts_of, plan
from quarantia_engine.repeated import hoist_repeated
from quarantia_engine.rewriting import FALSE, TRUE, bounds, number
from quarantia_engine.rules import (
    SEAT,
    Exits,
    NodeWriter,
    Workshop,
    body_locals,
    decode_choices,
    legality_guards,
    shifted,
)
from quarantia_engine.since import Past
from quarantia_spec.ir import Const, Expr, Gather, Let, Parameter, Toss

MOST_GROUPS = 16  # boxes of one offer
LEAST_SAVING = 2  # how many times as many moves as things to look at make parts worth it
LEAST_BOX = 3  # moves in a box on average: listing fewer is as fast


def _draw(emitter: Emitter) -> None:
    emitter.line(f"x = (x * {MULTIPLIER} + {INCREMENT}) & {STATE_MASK}")


def _first_seat(workshop: Workshop, node: Gather, emitter: Emitter) -> None:
    waiting = workshop.printer.game.variable[node.waiting]
    emitter.line("seat = 0")
    with emitter.block(f"while seat < {waiting.cells - 1} and not s[seat + {waiting.offset}]:"):
        emitter.line("seat += 1")


def _weighted(workshop: Workshop, node: Choosing) -> bool:
    if not isinstance(node, Toss):
        return False
    return workshop.printer.game.chance[node.offer.rule].weight is not None


def write_calls(workshop: Workshop, node: Choosing, emitter: Emitter) -> None:
    """A step by means of the functions of the node."""
    seat = "0"
    if isinstance(node, Gather):
        _first_seat(workshop, node, emitter)
        seat = "seat"
    emitter.line(f"s[0] = {node.number}")
    emitter.line(f"n = legal_{node.number}(s, g, buf, {seat})")
    _stuck(emitter)
    _draw(emitter)
    if _weighted(workshop, node):
        _draw_weighted(emitter)
        emitter.line(f"status = apply_{node.number}(s, g, buf[i])")
    else:
        emitter.line(f"status = apply_{node.number}(s, g, buf[(x >> 17) % n])")
    with emitter.block("if status != 0:"):
        emitter.line("return steps, x, status")
    emitter.line("node = s[0]")


def _draw_weighted(emitter: Emitter) -> None:
    emitter.line("total = 0")
    with emitter.block("for i in range(n):"):
        emitter.line("total += weight(s, g, buf[i])")
    emitter.lines("rest = (x >> 17) % total", "i = 0")
    with emitter.block("while rest >= weight(s, g, buf[i]):"):
        emitter.lines("rest -= weight(s, g, buf[i])", "i += 1")


def _stuck(emitter: Emitter) -> None:
    with emitter.block("if n == 0:"):
        emitter.lines("s[0] = node", f"return steps, x, {STUCK}")


@dataclass(frozen=True, slots=True)
class _Extent:
    """One choice of a box: its first value and how many there are, as text or as numbers."""

    loop: Loop
    low: str
    count: str
    constant: bool


@dataclass(frozen=True, slots=True)
class _Group:
    """A box for one value of the outermost choice. `moves` are the values of the last choice."""

    value: int
    moves: tuple[int, ...]
    end: str  # the local that holds how many moves there are up to its end


@dataclass(frozen=True, slots=True)
class _Part:
    """Some choices of a move; see NOTE(parts). Listed in `buf` from `place` on, or a box."""

    plan: Plan
    count: str  # the local that holds how many ways there are
    place: int
    box: tuple[_Extent, ...] | None

    @property
    def choices(self) -> tuple[Parameter, ...]:
        return tuple(loop.parameter for loop in self.plan.loops)


_Drawn = tuple[_Extent, ...] | tuple[_Group, ...] | tuple[_Part, ...] | None
"""How the moves of an offer were counted; None when they are listed in `buf`."""


def _product(box: Sequence[_Extent]) -> str:
    """Text for how many moves a box has."""
    constant = prod(int(extent.count) for extent in box if extent.constant)
    texts = [extent.count for extent in box if not extent.constant]
    if constant != 1 or not texts:
        texts.append(str(constant))
    return " * ".join(texts)


class NodePlayout:
    """Writes one step of a playout at one node."""

    def __init__(
        self,
        workshop: Workshop,
        node: Choosing,
        emitter: Emitter,
        scope: Scope,
        tables: list[str],
        past: Past,
    ) -> None:
        self.past = past
        self.workshop = workshop
        self.node = node
        self.emitter = emitter
        self.scope = scope
        self.tables = tables
        self.writer = NodeWriter(workshop, node, emitter, scope)
        self._room_used = 0

    def write(self) -> None:
        """All lines of the step; each way through them ends in `continue` or `return`."""
        emitter, node = self.emitter, self.node
        if isinstance(node, Gather):
            _first_seat(self.workshop, node, emitter)
            self.scope.alias(SEAT, "seat")
        if _weighted(self.workshop, node):
            write_calls(self.workshop, node, emitter)
            return
        self.writer.bind_context(for_legality=True, for_body=True)
        listing = Emitter()
        listing.line("n = 0")
        ends: list[str] = []
        drawn: list[_Drawn] = []
        self.writer.emitter = listing
        for shape in self.writer.shapes:
            drawn.append(self._count(shape, listing))
            ends.append(self.scope.names.fresh("upto"))
            if shape is not self.writer.shapes[-1]:
                listing.line(f"{ends[-1]} = n")
        self.writer.emitter = emitter
        hoist_repeated(listing, emitter, self.scope.names, self.workshop.printer.total_cells)
        if not self._always_one():
            _stuck(emitter)
        _draw(emitter)
        emitter.line("i = (x >> 17) % n")
        before = "0"
        for place, shape in enumerate(self.writer.shapes):
            if shape is self.writer.shapes[-1]:
                self._make(shape, drawn[place], before)
            else:
                with emitter.block(f"if i < {ends[place]}:"):
                    self._make(shape, drawn[place], before)
            before = ends[place]

    def _always_one(self) -> bool:
        """True when some move is always legal, whatever the position."""
        return any(not legality_guards(shape.rule) for shape in self.writer.shapes)

    # --- counting ---------------------------------------------------------------------------------

    def _count(self, shape: OfferShape, listing: Emitter) -> _Drawn:
        """Lines that add the moves of an offer to `n`; None when they are listed in `buf`."""
        planned = plan(shape.rule.choices, legality_guards(shape.rule), self.workshop.facts)
        values = self.writer.values(shape)
        if not any(isinstance(guard, Let) for guard in planned.guards) and planned.loops:
            box = None if planned.guards else self._box(planned.loops, values, listing)
            if box is not None:
                listing.line(f"# {shape.rule.name}")
                listing.line(f"n += {_product(box)}")
                return box
            groups = self._groups(planned, values, listing, shape.rule.name)
            if groups is not None:
                return groups
        parts = self._parts(planned, values, listing, shape.rule.name)
        if parts is not None:
            return parts
        self.writer.list_moves(shape, "")
        return None

    def _outside(self, planned: Plan, values: dict[str, Expr]) -> list[Expr] | None:
        """What is decided before any choice; None when it is false whatever the position."""
        found = [
            self.workshop.printer.prepared(guard, values)
            for guard in planned.guards
            if not isinstance(guard, Let)
        ]
        return None if FALSE in found else [guard for guard in found if guard != TRUE]

    def _parts(
        self, planned: Plan, values: dict[str, Expr], listing: Emitter, name: str
    ) -> tuple[_Part, ...] | None:
        """Lines that list or count the parts of the moves; see NOTE(parts)."""
        plans = parts_of(planned)
        sizes = [span(tuple(loop.parameter for loop in each.loops)) for each in plans]
        if len(plans) < 2 or prod(sizes) < LEAST_SAVING * sum(sizes):
            return None
        if self._room_used + sum(sizes) > ROOM_FOR_PARTS:
            return None
        listing.line(f"# {name}")
        scope = self.scope.inner()
        counts = [scope.names.fresh("ways") for _ in plans]
        listing.line(f"{' = '.join(counts)} = 0")
        found: list[_Part] = []

        def write(level: int, values: dict[str, Expr]) -> None:
            """Parts are looked at only where those before have something to offer."""
            if level == len(plans):
                listing.line(f"n += {' * '.join(counts)}")
                return
            part, count = plans[level], counts[level]
            box = None if part.guards else self._box(part.loops, values, listing)
            place = room_for_moves(self.workshop.printer.game) + self._room_used
            if box is None:
                self._room_used += sizes[level]
                writer = ChoiceWriter(self.workshop.printer, self.workshop.facts, listing, scope)
                writer.write_part(part, values, count, place)
            else:
                listing.line(f"{count} = {_product(box)}")
            found.append(_Part(part, count, place, box))
            with listing.block(f"if {count}:"):
                write(level + 1, values)

        write(0, dict(values))
        return tuple(found)

    def _box(
        self, loops: Sequence[Loop], values: dict[str, Expr], listing: Emitter
    ) -> tuple[_Extent, ...] | None:
        """Lines that find the first value and the number of values of each choice of a box."""
        if any(loop.guards for loop in loops):
            return None
        names = {loop.parameter.name for loop in loops}
        ends = [end for loop in loops for end in (*loop.lower, *loop.upper)]
        if any(names & free_locals(end) for end in ends):
            return None
        choices = ChoiceWriter(self.workshop.printer, self.workshop.facts, listing, self.scope)
        extents: list[_Extent] = []
        for loop in loops:
            sort = loop.parameter.sort
            lower, low = choices.bound(loop.lower, sort.low, values, is_lower=True)
            upper, high = choices.bound(loop.upper, sort.high, values, is_lower=False)
            if lower is None and upper is None:
                extents.append(_Extent(loop, str(low), str(max(high - low + 1, 0)), True))
                continue
            first = str(low) if lower is None else lower
            last = str(high) if upper is None else upper
            text = shifted(last, 1 - low) if lower is None else f"{last} - {first} + 1"
            name = self.scope.names.fresh("many")
            listing.line(f"{name} = {text}")
            if self._may_be_empty(loop, values, low, high):
                with listing.block(f"if {name} < 0:"):
                    listing.line(f"{name} = 0")
            extents.append(_Extent(loop, first, name, False))
        return tuple(extents)

    def _may_be_empty(self, loop: Loop, values: dict[str, Expr], low: int, high: int) -> bool:
        """True unless the ranges show that the last value is at least the first but one."""
        prepared = self.workshop.printer.prepared
        first = max([low, *(bounds(prepared(end, values))[1] for end in loop.lower)])
        last = min([high, *(bounds(prepared(end, values))[0] for end in loop.upper)])
        return last - first + 1 < 0

    def _groups(
        self, planned: Plan, values: dict[str, Expr], listing: Emitter, name: str
    ) -> tuple[_Group, ...] | None:
        """Boxes of constant moves, one for each value of the first of two choices."""
        if len(planned.loops) != 2 or planned.loops[0].parameter.sort.size > MOST_GROUPS:
            return None
        outer, inner = planned.loops
        if outer.lower or outer.upper or any(isinstance(item, Let) for item in outer.guards):
            return None
        outside = self._outside(planned, values)
        if outside is None:
            return None
        prepared: list[tuple[int, list[Expr], tuple[int, ...]]] = []
        sort = outer.parameter.sort
        for value in range(sort.low, sort.high + 1):
            bound = {**values, outer.parameter.name: number(value)}
            moves = self._constant_moves(inner, bound)
            if moves is None:
                return None
            conditions = [
                self.workshop.printer.prepared(item, bound)
                for item in outer.guards
                if not isinstance(item, Let)
            ]
            if FALSE not in conditions and moves:
                kept = [condition for condition in conditions if condition != TRUE]
                prepared.append((value, kept, moves))
        if sum(len(moves) for _, _, moves in prepared) < LEAST_BOX * len(prepared):
            return None
        listing.line(f"# {name}")
        groups = tuple(
            _Group(value, moves, self.scope.names.fresh("upto")) for value, _, moves in prepared
        )
        choices = ChoiceWriter(self.workshop.printer, self.workshop.facts, listing, self.scope)

        def count() -> None:
            for group, (_, conditions, moves) in zip(groups, prepared, strict=True):
                if conditions:
                    with listing.block(f"if {choices.joined(conditions)}:"):
                        listing.line(f"n += {len(moves)}")
                else:
                    listing.line(f"n += {len(moves)}")
                listing.line(f"{group.end} = n")

        if outside:
            with listing.block(f"if {choices.joined(outside)}:"):
                count()
            with listing.block("else:"):
                listing.line(" = ".join([*(group.end for group in groups), "n"]))
        else:
            count()
        return groups

    def _constant_moves(self, loop: Loop, bound: dict[str, Expr]) -> tuple[int, ...] | None:
        """The values that a choice may have, when that does not depend on the position."""
        printer = self.workshop.printer
        sort = loop.parameter.sort
        low, high = sort.low, sort.high
        for ends, is_lower in ((loop.lower, True), (loop.upper, False)):
            for end in ends:
                value = printer.prepared(end, bound)
                if not isinstance(value, Const):
                    return None
                if is_lower:
                    low = max(low, value.value)
                else:
                    high = min(high, value.value)
        moves: list[int] = []
        for candidate in range(low, high + 1):
            inner = {**bound, loop.parameter.name: number(candidate)}
            verdicts: list[Expr] = []
            for item in loop.guards:
                if isinstance(item, Let):
                    return None
                verdicts.append(printer.prepared(item, inner))
            if FALSE in verdicts:
                continue
            if any(verdict != TRUE for verdict in verdicts):
                return None
            moves.append(candidate)
        return tuple(moves)

    # --- drawing ----------------------------------------------------------------------------------

    def _make(
        self,
        shape: OfferShape,
        drawn: _Drawn,
        before: str,
    ) -> None:
        """Lines that bind the choices of the drawn move and carry it out."""
        emitter = self.emitter
        emitter.line(f"# {shape.rule.name}")
        scope, values = self.scope.inner(), self.writer.values(shape)
        if drawn is None:
            emitter.line("code = buf[i]")
            self.writer.decode(shape, scope, values)
        elif isinstance(drawn[0], _Extent):
            if before != "0":
                emitter.line(f"i -= {before}")
            self._digits([each for each in drawn if isinstance(each, _Extent)], scope, values)
        elif isinstance(drawn[0], _Part):
            if before != "0":
                emitter.line(f"i -= {before}")
            parts = [each for each in drawn if isinstance(each, _Part)]
            self._choose_parts(parts, body_locals(shape.rule), scope, values)
        else:
            groups = [each for each in drawn if isinstance(each, _Group)]
            self._choose_group(shape, groups, before, scope)
        self.writer.carry_out(shape, scope, values, self._exits(), self.past.copy())

    def _choose_parts(
        self,
        parts: Sequence[_Part],
        used: frozenset[str],
        scope: Scope,
        values: dict[str, Expr],
    ) -> None:
        """The choices of move `i`, part by part from the last, which changes fastest."""
        emitter = self.emitter
        whole = scope.names.fresh("whole")
        emitter.line(f"{whole} = i")
        for part in reversed(parts):
            last = part is parts[0]
            emitter.line(f"i = {whole}" if last else f"i = {whole} % {part.count}")
            if not last:
                emitter.line(f"{whole} //= {part.count}")
            if part.box is None:
                emitter.line(f"code = buf[i + {part.place}]")
                decode_choices(part.choices, 0, used, emitter, scope, values)
            else:
                self._digits(part.box, scope, values)

    def _digits(self, extents: Sequence[_Extent], scope: Scope, values: dict[str, Expr]) -> None:
        for place, extent in enumerate(extents):
            name = extent.loop.parameter.name
            values.pop(name, None)
            if extent.constant and extent.count == "1":
                values[name] = number(int(extent.low))
                continue
            inside = [each.count for each in extents[place + 1 :] if each.count != "1"]
            text = "i"
            if inside:
                product = " * ".join(inside)
                text = f"i // {product if len(inside) == 1 else f'({product})'}"
            if any(each.count != "1" for each in extents[:place]):
                text = f"{text} % {extent.count}"
            if extent.low != "0":
                text = f"{text} + {extent.low}"
            scope.declare(name, text, self.emitter)

    def _choose_group(
        self, shape: OfferShape, groups: Sequence[_Group], before: str, scope: Scope
    ) -> None:
        """Halves the groups until the one that holds move `i` is found."""
        emitter = self.emitter
        outer, inner = shape.rule.choices
        first, second = scope.bind(outer.name), scope.bind(inner.name)
        starts = [before, *(group.end for group in groups)]

        def halve(low: int, high: int) -> None:
            if high - low == 1:
                group = groups[low]
                emitter.line(f"{first} = {group.value}")
                start = "i" if starts[low] == "0" else f"i - {starts[low]}"
                moves = group.moves
                if moves == tuple(range(moves[0], moves[0] + len(moves))):
                    emitter.line(f"{second} = {shifted(start, moves[0])}")
                else:
                    emitter.line(f"{second} = {self._table(moves)}[{start}]")
                return
            middle = (low + high) // 2
            with emitter.block(f"if i < {groups[middle - 1].end}:"):
                halve(low, middle)
            with emitter.block("else:"):
                halve(middle, high)

        halve(0, len(groups))
        scope.room(outer.name, emitter)
        scope.room(inner.name, emitter)

    def _table(self, moves: tuple[int, ...]) -> str:
        text = repr(moves)
        for line in self.tables:
            name, _, entries = line.partition(" = ")
            if entries == text:
                return name
        name = f"CHOICES_{len(self.tables) + 1}"
        self.tables.append(f"{name} = {text}")
        return name

    def _exits(self) -> Exits:
        emitter = self.emitter

        def stop(number: int) -> None:
            if number != self.node.number:
                emitter.line(f"node = {number}")
            emitter.line("continue")

        def jump(number: int) -> None:
            emitter.lines(f"s[0] = {number}", "status = advance(s, g)")
            with emitter.block("if status != 0:"):
                emitter.line("return steps, x, status")
            emitter.lines("node = s[0]", "continue")

        return Exits(stop, jump, "return steps, x, {}")
