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

MOST_KNOWN = 100_000


class Evaluator:
    """Works out expressions and runs statements that are not part of play itself.

    Each is compiled when it is first asked for and then remembered.
    """

    def __init__(self, game: Game, program: Program, data: Sequence[int]) -> None:
        self._game = game
        self._data = data
        self._printer: Printer | None = None
        self._namespace: dict[str, Any] = dict(program.namespace)
        self._defined = 0  # how many of the printer's functions the namespace has
        self._functions: dict[Expr, Compiled] = {}
        # Hashing an expression walks all of it; the expressions of the game are asked for again
        # and again, and kept alive here so that no other object can have their identity.
        self._known: dict[int, tuple[Expr, Compiled]] = {}

    def value(
        self, expr: Expr, cells: Sequence[int], locals_: Mapping[str, int] | None = None
    ) -> int:
        """The value of an expression; `locals_` must have every local that it needs.

        Raises IndexError or ZeroDivisionError where the expression has no meaning.
        """
        found = self._known.get(id(expr))
        if found is None:
            if expr not in self._functions:
                self._functions[expr] = self._compile(expr)
            found = (expr, self._functions[expr])
            if len(self._known) < MOST_KNOWN:
                self._known[id(expr)] = found
        names, function = found[1]
        given = locals_ or {}
        return int(function(cells, self._data, *(given[name] for name in names)))

    def function(self, expr: Expr) -> Callable[[Sequence[int]], int]:
        """A function of the cells that works out an expression without locals, fast."""
        if expr not in self._functions:
            self._functions[expr] = self._compile(expr)
        names, function = self._functions[expr]
        assert not names
        data = self._data
        return lambda cells: function(cells, data)

    def run(self, statements: tuple[Statement, ...], cells: list[int]) -> Obligation | None:
        """Runs statements on the cells; returns the obligation that did not hold, if one."""
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
        status = self._function("run", emitter.text(), printer)(cells, self._data)
        return obligations.entries[status - 1] if status else None

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
