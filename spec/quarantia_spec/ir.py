"""The one meaning of a game: what engine, checker, documentation and conformance all read.

A `Game` is for one number of players and one choice of readings: every size is a number, every
ambiguity is settled, every loop has fixed bounds. A position is a flat row of small integers:
cell 0 holds the number of the flow node where play stands, then come the cells of the variables
in order (`Variable.offset`). Read `Game` first, then `Node`.

NOTE(sequence) Statements run in order, each sees what those before it did. There are only five
kinds, so that the engine and the checker have little room to differ.

NOTE(undefined) An index outside its dimension, a division by zero and a value outside a cell's
range have no meaning. Wherever the front end cannot exclude them by ranges it puts an `Oblige`
before the statement that needs it. `and`, `or`, `implies`, `if` and the conditions of folds look
at their right side only when the left side calls for it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from quarantia_spec.source import BUILT_IN, Origin, rebuilt_when_loaded

# --- sorts ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sort:
    """The values an expression or a cell may have: all integers from `low` to `high`.

    `names` is the enumeration that names them ("" for plain numbers); value 0 is its first
    member. With `optional`, `low` stands for `none`. A boolean is 0 or 1.
    """

    low: int
    high: int
    names: str = ""
    optional: bool = False
    boolean: bool = False

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def within(self, other: Sort) -> bool:
        return other.low <= self.low and self.high <= other.high


BOOLEAN = Sort(0, 1, boolean=True)

# --- expressions ----------------------------------------------------------------------------


class Op(Enum):
    """What `Apply` can do; `quarantia_spec.ops` has a row for each."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "div"
    MOD = "mod"
    NEG = "neg"
    ABS = "abs"
    MIN = "min"
    MAX = "max"
    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    AND = "and"
    OR = "or"
    NOT = "not"
    IMPLIES = "implies"
    IF = "if"


class FoldOp(Enum):
    SUM = "sum"
    COUNT = "count"
    ALL = "all"
    ANY = "any"
    MAX = "max"
    MIN = "min"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class Const:
    value: int
    sort: Sort
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Read:
    """The cell of a variable: offset + the sum of (index - low of dimension) * stride."""

    variable: str
    indices: tuple[Expr, ...]
    sort: Sort
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Lookup:
    """An entry of a table: printed in the rulebook, or `given` (unknown to the checker)."""

    table: str
    indices: tuple[Expr, ...]
    sort: Sort
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Local:
    """A parameter, a bound variable of a fold or loop, or a `let`. Unique within one rule."""

    name: str
    sort: Sort
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Apply:
    op: Op
    args: tuple[Expr, ...]
    sort: Sort
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Fold:
    """`body` for each value of `name` from `low` to `high` where `where` holds, put together.

    COUNT counts values for which the boolean body holds. FIRST is the lowest value for which it
    holds, else `none`, which is `low - 1`. MAX and MIN of nothing are `default`.
    """

    op: FoldOp
    name: str
    low: int
    high: int
    where: Expr | None
    body: Expr
    default: Expr | None
    sort: Sort
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """The value of a term. Terms are pure, and never call themselves, even indirectly."""

    term: str
    args: tuple[Expr, ...]
    sort: Sort
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


Expr = Const | Read | Lookup | Local | Apply | Fold | Call

# --- text -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with holes: text and expressions in turn."""

    parts: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True)
class Sentences:
    """One sentence in each language, or nothing."""

    english: Template | None = None
    french: Template | None = None


NO_SENTENCES = Sentences()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was ruled, said in each language; French may be missing."""

    english: str = ""
    french: str = ""


NO_REASON = Reason()

# --- statements -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign:
    variable: str
    indices: tuple[Expr, ...]
    value: Expr
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class For:
    """The body for each value from `low` to `high`, in that order."""

    name: str
    low: int
    high: int
    body: tuple[Statement, ...]
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Let:
    """Names a value, as it is now, for the rest of the block.

    Among guards, `defined` (None: always) must hold whenever the guards before it do; in a body
    an Oblige stands before it instead.
    """

    name: str
    value: Expr
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)
    defined: Expr | None = None


class Duty(Enum):
    """Why something must hold at this point."""

    RANGE = "range"  # the assigned value fits its cell
    PIECES = "pieces"  # a move finds its pieces
    CAPACITY = "capacity"  # a zone has room
    CONSERVED = "conserved"  # pieces fit, because there are no more than the total of their kind
    DEFINED = "defined"  # an index, a division, a draw has a meaning
    STATED = "stated"  # the author said `ensure`


@dataclass(frozen=True, slots=True)
class Oblige:
    """The checker proves `condition` here; the engine stops with an error when it is false."""

    condition: Expr
    duty: Duty
    message: str
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


Statement = Assign | If | For | Let | Oblige

# --- rules ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    sort: Sort


@dataclass(frozen=True, slots=True)
class Require:
    """A condition of legality. It may use the parameters and the lets before it.

    `defined` (None: always) must hold whenever the guards before this one do: then the condition
    has a meaning. The checker proves it.
    """

    condition: Expr
    because: Sentences | None
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)
    defined: Expr | None = None


Guard = Require | Let


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player may choose. `context` comes from the flow, `choices` from the player.

    `actor` is the name of the local that holds who decides. Guards are evaluated in order on the
    position before the move; the lets among them stay in scope for the body.
    """

    name: str
    actor: str
    context: tuple[Parameter, ...]
    choices: tuple[Parameter, ...]
    guards: tuple[Guard, ...]
    body: tuple[Statement, ...]
    say: Sentences
    secret: bool = False  # a choice made together: the body only writes it down
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Chance:
    """What dice and shuffles decide: one of the outcomes that the guards allow.

    Each has probability in proportion to `weight` (all alike when it is None; never negative).
    """

    name: str
    context: tuple[Parameter, ...]
    choices: tuple[Parameter, ...]
    guards: tuple[Guard, ...]
    weight: Expr | None
    body: tuple[Statement, ...]
    say: Sentences
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


# --- flow -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """A decision or chance as the flow offers it, with its context filled in."""

    rule: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Auto:
    """Happens by itself. `rule` names the step, "" for the flow's own bookkeeping."""

    number: int
    body: tuple[Statement, ...]
    next: int
    rule: str
    phase: tuple[str, ...]
    say: Sentences = NO_SENTENCES
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Branch:
    number: int
    condition: Expr
    yes: int
    no: int
    phase: tuple[str, ...]
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Decide:
    """One player chooses among the offers."""

    number: int
    actor: Expr
    offers: tuple[Offer, ...]
    next: int
    phase: tuple[str, ...]
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Gather:
    """Several choose at once and in secret: everyone whose cell of `waiting` is true.

    The offers are secret decisions whose bodies write the choice down and clear the cell. `next`
    is a Branch that comes back here until nobody waits, then an Auto that carries out the
    choices in seat order. The order in which players answer makes no difference.
    """

    number: int
    waiting: str
    offers: tuple[Offer, ...]
    next: int
    phase: tuple[str, ...]
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Toss:
    """Chance decides."""

    number: int
    offer: Offer
    next: int
    phase: tuple[str, ...]
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class End:
    """The game is over."""

    number: int
    phase: tuple[str, ...] = ()
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


Node = Auto | Branch | Decide | Gather | Toss | End

# --- terms ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    name: str
    value: Expr
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Clause:
    """What one passage says of a term, when it applies, and how it can be read.

    `chosen` is the reading in force (rulings, or the readings asked for when loading).
    """

    name: str
    when: Expr | None
    readings: tuple[Reading, ...]
    chosen: str
    ruled: bool
    because: Reason
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Term:
    """A pure function. `body` is its settled meaning; the clauses are what the text says.

    `precedence` lists clause names from the strongest, as ruled; () when nothing is ruled, and
    then the clauses stand in the order written. `otherwise` is the ruling on cases that no clause
    covers, with a reason of its own.
    """

    name: str
    parameters: tuple[Parameter, ...]
    sort: Sort
    body: Expr
    clauses: tuple[Clause, ...]
    precedence: tuple[str, ...]
    otherwise: Expr | None
    because: Reason
    shown: bool  # everyone may see its values
    say: Sentences
    doubt: Sentences
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)
    otherwise_because: Reason = NO_REASON


# --- data -----------------------------------------------------------------------------------


class Role(Enum):
    STATE = "state"  # declared by the author
    PIECES = "pieces"  # how many pieces lie in a zone
    PLACE = "place"  # in which zone a distinct piece is, or its rank in a pile
    FLOW = "flow"  # loop variables and counters of the flow
    PENDING = "pending"  # choices made together, not yet carried out


@dataclass(frozen=True, slots=True)
class Variable:
    """A map from its dimensions to its sort; no dimension means a single cell.

    `initial` and `visible` may use the locals named in `index_names`; `visible` also uses the
    local `viewer` (a player) and may read the position. None: everyone sees it.
    """

    name: str
    dimensions: tuple[Sort, ...]
    index_names: tuple[str, ...]
    sort: Sort
    initial: Expr
    visible: Expr | None
    role: Role
    offset: int
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)

    @property
    def cells(self) -> int:
        product = 1
        for dimension in self.dimensions:
            product *= dimension.size
        return product

    @property
    def strides(self) -> tuple[int, ...]:
        result: list[int] = []
        product = 1
        for dimension in reversed(self.dimensions):
            result.append(product)
            product *= dimension.size
        return tuple(reversed(result))


@dataclass(frozen=True, slots=True)
class Table:
    """Constant data. `values` in row-major order, or None when `given` (see data files)."""

    name: str
    dimensions: tuple[Sort, ...]
    index_names: tuple[str, ...]
    sort: Sort
    values: tuple[int, ...] | None
    say: Sentences = NO_SENTENCES
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Assumption:
    """What the text says of given data: true in every edition."""

    table: str
    condition: Expr
    because: Reason
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Component:
    """Pieces of one kind; `total` counts all of them, of all kinds and owners."""

    name: str
    distinct: bool
    owned: bool
    kinds: tuple[Sort, ...]
    total: int
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for pieces.

    `first_codes` gives for each distinct component it holds the code of the zone's first instance
    in the cells of `COMPONENT.at`; the other instances follow in row-major order.
    """

    name: str
    dimensions: tuple[Sort, ...]
    index_names: tuple[str, ...]
    holds: tuple[str, ...]
    ordered: bool
    first_codes: tuple[tuple[str, int], ...]
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


# --- properties -----------------------------------------------------------------------------


class PropertyKind(Enum):
    INVARIANT = "invariant"
    REACHABLE = "reachable"
    HINT = "hint"  # not claimed: offered to the prover wherever it may hold


@dataclass(frozen=True, slots=True)
class Property:
    kind: PropertyKind
    name: str
    condition: Expr
    say: Sentences
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ends:
    """A measure (in lexical order, each part bounded below) that makes play end.

    No measure: the author says that play need not end.
    """

    measure: tuple[Expr, ...]
    because: Reason
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ExampleMove:
    """One move of an example; `actor` None is chance, `refused` says that it must be illegal."""

    actor: int | None
    rule: str
    arguments: tuple[tuple[str, int], ...]
    refused: bool
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Example:
    """Starts at `node` (the start of play when None) after `setup` changed the first position.

    Play then runs by itself to the next decision, the moves are made, and `then` must hold.
    """

    name: str
    setup: tuple[Statement, ...]
    node: int | None
    moves: tuple[ExampleMove, ...]
    then: tuple[Expr, ...]
    say: Sentences
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who has won and with what score, once play has reached an End. `player` is a local."""

    player: str
    winner: Expr
    score: Expr | None
    say: Sentences
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Phase:
    name: str
    title: str
    origin: Origin = field(default=BUILT_IN, compare=False, repr=False)


# --- the game -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    name: str
    title: str
    players: int
    player_counts: tuple[int, ...]
    readings: tuple[tuple[str, str], ...]  # ("term.clause", reading) asked for, beyond rulings
    options: tuple[tuple[str, int], ...]
    enumerations: dict[str, tuple[str, ...]]  # "Player" is always there
    components: tuple[Component, ...]
    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    tables: tuple[Table, ...]
    assumptions: tuple[Assumption, ...]
    terms: tuple[Term, ...]  # callees before callers
    decisions: tuple[Decision, ...]
    chances: tuple[Chance, ...]
    nodes: tuple[Node, ...]  # nodes[i].number == i
    entry: int
    phases: tuple[Phase, ...]
    outcome: Outcome
    properties: tuple[Property, ...]
    ends: Ends | None
    examples: tuple[Example, ...]

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that the rules say, for this number of players and readings."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    @property
    def cells(self) -> int:
        """Length of a position, the control cell included."""
        return 1 + sum(variable.cells for variable in self.variables)

    @cached_property
    def variable(self) -> dict[str, Variable]:
        return {variable.name: variable for variable in self.variables}

    @cached_property
    def table(self) -> dict[str, Table]:
        return {table.name: table for table in self.tables}

    @cached_property
    def term(self) -> dict[str, Term]:
        return {term.name: term for term in self.terms}

    @cached_property
    def decision(self) -> dict[str, Decision]:
        return {decision.name: decision for decision in self.decisions}

    @cached_property
    def chance(self) -> dict[str, Chance]:
        return {chance.name: chance for chance in self.chances}


for _kind in [value for value in globals().values() if isinstance(value, type)]:
    rebuilt_when_loaded(_kind)
