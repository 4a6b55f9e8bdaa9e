"""A game under each other reading of one of its clauses, made ready to play without much ado.

Compiling a game takes seconds, and a rulebook has dozens of doubts. So the game is compiled once
more with all its readings in it and a switch for each clause, among its data: see `with_switches`.
Readings that change more than the meaning of a term (how many pieces there are, say) are compiled
by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quarantia_checker.passages import applies, both, for_some
from quarantia_engine.engine import Engine, compile_game, with_program_of
from quarantia_spec.elaborate.terms import settle
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Clause,
    Const,
    Expr,
    Game,
    Lookup,
    Op,
    Reading,
    Sort,
    Table,
    Term,
)
from quarantia_spec.ops import apply

Load = Callable[[Mapping[str, str]], Game]
Test = Callable[[Sequence[int]], bool]

LARGEST_CLASH = 400  # values of the arguments of a term that are looked at in one position


@dataclass
class Alternatives:
    """`engine` plays the game under its rulings; `load` gives the game under other readings."""

    engine: Engine
    load: Load
    _games: dict[tuple[str, str], Game] = field(default_factory=dict)
    _engines: dict[tuple[str, str], Engine] = field(default_factory=dict)
    _master: Engine | None = None

    def game(self, clause: str, reading: str) -> Game:
        """The game with one clause (`term.clause`) read in another way."""
        key = (clause, reading)
        if key not in self._games:
            self._games[key] = self.load({**dict(self.engine.game.readings), clause: reading})
        return self._games[key]

    def alike(self, clause: str, reading: str) -> bool:
        """The two games differ in the meaning of that clause and in nothing else."""
        ours, other = self.engine.game, self.game(clause, reading)
        if replace(other, terms=ours.terms, readings=ours.readings) != ours:
            return False
        rows = zip(ours.terms, other.terms, strict=True)
        return all(
            _unsettled(here) == _unsettled(there) and here.precedence == there.precedence
            for here, there in rows
        )

    def under(self, clause: str, reading: str) -> Engine:
        """The game with one clause read in another way, ready to play."""
        key = (clause, reading)
        if key not in self._engines:
            other = self.game(clause, reading)
            if self.alike(clause, reading):
                if self._master is None:
                    self._master = compile_game(*with_switches(self.engine))
                chosen = switches(self.engine.game, {clause: reading})
                twin = replace(
                    self.engine.game, terms=other.terms, readings=other.readings
                )  # what is the same in both is known to be so by its identity
                self._engines[key] = with_program_of(self._master, twin, chosen)
            else:
                self._engines[key] = compile_game(other, self.engine.given)
        return self._engines[key]

    def clash(self, clause: str, reading: str) -> Test | None:
        """Whether the two readings have different values somewhere in a position.

        Where they have not, everything that is asked of the position has the same answer under
        both. None when that cannot be told from the position.
        """
        if not self.alike(clause, reading):
            return None
        name, _, short = clause.partition(".")
        term = self.engine.game.term[name]
        read = next(each for each in term.clauses if each.name == short)
        count = 1
        for parameter in term.parameters:
            count *= parameter.sort.size
        if count > LARGEST_CLASH:
            return None
        values = {each.name: each.value for each in read.readings}
        differ = Apply(Op.NE, (values[read.chosen], values[reading]), BOOLEAN)
        somewhere = for_some(term.parameters, both(applies(read), differ))
        test = self.engine.evaluator.function(somewhere)

        def clashes(cells: Sequence[int]) -> bool:
            try:
                return bool(test(cells))
            except (IndexError, ZeroDivisionError):
                return True  # a reading without a meaning is not the same as one with

        return clashes


def _unsettled(term: Term) -> list[object]:
    """What is written of a term, whatever is chosen."""
    return [
        term.name, term.parameters, term.sort, term.otherwise, term.shown,
        *((each.name, each.when, each.readings) for each in term.clauses),
    ]  # fmt: skip


# --- switches ---------------------------------------------------------------------------------


def with_switches(engine: Engine) -> tuple[Game, dict[str, tuple[int, ...]]]:
    """The game with all its readings in it, and data by which it is what it was.

    NOTE(switches) A clause with several readings has the value of the one whose number its switch
    has, a given table with one entry.
    """
    game = engine.game
    tables = [
        Table(_switch(term, clause), (), (), Sort(0, len(clause.readings) - 1), None)
        for term, clause in _doubts(game)
    ]
    switched = replace(
        game,
        terms=tuple(_switched(term) for term in game.terms),
        tables=(*game.tables, *tables),
    )
    return switched, {**engine.given, **switches(game, {})}


def switches(game: Game, readings: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    """Where each switch stands when some clauses are read in other ways."""
    found: dict[str, tuple[int, ...]] = {}
    for term, clause in _doubts(game):
        names = [each.name for each in clause.readings]
        chosen = readings.get(f"{term.name}.{clause.name}", clause.chosen)
        found[_switch(term, clause)] = (names.index(chosen),)
    return found


def _doubts(game: Game) -> list[tuple[Term, Clause]]:
    return [(t, c) for t in game.terms for c in t.clauses if len(c.readings) > 1]


def _switch(term: Term, clause: Clause) -> str:
    return f"(reading of {term.name}.{clause.name})"


def _switched(term: Term) -> Term:
    clauses = tuple(
        clause if len(clause.readings) == 1 else _one_reading(term, clause)
        for clause in term.clauses
    )
    return replace(term, body=settle(clauses, term.precedence, term.otherwise))


def _one_reading(term: Term, clause: Clause) -> Clause:
    sort = Sort(0, len(clause.readings) - 1)
    switch = Lookup(_switch(term, clause), (), sort)
    value: Expr = clause.readings[-1].value
    for number in range(len(clause.readings) - 2, -1, -1):
        here = Apply(Op.EQ, (switch, Const(number, Sort(number, number))), BOOLEAN)
        value = apply(Op.IF, here, clause.readings[number].value, value)
    reading = Reading(clause.chosen, value, clause.origin)
    return replace(clause, readings=(reading,))
