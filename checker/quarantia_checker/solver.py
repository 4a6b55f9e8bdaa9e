"""The only place that makes solvers: seed, limits and version are the same everywhere.

A `Session` tells z3 what terms mean, each once; its `Solver`s share that. z3 is called directly,
without its Python classes: most of the time of a proof would otherwise be spent in those.

NOTE(limits) What bounds a query is z3's count of its own work, not the clock, so that a verdict
does not depend on the machine. `seconds` is translated by `WORK_PER_SECOND`; the clock is only a
second fence, far behind the first, for the queries whose work z3 does not count.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from quarantia_checker.terms import Term, Value, walk, worked_out

WORK_PER_SECOND = 2_000_000
CLOCK_SLACK = 4

_HANDLE = ctypes.c_void_p
_NUMBER = ctypes.c_uint
_HANDLES = ctypes.POINTER(ctypes.c_void_p)
_IGNORE = ctypes.CFUNCTYPE(None, _HANDLE, _NUMBER)(lambda context, code: None)


def _library() -> ctypes.CDLL:
    """The library that the package z3-solver brings."""
    package = find_spec("z3")
    if package is None or package.origin is None:
        raise ImportError("z3-solver is not installed")
    ending = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    return ctypes.CDLL(str(Path(package.origin).parent / "lib" / f"libz3.{ending}"))


_LIBRARY = _library()


def _call(name: str, result: Any, *arguments: Any) -> Any:
    function = _LIBRARY["Z3_" + name]
    function.restype = result
    function.argtypes = arguments
    return function


_mk_config = _call("mk_config", _HANDLE)
_del_config = _call("del_config", None, _HANDLE)
_mk_context = _call("mk_context", _HANDLE, _HANDLE)
_del_context = _call("del_context", None, _HANDLE)
_set_error_handler = _call("set_error_handler", None, _HANDLE, _HANDLE)
_get_error_code = _call("get_error_code", _NUMBER, _HANDLE)
_get_error_msg = _call("get_error_msg", ctypes.c_char_p, _HANDLE, _NUMBER)
_mk_bool_sort = _call("mk_bool_sort", _HANDLE, _HANDLE)
_mk_int_sort = _call("mk_int_sort", _HANDLE, _HANDLE)
_mk_string_symbol = _call("mk_string_symbol", _HANDLE, _HANDLE, ctypes.c_char_p)
_mk_func_decl = _call("mk_func_decl", _HANDLE, _HANDLE, _HANDLE, _NUMBER, _HANDLES, _HANDLE)
_mk_app = _call("mk_app", _HANDLE, _HANDLE, _HANDLE, _NUMBER, _HANDLES)
_mk_int64 = _call("mk_int64", _HANDLE, _HANDLE, ctypes.c_int64, _HANDLE)
_mk_true = _call("mk_true", _HANDLE, _HANDLE)
_mk_false = _call("mk_false", _HANDLE, _HANDLE)
_mk_ite = _call("mk_ite", _HANDLE, _HANDLE, _HANDLE, _HANDLE, _HANDLE)
_mk_not = _call("mk_not", _HANDLE, _HANDLE, _HANDLE)
_mk_and = _call("mk_and", _HANDLE, _HANDLE, _NUMBER, _HANDLES)
_mk_or = _call("mk_or", _HANDLE, _HANDLE, _NUMBER, _HANDLES)
_mk_implies = _call("mk_implies", _HANDLE, _HANDLE, _HANDLE, _HANDLE)
_mk_eq = _call("mk_eq", _HANDLE, _HANDLE, _HANDLE, _HANDLE)
_mk_le = _call("mk_le", _HANDLE, _HANDLE, _HANDLE, _HANDLE)
_mk_add = _call("mk_add", _HANDLE, _HANDLE, _NUMBER, _HANDLES)
_mk_mul = _call("mk_mul", _HANDLE, _HANDLE, _NUMBER, _HANDLES)
_mk_div = _call("mk_div", _HANDLE, _HANDLE, _HANDLE, _HANDLE)
_mk_mod = _call("mk_mod", _HANDLE, _HANDLE, _HANDLE, _HANDLE)
_mk_exists_const = _call(
    "mk_exists_const", _HANDLE, _HANDLE, _NUMBER, _NUMBER, _HANDLES, _NUMBER, _HANDLES, _HANDLE
)
_mk_simple_solver = _call("mk_simple_solver", _HANDLE, _HANDLE)
_solver_inc_ref = _call("solver_inc_ref", None, _HANDLE, _HANDLE)
_solver_dec_ref = _call("solver_dec_ref", None, _HANDLE, _HANDLE)
_solver_set_params = _call("solver_set_params", None, _HANDLE, _HANDLE, _HANDLE)
_solver_assert = _call("solver_assert", None, _HANDLE, _HANDLE, _HANDLE)
_solver_push = _call("solver_push", None, _HANDLE, _HANDLE)
_solver_pop = _call("solver_pop", None, _HANDLE, _HANDLE, _NUMBER)
_solver_check = _call("solver_check_assumptions", ctypes.c_int, _HANDLE, _HANDLE, _NUMBER, _HANDLES)
_solver_get_model = _call("solver_get_model", _HANDLE, _HANDLE, _HANDLE)
_solver_get_core = _call("solver_get_unsat_core", _HANDLE, _HANDLE, _HANDLE)
_vector_size = _call("ast_vector_size", _NUMBER, _HANDLE, _HANDLE)
_vector_get = _call("ast_vector_get", _HANDLE, _HANDLE, _HANDLE, _NUMBER)
_vector_inc_ref = _call("ast_vector_inc_ref", None, _HANDLE, _HANDLE)
_vector_dec_ref = _call("ast_vector_dec_ref", None, _HANDLE, _HANDLE)
_model_inc_ref = _call("model_inc_ref", None, _HANDLE, _HANDLE)
_model_dec_ref = _call("model_dec_ref", None, _HANDLE, _HANDLE)
_model_get_const = _call("model_get_const_interp", _HANDLE, _HANDLE, _HANDLE, _HANDLE)
_get_bool_value = _call("get_bool_value", ctypes.c_int, _HANDLE, _HANDLE)
_get_int64 = _call(
    "get_numeral_int64", ctypes.c_bool, _HANDLE, _HANDLE, ctypes.POINTER(ctypes.c_int64)
)
_get_statistics = _call("solver_get_statistics", _HANDLE, _HANDLE, _HANDLE)
_stats_inc_ref = _call("stats_inc_ref", None, _HANDLE, _HANDLE)
_stats_dec_ref = _call("stats_dec_ref", None, _HANDLE, _HANDLE)
_stats_size = _call("stats_size", _NUMBER, _HANDLE, _HANDLE)
_stats_key = _call("stats_get_key", ctypes.c_char_p, _HANDLE, _HANDLE, _NUMBER)
_stats_number = _call("stats_get_uint_value", _NUMBER, _HANDLE, _HANDLE, _NUMBER)
_mk_params = _call("mk_params", _HANDLE, _HANDLE)
_params_inc_ref = _call("params_inc_ref", None, _HANDLE, _HANDLE)
_params_dec_ref = _call("params_dec_ref", None, _HANDLE, _HANDLE)
_params_set_uint = _call("params_set_uint", None, _HANDLE, _HANDLE, _HANDLE, _NUMBER)


class SolverFailure(Exception):
    """z3 says that it was asked something that makes no sense: a bug here, or in z3."""


class Answer(Enum):
    UNSATISFIABLE = "unsat"
    SATISFIABLE = "sat"
    UNKNOWN = "unknown"


_ANSWERS = {-1: Answer.UNSATISFIABLE, 0: Answer.UNKNOWN, 1: Answer.SATISFIABLE}


@dataclass(slots=True)
class Effort:
    """What the solver has been asked so far, for reports and benchmarks."""

    queries: int = 0
    seconds: float = 0.0


EFFORT = Effort()


class Session:
    """One z3 context, and what it has been told of terms."""

    def __init__(self) -> None:
        config = _mk_config()
        self.context = _mk_context(config)  # what is made in it lives as long as it does
        _del_config(config)
        _set_error_handler(self.context, ctypes.cast(_IGNORE, _HANDLE))
        self._booleans = _mk_bool_sort(self.context)
        self._integers = _mk_int_sort(self.context)
        self._known: dict[Term, int] = {}
        self._constants: dict[int, int] = {}
        self._declared: dict[Term, int] = {}
        self.true = _mk_true(self.context)
        self.false = _mk_false(self.context)

    def __del__(self) -> None:
        # Garbage goes in any order: what is left of this session sees that there is no context.
        context, self.context = self.context, None
        _del_context(context)

    def verify(self) -> None:
        """Raises SolverFailure when z3 has complained since the last call succeeded."""
        code = _get_error_code(self.context)
        if code:
            raise SolverFailure((_get_error_msg(self.context, code) or b"").decode())

    def handle(self, value: Value) -> Any:
        """What z3 calls this value."""
        if type(value) is not Term:
            if isinstance(value, bool):
                return self.true if value else self.false
            return self._constant(value)
        found = self._known.get(value)
        if found is not None:
            return found
        known = self._known
        todo = [value]
        while todo:
            term = todo[-1]
            if term in known:
                todo.pop()
                continue
            missing = [p for p in term.parts if type(p) is Term and p not in known]
            if missing:
                todo += missing
                continue
            known[term] = self._make(term)
            todo.pop()
        self.verify()
        return known[value]

    def declared(self, term: Term) -> int:
        """The declaration of a symbol."""
        found = self._declared.get(term)
        if found is None:
            name = _mk_string_symbol(self.context, term.name.encode())
            sort = self._booleans if term.boolean else self._integers
            found = self._declared[term] = _mk_func_decl(self.context, name, 0, None, sort)
        return found

    def _constant(self, number: int) -> int:
        found = self._constants.get(number)
        if found is None:
            found = self._constants[number] = _mk_int64(self.context, number, self._integers)
        return found

    def _make(self, term: Term) -> Any:
        context, known, parts = self.context, self._known, term.parts
        match term.kind:
            case "symbol":
                made = _mk_app(context, self.declared(term), 0, None)
            case "if":
                test, yes, no = (self._part(part) for part in parts)
                made = _mk_ite(context, test, yes, no)
            case "and":
                made = _mk_and(context, len(parts), _array([known[part] for part in parts]))
            case "or":
                made = _mk_or(context, len(parts), _array([known[part] for part in parts]))
            case "not":
                made = _mk_not(context, known[parts[0]])
            case "=":
                made = _mk_eq(context, self._part(parts[0]), self._part(parts[1]))
            case "<=":
                made = _mk_le(context, self._part(parts[0]), self._part(parts[1]))
            case "+":
                rows = [self._constant(parts[0])] if parts[0] else []
                for place in range(1, len(parts), 2):
                    factor, each = parts[place], known[parts[place + 1]]
                    if factor != 1:
                        each = _mk_mul(context, 2, _array([self._constant(factor), each]))
                    rows.append(each)
                made = rows[0] if len(rows) == 1 else _mk_add(context, len(rows), _array(rows))
            case "*":
                made = _mk_mul(context, 2, _array([known[part] for part in parts]))
            case "div":
                made = _mk_div(context, self._part(parts[0]), self._part(parts[1]))
            case "mod":
                made = _mk_mod(context, self._part(parts[0]), self._part(parts[1]))
            case "exists":
                bound = [known[part] for part in parts[:-1]]
                body = known[parts[-1]]
                made = _mk_exists_const(context, 0, len(bound), _array(bound), 0, None, body)
            case _:
                raise AssertionError(term.kind)
        if not made:
            self.verify()
            raise SolverFailure(f"z3 cannot make a term of kind {term.kind}")
        return made

    def _part(self, part: Any) -> Any:
        if type(part) is Term:
            return self._known[part]
        if isinstance(part, bool):
            return self.true if part else self.false
        return self._constant(part)


def _array(handles: Sequence[int]) -> Any:
    return (_HANDLE * len(handles))(*handles)


class Model:
    """Numbers for symbols, as z3 found them; a symbol of which it says nothing is `missing`."""

    def __init__(self, session: Session, handle: int) -> None:
        self._session = session
        self._handle = handle
        _model_inc_ref(session.context, handle)
        self._said: dict[Term, int | None] = {}
        self._chosen: dict[Term, int] = {}
        self._worth: dict[Term, int] = {}
        self._number = ctypes.c_int64()

    def __del__(self) -> None:
        if self._session.context:
            _model_dec_ref(self._session.context, self._handle)

    def said(self, symbol: Term) -> int | None:
        """The number of a symbol; None when it does not matter."""
        if symbol in self._said:
            return self._said[symbol]
        context = self._session.context
        found: int | None = None
        value = _model_get_const(context, self._handle, self._session.declared(symbol))
        if value:
            if symbol.boolean:
                found = int(_get_bool_value(context, value) == 1)
            elif _get_int64(context, value, ctypes.byref(self._number)):
                found = self._number.value
        self._said[symbol] = found
        return found

    def choose(self, symbol: Term, number: int) -> None:
        """Give a symbol of which nothing is said a number."""
        self._chosen[symbol] = number

    def number(self, value: Value) -> int:
        """What a value is worth in this model."""
        if type(value) is not Term:
            return int(value)
        worth = self._worth
        if value not in worth:
            for part in walk(value):
                if part.kind == "symbol" and part not in worth:
                    said = self.said(part)
                    worth[part] = self._chosen.get(part, 0) if said is None else said
        return worked_out(value, worth)

    def holds(self, value: Value) -> bool:
        return bool(self.number(value))


class Solver:
    """A z3 solver with assumptions, a budget, and answers that are values."""

    def __init__(self, session: Session, seconds: float) -> None:
        # NOTE(simple-solver) The default solver preprocesses away what makes these queries easy.
        self._session = session
        self._handle = _mk_simple_solver(session.context)
        _solver_inc_ref(session.context, self._handle)
        self._core_of: dict[int, Term] = {}
        self._seconds = -1.0
        self.limit(seconds)

    def __del__(self) -> None:
        if self._session.context:
            _solver_dec_ref(self._session.context, self._handle)

    def limit(self, seconds: float) -> None:
        """What the next queries may cost."""
        if seconds == self._seconds:
            return
        self._seconds = seconds
        context = self._session.context
        params = _mk_params(context)
        _params_inc_ref(context, params)
        for name, number in (
            (b"random_seed", 0),
            (b"rlimit", int(seconds * WORK_PER_SECOND)),
            (b"timeout", int(seconds * CLOCK_SLACK * 1000)),
        ):
            _params_set_uint(context, params, _mk_string_symbol(context, name), number)
        _solver_set_params(context, self._handle, params)
        _params_dec_ref(context, params)

    def worked(self) -> float:
        """All the work that its session has done so far, in the seconds of `limit`."""
        context = self._session.context
        table = _get_statistics(context, self._handle)
        _stats_inc_ref(context, table)
        count = 0
        for row in range(_stats_size(context, table)):
            if _stats_key(context, table, row) == b"rlimit count":
                count = _stats_number(context, table, row)
        _stats_dec_ref(context, table)
        return float(count / WORK_PER_SECOND)

    def add(self, *values: Value) -> None:
        session = self._session
        for value in values:
            if value is not True:
                _solver_assert(session.context, self._handle, session.handle(value))

    def add_if(self, literal: Term, value: Value) -> None:
        """The value holds in every query that assumes the literal."""
        session = self._session
        implied = _mk_implies(session.context, session.handle(literal), session.handle(value))
        _solver_assert(session.context, self._handle, implied)

    def check(self, *assumptions: Term) -> Answer:
        session = self._session
        handles = [session.handle(each) for each in assumptions]
        self._core_of = dict(zip(handles, assumptions, strict=True))
        started = time.perf_counter()
        code = _solver_check(session.context, self._handle, len(handles), _array(handles))
        EFFORT.seconds += time.perf_counter() - started
        EFFORT.queries += 1
        answer = _ANSWERS[code]
        if answer is Answer.UNKNOWN:
            _get_error_code(session.context)  # a limit that was reached is no failure
        else:
            session.verify()
        return answer

    def check_also(self, values: Iterable[Value], *assumptions: Term) -> Answer:
        """Check with more assertions, kept (for `model` and `core`) until `release`."""
        self.push(values)
        return self.check(*assumptions)

    def push(self, values: Iterable[Value]) -> None:
        """More assertions, kept until `release`."""
        _solver_push(self._session.context, self._handle)
        self.add(*values)

    def release(self) -> None:
        _solver_pop(self._session.context, self._handle, 1)

    def model(self) -> Model:
        return Model(self._session, _solver_get_model(self._session.context, self._handle))

    def core(self) -> list[Term]:
        """Assumptions of the last query that already exclude each other, or what is asserted."""
        context = self._session.context
        vector = _solver_get_core(context, self._handle)
        _vector_inc_ref(context, vector)
        try:
            size = _vector_size(context, vector)
            return [self._core_of[_vector_get(context, vector, place)] for place in range(size)]
        finally:
            _vector_dec_ref(context, vector)
