"""A small game built without the front end: nim with one heap, for two players."""

from __future__ import annotations

from quarantia_spec.ir import (
    BOOLEAN,
    NO_SENTENCES,
    Apply,
    Assign,
    Auto,
    Branch,
    Const,
    Decide,
    Decision,
    Duty,
    End,
    Expr,
    Game,
    Local,
    Oblige,
    Offer,
    Op,
    Outcome,
    Parameter,
    Property,
    PropertyKind,
    Read,
    Require,
    Role,
    Sort,
    Variable,
)

PLAYER = Sort(0, 1, "Player")
HEAP = Sort(0, 12)
TAKE = Sort(1, 3)


def number(value: int) -> Const:
    return Const(value, Sort(value, value))


def compare(op: Op, left: Expr, right: Expr) -> Apply:
    return Apply(op, (left, right), BOOLEAN)


heap = Read("heap", (), HEAP)
turn = Read("turn", (), PLAYER)


def nim(*, guarded: bool = True, invariants: tuple[tuple[str, Expr], ...] = ()) -> Game:
    """Take 1 to 3; whoever takes the last wins. Unguarded, one may take more than there is."""
    amount = Local("n", TAKE)
    left = Apply(Op.SUB, (heap, amount), Sort(-3, 11))
    take = Decision(
        name="take",
        actor="p",
        context=(),
        choices=(Parameter("n", TAKE),),
        guards=(Require(compare(Op.LE, amount, heap), None),) if guarded else (),
        body=(
            Oblige(compare(Op.GE, left, number(0)), Duty.RANGE, "heap stays in 0..12"),
            Assign("heap", (), left),
        ),
        say=NO_SENTENCES,
    )
    other = Apply(Op.SUB, (number(1), turn), PLAYER)
    player = Local("q", PLAYER)
    return Game(
        name="nim",
        title="Nim",
        players=2,
        player_counts=(2,),
        readings=(),
        options=(),
        enumerations={"Player": ("first", "second")},
        components=(),
        zones=(),
        variables=(
            Variable("heap", (), (), HEAP, number(12), None, Role.STATE, 1),
            Variable("turn", (), (), PLAYER, number(0), None, Role.FLOW, 2),
        ),
        tables=(),
        assumptions=(),
        terms=(),
        decisions=(take,),
        chances=(),
        nodes=(
            Decide(0, turn, (Offer("take", ()),), 1, ()),
            Branch(1, compare(Op.EQ, heap, number(0)), 2, 3, ()),
            End(2),
            Auto(3, (Assign("turn", (), other),), 0, "", ()),
        ),
        entry=0,
        phases=(),
        outcome=Outcome("q", compare(Op.EQ, player, turn), None, NO_SENTENCES),
        properties=tuple(
            Property(PropertyKind.INVARIANT, name, condition, NO_SENTENCES)
            for name, condition in invariants
        ),
        ends=None,
        examples=(),
    )
