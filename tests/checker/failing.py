"""For every kind of check, small games in which it must fail, and the play that shows it.

`moves` are those of the witness, or only how many where several will do; None where there is no
play to show, because what fails is not something that a play does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quarantia_checker.verdict import Kind

OUTCOME = """
outcome  §1
  winner p: true
"""
ENDS = "\nends by 0  §1\n"


@dataclass(frozen=True, slots=True)
class Failing:
    """A game in which the claim of this kind, whose name has `name` in it, is false."""

    kind: Kind
    name: str
    text: str
    moves: tuple[str, ...] | int | None
    told: str = ""
    data: Mapping[str, Sequence[int]] = field(default_factory=dict)
    ends: str = ENDS

    @property
    def rules(self) -> str:
        return self.text.strip("\n") + "\n" + OUTCOME + self.ends


COUNTER = """
state x: 0..5 = 0  §1

decision add(n: 1..3) by p  §1
  x += n

flow  §1
  repeat 2 times
    ada decides add
"""

STONES = """
component stone: 3 in bag  §1
zone bag holds stone  §1
zone table holds stone up to LIMIT  §1

decision take(n: 1..2) by p  §1
  move n stone from bag to table

flow  §1
  repeat ROUNDS times
    ada decides take
"""

WALK = """
state x: 0..4 = 0  §1

decision go(n: 0..4) by p  §1
  require CONDITION because "no"
  x := n

flow  §1
  repeat 2 times
    ada decides go
"""

AUTOMATIC = """
state x: 0..4 = 0  §1

decision go(n: 0..4) by p  §1
  x := n

step turn  §1
  x := if x = 4 then 3 else if x = 3 then 4 else x

flow  §1
  ada decides go
  LOOP
"""

LADDER = """
state x: 0..9 = 0  §1

decision go(n: 1..3) by p  §1
  x := min(9, x + n)

flow  §1
  repeat until x = 9
    ada decides go

"""

SECRET = """
state card[p: Player]: 1..3 = 1 seen by p  §1
state last: 0..3 = 0  §1

chance deal[q: Player](c: 1..3)  §1
  card[q] := c

decision bid(n: 1..3) by p  §1
  require CONDITION because "no"
  last := n

flow  §1
  each q in Player
    chance deal[q]
  ada decides bid
"""

PRICES = """
given price[n: 1..3]: 1..9  §1
SUCH

state x: 0..9 = 0  §1

decision buy(n: 1..3) by p  §1
  x := price[n]

flow  §1
  ada decides buy
"""


def passages(*clauses: str) -> str:
    body = "\n".join(f"  {clause}" for clause in clauses)
    return LADDER + f"term price: 0..9\n{body}\n"


FAILING: tuple[Failing, ...] = (
    # --- data ---------------------------------------------------------------------------------
    Failing(
        Kind.DATA,
        "price: dearer",
        PRICES.replace("SUCH", '  such that price[1] < price[2] because "dearer"'),
        None,
        "do not satisfy",
        {"price": (4, 4, 5)},
    ),
    Failing(
        Kind.DATA,
        "price: a nine",
        PRICES.replace("SUCH", '  such that any(price[n] = 9 for n in 1..3) because "a nine"'),
        None,
        "do not satisfy",
        {"price": (1, 2, 3)},
    ),
    Failing(
        Kind.DATA,
        "price: twelve",
        PRICES.replace("SUCH", '  such that sum(price[n] for n in 1..3) = 12 because "twelve"'),
        None,
        "do not satisfy",
        {"price": (4, 4, 5)},
    ),
    # --- examples -----------------------------------------------------------------------------
    Failing(
        Kind.EXAMPLE,
        "wrong_end",
        COUNTER.replace("0..5", "0..6") + "\nexample wrong_end  §1\n  when\n"
        "    ada does add(n: 2)\n  then\n    x = 3\n",
        ("ada: add(n: 2)",),
        "the left side is 2",
    ),
    Failing(
        Kind.EXAMPLE,
        "wrong_refusal",
        COUNTER.replace("0..5", "0..6") + "\nexample wrong_refusal  §1\n  when\n"
        "    ada does add(n: 1)\n    ada cannot add(n: 3)\n",
        ("ada: add(n: 1)",),
        "should be refused",
    ),
    Failing(
        Kind.EXAMPLE,
        "wrong_move",
        WALK.replace("CONDITION", "n > x") + "\nexample wrong_move  §1\n  when\n"
        "    ada does go(n: 3)\n    ada does go(n: 2)\n",
        ("ada: go(n: 3)",),
        "is refused",
    ),
    # --- obligations --------------------------------------------------------------------------
    Failing(
        Kind.OBLIGATION,
        "`x` must stay within 0..5",
        COUNTER,
        ("ada: add(n: 3)", "ada: add(n: 3)"),
    ),
    Failing(
        Kind.OBLIGATION,
        "must have the pieces that move",
        STONES.replace(" up to LIMIT", "").replace("ROUNDS", "2"),
        ("ada: take(n: 2)", "ada: take(n: 2)"),
    ),
    Failing(
        Kind.OBLIGATION,
        "room",
        STONES.replace("LIMIT", "1").replace("ROUNDS", "1"),
        ("ada: take(n: 2)",),
    ),
    Failing(
        Kind.OBLIGATION,
        "even",
        COUNTER.replace("0..5", "0..6").replace(
            "  x += n\n", '  x += n\n  ensure x mod 2 = 0 because "x stays even"\n'
        ),
        ("ada: add(n: 1)",),
    ),
    Failing(
        Kind.OBLIGATION,
        "has a meaning",
        WALK.replace("CONDITION", "4 div n > 0"),
        (),
    ),
    # --- dead ends ----------------------------------------------------------------------------
    Failing(Kind.LEGALITY, "go", WALK.replace("CONDITION", "n > x"), ("ada: go(n: 4)",)),
    Failing(
        Kind.LEGALITY,
        "roll",
        """
state x: 0..2 = 0  §1

chance roll(n: 0..2)  §1
  weight n * (2 - x)
  x := n

flow  §1
  repeat 2 times
    chance roll
""",
        ("chance: roll(n: 2)",),
    ),
    Failing(
        Kind.LEGALITY,
        "bid",
        """
state purse[p: Player]: 0..2 = 2 - ordinal(p)  §1

decision bid(n: 1..2) by p  §1
  require n <= purse[p] because "too much"
  purse[p] -= n

flow  §1
  repeat 2 times
    together p in Player decides bid
""",
        ("ada: bid(n: 1)", "ben: bid(n: 1)"),
    ),
    # --- play that runs in circles --------------------------------------------------------------
    Failing(
        Kind.FLOW,
        "",
        AUTOMATIC.replace("LOOP", "repeat while x > 0\n    run turn"),
        ("ada: go(n: 1)",),
    ),
    Failing(
        Kind.FLOW,
        "",
        AUTOMATIC.replace("LOOP", "repeat until x = 3\n    run turn\n    run turn"),
        ("ada: go(n: 0)",),
    ),
    Failing(
        Kind.FLOW,
        "",
        AUTOMATIC.replace("LOOP", "repeat\n    stop when x < 4"),
        ("ada: go(n: 4)",),
    ),
    # --- invariants ---------------------------------------------------------------------------
    Failing(
        Kind.INVARIANT,
        "low",
        LADDER + "invariant low  §1: x < 7\n",
        3,
        "low does not hold",
    ),
    Failing(
        Kind.INVARIANT,
        "never_two",
        LADDER + "invariant never_two  §1: x != 2\n",
        ("ada: go(n: 2)",),
    ),
    Failing(
        Kind.INVARIANT,
        "at_first",
        LADDER + "invariant at_first  §1: x > 0\n",
        (),
    ),
    # --- passages that contradict each other ----------------------------------------------------
    Failing(
        Kind.AGREEMENT,
        "price: low and high",
        passages("§1 low when x < 5: 1", "§2 high when x > 3: 2", 'otherwise 0 because "…"'),
        2,
        "say different things",
    ),
    Failing(
        Kind.AGREEMENT,
        "price: a and b",
        passages("§1 a: x", "§2 b: if x = 3 then 4 else x"),
        ("ada: go(n: 3)",),
    ),
    Failing(
        Kind.AGREEMENT,
        "cost: a and b",
        LADDER + "term cost(n: 0..3): 0..9\n  §1 a: n\n  §2 b when x = 2: min(n, x)\n",
        ("ada: go(n: 2)",),
    ),
    # --- cases that nobody thought of -----------------------------------------------------------
    Failing(
        Kind.COVERAGE,
        "price",
        passages("§1 low when x < 5: 1", "§2 high when x > 5: 2"),
        2,
        "no clause of price applies",
    ),
    Failing(Kind.COVERAGE, "price", passages("§1 late when x > 0: 1"), ()),
    Failing(
        Kind.COVERAGE,
        "cost",
        LADDER + "term cost(n: 0..3): 0..9\n  §1 a when n < 3: n\n  §2 b when x != 1: 1\n",
        ("ada: go(n: 1)",),
    ),
    # --- readings -------------------------------------------------------------------------------
    Failing(
        Kind.READING,
        "limit.far: seven or eight",
        LADDER.replace("min(9, x + n)", "min(limit, x + n)").replace("x = 9", "x >= 7")
        + "term limit: 7..9\n  §1 far\n    reading seven: 7\n    reading eight: 8\n"
        '    ruling seven because "…"\n',
        3,
        "x is 7 under the first, 8 under the second",
    ),
    Failing(
        Kind.READING,
        "may.three",
        LADDER.replace("  x := min", '  require n < 3 or may because "no"\n  x := min')
        + "term may: boolean\n  §1 three\n    reading yes: true\n    reading late: x > 4\n"
        '    ruling yes because "…"\n',
        (),
        "is legal only under the first",
    ),
    Failing(
        Kind.READING,
        "first_wins.who",
        LADDER + "term first_wins: boolean\n  §1 who\n    reading a: true\n    reading b: false\n"
        '    ruling a because "…"\n\noutcome  §1\n  winner p: (p = ada) = first_wins\n',
        ("ada: go(n: 3)", "ada: go(n: 3)", "ada: go(n: 3)"),
        "ada wins under the first, ben wins under the second",
    ),
    Failing(
        Kind.READING,
        "luck.how",
        """
state x: 0..2 = 0  §1

term luck: 1..2
  §1 how
    reading even: 1
    reading uneven: 2
    ruling even because "…"

chance roll(n: 0..2)  §1
  weight if n = 2 then luck else 1
  x := n

flow  §1
  chance roll
""",
        (),
        "more likely",
    ),
    # --- goals ----------------------------------------------------------------------------------
    Failing(
        Kind.REACHABLE,
        "too_far",
        LADDER + "reachable too_far  §1: x + 1 > 10\n",
        None,
        "no play can come to this",
    ),
    Failing(
        Kind.REACHABLE,
        "lit",
        LADDER + "state lamp: boolean  §1\n\nreachable lit  §1: lamp and x > 3\n",
        None,
        "no play can come to this",
    ),
    Failing(
        Kind.REACHABLE,
        "the game can end",
        LADDER.replace("x = 9", "x > 9").replace("0..9", "0..12"),
        None,
        ends='\nends never because "…"  §1\n',
    ),
    # --- what is never used -----------------------------------------------------------------------
    Failing(
        Kind.VACUITY,
        "big: its condition comes about",
        LADDER.replace("0..9", "0..12") + "invariant big  §1: x > 10 implies x > 11\n",
        None,
    ),
    Failing(
        Kind.VACUITY,
        "rest is used",
        LADDER.replace("decides go", "decides go, rest")
        + 'decision rest by p  §1\n  require x = 9 because "…"\n  nothing\n',
        None,
    ),
    Failing(
        Kind.VACUITY,
        "never is used",
        LADDER.replace("decides go", "decides go, never")
        + 'decision never(n: 1..3) by p  §1\n  require n > x + 3 because "…"\n  nothing\n',
        None,
    ),
    # --- play that need not end -----------------------------------------------------------------
    Failing(
        Kind.ENDS,
        "play ends",
        LADDER.replace("(n: 1..3)", "(n: 0..3)"),
        ("ada: go(n: 0)",),
        "it can go on for ever",
        ends="\nends by 9 - x  §1\n",
    ),
    Failing(
        Kind.ENDS,
        "play ends",
        LADDER.replace("min(9, x + n)", "(x + n) mod 10"),
        None,
        "it can go on for ever",
        ends="\nends by 9 - x  §1\n",
    ),
    Failing(
        Kind.ENDS,
        "play ends",
        LADDER,
        (),
        "does not lower the measure",
        ends="\nends by x  §1\n",
    ),
    # --- what a player cannot know --------------------------------------------------------------
    Failing(
        Kind.KNOWLEDGE,
        "bid",
        SECRET.replace("CONDITION", "n >= card[ben]"),
        None,
        "is legal after only one of them",
    ),
    Failing(
        Kind.KNOWLEDGE,
        "bid",
        SECRET.replace("CONDITION", "n != 2 or any(card[q] = 3 for q in Player)"),
        None,
        "ada sees the same after both plays",
    ),
    Failing(
        Kind.KNOWLEDGE,
        "guess",
        """
component Card: distinct 3 in deck  §1
pile deck holds Card hidden  §1
zone hand[p: Player] holds Card seen by p  §1

state guessed: Card? = none  §1

chance draw[p: Player](c: Card)  §1
  require drawable(c, deck)
  move c to hand[p]

decision guess(c: Card) by p  §1
  require c in hand[ben] because "ben has it"
  guessed := c

flow  §1
  each p in Player
    chance draw[p]
  ada decides guess
""",
        None,
        "ada sees the same after both plays",
    ),
)
