"""The register of a game: every place where its text is in doubt, with verdict and ruling.

In: what the rules say of their own doubts (terms with several clauses or readings, rulings) and
the results of the checker for every number of players. Out: one `Defect` for each doubt, and for
each defect that nobody had thought of. Read `register`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Any

from quarantia_checker.verdict import Kind, Result, Verdict
from quarantia_spec.ir import Apply, Call, Clause, Expr, Fold, Game, Lookup, Read, Template, Term
from quarantia_spec.wording import worded


class Class(Enum):
    """Kinds of defect, in the order in which they are shown."""

    CONFLICT = "conflict"
    READING = "reading"
    GAP = "gap"
    EXAMPLE = "example"
    ARITHMETIC = "arithmetic"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class Defect:
    """One doubt. `alternatives` are other ways to load the game, each by the option it stands for.

    `results` are what the verdict rests on; none when the checker was not asked.
    """

    id: str
    kind: Class
    passages: tuple[str, ...]
    english: str
    french: str
    options: tuple[str, ...]
    verdict: str
    ruling: str
    because: str
    results: tuple[Result, ...]
    where: str = ""
    alternatives: tuple[tuple[str, tuple[str, str]], ...] = ()

    @property
    def open(self) -> bool:
        """A defect without a ruling."""
        return self.verdict in ("observable", "conflict", "gap", "fails") and not self.ruling

    @property
    def witness(self) -> dict[str, Any] | None:
        """The shortest play, or else the position, that shows it."""
        shown = [each for each in self.results if each.trace or each.position]
        if not shown:
            return None
        best = min(shown, key=lambda each: (not each.verdict.bad, _length(each), each.players))
        return {
            "players": best.players,
            "told": best.detail,
            "trace": best.trace,
            "position": best.position,
        }

    def as_json(self, impact: Mapping[str, Any] | None) -> dict[str, Any]:
        return {
            "id": self.id,
            "class": self.kind.value,
            "passages": list(self.passages),
            "en": self.english,
            "fr": self.french,
            "options": list(self.options),
            "verdict": self.verdict,
            "witness": self.witness,
            "ruling": self.ruling,
            "because": self.because,
            "impact": impact,
        }


def _length(result: Result) -> int:
    return len(result.trace["moves"]) if result.trace else 10**9


def register(game: Game, results: Sequence[Result]) -> list[Defect]:
    """All doubts of a game, those of its terms first, in the order of the rules."""
    found: list[Defect] = []
    for term in sorted(game.terms, key=lambda each: each.origin.span.line):
        found.extend(_term(game, term, results))
    found.extend(_examples(results))
    found.extend(_goals(results))
    return found


def _term(game: Game, term: Term, results: Sequence[Result]) -> Iterable[Defect]:
    if len(term.clauses) > 1:
        defect = _clauses(game, term, results)
        if defect is not None:
            yield defect
    for clause in term.clauses:
        if len(clause.readings) > 1:
            yield _readings(game, term, clause, results)
    if term.clauses and all(clause.when is not None for clause in term.clauses):
        defect = _gap(game, term, results)
        if defect is not None:
            yield defect


# --- clauses that may contradict each other ---------------------------------------------------


def _clauses(game: Game, term: Term, results: Sequence[Result]) -> Defect | None:
    pairs = {
        f"{term.name}: {first.name} and {second.name}": (first, second)
        for first, second in combinations(term.clauses, 2)
    }
    rows = [row for row in results if row.kind is Kind.AGREEMENT and row.name in pairs]
    clashing = [row for row in rows if row.verdict.bad]
    # The author's question may be about another defect of the term: a gap, or a reading.
    elsewhere = term.otherwise is not None or any(len(each.readings) > 1 for each in term.clauses)
    asked = bool(term.precedence) or (term.doubt.english is not None and not elsewhere)
    if not clashing and not asked and not _unsettled(rows):
        return None
    involved = [
        clause
        for clause in term.clauses
        if not clashing or any(clause in pairs[row.name] for row in clashing)
    ]
    names = tuple(clause.name for clause in involved)
    ruled = bool(term.precedence) and all(row.ruled for row in clashing)
    listed = ", ".join(names)
    return Defect(
        term.name,
        Class.ARITHMETIC if _is_constant(game, term) else Class.CONFLICT,
        _passages(involved),
        *_question(
            game,
            term,
            f"Do {listed} say the same of {term.name}?",
            f"{listed} disent-elles la même chose de {term.name} ?",
        ),
        options=names,
        verdict="conflict"
        if clashing
        else "agree"
        if rows and not _unsettled(rows)
        else "unsettled",
        ruling=", ".join(term.precedence) if ruled else "",
        because=term.because.english if ruled else "",
        results=tuple(rows),
        where=str(term.origin.span),
        alternatives=tuple(
            (name, (term.name, name)) for name in names if clashing and name != _first(term, names)
        ),
    )


def _first(term: Term, names: Sequence[str]) -> str:
    """The clause that wins where those named clash."""
    order = {name: place for place, name in enumerate(term.precedence)}
    return min(names, key=lambda name: order.get(name, len(order)))


def _is_constant(game: Game, term: Term) -> bool:
    """A number that depends on nothing: two clauses of it are a sum that may not add up."""
    if term.parameters or term.sort.boolean or term.sort.names:
        return False
    parts = [clause.when for clause in term.clauses if clause.when is not None]
    parts += [reading.value for clause in term.clauses for reading in clause.readings]
    return not any(_reads(game, part) for part in parts)


def _reads(game: Game, expr: Expr) -> bool:
    """Whether an expression looks at the position."""
    match expr:
        case Read():
            return True
        case Call(term=name, args=args):
            return _reads(game, game.term[name].body) or any(_reads(game, each) for each in args)
        case Apply(args=args) | Lookup(indices=args):
            return any(_reads(game, each) for each in args)
        case Fold(where=where, body=body, default=default):
            inner = (where, body, default)
            return any(_reads(game, each) for each in inner if each is not None)
        case _:
            return False


# --- readings, gaps ---------------------------------------------------------------------------


def _readings(game: Game, term: Term, clause: Clause, results: Sequence[Result]) -> Defect:
    name = f"{term.name}.{clause.name}"
    rows = [row for row in results if row.kind is Kind.READING and row.name.startswith(f"{name}: ")]
    options = tuple(reading.name for reading in clause.readings)
    listed = ", ".join(options)
    return Defect(
        name,
        Class.READING,
        _passages([clause]),
        *_question(
            game,
            term,
            f"How is {name} to be read: {listed}?",
            f"Comment lire {name} : {listed} ?",
        ),
        options=options,
        verdict=_summed(rows, "observable", "equivalent"),
        ruling=clause.chosen if clause.ruled else "",
        because=clause.because.english if clause.ruled else "",
        results=tuple(rows),
        where=str(clause.origin.span),
        alternatives=tuple((each, (name, each)) for each in options if each != clause.chosen),
    )


def _gap(game: Game, term: Term, results: Sequence[Result]) -> Defect | None:
    rows = [row for row in results if row.kind is Kind.COVERAGE and row.name == term.name]
    verdict = _summed(rows, "gap", "covered")
    if verdict == "covered" and term.otherwise is None:
        return None  # every case was thought of, and nobody says otherwise
    return Defect(
        f"{term.name}.otherwise",
        Class.GAP,
        _passages(term.clauses),
        *_question(
            game,
            term,
            f"What is {term.name} where no passage applies?",
            f"Que vaut {term.name} quand aucun passage ne s'applique ?",
        ),
        options=tuple(clause.name for clause in term.clauses),
        verdict=verdict,
        ruling="" if term.otherwise is None else f"otherwise {worded(game, term.otherwise)}",
        because="" if term.otherwise is None else term.otherwise_because.english,
        results=tuple(rows),
        where=str(term.origin.span),
    )


# --- defects that show themselves -------------------------------------------------------------


def _examples(results: Sequence[Result]) -> Iterable[Defect]:
    for name, rows in _by_name(results, Kind.EXAMPLE):
        failing = [row for row in rows if row.verdict is Verdict.FAILS]
        if failing:
            supported = dict.fromkeys(
                part.removeprefix("holds under ")
                for row in failing
                for part in row.detail.split("; ")
                if part.startswith("holds under ")
            )
            yield Defect(
                name,
                Class.EXAMPLE,
                tuple(failing[0].passages),
                f"The example {name} does not come out as it says: {failing[0].detail}.",
                f"L'exemple {name} ne donne pas ce qu'il annonce : {failing[0].detail}.",
                options=tuple(supported),
                verdict="fails",
                ruling="",
                because="",
                results=tuple(failing),
                where=str(failing[0].origin.span),
            )


def _goals(results: Sequence[Result]) -> Iterable[Defect]:
    for name, rows in _by_name(results, Kind.REACHABLE):
        if all(row.verdict.bad for row in rows):
            yield Defect(
                name,
                Class.UNREACHABLE,
                tuple(rows[0].passages),
                f"Nothing that players do can bring about: {name}.",
                f"Rien de ce que font les joueurs ne peut mener à : {name}.",
                options=(),
                verdict="fails",
                ruling="",
                because="",
                results=tuple(rows),
                where=str(rows[0].origin.span),
            )


# --- small things -----------------------------------------------------------------------------


def _by_name(results: Sequence[Result], kind: Kind) -> Iterable[tuple[str, list[Result]]]:
    groups: dict[str, list[Result]] = {}
    for row in results:
        if row.kind is kind:
            groups.setdefault(row.name, []).append(row)
    return groups.items()


def _unsettled(rows: Iterable[Result]) -> bool:
    return any(row.verdict is Verdict.UNSETTLED for row in rows)


def _summed(rows: Sequence[Result], bad: str, good: str) -> str:
    """One bad case is enough; a good one is not, when another is unsettled or none was asked."""
    if any(row.verdict.bad for row in rows):
        return bad
    return "unsettled" if not rows or _unsettled(rows) else good


def _passages(clauses: Iterable[Clause]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(each) for clause in clauses for each in clause.origin.citations))


def _question(game: Game, term: Term, english: str, french: str) -> tuple[str, str]:
    """The author's question, or else the plain one."""
    if term.doubt.english is None or term.doubt.french is None:
        return english, french
    return _text(game, term.doubt.english), _text(game, term.doubt.french)


def _text(game: Game, template: Template) -> str:
    return "".join(part if isinstance(part, str) else worded(game, part) for part in template.parts)
