"""Which terms are worked out for all values of their first argument at once.

NOTE(rows) A rule often asks the same term of every player in turn, and that term asks another one
of every player for each of them: written out as calls, the work grows with every level. A row is
the tuple of a term's values for all values of its first argument; where several calls differ in
that argument alone, the row is worked out once before them. Only terms that have a value whatever
the position are taken in rows, since a row asks more than the calls would have.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from quarantia_engine.analysis import Facts, children, walk
from quarantia_engine.rewriting import size
from quarantia_spec.ir import Call, Const, Expr, Fold, Game, Local, Term

LONGEST_ROW = 8
LEAST_WORK = 24  # nodes of a term that is worth it without asking other terms
LEAST_CALLS = 3  # that a row replaces, about
MOST_CELLS = 2400  # nodes of a row, about: longer ones are left to calls


@dataclass(frozen=True, slots=True)
class Row:
    """The values of a term for all values of its first argument, the others as given."""

    term: str
    rest: tuple[Expr, ...]


class Rows:
    """Knows which terms of a game can be taken in rows."""

    def __init__(self, game: Game, facts: Facts) -> None:
        self._game = game
        self._facts = facts
        self._bodies: dict[str, Expr] = {}
        self._folds: dict[Fold, list[Row]] = {}

    def consider(self, term: Term, body: Expr) -> None:
        """Looks at a term whose body, as it will be printed, is this."""
        if not term.parameters or not 2 <= term.parameters[0].sort.size <= LONGEST_ROW:
            return
        arguments = tuple(Local(each.name, each.sort) for each in term.parameters)
        asks_others = any(isinstance(part, Call) for part in walk(body))
        worth_it = size(body) >= LEAST_WORK or asks_others
        short = size(body) * term.parameters[0].sort.size <= MOST_CELLS
        if worth_it and short and self._facts.total(Call(term.name, arguments, term.sort)):
            self._bodies[term.name] = body

    def body(self, term: str) -> Expr:
        """The body of a term that can be taken in rows."""
        return self._bodies[term]

    def row_of(self, call: Call) -> Row | None:
        """The row that a call is an entry of."""
        if call.term not in self._bodies:
            return None
        if not all(isinstance(arg, Const | Local) for arg in call.args[1:]):
            return None
        low, high = self._span(call.term)
        first = call.args[0].sort
        if isinstance(call.args[0], Const):
            inside = low <= call.args[0].value <= high
        else:
            inside = low <= first.low and first.high <= high
        return Row(call.term, call.args[1:]) if inside else None

    def _span(self, term: str) -> tuple[int, int]:
        sort = self._game.term[term].parameters[0].sort
        return sort.low, sort.high

    def first_value(self, term: str) -> int:
        return self._span(term)[0]

    def wanted(self, exprs: Iterable[Expr], times: int = 1) -> list[Row]:
        """The rows that are worth working out before the expressions, each asked `times` times."""
        counts: dict[Row, int] = {}
        for expr in exprs:
            self._count(expr, times, counts)
        return [row for row, count in counts.items() if count >= LEAST_CALLS]

    def wanted_by(self, fold: Fold) -> list[Row]:
        """The rows that a loop asks for in every turn; not those that depend on the turn."""
        if fold not in self._folds:
            parts = [part for part in (fold.where, fold.body) if part is not None]
            self._folds[fold] = [
                row
                for row in self.wanted(parts, times=fold.high - fold.low + 1)
                if not any(isinstance(arg, Local) and arg.name == fold.name for arg in row.rest)
            ]
        return self._folds[fold]

    def _count(self, expr: Expr, times: int, counts: dict[Row, int]) -> None:
        if isinstance(expr, Call):
            row = self.row_of(expr)
            if row is not None:
                counts[row] = counts.get(row, 0) + times
        if isinstance(expr, Fold):
            for row in self.wanted_by(expr):
                counts[row] = counts.get(row, 0) + times
            return
        for child in children(expr):
            self._count(child, times, counts)
