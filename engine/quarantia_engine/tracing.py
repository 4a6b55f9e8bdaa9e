"""One move taken apart: each rule that ran, in order, and what it changed.

The engine runs a move and all that follows in one go. Here the same IR is walked statement by
statement, slowly, so that every change can be told together with its rule. The position at the
end is the one that the engine comes to; tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, assert_never

from quarantia_engine.cells import Change, changes
from quarantia_engine.engine import Engine
from quarantia_engine.explain import bound_locals, shape_of
from quarantia_engine.generated import Obligation
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_spec.ir import (
    NO_SENTENCES,
    Assign,
    Auto,
    Branch,
    Decide,
    End,
    For,
    Gather,
    If,
    Let,
    Oblige,
    Sentences,
    Statement,
    Toss,
)
from quarantia_spec.source import Origin

MOST_NODES = 10_000  # in a row without a choice: the rules go round in circles


@dataclass(frozen=True, slots=True)
class Happening:
    """A rule that ran ("" is the flow), from where, and what it changed.

    `broken` is the obligation that did not hold: nothing after it ran.
    """

    rule: str
    origin: Origin
    say: Sentences
    before: Position
    changes: tuple[Change, ...]
    broken: Obligation | None = None


class _Broken(Exception):
    def __init__(self, obligation: Obligation) -> None:
        super().__init__(obligation.message)
        self.obligation = obligation


@dataclass(frozen=True, slots=True)
class Traced:
    """What a move did, rule by rule. `cells` are those at the end, or where it failed.

    `read` are the cells that what happened by itself after the move looked at.
    """

    happenings: tuple[Happening, ...]
    cells: tuple[int, ...]
    read: frozenset[int]

    @property
    def broken(self) -> Obligation | None:
        return self.happenings[-1].broken if self.happenings else None


def trace_move(position: Position, move: Move) -> Traced:
    """What happens when a legal move is made."""
    shape = shape_of(position, move)
    assert shape is not None, "a legal move answers an offer"
    node = position.engine.game.nodes[position.cells[0]]
    assert isinstance(node, Decide | Gather | Toss)
    tracer = _Tracer(position.engine, list(position.cells))
    local = bound_locals(position, move, shape.rule)
    rule = shape.rule
    if tracer.happens(rule.name, rule.origin, rule.body, local):
        tracer.cells.read.clear()
        tracer.follow(node.next)
    return tracer.traced()


def trace_start(engine: Engine) -> Traced:
    """What happens before the first choice."""
    tracer = _Tracer(engine, engine.first_cells())
    tracer.follow(engine.game.entry)
    return tracer.traced()


class _Noted(list[int]):
    """Cells that remember which of them were looked at one by one."""

    def __init__(self, cells: Iterable[int]) -> None:
        super().__init__(cells)
        self.read: set[int] = set()

    def __getitem__(self, cell: Any) -> Any:
        self.read.add(cell)
        return super().__getitem__(cell)


class _Tracer:
    def __init__(self, engine: Engine, cells: list[int]) -> None:
        self.engine = engine
        self.cells = _Noted(cells)
        self.happenings: list[Happening] = []

    def traced(self) -> Traced:
        return Traced(tuple(self.happenings), tuple(self.cells), frozenset(self.cells.read))

    def happens(
        self,
        rule: str,
        origin: Origin,
        body: tuple[Statement, ...],
        local: dict[str, int],
        say: Sentences = NO_SENTENCES,
    ) -> bool:
        """Runs a rule and notes what it did; false when it broke an obligation."""
        before = tuple(self.cells)
        broken: Obligation | None = None
        try:
            self._run(body, rule, dict(local))
        except _Broken as failure:
            broken = failure.obligation
        changed = tuple(changes(self.engine.game, before, tuple(self.cells)))
        if rule or changed or broken is not None:
            position = Position(self.engine, before)
            self.happenings.append(Happening(rule, origin, say, position, changed, broken))
        return broken is None

    def follow(self, number: int) -> None:
        """The nodes from here on that happen by themselves."""
        for _ in range(MOST_NODES):
            node = self.engine.game.nodes[number]
            self.cells[0] = number
            match node:
                case Decide() | Gather() | Toss() | End():
                    return
                case Branch():
                    number = node.yes if self._value_of(node) else node.no
                case Auto():
                    if not self.happens(node.rule, node.origin, node.body, {}, node.say):
                        return
                    number = node.next
                case _:
                    assert_never(node)

    def _value_of(self, node: Branch) -> int:
        return self.engine.evaluator.value(node.condition, self.cells)

    def _run(self, statements: tuple[Statement, ...], rule: str, local: dict[str, int]) -> None:
        evaluate = self.engine.evaluator.value
        for statement in statements:
            match statement:
                case Assign(variable=name, indices=indices, value=value):
                    variable = self.engine.game.variable[name]
                    cell = variable.offset
                    for index, dimension, stride in zip(
                        indices, variable.dimensions, variable.strides, strict=True
                    ):
                        place = evaluate(index, self.cells, local)
                        cell += (place - dimension.low) * stride
                    self.cells[cell] = evaluate(value, self.cells, local)
                case Let(name=name, value=value):
                    local[name] = evaluate(value, self.cells, local)
                case Oblige():
                    if not evaluate(statement.condition, self.cells, local):
                        duty, message = statement.duty, statement.message
                        raise _Broken(Obligation(rule, duty, message, statement.origin))
                case If(condition=condition, then=then, otherwise=otherwise):
                    met = evaluate(condition, self.cells, local)
                    self._run(then if met else otherwise, rule, dict(local))
                case For(name=name, low=low, high=high, body=body):
                    for turn in range(low, high + 1):
                        self._run(body, rule, {**local, name: turn})
                case _:
                    assert_never(statement)
