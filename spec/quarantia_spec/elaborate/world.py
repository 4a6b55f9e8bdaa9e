"""What is declared, found by name, in whatever order it stands in the file.

Declarations are elaborated when they are first needed and only once; a declaration that needs
itself is reported. Everything shares one space of names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from quarantia_spec import ir, syntax
from quarantia_spec.defined import Definedness
from quarantia_spec.diagnostics import Code, Label, Reporter
from quarantia_spec.passages import Passages
from quarantia_spec.source import Origin, Span
from quarantia_spec.suggest import closest

LARGEST_DOMAIN = 1024  # values of an index, a choice or a bound variable
LARGEST_RANGE = 1_000_000  # values of a cell
LARGEST_POSITION = 20_000
LARGEST_TABLE = 100_000  # combinations of the indices of one declaration
LARGEST_NUMBER = 10**12  # what a calculation can come to
LARGEST_CONDITION = 20_000  # parts of what a term asks of those who use it

BUILT_IN_FUNCTIONS = (
    "abs", "bottom", "drawable", "length", "max", "min", "next", "ordinal", "previous", "size",
    "top",
)  # fmt: skip

T = TypeVar("T")


class Gone(Exception):
    """An expression could not be elaborated; its mistake has been reported."""


@dataclass(frozen=True, slots=True)
class StateInfo:
    """`form` is cell, set or sequence; `element` the sort of a cell, member or entry."""

    name: str
    form: str
    dimensions: tuple[ir.Sort, ...]
    element: ir.Sort
    limit: int
    span: Span


@dataclass(frozen=True, slots=True)
class ComponentInfo:
    name: str
    distinct: bool
    owned: bool
    kinds: tuple[ir.Sort, ...]
    kind_names: tuple[str, ...]
    most: int  # pieces of one kind and owner at most
    total: int
    zone: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class HoldingInfo:
    """`owner_index` is the position of the zone index that fixes the owner, or None."""

    component: str
    owner_index: int | None
    capacity: int | None


@dataclass(frozen=True, slots=True)
class ZoneInfo:
    name: str
    ordered: bool
    dimensions: tuple[ir.Sort, ...]
    index_names: tuple[str, ...]
    holdings: tuple[HoldingInfo, ...]
    visibility: syntax.Visibility | None
    span: Span

    def holding(self, component: str) -> HoldingInfo | None:
        return next((h for h in self.holdings if h.component == component), None)

    @property
    def instances(self) -> int:
        product = 1
        for dimension in self.dimensions:
            product *= dimension.size
        return product


@dataclass(frozen=True, slots=True)
class TermInfo:
    name: str
    parameters: tuple[ir.Parameter, ...]
    sort: ir.Sort


@dataclass
class World:
    """Everything declared in a game, for one number of players."""

    reporter: Reporter
    players: int
    passages: Passages
    readings: Mapping[str, str]
    option_values: Mapping[str, int | str]
    declared: dict[str, syntax.Declaration] = field(default_factory=dict)
    enumerations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    types: dict[str, ir.Sort] = field(default_factory=dict)
    members: dict[str, ir.Const] = field(default_factory=dict)
    tables: dict[str, ir.Table] = field(default_factory=dict)
    terms: dict[str, ir.Term] = field(default_factory=dict)
    variables: dict[str, ir.Variable] = field(default_factory=dict)
    assumptions: list[ir.Assumption] = field(default_factory=list)
    used_readings: set[str] = field(default_factory=set)
    rules_used: set[str] = field(default_factory=set)
    defined: Definedness = field(default_factory=Definedness)
    _memory: dict[tuple[str, str], object] = field(default_factory=dict)
    _busy: list[tuple[str, str]] = field(default_factory=list)

    # --- finding -----------------------------------------------------------------------------

    def once(self, kind: str, name: str, span: Span, make: Callable[[], T]) -> T:
        """Elaborate a declaration the first time it is asked for."""
        key = (kind, name)
        if key in self._memory:
            found = self._memory[key]
            if found is None:
                raise Gone
            return found  # type: ignore[return-value]
        if key in self._busy:
            chain = [n for _, n in self._busy[self._busy.index(key) :]] + [name]
            self.reporter.error(
                Code.CIRCULAR,
                f"`{name}` is defined by way of itself: {' → '.join(chain)}",
                span,
                "break the circle: a term may only use terms that do not need it",
            )
            self._memory[key] = None
            raise Gone
        self._busy.append(key)
        try:
            made = make()
        except Gone:
            self._memory[key] = None
            raise
        finally:
            self._busy.remove(key)
        if key in self._memory and self._memory[key] is None:
            raise Gone
        self._memory[key] = made
        return made

    def declare(self, name: str, declaration: syntax.Declaration) -> None:
        earlier = self.declared.get(name)
        if earlier is not None:
            self.duplicate(name, declaration.span, earlier.span)
            return
        if name in BUILT_IN_FUNCTIONS or name in ("Player", "players", "viewer"):
            self.reporter.error(
                Code.DUPLICATE_NAME,
                f"`{name}` is a word of the language",
                declaration.span,
                "choose another name",
            )
            return
        self.declared[name] = declaration

    def duplicate(self, name: str, span: Span, earlier: Span) -> None:
        self.reporter.error(
            Code.DUPLICATE_NAME,
            f"`{name}` is declared twice",
            span,
            "give one of them another name",
            (Label(earlier, "first declared here"),),
        )

    def unknown(self, name: str, span: Span, candidates: set[str] | None = None) -> Gone:
        known = candidates if candidates is not None else self.known_names()
        near = closest(name, known)
        self.reporter.error(
            Code.UNKNOWN_NAME,
            f"nothing is called `{name}`",
            span,
            f"did you mean `{near}`?" if near else "declare it, or check the spelling",
        )
        return Gone()

    def known_names(self) -> set[str]:
        return (
            set(self.declared) | set(self.members) | set(BUILT_IN_FUNCTIONS) | {"Player", "players"}
        )

    def wrong_kind(self, name: str, span: Span, wanted: str) -> Gone:
        declaration = self.declared.get(name)
        what = describe(declaration) if declaration is not None else "no such thing"
        labels = (Label(declaration.span, "declared here"),) if declaration is not None else ()
        self.reporter.error(
            Code.WRONG_KIND, f"`{name}` is {what}, but {wanted} is wanted here", span,
            f"name {wanted} here, or declare one", labels,
        )  # fmt: skip
        return Gone()

    # --- citing ------------------------------------------------------------------------------

    def origin(self, span: Span, cites: syntax.Citations = ()) -> Origin:
        for citation in cites:
            problem = self.passages.problem_with(citation)
            if problem:
                message, help = problem
                self.reporter.error(Code.UNKNOWN_PASSAGE, message, citation.span, help)
        return Origin(span, cites)

    def must_cite(self, what: str, span: Span, cites: syntax.Citations) -> None:
        if not cites:
            self.reporter.error(
                Code.UNCITED,
                f"{what} cites no passage",
                span,
                "add the section it states, such as §2.1, or §own when none does",
            )


def describe(declaration: syntax.Declaration) -> str:
    """What a declaration is, for messages."""
    match declaration:
        case syntax.Rule(kind="step"):
            return "a step"
        case syntax.Rule(kind="chance"):
            return "a chance"
        case syntax.Rule():
            return "a decision"
        case syntax.TypeDeclaration():
            return "a type"
        case syntax.Property(kind=kind):
            return {"invariant": "an invariant", "hint": "a hint"}.get(kind, "a goal")
        case syntax.Zone(kind=kind):
            return f"a {kind}"
        case syntax.Given():
            return "given data"
        case syntax.Option() | syntax.Outcome() | syntax.Ends() | syntax.Example():
            return f"an {type(declaration).__name__.lower()}"
        case _:
            return f"a {type(declaration).__name__.lower()}"
