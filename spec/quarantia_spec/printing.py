"""The syntax tree back to lines of text, without comments; start at `module_lines`.

Every logical line of the source becomes one `Line`, in the same order: that is what lets `format`
put the comments back. The only exception is an `else` whose block is a single `if`, which is
written `else if`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from quarantia_spec import syntax
from quarantia_spec.layout import SOFT, Bracket, Chain, Document
from quarantia_spec.source import Citation


@dataclass(frozen=True, slots=True)
class Line:
    """A logical line. `opens` names the kind of the declaration that starts here, if one does."""

    depth: int
    document: Document
    opens: str = ""


def module_lines(module: syntax.Module) -> Iterator[Line]:
    extends = "" if module.extends is None else f" extends {_quoted(module.extends)}"
    yield Line(0, f"game {module.name} {_quoted(module.title)}{extends}", "game")
    for declaration in module.declarations:
        first, *rest = declaration_lines(declaration)
        yield Line(first.depth, first.document, _kind(declaration))
        yield from rest


def _kind(declaration: syntax.Declaration) -> str:
    match declaration:
        case syntax.Replacement(declaration=inner):
            return _kind(inner)
        case syntax.Rule(kind=kind) | syntax.Property(kind=kind):
            return kind
        case _:
            return type(declaration).__name__


# --- small parts ------------------------------------------------------------------------------


def _quoted(text: syntax.Text) -> str:
    return f'"{text.text}"'


def _because(reason: syntax.Reason | None) -> str:
    return "" if reason is None else f" because {_quoted(reason.english)}"


def _in_french(reason: syntax.Reason | None, depth: int) -> Iterator[Line]:
    if reason is not None and reason.french is not None:
        yield Line(depth, f"fr {_quoted(reason.french)}")


def _cites(citations: Iterable[Citation]) -> str:
    words = " ".join(str(citation) for citation in citations)
    return f"  {words}" if words else ""


def _line(depth: int, *parts: Document) -> Line:
    return Line(depth, Chain(tuple(part for part in parts if part != "")))


def _separated(documents: Iterable[Document]) -> Chain:
    parts: list[Document] = []
    for document in documents:
        if parts:
            parts.extend((",", SOFT))
        parts.append(document)
    return Chain(tuple(parts))


def _expressions(expressions: Iterable[syntax.Expression]) -> Chain:
    return _separated(expression_document(expression) for expression in expressions)


def _subscripts(expressions: tuple[syntax.Expression, ...] | None) -> Document:
    return "" if expressions is None else Bracket("[", _expressions(expressions), "]")


def _indices(indices: tuple[syntax.Index, ...]) -> Document:
    if not indices:
        return ""
    return Bracket(
        "[",
        _separated(
            Chain((f"{index.name}: " if index.name is not None else "", _sort(index.sort)))
            for index in indices
        ),
        "]",
    )


def _parameters(parameters: tuple[syntax.Parameter, ...] | None) -> Document:
    if parameters is None:
        return ""
    return Bracket(
        "(",
        _separated(Chain((f"{each.name}: ", _sort(each.sort))) for each in parameters),
        ")",
    )


def _sort(sort: syntax.StateSort) -> Document:
    match sort:
        case syntax.NamedSort(name=name):
            return name
        case syntax.BooleanSort():
            return "boolean"
        case syntax.RangeSort():
            return _range(sort.low, sort.high)
        case syntax.OptionalSort(inner=inner):
            return Chain((_sort(inner), "?"))
        case syntax.SetSort(element=element):
            return Chain(("set of ", _sort(element)))
        case syntax.SequenceSort(element=element, limit=limit):
            return Chain(("sequence of ", _sort(element), " up to ", _sum(limit)))
        case _:
            assert_never(sort)


def _range(low: syntax.Expression, high: syntax.Expression) -> Document:
    return Chain((_sum(low), "..", _sum(high)))


def _visibility(visibility: syntax.Visibility | None) -> Document:
    if visibility is None:
        return ""
    match visibility.kind:
        case "all":
            return " seen by all"
        case "by":
            return f" seen by {visibility.name}"
        case "if":
            assert visibility.condition is not None
            return Chain((" seen if ", expression_document(visibility.condition)))
        case _:
            return " hidden"


def _place(place: syntax.Place) -> Document:
    return Chain(
        (
            place.name,
            _subscripts(place.indices),
            "" if place.attribute is None else f".{place.attribute}",
            _subscripts(place.attribute_indices),
        )
    )


def _after(word: str, expression: syntax.Expression | None) -> Document:
    """` word expression`, or nothing."""
    if expression is None:
        return ""
    return Chain((f" {word} ", expression_document(expression)))


def _binding(binding: syntax.Binding) -> Document:
    return Chain((f"{binding.name} in ", _domain(binding.domain)))


def _domain(domain: syntax.Expression | syntax.RangeSort) -> Document:
    if isinstance(domain, syntax.RangeSort):
        return _range(domain.low, domain.high)
    return _sum(domain)


def _say(say: syntax.Say, depth: int) -> Line:
    return _line(depth, f"{say.word} {say.language} {_quoted(say.text)}")


# --- declarations -----------------------------------------------------------------------------


def declaration_lines(declaration: syntax.Declaration) -> Iterator[Line]:
    """At least one line; the first is at depth 0."""
    match declaration:
        case syntax.Replacement(declaration=inner):
            first, *rest = declaration_lines(inner)
            yield _line(0, "replace ", first.document)
            yield from rest
        case syntax.Players(low=low, high=high, names=names, cites=cites):
            count = _sum(low) if high is None else _range(low, high)
            named = f" named {', '.join(names)}" if names else ""
            yield _line(0, "players ", count, named, _cites(cites))
        case syntax.TypeDeclaration(name=name, alternatives=alternatives, range=bounds):
            body = " | ".join(alternatives) if bounds is None else _sort(bounds)
            yield _line(0, f"type {name} = ", body, _cites(declaration.cites))
        case syntax.Option(name=name, sort=sort, value=value, cites=cites):
            yield _line(0, f"option {name}: ", _sort(sort), _after("=", value), _cites(cites))
        case syntax.Table(name=name, indices=indices, sort=sort, values=values, cites=cites):
            yield _line(
                0, f"table {name}", _indices(indices), ": ", _sort(sort), " = ",
                _expressions(values), _cites(cites),
            )  # fmt: skip
            yield from (_say(say, 1) for say in declaration.says)
        case syntax.Given(name=name, indices=indices, sort=sort, cites=cites):
            yield _line(0, f"given {name}", _indices(indices), ": ", _sort(sort), _cites(cites))
            for item in declaration.items:
                if isinstance(item, syntax.Say):
                    yield _say(item, 1)
                else:
                    yield _such_that(item)
                    yield from _in_french(item.because, 2)
        case syntax.Component():
            yield _component(declaration)
        case syntax.Zone():
            yield _zone(declaration)
        case syntax.State(name=name, indices=indices, sort=state_sort, initial=initial):
            yield _line(
                0, f"state {name}", _indices(indices), ": ", _sort(state_sort),
                _after("=", initial), _visibility(declaration.visibility),
                _cites(declaration.cites),
            )  # fmt: skip
        case syntax.Term():
            yield from _term(declaration)
        case syntax.Rule(kind=kind, name=name, context=context, choices=choices, actor=actor):
            by = "" if actor is None else f" by {actor}"
            yield _line(
                0, f"{kind} {name}", _indices(context), _parameters(choices), by,
                _cites(declaration.cites),
            )  # fmt: skip
            for rule_item in declaration.items:
                yield from _rule_item(rule_item)
        case syntax.Flow(name=flow_name, context=context, cites=cites, body=flow_body):
            called = "" if flow_name is None else f" {flow_name}"
            # Without a name the bracket would touch the word.
            indices_document = _indices(context)
            gap = " " if flow_name is None and context else ""
            yield _line(0, "flow", called, gap, indices_document, _cites(cites))
            for flow_item in flow_body:
                yield from _flow_item(flow_item, 1)
        case syntax.Outcome(cites=cites, items=items):
            yield _line(0, "outcome", _cites(cites))
            for line in items:
                yield (
                    _say(line, 1)
                    if isinstance(line, syntax.Say)
                    else _line(1, f"{line.word} {line.player}: ", expression_document(line.value))
                )
        case syntax.Property(kind=kind, name=name, cites=cites, condition=condition):
            yield _line(0, f"{kind} {name}", _cites(cites), ": ", expression_document(condition))
            yield from (_say(say, 1) for say in declaration.says)
        case syntax.Ends(measure=measure, because=because, cites=cites):
            how: Document
            if because is None:
                how = Chain(("by ", _expressions(measure)))
            else:
                how = f"never because {_quoted(because.english)}"
            yield _line(0, "ends ", how, _cites(cites))
            yield from _in_french(because, 1)
        case syntax.Example():
            yield from _example(declaration)
        case _:
            assert_never(declaration)


def _such_that(item: syntax.SuchThat) -> Line:
    return _line(
        1, "such that ", expression_document(item.condition), _because(item.because),
        _cites(item.cites),
    )  # fmt: skip


def _component(component: syntax.Component) -> Line:
    amount: Document
    if component.members:
        amount = f"distinct {' | '.join(component.members)}"
    else:
        assert component.count is not None
        distinct = "distinct " if component.distinct else ""
        per_player = " per player" if component.per_player else ""
        amount = Chain((distinct, _sum(component.count), per_player))
    where = "" if component.zone is None else f" in {component.zone}"
    return _line(
        0, f"component {component.name}", _indices(component.indices), ": ", amount, where,
        _cites(component.cites),
    )  # fmt: skip


def _zone(zone: syntax.Zone) -> Line:
    holdings = [
        Chain(
            (
                holding.component,
                "" if holding.owner is None else f" of {holding.owner}",
                "" if holding.capacity is None else " up to ",
                "" if holding.capacity is None else _sum(holding.capacity),
            )
        )
        for holding in zone.holdings
    ]
    return _line(
        0, f"{zone.kind} {zone.name}", _indices(zone.indices), " holds ", _separated(holdings),
        _visibility(zone.visibility), _cites(zone.cites),
    )  # fmt: skip


def _term(term: syntax.Term) -> Iterator[Line]:
    yield _line(
        0, f"term {term.name}", _parameters(term.parameters), ": ", _sort(term.sort),
        _visibility(term.visibility), _after("=", term.value), _cites(term.cites),
    )  # fmt: skip
    for item in term.items:
        match item:
            case syntax.Clause():
                yield from _clause(item)
            case syntax.Ruling():
                yield _ruling(item, 1)
                yield from _in_french(item.because, 2)
            case syntax.Otherwise(value=value, because=because):
                yield _line(1, "otherwise ", expression_document(value), _because(because))
                yield from _in_french(because, 2)
            case syntax.Say():
                yield _say(item, 1)
            case _:
                assert_never(item)


def _clause(clause: syntax.Clause) -> Iterator[Line]:
    cites = " ".join(str(citation) for citation in clause.cites)
    value: Document = ""
    if clause.value is not None:
        value = Chain((": ", expression_document(clause.value)))
    yield _line(1, f"{cites} {clause.name}", _after("when", clause.when), value)
    for item in clause.items:
        match item:
            case syntax.Reading(name=name, cites=reading_cites, value=reading):
                yield _line(
                    2, f"reading {name}", _cites(reading_cites), ": ",
                    expression_document(reading),
                )  # fmt: skip
            case syntax.Ruling():
                yield _ruling(item, 2)
                yield from _in_french(item.because, 3)
            case syntax.Say():
                yield _say(item, 2)
            case _:
                assert_never(item)


def _ruling(ruling: syntax.Ruling, depth: int) -> Line:
    return _line(depth, f"ruling {', '.join(ruling.names)}", _because(ruling.because))


def _example(example: syntax.Example) -> Iterator[Line]:
    yield _line(0, f"example {example.name}", _cites(example.cites))
    for item in example.items:
        if isinstance(item, syntax.Say):
            yield _say(item, 1)
            continue
        argument = {"players": f" {item.number}", "at": f" {item.name}"}.get(item.word, "")
        yield _line(1, f"{item.word}{argument}")
        for statement in item.statements:
            yield from _statement(statement, 2)
        for move in item.moves:
            arguments = _separated(
                Chain((f"{each.name}: ", expression_document(each.value)))
                for each in move.arguments
            )
            actor = "chance" if move.actor is None else move.actor
            yield _line(2, f"{actor} {move.verb} {move.rule}", Bracket("(", arguments, ")"))
        for condition in item.conditions:
            yield _line(2, expression_document(condition))


# --- statements -------------------------------------------------------------------------------


def _rule_item(item: syntax.RuleItem) -> Iterator[Line]:
    match item:
        case syntax.Require(condition=condition, because=because, cites=cites):
            yield _line(
                1, "require ", expression_document(condition), _because(because), _cites(cites)
            )
            yield from _in_french(because, 2)
        case syntax.Weight(value=value):
            yield _line(1, "weight ", expression_document(value))
        case syntax.Say():
            yield _say(item, 1)
        case _:
            yield from _statement(item, 1)


def _statement(statement: syntax.Statement, depth: int) -> Iterator[Line]:
    match statement:
        case syntax.IfStatement():
            yield from _if_statement(statement, depth, "if ")
        case syntax.ForStatement(binding=binding, where=where, body=body):
            yield _line(depth, "for ", _binding(binding), _after("where", where))
            for inner in body:
                yield from _statement(inner, depth + 1)
        case _:
            yield _line(depth, *_simple_statement(statement))


def _if_statement(statement: syntax.IfStatement, depth: int, word: str) -> Iterator[Line]:
    yield _line(depth, word, expression_document(statement.condition))
    for inner in statement.then:
        yield from _statement(inner, depth + 1)
    match statement.otherwise:
        case ():
            pass
        case (syntax.IfStatement() as following,):
            yield from _if_statement(following, depth, "else if ")
        case otherwise:
            yield _line(depth, "else")
            for inner in otherwise:
                yield from _statement(inner, depth + 1)


def _simple_statement(
    statement: syntax.Assignment
    | syntax.Let
    | syntax.MovePieces
    | syntax.MovePiece
    | syntax.Put
    | syntax.Shuffle
    | syntax.Collect
    | syntax.Clear
    | syntax.Ensure
    | syntax.DoNothing,
) -> tuple[Document, ...]:
    match statement:
        case syntax.Assignment(target=target, operator=operator, value=value):
            return _place(target), f" {operator} ", expression_document(value)
        case syntax.Let(name=name, value=value):
            return f"let {name} = ", expression_document(value)
        case syntax.MovePieces(amount=amount, component=component, kinds=kinds, owner=owner):
            return (
                "move ", "every" if amount is None else _sum(amount), f" {component}",
                _subscripts(kinds), "" if owner is None else Chain((" of ", _sum(owner))),
                " from ", _place(statement.source), " to ", _place(statement.target),
            )  # fmt: skip
        case syntax.MovePiece(piece=piece, target=target):
            return "move ", _sum(piece), " to ", _place(target)
        case syntax.Put(piece=piece, where=where, target=target):
            return "put ", _sum(piece), f" {where} ", _place(target)
        case syntax.Shuffle(source=source, target=into):
            rest: Document = "" if into is None else Chain((" into ", _place(into)))
            return "shuffle ", _place(source), rest
        case syntax.Collect(verb=verb, value=value, target=target):
            preposition = "from" if verb == "remove" else "to"
            return f"{verb} ", _sum(value), f" {preposition} ", _place(target)
        case syntax.Clear(target=target):
            return "clear ", _place(target)
        case syntax.Ensure(condition=condition, because=because):
            reason = "" if because is None else f" because {_quoted(because)}"
            return "ensure ", expression_document(condition), reason
        case syntax.DoNothing():
            return ("nothing",)
        case _:
            assert_never(statement)


# --- flow -------------------------------------------------------------------------------------


def _flow_body(body: tuple[syntax.FlowItem, ...], depth: int) -> Iterator[Line]:
    for item in body:
        yield from _flow_item(item, depth)


def _flow_item(item: syntax.FlowItem, depth: int) -> Iterator[Line]:
    match item:
        case syntax.PhaseBlock(name=name, title=title, cites=cites, body=body):
            quoted = "" if title is None else f" {_quoted(title)}"
            yield _line(depth, f"phase {name}{quoted}", _cites(cites))
            yield from _flow_body(body, depth + 1)
        case syntax.Repeat(kind=kind, bound=bound, body=body):
            limit: Document = ""
            if bound is not None:
                limit = (
                    Chain((" ", _sum(bound), " times")) if kind == "times" else _after(kind, bound)
                )
            yield _line(depth, "repeat", limit)
            yield from _flow_body(body, depth + 1)
        case syntax.Each(binding=binding, down=down, start=start, where=where, body=body):
            begin: Document = "" if start is None else Chain((" from ", _sum(start)))
            yield _line(
                depth, "each ", _binding(binding), " down" if down else "", begin,
                _after("where", where),
            )  # fmt: skip
            yield from _flow_body(body, depth + 1)
        case syntax.Decides(player=player, offers=offers):
            yield _line(depth, _sum(player), " decides ", _offers(offers))
        case syntax.Together(binding=binding, where=where, offers=offers):
            yield _line(
                depth, "together ", _binding(binding), _after("where", where), " decides ",
                _offers(offers),
            )  # fmt: skip
        case syntax.Toss(offer=offer):
            yield _line(depth, "chance ", _offer(offer))
        case syntax.Run(offer=offer):
            yield _line(depth, "run ", _offer(offer))
        case syntax.Hook(name=name):
            yield _line(depth, f"hook {name}")
        case syntax.FlowIf():
            yield from _flow_if(item, depth, "if ")
        case syntax.Stop(when=when):
            yield _line(depth, "stop", _after("when", when))
        case syntax.EndPlay(when=when):
            yield _line(depth, "end", _after("when", when))
        case syntax.FlowStatement(statement=statement):
            yield _line(depth, *_simple_statement(statement))
        case _:
            assert_never(item)


def _flow_if(item: syntax.FlowIf, depth: int, word: str) -> Iterator[Line]:
    yield _line(depth, word, expression_document(item.condition))
    yield from _flow_body(item.then, depth + 1)
    match item.otherwise:
        case ():
            pass
        case (syntax.FlowIf() as following,):
            yield from _flow_if(following, depth, "else if ")
        case otherwise:
            yield _line(depth, "else")
            yield from _flow_body(otherwise, depth + 1)


def _offer(offer: syntax.Offer) -> Document:
    return Chain((offer.name, _subscripts(offer.arguments)))


def _offers(offers: tuple[syntax.Offer, ...]) -> Document:
    return _separated(_offer(offer) for offer in offers)


# --- expressions ------------------------------------------------------------------------------

# How tightly each form holds together, as the grammar nests them.
_ANY, _IMPLIES, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _UNARY, _POSTFIX, _ATOM = range(11)
_BINARY = {
    "implies": (_IMPLIES, _OR, _IMPLIES),
    "or": (_OR, _OR, _AND),
    "and": (_AND, _AND, _NOT),
    "+": (_SUM, _SUM, _PRODUCT),
    "-": (_SUM, _SUM, _PRODUCT),
    "*": (_PRODUCT, _PRODUCT, _UNARY),
    "div": (_PRODUCT, _PRODUCT, _UNARY),
    "mod": (_PRODUCT, _PRODUCT, _UNARY),
}


def _level(expression: syntax.Expression) -> int:
    match expression:
        case syntax.Conditional():
            return _ANY
        case syntax.Binary(operator=operator):
            return _BINARY[operator][0]
        case syntax.Not():
            return _NOT
        case syntax.Compare() | syntax.Member():
            return _COMPARE
        case syntax.Signed():
            return _UNARY
        case syntax.Subscript() | syntax.Attribute():
            return _POSTFIX
        case _:
            return _ATOM


def _sum(expression: syntax.Expression) -> Document:
    return expression_document(expression, _SUM)


def expression_document(expression: syntax.Expression, level: int = _ANY) -> Document:
    """An expression that can stand where the grammar asks for `level`.

    Trees from the parser have their brackets in them; a tree made otherwise is given those it
    needs.
    """
    if _level(expression) < level:
        return Bracket("(", expression_document(expression), ")")
    match expression:
        case syntax.Number(value=value):
            return str(value)
        case syntax.Truth(value=truth):
            return "true" if truth else "false"
        case syntax.Nothing():
            return "none"
        case syntax.Name(text=text):
            return text
        case syntax.Call(name=name, arguments=arguments):
            return Chain((name, Bracket("(", _expressions(arguments), ")")))
        case syntax.Subscript(base=base, indices=indices):
            return Chain((expression_document(base, _POSTFIX), _subscripts(indices)))
        case syntax.Attribute(base=base, name=name):
            return Chain((expression_document(base, _POSTFIX), f".{name}"))
        case syntax.Group(inner=inner):
            return Bracket("(", expression_document(inner), ")")
        case syntax.Binary():
            return Chain(tuple(_binary(expression)))
        case syntax.Compare(first=first, rest=rest):
            parts: list[Document] = [_sum(first)]
            for operator, operand in rest:
                parts.extend((f" {operator} ", _sum(operand)))
            return Chain(tuple(parts))
        case syntax.Member(value=member, collection=collection, negated=negated):
            word = " not in " if negated else " in "
            return Chain((_sum(member), word, _domain(collection)))
        case syntax.Not(operand=operand):
            return Chain(("not ", expression_document(operand, _NOT)))
        case syntax.Signed(sign=sign, operand=operand):
            return Chain((sign, expression_document(operand, _UNARY)))
        case syntax.Conditional(condition=condition, then=then, otherwise=otherwise):
            return Chain(
                (
                    "if ",
                    expression_document(condition),
                    SOFT,
                    "then ",
                    expression_document(then),
                    SOFT,
                    "else ",
                    expression_document(otherwise),
                )
            )
        case syntax.Fold():
            return _fold(expression)
        case _:
            assert_never(expression)


def _binary(expression: syntax.Binary) -> Iterator[Document]:
    """A chain of operators of one kind breaks as one: its links are siblings."""
    own, left, right = _BINARY[expression.operator]
    inner = expression.left
    if isinstance(inner, syntax.Binary) and _level(inner) == own and left == own:
        yield from _binary(inner)
    else:
        yield expression_document(inner, left)
    yield SOFT
    yield f"{expression.operator} "
    yield expression_document(expression.right, right)


def _fold(fold: syntax.Fold) -> Document:
    parts: list[Document] = [expression_document(fold.body), SOFT, "for "]
    parts.append(_separated(_binding(binding) for binding in fold.bindings))
    for word, part in (("where", fold.where), ("else", fold.default)):
        if part is not None:
            parts.extend((SOFT, f"{word} ", expression_document(part)))
    return Chain((fold.operator, Bracket("(", Chain(tuple(parts)), ")")))
