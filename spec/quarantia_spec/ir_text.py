"""The IR as compact canonical text: what `quarantia ir` prints and golden tests compare.

One line for each thing that has a meaning, in the order of `ir.Game`; origins and sentences are
left out. Start at `game_text`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from quarantia_spec import ir
from quarantia_spec.wording import value_text, worded


def game_text(game: ir.Game) -> str:
    """The whole game, ending in a newline."""
    return "".join(f"{line}\n" for line in _lines(game))


def _lines(game: ir.Game) -> Iterator[str]:
    yield f"game {game.name}, {game.players} players, {game.cells} cells"
    for clause, reading in game.readings:
        yield f"reading {clause} = {reading}"
    for option, value in game.options:
        yield f"option {option} = {value}"
    for name, members in game.enumerations.items():
        yield f"enumeration {name} = {' | '.join(members)}"
    for component in game.components:
        kind = "distinct " if component.distinct else ""
        yield f"component {component.name}: {kind}{component.total}"
    for zone in game.zones:
        word = "pile" if zone.ordered else "zone"
        yield f"{word} {zone.name}{_dimensions(zone.dimensions)} holds {', '.join(zone.holds)}"
    for variable in game.variables:
        yield (
            f"variable {variable.name}{_named(variable.index_names, variable.dimensions)}: "
            f"{sort_text(variable.sort)} at {variable.offset} = {worded(game, variable.initial)}"
            + ("" if variable.visible is None else f" seen if {worded(game, variable.visible)}")
        )
    for table in game.tables:
        values = "given"
        if table.values is not None:
            values = ", ".join(value_text(game, table.sort, value) for value in table.values)
        head = f"table {table.name}{_named(table.index_names, table.dimensions)}"
        yield f"{head}: {sort_text(table.sort)} = {values}"
    for assumption in game.assumptions:
        yield f"assume {worded(game, assumption.condition)}"
    for term in game.terms:
        yield from _term(game, term)
    for decision in game.decisions:
        secret = " in secret" if decision.secret else ""
        yield f"decision {_head(decision)} by {decision.actor}{secret}"
        yield from _guards(game, decision.guards)
        yield from _block(game, decision.body, 1)
    for chance in game.chances:
        weight = "" if chance.weight is None else f" weight {worded(game, chance.weight)}"
        yield f"chance {_head(chance)}{weight}"
        yield from _guards(game, chance.guards)
        yield from _block(game, chance.body, 1)
    yield f"entry {game.entry}"
    for node in game.nodes:
        yield from _node(game, node)
    score = "" if game.outcome.score is None else f", score {worded(game, game.outcome.score)}"
    yield f"outcome {game.outcome.player}: winner {worded(game, game.outcome.winner)}{score}"
    for each in game.properties:
        yield f"{each.kind.value} {each.name}: {worded(game, each.condition)}"
    if game.ends is not None:
        measure = ", ".join(worded(game, part) for part in game.ends.measure)
        yield f"ends by {measure}" if measure else "ends never"
    for example in game.examples:
        yield from _example(game, example)


def sort_text(sort: ir.Sort) -> str:
    if sort.boolean:
        text = "boolean"
    elif sort.names:
        text = f"{sort.names} {sort.low}..{sort.high}"
    else:
        text = f"{sort.low}..{sort.high}"
    return f"{text}?" if sort.optional else text


def _dimensions(dimensions: tuple[ir.Sort, ...]) -> str:
    return f"[{', '.join(map(sort_text, dimensions))}]" if dimensions else ""


def _named(names: tuple[str, ...], dimensions: tuple[ir.Sort, ...]) -> str:
    pairs = zip(names, dimensions, strict=True)
    return f"[{', '.join(f'{n}: {sort_text(s)}' for n, s in pairs)}]" if dimensions else ""


def _parameters(parameters: tuple[ir.Parameter, ...]) -> str:
    return ", ".join(f"{each.name}: {sort_text(each.sort)}" for each in parameters)


def _head(rule: ir.Decision | ir.Chance) -> str:
    context = f"[{_parameters(rule.context)}]" if rule.context else ""
    return f"{rule.name}{context}({_parameters(rule.choices)})"


def _term(game: ir.Game, term: ir.Term) -> Iterator[str]:
    head = f"term {term.name}({_parameters(term.parameters)}): {sort_text(term.sort)}"
    yield f"{head} = {worded(game, term.body)}"
    if len(term.clauses) == 1 and len(term.clauses[0].readings) == 1:
        return
    for clause in term.clauses:
        when = "" if clause.when is None else f" when {worded(game, clause.when)}"
        yield f"  clause {clause.name}{when}"
        for reading in clause.readings:
            chosen = " (chosen)" if reading.name == clause.chosen else ""
            yield f"    {reading.name}{chosen}: {worded(game, reading.value)}"
    if term.precedence:
        yield f"  precedence {', '.join(term.precedence)}"
    if term.otherwise is not None:
        yield f"  otherwise {worded(game, term.otherwise)}"


def _guards(game: ir.Game, guards: tuple[ir.Guard, ...]) -> Iterator[str]:
    for guard in guards:
        defined = "" if guard.defined is None else f" defined if {worded(game, guard.defined)}"
        if isinstance(guard, ir.Let):
            yield f"  let {guard.name} = {worded(game, guard.value)}{defined}"
        else:
            yield f"  require {worded(game, guard.condition)}{defined}"


def _block(game: ir.Game, body: tuple[ir.Statement, ...], depth: int) -> Iterator[str]:
    margin = "  " * depth
    for statement in body:
        match statement:
            case ir.Assign(variable=name, indices=indices, value=value):
                inner = ", ".join(worded(game, index) for index in indices)
                place = f"{name}[{inner}]" if inner else name
                yield f"{margin}{place} := {worded(game, value)}"
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                yield f"{margin}if {worded(game, condition)}"
                yield from _block(game, then, depth + 1)
                if otherwise:
                    yield f"{margin}else"
                    yield from _block(game, otherwise, depth + 1)
            case ir.For(name=name, low=low, high=high, body=inside):
                yield f"{margin}for {name} in {low}..{high}"
                yield from _block(game, inside, depth + 1)
            case ir.Let(name=name, value=value):
                yield f"{margin}let {name} = {worded(game, value)}"
            case ir.Oblige(condition=condition, duty=duty):
                yield f"{margin}oblige {duty.value}: {worded(game, condition)}"
            case _:
                assert_never(statement)


def _offer(game: ir.Game, offer: ir.Offer) -> str:
    arguments = ", ".join(worded(game, argument) for argument in offer.arguments)
    return f"{offer.rule}[{arguments}]" if arguments else offer.rule


def _node(game: ir.Game, node: ir.Node) -> Iterator[str]:
    phase = f" ({' / '.join(node.phase)})" if node.phase else ""
    head = f"node {node.number}{phase}:"
    match node:
        case ir.Auto(body=body, next=following, rule=rule):
            yield f"{head} auto {rule or 'flow'} then {following}"
            yield from _block(game, body, 1)
        case ir.Branch(condition=condition, yes=yes, no=no):
            yield f"{head} if {worded(game, condition)} then {yes} else {no}"
        case ir.Decide(actor=actor, offers=offers, next=following):
            listed = ", ".join(_offer(game, offer) for offer in offers)
            yield f"{head} {worded(game, actor)} decides {listed} then {following}"
        case ir.Gather(waiting=waiting, offers=offers, next=following):
            listed = ", ".join(_offer(game, offer) for offer in offers)
            yield f"{head} all of {waiting} decide {listed} then {following}"
        case ir.Toss(offer=offer, next=following):
            yield f"{head} chance {_offer(game, offer)} then {following}"
        case ir.End():
            yield f"{head} end"
        case _:
            assert_never(node)


def _example(game: ir.Game, example: ir.Example) -> Iterator[str]:
    yield f"example {example.name}" + ("" if example.node is None else f" at {example.node}")
    yield from _block(game, example.setup, 1)
    for move in example.moves:
        actor = "chance" if move.actor is None else game.enumerations["Player"][move.actor]
        arguments = ", ".join(f"{name}: {value}" for name, value in move.arguments)
        yield f"  {actor} {'cannot' if move.refused else 'does'} {move.rule}({arguments})"
    yield from (f"  then {worded(game, condition)}" for condition in example.then)
