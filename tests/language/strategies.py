"""Syntax trees as the parser makes them, drawn rule by rule from the grammar.

Expressions are drawn by level, so that every tree is one that some text has. `depth` bounds how
far trees nest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

from quarantia_spec import syntax as s
from quarantia_spec.source import Citation

Drawn = TypeVar("Drawn")

# Words of the language: a name may be one of them in some places, but never needs to be.
_WORDS = """
    game extends players named option boolean type set of sequence up to table given such
    that because component per player in distinct zone pile holds state seen by all if
    hidden term when reading ruling otherwise doubt say en fr decision chance step require
    weight let move every from put under on shuffle into add remove clear append ensure
    nothing else for where flow phase repeat times while until each down decides together
    run hook stop end outcome winner score invariant reachable hint ends never example at does
    cannot then implies or and not div mod true false none sum count any max min first
    replace
"""
KEYWORDS = frozenset(_WORDS.split())
FOLDS = ("sum", "count", "all", "any", "max", "min", "first")

names = (
    st.sampled_from(["a", "p", "heap", "San_Marco", "divide", "model", "index", "_x", "format"])
    | st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,12}", fullmatch=True)
).filter(lambda name: name not in KEYWORDS)
texts = st.builds(
    s.Text,
    st.text(st.characters(exclude_characters='"\n\0', exclude_categories=["Cs"]), max_size=12),
)


def many(
    elements: st.SearchStrategy[Drawn], least: int = 1, most: int = 3
) -> st.SearchStrategy[tuple[Drawn, ...]]:
    return st.lists(elements, min_size=least, max_size=most).map(tuple)


citation = st.builds(
    Citation,
    st.from_regex(r"[0-9A-Za-z]{1,3}(\.[0-9A-Za-z]{1,2}){0,2}", fullmatch=True),
    st.just("") | st.from_regex(r"[0-9a-z]{1,4}", fullmatch=True),
)
citations = many(citation, 0, 2)


def maybe(elements: st.SearchStrategy[Drawn]) -> st.SearchStrategy[Drawn | None]:
    return st.none() | elements


def cached(
    make: Callable[[int], st.SearchStrategy[Drawn]],
) -> Callable[[int], st.SearchStrategy[Drawn]]:
    """One strategy for each depth, built when it is first drawn from: they use each other.

    What is inside stays closed to Hypothesis, which would otherwise write out the whole grammar
    to describe it.
    """
    made: dict[int, st.SearchStrategy[Drawn]] = {}

    @st.composite
    def closed(draw: st.DrawFn, depth: int) -> Drawn:
        if depth not in made:
            made[depth] = make(depth)
        return draw(made[depth])

    return closed


# --- expressions, from the tightest level to the loosest --------------------------------------

leaves: st.SearchStrategy[s.Expression] = st.one_of(
    st.builds(s.Name, names),
    st.builds(s.Number, st.integers(0, 999_999_999)),
    st.builds(s.Truth, st.booleans()),
    st.just(s.Nothing()),
)


@cached
def atoms(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    inner = expressions(depth - 1)
    return st.one_of(
        leaves,
        st.builds(s.Call, names, many(inner, 0)),
        st.builds(s.Call, st.sampled_from(FOLDS), many(inner)),
        st.builds(s.Group, inner),
        st.builds(
            s.Fold,
            st.sampled_from(FOLDS),
            inner,
            many(bindings(depth - 1), most=2),
            maybe(inner),
            maybe(inner),
        ),
    )


@cached
def postfixes(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    return atoms(depth) | st.one_of(
        st.builds(s.Subscript, postfixes(depth - 1), many(expressions(depth - 1))),
        st.builds(s.Attribute, postfixes(depth - 1), names),
    )


@cached
def unaries(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    return postfixes(depth) | st.builds(s.Signed, st.sampled_from("+-"), unaries(depth - 1))


@cached
def products(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    operators = st.sampled_from(["*", "div", "mod"])
    return unaries(depth) | st.builds(s.Binary, operators, products(depth - 1), unaries(depth - 1))


@cached
def sums(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    operators = st.sampled_from("+-")
    return products(depth) | st.builds(s.Binary, operators, sums(depth - 1), products(depth - 1))


@cached
def ranges(depth: int) -> st.SearchStrategy[s.RangeSort]:
    return st.builds(s.RangeSort, sums(depth), sums(depth))


@cached
def bindings(depth: int) -> st.SearchStrategy[s.Binding]:
    return st.builds(s.Binding, names, sums(depth) | ranges(depth))


@cached
def negations(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    term = sums(depth - 1)
    relations = st.sampled_from(["=", "!=", "<=", ">=", "<", ">"])
    return sums(depth) | st.one_of(
        st.builds(s.Compare, term, many(st.tuples(relations, term), most=2)),
        st.builds(s.Member, term, term | ranges(depth - 1), st.booleans()),
        st.builds(s.Not, negations(depth - 1)),
    )


@cached
def conjunctions(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    chain = st.builds(s.Binary, st.just("and"), conjunctions(depth - 1), negations(depth - 1))
    return negations(depth) | chain


@cached
def disjunctions(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    chain = st.builds(s.Binary, st.just("or"), disjunctions(depth - 1), conjunctions(depth - 1))
    return conjunctions(depth) | chain


@cached
def implications(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    return disjunctions(depth) | st.builds(
        s.Binary, st.just("implies"), disjunctions(depth - 1), implications(depth - 1)
    )


@cached
def expressions(depth: int) -> st.SearchStrategy[s.Expression]:
    if depth <= 0:
        return leaves
    inner = expressions(depth - 1)
    return implications(depth) | st.builds(s.Conditional, inner, inner, inner)


# --- parts of declarations --------------------------------------------------------------------

amount = sums(2)
value = expressions(3)
plain_sorts = st.builds(s.NamedSort, names) | st.just(s.BooleanSort()) | ranges(1)
sorts: st.SearchStrategy[s.SortReference] = plain_sorts | st.builds(s.OptionalSort, plain_sorts)
state_sorts = sorts | st.builds(s.SetSort, sorts) | st.builds(s.SequenceSort, sorts, amount)
indices = many(st.builds(s.Index, maybe(names), sorts), least=0, most=2)
parameters = many(st.builds(s.Parameter, names, sorts), least=0)
plain_visibilities = st.one_of(
    st.just(s.Visibility("all")),
    st.builds(s.Visibility, st.just("by"), names),
    st.just(s.Visibility("hidden")),
)
visibilities = plain_visibilities | st.builds(s.Visibility, st.just("if"), st.just(""), value)
subscripts = maybe(many(expressions(1), most=2))
places = st.builds(s.Place, names, subscripts, st.none(), st.none()) | st.builds(
    s.Place, names, subscripts, names, subscripts
)
languages = st.sampled_from(["en", "fr"])
says = st.builds(s.Say, st.just("say"), languages, texts)
doubts = st.builds(s.Say, st.just("doubt"), languages, texts)

# --- statements -------------------------------------------------------------------------------

assignments = st.builds(s.Assignment, places, st.sampled_from([":=", "+=", "-="]), value)
lets = st.builds(s.Let, names, value)
clears = st.builds(s.Clear, places)
collects = st.builds(s.Collect, st.sampled_from(["add", "remove"]), amount, places)
simple_statements: st.SearchStrategy[s.Statement] = st.one_of(
    assignments,
    lets,
    st.builds(s.MovePieces, maybe(amount), names, subscripts, maybe(amount), places, places),
    st.builds(s.MovePiece, amount, places),
    st.builds(s.Put, amount, st.sampled_from(["under", "on"]), places),
    st.builds(s.Shuffle, places, maybe(places)),
    collects,
    st.builds(s.Collect, st.just("append"), amount, places),
    clears,
    st.builds(s.Ensure, value, maybe(texts)),
    st.just(s.DoNothing()),
)


@cached
def statements(depth: int) -> st.SearchStrategy[s.Statement]:
    if depth <= 0:
        return simple_statements
    block = many(statements(depth - 1), most=2)
    return st.one_of(
        simple_statements,
        st.builds(s.IfStatement, value, block, st.just(()) | block),
        st.builds(s.ForStatement, bindings(1), maybe(value), block),
    )


reasons = st.builds(s.Reason, texts, maybe(texts))
rule_items: st.SearchStrategy[s.RuleItem] = st.one_of(
    st.builds(s.Require, value, maybe(reasons), citations),
    st.builds(s.Weight, value),
    says,
    statements(2),
)

# --- flow -------------------------------------------------------------------------------------

offers = st.builds(s.Offer, names, subscripts)
simple_flow: st.SearchStrategy[s.FlowItem] = st.one_of(
    st.builds(s.Decides, amount, many(offers, most=2)),
    st.builds(s.Together, bindings(1), maybe(value), many(offers, most=2)),
    st.builds(s.Toss, offers),
    st.builds(s.Run, offers),
    st.builds(s.Hook, names),
    st.builds(s.Stop, maybe(value)),
    st.builds(s.EndPlay, maybe(value)),
    st.builds(s.FlowStatement, st.one_of(assignments, lets, collects, clears)),
)


@cached
def flow_items(depth: int) -> st.SearchStrategy[s.FlowItem]:
    if depth <= 0:
        return simple_flow
    block = many(flow_items(depth - 1), most=2)
    return st.one_of(
        simple_flow,
        st.builds(s.PhaseBlock, names, maybe(texts), citations, block),
        st.builds(s.Repeat, st.just(""), st.none(), block),
        st.builds(s.Repeat, st.just("times"), amount, block),
        st.builds(s.Repeat, st.sampled_from(["while", "until"]), value, block),
        st.builds(s.Each, bindings(1), st.booleans(), maybe(amount), maybe(value), block),
        st.builds(s.FlowIf, value, block, st.just(()) | block),
    )


# --- declarations -----------------------------------------------------------------------------

rulings = st.builds(s.Ruling, many(names), reasons)
clauses = st.builds(
    s.Clause, many(citation, 1, 2), names, maybe(value), value, st.just(())
) | st.builds(
    s.Clause,
    many(citation, 1, 2),
    names,
    maybe(value),
    st.none(),
    many(st.builds(s.Reading, names, citations, value) | rulings | doubts | says),
)
moves = st.builds(
    s.ExampleMove,
    maybe(names),
    st.sampled_from(["does", "cannot"]),
    names,
    many(st.builds(s.Argument, names, value), least=0, most=2),
)
example_items = st.one_of(
    says,
    st.builds(s.ExamplePart, st.just("players"), number=st.integers(0, 9)),
    st.builds(s.ExamplePart, st.just("at"), name=names),
    st.builds(s.ExamplePart, st.just("given"), statements=many(statements(1))),
    st.builds(s.ExamplePart, st.just("when"), moves=many(moves)),
    st.builds(s.ExamplePart, st.just("then"), conditions=many(value)),
)
holdings = st.builds(s.Holding, names, maybe(names), maybe(amount))
components = st.one_of(
    st.builds(
        s.Component, names, indices, amount, st.booleans(), st.just(False), st.just(()),
        maybe(names), citations,
    ),
    st.builds(
        s.Component, names, indices, amount, st.just(False), st.just(True), st.just(()),
        maybe(names), citations,
    ),
    st.builds(
        s.Component, names, indices, st.none(), st.just(False), st.just(True), many(names, 2),
        maybe(names), citations,
    ),
)  # fmt: skip
rules = st.one_of(
    st.builds(
        s.Rule, st.just("decision"), names, indices, maybe(parameters), names, citations,
        many(rule_items),
    ),
    st.builds(
        s.Rule, st.just("chance"), names, indices, maybe(parameters), st.none(), citations,
        many(rule_items),
    ),
    st.builds(
        s.Rule, st.just("step"), names, indices, st.none(), st.none(), citations,
        many(rule_items),
    ),
)  # fmt: skip
plain_declarations: st.SearchStrategy[s.Declaration] = st.one_of(
    st.builds(s.Players, amount, maybe(amount), many(names, 0), citations),
    st.builds(s.TypeDeclaration, names, many(names), st.none(), citations),
    st.builds(s.TypeDeclaration, names, st.just(()), ranges(1), citations),
    st.builds(s.Option, names, sorts, value, citations),
    st.builds(s.Table, names, indices, sorts, many(value), many(says, 0, 2), citations),
    st.builds(
        s.Given, names, indices, sorts,
        many(says | st.builds(s.SuchThat, value, maybe(reasons), citations), 0), citations,
    ),
    components,
    st.builds(
        s.Zone, st.sampled_from(["zone", "pile"]), names, indices, many(holdings, most=2),
        maybe(visibilities), citations,
    ),
    st.builds(
        s.State, names, indices, state_sorts, maybe(value), maybe(visibilities), citations
    ),
    st.builds(
        s.Term, names, maybe(parameters), sorts, maybe(plain_visibilities), maybe(value),
        citations,
        many(clauses | rulings | st.builds(s.Otherwise, value, reasons) | doubts | says, 0),
    ),
    rules,
    st.builds(s.Flow, maybe(names), indices, citations, many(flow_items(2))),
    st.builds(
        s.Outcome, citations,
        many(says | st.builds(s.OutcomeLine, st.sampled_from(["winner", "score"]), names, value)),
    ),
    st.builds(
        s.Property, st.sampled_from(["invariant", "reachable", "hint"]), names, citations, value,
        many(says, 0, 2),
    ),
    st.builds(s.Ends, many(value), st.none(), citations),
    st.builds(s.Ends, st.just(()), reasons, citations),
    st.builds(s.Example, names, citations, many(example_items)),
)  # fmt: skip


@cached
def declared(depth: int) -> st.SearchStrategy[s.Declaration]:
    if depth <= 0:
        return plain_declarations
    return plain_declarations | st.builds(s.Replacement, declared(depth - 1))


declarations = declared(1)
modules = st.builds(s.Module, names, texts, maybe(texts), many(declarations, 0, 5))
