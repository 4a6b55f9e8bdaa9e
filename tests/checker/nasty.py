"""Small games that use the corners of the language, each small enough to be searched whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

REST = """
outcome  §1
  winner p: true

ends by 0  §1
"""


@dataclass(frozen=True, slots=True)
class Nasty:
    name: str
    text: str
    data: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def rules(self) -> str:
        return self.text.strip("\n") + "\n" + ("" if "\noutcome" in self.text else REST)


NASTY: tuple[Nasty, ...] = (
    Nasty(
        "negative division",
        """
state a: -5..5 = 0  §1
state q: -9..9 = 0  §1
state r: -9..9 = 0  §1
state s: -9..9 = 0  §1

decision set(n: -5..5, d: 1..3) by p  §1
  a := n
  q := n div d
  r := n mod d
  s := (0 - n) div d - (n - 1) mod d

flow  §1
  repeat 2 times
    ada decides set

invariant whole  §1: q * 3 >= a - 9
invariant small  §1: 0 <= r <= 2
invariant wrong  §1: a = 0 or q * 2 <= a
""",
    ),
    Nasty(
        "optional values",
        """
type Colour = Red | Green | Blue  §1

state best: Colour? = none  §1
state who: Player? = none  §1
state seen: set of Colour  §1
state list: sequence of Colour up to 2  §1

decision pick(c: Colour) by p  §1
  require c not in seen because "again"
  add c to seen
  append c to list
  best := if best = none then c else first(d for d in Colour where d in seen)
  who := if c = Blue then none else p

flow  §1
  each q in Player
    q decides pick

invariant listed  §1: length(list) = size(seen)
invariant best_first  §1: best = none or best in seen
invariant blue_nobody  §1: who != none implies Blue not in seen or length(list) = 2
invariant wrong  §1: who = none or best != Green
""",
    ),
    Nasty(
        "weights of nothing",
        """
state left[c: 1..3]: 0..2 = 1  §1
state last: 0..3 = 0  §1

chance draw(c: 1..3)  §1
  weight left[c] * (if c = last then 0 else 2)
  left[c] -= 1
  last := c

flow  §1
  repeat 3 times
    chance draw

invariant drawn  §1: last = 0 or left[last] = 0
invariant wrong  §1: left[1] + left[2] > 0 or last = 3
""",
    ),
    Nasty(
        "secret choices",
        """
state purse[p: Player]: 0..3 = 3 seen by p  §1
state pot: 0..6 = 0  §1
state high: Player? = none  §1

decision bid(n: 0..2) by p  §1
  require n <= purse[p] because "too much"
  let rest = purse[p] - n
  purse[p] := rest
  pot += n
  high := if n > 1 then p else high

decision wait by p  §1
  require purse[p] < 3 because "not yet"
  nothing

flow  §1
  repeat 2 times
    together p in Player where purse[p] > 0 decides bid, wait

invariant kept  §1: pot + sum(purse[p] for p in Player) = 6
invariant wrong  §1: pot < 6 or high = ben
""",
    ),
    Nasty(
        "pieces that differ, on piles",
        """
component Card: distinct 4 in deck  §1
pile deck holds Card hidden  §1
pile heap holds Card  §1
zone hand[p: Player] holds Card seen by p  §1

chance draw[p: Player](c: Card)  §1
  require drawable(c, deck)
  move c to hand[p]

decision lay(c: Card, below: boolean) by p  §1
  require c in hand[p] because "not yours"
  if below
    put c under heap
  else
    put c on heap

step turn  §1
  if size(deck) = 1
    shuffle heap into deck

flow  §1
  each q in Player
    chance draw[q]
    q decides lay
  if top(heap) = bottom(heap)
    run turn
  run turn
  chance draw[ada]

invariant all_there  §1: size(deck) + size(heap) + sum(size(hand[p]) for p in Player) = 4
invariant top_is_there  §1: top(heap) = none or any(c = top(heap) and c in heap for c in Card)
invariant wrong  §1: top(heap) != Card_2 or bottom(heap) != Card_1
""",
    ),
    Nasty(
        "given tables",
        """
given cost[n: 0..2]: 0..4  §1
  such that cost[0] <= cost[1] because "sorted"
  such that cost[1] <= cost[2] because "sorted again"

state x: 0..12 = 1 + cost[0]  §1

decision pay(n: 0..2) by p  §1
  require x >= cost[n] because "too poor"
  x := x - cost[n] + (if cost[n] = 0 then 1 else 0)

flow  §1
  repeat 2 times
    ada decides pay

invariant bounded  §1: x <= 7
invariant wrong  §1: x > 0
""",
        {"cost": (0, 1, 1)},
    ),
    Nasty(
        "folds over nothing",
        """
type Spot = A | B | C  §1

state held[s: Spot]: 0..3 = 0  §1
state m: 0..9 = 0  §1
state f: Spot? = none  §1

decision put(s: Spot, n: 0..3) by p  §1
  held[s] := n
  m := max(held[t] * 2 for t in Spot where held[t] > 1 else 9)
  m := min(m, min(held[t] + 5 for t in Spot where t != s and held[t] > 2 else 7))
  f := first(t for t in Spot where held[t] = 3)

flow  §1
  repeat 2 times
    ada decides put

invariant count_fits  §1: count(held[t] > 0 for t in Spot) <= 2
invariant none_or_three  §1: f = none or any(t = f and held[t] = 3 for t in Spot)
invariant wrong  §1: m != 6
""",
    ),
    Nasty(
        "variables of the flow",
        """
state turns[p: Player]: 0..9 = 0  §1
state start: Player = ben  §1
state x: 0..5 = 0  §1

decision step_on(n: 0..2) by p  §1
  turns[p] += 1
  x := min(5, x + n)

flow  §1
  each i in 1..2
    let before = x
    each p in Player from start where turns[p] <= x
      p decides step_on
      end when x = 5
    start := next(start)
    if x = before
      stop_here
""".replace(
            "    if x = before\n      stop_here\n",
            "    if x = before\n      start := next(start)\n",
        ),
    ),
    Nasty(
        "a call in every corner",
        """
state row[k: 0..3]: 0..3 = k  §1
state i: 0..3 = 0  §1

term at(n: 0..3): 0..3 = row[n]  §1
term twice(n: 0..3): 0..3 = at(at(n))  §1
term cycle: boolean = all(twice(at(n)) = at(twice(n)) for n in 0..3)  §1

decision swap(a: 0..3, b: 0..3) by p  §1
  require a < b because "in order"
  let old = row[a]
  row[a] := row[b]
  row[b] := old
  i := row[row[i]]

flow  §1
  repeat 2 times
    ada decides swap

invariant permutation  §1: all(any(row[n] = v for n in 0..3) for v in 0..3)
invariant commutes  §1: cycle
invariant wrong  §1: at(i) < 3
""",
    ),
    Nasty(
        "counted pieces of kinds and owners",
        """
component coin: 4 in bank  §1
component cube[v: 1..2]: v per player in store  §1
zone bank holds coin  §1
zone purse[p: Player] holds coin up to 3  §1
zone store[p: Player] holds cube of p  §1
zone board holds cube  §1

decision earn(n: 0..2) by p  §1
  require n <= bank.coin because "empty"
  require purse[p].coin + n <= 3 because "full"
  move n coin from bank to purse[p]

decision place(v: 1..2) by p  §1
  require store[p].cube[v] > 0 because "none left"
  move 1 cube[v] of p from store[p] to board

flow  §1
  repeat 2 times
    each p in Player
      p decides earn, place

invariant money  §1: bank.coin + sum(purse[p].coin for p in Player) = 4
invariant wrong  §1: purse[ada].coin < 3 or purse[ben].coin > 0
""",
    ),
    Nasty(
        "booleans that are counted",
        """
state a: boolean = false  §1
state b: boolean = true  §1
state n: 0..3 = 0  §1

decision go(x: boolean, y: boolean) by p  §1
  a := x
  b := x = y
  n := (if x then 1 else 0) + (if y then 2 else 0)

flow  §1
  ada decides go

invariant odd  §1: a implies n mod 2 = 1
invariant alike  §1: b = (n = 0 or n = 3)
invariant wrong  §1: a != b or n = 3
""",
    ),
    Nasty(
        "loops in loops",
        """
type S = A | B | C  §1

state m[s: S, t: S]: 0..9 = 0  §1

decision go(s: S) by p  §1
  for t in S
    for u in S where u != t
      if m[t, u] < 3
        m[t, u] += 1 + m[u, t]
      else
        m[t, u] := m[s, s]

flow  §1
  repeat 2 times
    ada decides go

invariant diagonal  §1: all(m[s, s] = 0 for s in S)
invariant wrong  §1: m[A, B] < 3
""",
    ),
    Nasty(
        "unions of types",
        """
type D = North | South  §1
type P = D | Palace  §1

state at: P = Palace  §1
state last: D? = none  §1
state v[q: P]: 0..2 = 0  §1

decision go(q: P) by p  §1
  at := q
  if q in D
    last := q
  v[q] := min(2, v[q] + 1)

flow  §1
  repeat 3 times
    ada decides go

invariant been  §1: last = none or v[last] > 0
invariant followed  §1: at = Palace or last = at
invariant wrong  §1: v[Palace] < 2 or last = none
""",
    ),
    Nasty(
        "orders of play",
        """
state order: sequence of Player up to 8  §1
state n: 0..3 = 0  §1

decision nod(k: 0..1) by p  §1
  append p to order
  n := min(3, n + k)

flow  §1
  repeat 2 times
    each p in Player from ben where n < 3
      p decides nod
      stop when n = 2
  each i in 1..2 down
    n := i
  ada decides nod

invariant short  §1: length(order) <= 5
invariant wrong  §1: length(order) < 5
""",
    ),
)
