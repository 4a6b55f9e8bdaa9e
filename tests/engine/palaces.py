"""The palace fragment of the benchmarks, built by hand: three or four players, six districts."""

from __future__ import annotations

from quarantia_spec.ir import (
    NO_REASON,
    Apply,
    Assign,
    Auto,
    Branch,
    Call,
    Decide,
    Decision,
    Duty,
    Expr,
    Fold,
    FoldOp,
    Game,
    Local,
    Oblige,
    Offer,
    Op,
    Parameter,
    Read,
    Require,
    Role,
    Sentences,
    Sort,
    Statement,
    Term,
)
from tests.engine.small_games import compare, game_of, minus, number, plus, variable

HOUSES = Sort(0, 15)
PALACES = Sort(0, 8)
DISTRICT = Sort(0, 5, "District")


def _shift(
    name: str,
    sort: Sort,
    source: tuple[str, tuple[Expr, ...]],
    target: tuple[str, tuple[Expr, ...]],
    count: Expr,
) -> tuple[Statement, ...]:
    """The statements of `move count … from source to target`."""
    taken, put = Read(source[0], source[1], sort), Read(target[0], target[1], sort)
    room = plus(put, count, Sort(0, sort.high + 35))
    return (
        Oblige(compare(Op.GE, taken, count), Duty.PIECES, f"the {name} are not there"),
        Assign(source[0], source[1], minus(taken, count, sort)),
        Oblige(compare(Op.LE, room, number(sort.high)), Duty.RANGE, f"too many {name}"),
        Assign(target[0], target[1], plus(put, count, sort)),
    )


def palaces(players: int) -> Game:
    """Place one or two houses, build a palace for houses, or shift a house; it never ends."""
    seats = Sort(0, players - 1, "Player")
    p, d = Local("p", seats), Local("d", DISTRICT)
    n, source, target = Local("n", Sort(1, 2)), Local("source", DISTRICT), Local("target", DISTRICT)
    q = Local("q", seats)
    count_sort, cost_sort = Sort(0, 8 * players), Sort(3, 3 + 8 * players)
    standing = Term(
        "palaces",
        (Parameter("d", DISTRICT),),
        count_sort,
        Fold(
            FoldOp.SUM,
            "q",
            0,
            players - 1,
            None,
            Read("site.palace", (d, q), PALACES),
            None,
            count_sort,
        ),
        (),
        (),
        None,
        NO_REASON,
        False,
        Sentences(),
        Sentences(),
    )
    cost = Term(
        "palace_cost",
        (Parameter("d", DISTRICT),),
        cost_sort,
        plus(number(3), Call("palaces", (d,), count_sort), cost_sort),
        (),
        (),
        None,
        NO_REASON,
        False,
        Sentences(),
        Sentences(),
    )
    supply = Read("supply.house", (p,), HOUSES)
    the_cost = Call("palace_cost", (d,), cost_sort)
    place = Decision(
        "place",
        "p",
        (),
        (Parameter("d", DISTRICT), Parameter("n", Sort(1, 2))),
        (Require(compare(Op.LE, n, supply), None),),
        _shift("houses", HOUSES, ("supply.house", (p,)), ("site.house", (d, p)), n),
        Sentences(),
    )
    build = Decision(
        "build",
        "p",
        (),
        (Parameter("d", DISTRICT),),
        (
            Require(compare(Op.GT, Read("supply.palace", (p,), PALACES), number(0)), None),
            Require(compare(Op.LT, Call("palaces", (d,), count_sort), number(5)), None),
            Require(compare(Op.GE, Read("site.house", (d, p), HOUSES), the_cost), None),
        ),
        (
            *_shift("houses", HOUSES, ("site.house", (d, p)), ("supply.house", (p,)), the_cost),
            *_shift(
                "palaces", PALACES, ("supply.palace", (p,)), ("site.palace", (d, p)), number(1)
            ),
        ),
        Sentences(),
    )
    shift = Decision(
        "shift",
        "p",
        (),
        (Parameter("source", DISTRICT), Parameter("target", DISTRICT)),
        (
            Require(compare(Op.NE, source, target), None),
            Require(compare(Op.GT, Read("site.house", (source, p), HOUSES), number(0)), None),
        ),
        _shift(
            "houses", HOUSES, ("site.house", (source, p)), ("site.house", (target, p)), number(1)
        ),
        Sentences(),
    )
    turn = Read("p", (), seats)
    first = 2
    return game_of(
        name="palaces",
        players=players,
        enumerations={
            "Player": ("red", "blue", "yellow", "green")[:players],
            "District": tuple(f"D{number}" for number in range(6)),
        },
        variables=(
            variable("p", seats, number(0), 1, role=Role.FLOW),
            variable("supply.house", HOUSES, number(15), first, (seats,), ("p",)),
            variable(
                "site.house", HOUSES, number(0), first + players, (DISTRICT, seats), ("d", "p")
            ),
            variable("supply.palace", PALACES, number(8), first + 7 * players, (seats,), ("p",)),
            variable(
                "site.palace",
                PALACES,
                number(0),
                first + 8 * players,
                (DISTRICT, seats),
                ("d", "p"),
            ),
        ),
        terms=(standing, cost),
        decisions=(place, build, shift),
        nodes=(
            Auto(0, (Assign("p", (), number(0)),), 1, "", ()),
            Decide(1, turn, (Offer("place", ()), Offer("build", ()), Offer("shift", ())), 2, ()),
            Branch(2, compare(Op.LT, turn, number(players - 1)), 3, 0, ()),
            Auto(3, (Assign("p", (), Apply(Op.ADD, (turn, number(1)), seats)),), 1, "", ()),
        ),
    )
