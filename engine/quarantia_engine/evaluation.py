"""Any expression of a game on any position, by the same printer that writes the game itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from quarantia_engine.analysis import Facts, free_locals
from quarantia_engine.emitter import Emitter, Scope
from quarantia_engine.generated import Obligation
from quarantia_engine.program import Program
from quarantia_spec.ir import Expr, Game, Statement

if TYPE_CHECKING:
    from quarantia_engine.expressions import Printer

Compiled = tuple[tuple[str, ...], Callable[..., int]]
Runner = tuple[Callable[..., int], Sequence[Obligation]]

MOST_KNOWN = 100_000


class Evaluator:
    """Works out expressions and runs statements that are not part of play itself.

    Each is compiled when it is first asked for and then remembered.
    """

    def __init__(self, workshop: Workshop, data: Sequence[int]) -> None:
        self._workshop = workshop
        self._data = data

    def with_data(self, data: Sequence[int]) -> Evaluator:
        """The same for other data; what one of the two has compiled, both know."""
        return Evaluator(self._workshop, data)

    def value(
        self, expr: Expr, cells: Sequence[int], locals_: Mapping[str, int] | None = None
    ) -> int:
        """The value of an expression; `locals_` must have every local that it needs.

        Raises IndexError or ZeroDivisionError where the expression has no meaning.
        """
        names, function = self._workshop.known(expr)
        given = locals_ or {}
        return int(function(cells, self._data, *(given[name] for name in names)))

    def function(self, expr: Expr) -> Callable[[Sequence[int]], int]:
        """A function of the cells that works out an expression without locals, fast."""
        names, function = self._workshop.compiled(expr)
        assert not names
        data = self._data
        return lambda cells: function(cells, data)

    def run(self, statements: tuple[Statement, ...], cells: list[int]) -> Obligation | None:
        """Runs statements on the cells; returns the obligation that did not hold, if one."""
        if not statements:
            return None
        function, obligations = self._workshop.runner(statements)
        status = function(cells, self._data)
        return obligations[status - 1] if status else None


class Workshop:
    """Makes functions of expressions and statements, whatever the data."""

    def __init__(self, game: Game, program: Program) -> None:
        self._game = game
        self._printer: Printer | None = None
        self._namespace: dict[str, Any] = dict(program.namespace)
        self._defined = 0  # how many of the printer's functions the namespace has
        self._functions: dict[Expr, Compiled] = {}
        # Hashing an expression walks all of it; the expressions of the game are asked for again
        # and again, and kept alive here so that no other object can have their identity.
        self._known: dict[int, tuple[Expr, Compiled]] = {}
        self._runners: dict[tuple[Statement, ...], Runner] = {}

    def known(self, expr: Expr) -> Compiled:
        """The function of an expression that will be asked for again as the same object."""
        found = self._known.get(id(expr))
        if found is None:
            found = (expr, self.compiled(expr))
            if len(self._known) < MOST_KNOWN:
                self._known[id(expr)] = found
        return found[1]

    def compiled(self, expr: Expr) -> Compiled:
        """The locals that an expression needs, and a function of cells, data and those."""
        if expr not in self._functions:
            self._functions[expr] = self._compile(expr)
        return self._functions[expr]

    def runner(self, statements: tuple[Statement, ...]) -> Runner:
        """A function that runs statements and returns the number of the obligation they break."""
        if statements not in self._runners:
            self._runners[statements] = self._run(statements)
        return self._runners[statements]

    def _run(self, statements: tuple[Statement, ...]) -> Runner:
        from quarantia_engine.implied import Known
        from quarantia_engine.statements import Obligations, StatementWriter

        printer = self._fresh_printer()
        obligations = Obligations()
        emitter, scope = Emitter(), Scope()
        facts = Facts(self._game)
        writer = StatementWriter(printer, facts, emitter, scope, obligations)
        with emitter.block("def run(s, g):"):
            writer.write(statements, "", Known(facts), {})
            emitter.line("return 0")
        return self._function("run", emitter.text(), printer), obligations.entries

    def _compile(self, expr: Expr) -> Compiled:
        from quarantia_engine.rewriting import freshened

        printer = self._fresh_printer()
        names = tuple(sorted(free_locals(expr)))
        scope, emitter = Scope(), Emitter()
        heading = ", ".join(["s", "g", *(scope.bind(name) for name in names)])
        with emitter.block(f"def value(s, g{heading[4:]}):"):
            prepared = printer.prepared(freshened(expr))
            emitter.line(f"return {printer.value(prepared, scope)}")
        return names, self._function("value", emitter.text(), printer)

    def _fresh_printer(self) -> Printer:
        from quarantia_engine.expressions import Printer

        if self._printer is None:
            self._printer = Printer(self._game)
        return self._printer

    def _function(self, name: str, source: str, printer: Printer) -> Callable[..., int]:
        fresh = printer.functions[self._defined :]
        self._defined = len(printer.functions)
        exec("\n\n".join([*fresh, source]), self._namespace)
        function: Callable[..., int] = self._namespace[name]
        return function
