"""A second opinion on the engine: the IR read directly, as slowly and plainly as possible.

Nothing of the engine is used here. Every index, division and range is looked at, so a rule that
leaves its meaning raises `Undefined` instead of giving some answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from quarantia_spec.ir import (
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
    Offer,
    Op,
    Read,
    Require,
    Sort,
    Statement,
    Toss,
)

Locals = dict[str, int]
Choice = tuple[int | None, int, tuple[int, ...]]  # player, number of the offer, choices


class Undefined(Exception):
    """The IR says nothing about this."""


class Broken(Exception):
    """An obligation does not hold."""


class _Seats(dict[str, int]):
    """In the context of a choice made together, the flow's own local stands for the player."""

    def __init__(self, player: int | None) -> None:
        super().__init__()
        self._player = player

    def __missing__(self, name: str) -> int:
        assert self._player is not None
        return self._player


class Reference:
    """Plays one game by reading its IR."""

    def __init__(self, game: Game, data: Mapping[str, Sequence[int]]) -> None:
        self.game = game
        self.tables = {
            table.name: table.values if table.values is not None else tuple(data[table.name])
            for table in game.tables
        }

    # --- expressions ----------------------------------------------------------------------------

    def value(self, expr: Expr, cells: Sequence[int], local: Locals) -> int:
        match expr:
            case Const(value=value):
                return value
            case Local(name=name):
                return local[name]
            case Read(variable=name, indices=indices):
                variable = self.game.variable[name]
                place = self.place(variable.dimensions, indices, cells, local)
                return cells[variable.offset + place]
            case Lookup(table=name, indices=indices):
                place = self.place(self.game.table[name].dimensions, indices, cells, local)
                return self.tables[name][place]
            case Call(term=name, args=args):
                term = self.game.term[name]
                given = {
                    parameter.name: self.value(arg, cells, local)
                    for parameter, arg in zip(term.parameters, args, strict=True)
                }
                return self.value(term.body, cells, given)
            case Fold():
                return self.fold(expr, cells, local)
            case Apply():
                return self.applied(expr, cells, local)
            case _:
                assert_never(expr)

    def place(
        self,
        dimensions: Sequence[Sort],
        indices: Sequence[Expr],
        cells: Sequence[int],
        local: Locals,
    ) -> int:
        place = 0
        for dimension, index in zip(dimensions, indices, strict=True):
            value = self.value(index, cells, local)
            if not dimension.low <= value <= dimension.high:
                raise Undefined(f"index {value}")
            place = place * dimension.size + value - dimension.low
        return place

    def fold(self, fold: Fold, cells: Sequence[int], local: Locals) -> int:
        values = []
        for candidate in range(fold.low, fold.high + 1):
            inner = {**local, fold.name: candidate}
            if fold.where is None or self.value(fold.where, cells, inner):
                body = self.value(fold.body, cells, inner)
                values.append((candidate, body))
                if (fold.op is FoldOp.ANY or fold.op is FoldOp.FIRST) and body:
                    break
                if fold.op is FoldOp.ALL and not body:
                    break
        bodies = [body for _, body in values]
        match fold.op:
            case FoldOp.SUM:
                return sum(bodies)
            case FoldOp.COUNT:
                return sum(1 for body in bodies if body)
            case FoldOp.ALL:
                return int(all(bodies))
            case FoldOp.ANY:
                return int(any(bodies))
            case FoldOp.MAX | FoldOp.MIN:
                if bodies:
                    return max(bodies) if fold.op is FoldOp.MAX else min(bodies)
                if fold.default is None:
                    raise Undefined("the greatest of nothing")
                return self.value(fold.default, cells, local)
            case FoldOp.FIRST:
                return next((number for number, body in values if body), fold.low - 1)
            case _:
                assert_never(fold.op)

    def applied(self, expr: Apply, cells: Sequence[int], local: Locals) -> int:
        def at(place: int) -> int:
            return self.value(expr.args[place], cells, local)

        def all_values() -> list[int]:
            return [self.value(arg, cells, local) for arg in expr.args]

        match expr.op:
            case Op.AND:
                return int(all(self.value(arg, cells, local) for arg in expr.args))
            case Op.OR:
                return int(any(self.value(arg, cells, local) for arg in expr.args))
            case Op.IMPLIES:
                return int(not at(0) or bool(at(1)))
            case Op.IF:
                return at(1) if at(0) else at(2)
            case Op.NOT:
                return int(not at(0))
            case Op.ADD:
                return sum(all_values())
            case Op.SUB:
                return at(0) - at(1)
            case Op.MUL:
                product = 1
                for value in all_values():
                    product *= value
                return product
            case Op.DIV | Op.MOD:
                if at(1) <= 0:
                    raise Undefined("division")
                return at(0) // at(1) if expr.op is Op.DIV else at(0) % at(1)
            case Op.NEG:
                return -at(0)
            case Op.ABS:
                return abs(at(0))
            case Op.MIN:
                return min(all_values())
            case Op.MAX:
                return max(all_values())
            case Op.EQ:
                return int(at(0) == at(1))
            case Op.NE:
                return int(at(0) != at(1))
            case Op.LT:
                return int(at(0) < at(1))
            case Op.LE:
                return int(at(0) <= at(1))
            case Op.GT:
                return int(at(0) > at(1))
            case Op.GE:
                return int(at(0) >= at(1))
            case _:
                assert_never(expr.op)

    # --- statements -----------------------------------------------------------------------------

    def run(self, statements: Sequence[Statement], cells: list[int], local: Locals) -> None:
        scope = dict(local)
        for statement in statements:
            match statement:
                case Assign(variable=name, indices=indices, value=expr):
                    variable = self.game.variable[name]
                    place = self.place(variable.dimensions, indices, cells, scope)
                    value = self.value(expr, cells, scope)
                    if not variable.sort.low <= value <= variable.sort.high:
                        raise Undefined(f"{name} := {value}")
                    cells[variable.offset + place] = value
                case If(condition=condition, then=then, otherwise=otherwise):
                    taken = then if self.value(condition, cells, scope) else otherwise
                    self.run(taken, cells, scope)
                case For(name=name, low=low, high=high, body=body):
                    for number in range(low, high + 1):
                        self.run(body, cells, {**scope, name: number})
                case Let(name=name, value=expr):
                    scope[name] = self.value(expr, cells, scope)
                case Oblige(condition=condition, message=message):
                    if not self.value(condition, cells, scope):
                        raise Broken(message)
                case _:
                    assert_never(statement)

    # --- play -----------------------------------------------------------------------------------

    def start(self) -> tuple[int, ...]:
        cells = [0] * self.game.cells
        cells[0] = self.game.entry
        for variable in self.game.variables:
            ranges = [range(sort.low, sort.high + 1) for sort in variable.dimensions]
            for place, values in enumerate(itertools.product(*ranges)):
                local = dict(zip(variable.index_names, values, strict=True))
                cells[variable.offset + place] = self.value(variable.initial, cells, local)
        self.settle(cells)
        return tuple(cells)

    def settle(self, cells: list[int]) -> None:
        """Runs automatic nodes until someone must choose."""
        while True:
            node = self.game.nodes[cells[0]]
            match node:
                case Auto(body=body, next=following):
                    self.run(body, cells, {})
                    cells[0] = following
                case Branch(condition=condition, yes=yes, no=no):
                    cells[0] = yes if self.value(condition, cells, {}) else no
                case Decide() | Gather() | Toss() | End():
                    return
                case _:
                    assert_never(node)

    def offers(self, cells: Sequence[int]) -> list[tuple[int | None, int, Offer]]:
        """Who may answer which offer."""
        node = self.game.nodes[cells[0]]
        match node:
            case Decide(actor=actor, offers=offers):
                player = self.value(actor, cells, {})
                return [(player, number, offer) for number, offer in enumerate(offers)]
            case Gather(waiting=waiting, offers=offers):
                first = self.game.variable[waiting].offset
                return [
                    (player, number, offer)
                    for player in range(self.game.players)
                    if cells[first + player]
                    for number, offer in enumerate(offers)
                ]
            case Toss(offer=offer):
                return [(None, 0, offer)]
            case _:
                return []

    def bound(
        self, cells: Sequence[int], player: int | None, offer: Offer
    ) -> tuple[Decision | Chance, Locals]:
        rule: Decision | Chance
        rule = self.game.chance[offer.rule] if player is None else self.game.decision[offer.rule]
        local: Locals = {}
        if isinstance(rule, Decision) and player is not None:
            local[rule.actor] = player
        for parameter, argument in zip(rule.context, offer.arguments, strict=True):
            seats = _Seats(player) if isinstance(rule, Decision) and rule.secret else dict(local)
            local[parameter.name] = self.value(argument, cells, seats)
        return rule, local

    def legal(self, cells: Sequence[int]) -> Iterator[Choice]:
        """Every choice that the guards allow, found by trying all of them."""
        for player, number, offer in self.offers(cells):
            rule, local = self.bound(cells, player, offer)
            ranges = [range(each.sort.low, each.sort.high + 1) for each in rule.choices]
            for values in itertools.product(*ranges):
                names = (each.name for each in rule.choices)
                inner = {**local, **dict(zip(names, values, strict=True))}
                if self.allowed(rule, cells, inner):
                    yield player, number, values

    def allowed(self, rule: Decision | Chance, cells: Sequence[int], local: Locals) -> bool:
        for guard in rule.guards:
            match guard:
                case Let(name=name, value=expr):
                    local[name] = self.value(expr, cells, local)
                case Require(condition=condition):
                    if not self.value(condition, cells, local):
                        return False
                case _:
                    assert_never(guard)
        if isinstance(rule, Chance) and rule.weight is not None:
            return self.value(rule.weight, cells, local) > 0
        return True

    def apply(self, cells: Sequence[int], choice: Choice) -> tuple[int, ...]:
        player, number, values = choice
        node = self.game.nodes[cells[0]]
        assert isinstance(node, Decide | Gather | Toss)
        offer = node.offer if isinstance(node, Toss) else node.offers[number]
        rule, local = self.bound(cells, player, offer)
        local.update(zip((each.name for each in rule.choices), values, strict=True))
        assert self.allowed(rule, cells, local)
        after = list(cells)
        self.run(rule.body, after, local)
        after[0] = node.next
        self.settle(after)
        return tuple(after)

    def winners(self, cells: Sequence[int]) -> tuple[int, ...]:
        outcome = self.game.outcome
        return tuple(
            player
            for player in range(self.game.players)
            if self.value(outcome.winner, cells, {outcome.player: player})
        )

    def visible(self, cells: Sequence[int], seat: int) -> list[int]:
        mask = [1] * len(cells)
        for variable in self.game.variables:
            if variable.visible is None:
                continue
            ranges = [range(sort.low, sort.high + 1) for sort in variable.dimensions]
            for place, values in enumerate(itertools.product(*ranges)):
                local = dict(zip(variable.index_names, values, strict=True))
                seen = self.value(variable.visible, cells, {**local, "viewer": seat})
                mask[variable.offset + place] = seen
        return mask
