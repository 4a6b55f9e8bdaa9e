"""The rules with probes in them: which cases a game exercises. Read `Probes.step`.

The IR is printed once more as Python, this time plainly and with a probe at every place that play
may or may not come to. What it plays is what the engine plays; tests hold the two together.

    rule        a decision, an outcome of chance or a step is carried out
    branch      a condition of the flow or of an `if` is met, and is not met
    case        a condition inside a term is met, and is not met
    condition   a requirement of a move is met, and is not met
    boundary    a comparison is just met, and just not met
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, assert_never

from quarantia_checker.conform.reference import Cells, Reference, Step
from quarantia_engine.analysis import walk
from quarantia_engine.moves import Move
from quarantia_spec.ir import (
    BOOLEAN,
    Apply,
    Assign,
    Auto,
    Branch,
    Call,
    Chance,
    Const,
    Decide,
    Decision,
    End,
    Expr,
    Fold,
    FoldOp,
    For,
    Game,
    Gather,
    If,
    Let,
    Local,
    Lookup,
    Oblige,
    Op,
    Read,
    Sort,
    Statement,
    Toss,
)
from quarantia_spec.source import Origin
from quarantia_spec.wording import worded


class Aim(Enum):
    RULE = "rule"
    BRANCH = "branch"
    CASE = "case"
    CONDITION = "condition"
    BOUNDARY = "boundary"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to exercise. `owner` is the rule or term, `side` how its condition comes out.

    `condition` is the condition on that side as an expression, None for rules.
    """

    aim: Aim
    owner: str
    text: str
    side: str
    origin: Origin
    condition: Expr | None

    def __str__(self) -> str:
        if self.aim is Aim.RULE:
            return f"{self.owner} is carried out"
        return f"{self.owner or 'the flow'}: {self.text} {self.side}"


# How far the left side of a comparison is from the right one when it is just met, and just not.
_EDGES = {Op.LE: (0, 1), Op.LT: (-1, 0), Op.GE: (0, -1), Op.GT: (1, 0)}
_SYMBOLS = {
    Op.ADD: "+", Op.SUB: "-", Op.MUL: "*", Op.DIV: "//", Op.MOD: "%"
}  # fmt: skip
_RELATIONS = {Op.EQ: "==", Op.NE: "!=", Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">="}


class Probes:
    """A game with probes. `hits` has one entry for each target: how often it was exercised."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.game: Game = reference.engine.game
        self.targets: list[Target] = []
        self._tables: dict[str, int] = {}
        offset = 0
        for table in self.game.tables:
            self._tables[table.name] = offset
            size = 1
            for dimension in table.dimensions:
                size *= dimension.size
            offset += size
        self._rules: dict[str, int] = {}
        self._path: list[Expr] = []  # what holds where an expression is looked at
        self.source = self._module()
        self.hits = [0] * len(self.targets)
        self._space: dict[str, Any] = {"hits": self.hits}
        exec(compile(self.source, f"<probes of {self.game.name}>", "exec"), self._space)

    # --- use --------------------------------------------------------------------------------------

    def step(self, cells: Cells, step: Step) -> Cells:
        """Carries out a legal step and notes what it exercises; the cells after it."""
        row = cells[:]
        for number in step:
            position = self.reference.position(row)
            move = position.move_of(number)
            node = self.game.nodes[row[0]]
            assert isinstance(node, Decide | Gather | Toss)
            self.attempt(row, move, carry=True)
            self._space["follow"](row, self.reference.data, node.next)
        return row

    def attempt(self, cells: Cells, move: Move, *, carry: bool = False) -> bool:
        """Asks the conditions of a move, as far as they hold; true when all do."""
        from quarantia_engine.explain import shape_of

        position = self.reference.position(cells)
        shape = shape_of(position, move)
        if shape is None:
            return False
        rule = shape.rule
        found = {**dict(position.context(shape, move.player)), **dict(move.arguments)}
        if isinstance(rule, Decision):
            found[rule.actor] = move.player or 0
        values = [found[name] for name in _parameters(rule)]
        return bool(
            self._space[f"rule_{_word(rule.name)}"](cells, self.reference.data, carry, *values)
        )

    def outcome(self, cells: Cells) -> None:
        """Asks who has won, at the end of a game."""
        for seat in range(self.game.players):
            self._space["outcome"](cells, self.reference.data, seat)

    # --- targets ----------------------------------------------------------------------------------

    def _target(
        self, aim: Aim, owner: str, text: str, side: str, origin: Origin, condition: Expr | None
    ) -> int:
        for each in self._path if condition is not None else ():
            assert condition is not None
            condition = Apply(Op.AND, (each, condition), BOOLEAN)
        self.targets.append(Target(aim, owner, text, side, origin, condition))
        return len(self.targets) - 1

    def _sides(self, aim: Aim, owner: str, condition: Expr, origin: Origin) -> int:
        text = worded(self.game, condition)
        number = self._target(aim, owner, text, "is met", origin, condition)
        negated = Apply(Op.NOT, (condition,), condition.sort)
        self._target(aim, owner, text, "is not met", origin, negated)
        return number

    @contextlib.contextmanager
    def _given(self, condition: Expr | None) -> Iterator[None]:
        """While something is looked at only where a condition holds."""
        if condition is None:
            yield
            return
        self._path.append(condition)
        yield
        self._path.pop()

    # --- expressions ------------------------------------------------------------------------------

    def _expr(self, expr: Expr, owner: str, origin: Origin) -> str:
        def inner(part: Expr) -> str:
            return self._expr(part, owner, origin)

        match expr:
            case Const(value=value):
                return f"({value})"
            case Local(name=name):
                return _local(name)
            case Read(variable=name, indices=indices):
                variable = self.game.variable[name]
                return f"s[{self._index(variable.offset, variable.dimensions, indices, inner)}]"
            case Lookup(table=name, indices=indices):
                table = self.game.table[name]
                return f"g[{self._index(self._tables[name], table.dimensions, indices, inner)}]"
            case Call(term=name, args=args):
                return f"term_{_word(name)}({', '.join(['s', 'g', *map(inner, args)])})"
            case Fold():
                return self._fold(expr, owner, origin)
            case Apply():
                return self._apply(expr, owner, origin)
            case _:
                assert_never(expr)

    def _index(
        self, offset: int, dimensions: Sequence[Sort], indices: Sequence[Expr], inner: Any
    ) -> str:
        parts = [str(offset)]
        stride = 1
        for sort, index in reversed(list(zip(dimensions, indices, strict=True))):
            parts.append(f"({inner(index)} - {sort.low}) * {stride}")
            stride *= sort.size
        return " + ".join(parts)

    def _apply(self, expr: Apply, owner: str, origin: Origin) -> str:
        def inner(part: Expr) -> str:
            return self._expr(part, owner, origin)

        args, op = expr.args, expr.op
        match op:
            case Op.IF:
                if isinstance(args[0], Const):
                    return inner(args[1] if args[0].value else args[2])
                number = self._sides(Aim.CASE, owner, args[0], origin)
                asked = inner(args[0])
                with self._given(args[0]):
                    then = inner(args[1])
                with self._given(_negated(args[0])):
                    otherwise = inner(args[2])
                return f"({then} if seen({number}, {asked}) else {otherwise})"
            case Op.AND | Op.OR:
                parts: list[str] = []
                with contextlib.ExitStack() as stack:
                    for arg in args:
                        parts.append(inner(arg))
                        stack.enter_context(self._given(arg if op is Op.AND else _negated(arg)))
                return "(" + f" {op.value} ".join(parts) + ")"
            case Op.LT | Op.LE | Op.GT | Op.GE:
                just, beyond = _EDGES[op]
                text = worded(self.game, expr)
                apart = Apply(Op.SUB, args, Sort(-(1 << 20), 1 << 20))
                met = self._target(
                    Aim.BOUNDARY, owner, text, "is just met", origin, _equals(apart, just)
                )
                self._target(
                    Aim.BOUNDARY, owner, text, "is just not met", origin, _equals(apart, beyond)
                )
                left, right = inner(args[0]), inner(args[1])
                return f"(edge({met}, {left} - {right}, {just}, {beyond}) {_RELATIONS[op]} 0)"
            case Op.EQ | Op.NE:
                text = worded(self.game, expr)
                same = Apply(Op.EQ, args, expr.sort)
                met = self._target(Aim.BOUNDARY, owner, text, "with both alike", origin, same)
                other = Apply(Op.NE, args, expr.sort)
                self._target(Aim.BOUNDARY, owner, text, "with both unlike", origin, other)
                relation = "" if op is Op.EQ else "not "
                return f"({relation}seen({met}, {inner(args[0])} == {inner(args[1])}))"
            case Op.NOT:
                return f"(not {inner(args[0])})"
            case Op.IMPLIES:
                premise = inner(args[0])
                with self._given(args[0]):
                    return f"(not {premise} or {inner(args[1])})"
            case Op.NEG:
                return f"(-{inner(args[0])})"
            case Op.ABS:
                return f"abs({inner(args[0])})"
            case Op.MIN | Op.MAX:
                return f"{op.value}({', '.join(map(inner, args))})"
            case _:
                return "(" + f" {_SYMBOLS[op]} ".join(map(inner, args)) + ")"

    def _fold(self, fold: Fold, owner: str, origin: Origin) -> str:
        name = _local(fold.name)
        where = "" if fold.where is None else f" if {self._expr(fold.where, owner, origin)}"
        with self._given(fold.where):
            body = self._expr(fold.body, owner, origin)
        loop = f"for {name} in range({fold.low}, {fold.high + 1}){where}"
        match fold.op:
            case FoldOp.SUM:
                return f"sum({body} {loop})"
            case FoldOp.COUNT:
                return f"sum(1 if {body} else 0 {loop})"
            case FoldOp.ALL:
                return f"all({body} {loop})"
            case FoldOp.ANY:
                return f"any({body} {loop})"
            case FoldOp.FIRST:
                both = f"{where} and ({body})" if where else f" if {body}"
                span = f"for {name} in range({fold.low}, {fold.high + 1}){both}"
                return f"next(({name} {span}), {fold.low - 1})"
            case FoldOp.MAX | FoldOp.MIN:
                default = ""
                if fold.default is not None:
                    default = f", default={self._expr(fold.default, owner, origin)}"
                return f"{fold.op.value}(({body} {loop}){default})"
            case _:
                assert_never(fold.op)

    # --- statements -------------------------------------------------------------------------------

    def _body(
        self, statements: Sequence[Statement], owner: str, origin: Origin, indent: str
    ) -> list[str]:
        lines: list[str] = []
        for each in statements:
            place = each.origin
            match each:
                case Assign(variable=name, indices=indices, value=value):
                    variable = self.game.variable[name]
                    index = self._index(
                        variable.offset,
                        variable.dimensions,
                        indices,
                        lambda part, place=place: self._expr(part, owner, place),
                    )
                    lines.append(f"{indent}s[{index}] = int({self._expr(value, owner, place)})")
                case Let(name=name, value=value):
                    lines.append(f"{indent}{_local(name)} = {self._expr(value, owner, place)}")
                case Oblige():
                    pass
                case If(condition=condition, then=then, otherwise=otherwise):
                    asked = self._expr(condition, owner, place)
                    if not isinstance(condition, Const):
                        asked = f"seen({self._sides(Aim.BRANCH, owner, condition, place)}, {asked})"
                    lines.append(f"{indent}if {asked}:")
                    lines += self._body(then, owner, place, f"{indent}  ") or [f"{indent}  pass"]
                    if otherwise:
                        lines.append(f"{indent}else:")
                        lines += self._body(otherwise, owner, place, f"{indent}  ") or [
                            f"{indent}  pass"
                        ]
                case For(name=name, low=low, high=high, body=body):
                    lines.append(f"{indent}for {_local(name)} in range({low}, {high + 1}):")
                    lines += self._body(body, owner, place, f"{indent}  ") or [f"{indent}  pass"]
                case _:
                    assert_never(each)
        return lines

    # --- the module -------------------------------------------------------------------------------

    def _module(self) -> str:
        lines = [
            "def seen(number, value):",
            "  hits[number if value else number + 1] += 1",
            "  return value",
            "def edge(number, apart, just, beyond):",
            "  if apart == just: hits[number] += 1",
            "  elif apart == beyond: hits[number + 1] += 1",
            "  return apart",
        ]
        used = _used_terms(self.game)
        for term in self.game.terms:
            if term.name not in used:
                continue
            names = ", ".join(["s", "g", *(_local(each.name) for each in term.parameters)])
            lines.append(f"def term_{_word(term.name)}({names}):")
            lines.append(f"  return {self._expr(term.body, term.name, term.origin)}")
        for rule in _rules_of(self.game):
            lines += self._rule(rule)
        for node in self.game.nodes:
            if isinstance(node, Auto):
                lines.append(f"def node_{node.number}(s, g):")
                if node.rule:
                    lines.append(f"  hits[{self._rule_target(node.rule, node.origin)}] += 1")
                lines += self._body(node.body, node.rule, node.origin, "  ")
                lines.append(f"  return {node.next}")
            elif isinstance(node, Branch):
                asked = self._expr(node.condition, "", node.origin)
                if not isinstance(node.condition, Const):
                    number = self._sides(Aim.BRANCH, "", node.condition, node.origin)
                    asked = f"seen({number}, {asked})"
                lines.append(f"def node_{node.number}(s, g):")
                lines.append(f"  return {node.yes} if {asked} else {node.no}")
        automatic = ", ".join(
            f"{node.number}: node_{node.number}"
            for node in self.game.nodes
            if not isinstance(node, Decide | Gather | Toss | End)
        )
        lines += [
            f"automatic = {{{automatic}}}",
            "def follow(s, g, number):",
            "  while number in automatic:",
            "    s[0] = number",
            "    number = automatic[number](s, g)",
            "  s[0] = number",
        ]
        outcome = self.game.outcome
        lines.append(f"def outcome(s, g, {_local(outcome.player)}):")
        lines.append(f"  {self._expr(outcome.winner, 'outcome', outcome.origin)}")
        if outcome.score is not None:
            lines.append(f"  {self._expr(outcome.score, 'outcome', outcome.origin)}")
        return "\n".join(lines)

    def _rule_target(self, name: str, origin: Origin) -> int:
        if name not in self._rules:
            self._rules[name] = self._target(Aim.RULE, name, "", "", origin, None)
        return self._rules[name]

    def _rule(self, rule: Decision | Chance) -> list[str]:
        names = ", ".join(["s", "g", "carry", *map(_local, _parameters(rule))])
        lines = [f"def rule_{_word(rule.name)}({names}):"]
        lets = any(isinstance(guard, Let) for guard in rule.guards)
        for guard in rule.guards:
            if isinstance(guard, Let):
                value = self._expr(guard.value, rule.name, guard.origin)
                lines.append(f"  {_local(guard.name)} = {value}")
            else:
                asked = self._expr(guard.condition, rule.name, guard.origin)
                if not isinstance(guard.condition, Const):
                    number = self._sides(Aim.CONDITION, rule.name, guard.condition, guard.origin)
                    asked = f"seen({number}, {asked})"
                lines.append(f"  if not {asked}: return False")
                if not lets:
                    self._path.append(guard.condition)
        self._path.clear()
        lines.append("  if not carry: return True")
        lines.append(f"  hits[{self._rule_target(rule.name, rule.origin)}] += 1")
        lines += self._body(rule.body, rule.name, rule.origin, "  ")
        lines.append("  return True")
        return lines


def _rules_of(game: Game) -> tuple[Decision | Chance, ...]:
    return (*game.decisions, *game.chances)


def _parameters(rule: Decision | Chance) -> list[str]:
    names = [each.name for each in (*rule.context, *rule.choices)]
    if isinstance(rule, Decision) and rule.actor not in names:
        names.append(rule.actor)
    return names


def _equals(expr: Expr, value: int) -> Expr:
    return Apply(Op.EQ, (expr, Const(value, Sort(value, value))), BOOLEAN)


def _negated(condition: Expr) -> Expr:
    return Apply(Op.NOT, (condition,), BOOLEAN)


def _used_terms(game: Game) -> set[str]:
    """The terms that play looks at; others are there for properties and examples."""
    found: set[str] = set()

    def look(expr: Expr | None) -> None:
        for part in walk(expr) if expr is not None else ():
            if isinstance(part, Call) and part.term not in found:
                found.add(part.term)
                look(game.term[part.term].body)

    def look_at(statements: Sequence[Statement]) -> None:
        for each in statements:
            match each:
                case Assign(indices=indices, value=value):
                    for index in (*indices, value):
                        look(index)
                case Let(value=value):
                    look(value)
                case If(condition=condition, then=then, otherwise=otherwise):
                    look(condition)
                    look_at((*then, *otherwise))
                case For(body=body):
                    look_at(body)
                case Oblige():
                    pass
                case _:
                    assert_never(each)

    for rule in _rules_of(game):
        for guard in rule.guards:
            look(guard.value if isinstance(guard, Let) else guard.condition)
        look_at(rule.body)
    for node in game.nodes:
        match node:
            case Auto(body=body):
                look_at(body)
            case Branch(condition=condition):
                look(condition)
            case Decide() | Gather() | Toss() | End():
                pass
            case _:
                assert_never(node)
    look(game.outcome.winner)
    look(game.outcome.score)
    return found


def _word(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _local(name: str) -> str:
    return f"v_{_word(name)}"
