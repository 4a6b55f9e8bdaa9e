"""Small wrong versions of a rules file: what a tired author might have written instead.

In: a module. Out: `Mutant`s, each with one thing changed in the rules of play. What is only said
about the rules (properties, examples, sentences, rulings) is left alone. Read `mutants`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from quarantia_spec import syntax
from quarantia_spec.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Mutant:
    """The module with one change: which kind, where, and what it says there now."""

    kind: str
    span: Span
    told: str
    module: syntax.Module


@dataclass(frozen=True, slots=True)
class _Change:
    kind: str
    span: Span
    told: str
    node: Any


COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}
BINARIES = {"+": "-", "-": "+", "and": "or", "or": "and", "*": "+"}
FOLDS = {"all": "any", "any": "all", "max": "min", "min": "max"}
CALLS = {"max": "min", "min": "max", "next": "previous", "previous": "next"}
CALLS |= {"top": "bottom", "bottom": "top"}

# What is no rule of play, or only says how large a cell is.
LEFT_ALONE = (
    syntax.Property,
    syntax.Ends,
    syntax.Example,
    syntax.Say,
    syntax.Text,
    syntax.Reason,
    syntax.Ruling,
    syntax.Players,
    syntax.TypeDeclaration,
    syntax.Given,
    syntax.Zone,
    syntax.Visibility,
    syntax.Index,
    syntax.Option,
)


def mutants(module: syntax.Module) -> Iterator[Mutant]:
    """Every mutant of the module, in the order of the text."""
    for place, declaration in enumerate(module.declarations):
        for change in _changes(declaration):
            declarations = (
                *module.declarations[:place],
                change.node,
                *module.declarations[place + 1 :],
            )
            changed = replace(module, declarations=declarations)
            yield Mutant(change.kind, change.span, change.told, changed)


def _changes(node: Any) -> Iterator[_Change]:
    """The node with one change in it or below it."""
    if isinstance(node, LEFT_ALONE) or not is_dataclass(node) or isinstance(node, type):
        return
    yield from _own(node)
    for field in fields(node):
        if field.name in ("span", "cites", "sort", "indices" if _declares(node) else ""):
            continue
        for change in _inside(getattr(node, field.name), node, field.name):
            span = change.span if change.span != NOWHERE else _span(node)
            yield _Change(
                change.kind, span, change.told, replace(node, **{field.name: change.node})
            )


def _declares(node: Any) -> bool:
    return isinstance(node, syntax.State | syntax.Table | syntax.Component)


def _inside(value: Any, parent: Any, name: str) -> Iterator[_Change]:
    if isinstance(value, syntax.RangeSort) or not isinstance(value, tuple):
        yield from _changes(value)
        return
    for place, item in enumerate(value):
        if isinstance(item, tuple):  # the rest of a comparison: an operator and an operand
            for change in _inside(item, parent, ""):
                yield replace(change, node=(*value[:place], change.node, *value[place + 1 :]))
            continue
        for change in _changes(item):
            yield replace(change, node=(*value[:place], change.node, *value[place + 1 :]))
        removed = _removed(value, place, parent, name)
        if removed is not None:
            yield removed


def _removed(items: tuple[Any, ...], place: int, parent: Any, name: str) -> _Change | None:
    """The list with one item left out, where a list may be shorter."""
    item = items[place]
    rest = (*items[:place], *items[place + 1 :])
    match item:
        case syntax.Require():
            return _Change("a condition dropped", _span(item), "no such condition", rest)
        case syntax.Weight():
            return _Change("a weight dropped", _span(item), "all alike", rest)
        case syntax.Let() | syntax.DoNothing() | syntax.Hook() | syntax.FlowStatement():
            return None
        case syntax.Offer() if len(items) > 1 and name == "offers":
            return _Change("an offer left out", _span(item), f"no {item.name}", rest)
        case syntax.Assignment() | syntax.MovePieces() | syntax.MovePiece() | syntax.Put():
            pass
        case syntax.Shuffle() | syntax.Collect() | syntax.Clear():
            pass
        case syntax.IfStatement() | syntax.ForStatement():
            pass
        case syntax.Decides() | syntax.Together() | syntax.Toss() | syntax.Run():
            return _Change("a step of play skipped", _span(item), "skipped", rest) if rest else None
        case syntax.EndPlay() | syntax.Stop() | syntax.FlowIf() | syntax.Each() | syntax.Repeat():
            return _Change("a step of play skipped", _span(item), "skipped", rest) if rest else None
        case _:
            return None
    if not any(isinstance(each, syntax.Statement) for each in rest):  # a block says something
        rest = (*rest[:place], syntax.DoNothing(_span(item)), *rest[place:])
    return _Change("an effect left out", _span(item), "nothing", rest)


def _own(node: Any) -> Iterator[_Change]:
    """Changes of the node itself."""

    def change(kind: str, told: str, changed: Any) -> _Change:
        return _Change(kind, _span(node), told, changed)

    match node:
        case syntax.Number(value=value):
            yield change("off by one", str(value + 1), replace(node, value=value + 1))
            if value > 0:
                yield change("off by one", str(value - 1), replace(node, value=value - 1))
        case syntax.Truth(value=value):
            told = "false" if value else "true"
            yield change("a wrong constant", told, replace(node, value=not value))
        case syntax.Compare(rest=rest):
            for place, (operator, right) in enumerate(rest):
                other = COMPARISONS[operator]
                changed = (*rest[:place], (other, right), *rest[place + 1 :])
                yield change(
                    "another comparison",
                    f"{other} instead of {operator}",
                    replace(node, rest=changed),
                )
        case syntax.Binary(operator=operator, left=left, right=right):
            other = BINARIES.get(operator, "")
            if other:
                yield change(
                    "another operator",
                    f"{other} instead of {operator}",
                    replace(node, operator=other),
                )
            if operator in ("and", "or", "implies"):
                yield change("a condition dropped", f"only the left of {operator}", left)
                yield change("a condition dropped", f"only the right of {operator}", right)
        case syntax.Not(operand=operand):
            yield change("a negation lost", "without not", operand)
        case syntax.Member(negated=negated):
            told = "in" if negated else "not in"
            yield change("a negation lost", told, replace(node, negated=not negated))
        case syntax.Conditional(then=then, otherwise=otherwise):
            yield change(
                "cases swapped",
                "then and else swapped",
                replace(node, then=otherwise, otherwise=then),
            )
        case syntax.Fold(operator=operator, where=where):
            if operator in FOLDS:
                other = FOLDS[operator]
                yield change(
                    "another fold", f"{other} instead of {operator}", replace(node, operator=other)
                )
            if where is not None and node.default is None:
                yield change("a condition dropped", "without where", replace(node, where=None))
        case syntax.Call(name=name) if name in CALLS:
            yield change("another function", CALLS[name], replace(node, name=CALLS[name]))
        case syntax.Assignment(operator=operator) if operator in ("+=", "-="):
            other = "-=" if operator == "+=" else "+="
            yield change(
                "another operator", f"{other} instead of {operator}", replace(node, operator=other)
            )
        case syntax.MovePieces(source=source, target=target):
            yield change(
                "places swapped", "from and to swapped", replace(node, source=target, target=source)
            )
        case syntax.Put(where=where_put):
            other = "under" if where_put == "on" else "on"
            yield change("the other end", f"put {other}", replace(node, where=other))
        case syntax.Each(down=down, start=start, where=where):
            if start is not None:
                yield change("another order", "without from", replace(node, start=None))
            elif not _is_player(node.binding):
                yield change("another order", "the other way round", replace(node, down=not down))
            if where is not None:
                yield change("a condition dropped", "without where", replace(node, where=None))
        case syntax.ForStatement(where=where) | syntax.Together(where=where):
            if where is not None:
                yield change("a condition dropped", "without where", replace(node, where=None))
        case syntax.Clause(when=when) if when is not None:
            yield change("a condition dropped", "without when", replace(node, when=None))
        case _:
            return


def _is_player(binding: syntax.Binding) -> bool:
    return isinstance(binding.domain, syntax.Name) and binding.domain.text == "Player"


def _span(node: Any) -> Span:
    span = getattr(node, "span", NOWHERE)
    return span if isinstance(span, Span) else NOWHERE
