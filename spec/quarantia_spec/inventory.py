"""Everything that the rules of a game declare by name, with what it cites and how it is written.

For tools that set the rules beside the rulebook. Start at `inventory`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from quarantia_spec import syntax
from quarantia_spec.source import Citation, SourceFile, Span

# What is claimed or shown about the rules; it need not stand in the book.
CLAIMS = frozenset({"invariant", "reachable", "ends", "example"})


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration, or a clause of a term by the name `term.clause`.

    `citations` are those of the declaration and of everything in it, each once; `text` is as it
    stands in the file, `english` the sentence that it says, or nothing.
    """

    name: str
    kind: str
    citations: tuple[Citation, ...]
    span: Span
    text: str
    english: str

    @property
    def is_rule(self) -> bool:
        return self.kind not in CLAIMS

    @property
    def is_clause(self) -> bool:
        return self.kind == "clause"


def inventory(
    modules: Sequence[syntax.Module], files: Sequence[SourceFile]
) -> tuple[Declared, ...]:
    """In the order of the files; a replacement comes beside what it replaces."""
    texts = {file.name: file.text.split("\n") for file in files}
    found: list[Declared] = []
    for module in modules:
        whole = [_unwrapped(each) for each in module.declarations]
        starts = [each.span.line for each in module.declarations]
        ends = [*(start - 1 for start in starts[1:]), len(texts[module.span.file])]
        for declaration, start, end in zip(whole, starts, ends, strict=True):
            lines = texts[module.span.file]
            found.append(_declared(declaration, _as_written(lines[start - 1 : end])))
            if isinstance(declaration, syntax.Term):
                found.extend(_clauses(declaration, lines))
    return tuple(found)


def _unwrapped(declaration: syntax.Declaration) -> syntax.Declaration:
    if isinstance(declaration, syntax.Replacement):
        return declaration.declaration
    return declaration


def _as_written(lines: Sequence[str]) -> str:
    """Without the empty lines and comments that lead to the next declaration."""
    kept = list(lines)
    while len(kept) > 1 and (not kept[-1].strip() or kept[-1].startswith("#")):
        kept.pop()
    return "\n".join(kept)


def _declared(declaration: syntax.Declaration, text: str) -> Declared:
    name, kind = _name_and_kind(declaration)
    citations = tuple(dict.fromkeys(_citations(declaration)))
    return Declared(name, kind, citations, declaration.span, text, _english(declaration))


def _clauses(term: syntax.Term, lines: Sequence[str]) -> Iterator[Declared]:
    for clause in (item for item in term.items if isinstance(item, syntax.Clause)):
        text = "\n".join(lines[clause.span.line - 1 : clause.span.end_line]).rstrip()
        cites = tuple(dict.fromkeys(_citations(clause)))
        yield Declared(f"{term.name}.{clause.name}", "clause", cites, clause.span, text, "")


def _name_and_kind(declaration: syntax.Declaration) -> tuple[str, str]:
    match declaration:
        case syntax.Players():
            return "players", "players"
        case syntax.TypeDeclaration(name=name):
            return name, "type"
        case syntax.Option(name=name):
            return name, "option"
        case syntax.Table(name=name):
            return name, "table"
        case syntax.Given(name=name):
            return name, "given"
        case syntax.Component(name=name):
            return name, "component"
        case syntax.Zone(name=name, kind=kind):
            return name, kind
        case syntax.State(name=name):
            return name, "state"
        case syntax.Term(name=name):
            return name, "term"
        case syntax.Rule(name=name, kind=kind):
            return name, kind
        case syntax.Flow(name=name):
            return name or "flow", "flow"
        case syntax.Outcome():
            return "outcome", "outcome"
        case syntax.Property(name=name, kind=kind):
            return name, kind
        case syntax.Ends():
            return "ends", "ends"
        case syntax.Example(name=name):
            return name, "example"
        case syntax.Replacement(declaration=inner):
            return _name_and_kind(inner)
        case _:
            assert_never(declaration)


def _citations(node: object) -> Iterator[Citation]:
    """Of a node and of the nodes in it, in the order of the text."""
    if isinstance(node, Citation):
        yield node
    elif isinstance(node, tuple):
        for each in node:
            yield from _citations(each)
    elif hasattr(node, "__dataclass_fields__") and not isinstance(node, Span):
        for field in node.__dataclass_fields__:
            yield from _citations(getattr(node, field))


def _english(declaration: syntax.Declaration) -> str:
    items = getattr(declaration, "items", ()) or getattr(declaration, "says", ())
    for item in items:
        if isinstance(item, syntax.Say) and item.word == "say" and item.language == "en":
            return item.text.text
    return ""
