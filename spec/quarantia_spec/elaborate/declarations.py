"""Types, components, zones, states, tables and given data."""

from __future__ import annotations

from math import prod

from quarantia_spec import ir, syntax
from quarantia_spec.defined import reads_position
from quarantia_spec.diagnostics import Code, Label
from quarantia_spec.elaborate.expressions import constant, elaborate_as, reason_of, sentences
from quarantia_spec.elaborate.scope import Scope
from quarantia_spec.elaborate.sorts import domain_sort, sort_of
from quarantia_spec.elaborate.world import (
    LARGEST_DOMAIN,
    LARGEST_TABLE,
    ComponentInfo,
    Gone,
    HoldingInfo,
    StateInfo,
    World,
    ZoneInfo,
)
from quarantia_spec.ir import Op
from quarantia_spec.ops import FALSE, TRUE, apply, conjunction, number
from quarantia_spec.source import Span

# --- enumerations -----------------------------------------------------------------------------


def declare_enumerations(world: World, player_names: tuple[str, ...]) -> None:
    """Give every member its value. A type named among the alternatives of another is part of it."""
    parts: dict[str, tuple[str, ...]] = {}
    spans: dict[str, Span] = {}
    for name, declaration in world.declared.items():
        match declaration:
            case syntax.TypeDeclaration(alternatives=alternatives) if alternatives:
                parts[name] = alternatives
                spans[name] = declaration.span
            case syntax.Component(distinct=True):
                spans[name] = declaration.span
                parts[name] = declaration.members or distinct_members(world, declaration)
            case _:
                pass
    parts["Player"] = player_names
    spans["Player"] = Span("<players>", 1, 1, 1, 1)
    parent: dict[str, str] = {}
    for name, alternatives in list(parts.items()):
        for alternative in alternatives:
            if alternative not in parts:
                continue
            if alternative in parent:
                world.reporter.error(
                    Code.TWO_UNIONS,
                    f"`{alternative}` is part of both `{parent[alternative]}` and `{name}`",
                    spans[name],
                    "a type can be part of one union only: nest the unions",
                    (Label(spans[parent[alternative]], "part of this already"),),
                )
                parts[name] = tuple(part for part in parts[name] if part != alternative)
            else:
                parent[alternative] = name
    for name in parts:
        if name not in parent:
            _number_members(world, name, name, parts, spans, [])
    for name in parts:
        if name not in world.types:
            world.reporter.error(
                Code.CIRCULAR,
                f"`{name}` is part of itself",
                spans[name],
                "take it out of its parts",
            )
            world.types[name] = ir.Sort(0, 0, name)
    if world.types["Player"].low != 0:
        world.reporter.error(
            Code.TWO_UNIONS,
            f"`Player` must come first in `{world.types['Player'].names}`",
            spans[world.types["Player"].names],
            "write `Player` as the first alternative",
        )
    world.enumerations["Player"] = player_names


def distinct_members(world: World, declaration: syntax.Component) -> tuple[str, ...]:
    assert declaration.count is not None
    try:
        count = constant(world, declaration.count)
    except Gone:
        count = 1
    if not 1 <= count <= LARGEST_DOMAIN:
        too_many(world, count, declaration.span)
        count = 1
    return tuple(f"{declaration.name}_{index}" for index in range(1, count + 1))


def too_many(world: World, count: int, span: Span) -> None:
    world.reporter.error(
        Code.TOO_MANY_VALUES,
        f"{count:,} values are out of bounds",
        span,
        f"a type has between 1 and {LARGEST_DOMAIN:,} values",
    )


def _number_members(
    world: World,
    root: str,
    name: str,
    parts: dict[str, tuple[str, ...]],
    spans: dict[str, Span],
    collected: list[str],
) -> None:
    low = len(collected)
    for alternative in parts[name]:
        if alternative in parts:
            _number_members(world, root, alternative, parts, spans, collected)
            continue
        value = len(collected)
        earlier = world.declared.get(alternative)
        if alternative in world.members:
            world.reporter.error(
                Code.DUPLICATE_NAME,
                f"`{alternative}` is a member of two types",
                spans[name],
                "give one of them another name, or make one type part of the other",
            )
        elif earlier is not None:
            world.duplicate(alternative, spans[name], earlier.span)
        world.members[alternative] = ir.Const(value, ir.Sort(value, value, root))
        collected.append(alternative)
    world.types[name] = ir.Sort(low, len(collected) - 1, root)
    if name == root:
        world.enumerations[root] = tuple(collected)


# --- states -----------------------------------------------------------------------------------


def declare_indices(
    world: World, indices: tuple[syntax.Index, ...]
) -> tuple[Scope, tuple[ir.Sort, ...], tuple[str, ...]]:
    """A scope that knows the index names; anonymous ones get names that cannot be written."""
    scope = Scope(world)
    sorts, names = [], []
    for position, index in enumerate(indices, 1):
        sort = domain_sort(world, index.sort)
        local = scope.bind(index.name or f"index_{position}", sort, index.span)
        sorts.append(sort)
        names.append(local.name)
        if prod(each.size for each in sorts) > LARGEST_TABLE:
            world.reporter.error(
                Code.TOO_MANY_VALUES,
                f"these indices have {prod(each.size for each in sorts):,} combinations",
                index.span,
                f"they may have {LARGEST_TABLE:,}: use smaller types",
            )
            raise Gone
    return scope, tuple(sorts), tuple(names)


def state_info(world: World, name: str, declaration: syntax.State) -> StateInfo:
    def make() -> StateInfo:
        _, dimensions, _ = declare_indices(world, declaration.indices)
        limit = 0
        match declaration.sort:
            case syntax.SetSort(element=element):
                form, sort = "set", sort_of(world, element)
            case syntax.SequenceSort(element=element, limit=bound):
                form, sort = "sequence", sort_of(world, element)
                limit = constant(world, bound)
                if not 1 <= limit <= LARGEST_DOMAIN:
                    too_many(world, limit, bound.span)
                    raise Gone
            case plain:
                form, sort = "cell", sort_of(world, plain)
        info = StateInfo(name, form, dimensions, sort, limit, declaration.span)
        if form == "set":
            world.defined.dimensions[name] = (*dimensions, sort)
        elif form == "sequence":
            world.defined.dimensions[name] = (*dimensions, ir.Sort(1, limit))
            world.defined.dimensions[f"{name}.length"] = dimensions
        else:
            world.defined.dimensions[name] = dimensions
        return info

    return world.once("state", name, declaration.span, make)


def make_state_variables(world: World, name: str, declaration: syntax.State) -> None:
    info = state_info(world, name, declaration)
    scope, dimensions, names = declare_indices(world, declaration.indices)
    origin = world.origin(declaration.span, declaration.cites)
    visible = visibility(world, scope, declaration.visibility)

    def add(
        variable: str,
        dims: tuple[ir.Sort, ...],
        index_names: tuple[str, ...],
        sort: ir.Sort,
        initial: ir.Expr,
    ) -> None:
        world.variables[variable] = ir.Variable(
            variable, dims, index_names, sort, initial, visible, ir.Role.STATE, 0, origin
        )

    if info.form == "cell":
        initial = initial_value(world, scope, declaration, info.element)
        add(name, dimensions, names, info.element, initial)
        return
    if declaration.initial is not None:
        world.reporter.error(
            Code.MISPLACED,
            f"a {info.form} starts empty",
            declaration.initial.span,
            "fill it in a step at the start of the flow",
        )
    if info.form == "set":
        element = scope.fresh("element")
        add(name, (*dimensions, info.element), (*names, element), ir.BOOLEAN, FALSE)
    else:
        position = scope.fresh("position")
        first = ir.Const(info.element.low, info.element)
        add(name, (*dimensions, ir.Sort(1, info.limit)), (*names, position), info.element, first)
        add(f"{name}.length", dimensions, names, ir.Sort(0, info.limit), number(0))


def initial_value(world: World, scope: Scope, declaration: syntax.State, sort: ir.Sort) -> ir.Expr:
    if declaration.initial is not None:
        value = elaborate_as(scope, declaration.initial, sort)
        check_fits(world, value, sort, declaration.initial.span)
        if reads_position(value):
            world.reporter.error(
                Code.NOT_CONSTANT, "there is no position yet to read from",
                declaration.initial.span, "use tables and given data, or set it in the flow",
            )  # fmt: skip
            raise Gone
        return value
    if sort.optional or sort.boolean:
        return ir.Const(sort.low, sort)
    if sort.low <= 0 <= sort.high and not sort.names:
        return ir.Const(0, sort)
    world.reporter.error(
        Code.NO_DEFAULT,
        f"`{declaration.name}` needs a value to start with",
        declaration.span,
        "write `= …` after its type",
    )
    return ir.Const(sort.low, sort)


def check_fits(world: World, value: ir.Expr, sort: ir.Sort, span: Span) -> None:
    """Report a value that cannot fit: its whole range lies outside."""
    if value.sort.low > sort.high or value.sort.high < sort.low:
        names = world.enumerations.get(sort.names)
        member = names[value.value] if names and isinstance(value, ir.Const) else ""
        world.reporter.error(
            Code.OUT_OF_RANGE,
            f"`{member}` cannot stand here"
            if member
            else f"{range_text(value.sort)} does not fit in {range_text(sort)}",
            span,
            "widen the range of the target, or correct the value",
        )


def range_text(sort: ir.Sort) -> str:
    return str(sort.low) if sort.low == sort.high else f"{sort.low}..{sort.high}"


def visibility(world: World, scope: Scope, declared: syntax.Visibility | None) -> ir.Expr | None:
    """Who sees a cell, as a condition on the local `viewer`; None: everyone."""
    if declared is None or declared.kind == "all":
        return None
    if declared.kind == "hidden":
        return FALSE
    viewer = ir.Local("viewer", world.types["Player"])
    if declared.kind == "by":
        owner = scope.names.get(declared.name)
        if owner is None:
            raise world.unknown(declared.name, declared.span, set(scope.names))
        return apply(Op.EQ, viewer, owner)
    assert declared.condition is not None
    inner = scope.child()
    inner.names["viewer"] = viewer
    return elaborate_as(inner, declared.condition, ir.BOOLEAN)


# --- pieces and zones -------------------------------------------------------------------------


def component_info(world: World, name: str, declaration: syntax.Component) -> ComponentInfo:
    def make() -> ComponentInfo:
        if declaration.distinct:
            if declaration.indices:
                world.reporter.error(
                    Code.MISPLACED, "distinct pieces have no kinds", declaration.indices[0].span,
                    f"say what is printed on each with a table: `table kind[x: {name}]: …`",
                )  # fmt: skip
                raise Gone
            size = world.types[name].size
            return ComponentInfo(
                name, True, False, (), (), 1, size, declaration.zone, declaration.span
            )
        scope, kinds, kind_names = declare_indices(world, declaration.indices)
        assert declaration.count is not None
        counts = kind_counts(world, scope, kinds, kind_names, declaration.count)
        owners = world.players if declaration.per_player else 1
        for count in counts:
            if not 0 <= count <= LARGEST_DOMAIN:
                too_many(world, count, declaration.count.span)
                raise Gone
        return ComponentInfo(
            name,
            False,
            declaration.per_player,
            kinds,
            kind_names,
            max(counts),
            sum(counts) * owners,
            declaration.zone,
            declaration.span,
        )

    return world.once("component", name, declaration.span, make)


def kind_counts(
    world: World,
    scope: Scope,
    kinds: tuple[ir.Sort, ...],
    kind_names: tuple[str, ...],
    count: syntax.Expression,
) -> list[int]:
    """How many pieces of each kind there are, in row-major order."""
    if not kinds:
        return [constant(world, count)]
    counts = []
    combinations: list[tuple[int, ...]] = [()]
    for sort in kinds:
        combinations = [
            (*combination, value)
            for combination in combinations
            for value in range(sort.low, sort.high + 1)
        ]
    written = [name for name, local in scope.names.items() if isinstance(local, ir.Local)]
    for combination in combinations:
        inner = Scope(world)
        for name, value, sort in zip(written, combination, kinds, strict=True):
            inner.names[name] = ir.Const(value, ir.Sort(value, value, sort.names))
        counts.append(constant(world, count, inner))
    return counts


def zone_info(world: World, name: str, declaration: syntax.Zone) -> ZoneInfo:
    def make() -> ZoneInfo:
        scope, dimensions, index_names = declare_indices(world, declaration.indices)
        holdings: list[HoldingInfo] = []
        for holding in declaration.holdings:
            component = world.declared.get(holding.component)
            if not isinstance(component, syntax.Component):
                if component is None:
                    raise world.unknown(
                        holding.component,
                        holding.span,
                        {n for n, d in world.declared.items() if isinstance(d, syntax.Component)},
                    )
                raise world.wrong_kind(holding.component, holding.span, "a component")
            owner_index = None
            if holding.owner is not None:
                local = scope.names.get(holding.owner)
                if not isinstance(local, ir.Local):
                    raise world.unknown(holding.owner, holding.span, set(scope.names))
                owner_index = index_names.index(local.name)
                if not component.per_player or dimensions[owner_index] != world.types["Player"]:
                    world.reporter.error(
                        Code.TYPE_MISMATCH,
                        f"`{holding.component}` has no owner that `{holding.owner}` could be",
                        holding.span,
                        "`of` goes with pieces that are so many per player, and a Player index",
                    )
                    raise Gone
            if declaration.kind == "pile" and not component.distinct:
                world.reporter.error(
                    Code.TYPE_MISMATCH,
                    f"a pile holds distinct pieces, but `{holding.component}` are all alike",
                    holding.span,
                    "use a zone, or declare the component distinct",
                )
                raise Gone
            if any(known.component == holding.component for known in holdings):
                world.reporter.error(
                    Code.DUPLICATE_NAME, f"`{name}` holds `{holding.component}` twice",
                    holding.span, "name each component once",
                )  # fmt: skip
                raise Gone
            capacity = None if holding.capacity is None else constant(world, holding.capacity)
            holdings.append(HoldingInfo(holding.component, owner_index, capacity))
        info = ZoneInfo(
            name,
            declaration.kind == "pile",
            dimensions,
            index_names,
            tuple(holdings),
            declaration.visibility,
            declaration.span,
        )
        for entry in info.holdings:
            component_declaration = world.declared[entry.component]
            assert isinstance(component_declaration, syntax.Component)
            if not component_declaration.distinct:
                world.defined.dimensions[f"{name}.{entry.component}"] = pieces_dimensions(
                    world, info, entry
                )
        return info

    return world.once("zone", name, declaration.span, make)


def pieces_dimensions(world: World, zone: ZoneInfo, holding: HoldingInfo) -> tuple[ir.Sort, ...]:
    """Dimensions of the cells that count a component in a zone: zone, kinds, owner."""
    component = component_of(world, holding.component)
    owner = (world.types["Player"],) if component.owned and holding.owner_index is None else ()
    return (*zone.dimensions, *component.kinds, *owner)


def component_of(world: World, name: str) -> ComponentInfo:
    declaration = world.declared[name]
    assert isinstance(declaration, syntax.Component)
    return component_info(world, name, declaration)


def check_start(world: World, name: str, declaration: syntax.Component) -> None:
    """Like pieces begin somewhere, too, and there is room for them."""
    zone = declaration.zone
    if zone is None:
        world.reporter.error(
            Code.NO_DEFAULT, f"`{name}` has no place to start in", declaration.span,
            "write `in ZONE` after the number, and a zone that holds it",
        )  # fmt: skip
        raise Gone
    found = world.declared.get(zone)
    if found is None:
        zones = {n for n, d in world.declared.items() if isinstance(d, syntax.Zone)}
        raise world.unknown(zone, declaration.span, zones)
    if not isinstance(found, syntax.Zone):
        raise world.wrong_kind(zone, declaration.span, "a zone")
    holding = zone_info(world, zone, found).holding(name)
    if holding is None:
        world.reporter.error(
            Code.WRONG_KIND, f"`{name}` starts in `{zone}`, which does not hold it",
            declaration.span, f"add it: `… {zone} … holds {name}`",
            (Label(found.span, "declared here"),),
        )  # fmt: skip
        raise Gone
    info = component_of(world, name)
    owners = world.players if info.owned and holding.owner_index is not None else 1
    if holding.capacity is not None and info.total > holding.capacity * owners:
        world.reporter.error(
            Code.OUT_OF_RANGE, f"`{zone}` has room for {holding.capacity} `{name}` only",
            declaration.span, "start in a zone with room for all, and move them in a set-up step",
            (Label(found.span, "declared here"),),
        )  # fmt: skip
        raise Gone


def zones_of(world: World, component: str) -> list[ZoneInfo]:
    """The zones that hold a component, in the order written."""
    found = []
    for name, declaration in world.declared.items():
        if isinstance(declaration, syntax.Zone) and any(
            holding.component == component for holding in declaration.holdings
        ):
            found.append(zone_info(world, name, declaration))
    return found


def zone_code(world: World, component: str, zone: str) -> int:
    """The code of a zone's first instance in the cells of `COMPONENT.at`."""
    code = 0
    for info in zones_of(world, component):
        if info.name == zone:
            return code
        code += info.instances
    raise AssertionError(f"{zone} does not hold {component}")


def make_zone_variables(world: World, name: str, declaration: syntax.Zone) -> None:
    """The cells that count fungible pieces in a zone."""
    info = zone_info(world, name, declaration)
    origin = world.origin(declaration.span, declaration.cites)
    for holding in info.holdings:
        component = component_of(world, holding.component)
        if component.distinct:
            continue
        scope, _, index_names = declare_indices(world, declaration.indices)
        names = list(index_names)
        for kind_name, sort in zip(component.kind_names, component.kinds, strict=True):
            names.append(scope.fresh(kind_name))
            scope.names[kind_name] = ir.Local(names[-1], sort)
        if component.owned and holding.owner_index is None:
            names.append(scope.fresh("owner"))
        most = component.most
        if holding.capacity is not None:
            most = min(most, holding.capacity)
        world.variables[f"{name}.{component.name}"] = ir.Variable(
            f"{name}.{component.name}",
            pieces_dimensions(world, info, holding),
            tuple(names),
            ir.Sort(0, most),
            _initial_pieces(world, info, holding, component, scope),
            visibility(world, scope, info.visibility),
            ir.Role.PIECES,
            0,
            origin,
        )


def _initial_pieces(
    world: World, zone: ZoneInfo, holding: HoldingInfo, component: ComponentInfo, scope: Scope
) -> ir.Expr:
    if component.zone != zone.name:
        return number(0)
    free = [i for i in range(len(zone.dimensions)) if i != holding.owner_index]
    if free:
        world.reporter.error(
            Code.WRONG_KIND,
            f"`{component.name}` cannot start in `{zone.name}`: there are several of them",
            component.span,
            "start in a zone without other indices and move the pieces in a set-up step",
        )
        raise Gone
    declaration = world.declared[component.name]
    assert isinstance(declaration, syntax.Component) and declaration.count is not None
    return elaborate_as(scope, declaration.count, ir.Sort(0, component.most))


def make_place_variables(world: World, name: str, declaration: syntax.Component) -> None:
    """Where each distinct piece is, and its rank in a pile."""
    zones = zones_of(world, name)
    sort = world.types[name]
    if declaration.zone is None or not zones:
        world.reporter.error(
            Code.NO_DEFAULT,
            f"`{name}` has no place to start in",
            declaration.span,
            "write `in ZONE` after the number, and a zone that holds it",
        )
        raise Gone
    start = next((zone for zone in zones if zone.name == declaration.zone), None)
    if start is None:
        raise world.unknown(declaration.zone, declaration.span, {zone.name for zone in zones})
    if start.instances != 1:
        world.reporter.error(
            Code.WRONG_KIND,
            f"`{name}` cannot start in `{start.name}`: there are several of them",
            declaration.span,
            "start in a zone without indices and move the pieces in a set-up step",
        )
        raise Gone
    places_there_are = sum(zone.instances for zone in zones)
    if places_there_are > LARGEST_DOMAIN:
        world.reporter.error(
            Code.TOO_MANY_VALUES,
            f"a `{name}` can be in {places_there_are:,} places",
            declaration.span,
            f"there may be {LARGEST_DOMAIN:,}: use smaller types as indices of its zones",
        )
        raise Gone
    labels: list[str] = []
    for zone in zones:
        labels.extend(_instance_labels(world, zone))
    enumeration = f"{name}.at"
    world.enumerations[enumeration] = tuple(labels)
    piece = ir.Local("piece", sort)
    places = ir.Sort(0, len(labels) - 1, enumeration)
    origin = world.origin(declaration.span, declaration.cites)
    at_piece = ir.Read(f"{name}.at", (piece,), places)
    visible = _place_visibility(world, name, zones, at_piece)
    world.variables[f"{name}.at"] = ir.Variable(
        f"{name}.at",
        (sort,),
        ("piece",),
        places,
        ir.Const(zone_code(world, name, start.name), places),
        visible,
        ir.Role.PLACE,
        0,
        origin,
    )
    if any(zone.ordered for zone in zones):
        world.variables[f"{name}.rank"] = ir.Variable(
            f"{name}.rank",
            (sort,),
            ("piece",),
            ir.Sort(-sort.size, sort.size),
            number(0),
            visible,
            ir.Role.PLACE,
            0,
            origin,
        )


def declare_place_dimensions(world: World, name: str) -> None:
    world.defined.dimensions[f"{name}.at"] = (world.types[name],)
    world.defined.dimensions[f"{name}.rank"] = (world.types[name],)


def _instance_labels(world: World, zone: ZoneInfo) -> list[str]:
    labels = [""]
    for sort in zone.dimensions:
        names = world.enumerations.get(sort.names)
        labels = [
            f"{label}, {names[value] if names else value}"
            if label
            else f"{names[value] if names else value}"
            for label in labels
            for value in range(sort.low, sort.high + 1)
        ]
    return [f"{zone.name}[{label}]" if label else zone.name for label in labels]


def _place_visibility(
    world: World, component: str, zones: list[ZoneInfo], at_piece: ir.Expr
) -> ir.Expr | None:
    """A piece is seen where its zone is seen."""
    if all(zone.visibility is None or zone.visibility.kind == "all" for zone in zones):
        return None
    result: ir.Expr = FALSE
    for zone in zones:
        first = zone_code(world, component, zone.name)
        combinations: list[tuple[int, ...]] = [()]
        for sort in zone.dimensions:
            combinations = [(*c, v) for c in combinations for v in range(sort.low, sort.high + 1)]
        declaration = world.declared[zone.name]
        assert isinstance(declaration, syntax.Zone)
        for offset, combination in enumerate(combinations):
            scope = Scope(world)
            for index, value, sort in zip(
                declaration.indices, combination, zone.dimensions, strict=True
            ):
                if index.name is not None:
                    scope.names[index.name] = ir.Const(value, ir.Sort(value, value, sort.names))
            seen = visibility(world, scope, zone.visibility)
            here = conjunction(
                apply(Op.EQ, at_piece, number(first + offset)), TRUE if seen is None else seen
            )
            assert here is not None
            result = apply(Op.OR, result, here)
    return result


# --- tables -----------------------------------------------------------------------------------


def table_of(world: World, name: str, declaration: syntax.Table | syntax.Given) -> ir.Table:
    def make() -> ir.Table:
        _, dimensions, names = declare_indices(world, declaration.indices)
        sort = sort_of(world, declaration.sort)
        cells = 1
        for dimension in dimensions:
            cells *= dimension.size
        kind = "given data" if isinstance(declaration, syntax.Given) else "table"
        world.must_cite(f"{kind} `{name}`", declaration.span, declaration.cites)
        origin = world.origin(declaration.span, declaration.cites)
        world.defined.dimensions[name] = dimensions
        if isinstance(declaration, syntax.Given):
            says = [item for item in declaration.items if isinstance(item, syntax.Say)]
            return ir.Table(
                name, dimensions, names, sort, None,
                sentences(Scope(world), tuple(says), declaration.span), origin,
            )  # fmt: skip
        values = []
        if len(declaration.values) != cells:
            world.reporter.error(
                Code.WRONG_COUNT,
                f"`{name}` has {cells} entries, but {len(declaration.values)} are listed",
                declaration.span,
                "list one value for each entry, the last index running fastest",
            )
            raise Gone
        for value in declaration.values:
            found = elaborate_as(Scope(world), value, sort)
            if not isinstance(found, ir.Const):
                world.reporter.error(
                    Code.NOT_CONSTANT, "an entry of a table must be a constant", value.span,
                    "write a value, or make it a term, which may read the position",
                )  # fmt: skip
                raise Gone
            check_fits(world, found, sort, value.span)
            values.append(found.value)
        return ir.Table(
            name, dimensions, names, sort, tuple(values),
            sentences(Scope(world), declaration.says, declaration.span), origin,
        )  # fmt: skip

    table = world.once("table", name, declaration.span, make)
    world.tables[name] = table
    return table


def make_assumptions(world: World, name: str, declaration: syntax.Given) -> None:
    for item in declaration.items:
        if not isinstance(item, syntax.SuchThat):
            continue
        condition = elaborate_as(Scope(world), item.condition, ir.BOOLEAN)
        world.assumptions.append(
            ir.Assumption(
                name,
                condition,
                reason_of(item.because),
                world.origin(item.span, item.cites or declaration.cites),
            )
        )
