"""Expressions to Python text.

A boolean of the rules is the number 0 or 1 in a cell, while Python conditions are true or false.
`Printer.value` gives text that is a number, `Printer.condition` text that only its truth matters.
Text carries how tightly it binds, so that brackets appear only where they are needed.

NOTE(folds) A fold over few values is written out: in CPython that is several times faster than a
loop. Other folds become functions of their own, so that they are looked at only when the text
around them asks for it.

NOTE(repeated-calls) A term that one expression asks several times, with the same arguments, is
worked out once before it. Only terms that have a value whatever the position, since the expression
might not have asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from quarantia_engine.analysis import Facts, free_locals, walk
from quarantia_engine.emitter import Emitter, Names, Scope
from quarantia_engine.rewriting import (
    apply_folded,
    bounds,
    conjuncts,
    freshened,
    negated,
    number,
    size,
    substitute,
    unrolled,
    unrolled_size,
)
from quarantia_engine.rows import Row, Rows
from quarantia_spec.ir import (
    Apply,
    Call,
    Const,
    Expr,
    Fold,
    FoldOp,
    Game,
    Local,
    Lookup,
    Op,
    Read,
    Sort,
    Term,
)

# How tightly Python binds, from the loosest.
TERNARY, OR, AND, NOT, COMPARISON, SUM, PRODUCT, UNARY, ATOM = range(9)

UNROLL_LIMIT = 1000  # nodes of an unrolled fold
INLINE_LIMIT = 24  # nodes of a term that is written out where it is used
LEAST_CALLS = 3  # of one term with the same arguments, to be worked out beforehand
LEAST_COST = 24  # of such a term
FIRST_LIMIT = 24  # steps of a chain of conditional expressions: Python's parser nests each

_BINARY = {
    Op.SUB: ("-", SUM),
    Op.DIV: ("//", PRODUCT),
    Op.MOD: ("%", PRODUCT),
    Op.EQ: ("==", COMPARISON),
    Op.NE: ("!=", COMPARISON),
    Op.LT: ("<", COMPARISON),
    Op.LE: ("<=", COMPARISON),
    Op.GT: (">", COMPARISON),
    Op.GE: (">=", COMPARISON),
}


@dataclass(frozen=True, slots=True)
class Text:
    """Python text and how tightly its outermost operator binds."""

    text: str
    binds: int

    def inside(self, at_least: int) -> str:
        return self.text if self.binds >= at_least else f"({self.text})"


@dataclass(frozen=True, slots=True)
class _RowPlan:
    """The function of a row, its entries, and the rows that they ask for."""

    name: str
    bodies: tuple[Expr, ...]
    asked: tuple[Row, ...]


class Printer:
    """Turns expressions of one game into Python text; collects the functions they call for.

    `functions` gets the source of a function for each fold that is not written out.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table_offset: dict[str, int] = {}
        offset = 0
        for table in game.tables:
            self.table_offset[table.name] = offset
            cells = 1
            for dimension in table.dimensions:
                cells *= dimension.size
            offset += cells
        self.function_names = Names(frozenset())
        self.term_name = {
            term.name: self.function_names.fresh(f"term_{term.name}") for term in game.terms
        }
        self.functions: list[str] = []
        self.total_cells: set[str] = set()  # texts of cells whose index is right in every position
        self._facts = Facts(game)
        self._folds: dict[tuple[Expr, tuple[str, ...]], str] = {}
        self._simple: dict[str, Expr] = {}
        self.rows = Rows(game, self._facts)
        self._row_plans: dict[str, _RowPlan] = {}
        self._costs: dict[str, int] = {}
        for term in game.terms:
            self._consider_inlining(term)

    # --- preparation ------------------------------------------------------------------------

    def prepared(self, expr: Expr, bindings: Mapping[str, Expr] | None = None) -> Expr:
        """The expression as it will be printed: small terms and small folds written out."""
        expr = substitute(expr, bindings) if bindings else expr
        return self._prepare(expr)

    def _consider_inlining(self, term: Term) -> None:
        body = self.prepared(term.body)
        if size(body) <= INLINE_LIMIT and not any(isinstance(part, Fold) for part in walk(body)):
            self._simple[term.name] = body
        else:
            self.rows.consider(term, body)

    def _prepare(self, expr: Expr) -> Expr:
        match expr:
            case Const() | Local():
                return expr
            case Read():
                indices = tuple(self._prepare(index) for index in expr.indices)
                return Read(expr.variable, indices, expr.sort, expr.origin)
            case Lookup():
                indices = tuple(self._prepare(index) for index in expr.indices)
                return self._known_entry(Lookup(expr.table, indices, expr.sort, expr.origin))
            case Apply():
                args = tuple(self._prepare(arg) for arg in expr.args)
                return apply_folded(expr.op, args, expr.sort, expr)
            case Call():
                args = tuple(self._prepare(arg) for arg in expr.args)
                return self._inlined(Call(expr.term, args, expr.sort, expr.origin))
            case Fold():
                return self._prepare_fold(expr)
            case _:
                assert_never(expr)

    def _prepare_fold(self, fold: Fold) -> Expr:
        count = fold.high - fold.low + 1
        limit = FIRST_LIMIT if fold.op is FoldOp.FIRST else UNROLL_LIMIT
        if count <= limit and unrolled_size(fold) <= UNROLL_LIMIT:
            flat = unrolled(fold)
            if flat is not None:
                return self._prepare(flat)
        return Fold(
            fold.op,
            fold.name,
            fold.low,
            fold.high,
            None if fold.where is None else self._prepare(fold.where),
            self._prepare(fold.body),
            None if fold.default is None else self._prepare(fold.default),
            fold.sort,
            fold.origin,
        )

    def _known_entry(self, lookup: Lookup) -> Expr:
        table = self.game.table[lookup.table]
        if table.values is None:
            return lookup
        position = 0
        for index, dimension in zip(lookup.indices, table.dimensions, strict=True):
            if not isinstance(index, Const) or not dimension.low <= index.value <= dimension.high:
                return lookup
            position = position * dimension.size + index.value - dimension.low
        return Const(table.values[position], lookup.sort)

    def _inlined(self, call: Call) -> Expr:
        body = self._simple.get(call.term)
        if body is None:
            return call
        parameters = self.game.term[call.term].parameters
        uses: dict[str, int] = {}
        for part in walk(body):
            if isinstance(part, Local):
                uses[part.name] = uses.get(part.name, 0) + 1
        for parameter, argument in zip(parameters, call.args, strict=True):
            if uses.get(parameter.name, 0) > 1 and not isinstance(argument, Const | Local):
                return call
        bindings = {
            parameter.name: argument
            for parameter, argument in zip(parameters, call.args, strict=True)
        }
        return self._prepare(substitute(freshened(body), bindings))

    def cost(self, expr: Expr) -> int:
        """About how much it takes to work an expression out: its nodes, and those of its terms."""
        total = 0
        for part in walk(expr):
            total += 1
            if isinstance(part, Call) and part.term not in self._simple:
                if part.term not in self._costs:
                    body = self.game.term[part.term].body
                    self._costs[part.term] = unrolled_size(body) + self.cost(body)
                total += self._costs[part.term]
        return total

    # --- printing -----------------------------------------------------------------------------

    def value(self, expr: Expr, scope: Scope) -> str:
        """Text for the number that a prepared expression stands for."""
        return self._value(expr, scope).text

    def condition(self, expr: Expr, scope: Scope) -> str:
        """Text that is true in Python when a prepared boolean expression holds."""
        return self._condition(expr, scope).text

    def cell(self, variable: str, indices: tuple[Expr, ...], scope: Scope) -> str:
        """Text for a cell of the position, to read or to write."""
        shape = self.game.variable[variable]
        index = self._index(shape.offset, shape.dimensions, shape.strides, indices, scope)
        text = f"s[{index}]"
        if self._facts.total(Read(variable, indices, shape.sort)):
            self.total_cells.add(text)
        return text

    def _value(self, expr: Expr, scope: Scope) -> Text:
        match expr:
            case Const(value=value):
                return Text(str(value), ATOM if value >= 0 else UNARY)
            case Local(name=name):
                return Text(scope.text(name), ATOM)
            case Read(variable=variable, indices=indices):
                return Text(self.cell(variable, indices, scope), ATOM)
            case Lookup(table=name, indices=indices):
                table = self.game.table[name]
                offset = self.table_offset[name]
                strides = _strides(table.dimensions)
                index = self._index(offset, table.dimensions, strides, indices, scope)
                return Text(f"g[{index}]", ATOM)
            case Call(term=term, args=args):
                entry = self._entry(expr, scope)
                if entry is not None:
                    return entry
                known = scope.held(expr)
                if known is not None:
                    return Text(known, ATOM)
                arguments = ", ".join(["s", "g", *(self.value(arg, scope) for arg in args)])
                return Text(f"{self.term_name[term]}({arguments})", ATOM)
            case Fold():
                return self._fold(expr, scope)
            case Apply():
                return self._apply(expr, scope)
            case _:
                assert_never(expr)

    def work_out_repeated(
        self, exprs: Iterable[Expr], emitter: Emitter, scope: Scope, times: int = 1
    ) -> list[Call]:
        """Lines that work out what the expressions ask more than once; see NOTE(repeated-calls).

        `times` is how often the expressions are looked at. Release the calls when cells change.
        """
        counts: dict[Call, int] = {}
        for expr in exprs:
            for part in walk(expr):
                if isinstance(part, Call) and self._worth_holding(part, scope):
                    counts[part] = counts.get(part, 0) + times
        made: list[Call] = []
        for call, count in counts.items():
            if count >= LEAST_CALLS and self._facts.total(call):
                name = scope.names.fresh(f"{call.term}_now")
                emitter.line(f"{name} = {self.value(call, scope)}")
                scope.hold(call, name, [arg.name for arg in call.args if isinstance(arg, Local)])
                made.append(call)
        return made

    def _worth_holding(self, call: Call, scope: Scope) -> bool:
        """True for a long term of known arguments that is not at hand."""
        known = all(
            isinstance(arg, Const) or (isinstance(arg, Local) and arg.name in scope)
            for arg in call.args
        )
        if not known or scope.held(call) is not None:
            return False
        return self._entry(call, scope) is None and self.cost(call) >= LEAST_COST

    # --- rows, see NOTE(rows) -------------------------------------------------------------------

    def _entry(self, call: Call, scope: Scope) -> Text | None:
        """The entry of a row that has been worked out before."""
        row = self.rows.row_of(call)
        text = None if row is None else scope.held(row)
        if text is None:
            return None
        low = self.rows.first_value(call.term)
        first = apply_folded(Op.SUB, (call.args[0], number(low)), call.args[0].sort)
        return Text(f"{text}[{self.value(first, scope)}]", ATOM)

    def work_out(self, rows: Iterable[Row], emitter: Emitter, scope: Scope) -> list[Row]:
        """Lines that work the rows out, unless they are at hand; from here on they are.

        The rows that a row asks for come first, so that several rows share them.
        """
        made: list[Row] = []
        for row in rows:
            if scope.held(row) is not None:
                continue
            made += self.work_out(self._asked_by(row), emitter, scope)
            name = scope.names.fresh(f"{row.term}_row")
            emitter.line(f"{name} = {self._row_text(row, scope)}")
            scope.hold(row, name, _locals_of(row))
            made.append(row)
        return made

    def _asked_by(self, row: Row) -> list[Row]:
        """The rows that working out a row begins with."""
        parameters = self.game.term[row.term].parameters[1:]
        given = {each.name: arg for each, arg in zip(parameters, row.rest, strict=True)}
        return [
            Row(asked.term, tuple(substitute(arg, given) for arg in asked.rest))
            for asked in self._row_plan(row.term).asked
        ]

    def _row_text(self, row: Row, scope: Scope) -> str:
        """The row that is at hand, or the call that works it out."""
        held = scope.held(row)
        if held is not None:
            return held
        words = ["s", "g", *(self.value(arg, scope) for arg in row.rest)]
        words += [self._row_text(asked, scope) for asked in self._asked_by(row)]
        return f"{self._row_plan(row.term).name}({', '.join(words)})"

    def _row_plan(self, term: str) -> _RowPlan:
        """How a row of a term is worked out; its function is written when it is first needed."""
        if term not in self._row_plans:
            shape = self.game.term[term]
            first = shape.parameters[0]
            bodies = tuple(
                self.prepared(freshened(self.rows.body(term)), {first.name: number(value)})
                for value in range(first.sort.low, first.sort.high + 1)
            )
            name = self.function_names.fresh(f"row_of_{term}")
            plan = _RowPlan(name, bodies, tuple(self.rows.wanted(bodies)))
            self._row_plans[term] = plan
            self.functions.append(self._row_function(plan, shape))
        return self._row_plans[term]

    def _row_function(self, plan: _RowPlan, term: Term) -> str:
        """Rows that the entries ask for come from the caller, who may have them at hand."""
        scope, emitter = Scope(), Emitter()
        others = term.parameters[1:]
        words = ["s", "g", *(scope.bind(each.name) for each in others)]
        for row in plan.asked:
            words.append(scope.names.fresh(f"{row.term}_row"))
            scope.hold(row, words[-1], _locals_of(row))
        with emitter.block(f"def {plan.name}({', '.join(words)}):"):
            for parameter in others:
                scope.room(parameter.name, emitter)
            entries = ", ".join(self._value(body, scope).inside(TERNARY) for body in plan.bodies)
            emitter.line(f"return ({entries})")
        return emitter.text()

    def _apply(self, expr: Apply, scope: Scope) -> Text:
        args = expr.args
        match expr.op:
            case Op.ADD:
                return self._sum(args, scope)
            case Op.MUL:
                text = " * ".join(self._value(arg, scope).inside(UNARY) for arg in args)
                return Text(text, PRODUCT)
            case Op.SUB | Op.DIV | Op.MOD:
                symbol, binds = _BINARY[expr.op]
                left, right = (self._value(arg, scope) for arg in args)
                return Text(f"{left.inside(binds)} {symbol} {right.inside(binds + 1)}", binds)
            case Op.NEG:
                return Text(f"-{self._value(args[0], scope).inside(UNARY)}", UNARY)
            case Op.ABS:
                return Text(f"abs({self.value(args[0], scope)})", ATOM)
            case Op.MIN | Op.MAX:
                return self._extreme(expr, scope)
            case Op.IF:
                condition = self._condition(args[0], scope).inside(OR)
                yes = self._value(args[1], scope).inside(OR)
                no = self._value(args[2], scope).inside(TERNARY)
                return Text(f"{yes} if {condition} else {no}", TERNARY)
            case _:
                return Text(f"1 if {self._condition(expr, scope).inside(OR)} else 0", TERNARY)

    def _sum(self, args: tuple[Expr, ...], scope: Scope) -> Text:
        """A sum; comparisons among the parts count as 1 when true, which Python does by itself."""
        parts: list[str] = []
        for arg in args:
            if isinstance(arg, Apply) and arg.op in _BINARY and _BINARY[arg.op][1] == COMPARISON:
                text = f"({self._comparison(arg, scope).text})"
                parts.append(text if parts or len(args) > 1 else f"+{text}")
            elif isinstance(arg, Const) and arg.value < 0 and parts:
                parts[-1] = f"{parts[-1]} - {-arg.value}"
            else:
                parts.append(self._value(arg, scope).inside(SUM))
        return Text(" + ".join(parts), SUM)

    def _extreme(self, expr: Apply, scope: Scope) -> Text:
        symbol, name = ("<", "min") if expr.op is Op.MIN else (">", "max")
        if len(expr.args) == 1:
            return self._value(expr.args[0], scope)
        if len(expr.args) == 2 and all(size(arg) <= 2 for arg in expr.args):
            left, right = (self._value(arg, scope).inside(SUM) for arg in expr.args)
            return Text(f"{left} if {left} {symbol} {right} else {right}", TERNARY)
        arguments = ", ".join(self.value(arg, scope) for arg in expr.args)
        return Text(f"{name}({arguments})", ATOM)

    def _condition(self, expr: Expr, scope: Scope) -> Text:
        match expr:
            case Const(value=value):
                return Text("True" if value else "False", ATOM)
            case Apply(op=op, args=args):
                match op:
                    case Op.EQ | Op.NE | Op.LT | Op.LE | Op.GT | Op.GE:
                        return self._comparison(expr, scope, truth_will_do=True)
                    case Op.AND:
                        parts = [self._condition(arg, scope).inside(NOT) for arg in args]
                        return Text(" and ".join(parts), AND)
                    case Op.OR:
                        parts = [self._condition(arg, scope).inside(AND) for arg in args]
                        return Text(" or ".join(parts), OR)
                    case Op.NOT:
                        return Text(f"not {self._condition(args[0], scope).inside(NOT)}", NOT)
                    case Op.IMPLIES:
                        left = self._condition(negated(args[0]), scope)
                        right = self._condition(args[1], scope)
                        return Text(f"{left.inside(AND)} or {right.inside(AND)}", OR)
                    case Op.IF:
                        test, yes, no = (self._condition(arg, scope) for arg in args)
                        text = f"{yes.inside(OR)} if {test.inside(OR)} else {no.inside(TERNARY)}"
                        return Text(text, TERNARY)
                    case _:
                        return self._value(expr, scope)
            case _:
                return self._value(expr, scope)

    def _comparison(self, expr: Apply, scope: Scope, *, truth_will_do: bool = False) -> Text:
        """A comparison; where only its truth matters, `x > 0` is `x` for what is never negative."""
        symbol, binds = _BINARY[expr.op]
        first, second = expr.args
        if truth_will_do and isinstance(second, Const):
            low, _ = bounds(first)
            limit = second.value
            some = {Op.NE: limit == 0, Op.GT: low >= 0 == limit, Op.GE: low >= 0 and limit == 1}
            none = {Op.EQ: limit == 0, Op.LE: low >= 0 == limit, Op.LT: low >= 0 and limit == 1}
            if some.get(expr.op):
                return self._value(first, scope)
            if none.get(expr.op):
                return Text(f"not {self._value(first, scope).inside(NOT)}", NOT)
        left, right = (self._value(arg, scope) for arg in expr.args)
        return Text(f"{left.inside(SUM)} {symbol} {right.inside(SUM)}", binds)

    # --- cells ----------------------------------------------------------------------------------

    def _index(
        self,
        offset: int,
        dimensions: tuple[Sort, ...],
        strides: tuple[int, ...],
        indices: tuple[Expr, ...],
        scope: Scope,
    ) -> str:
        constant = offset
        terms: dict[Expr, int] = {}
        for index, dimension, stride in zip(indices, dimensions, strides, strict=True):
            constant -= dimension.low * stride
            base, parts = linear(index)
            constant += base * stride
            for part, factor in parts.items():
                terms[part] = terms.get(part, 0) + factor * stride
        texts: list[str] = []
        for part, factor in terms.items():
            if factor == 0:
                continue
            product = scope.product(part.name, factor) if isinstance(part, Local) else None
            if product is not None:
                texts.append(product)
                continue
            text = self._value(part, scope)
            texts.append(
                text.inside(SUM + 1) if factor == 1 else f"{text.inside(UNARY)} * {factor}"
            )
        joined = " + ".join(texts)
        if not joined:
            return str(constant)
        if constant == 0:
            return joined
        return f"{joined} {'+' if constant > 0 else '-'} {abs(constant)}"

    # --- folds ----------------------------------------------------------------------------------

    def _fold(self, fold: Fold, scope: Scope) -> Text:
        """A call of the function that works the fold out; see NOTE(folds)."""
        outside = tuple(sorted(free_locals(fold)))
        key = (fold, outside)
        if key not in self._folds:
            self._folds[key] = name = self._fold_name(fold)
            self.functions.append(self._fold_function(name, fold, outside))
        words = ["s", "g", *(scope.text(local) for local in outside)]
        words += [self._row_text(row, scope) for row in self.rows.wanted_by(fold)]
        return Text(f"{self._folds[key]}({', '.join(words)})", ATOM)

    def _fold_name(self, fold: Fold) -> str:
        return self.function_names.fresh(f"{fold.op.value}_of_{fold.name.split('~')[0]}")

    def _fold_function(self, name: str, fold: Fold, outside: tuple[str, ...]) -> str:
        """Rows that the loop asks for come from the caller, who may have them at hand."""
        scope = Scope()
        words = ["s", "g", *(scope.bind(local) for local in outside)]
        for row in self.rows.wanted_by(fold):
            words.append(scope.names.fresh(f"{row.term}_row"))
            scope.hold(row, words[-1], _locals_of(row))
        emitter = Emitter()
        with emitter.block(f"def {name}({', '.join(words)}):"):
            self._work_out_before(fold, emitter, scope)
            self.fold_loop(emitter, fold, scope, "result", returns=True)
        return emitter.text()

    def _work_out_before(self, fold: Fold, emitter: Emitter, scope: Scope) -> None:
        """What every turn of a loop asks; see NOTE(repeated-calls)."""
        parts = [part for part in (fold.where, fold.body) if part is not None]
        self.work_out_repeated(parts, emitter, scope, times=fold.high - fold.low + 1)

    def fold_loop(
        self,
        emitter: Emitter,
        fold: Fold,
        scope: Scope,
        target: str,
        *,
        returns: bool,
    ) -> None:
        """A loop that works out the fold: into `target`, or returned from a function."""
        inner = scope.inner()
        bound = inner.bind(fold.name)

        def leave(text: str) -> None:
            if returns:
                emitter.line(f"return {text}")
            else:
                emitter.line(f"{target} = {text}")
                emitter.line("break")

        body = fold.body
        start = {
            FoldOp.SUM: "0",
            FoldOp.COUNT: "0",
            FoldOp.ALL: "1",
            FoldOp.ANY: "0",
            FoldOp.FIRST: str(fold.low - 1),
        }.get(fold.op)
        extreme = fold.op in (FoldOp.MAX, FoldOp.MIN)
        seen = scope.names.fresh("seen")
        if extreme:
            emitter.line(f"{seen} = 0")
            start = "0"
        emitter.line(f"{target} = {start}")
        with emitter.block(f"for {bound} in range({fold.low}, {fold.high + 1}):"):
            inner.room(fold.name, emitter)
            tests = [] if fold.where is None else list(conjuncts(fold.where))
            if fold.op in (FoldOp.COUNT, FoldOp.ANY, FoldOp.FIRST):
                tests.extend(conjuncts(body))
            elif fold.op is FoldOp.ALL:
                tests.append(negated(body))
            text = " and ".join(self._condition(test, inner).inside(NOT) for test in tests)

            def act() -> None:
                match fold.op:
                    case FoldOp.SUM:
                        emitter.line(f"{target} += {self.value(body, inner)}")
                    case FoldOp.COUNT:
                        emitter.line(f"{target} += 1")
                    case FoldOp.ALL:
                        leave("0")
                    case FoldOp.ANY:
                        leave("1")
                    case FoldOp.FIRST:
                        leave(bound)
                    case FoldOp.MAX | FoldOp.MIN:
                        symbol = ">" if fold.op is FoldOp.MAX else "<"
                        candidate = scope.names.fresh("candidate")
                        emitter.line(f"{candidate} = {self.value(body, inner)}")
                        with emitter.block(f"if not {seen} or {candidate} {symbol} {target}:"):
                            emitter.line(f"{target} = {candidate}")
                            emitter.line(f"{seen} = 1")
                    case _:
                        assert_never(fold.op)

            if text:
                with emitter.block(f"if {text}:"):
                    act()
            else:
                act()
        if extreme and fold.default is not None:
            with emitter.block(f"if not {seen}:"):
                emitter.line(f"{target} = {self.value(fold.default, scope)}")
        if returns:
            emitter.line(f"return {target}")

    def term_function(self, term: Term) -> str:
        """The source of the function that gives a term's value."""
        scope = Scope()
        emitter = Emitter()
        heading = ", ".join(["s", "g", *(scope.bind(each.name) for each in term.parameters)])
        with emitter.block(f"def {self.term_name[term.name]}({heading}):"):
            for parameter in term.parameters:
                scope.room(parameter.name, emitter)
            body = self.prepared(freshened(term.body))
            if isinstance(body, Fold):
                self.work_out(self.rows.wanted_by(body), emitter, scope)
                self._work_out_before(body, emitter, scope)
                self.fold_loop(emitter, body, scope, "result", returns=True)
            else:
                self.work_out(self.rows.wanted([body]), emitter, scope)
                self.work_out_repeated([body], emitter, scope)
                emitter.line(f"return {self.value(body, scope)}")
        return emitter.text()


def _locals_of(row: Row) -> list[str]:
    return [arg.name for arg in row.rest if isinstance(arg, Local)]


def linear(expr: Expr) -> tuple[int, dict[Expr, int]]:
    """The expression as a number plus multiples of expressions that are no sums themselves."""
    match expr:
        case Const(value=value):
            return value, {}
        case Apply(op=Op.ADD, args=args):
            constant, terms = 0, dict[Expr, int]()
            for arg in args:
                if arg.sort.boolean:
                    terms[arg] = terms.get(arg, 0) + 1
                    continue
                base, parts = linear(arg)
                constant += base
                for part, factor in parts.items():
                    terms[part] = terms.get(part, 0) + factor
            return constant, terms
        case Apply(op=Op.SUB, args=(left, right)):
            constant, terms = linear(left)
            terms = dict(terms)
            base, parts = linear(right)
            for part, factor in parts.items():
                terms[part] = terms.get(part, 0) - factor
            return constant - base, terms
        case Apply(op=Op.NEG, args=(inner,)):
            base, parts = linear(inner)
            return -base, {part: -factor for part, factor in parts.items()}
        case (
            Apply(op=Op.MUL, args=(Const(value=factor), other))
            | Apply(op=Op.MUL, args=(other, Const(value=factor)))
        ):
            base, parts = linear(other)
            return base * factor, {part: times * factor for part, times in parts.items()}
        case _:
            return 0, {expr: 1}


def _strides(dimensions: tuple[Sort, ...]) -> tuple[int, ...]:
    result: list[int] = []
    product = 1
    for dimension in reversed(dimensions):
        result.append(product)
        product *= dimension.size
    return tuple(reversed(result))
