"""What is told where: chapters and numbered paragraphs of a game's rules. Read `outline`.

The material comes first, then the order of play with its rules as play comes to them, then the end.
A term is told after the first rule that needs it, so that the text can be read from the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from quarantia_checker.site.edition import Edition
from quarantia_checker.site.flow_chart import capital, phase_title
from quarantia_checker.site.labels import label
from quarantia_checker.site.order_of_play import order_of_play
from quarantia_engine.analysis import assigned, walk
from quarantia_spec.ir import (
    Apply,
    Assign,
    Auto,
    Call,
    Chance,
    Const,
    Decision,
    Expr,
    For,
    Game,
    Gather,
    If,
    Let,
    Lookup,
    Oblige,
    Op,
    Read,
    Require,
    Role,
    Statement,
    Table,
    Term,
)

Rule = Decision | Chance | Auto
Thing = Term | Decision | Chance | Auto | Table | None


@dataclass
class Paragraph:
    """A numbered paragraph. `name` is its anchor, and that of what it tells."""

    name: str
    title: str
    thing: Thing
    number: str = ""


@dataclass
class Chapter:
    name: str
    title: str
    paragraphs: list[Paragraph] = field(default_factory=list)
    number: int = 0


@dataclass
class Outline:
    chapters: list[Chapter]
    callers: dict[str, list[str]]
    constraints: dict[str, list[str]]  # names of invariants, by rule or term
    uses: dict[str, list[str]]  # names of examples, by rule or term

    def paragraphs(self) -> Iterator[Paragraph]:
        for chapter in self.chapters:
            yield from chapter.paragraphs

    def number(self, name: str) -> str:
        return next((each.number for each in self.paragraphs() if each.name == name), "")


PIECES, PLACES, NOTES, PLAYERS = "pieces", "places", "notes", "players"
START, ORDER, END = "start", "order", "end"


def outline(edition: Edition) -> Outline:
    """The chapters of a game, numbered; `edition.addresses` knows every paragraph afterwards."""
    language, game = edition.language, edition.game
    material = Chapter("components", label(language, "components"))
    if not edition.loaded.is_variant:
        material.paragraphs.append(Paragraph(PLAYERS, label(language, "players are"), None))
        if game.components:
            material.paragraphs.append(Paragraph(PIECES, label(language, "pieces"), None))
        if game.zones:
            material.paragraphs.append(Paragraph(PLACES, label(language, "places"), None))
        material.paragraphs.append(Paragraph(NOTES, label(language, "notes"), None))
    chapters = [material]
    if not edition.loaded.is_variant:
        start = Chapter(START, label(language, "start"))
        start.paragraphs.append(Paragraph("table", label(language, "start"), None))
        chapters.append(start)
    order = Chapter(ORDER, label(language, "order"))
    order.paragraphs.append(Paragraph("flow", label(language, "order"), None))
    chapters.append(order)
    told: set[str] = set()
    rules: dict[str, Rule] = {}
    rules.update(game.decision)
    rules.update(game.chance)
    rules.update(edition.steps)
    phases: dict[str, Chapter] = {}
    end = Chapter(END, label(language, "end"))
    rows = order_of_play(game).rows
    last = max((place for place, row in enumerate(rows) if row.phase), default=len(rows))
    for place, row in enumerate(rows):
        chapter = phases.get(row.phase)
        if place > last:  # behind all phases
            chapter = end
        if chapter is None:
            title = phase_title(edition, row.phase) if row.phase else label(language, "play")
            chapter = phases[row.phase] = Chapter(f"phase-{row.phase or 'play'}", title)
        for rule in row.rules:
            for name in (rule, *_needed(game, rules[rule])):
                _tell(edition, chapter, rules.get(name) or game.term[name], name, told)
    chapters.extend(phases.values())
    if edition.is_own(game.outcome.origin):
        end.paragraphs.append(Paragraph("outcome", label(language, "winner"), None))
    finals = [
        game.outcome.winner,
        *([game.outcome.score] if game.outcome.score is not None else []),
    ]
    for name in _calls(game, finals):
        _tell(edition, end, game.term[name], name, told)
    if game.ends is not None and edition.is_own(game.ends.origin):
        end.paragraphs.append(Paragraph("ends", label(language, "ends"), None))
    _tell_the_rest(edition, [*phases.values(), end], material, told)
    for table in game.tables:
        if edition.is_own(table.origin):
            title = capital(edition.words.one(table.name))
            material.paragraphs.append(Paragraph(table.name, title, table))
    chapters = [each for each in (*chapters, end) if each.paragraphs]
    for number, chapter in enumerate(chapters, 1):
        chapter.number = number
        for place, paragraph in enumerate(chapter.paragraphs, 1):
            paragraph.number = f"R-{number}.{place}"
            edition.addresses[paragraph.name] = f"#{paragraph.name}"
    if not edition.loaded.is_variant:
        for zone in game.zones:
            edition.addresses.setdefault(zone.name, f"#{PLACES}")
        for variable in game.variables:
            if variable.role is Role.STATE:
                edition.addresses.setdefault(variable.name.partition(".")[0], f"#{NOTES}")
    return _related(edition, chapters)


def _tell(edition: Edition, chapter: Chapter, thing: Thing, name: str, told: set[str]) -> None:
    assert thing is not None and not isinstance(thing, Table)
    if name in told or not edition.is_own(thing.origin):
        return
    told.add(name)
    chapter.paragraphs.append(Paragraph(name, capital(edition.words.one(name)), thing))


def _tell_the_rest(
    edition: Edition, chapters: list[Chapter], material: Chapter, told: set[str]
) -> None:
    """Terms that no rule of play asks for stand where the author put them.

    They come after the nearest rule or term above them in the file; above all others, they are
    about the material.
    """
    for term in sorted(edition.game.terms, key=lambda each: each.origin.span.line):
        if term.name in told or not edition.is_own(term.origin):
            continue
        told.add(term.name)
        best: tuple[int, Chapter, int] | None = None
        for chapter in chapters:
            for place, paragraph in enumerate(chapter.paragraphs):
                thing = paragraph.thing
                if thing is None or thing.origin.span.file != term.origin.span.file:
                    continue
                line = thing.origin.span.line
                if line < term.origin.span.line and (best is None or line > best[0]):
                    best = (line, chapter, place)
        added = Paragraph(term.name, capital(edition.words.one(term.name)), term)
        if best is None:
            material.paragraphs.append(added)
        else:
            best[1].paragraphs.insert(best[2] + 1, added)


def carried_out(game: Game, rule: Rule) -> tuple[Statement, ...]:
    """What a rule does. A secret choice is only written down; it is carried out after all chose."""
    if not isinstance(rule, Decision) or not rule.secret:
        return rule.body
    for node in game.nodes:
        if not isinstance(node, Gather):
            continue
        names = [each.rule for each in node.offers]
        if rule.name not in names:
            continue
        chosen = f"{node.waiting.rpartition('.')[0]}.chosen"
        number = names.index(rule.name) + 1
        for other in game.nodes:
            found = _branch(other.body, chosen, number) if isinstance(other, Auto) else None
            if found is not None:
                return found
    return rule.body


def _branch(body: Iterable[Statement], chosen: str, number: int) -> tuple[Statement, ...] | None:
    for each in body:
        match each:
            case For(body=inner):
                found = _branch(inner, chosen, number)
                if found is not None:
                    return found
            case If(
                condition=Apply(op=Op.EQ, args=(Read(variable=name), Const(value=value))), then=then
            ):
                if name == chosen and value == number:
                    return tuple(one for one in then if not isinstance(one, Let))
            case _:
                pass
    return None


# --- who needs what -------------------------------------------------------------------------------


def expressions(statements: Iterable[Statement]) -> Iterator[Expr]:
    """Every expression in some statements."""
    for each in statements:
        match each:
            case Assign(indices=indices, value=value):
                yield from (*indices, value)
            case If(condition=condition, then=then, otherwise=otherwise):
                yield condition
                yield from expressions((*then, *otherwise))
            case For(body=body):
                yield from expressions(body)
            case Let(value=value):
                yield value
            case Oblige():
                pass  # the checker's business


def parts_of(game: Game, thing: Thing) -> list[Expr]:
    """The expressions that a rule or term is made of."""
    match thing:
        case Decision(guards=guards) | Chance(guards=guards):
            body = carried_out(game, thing)
            found = [each.condition if isinstance(each, Require) else each.value for each in guards]
            if isinstance(thing, Chance) and thing.weight is not None:
                found.append(thing.weight)
            return [*found, *expressions(body)]
        case Auto(body=body):
            return list(expressions(body))
        case Term(clauses=clauses, body=body):
            return [body, *(each.when for each in clauses if each.when is not None)]
        case _:
            return []


def direct_calls(parts: Iterable[Expr]) -> list[str]:
    return list(dict.fromkeys(
        each.term for part in parts for each in walk(part) if isinstance(each, Call)
    ))  # fmt: skip


def _needed(game: Game, rule: Rule) -> list[str]:
    return _calls(game, parts_of(game, rule))


def _calls(game: Game, parts: Iterable[Expr]) -> list[str]:
    """The terms that expressions need, each before those that it needs itself."""
    found: dict[str, None] = {}

    def visit(inner: Iterable[Expr]) -> None:
        for name in direct_calls(inner):
            if name not in found:
                found[name] = None
                visit(parts_of(game, game.term[name]))

    visit(parts)
    return list(found)


def _reads(game: Game, parts: Iterable[Expr]) -> set[str]:
    """Variables and terms that expressions look at, through terms too."""
    found: set[str] = set()
    todo = list(parts)
    while todo:
        for each in walk(todo.pop()):
            match each:
                case Read(variable=name):
                    found.add(name)
                case Call(term=name) if name not in found:
                    found.add(name)
                    todo.append(game.term[name].body)
                case Lookup(table=name):
                    found.add(name)
                case _:
                    pass
    return found


def _related(edition: Edition, chapters: list[Chapter]) -> Outline:
    game = edition.game
    callers: dict[str, list[str]] = {}
    writes: dict[str, frozenset[str]] = {}
    for chapter in chapters:
        for paragraph in chapter.paragraphs:
            for name in direct_calls(parts_of(game, paragraph.thing)):
                if name != paragraph.name:
                    callers.setdefault(name, []).append(paragraph.name)
            if isinstance(paragraph.thing, Decision | Chance | Auto):
                writes[paragraph.name] = assigned(carried_out(game, paragraph.thing))
    constraints: dict[str, list[str]] = {}
    for each in edition.properties:
        if each.kind.value != "invariant":
            continue
        looked_at = _reads(game, [each.condition])
        for name, changed in writes.items():
            if changed & looked_at:
                constraints.setdefault(name, []).append(each.name)
        for name in direct_calls([each.condition]):
            constraints.setdefault(name, []).append(each.name)
    uses: dict[str, list[str]] = {}
    for count, example in edition.examples:
        nodes = edition.loaded.engines[count].game.nodes
        names = [move.rule for move in example.moves]
        names += direct_calls(example.then)
        if example.node is not None:
            node = nodes[example.node]
            names += [node.rule] if isinstance(node, Auto) and node.rule else []
        for name in dict.fromkeys(names):
            uses.setdefault(name, []).append(example.name)
    return Outline(chapters, callers, constraints, uses)
