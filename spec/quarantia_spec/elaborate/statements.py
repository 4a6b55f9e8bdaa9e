"""Statements: every form comes down to assignments, conditions, loops, lets and obligations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from quarantia_spec import ir, syntax
from quarantia_spec.diagnostics import Code
from quarantia_spec.elaborate.declarations import check_fits, component_of, range_text, state_info
from quarantia_spec.elaborate.expressions import (
    Chain,
    ZoneReference,
    boolean,
    domain_of,
    elaborate,
    elaborate_as,
    elaborate_indices,
    is_in,
    pieces_cell,
    place_of,
    rank_of,
    require_number,
    zone_of_chain,
)
from quarantia_spec.elaborate.scope import Scope
from quarantia_spec.elaborate.world import Gone, World
from quarantia_spec.ir import Duty, FoldOp, Op, Sort
from quarantia_spec.ops import FALSE, TRUE, apply, conjunction, fold, in_range, number
from quarantia_spec.source import Origin, Span


@dataclass(frozen=True, slots=True)
class Permissions:
    """What statements may do here: only examples set up positions piece by piece."""

    assign_pieces: bool = False
    assign_flow: bool = False


def block(
    scope: Scope, written: tuple[syntax.Statement, ...], permissions: Permissions
) -> tuple[ir.Statement, ...]:
    """The statements of a block in a scope of its own."""
    inner = scope.child()
    result: list[ir.Statement] = []
    for statement in written:
        try:
            result.extend(elaborate_statement(inner, statement, permissions))
        except Gone:
            continue
    return tuple(result)


def elaborate_statement(
    scope: Scope, written: syntax.Statement, permissions: Permissions
) -> list[ir.Statement]:
    origin = Origin(written.span)
    match written:
        case syntax.Assignment():
            return _assignment(scope, written, permissions)
        case syntax.Let(name=name, value=value):
            found = elaborate(scope, value)
            local = scope.bind(name, found.sort, written.span)
            return [*defined(scope.world, found, origin), ir.Let(local.name, found, origin)]
        case syntax.MovePieces():
            return _move_pieces(scope, written)
        case syntax.MovePiece(piece=piece, target=target):
            return _place_piece(scope, piece, target, "", written.span)
        case syntax.Put(piece=piece, where=where, target=target):
            return _place_piece(scope, piece, target, where, written.span)
        case syntax.Shuffle():
            return _shuffle(scope, written)
        case syntax.Collect():
            return _collect(scope, written)
        case syntax.Clear(target=target):
            return _clear(scope, target, written.span)
        case syntax.Ensure(condition=condition, because=because):
            found = boolean(scope, condition)
            message = because.text if because is not None else "the author said so"
            return [
                *defined(scope.world, found, origin),
                ir.Oblige(found, Duty.STATED, message, origin),
            ]
        case syntax.DoNothing():
            return []
        case syntax.IfStatement(condition=condition, then=then, otherwise=otherwise):
            test = boolean(scope, condition)
            return [
                *defined(scope.world, test, origin),
                ir.If(
                    test,
                    block(scope, then, permissions),
                    block(scope, otherwise, permissions),
                    origin,
                ),
            ]
        case syntax.ForStatement(binding=binding, where=where, body=body):
            inner, local, added = domain_of(scope, binding)
            condition_found = None if where is None else boolean(inner, where)
            test_found = conjunction(added, condition_found)
            statements = block(inner, body, permissions)
            if test_found is not None:
                statements = (
                    *defined(scope.world, test_found, origin),
                    ir.If(test_found, statements, (), origin),
                )
            return [ir.For(local.name, local.sort.low, local.sort.high, statements, origin)]
        case _:
            assert_never(written)


def defined(world: World, value: ir.Expr, origin: Origin) -> list[ir.Statement]:
    """The obligation that a value has a meaning, when ranges do not guarantee it."""
    return _asked(world.defined.of(value), origin)


def there(world: World, cell: ir.Read, origin: Origin) -> list[ir.Statement]:
    """The obligation that there is such a cell to be written, whatever it holds now."""
    return _asked(world.defined.of_cell(cell), origin)


def _asked(asks: ir.Expr | None, origin: Origin) -> list[ir.Statement]:
    if asks is None:
        return []
    return [ir.Oblige(asks, Duty.DEFINED, "every lookup must have a value", origin)]


# --- assignments ------------------------------------------------------------------------------


def chain_of_place(place: syntax.Place) -> Chain:
    return Chain(
        place.name, place.indices or (), place.attribute, place.attribute_indices or (), place.span
    )


def target_cell(scope: Scope, place: syntax.Place, permissions: Permissions) -> ir.Read:
    """The cell that an assignment writes, as the read of it."""
    world = scope.world
    bound = scope.names.get(place.name)
    if bound is not None:
        if isinstance(bound, ir.Read) and permissions.assign_flow and place.indices is None:
            return bound
        world.reporter.error(
            Code.WRONG_KIND,
            f"`{place.name}` keeps its value: it is not a state",
            place.span,
            "use another `let`, or a state",
        )
        raise Gone
    declaration = world.declared.get(place.name)
    match declaration:
        case syntax.State():
            info = state_info(world, place.name, declaration)
            if info.form != "cell" or place.attribute is not None:
                world.reporter.error(
                    Code.WRONG_KIND,
                    f"`{place.name}` is a {info.form}",
                    place.span,
                    "use `add`, `remove`, `append` or `clear`",
                )
                raise Gone
            found = elaborate_indices(
                scope, place.name, place.indices or (), info.dimensions, place.span
            )
            return ir.Read(place.name, found, info.element, Origin(place.span))
        case syntax.Zone() if place.attribute is not None:
            cell = pieces_cell(scope, chain_of_place(place))
            if not permissions.assign_pieces:
                world.reporter.error(
                    Code.MISPLACED,
                    "pieces are not assigned, they move",
                    place.span,
                    "write `move … from … to …`, so that none appears or vanishes",
                )
                raise Gone
            return cell
        case None:
            raise world.unknown(place.name, place.span)
        case _:
            raise world.wrong_kind(place.name, place.span, "a state")


def _assignment(
    scope: Scope, written: syntax.Assignment, permissions: Permissions
) -> list[ir.Statement]:
    origin = Origin(written.span)
    cell = target_cell(scope, written.target, permissions)
    if written.operator == ":=":
        value = elaborate_as(scope, written.value, cell.sort)
    else:
        change = elaborate(scope, written.value)
        require_number(scope.world, change, written.value.span)
        require_number(scope.world, cell, written.target.span)
        op = Op.ADD if written.operator == "+=" else Op.SUB
        value = apply(op, cell, change, origin=origin)
    return assign(scope.world, cell, value, origin)


def assign(
    world: World, cell: ir.Read, value: ir.Expr, origin: Origin, duty: Duty = Duty.RANGE
) -> list[ir.Statement]:
    """An assignment with the obligations that ranges leave open."""
    check_fits(world, value, cell.sort, origin.span)
    result = [*there(world, cell, origin), *defined(world, value, origin)]
    fits = in_range(value, cell.sort, origin)
    if fits is not None:
        message = f"`{cell.variable}` must stay within {range_text(cell.sort)}"
        result.append(ir.Oblige(fits, duty, message, origin))
    result.append(ir.Assign(cell.variable, cell.indices, value, origin))
    return result


# --- pieces that are alike --------------------------------------------------------------------


def _move_pieces(scope: Scope, written: syntax.MovePieces) -> list[ir.Statement]:
    world = scope.world
    origin = Origin(written.span)
    declaration = world.declared.get(written.component)
    if not isinstance(declaration, syntax.Component):
        if declaration is None:
            raise world.unknown(written.component, written.span)
        raise world.wrong_kind(written.component, written.span, "a component")
    component = component_of(world, written.component)
    if component.distinct:
        world.reporter.error(
            Code.WRONG_KIND,
            f"`{component.name}` are distinct pieces",
            written.span,
            "name the piece: `move t to hand[p]`",
        )
        raise Gone
    if component.owned != (written.owner is not None):
        needs = "an owner" if component.owned else "no owner"
        help = "write `of p` after it" if component.owned else "leave out `of …`"
        world.reporter.error(
            Code.WRONG_COUNT, f"`{component.name}` needs {needs}", written.span, help
        )
        raise Gone
    source = _pieces(scope, written, written.source)
    target = _pieces(scope, written, written.target)
    statements = [*defined(world, source, origin), *defined(world, target, origin)]
    if written.amount is None:
        amount: ir.Expr = ir.Local(scope.fresh("every"), source.sort)
        assert isinstance(amount, ir.Local)
        statements.append(ir.Let(amount.name, source, origin))
    else:
        amount = elaborate(scope, written.amount)
        require_number(world, amount, written.amount.span)
        statements.extend(defined(world, amount, origin))
        if not isinstance(amount, ir.Const | ir.Local):
            local = ir.Local(scope.fresh("amount"), amount.sort)
            statements.append(ir.Let(local.name, amount, origin))
            amount = local
        if amount.sort.low < 0:
            statements.append(
                ir.Oblige(
                    apply(Op.GE, amount, number(0)), Duty.PIECES, "a move goes one way", origin
                )
            )
        statements.append(
            ir.Oblige(
                apply(Op.GE, source, amount, origin=origin),
                Duty.PIECES,
                f"`{source.variable}` must have the pieces that move",
                origin,
            )
        )
    statements.extend(_room(world, component.name, target, amount, origin))
    if source.variable == target.variable and source.indices == target.indices:
        return statements
    left = apply(Op.SUB, source, amount, origin=origin)
    statements.append(ir.Assign(source.variable, source.indices, left, origin))
    arrived = apply(Op.ADD, target, amount, origin=origin)
    fits = in_range(arrived, target.sort, origin)
    if fits is not None:
        statements.append(
            ir.Oblige(fits, Duty.CONSERVED, f"there are only so many `{component.name}`", origin)
        )
    statements.append(ir.Assign(target.variable, target.indices, arrived, origin))
    return statements


def _pieces(scope: Scope, written: syntax.MovePieces, place: syntax.Place) -> ir.Read:
    """The cell of a zone that counts the pieces which a move names."""
    from quarantia_spec.elaborate.declarations import zone_info

    world = scope.world
    declaration = world.declared.get(place.name)
    if not isinstance(declaration, syntax.Zone):
        if declaration is None:
            zones = {n for n, d in world.declared.items() if isinstance(d, syntax.Zone)}
            raise world.unknown(place.name, place.span, zones)
        raise world.wrong_kind(place.name, place.span, "a zone")
    zone = zone_info(world, place.name, declaration)
    holding = zone.holding(written.component)
    if holding is None:
        world.reporter.error(
            Code.WRONG_KIND,
            f"`{zone.name}` does not hold `{written.component}`",
            place.span,
            f"add it: `… {zone.name} … holds {written.component}`",
        )
        raise Gone
    extra: tuple[syntax.Expression, ...] = written.kinds or ()
    if written.owner is not None and holding.owner_index is None:
        extra = (*extra, written.owner)
    cell = pieces_cell(
        scope, Chain(place.name, place.indices or (), written.component, extra, place.span)
    )
    if written.owner is not None and holding.owner_index is not None:
        owner = elaborate(scope, written.owner)
        if owner != cell.indices[holding.owner_index]:
            world.reporter.error(
                Code.TYPE_MISMATCH,
                f"`{place.name}` here holds the pieces of another player",
                place.span,
                "the owner and the index of the zone must be the same",
            )
            raise Gone
    return cell


def _room(
    world: World, component: str, target: ir.Read, amount: ir.Expr, origin: Origin
) -> list[ir.Statement]:
    from quarantia_spec.elaborate.declarations import zone_info

    zone_name = target.variable.removesuffix(f".{component}")
    declaration = world.declared[zone_name]
    assert isinstance(declaration, syntax.Zone)
    zone = zone_info(world, zone_name, declaration)
    holding = zone.holding(component)
    assert holding is not None
    if holding.capacity is None:
        return []
    dimensions = world.defined.dimensions[target.variable]
    fixed = len(zone.dimensions)
    locals_ = tuple(
        ir.Local(f"other_{position}", sort) for position, sort in enumerate(dimensions[fixed:], 1)
    )
    total: ir.Expr = ir.Read(target.variable, (*target.indices[:fixed], *locals_), target.sort)
    for local in reversed(locals_):
        total = fold(FoldOp.SUM, local.name, local.sort, None, total)
    room = apply(Op.LE, apply(Op.ADD, total, amount), number(holding.capacity), origin=origin)
    message = f"`{zone_name}` has room for {holding.capacity} `{component}`"
    return [ir.Oblige(room, Duty.CAPACITY, message, origin)]


# --- distinct pieces --------------------------------------------------------------------------


def zone_target(scope: Scope, place: syntax.Place, component: str | None) -> ZoneReference:
    found = zone_of_chain(scope, chain_of_place(place), component)
    if found is None:
        if place.name in scope.world.declared:
            raise scope.world.wrong_kind(place.name, place.span, "a zone")
        raise scope.world.unknown(place.name, place.span)
    return found


def _place_piece(
    scope: Scope, written: syntax.Expression, place: syntax.Place, where: str, span: Span
) -> list[ir.Statement]:
    from quarantia_spec.elaborate.expressions import _component_name

    world = scope.world
    origin = Origin(span)
    value = elaborate(scope, written)
    component = _component_name(world, value, written.span)
    zone = zone_target(scope, place, component)
    if where and not zone.ordered:
        world.reporter.error(
            Code.WRONG_KIND, f"`{zone.zone}` has no top and no bottom", place.span,
            "declare it as a `pile`",
        )  # fmt: skip
        raise Gone
    sort = world.types[component]
    statements = defined(world, value, origin)
    for asks, message in (
        (in_range(value, sort), "there must be a piece to move"),
        (zone.asks, "the zone must exist"),
    ):
        if asks is not None:
            statements.append(ir.Oblige(asks, Duty.DEFINED, message, origin))
    piece = ir.Local(scope.fresh("piece"), sort)
    statements.append(ir.Let(piece.name, value, origin))
    code = ir.Local(scope.fresh("place"), place_of(world, component, piece).sort)
    statements.append(ir.Let(code.name, _recoded(zone.code, code.sort), origin))
    if zone.capacity is not None:
        other = ir.Local(scope.fresh("other"), sort)
        inside = apply(
            Op.AND, apply(Op.NE, other, piece),
            apply(Op.EQ, place_of(world, component, other), code),
        )  # fmt: skip
        count = fold(FoldOp.COUNT, other.name, sort, None, inside)
        message = f"`{zone.zone}` has room for {zone.capacity} `{component}`"
        statements.append(
            ir.Oblige(apply(Op.LT, count, number(zone.capacity)), Duty.CAPACITY, message, origin)
        )
    if has_ranks(world, component):
        statements.extend(_close_gap(scope, component, piece, origin))
        statements.extend(_new_rank(scope, component, piece, code, where, origin))
    statements.append(ir.Assign(f"{component}.at", (piece,), code, origin))
    return statements


def _recoded(code: ir.Expr, sort: Sort) -> ir.Expr:
    return ir.Const(code.value, sort) if isinstance(code, ir.Const) else code


def has_ranks(world: World, component: str) -> bool:
    from quarantia_spec.elaborate.declarations import zones_of

    return any(zone.ordered for zone in zones_of(world, component))


def _close_gap(scope: Scope, component: str, piece: ir.Local, origin: Origin) -> list[ir.Statement]:
    """When a piece leaves a pile, those beyond it move up: see NOTE(piles)."""
    world = scope.world
    sort = world.types[component]
    was = ir.Local(scope.fresh("was"), place_of(world, component, piece).sort)
    rank = ir.Local(scope.fresh("rank"), rank_of(world, component, piece).sort)
    other = ir.Local(scope.fresh("other"), sort)
    others_rank = rank_of(world, component, other)
    together = apply(Op.EQ, place_of(world, component, other), was)
    under = apply(Op.AND, apply(Op.GT, rank, number(0)), apply(Op.GT, others_rank, rank))
    over = apply(Op.AND, apply(Op.LT, rank, number(0)), apply(Op.LT, others_rank, rank))
    up = ir.Assign(f"{component}.rank", (other,), apply(Op.SUB, others_rank, number(1)), origin)
    down = ir.Assign(f"{component}.rank", (other,), apply(Op.ADD, others_rank, number(1)), origin)
    return [
        ir.Let(was.name, place_of(world, component, piece), origin),
        ir.Let(rank.name, rank_of(world, component, piece), origin),
        ir.If(
            apply(Op.NE, rank, number(0)),
            (
                ir.For(
                    other.name, sort.low, sort.high,
                    (ir.If(together, (ir.If(under, (up,), (ir.If(over, (down,)),)),)),),
                    origin,
                ),
            ),
        ),
    ]  # fmt: skip


def _new_rank(
    scope: Scope, component: str, piece: ir.Local, code: ir.Local, where: str, origin: Origin
) -> list[ir.Statement]:
    world = scope.world
    cell = rank_of(world, component, piece)
    if not where:
        return [ir.Assign(cell.variable, cell.indices, number(0), origin)]
    sort = world.types[component]
    other = ir.Local(scope.fresh("other"), sort)
    inside = apply(
        Op.AND, apply(Op.NE, other, piece), apply(Op.EQ, place_of(world, component, other), code)
    )
    op, sign = (FoldOp.MAX, 1) if where == "under" else (FoldOp.MIN, -1)
    edge = fold(op, other.name, sort, inside, rank_of(world, component, other), number(0))
    beyond = apply(Op.MAX if sign > 0 else Op.MIN, edge, number(0))
    value = apply(Op.ADD, beyond, number(sign))
    fits = in_range(value, cell.sort, origin)
    result: list[ir.Statement] = []
    if fits is not None:
        result.append(
            ir.Oblige(fits, Duty.CONSERVED, "a pile has no more ranks than pieces", origin)
        )
    return [*result, ir.Assign(cell.variable, cell.indices, value, origin)]


def _shuffle(scope: Scope, written: syntax.Shuffle) -> list[ir.Statement]:
    world = scope.world
    origin = Origin(written.span)
    source = zone_target(scope, written.source, None)
    target = source if written.target is None else zone_target(
        scope, written.target, source.component
    )  # fmt: skip
    if not target.ordered:
        world.reporter.error(
            Code.WRONG_KIND, f"`{target.zone}` has no order to shuffle", written.span,
            "declare it as a `pile`",
        )  # fmt: skip
        raise Gone
    component = source.component
    piece = ir.Local(scope.fresh("piece"), world.types[component])
    rank = rank_of(world, component, piece)
    inside = is_in(world, piece, source)
    body: list[ir.Statement] = [ir.Assign(rank.variable, rank.indices, number(0), origin)]
    if target is not source:
        inside = apply(Op.OR, inside, is_in(world, piece, target))
        place = place_of(world, component, piece)
        body.append(
            ir.Assign(place.variable, place.indices, _recoded(target.code, place.sort), origin)
        )
    sort = piece.sort
    loop = ir.For(piece.name, sort.low, sort.high, (ir.If(inside, tuple(body)),), origin)
    obligations: list[ir.Statement] = [
        ir.Oblige(zone.asks, Duty.DEFINED, "the pile must exist", origin)
        for zone in (source, target)
        if zone.asks is not None
    ]
    return [*obligations, loop]


# --- sets and sequences -----------------------------------------------------------------------


def _collect(scope: Scope, written: syntax.Collect) -> list[ir.Statement]:
    world = scope.world
    origin = Origin(written.span)
    place = written.target
    declaration = world.declared.get(place.name)
    if not isinstance(declaration, syntax.State):
        if declaration is None:
            raise world.unknown(place.name, place.span)
        raise world.wrong_kind(place.name, place.span, "a set or a sequence")
    info = state_info(world, place.name, declaration)
    form = "sequence" if written.verb == "append" else "set"
    if info.form != form:
        world.reporter.error(
            Code.WRONG_KIND, f"`{written.verb}` needs a {form}, `{place.name}` is a {info.form}",
            place.span, "sets are for `add` and `remove`, sequences for `append`",
        )  # fmt: skip
        raise Gone
    indices = elaborate_indices(scope, place.name, place.indices or (), info.dimensions, place.span)
    value = elaborate_as(scope, written.value, info.element)
    if form == "set":
        cell = ir.Read(place.name, (*indices, value), ir.BOOLEAN, origin)
        return assign(world, cell, TRUE if written.verb == "add" else FALSE, origin)
    length = ir.Read(f"{place.name}.length", indices, Sort(0, info.limit), origin)
    room = ir.Oblige(
        apply(Op.LT, length, number(info.limit)),
        Duty.CAPACITY,
        f"`{place.name}` has room for {info.limit}",
        origin,
    )
    grown = ir.Local(scope.fresh("length"), Sort(1, info.limit))
    longer = apply(Op.ADD, length, number(1))
    entry = ir.Read(place.name, (*indices, grown), info.element, origin)
    return [
        *defined(world, length, origin),
        room,
        ir.Let(grown.name, longer, origin),
        *assign(world, entry, value, origin),
        ir.Assign(length.variable, indices, grown, origin),
    ]


def _clear(scope: Scope, place: syntax.Place, span: Span) -> list[ir.Statement]:
    world = scope.world
    origin = Origin(span)
    declaration = world.declared.get(place.name)
    if not isinstance(declaration, syntax.State):
        if declaration is None:
            raise world.unknown(place.name, place.span)
        raise world.wrong_kind(place.name, place.span, "a set or a sequence")
    info = state_info(world, place.name, declaration)
    indices = elaborate_indices(scope, place.name, place.indices or (), info.dimensions, place.span)
    if info.form == "cell":
        raise world.wrong_kind(place.name, place.span, "a set or a sequence")
    domain, empty = (
        (info.element, FALSE)
        if info.form == "set"
        else (Sort(1, info.limit), ir.Const(info.element.low, info.element))
    )
    local = ir.Local(scope.fresh("element"), domain)
    statements: list[ir.Statement] = [
        ir.For(
            local.name, domain.low, domain.high,
            (ir.Assign(place.name, (*indices, local), empty, origin),), origin,
        )
    ]  # fmt: skip
    if info.form == "sequence":
        statements.append(ir.Assign(f"{place.name}.length", indices, number(0), origin))
    return [
        *there(world, ir.Read(place.name, (*indices, local), info.element), origin),
        *statements,
    ]
