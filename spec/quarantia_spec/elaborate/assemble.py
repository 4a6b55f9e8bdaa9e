"""The pass itself: declarations in, a `Game` for one number of players out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from quarantia_spec import ir, syntax
from quarantia_spec.diagnostics import Code, Label, Reporter
from quarantia_spec.elaborate.declarations import (
    check_start,
    component_of,
    declare_enumerations,
    declare_place_dimensions,
    make_assumptions,
    make_place_variables,
    make_state_variables,
    make_zone_variables,
    table_of,
    zone_code,
    zone_info,
)
from quarantia_spec.elaborate.examples import example_of, players_of
from quarantia_spec.elaborate.expressions import (
    boolean,
    constant,
    elaborate,
    option_value,
    reason_of,
    require_number,
    sentences,
)
from quarantia_spec.elaborate.flow import FlowBuilder, FlowTooLarge, reachable_nodes
from quarantia_spec.elaborate.rules import rule_of
from quarantia_spec.elaborate.scope import Scope
from quarantia_spec.elaborate.terms import add_sentences, term_of
from quarantia_spec.elaborate.world import LARGEST_POSITION, Gone, World, describe
from quarantia_spec.passages import Passages
from quarantia_spec.source import Span
from quarantia_spec.suggest import closest


def elaborate_game(
    modules: Sequence[syntax.Module],
    passages: Passages,
    players: int | None,
    readings: Mapping[str, str],
    options: Mapping[str, int | str],
    reporter: Reporter,
) -> ir.Game | None:
    """The game that the modules say, base first; None when something was reported.

    Before: every module is well formed. After: every name is bound, every size a number, every
    reading chosen; what ranges cannot guarantee stands as an obligation.
    """
    main = modules[-1]
    declarations = merge(modules, reporter)
    counts, names = _players(declarations, main, passages, reporter)
    if reporter.failed:
        return None
    if players is None:
        players = counts[0]
    if players not in counts:
        reporter.error(
            Code.PLAYER_COUNT,
            f"{main.name} is not a game for {players}",
            main.span,
            f"choose one of {', '.join(str(count) for count in counts)}",
        )
        return None
    world = World(reporter, players, passages, readings, options)
    anonymous: list[syntax.Declaration] = []
    for declaration in declarations:
        name = declared_name(declaration)
        if name is None:
            anonymous.append(declaration)
        else:
            world.declare(name, declaration)
    if reporter.failed:
        return None
    declare_enumerations(world, names[:players])
    for name, declaration in world.declared.items():
        if isinstance(declaration, syntax.Component) and declaration.distinct:
            declare_place_dimensions(world, name)
    return _assemble(world, main, counts, anonymous)


def merge(modules: Sequence[syntax.Module], reporter: Reporter) -> list[syntax.Declaration]:
    """Base first, then what extends it; a replacement stands where the replaced one stood."""
    result: list[syntax.Declaration] = []
    for module in modules:
        inherited = {
            (type(earlier), declared_name(earlier)): position
            for position, earlier in enumerate(result)
        }
        for declaration in module.declarations:
            if not isinstance(declaration, syntax.Replacement):
                result.append(declaration)
                continue
            inner = declaration.declaration
            position = inherited.get((type(inner), declared_name(inner)))
            if position is not None:
                result[position] = inner
                continue
            names = [name for _, name in inherited if name is not None]
            near = closest(declared_name(inner) or "", names)
            reporter.error(
                Code.NOTHING_TO_REPLACE,
                f"the game that this one extends has no `{_shown_name(inner)}` to replace"
                if inherited
                else "`replace` needs a game to extend: this one stands alone",
                declaration.span,
                f"did you mean `{near}`?" if near else "declare it without `replace`",
            )
    return result


def _shown_name(declaration: syntax.Declaration) -> str:
    return declared_name(declaration) or describe(declaration).partition(" ")[2]


def declared_name(declaration: syntax.Declaration) -> str | None:
    match declaration:
        case syntax.Players() | syntax.Outcome() | syntax.Ends() | syntax.Replacement():
            return None
        case syntax.Flow(name=name):
            return name
        case _:
            return declaration.name


def _players(
    declarations: list[syntax.Declaration],
    main: syntax.Module,
    passages: Passages,
    reporter: Reporter,
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    found = [d for d in declarations if isinstance(d, syntax.Players)]
    if len(found) != 1:
        if found:
            reporter.error(
                Code.DUPLICATE_NAME, "the number of players is declared twice", found[1].span,
                "remove one of them",
                (Label(found[0].span, "first declared here"),),
            )  # fmt: skip
        else:
            reporter.error(
                Code.PLAYER_COUNT, "how many can play is not said", main.span,
                "add `players 2..4 named red, blue, green, yellow`",
            )  # fmt: skip
        return (), ()
    declaration = found[0]
    world = World(reporter, 0, passages, {}, {})
    try:
        low = constant(world, declaration.low)
        high = low if declaration.high is None else constant(world, declaration.high)
    except Gone:
        return (), ()
    if not 1 <= low <= high <= 12:
        reporter.error(
            Code.PLAYER_COUNT, f"{low}..{high} players are out of bounds", declaration.span,
            "between 1 and 12 can play",
        )  # fmt: skip
        return (), ()
    names = declaration.names or tuple(f"player_{n}" for n in range(1, high + 1))
    if len(names) < high:
        reporter.error(
            Code.WRONG_COUNT, f"{high} can play, but only {len(names)} are named",
            declaration.span, "name all of them",
        )  # fmt: skip
    world.origin(declaration.span, declaration.cites)
    return tuple(range(low, high + 1)), names


def _assemble(
    world: World,
    main: syntax.Module,
    counts: tuple[int, ...],
    anonymous: list[syntax.Declaration],
) -> ir.Game | None:
    reporter = world.reporter
    options: list[tuple[str, int]] = []
    for name, declaration in world.declared.items():
        try:
            _declaration(world, name, declaration, options)
        except Gone:
            continue
    for name, declaration in world.declared.items():
        if isinstance(declaration, syntax.Term):
            add_sentences(world, name, declaration)
    flow = FlowBuilder(world)
    mains = [d for d in anonymous if isinstance(d, syntax.Flow)]
    if len(mains) != 1:
        place = mains[1].span if mains else main.span
        reporter.error(
            Code.NO_FLOW,
            "the order of play is told twice" if mains else "the order of play is not told",
            place,
            "have one `flow` without a name",
        )
    outcome = _outcome(world, main, anonymous)
    if reporter.failed or outcome is None:
        return None
    try:
        entry = flow.block(Scope(world), mains[0].body)(flow._end())
    except FlowTooLarge:
        return None
    if reporter.failed:
        return None
    nodes, first, where = reachable_nodes(flow.nodes, entry)
    properties, examples = _properties_and_examples(world, flow, where, main, counts)
    ends = _ends(world, flow, anonymous)
    _warn_unused(world, main)
    _check_readings(world, main)
    _check_options(world, main)
    variables = _laid_out(world, {**world.variables, **flow.variables}, main.span)
    if reporter.failed:
        return None
    return ir.Game(
        name=main.name,
        title=main.title.text,
        players=world.players,
        player_counts=counts,
        readings=tuple(sorted(world.readings.items())),
        options=tuple(options),
        enumerations=dict(world.enumerations),
        components=_components(world),
        zones=_zones(world),
        variables=variables,
        tables=tuple(world.tables.values()),
        assumptions=tuple(world.assumptions),
        terms=tuple(world.terms.values()),
        decisions=tuple(flow.decisions.values()),
        chances=tuple(flow.chances.values()),
        nodes=nodes,
        entry=first,
        phases=tuple(flow.phases),
        outcome=outcome,
        properties=properties,
        ends=ends,
        examples=examples,
    )


def _declaration(
    world: World, name: str, declaration: syntax.Declaration, options: list[tuple[str, int]]
) -> None:
    match declaration:
        case syntax.Option():
            value = option_value(world, name, declaration)
            assert isinstance(value, ir.Const)
            options.append((name, value.value))
        case syntax.State():
            make_state_variables(world, name, declaration)
        case syntax.Component():
            component_of(world, name)
            if declaration.distinct:
                make_place_variables(world, name, declaration)
            else:
                check_start(world, name, declaration)
        case syntax.Zone():
            make_zone_variables(world, name, declaration)
        case syntax.Table():
            table_of(world, name, declaration)
        case syntax.Given():
            table_of(world, name, declaration)
            make_assumptions(world, name, declaration)
        case syntax.Term():
            term_of(world, name, declaration, declaration.span)
        case syntax.Rule():
            rule_of(world, name, declaration)
        case syntax.TypeDeclaration():
            from quarantia_spec.elaborate.sorts import sort_of

            sort_of(world, syntax.NamedSort(name, declaration.span))
            world.origin(declaration.span, declaration.cites)
        case _:
            pass


def _outcome(
    world: World, main: syntax.Module, anonymous: list[syntax.Declaration]
) -> ir.Outcome | None:
    found = [d for d in anonymous if isinstance(d, syntax.Outcome)]
    if len(found) != 1:
        world.reporter.error(
            Code.NO_FLOW,
            "the outcome is told twice" if found else "who wins is not told",
            found[1].span if found else main.span,
            "have one `outcome` with a `winner p: …` line",
        )
        return None
    declaration = found[0]
    world.must_cite("the outcome", declaration.span, declaration.cites)
    player = "player"
    winner: ir.Expr | None = None
    score: ir.Expr | None = None
    for item in declaration.items:
        if isinstance(item, syntax.Say):
            continue
        scope = Scope(world)
        scope.names[item.player] = ir.Local(player, world.types["Player"])
        scope.taken.add(player)
        try:
            if item.word == "winner":
                winner = boolean(scope, item.value)
            else:
                score = elaborate(scope, item.value)
                require_number(world, score, item.value.span)
        except Gone:
            return None
    if winner is None:
        world.reporter.error(
            Code.NO_FLOW, "who wins is not told", declaration.span, "add a `winner p: …` line"
        )
        return None
    says = tuple(item for item in declaration.items if isinstance(item, syntax.Say))
    return ir.Outcome(
        player,
        winner,
        score,
        sentences(Scope(world), says, declaration.span),
        world.origin(declaration.span, declaration.cites),
    )


def _properties_and_examples(
    world: World,
    flow: FlowBuilder,
    where: dict[int, int],
    main: syntax.Module,
    counts: tuple[int, ...],
) -> tuple[tuple[ir.Property, ...], tuple[ir.Example, ...]]:
    properties, examples = [], []
    for declaration in world.declared.values():
        try:
            if isinstance(declaration, syntax.Property):
                scope = Scope(world)
                if declaration.kind == "hint":  # a proof may need to know how far a loop has come
                    flow.name_variables(scope)
                condition = boolean(scope, declaration.condition)
                properties.append(
                    ir.Property(
                        ir.PropertyKind(declaration.kind),
                        declaration.name,
                        condition,
                        sentences(Scope(world), declaration.says, declaration.span),
                        world.origin(declaration.span, declaration.cites),
                    )
                )
            elif isinstance(declaration, syntax.Example):
                count = players_of(declaration)
                own = declaration.span.file == main.span.file  # a variant may drop a number
                if own and count not in (None, *counts):
                    world.reporter.error(
                        Code.PLAYER_COUNT, f"the game is never played by {count}",
                        declaration.span, f"choose one of {', '.join(map(str, counts))}",
                    )  # fmt: skip
                elif count in (None, world.players):
                    examples.append(example_of(world, flow, where, declaration))
        except Gone:
            continue
    return tuple(properties), tuple(examples)


def _ends(world: World, flow: FlowBuilder, anonymous: list[syntax.Declaration]) -> ir.Ends | None:
    found = [d for d in anonymous if isinstance(d, syntax.Ends)]
    if not found:
        return None
    declaration = found[0]
    if len(found) > 1:
        world.reporter.error(
            Code.DUPLICATE_NAME, "why play ends is told twice", found[1].span,
            "put the numbers into one `ends by`, the slowest first",
            (Label(declaration.span, "first told here"),),
        )  # fmt: skip
    scope = Scope(world)
    for name, variable in flow.variables.items():
        if variable.role is ir.Role.FLOW:
            scope.names.setdefault(name, ir.Read(name, (), variable.sort))
    try:
        measure = []
        for part in declaration.measure:
            value = elaborate(scope, part)
            if value.sort.boolean or value.sort.optional:
                require_number(world, value, part.span)
            measure.append(value)
    except Gone:
        return None
    return ir.Ends(
        tuple(measure),
        reason_of(declaration.because),
        world.origin(declaration.span, declaration.cites),
    )


def _warn_unused(world: World, main: syntax.Module) -> None:
    """A variant may well do without some rules of the game that it extends."""
    for name, declaration in world.declared.items():
        if declaration.span.file != main.span.file:
            continue
        if isinstance(declaration, syntax.Rule) and name not in world.rules_used:
            world.reporter.warn(
                Code.UNUSED_RULE,
                f"the flow never uses the {declaration.kind} `{name}`",
                declaration.span,
                "offer it in the flow, or remove it",
            )


def _check_readings(world: World, main: syntax.Module) -> None:
    for key in world.readings:
        if key in world.used_readings:
            continue
        known: dict[str, list[str]] = {}
        for term in world.terms.values():
            known[term.name] = [clause.name for clause in term.clauses]
            for clause in term.clauses:
                known[f"{term.name}.{clause.name}"] = [r.name for r in clause.readings]
        if key in known:
            help = f"choose one of {', '.join(known[key])}"
        else:
            near = closest(key, known)
            help = f"did you mean `{near}`?" if near else "name it as term.clause=reading"
        world.reporter.error(
            Code.UNKNOWN_READING,
            f"there is no reading `{world.readings[key]}` of `{key}`",
            main.span,
            help,
        )


def _check_options(world: World, main: syntax.Module) -> None:
    known = [n for n, d in world.declared.items() if isinstance(d, syntax.Option)]
    for name in world.option_values:
        if name not in known:
            near = closest(name, known)
            world.reporter.error(
                Code.UNKNOWN_OPTION,
                f"there is no option `{name}`",
                main.span,
                f"did you mean `{near}`?"
                if near
                else f"there are {', '.join(known)}"
                if known
                else "this game has no options",
            )


def _laid_out(
    world: World, variables: dict[str, ir.Variable], span: Span
) -> tuple[ir.Variable, ...]:
    offset = 1
    result = []
    for variable in variables.values():
        result.append(replace(variable, offset=offset))
        offset += variable.cells
    if offset > LARGEST_POSITION:
        world.reporter.error(
            Code.TOO_MANY_VALUES,
            f"a position would have {offset:,} cells",
            span,
            f"it may have {LARGEST_POSITION:,}: use smaller types",
        )
    return tuple(result)


def _components(world: World) -> tuple[ir.Component, ...]:
    result = []
    for name, declaration in world.declared.items():
        if isinstance(declaration, syntax.Component):
            info = component_of(world, name)
            result.append(
                ir.Component(
                    name,
                    info.distinct,
                    info.owned,
                    info.kinds,
                    info.total,
                    world.origin(declaration.span, declaration.cites),
                )
            )
    return tuple(result)


def _zones(world: World) -> tuple[ir.Zone, ...]:
    result = []
    for name, declaration in world.declared.items():
        if isinstance(declaration, syntax.Zone):
            info = zone_info(world, name, declaration)
            distinct = [h for h in info.holdings if component_of(world, h.component).distinct]
            result.append(
                ir.Zone(
                    name,
                    info.dimensions,
                    info.index_names,
                    tuple(h.component for h in info.holdings),
                    info.ordered,
                    tuple((h.component, zone_code(world, h.component, name)) for h in distinct),
                    world.origin(declaration.span, declaration.cites),
                )
            )
    return tuple(result)
