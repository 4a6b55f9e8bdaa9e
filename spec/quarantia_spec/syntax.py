"""What the author wrote, one node for each form of the grammar.

Nodes compare without their places, so that a test can parse the expected text and compare trees.
Nothing here is resolved: a `Name` may turn out to be a state, a member, a parameter or a mistake.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from quarantia_spec.source import NOWHERE, Citation, Span

# --- expressions ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Nothing:
    """The word `none`."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name:
    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    arguments: tuple[Expression, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Subscript:
    base: Expression
    indices: tuple[Expression, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Attribute:
    base: Expression
    name: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Group:
    """Brackets the author wrote; kept so that the formatter gives them back."""

    inner: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: Expression
    right: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """`a <= b < c`: every neighbouring pair must satisfy its relation."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Member:
    value: Expression
    collection: Expression | RangeSort
    negated: bool
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Signed:
    sign: str
    operand: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Binding:
    name: str
    domain: Expression | RangeSort
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Fold:
    operator: str
    body: Expression
    bindings: tuple[Binding, ...]
    where: Expression | None
    default: Expression | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Expression = (
    Number
    | Truth
    | Nothing
    | Name
    | Call
    | Subscript
    | Attribute
    | Group
    | Binary
    | Compare
    | Member
    | Not
    | Signed
    | Conditional
    | Fold
)

# --- sorts ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamedSort:
    name: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BooleanSort:
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RangeSort:
    low: Expression
    high: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OptionalSort:
    inner: NamedSort | BooleanSort | RangeSort
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SetSort:
    element: SortReference
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SequenceSort:
    element: SortReference
    limit: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


SortReference = NamedSort | BooleanSort | RangeSort | OptionalSort
StateSort = SortReference | SetSort | SequenceSort

# --- small parts ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence as written, its holes not yet parsed."""

    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reason:
    """What stands after `because`, and the French line below it."""

    english: Text
    french: Text | None


@dataclass(frozen=True, slots=True)
class Say:
    """`say` or `doubt` in one language."""

    word: str
    language: str
    text: Text
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Index:
    name: str | None
    sort: SortReference
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    sort: SortReference
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Visibility:
    """`kind` is all, by, if or hidden; `seen by all` opens what a zone would hide."""

    kind: str
    name: str = ""
    condition: Expression | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """A state, zone or flow variable: `bid[q, p]`, `site[d].house[p]`."""

    name: str
    indices: tuple[Expression, ...] | None
    attribute: str | None
    attribute_indices: tuple[Expression, ...] | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Citations = tuple[Citation, ...]

# --- statements -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assignment:
    target: Place
    operator: str
    value: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Let:
    name: str
    value: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MovePieces:
    """`amount` None is `every`."""

    amount: Expression | None
    component: str
    kinds: tuple[Expression, ...] | None
    owner: Expression | None
    source: Place
    target: Place
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MovePiece:
    piece: Expression
    target: Place
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Put:
    """`where` is under or on."""

    piece: Expression
    where: str
    target: Place
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Shuffle:
    source: Place
    target: Place | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Collect:
    """`verb` is add, remove or append: sets and sequences."""

    verb: str
    value: Expression
    target: Place
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Clear:
    target: Place
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ensure:
    condition: Expression
    because: Text | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DoNothing:
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class IfStatement:
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ForStatement:
    binding: Binding
    where: Expression | None
    body: tuple[Statement, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Statement = (
    Assignment
    | Let
    | MovePieces
    | MovePiece
    | Put
    | Shuffle
    | Collect
    | Clear
    | Ensure
    | DoNothing
    | IfStatement
    | ForStatement
)


@dataclass(frozen=True, slots=True)
class Require:
    condition: Expression
    because: Reason | None
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Weight:
    value: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


RuleItem = Require | Weight | Say | Statement

# --- flow -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    name: str
    arguments: tuple[Expression, ...] | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PhaseBlock:
    name: str
    title: Text | None
    cites: Citations
    body: tuple[FlowItem, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Repeat:
    """`kind` is times, while, until, or "" for a loop that only `stop` and `end` leave."""

    kind: str
    bound: Expression | None
    body: tuple[FlowItem, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Each:
    binding: Binding
    down: bool
    start: Expression | None
    where: Expression | None
    body: tuple[FlowItem, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Decides:
    player: Expression
    offers: tuple[Offer, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Together:
    binding: Binding
    where: Expression | None
    offers: tuple[Offer, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Toss:
    offer: Offer
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Run:
    offer: Offer
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Hook:
    name: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FlowIf:
    condition: Expression
    then: tuple[FlowItem, ...]
    otherwise: tuple[FlowItem, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Stop:
    when: Expression | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EndPlay:
    when: Expression | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FlowStatement:
    statement: Assignment | Let | Collect | Clear
    span: Span = field(default=NOWHERE, compare=False, repr=False)


FlowItem = (
    PhaseBlock
    | Repeat
    | Each
    | Decides
    | Together
    | Toss
    | Run
    | Hook
    | FlowIf
    | Stop
    | EndPlay
    | FlowStatement
)

# --- declarations ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Players:
    low: Expression
    high: Expression | None
    names: tuple[str, ...]
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TypeDeclaration:
    """Either the alternatives of an enumeration or union, or a range."""

    name: str
    alternatives: tuple[str, ...]
    range: RangeSort | None
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Option:
    name: str
    sort: SortReference
    value: Expression
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    indices: tuple[Index, ...]
    sort: SortReference
    values: tuple[Expression, ...]
    says: tuple[Say, ...]
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SuchThat:
    condition: Expression
    because: Reason | None
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Given:
    name: str
    indices: tuple[Index, ...]
    sort: SortReference
    items: tuple[SuchThat | Say, ...]
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Component:
    """`members` names distinct pieces; else `count`, of which `distinct` says how."""

    name: str
    indices: tuple[Index, ...]
    count: Expression | None
    per_player: bool
    distinct: bool
    members: tuple[str, ...]
    zone: str | None
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Holding:
    component: str
    owner: str | None
    capacity: Expression | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Zone:
    """`kind` is zone or pile."""

    kind: str
    name: str
    indices: tuple[Index, ...]
    holdings: tuple[Holding, ...]
    visibility: Visibility | None
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class State:
    name: str
    indices: tuple[Index, ...]
    sort: StateSort
    initial: Expression | None
    visibility: Visibility | None
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reading:
    name: str
    cites: Citations
    value: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ruling:
    names: tuple[str, ...]
    because: Reason
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Otherwise:
    value: Expression
    because: Reason
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Clause:
    """Either a value, or readings with what belongs to them."""

    cites: Citations
    name: str
    when: Expression | None
    value: Expression | None
    items: tuple[Reading | Ruling | Say, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Term:
    name: str
    parameters: tuple[Parameter, ...] | None
    sort: SortReference
    visibility: Visibility | None
    value: Expression | None
    cites: Citations
    items: tuple[Clause | Ruling | Otherwise | Say, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Rule:
    """`kind` is decision, chance or step; only a decision has an actor."""

    kind: str
    name: str
    context: tuple[Index, ...]
    choices: tuple[Parameter, ...] | None
    actor: str | None
    cites: Citations
    items: tuple[RuleItem, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Flow:
    """Without a name it is the game itself."""

    name: str | None
    context: tuple[Index, ...]
    cites: Citations
    body: tuple[FlowItem, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OutcomeLine:
    """`word` is winner or score."""

    word: str
    player: str
    value: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    cites: Citations
    items: tuple[OutcomeLine | Say, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Property:
    """`kind` is invariant, reachable or hint."""

    kind: str
    name: str
    cites: Citations
    condition: Expression
    says: tuple[Say, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ends:
    """A measure, or a reason why play need not end."""

    measure: tuple[Expression, ...]
    because: Reason | None
    cites: Citations
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    value: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ExampleMove:
    """`actor` None is chance; `verb` is does or cannot."""

    actor: str | None
    verb: str
    rule: str
    arguments: tuple[Argument, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ExamplePart:
    """`word` is players, given, at, when or then; the field that goes with it is filled."""

    word: str
    number: int = 0
    name: str = ""
    statements: tuple[Statement, ...] = ()
    moves: tuple[ExampleMove, ...] = ()
    conditions: tuple[Expression, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    cites: Citations
    items: tuple[ExamplePart | Say, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Replacement:
    declaration: Declaration
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Declaration = (
    Players
    | TypeDeclaration
    | Option
    | Table
    | Given
    | Component
    | Zone
    | State
    | Term
    | Rule
    | Flow
    | Outcome
    | Property
    | Ends
    | Example
    | Replacement
)


@dataclass(frozen=True, slots=True)
class Module:
    """One file."""

    name: str
    title: Text
    extends: Text | None
    declarations: tuple[Declaration, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)
