"""Expressions: names become what they stand for, every node gets its sort."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import assert_never

from quarantia_spec import ir, syntax
from quarantia_spec.constants import NoValue, constant_value
from quarantia_spec.diagnostics import Code
from quarantia_spec.elaborate.scope import Scope
from quarantia_spec.elaborate.sorts import check_domain, range_of, sort_of
from quarantia_spec.elaborate.world import BUILT_IN_FUNCTIONS, LARGEST_NUMBER, Gone, World
from quarantia_spec.ir import BOOLEAN, FoldOp, Op, Sort
from quarantia_spec.ops import apply, conjunction, fold, in_range, number, shift, truth
from quarantia_spec.source import Origin, Span

BINARY = {
    "+": Op.ADD, "-": Op.SUB, "*": Op.MUL, "div": Op.DIV, "mod": Op.MOD,
    "and": Op.AND, "or": Op.OR, "implies": Op.IMPLIES,
}  # fmt: skip
COMPARE = {"=": Op.EQ, "!=": Op.NE, "<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE}


# --- the ways in ------------------------------------------------------------------------------


def elaborate_as(scope: Scope, written: syntax.Expression, sort: Sort) -> ir.Expr:
    """An expression of the kind of `sort`, its `none` coded alike; its range may be wider."""
    found = elaborate(scope, written, sort)
    return coerce(scope.world, found, sort, written.span)


def boolean(scope: Scope, written: syntax.Expression) -> ir.Expr:
    return elaborate_as(scope, written, BOOLEAN)


def constant(world: World, written: syntax.Expression, scope: Scope | None = None) -> int:
    """The value of a whole number that does not depend on the position."""
    found = elaborate(scope or Scope(world), written, None)
    require_number(world, found, written.span)
    try:
        return constant_value(found, world.tables, world.terms, {})
    except NoValue:
        world.reporter.error(
            Code.NOT_CONSTANT,
            "this must be a constant",
            written.span,
            "use numbers, `players`, options, tables and terms that do not read the position",
        )
        raise Gone from None


def kind_of(sort: Sort) -> str:
    if sort.boolean:
        return "a boolean"
    return f"a {sort.names}" if sort.names else "a number"


def mismatch(world: World, wanted: str, got: Sort, span: Span) -> Gone:
    if wanted == "a boolean":
        help = "ask a question, such as `… > 0` or `… = none`"
    elif wanted == "a number" and got.boolean:
        help = "write `if … then 1 else 0`"
    elif wanted == "a number":
        help = "`ordinal(…)` is the number of a member"
    else:
        help = f"use {wanted}"
    world.reporter.error(
        Code.TYPE_MISMATCH, f"{wanted} is wanted here, but this is {kind_of(got)}", span, help
    )
    return Gone()


def coerce(world: World, value: ir.Expr, sort: Sort, span: Span) -> ir.Expr:
    """Check the kind and code `none` as `sort` does."""
    got = value.sort
    if got.names != sort.names or got.boolean != sort.boolean:
        raise mismatch(world, kind_of(sort), got, span)
    if got.optional and sort.optional and got.low != sort.low:
        if isinstance(value, ir.Const):
            return ir.Const(sort.low, Sort(sort.low, sort.low, sort.names, True))
        plain = Sort(got.low + 1, got.high, got.names)
        return ir.Apply(
            Op.IF,
            (
                apply(Op.EQ, value, number(got.low)),
                ir.Const(sort.low, Sort(sort.low, sort.low, sort.names, True)),
                value,
            ),
            Sort(sort.low, max(plain.high, sort.low), sort.names, True),
            value.origin,
        )
    return value


def require_number(world: World, value: ir.Expr, span: Span) -> None:
    if value.sort.names or value.sort.boolean:
        raise mismatch(world, "a number", value.sort, span)
    if value.sort.optional:
        world.reporter.error(
            Code.TYPE_MISMATCH,
            "this number may be none",
            span,
            "test it against none and store it in a cell that is never none first",
        )
        raise Gone


# --- expressions ------------------------------------------------------------------------------


def elaborate(scope: Scope, written: syntax.Expression, expected: Sort | None = None) -> ir.Expr:
    """The IR of an expression. `expected` only says how to code `none`."""
    world = scope.world
    origin = Origin(written.span)
    match written:
        case syntax.Number(value=value):
            return number(value, origin)
        case syntax.Truth(value=value):
            return truth(value)
        case syntax.Nothing():
            if expected is None or not expected.optional:
                world.reporter.error(
                    Code.TYPE_MISMATCH,
                    "`none` cannot stand here",
                    written.span,
                    "it goes with values of an optional type, such as Player?",
                )
                raise Gone
            return ir.Const(
                expected.low, Sort(expected.low, expected.low, expected.names, True), origin
            )
        case syntax.Group(inner=inner):
            return elaborate(scope, inner, expected)
        case syntax.Name(text=name):
            return _name(scope, name, written.span)
        case syntax.Subscript() | syntax.Attribute():
            return _read(scope, written)
        case syntax.Call(name=name, arguments=arguments):
            return _call(scope, name, arguments, written.span)
        case syntax.Signed(sign=sign, operand=operand):
            signed = elaborate(scope, operand)
            require_number(world, signed, operand.span)
            return apply(Op.NEG, signed, origin=origin) if sign == "-" else signed
        case syntax.Not(operand=operand):
            return apply(Op.NOT, boolean(scope, operand), origin=origin)
        case syntax.Binary(operator=operator, left=left, right=right):
            op = BINARY[operator]
            if op in (Op.AND, Op.OR, Op.IMPLIES):
                return apply(op, boolean(scope, left), boolean(scope, right), origin=origin)
            first, second = elaborate(scope, left), elaborate(scope, right)
            require_number(world, first, left.span)
            require_number(world, second, right.span)
            if op in (Op.DIV, Op.MOD) and second.sort.high <= 0:
                world.reporter.error(
                    Code.OUT_OF_RANGE, "the divisor is never positive", right.span,
                    "divide by a number of at least 1",
                )  # fmt: skip
                raise Gone
            return _of_moderate_size(world, apply(op, first, second, origin=origin), written.span)
        case syntax.Compare(first=first_written, rest=rest):
            return _compare(scope, first_written, rest, origin)
        case syntax.Member(value=value_written, collection=collection, negated=negated):
            inside = _member(scope, value_written, collection, written.span)
            return apply(Op.NOT, inside, origin=origin) if negated else inside
        case syntax.Conditional(condition=condition, then=then, otherwise=otherwise):
            test = boolean(scope, condition)
            if isinstance(then, syntax.Nothing) and expected is None:
                second = elaborate(scope, otherwise)
                first = elaborate(scope, then, optional(second.sort))
            else:
                first = elaborate(scope, then, expected)
                second = elaborate(scope, otherwise, expected or optional(first.sort))
            first, second = _same_kind(world, first, second, written.span)
            return apply(Op.IF, test, first, second, origin=origin)
        case syntax.Fold():
            return _fold(scope, written)
        case _:
            assert_never(written)


def _of_moderate_size(world: World, value: ir.Expr, span: Span) -> ir.Expr:
    if value.sort.low >= -LARGEST_NUMBER and value.sort.high <= LARGEST_NUMBER:
        return value
    world.reporter.error(
        Code.TOO_MANY_VALUES,
        "this number can grow out of all bounds",
        span,
        f"a calculation stays within {LARGEST_NUMBER:,}: use smaller ranges",
    )
    raise Gone


def optional(sort: Sort) -> Sort:
    """The same kind with `none`."""
    if sort.optional or sort.boolean:
        return sort
    return Sort(sort.low - 1, sort.high, sort.names, True)


def _same_kind(
    world: World, first: ir.Expr, second: ir.Expr, span: Span
) -> tuple[ir.Expr, ir.Expr]:
    if first.sort.names != second.sort.names or first.sort.boolean != second.sort.boolean:
        world.reporter.error(
            Code.TYPE_MISMATCH,
            f"{kind_of(first.sort)} and {kind_of(second.sort)} do not go together",
            span,
            "both sides must be of one kind",
        )
        raise Gone
    if first.sort.optional and second.sort.optional and first.sort.low != second.sort.low:
        low = min(first.sort.low, second.sort.low)
        wide = Sort(low, max(first.sort.high, second.sort.high), first.sort.names, True)
        return coerce(world, first, wide, span), coerce(world, second, wide, span)
    return first, second


def _compare(
    scope: Scope,
    first: syntax.Expression,
    rest: tuple[tuple[str, syntax.Expression], ...],
    origin: Origin,
) -> ir.Expr:
    parts: list[ir.Expr | None] = []
    left_written = first
    for operator, right_written in rest:
        op = COMPARE[operator]
        if isinstance(left_written, syntax.Nothing):
            right = elaborate(scope, right_written)
            left = elaborate(scope, left_written, right.sort)
        else:
            left = elaborate(scope, left_written)
            right = elaborate(scope, right_written, left.sort)
        left, right = _same_kind(scope.world, left, right, origin.span)
        if op not in (Op.EQ, Op.NE):
            require_number(scope.world, left, left_written.span)
            require_number(scope.world, right, right_written.span)
        parts.append(apply(op, left, right, origin=origin))
        left_written = right_written
    result = conjunction(*parts)
    return truth(True) if result is None else result


# --- names ------------------------------------------------------------------------------------


def _name(scope: Scope, name: str, span: Span) -> ir.Expr:
    world = scope.world
    if name in scope.names:
        return scope.names[name]
    if name in world.members:
        return world.members[name]
    if name == "players":
        return number(world.players, Origin(span))
    declaration = world.declared.get(name)
    match declaration:
        case syntax.State() | syntax.Table() | syntax.Given():
            return _cell(scope, name, (), span)
        case syntax.Term():
            return _term_call(scope, name, (), span)
        case syntax.Option():
            return option_value(world, name, declaration)
        case None:
            raise world.unknown(name, span, world.known_names() | set(scope.names))
        case _:
            raise world.wrong_kind(name, span, "a value")


def option_value(world: World, name: str, declaration: syntax.Option) -> ir.Expr:
    def make() -> ir.Expr:
        sort = sort_of(world, declaration.sort)
        if name in world.option_values:
            return _chosen_option(world, name, declaration, sort)
        found = elaborate_as(Scope(world), declaration.value, sort)
        if not isinstance(found, ir.Const):
            world.reporter.error(
                Code.NOT_CONSTANT, "an option must be a constant", declaration.value.span,
                "use numbers, `players`, other options and tables",
            )  # fmt: skip
            raise Gone
        if in_range(found, sort) is not None:
            world.reporter.error(
                Code.OUT_OF_RANGE, f"{found.value} does not fit in {sort.low}..{sort.high}",
                declaration.value.span, "widen the range of the option, or correct the value",
            )  # fmt: skip
            raise Gone
        return found

    return world.once("option", name, declaration.span, make)


def _chosen_option(world: World, name: str, declaration: syntax.Option, sort: Sort) -> ir.Expr:
    """An option as whoever loads the game sets it: by its value, or in the words of the rules."""
    from quarantia_spec.parser import parse_expression

    asked = world.option_values[name]
    found: ir.Expr | None = None
    if isinstance(asked, int):
        found = ir.Const(asked, sort if sort.boolean else Sort(asked, asked, sort.names))
    else:
        written, _ = parse_expression(asked, declaration.span.file, 1, 1)
        before = len(world.reporter.found)
        if written is not None:
            with suppress(Gone):
                found = elaborate_as(Scope(world), written, sort)
        del world.reporter.found[before:]  # they would point into a text that nobody can see
    if not isinstance(found, ir.Const) or not sort.low <= found.value <= sort.high:
        world.reporter.error(
            Code.UNKNOWN_OPTION, f"the option `{name}` cannot be `{asked}`", declaration.span,
            f"choose {_allowed_values(world, sort)}",
        )  # fmt: skip
        raise Gone
    return found


def _allowed_values(world: World, sort: Sort) -> str:
    if sort.boolean:
        return "true or false"
    first = sort.low + sort.optional
    if sort.names:
        return "one of " + ", ".join(world.enumerations[sort.names][first : sort.high + 1])
    return f"a number from {first} to {sort.high}"


@dataclass(frozen=True, slots=True)
class Chain:
    """`name[indices].attribute[attribute_indices]`, as far as it is written."""

    name: str
    indices: tuple[syntax.Expression, ...]
    attribute: str | None
    attribute_indices: tuple[syntax.Expression, ...]
    span: Span


def chain_of(written: syntax.Expression) -> Chain | None:
    match written:
        case syntax.Name(text=name):
            return Chain(name, (), None, (), written.span)
        case syntax.Group(inner=inner):
            return chain_of(inner)
        case syntax.Subscript(base=base, indices=indices):
            inner_chain = chain_of(base)
            if inner_chain is None:
                return None
            if inner_chain.attribute is not None and not inner_chain.attribute_indices:
                return Chain(
                    inner_chain.name, inner_chain.indices, inner_chain.attribute, indices,
                    written.span,
                )  # fmt: skip
            if inner_chain.attribute is None and not inner_chain.indices:
                return Chain(inner_chain.name, indices, None, (), written.span)
            return None
        case syntax.Attribute(base=base, name=attribute):
            inner_chain = chain_of(base)
            if inner_chain is None or inner_chain.attribute is not None:
                return None
            return Chain(inner_chain.name, inner_chain.indices, attribute, (), written.span)
        case _:
            return None


def _read(scope: Scope, written: syntax.Expression) -> ir.Expr:
    chain = chain_of(written)
    world = scope.world
    if chain is None or chain.name in scope.names:
        world.reporter.error(
            Code.WRONG_KIND,
            "this cannot be indexed",
            written.span,
            "index a state, a table or a zone, such as `site[d].house[p]`",
        )
        raise Gone
    if chain.attribute is not None:
        return pieces_cell(scope, chain)
    return _cell(scope, chain.name, chain.indices, written.span)


def _cell(scope: Scope, name: str, indices: tuple[syntax.Expression, ...], span: Span) -> ir.Expr:
    """A cell of a state or an entry of a table."""
    from quarantia_spec.elaborate.declarations import state_info, table_of

    world = scope.world
    declaration = world.declared.get(name)
    match declaration:
        case syntax.State():
            info = state_info(world, name, declaration)
            if info.form == "set":
                world.reporter.error(
                    Code.WRONG_KIND,
                    f"`{name}` is a set",
                    span,
                    f"ask `x in {name}` or `size({name})`",
                )
                raise Gone
            dimensions = world.defined.dimensions[name]
            found = elaborate_indices(scope, name, indices, dimensions, span)
            return ir.Read(name, found, info.element, Origin(span))
        case syntax.Table() | syntax.Given():
            table = table_of(world, name, declaration)
            found = elaborate_indices(scope, name, indices, table.dimensions, span)
            if table.values is not None and all(isinstance(i, ir.Const) for i in found):
                return _constant_entry(world, table, found, span)
            return ir.Lookup(name, found, table.sort, Origin(span))
        case None:
            raise world.unknown(name, span)
        case syntax.Term():
            world.reporter.error(
                Code.WRONG_KIND, f"`{name}` is a term", span, f"write `{name}(…)` with brackets"
            )
            raise Gone
        case _:
            raise world.wrong_kind(name, span, "a state or a table")


def _constant_entry(
    world: World, table: ir.Table, indices: tuple[ir.Expr, ...], span: Span
) -> ir.Expr:
    assert table.values is not None
    position = 0
    for index, dimension in zip(indices, table.dimensions, strict=True):
        assert isinstance(index, ir.Const)
        if not dimension.low <= index.value <= dimension.high:
            world.reporter.error(
                Code.OUT_OF_RANGE,
                f"`{table.name}` has no entry {index.value}",
                span,
                f"its index runs from {dimension.low} to {dimension.high}",
            )
            raise Gone
        position = position * dimension.size + index.value - dimension.low
    value = table.values[position]
    sort = table.sort
    narrow = sort if sort.boolean else Sort(value, value, sort.names, sort.optional)
    return ir.Const(value, narrow, Origin(span))


def elaborate_indices(
    scope: Scope,
    name: str,
    indices: tuple[syntax.Expression, ...],
    dimensions: tuple[Sort, ...],
    span: Span,
) -> tuple[ir.Expr, ...]:
    if len(indices) != len(dimensions):
        scope.world.reporter.error(
            Code.WRONG_COUNT,
            f"`{name}` takes {plural(len(dimensions), 'index', 'indices')}, "
            f"but {len(indices)} {'is' if len(indices) == 1 else 'are'} given",
            span,
            "write one index for each, in the order of the declaration",
        )
        raise Gone
    found = []
    for written, dimension in zip(indices, dimensions, strict=True):
        value = elaborate(scope, written, dimension)
        if value.sort.names != dimension.names or value.sort.boolean != dimension.boolean:
            raise mismatch(scope.world, kind_of(dimension), value.sort, written.span)
        if value.sort.high < dimension.low or value.sort.low > dimension.high:
            scope.world.reporter.error(
                Code.OUT_OF_RANGE,
                f"this index is never within {dimension.low}..{dimension.high}",
                written.span,
                "correct the index, or widen what it indexes",
            )
            raise Gone
        found.append(value)
    return tuple(found)


def plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


# --- pieces and zones -------------------------------------------------------------------------


def pieces_cell(scope: Scope, chain: Chain) -> ir.Read:
    """The cell that counts a component in a zone: `site[d].house[p]`."""
    from quarantia_spec.elaborate.declarations import component_of, zone_info

    world = scope.world
    declaration = world.declared.get(chain.name)
    if not isinstance(declaration, syntax.Zone):
        if declaration is None:
            raise world.unknown(chain.name, chain.span)
        raise world.wrong_kind(chain.name, chain.span, "a zone")
    zone = zone_info(world, chain.name, declaration)
    assert chain.attribute is not None
    holding = zone.holding(chain.attribute)
    if holding is None:
        raise world.unknown(chain.attribute, chain.span, {h.component for h in zone.holdings})
    component = component_of(world, holding.component)
    if component.distinct:
        world.reporter.error(
            Code.WRONG_KIND,
            f"`{component.name}` are distinct pieces",
            chain.span,
            f"ask `x in {zone.name}` or `size({zone.name})`",
        )
        raise Gone
    name = f"{zone.name}.{component.name}"
    dimensions = world.defined.dimensions[name]
    found = elaborate_indices(
        scope, name, (*chain.indices, *chain.attribute_indices), dimensions, chain.span
    )
    most = component.most
    if holding.capacity is not None:
        most = min(most, holding.capacity)
    return ir.Read(name, found, Sort(0, most), Origin(chain.span))


@dataclass(frozen=True, slots=True)
class ZoneReference:
    """One instance of a zone, for a distinct component: its code is an expression."""

    zone: str
    component: str
    ordered: bool
    capacity: int | None
    code: ir.Expr
    asks: ir.Expr | None  # when the instance exists


def zone_reference(
    scope: Scope, written: syntax.Expression, component: str | None = None
) -> ZoneReference | None:
    """The zone that an expression names, or None when it names none."""
    chain = chain_of(written)
    if chain is None or chain.attribute is not None or chain.name in scope.names:
        return None
    return zone_of_chain(scope, chain, component)


def zone_of_chain(scope: Scope, chain: Chain, component: str | None = None) -> ZoneReference | None:
    from quarantia_spec.elaborate.declarations import component_of, zone_code, zone_info

    world = scope.world
    declaration = world.declared.get(chain.name)
    if not isinstance(declaration, syntax.Zone):
        return None
    zone = zone_info(world, chain.name, declaration)
    distinct = [
        h for h in zone.holdings
        if component_of(world, h.component).distinct and component in (None, h.component)
    ]  # fmt: skip
    if len(distinct) != 1:
        world.reporter.error(
            Code.WRONG_KIND,
            f"`{zone.name}` does not hold "
            + (f"`{component}`" if component else "one kind of distinct pieces"),
            chain.span,
            "for pieces that are alike, ask for their number, such as `site[d].house[p]`",
        )
        raise Gone
    holding = distinct[0]
    found = elaborate_indices(scope, zone.name, chain.indices, zone.dimensions, chain.span)
    code: ir.Expr = number(zone_code(world, holding.component, zone.name))
    stride = zone.instances
    asks: ir.Expr | None = None
    for index, dimension in zip(found, zone.dimensions, strict=True):
        stride //= dimension.size
        plain = _plain_number(index)
        step = apply(Op.SUB, plain, number(dimension.low))
        code = apply(Op.ADD, code, apply(Op.MUL, step, number(stride)) if stride != 1 else step)
        asks = conjunction(asks, world.defined.of(index), in_range(index, dimension))
    return ZoneReference(zone.name, holding.component, zone.ordered, holding.capacity, code, asks)


def _plain_number(value: ir.Expr) -> ir.Expr:
    """The same value without the names of its enumeration, fit for arithmetic."""
    bare = Sort(value.sort.low, value.sort.high)
    match value:
        case ir.Const():
            return ir.Const(value.value, bare, value.origin)
        case ir.Local():
            return ir.Local(value.name, bare, value.origin)
        case ir.Read():
            return ir.Read(value.variable, value.indices, bare, value.origin)
        case ir.Lookup():
            return ir.Lookup(value.table, value.indices, bare, value.origin)
        case ir.Apply():
            return ir.Apply(value.op, value.args, bare, value.origin)
        case ir.Fold():
            return ir.Fold(
                value.op, value.name, value.low, value.high, value.where, value.body,
                value.default, bare, value.origin,
            )  # fmt: skip
        case ir.Call():
            return ir.Call(value.term, value.args, bare, value.origin)
        case _:
            assert_never(value)


def place_of(world: World, component: str, piece: ir.Expr) -> ir.Read:
    """The cell that says where a piece is."""
    from quarantia_spec.elaborate.declarations import zones_of

    codes = sum(zone.instances for zone in zones_of(world, component))
    return ir.Read(f"{component}.at", (piece,), Sort(0, codes - 1, f"{component}.at"))


def rank_of(world: World, component: str, piece: ir.Expr) -> ir.Read:
    size = world.types[component].size
    return ir.Read(f"{component}.rank", (piece,), Sort(-size, size))


def is_in(world: World, piece: ir.Expr, zone: ZoneReference) -> ir.Expr:
    """Nothing is in the zone of nobody: an index of none makes it false."""
    here = apply(Op.EQ, place_of(world, zone.component, piece), zone.code)
    return here if zone.asks is None else apply(Op.AND, zone.asks, here)


def first_rank(scope: Scope, zone: ZoneReference) -> ir.Expr:
    """The rank of the next piece of a pile; one more than any rank when it is empty."""
    world = scope.world
    sort = world.types[zone.component]
    other = ir.Local(scope.fresh("other"), sort)
    return fold(
        FoldOp.MIN, other.name, sort, is_in(world, other, zone),
        rank_of(world, zone.component, other), number(sort.size + 1),
    )  # fmt: skip


def drawable(scope: Scope, piece: ir.Expr, zone: ZoneReference) -> ir.Expr:
    """A piece that can be the next one of a pile.

    NOTE(piles) Ranks below zero were put on top, rank zero is the shuffled part whose order nobody
    knows, ranks above zero were put underneath. So the next piece is one of least rank.
    """
    rank = rank_of(scope.world, zone.component, piece)
    return apply(
        Op.AND,
        is_in(scope.world, piece, zone),
        apply(Op.EQ, rank, first_rank(scope, zone)),
    )


def _member(
    scope: Scope,
    written: syntax.Expression,
    collection: syntax.Expression | syntax.RangeSort,
    span: Span,
) -> ir.Expr:
    from quarantia_spec.elaborate.declarations import state_info

    world = scope.world
    origin = Origin(span)
    if isinstance(collection, syntax.RangeSort):
        value = elaborate(scope, written)
        require_number(world, value, written.span)
        low, high = elaborate(scope, collection.low), elaborate(scope, collection.high)
        require_number(world, low, collection.low.span)
        require_number(world, high, collection.high.span)
        return apply(
            Op.AND,
            apply(Op.GE, value, low, origin=origin),
            apply(Op.LE, value, high, origin=origin),
            origin=origin,
        )
    chain = chain_of(collection)
    if chain is None or chain.attribute is not None:
        raise _not_a_collection(world, collection.span)
    declaration = world.declared.get(chain.name)
    if (
        chain.name == "Player"
        or isinstance(declaration, syntax.TypeDeclaration)
        or (isinstance(declaration, syntax.Component) and declaration.distinct)
    ):
        sort = sort_of(world, syntax.NamedSort(chain.name, chain.span))
        value = elaborate(scope, written, optional(sort))
        coerce(world, value, sort, written.span)
        within = in_range(value, sort)
        return truth(True) if within is None else within
    match declaration:
        case syntax.Zone():
            piece = elaborate(scope, written)
            zone = zone_of_chain(scope, chain, _component_name(world, piece, written.span))
            assert zone is not None
            return is_in(world, piece, zone)
        case syntax.State():
            info = state_info(world, chain.name, declaration)
            value = elaborate_as(scope, written, optional(info.element))
            if info.form == "set":
                found = elaborate_indices(
                    scope, chain.name, chain.indices, info.dimensions, chain.span
                )
                return ir.Read(chain.name, (*found, value), BOOLEAN, origin)
            if info.form == "sequence":
                found = elaborate_indices(
                    scope, chain.name, chain.indices, info.dimensions, chain.span
                )
                positions = Sort(1, info.limit)
                position = ir.Local(scope.fresh("position"), positions)
                length = ir.Read(f"{chain.name}.length", found, Sort(0, info.limit))
                entry = ir.Read(chain.name, (*found, position), info.element)
                return fold(
                    FoldOp.ANY, position.name, positions,
                    apply(Op.LE, position, length), apply(Op.EQ, entry, value), origin=origin,
                )  # fmt: skip
            raise _not_a_collection(world, collection.span)
        case None:
            raise world.unknown(chain.name, chain.span)
        case _:
            raise _not_a_collection(world, collection.span)


def _component_name(world: World, piece: ir.Expr, span: Span) -> str:
    name = next(
        (
            n for n, d in world.declared.items()
            if isinstance(d, syntax.Component) and d.distinct
            and world.types[n].names == piece.sort.names
            and world.types[n].low <= piece.sort.high and piece.sort.low <= world.types[n].high
        ),
        None,
    )  # fmt: skip
    if name is None:
        raise mismatch(world, "a distinct piece", piece.sort, span)
    return name


def _not_a_collection(world: World, span: Span) -> Gone:
    world.reporter.error(
        Code.WRONG_KIND,
        "`in` needs a type, a range, a set, a sequence or a zone",
        span,
        "for example `d in District`, `t in hand[p]`, `n in 1..3`",
    )
    return Gone()


# --- calls ------------------------------------------------------------------------------------


def _call(scope: Scope, name: str, arguments: tuple[syntax.Expression, ...], span: Span) -> ir.Expr:
    world = scope.world
    if name in BUILT_IN_FUNCTIONS:
        return _built_in(scope, name, arguments, span)
    declaration = world.declared.get(name)
    if isinstance(declaration, syntax.Term):
        return _term_call(scope, name, arguments, span)
    if declaration is None:
        terms = {n for n, d in world.declared.items() if isinstance(d, syntax.Term)}
        raise world.unknown(name, span, terms | set(BUILT_IN_FUNCTIONS))
    if isinstance(declaration, syntax.State | syntax.Table | syntax.Given | syntax.Zone):
        world.reporter.error(
            Code.WRONG_KIND, f"`{name}` takes its indices in [ ]", span, f"write `{name}[…]`"
        )
        raise Gone
    raise world.wrong_kind(name, span, "a term")


def _term_call(
    scope: Scope, name: str, arguments: tuple[syntax.Expression, ...], span: Span
) -> ir.Expr:
    from quarantia_spec.elaborate.terms import term_of

    world = scope.world
    declaration = world.declared[name]
    assert isinstance(declaration, syntax.Term)
    term = term_of(world, name, declaration, span)
    if len(arguments) != len(term.parameters):
        world.reporter.error(
            Code.WRONG_COUNT,
            f"`{name}` takes {plural(len(term.parameters), 'value', 'values')}, "
            f"but {len(arguments)} {'is' if len(arguments) == 1 else 'are'} given",
            span,
            "write one value for each parameter, in the order of the declaration",
        )
        raise Gone
    found = []
    for written, parameter in zip(arguments, term.parameters, strict=True):
        value = elaborate(scope, written, parameter.sort)
        found.append(coerce(world, value, parameter.sort, written.span))
    if not term.parameters and isinstance(term.body, ir.Const):
        return ir.Const(term.body.value, term.body.sort, Origin(span))
    return ir.Call(name, tuple(found), term.sort, Origin(span))


def _built_in(
    scope: Scope, name: str, arguments: tuple[syntax.Expression, ...], span: Span
) -> ir.Expr:
    world = scope.world
    origin = Origin(span)
    wanted = {"drawable": (2, 2), "min": (2, 9), "max": (2, 9)}.get(name, (1, 1))
    if not wanted[0] <= len(arguments) <= wanted[1]:
        world.reporter.error(
            Code.WRONG_COUNT, f"`{name}` takes {plural(wanted[0], 'value', 'values')}", span,
            f"{len(arguments)} {'is' if len(arguments) == 1 else 'are'} given",
        )  # fmt: skip
        raise Gone
    match name:
        case "min" | "max":
            values = [elaborate(scope, argument) for argument in arguments]
            for value, argument in zip(values, arguments, strict=True):
                require_number(world, value, argument.span)
            result = values[0]
            for value in values[1:]:
                op = Op.MIN if name == "min" else Op.MAX
                result = apply(op, result, value, origin=origin)
            return result
        case "abs":
            value = elaborate(scope, arguments[0])
            require_number(world, value, arguments[0].span)
            return apply(Op.ABS, value, origin=origin)
        case "next" | "previous":
            return _neighbour(scope, name, arguments[0], origin)
        case "ordinal":
            value = elaborate(scope, arguments[0])
            if not value.sort.names or value.sort.optional:
                raise mismatch(world, "a member of an enumeration", value.sort, arguments[0].span)
            return _plain_number(value)
        case "drawable":
            piece = elaborate(scope, arguments[0])
            component = _component_name(world, piece, arguments[0].span)
            return drawable(scope, piece, _pile(scope, arguments[1], component))
        case "top" | "bottom":
            zone = _pile(scope, arguments[0], None)
            sort = world.types[zone.component]
            piece_local = ir.Local(scope.fresh("piece"), sort)
            if name == "top":
                condition = drawable(scope, piece_local, zone)
            else:
                condition = _is_last(scope, piece_local, zone)
            return fold(FoldOp.FIRST, piece_local.name, sort, None, condition, origin=origin)
        case _:
            return _size(scope, name, arguments[0], origin)


def _is_last(scope: Scope, piece: ir.Expr, zone: ZoneReference) -> ir.Expr:
    world = scope.world
    sort = world.types[zone.component]
    other = ir.Local(scope.fresh("other"), sort)
    last = fold(
        FoldOp.MAX, other.name, sort, is_in(world, other, zone),
        rank_of(world, zone.component, other), number(-sort.size - 1),
    )  # fmt: skip
    rank = rank_of(world, zone.component, piece)
    return apply(Op.AND, is_in(world, piece, zone), apply(Op.EQ, rank, last))


def _pile(scope: Scope, written: syntax.Expression, component: str | None) -> ZoneReference:
    zone = zone_reference(scope, written, component)
    if zone is None or not zone.ordered:
        scope.world.reporter.error(
            Code.WRONG_KIND, "a pile is wanted here", written.span, "only a `pile` has an order"
        )
        raise Gone
    return zone


def _neighbour(scope: Scope, name: str, written: syntax.Expression, origin: Origin) -> ir.Expr:
    value = elaborate(scope, written)
    sort = value.sort
    if sort.optional or sort.boolean:
        raise mismatch(scope.world, "a member of a type", sort, written.span)
    whole = next(
        (s for s in scope.world.types.values() if s.names == sort.names and sort.within(s)), sort
    )
    if isinstance(value, ir.Const):
        step = 1 if name == "next" else -1
        moved = whole.low + (value.value - whole.low + step) % whole.size
        return ir.Const(moved, Sort(moved, moved, sort.names), origin)
    first, last, by = (whole.low, whole.high, 1) if name == "next" else (whole.high, whole.low, -1)
    edge = apply(Op.EQ, value, ir.Const(last, Sort(last, last, sort.names)))
    wrapped = ir.Const(first, Sort(first, first, sort.names))
    return ir.Apply(Op.IF, (edge, wrapped, shift(value, by, whole)), whole, origin)


def _size(scope: Scope, name: str, written: syntax.Expression, origin: Origin) -> ir.Expr:
    from quarantia_spec.elaborate.declarations import state_info

    world = scope.world
    chain = chain_of(written)
    declaration = None if chain is None else world.declared.get(chain.name)
    if chain is not None and isinstance(declaration, syntax.Zone):
        zone = zone_of_chain(scope, chain)
        assert zone is not None
        sort = world.types[zone.component]
        piece = ir.Local(scope.fresh("piece"), sort)
        return fold(FoldOp.COUNT, piece.name, sort, None, is_in(world, piece, zone), origin=origin)
    if chain is not None and isinstance(declaration, syntax.State):
        info = state_info(world, chain.name, declaration)
        found = elaborate_indices(scope, chain.name, chain.indices, info.dimensions, chain.span)
        if info.form == "set":
            element = ir.Local(scope.fresh("element"), info.element)
            inside = ir.Read(chain.name, (*found, element), BOOLEAN)
            return fold(FoldOp.COUNT, element.name, info.element, None, inside, origin=origin)
        if info.form == "sequence":
            return ir.Read(f"{chain.name}.length", found, Sort(0, info.limit), origin)
    world.reporter.error(
        Code.WRONG_KIND, f"`{name}` needs a zone, a set or a sequence", written.span,
        f"for example `{name}(hand[p])`; of pieces that are alike, write `purse[p].coin`",
    )  # fmt: skip
    raise Gone


# --- folds ------------------------------------------------------------------------------------


def domain_of(scope: Scope, binding: syntax.Binding) -> tuple[Scope, ir.Local, ir.Expr | None]:
    """A scope with the bound name, its local, and the condition that its domain adds."""
    from quarantia_spec.elaborate.declarations import state_info

    world = scope.world
    inner = scope.child()
    domain = binding.domain
    if isinstance(domain, syntax.RangeSort):
        sort = range_of(world, domain)
        check_domain(world, sort, domain)
        return inner, inner.bind(binding.name, sort, binding.span), None
    chain = chain_of(domain)
    if chain is None or chain.attribute is not None:
        raise _not_a_collection(world, domain.span)
    declaration = world.declared.get(chain.name)
    match declaration:
        case syntax.Zone():
            zone = zone_of_chain(scope, chain)
            assert zone is not None
            local = inner.bind(binding.name, world.types[zone.component], binding.span)
            return inner, local, is_in(world, local, zone)
        case syntax.State():
            info = state_info(world, chain.name, declaration)
            if info.form != "set":
                raise _not_a_collection(world, domain.span)
            check_domain(world, info.element, domain)
            found = elaborate_indices(scope, chain.name, chain.indices, info.dimensions, chain.span)
            local = inner.bind(binding.name, info.element, binding.span)
            return inner, local, ir.Read(chain.name, (*found, local), BOOLEAN)
        case _:
            sort = sort_of(world, syntax.NamedSort(chain.name, chain.span))
            check_domain(world, sort, domain)
            return inner, inner.bind(binding.name, sort, binding.span), None


def _fold(scope: Scope, written: syntax.Fold) -> ir.Expr:
    world = scope.world
    op = FoldOp(written.operator)
    origin = Origin(written.span)
    single = op in (FoldOp.MAX, FoldOp.MIN, FoldOp.FIRST)
    if single and len(written.bindings) > 1:
        world.reporter.error(
            Code.WRONG_COUNT,
            f"`{op.value}` runs over one variable",
            written.bindings[1].span,
            "put one inside the other",
        )
        raise Gone
    inner = scope
    locals_: list[tuple[ir.Local, ir.Expr | None]] = []
    for binding in written.bindings:
        inner, local, condition = domain_of(inner, binding)
        locals_.append((local, condition))
    where = None if written.where is None else boolean(inner, written.where)
    last, last_condition = locals_[-1]
    where = conjunction(last_condition, where)
    names_binder = (
        isinstance(written.body, syntax.Name) and written.body.text == written.bindings[-1].name
    )
    body: ir.Expr
    if op is FoldOp.FIRST:
        if not names_binder or where is None:
            world.reporter.error(
                Code.TYPE_MISMATCH,
                "`first` gives the bound variable itself, for which something holds",
                written.span,
                "write `first(x for x in T where …)`",
            )
            raise Gone
        return fold(op, last.name, last.sort, None, where, origin=origin)
    if op is FoldOp.COUNT and names_binder:
        body = truth(True)
    elif op in (FoldOp.SUM, FoldOp.MAX, FoldOp.MIN):
        body = elaborate(inner, written.body)
        require_number(world, body, written.body.span)
    else:
        body = boolean(inner, written.body)
    default: ir.Expr | None = None
    if op in (FoldOp.MAX, FoldOp.MIN):
        if written.default is not None:
            default = elaborate(scope, written.default)
            require_number(world, default, written.default.span)
        elif where is not None:
            world.reporter.error(
                Code.NO_DEFAULT,
                f"the {op.value} of nothing has no value",
                written.span,
                "say what it is: `… where … else 0)`",
            )
            raise Gone
    elif written.default is not None:
        world.reporter.error(
            Code.MISPLACED,
            f"`{op.value}` of nothing is known: it needs no `else`",
            written.default.span,
            "remove the `else`",
        )
    if op is FoldOp.COUNT and where is not None and isinstance(body, ir.Const):
        body, where = where, None
    result = fold(op, last.name, last.sort, where, body, default, origin)
    outer = FoldOp.SUM if op is FoldOp.COUNT else op
    for local, condition in reversed(locals_[:-1]):
        result = fold(outer, local.name, local.sort, condition, result, None, origin)
    return _of_moderate_size(world, result, written.span)


# --- sentences --------------------------------------------------------------------------------


def reason_of(written: syntax.Reason | None) -> ir.Reason:
    if written is None:
        return ir.NO_REASON
    return ir.Reason(written.english.text, "" if written.french is None else written.french.text)


def sentences(
    scope: Scope, says: tuple[syntax.Say, ...], span: Span, word: str = "say"
) -> ir.Sentences:
    """One sentence in each language; both or none."""
    world = scope.world
    found: dict[str, ir.Template] = {}
    for say in says:
        if say.word != word:
            continue
        if say.language in found:
            world.reporter.error(
                Code.DUPLICATE_NAME, f"two sentences in `{say.language}`", say.span,
                "one sentence for each language",
            )  # fmt: skip
            continue
        found[say.language] = template(scope, say.text)
    if len(found) == 1:
        missing = "fr" if "en" in found else "en"
        world.reporter.error(
            Code.MISSING_TRANSLATION,
            f"the sentence in `{missing}` is missing",
            next(say.span for say in says if say.word == word),
            f'add `{word} {missing} "…"`',
        )
    return ir.Sentences(found.get("en"), found.get("fr"))


def template(scope: Scope, text: syntax.Text) -> ir.Template:
    """Text with holes; a hole that cannot be elaborated has been reported and stays empty."""
    from quarantia_spec.parser import parse_expression

    world = scope.world
    parts: list[str | ir.Expr] = []
    rest, column = text.text, text.span.column + 1
    while rest:
        before, brace, after = rest.partition("{")
        if before:
            parts.append(before)
        if not brace:
            break
        hole, closing, remainder = after.partition("}")
        start = column + len(before) + 1
        if not closing:
            place = Span(text.span.file, text.span.line, start - 1, text.span.line, start)
            world.reporter.error(
                Code.BAD_SENTENCE, "this hole is not closed", place, "end it with `}`"
            )
            break
        expression, problems = parse_expression(hole, text.span.file, text.span.line, start)
        world.reporter.found.extend(problems)
        if expression is not None:
            try:
                parts.append(elaborate(scope, expression))
            except Gone:
                parts.append("…")
        column = start + len(hole) + 1
        rest = remainder
    return ir.Template(tuple(parts))
