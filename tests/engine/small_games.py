"""Small games built by hand, for tests that must not depend on the language."""

from __future__ import annotations

from quarantia_spec.ir import (
    BOOLEAN,
    NO_REASON,
    Apply,
    Assign,
    Auto,
    Branch,
    Chance,
    Component,
    Const,
    Decide,
    Decision,
    Duty,
    End,
    Expr,
    Fold,
    FoldOp,
    Game,
    Gather,
    If,
    Let,
    Local,
    Lookup,
    Oblige,
    Offer,
    Op,
    Outcome,
    Parameter,
    Read,
    Require,
    Role,
    Sentences,
    Sort,
    Table,
    Template,
    Term,
    Toss,
    Variable,
)
from quarantia_spec.source import Citation, Origin, Span

PLAYER = Sort(0, 1, "Player")
HEAP = Sort(0, 12)


def number(value: int) -> Const:
    return Const(value, Sort(value, value))


def cited(section: str, line: int = 1) -> Origin:
    return Origin(Span("small.rules", line, 1, line, 9), (Citation(section),))


def compare(op: Op, left: Expr, right: Expr) -> Apply:
    return Apply(op, (left, right), BOOLEAN)


def plus(left: Expr, right: Expr, sort: Sort) -> Apply:
    return Apply(Op.ADD, (left, right), sort)


def minus(left: Expr, right: Expr, sort: Sort) -> Apply:
    return Apply(Op.SUB, (left, right), sort)


def variable(
    name: str,
    sort: Sort,
    initial: Expr,
    offset: int,
    dimensions: tuple[Sort, ...] = (),
    names: tuple[str, ...] = (),
    visible: Expr | None = None,
    role: Role = Role.STATE,
) -> Variable:
    return Variable(name, dimensions, names, sort, initial, visible, role, offset)


def game_of(**parts: object) -> Game:
    standard: dict[str, object] = {
        "name": "small",
        "title": "A small game",
        "players": 2,
        "player_counts": (2,),
        "readings": (),
        "options": (),
        "enumerations": {"Player": ("red", "blue")},
        "components": tuple[Component, ...](),
        "zones": (),
        "variables": (),
        "tables": (),
        "assumptions": (),
        "terms": (),
        "decisions": (),
        "chances": (),
        "nodes": (),
        "entry": 0,
        "phases": (),
        "outcome": Outcome("p", Const(0, BOOLEAN), None, Sentences()),
        "properties": (),
        "ends": None,
        "examples": (),
    }
    return Game(**{**standard, **parts})  # type: ignore[arg-type]


def nim() -> Game:
    """One heap of twelve; take one to three; whoever takes the last wins."""
    heap = Read("heap", (), HEAP)
    turn = Read("turn", (), PLAYER)
    count = Local("n", Sort(1, 3))
    player = Local("p", PLAYER)
    take = Decision(
        "take",
        "p",
        (),
        (Parameter("n", Sort(1, 3)),),
        (
            Require(
                compare(Op.LE, count, heap),
                Sentences(Template(("only ", heap, " are left"))),
                cited("2.1", 4),
            ),
        ),
        (
            Oblige(compare(Op.GE, heap, count), Duty.RANGE, "the heap would go below zero"),
            Assign("heap", (), minus(heap, count, HEAP)),
            Assign("last", (), player),
            Assign("turn", (), minus(number(1), player, PLAYER)),
        ),
        Sentences(Template(("Take ", count, ".")), Template(("Prendre ", count, "."))),
        origin=cited("2", 3),
    )
    winner = compare(Op.EQ, Read("last", (), Sort(-1, 1, "Player", optional=True)), player)
    return game_of(
        name="heap",
        variables=(
            variable("heap", HEAP, number(12), 1),
            variable("turn", PLAYER, number(0), 2, role=Role.FLOW),
            variable("last", Sort(-1, 1, "Player", optional=True), number(-1), 3),
        ),
        decisions=(take,),
        nodes=(
            Decide(0, turn, (Offer("take", ()),), 1, ("take",)),
            Branch(1, compare(Op.EQ, heap, number(0)), 2, 0, ()),
            End(2),
        ),
        outcome=Outcome("p", winner, None, Sentences()),
    )


PLACE = Sort(0, 2, "Place")
BID = Sort(0, 3)


def auction() -> Game:
    """Dice fill a pot with weights, both bid in secret from a purse, the higher bid takes it.

    It has a weighted toss, a printed and a given table, secret bids at once, a term with a fold,
    and an optional enumeration: everything that the heap lacks.
    """
    face = Local("face", Sort(1, 3))
    player = Local("p", PLAYER)
    bid = Local("bid", BID)
    place = Local("place", Sort(-1, 2, "Place", optional=True))
    maximum = 9
    purse = Read("purse", (player,), Sort(0, maximum))
    pot = Read("pot", (), Sort(0, 40))
    rounds = Read("round", (), Sort(0, 4))
    offered = Sort(-1, 3)
    written = Read("offered", (Local("q", PLAYER),), offered)
    best = Fold(FoldOp.MAX, "q", 0, 1, None, written, number(-1), offered)
    call_best = Read("best", (), offered)
    bonus = Lookup("bonus", (Local("place2", PLACE),), Sort(0, 2))
    place2 = Apply(Op.MAX, (Local("place", Sort(-1, 2)), number(0)), PLACE)
    roll = Chance(
        "roll",
        (),
        (Parameter("face", Sort(1, 3)),),
        (Require(compare(Op.LE, face, plus(rounds, number(1), Sort(1, 5))), None),),
        Lookup("odds", (face,), Sort(0, 5)),
        (Assign("pot", (), plus(pot, face, Sort(0, 40))),),
        Sentences(Template(("A ", face, " is rolled.")), None),
    )
    offer = Decision(
        "offer",
        "p",
        (),
        (Parameter("bid", BID), Parameter("place", Sort(-1, 2, "Place", optional=True))),
        (
            Require(
                compare(Op.LE, bid, purse),
                Sentences(Template(("the purse holds ", purse))),
                cited("3", 9),
            ),
            Let("place2", place2),
            Require(
                Apply(
                    Op.IMPLIES,
                    (
                        compare(Op.NE, place, number(-1)),
                        compare(Op.GE, plus(bid, bonus, Sort(0, 5)), number(2)),
                    ),
                    BOOLEAN,
                ),
                None,
                cited("3", 10),
            ),
        ),
        (
            Assign("offered", (player,), bid),
            Assign("where", (player,), place),
            Assign("waiting", (player,), Const(0, BOOLEAN)),
        ),
        Sentences(Template(("Bid ", bid, " at ", place, ".")), None),
        secret=True,
        origin=cited("3", 8),
    )
    waiting_any = Fold(
        FoldOp.ANY, "q", 0, 1, None, Read("waiting", (Local("q", PLAYER),), BOOLEAN), None, BOOLEAN
    )
    seat = Local("q", PLAYER)
    purse_q = Read("purse", (seat,), Sort(0, maximum))
    wins_q = compare(Op.EQ, Read("offered", (seat,), offered), call_best)
    points_q = Read("points", (seat,), Sort(0, 40))
    from quarantia_spec.ir import For

    settle = (
        Let("highest", best),
        Assign("best", (), Local("highest", offered)),
        For(
            "q",
            0,
            1,
            (
                Oblige(
                    compare(Op.GE, purse_q, Read("offered", (seat,), offered)),
                    Duty.PIECES,
                    "the purse is too light",
                ),
                Assign(
                    "purse", (seat,), minus(purse_q, Read("offered", (seat,), offered), Sort(0, 9))
                ),
                If(
                    wins_q,
                    (
                        Oblige(
                            compare(Op.LE, plus(points_q, pot, Sort(0, 80)), number(40)),
                            Duty.RANGE,
                            "too many points",
                        ),
                        Assign("points", (seat,), plus(points_q, pot, Sort(0, 40))),
                    ),
                ),
                Assign("offered", (seat,), number(-1)),
                Assign("where", (seat,), number(-1)),
                Assign("waiting", (seat,), Const(1, BOOLEAN)),
            ),
        ),
        Assign("pot", (), number(0)),
        Assign("round", (), plus(rounds, number(1), Sort(0, 4))),
    )
    viewer = Local("viewer", PLAYER)
    own = compare(Op.EQ, viewer, Local("q", PLAYER))
    call = Read("points", (Local("p", PLAYER),), Sort(0, 40))
    lead = Term(
        "lead",
        (),
        Sort(0, 40),
        Fold(FoldOp.MAX, "q", 0, 1, None, points_q, number(0), Sort(0, 40)),
        (),
        (),
        None,
        NO_REASON,
        True,
        Sentences(),
        Sentences(),
    )
    from quarantia_spec.ir import Call

    return game_of(
        name="auction",
        enumerations={"Player": ("red", "blue"), "Place": ("Rialto", "Lido", "Murano")},
        variables=(
            variable("purse", Sort(0, maximum), number(maximum), 1, (PLAYER,), ("q",)),
            variable("pot", Sort(0, 40), number(0), 3),
            variable("round", Sort(0, 4), number(0), 4, role=Role.FLOW),
            variable("offered", offered, number(-1), 5, (PLAYER,), ("q",), own, role=Role.PENDING),
            variable(
                "where",
                Sort(-1, 2, "Place", optional=True),
                number(-1),
                7,
                (PLAYER,),
                ("q",),
                own,
                role=Role.PENDING,
            ),
            variable("waiting", BOOLEAN, Const(1, BOOLEAN), 9, (PLAYER,), ("q",), role=Role.FLOW),
            variable("best", offered, number(-1), 11),
            variable("points", Sort(0, 40), number(0), 12, (PLAYER,), ("q",)),
        ),
        tables=(
            Table("odds", (Sort(1, 3),), ("f",), Sort(0, 5), (1, 0, 3)),
            Table("bonus", (PLACE,), ("x",), Sort(0, 2), None),
        ),
        terms=(lead,),
        decisions=(offer,),
        chances=(roll,),
        nodes=(
            Toss(0, Offer("roll", ()), 1, ("roll",)),
            Gather(1, "waiting", (Offer("offer", ()),), 2, ("bid",)),
            Branch(2, waiting_any, 1, 3, ()),
            Auto(3, settle, 4, "settle", ("bid",)),
            Branch(4, compare(Op.LT, rounds, number(4)), 0, 5, ()),
            End(5),
        ),
        outcome=Outcome(
            "p",
            compare(Op.EQ, call, Call("lead", (), Sort(0, 40))),
            call,
            Sentences(),
        ),
    )
