"""Lark's tree to ours: one method for each rule of the grammar that leaves a node."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from lark import Token, Tree

from quarantia_spec import syntax
from quarantia_spec.diagnostics import Code, Reporter
from quarantia_spec.limits import DEEPEST_TREE, TooDeep
from quarantia_spec.source import Citation, Span

Node = Any  # a Tree, a Token or None: Lark's trees carry no types


class Builder:
    """Builds nodes for one file; `lines` and `columns` shift the places of a sentence's holes."""

    def __init__(self, file: str, reporter: Reporter, lines: int = 0, columns: int = 0) -> None:
        self.file = file
        self.reporter = reporter
        self.lines = lines
        self.columns = columns
        self.depth = 0  # of what is being built; see `nested`

    # --- places and words ---------------------------------------------------------------------

    def span(self, node: Node) -> Span:
        where = node if isinstance(node, Token) else node.meta
        line = getattr(where, "line", None) or 1
        column = getattr(where, "column", None) or 1
        end_line = getattr(where, "end_line", None) or line
        end_column = getattr(where, "end_column", None) or column + 1
        return Span(
            self.file,
            line + self.lines,
            column + self.columns,
            end_line + self.lines,
            end_column + self.columns,
        )

    @contextmanager
    def nested(self, tree: Node, levels: int = 1) -> Iterator[None]:
        """Build what is `levels` further down in the tree. Raises TooDeep."""
        self.depth += levels
        if self.depth > DEEPEST_TREE:
            raise TooDeep(self.span(tree))
        try:
            yield
        finally:
            self.depth -= levels

    def text(self, token: Node) -> syntax.Text:
        return syntax.Text(str(token)[1:-1], self.span(token))

    def reason(self, english: Node, french: Node) -> syntax.Reason:
        return syntax.Reason(self.text(english), french and self.text(french.children[1]))

    def optional_reason(self, english: Node, french: Node) -> syntax.Reason | None:
        return None if english is None else self.reason(english, french)

    def optional_text(self, token: Node) -> syntax.Text | None:
        return None if token is None else self.text(token)

    def citation(self, token: Node) -> Citation:
        section, _, pin = str(token)[1:].partition("~")
        return Citation(section, pin, self.span(token))

    def cites(self, tree: Node) -> tuple[Citation, ...]:
        return tuple(self.citation(token) for token in tree.children)

    def names(self, tree: Node) -> tuple[str, ...]:
        return () if tree is None else tuple(str(token) for token in tree.children)

    # --- the file -----------------------------------------------------------------------------

    def module(self, tree: Tree[Token]) -> syntax.Module:
        game, *declarations = tree.children
        name, title, extends = cast(Any, game).children
        return syntax.Module(
            str(name),
            self.text(title),
            self.optional_text(extends),
            tuple(self.declaration(child) for child in declarations),
            self.span(game),
        )

    def declaration(self, tree: Node) -> syntax.Declaration:
        method = getattr(self, f"declare_{tree.data}")
        return cast(syntax.Declaration, method(tree, *tree.children))

    def declare_replacement(self, tree: Node, inner: Node) -> syntax.Replacement:
        return syntax.Replacement(self.declaration(inner), self.span(tree))

    def declare_players(self, tree: Node, count: Node, names: Node, cites: Node) -> syntax.Players:
        low: syntax.Expression
        high: syntax.Expression | None
        if isinstance(count, Tree) and count.data == "range_sort":
            low, high = self.expression(count.children[0]), self.expression(count.children[1])
        else:
            low, high = self.expression(count), None
        return syntax.Players(low, high, self.names(names), self.cites(cites), self.span(tree))

    def declare_type_declaration(
        self, tree: Node, name: Node, body: Node, cites: Node
    ) -> syntax.TypeDeclaration:
        if body.data == "range_sort":
            return syntax.TypeDeclaration(
                str(name), (), self.range_sort(body), self.cites(cites), self.span(tree)
            )
        return syntax.TypeDeclaration(
            str(name), self.names(body), None, self.cites(cites), self.span(tree)
        )

    def declare_option(
        self, tree: Node, name: Node, sort: Node, value: Node, cites: Node
    ) -> syntax.Option:
        return syntax.Option(
            str(name), self.sort(sort), self.expression(value), self.cites(cites), self.span(tree)
        )

    def declare_table(
        self,
        tree: Node,
        name: Node,
        indices: Node,
        sort: Node,
        values: Node,
        cites: Node,
        *says: Node,
    ) -> syntax.Table:
        return syntax.Table(
            str(name),
            self.indices(indices),
            self.sort(sort),
            self.expressions(values),
            self.says(says),
            self.cites(cites),
            self.span(tree),
        )

    def declare_given(
        self, tree: Node, name: Node, indices: Node, sort: Node, cites: Node, *items: Node
    ) -> syntax.Given:
        return syntax.Given(
            str(name),
            self.indices(indices),
            self.sort(sort),
            tuple(
                self.say(item) if item.data == "say" else self.such_that(item)
                for item in items
                if item is not None
            ),
            self.cites(cites),
            self.span(tree),
        )

    def such_that(self, tree: Node) -> syntax.SuchThat:
        condition, because, cites, french = tree.children
        return syntax.SuchThat(
            self.expression(condition),
            self.optional_reason(because, french),
            self.cites(cites),
            self.span(tree),
        )

    def declare_component(
        self, tree: Node, name: Node, indices: Node, amount: Node, zone: Node, cites: Node
    ) -> syntax.Component:
        count: syntax.Expression | None = None
        members: tuple[str, ...] = ()
        per_player = False
        match amount.data:
            case "pieces":
                count = self.expression(amount.children[0])
                per_player = amount.children[1] is not None
            case "distinct_count":
                count = self.expression(amount.children[0])
            case _:
                members = self.names(amount)
        return syntax.Component(
            str(name),
            self.indices(indices),
            count,
            per_player,
            amount.data != "pieces",
            members,
            None if zone is None else str(zone),
            self.cites(cites),
            self.span(tree),
        )

    def declare_zone(
        self, tree: Node, kind: Node, name: Node, indices: Node, *rest: Node
    ) -> syntax.Zone:
        *holdings, visibility, cites = rest
        return syntax.Zone(
            str(kind.children[0]),
            str(name),
            self.indices(indices),
            tuple(self.holding(holding) for holding in holdings),
            self.visibility(visibility),
            self.cites(cites),
            self.span(tree),
        )

    def holding(self, tree: Node) -> syntax.Holding:
        name, owner, capacity = tree.children
        return syntax.Holding(
            str(name),
            None if owner is None else str(owner.children[0]),
            None if capacity is None else self.expression(capacity.children[0]),
            self.span(tree),
        )

    def declare_state(
        self,
        tree: Node,
        name: Node,
        indices: Node,
        sort: Node,
        initial: Node,
        visibility: Node,
        cites: Node,
    ) -> syntax.State:
        return syntax.State(
            str(name),
            self.indices(indices),
            self.state_sort(sort),
            self.optional(initial),
            self.visibility(visibility),
            self.cites(cites),
            self.span(tree),
        )

    def declare_term(
        self,
        tree: Node,
        name: Node,
        parameters: Node,
        sort: Node,
        visibility: Node,
        value: Node,
        cites: Node,
        *items: Node,
    ) -> syntax.Term:
        return syntax.Term(
            str(name),
            None if parameters is None else self.parameters(parameters),
            self.sort(sort),
            self.visibility(visibility),
            self.optional(value),
            self.cites(cites),
            tuple(self.term_item(item) for item in items if item is not None),
            self.span(tree),
        )

    def term_item(
        self, tree: Node
    ) -> syntax.Clause | syntax.Ruling | syntax.Otherwise | syntax.Say:
        match tree.data:
            case "clause":
                return self.clause(tree)
            case "ruling":
                return self.ruling(tree)
            case "otherwise":
                value, because, french = tree.children
                return syntax.Otherwise(
                    self.expression(value), self.reason(because, french), self.span(tree)
                )
            case _:
                return self.say(tree)

    def clause(self, tree: Node) -> syntax.Clause:
        children = list(tree.children)
        cites = []
        while isinstance(children[0], Token) and children[0].type == "CITATION":
            cites.append(self.citation(children.pop(0)))
        name, when, *rest = children
        value: syntax.Expression | None = None
        items: list[syntax.Reading | syntax.Ruling | syntax.Say] = []
        for child in rest:
            if isinstance(child, Tree) and child.data == "reading":
                reading_name, reading_cites, reading_value = child.children
                items.append(
                    syntax.Reading(
                        str(reading_name),
                        self.cites(reading_cites),
                        self.expression(reading_value),
                        self.span(child),
                    )
                )
            elif isinstance(child, Tree) and child.data == "ruling":
                items.append(self.ruling(child))
            elif isinstance(child, Tree) and child.data in ("say", "doubt"):
                items.append(self.say(child))
            else:
                value = self.expression(child)
        return syntax.Clause(
            tuple(cites), str(name), self.optional(when), value, tuple(items), self.span(tree)
        )

    def ruling(self, tree: Node) -> syntax.Ruling:
        names, because, french = tree.children
        return syntax.Ruling(self.names(names), self.reason(because, french), self.span(tree))

    def say(self, tree: Node) -> syntax.Say:
        language, text = tree.children
        return syntax.Say(str(tree.data), str(language), self.text(text), self.span(tree))

    def says(self, trees: tuple[Node, ...]) -> tuple[syntax.Say, ...]:
        return tuple(self.say(tree) for tree in trees if tree is not None)

    # --- rules --------------------------------------------------------------------------------

    def declare_decision(
        self,
        tree: Node,
        name: Node,
        context: Node,
        choices: Node,
        actor: Node,
        cites: Node,
        *items: Node,
    ) -> syntax.Rule:
        return self.rule("decision", tree, name, context, choices, str(actor), cites, items)

    def declare_chance(
        self, tree: Node, name: Node, context: Node, choices: Node, cites: Node, *items: Node
    ) -> syntax.Rule:
        return self.rule("chance", tree, name, context, choices, None, cites, items)

    def declare_step(
        self, tree: Node, name: Node, context: Node, cites: Node, *items: Node
    ) -> syntax.Rule:
        return self.rule("step", tree, name, context, None, None, cites, items)

    def rule(
        self,
        kind: str,
        tree: Node,
        name: Node,
        context: Node,
        choices: Node,
        actor: str | None,
        cites: Node,
        items: tuple[Node, ...],
    ) -> syntax.Rule:
        return syntax.Rule(
            kind,
            str(name),
            self.indices(context),
            None if choices is None else self.parameters(choices),
            actor,
            self.cites(cites),
            tuple(self.rule_item(item) for item in items),
            self.span(tree),
        )

    def rule_item(self, tree: Node) -> syntax.RuleItem:
        match tree.data:
            case "require":
                condition, because, cites, french = tree.children
                return syntax.Require(
                    self.expression(condition),
                    self.optional_reason(because, french),
                    self.cites(cites),
                    self.span(tree),
                )
            case "weight":
                return syntax.Weight(self.expression(tree.children[0]), self.span(tree))
            case "say":
                return self.say(tree)
            case _:
                return self.statement(tree)

    def block(self, tree: Node) -> tuple[syntax.Statement, ...]:
        return self.block_of(*tree.children)

    def block_of(self, *statements: Node) -> tuple[syntax.Statement, ...]:
        with self.nested(statements[0]):
            return tuple(self.statement(child) for child in statements)

    def statement(self, tree: Node) -> syntax.Statement:
        span = self.span(tree)
        children = tree.children
        match tree.data:
            case "assignment":
                target, operator, value = children
                return syntax.Assignment(
                    self.place(target), str(operator), self.expression(value), span
                )
            case "flow_assignment":
                target, operator, value = children
                return syntax.Assignment(
                    self.expression_as_place(self.expression(target)),
                    str(operator),
                    self.expression(value),
                    span,
                )
            case "let":
                return syntax.Let(str(children[0]), self.expression(children[1]), span)
            case "move_pieces":
                amount, component, kinds, owner, source, target = children
                every = isinstance(amount, Tree) and amount.data == "every"
                return syntax.MovePieces(
                    None if every else self.expression(amount),
                    str(component),
                    None if kinds is None else self.expressions(kinds),
                    None if owner is None else self.expression(owner.children[0]),
                    self.place(source),
                    self.place(target),
                    span,
                )
            case "move_piece":
                return syntax.MovePiece(self.expression(children[0]), self.place(children[1]), span)
            case "put":
                _, piece, where, target = children
                return syntax.Put(self.expression(piece), str(where), self.place(target), span)
            case "shuffle":
                source, target = children
                return syntax.Shuffle(
                    self.place(source), None if target is None else self.place(target), span
                )
            case "add" | "remove" | "append":
                return syntax.Collect(
                    str(tree.data), self.expression(children[0]), self.place(children[1]), span
                )
            case "clear":
                return syntax.Clear(self.place(children[0]), span)
            case "ensure":
                return syntax.Ensure(
                    self.expression(children[0]), self.optional_text(children[1]), span
                )
            case "pass":
                return syntax.DoNothing(span)
            case "if_statement":
                condition, then, otherwise = children
                return syntax.IfStatement(
                    self.expression(condition),
                    self.block(then),
                    ()
                    if otherwise is None
                    else self.block_of(otherwise)
                    if otherwise.data == "if_statement"
                    else self.block(otherwise),
                    span,
                )
            case _:
                binding, where, body = children
                return syntax.ForStatement(
                    self.binding(binding), self.optional(where), self.block(body), span
                )

    def place(self, tree: Node) -> syntax.Place:
        name, indices, attribute, attribute_indices = tree.children
        return syntax.Place(
            str(name),
            None if indices is None else self.expressions(indices),
            None if attribute is None else str(attribute),
            None if attribute_indices is None else self.expressions(attribute_indices),
            self.span(tree),
        )

    def expression_as_place(self, expression: syntax.Expression) -> syntax.Place:
        """The flow's statements start like expressions; the grammar tells them apart too late."""
        match expression:
            case syntax.Name(text=name):
                return syntax.Place(name, None, None, None, expression.span)
            case syntax.Subscript(base=syntax.Name(text=name), indices=indices):
                return syntax.Place(name, indices, None, None, expression.span)
            case syntax.Attribute(base=base, name=attribute):
                inner = self.expression_as_place(base)
                return syntax.Place(inner.name, inner.indices, attribute, None, expression.span)
            case syntax.Subscript(
                base=syntax.Attribute(base=base, name=attribute), indices=indices
            ):
                inner = self.expression_as_place(base)
                return syntax.Place(inner.name, inner.indices, attribute, indices, expression.span)
            case _:
                self.reporter.error(
                    Code.UNEXPECTED,
                    "this cannot be assigned to",
                    expression.span,
                    "assign to a state, such as `first := p`",
                )
                return syntax.Place("_", None, None, None, expression.span)

    # --- flow ---------------------------------------------------------------------------------

    def declare_flow(
        self, tree: Node, name: Node, context: Node, cites: Node, body: Node
    ) -> syntax.Flow:
        return syntax.Flow(
            None if name is None else str(name),
            self.indices(context),
            self.cites(cites),
            self.flow_block(body),
            self.span(tree),
        )

    def flow_block(self, tree: Node) -> tuple[syntax.FlowItem, ...]:
        return self.flow_block_of(*tree.children)

    def flow_block_of(self, *items: Node) -> tuple[syntax.FlowItem, ...]:
        with self.nested(items[0]):
            return tuple(self.flow_item(child) for child in items)

    def flow_item(self, tree: Node) -> syntax.FlowItem:
        span = self.span(tree)
        children = tree.children
        match tree.data:
            case "phase":
                name, title, cites, body = children
                return syntax.PhaseBlock(
                    str(name),
                    self.optional_text(title),
                    self.cites(cites),
                    self.flow_block(body),
                    span,
                )
            case "repeat":
                bound, body = children
                return syntax.Repeat(
                    "" if bound is None else str(bound.data),
                    None if bound is None else self.expression(bound.children[0]),
                    self.flow_block(body),
                    span,
                )
            case "each":
                binding, down, start, where, body = children
                return syntax.Each(
                    self.binding(binding),
                    down is not None,
                    self.optional(start),
                    self.optional(where),
                    self.flow_block(body),
                    span,
                )
            case "decides":
                return syntax.Decides(self.expression(children[0]), self.offers(children[1]), span)
            case "together":
                binding, where, offers = children
                return syntax.Together(
                    self.binding(binding), self.optional(where), self.offers(offers), span
                )
            case "toss":
                return syntax.Toss(self.offer(children[0]), span)
            case "run":
                return syntax.Run(self.offer(children[0]), span)
            case "hook":
                return syntax.Hook(str(children[0]), span)
            case "flow_if":
                condition, then, otherwise = children
                return syntax.FlowIf(
                    self.expression(condition),
                    self.flow_block(then),
                    ()
                    if otherwise is None
                    else self.flow_block_of(otherwise)
                    if otherwise.data == "flow_if"
                    else self.flow_block(otherwise),
                    span,
                )
            case "stop":
                return syntax.Stop(self.optional(children[0]), span)
            case "end":
                return syntax.EndPlay(self.optional(children[0]), span)
            case _:
                statement = self.statement(children[0])
                assert isinstance(
                    statement, syntax.Assignment | syntax.Let | syntax.Collect | syntax.Clear
                )
                return syntax.FlowStatement(statement, span)

    def offers(self, tree: Node) -> tuple[syntax.Offer, ...]:
        return tuple(self.offer(child) for child in tree.children)

    def offer(self, tree: Node) -> syntax.Offer:
        name, arguments = tree.children
        return syntax.Offer(
            str(name),
            None if arguments is None else self.expressions(arguments),
            self.span(tree),
        )

    def declare_outcome(self, tree: Node, cites: Node, *items: Node) -> syntax.Outcome:
        return syntax.Outcome(
            self.cites(cites),
            tuple(
                self.say(item)
                if item.data == "say"
                else syntax.OutcomeLine(
                    str(item.data),
                    str(item.children[0]),
                    self.expression(item.children[1]),
                    self.span(item),
                )
                for item in items
            ),
            self.span(tree),
        )

    # --- properties ---------------------------------------------------------------------------

    def declare_invariant(
        self, tree: Node, name: Node, cites: Node, condition: Node, *says: Node
    ) -> syntax.Property:
        return syntax.Property(
            str(tree.data),
            str(name),
            self.cites(cites),
            self.expression(condition),
            self.says(says),
            self.span(tree),
        )

    declare_reachable = declare_invariant
    declare_hint = declare_invariant

    def declare_ends(self, tree: Node, how: Node, cites: Node, french: Node) -> syntax.Ends:
        if how.data == "measure":
            return syntax.Ends(
                self.expressions(how.children[0]), None, self.cites(cites), self.span(tree)
            )
        return syntax.Ends(
            (), self.reason(how.children[0], french), self.cites(cites), self.span(tree)
        )

    def declare_example(self, tree: Node, name: Node, cites: Node, *items: Node) -> syntax.Example:
        return syntax.Example(
            str(name),
            self.cites(cites),
            tuple(self.example_item(item) for item in items),
            self.span(tree),
        )

    def example_item(self, tree: Node) -> syntax.ExamplePart | syntax.Say:
        span = self.span(tree)
        match tree.data:
            case "example_players":
                return syntax.ExamplePart("players", number=int(tree.children[0]), span=span)
            case "example_given":
                return syntax.ExamplePart(
                    "given", statements=self.block(tree.children[0]), span=span
                )
            case "example_at":
                return syntax.ExamplePart("at", name=str(tree.children[0]), span=span)
            case "example_when":
                return syntax.ExamplePart(
                    "when",
                    moves=tuple(self.example_move(child) for child in tree.children),
                    span=span,
                )
            case "example_then":
                return syntax.ExamplePart(
                    "then",
                    conditions=tuple(self.expression(child) for child in tree.children),
                    span=span,
                )
            case _:
                return self.say(tree)

    def example_move(self, tree: Node) -> syntax.ExampleMove:
        actor, verb, rule, *rest = tree.children
        return syntax.ExampleMove(
            None if str(actor) == "chance" else str(actor),
            str(verb),
            str(rule),
            tuple(
                syntax.Argument(
                    str(child.children[0]), self.expression(child.children[1]), self.span(child)
                )
                for child in rest
                if isinstance(child, Tree)
            ),
            self.span(tree),
        )

    # --- sorts --------------------------------------------------------------------------------

    def indices(self, tree: Node) -> tuple[syntax.Index, ...]:
        if tree is None:
            return ()
        return tuple(
            syntax.Index(
                None if child.children[0] is None else str(child.children[0]),
                self.sort(child.children[1]),
                self.span(child),
            )
            for child in tree.children
        )

    def parameters(self, tree: Node) -> tuple[syntax.Parameter, ...]:
        return tuple(
            syntax.Parameter(str(child.children[0]), self.sort(child.children[1]), self.span(child))
            for child in tree.children
            if child is not None
        )

    def sort(self, tree: Node) -> syntax.SortReference:
        match tree.data:
            case "named_sort":
                return syntax.NamedSort(str(tree.children[0]), self.span(tree))
            case "boolean_sort":
                return syntax.BooleanSort(self.span(tree))
            case "range_sort":
                return self.range_sort(tree)
            case _:
                inner = self.sort(tree.children[0])
                assert not isinstance(inner, syntax.OptionalSort)
                return syntax.OptionalSort(inner, self.span(tree))

    def range_sort(self, tree: Node) -> syntax.RangeSort:
        low, high = tree.children
        return syntax.RangeSort(self.expression(low), self.expression(high), self.span(tree))

    def state_sort(self, tree: Node) -> syntax.StateSort:
        match tree.data:
            case "set_sort":
                return syntax.SetSort(self.sort(tree.children[0]), self.span(tree))
            case "sequence_sort":
                return syntax.SequenceSort(
                    self.sort(tree.children[0]), self.expression(tree.children[1]), self.span(tree)
                )
            case _:
                return self.sort(tree)

    def visibility(self, tree: Node) -> syntax.Visibility | None:
        if tree is None:
            return None
        span = self.span(tree)
        match tree.data:
            case "seen_by_all":
                return syntax.Visibility("all", span=span)
            case "seen_by":
                return syntax.Visibility("by", name=str(tree.children[0]), span=span)
            case "seen_if":
                return syntax.Visibility(
                    "if", condition=self.expression(tree.children[0]), span=span
                )
            case _:
                return syntax.Visibility("hidden", span=span)

    # --- expressions --------------------------------------------------------------------------

    def expressions(self, tree: Node) -> tuple[syntax.Expression, ...]:
        return tuple(self.expression(child) for child in tree.children)

    def optional(self, tree: Node) -> syntax.Expression | None:
        return None if tree is None else self.expression(tree)

    def binding(self, tree: Node) -> syntax.Binding:
        name, domain = tree.children
        return syntax.Binding(str(name), self.domain(domain), self.span(tree))

    def domain(self, tree: Node) -> syntax.Expression | syntax.RangeSort:
        if tree.data == "range_sort":
            return self.range_sort(tree)
        return self.expression(tree)

    def expression(self, tree: Node, levels: int = 1) -> syntax.Expression:
        self.depth += levels
        if self.depth > DEEPEST_TREE:
            raise TooDeep(self.span(tree))
        found = self.plain_expression(tree)
        self.depth -= levels
        return found

    def plain_expression(self, tree: Node) -> syntax.Expression:
        span = self.span(tree)
        children = tree.children
        match tree.data:
            case "number":
                return syntax.Number(int(children[0]), span)
            case "true" | "false":
                return syntax.Truth(tree.data == "true", span)
            case "none":
                return syntax.Nothing(span)
            case "name":
                return syntax.Name(str(children[0]), span)
            case "call":
                name, arguments = children
                return syntax.Call(
                    str(name), () if arguments is None else self.expressions(arguments), span
                )
            case "fold":
                operator, body, *rest = children
                *bindings, where, default = rest
                return syntax.Fold(
                    str(operator),
                    self.expression(body),
                    tuple(self.binding(binding) for binding in bindings),
                    self.optional(where),
                    self.optional(default),
                    span,
                )
            case "subscript":
                return syntax.Subscript(
                    self.expression(children[0]), self.expressions(children[1]), span
                )
            case "attribute":
                return syntax.Attribute(self.expression(children[0]), str(children[1]), span)
            case "group":
                return syntax.Group(self.expression(children[0]), span)
            case "sum" | "product":
                result = self.expression(children[0], len(children) // 2)
                for operator, operand in zip(children[1::2], children[2::2], strict=True):
                    result = syntax.Binary(str(operator), result, self.expression(operand), span)
                return result
            case "signed":
                return syntax.Signed(str(children[0]), self.expression(children[1]), span)
            case "compare":
                rest = zip(children[1::2], children[2::2], strict=True)
                return syntax.Compare(
                    self.expression(children[0]),
                    tuple((str(operator), self.expression(operand)) for operator, operand in rest),
                    span,
                )
            case "member" | "not_member":
                return syntax.Member(
                    self.expression(children[0]),
                    self.domain(children[1]),
                    tree.data == "not_member",
                    span,
                )
            case "not_":
                return syntax.Not(self.expression(children[0]), span)
            case "conjunction" | "disjunction":
                word = "and" if tree.data == "conjunction" else "or"
                result = self.expression(children[0], len(children) - 1)
                for child in children[1:]:
                    result = syntax.Binary(word, result, self.expression(child), span)
                return result
            case "implication":
                left, right = children
                if right is None:
                    return self.expression(left)
                return syntax.Binary("implies", self.expression(left), self.expression(right), span)
            case _:
                condition, then, otherwise = children
                return syntax.Conditional(
                    self.expression(condition),
                    self.expression(then),
                    self.expression(otherwise),
                    span,
                )
