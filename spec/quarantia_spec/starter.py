"""The files of a new game: small, complete, and written to be changed.

`starter_files` gives what `quarantia new NAME` writes. The game formats, checks and plays as it
is; its comments say what each part is for and what to try next.
"""

from __future__ import annotations

_RULEBOOK = """\
# @TITLE@

## 1. Players

Two people play. Amber begins.

## 2. The track

The track has eleven spaces, from 0 to 10. Both pieces stand beside it, on 0.

## 3. A turn

Walk one or two spaces. You may not stop on the other player's piece.

## 4. The end

Whoever arrives on space 10 wins.
"""

_PASSAGES = """\
# The sections of the rulebook that rules may cite, with headings in your own words; and which rules
# state each of its statements. `quarantia trace` shows pins, such as c227f3, and what is missing.

[rulebook]
title = "@TITLE@"
language = "en"

[[passage]]
section = "1"
heading = "Who plays and who begins"

[passage.cited]
7d621b = ["players"]
10d316 = ["players", "flow"]

[[passage]]
section = "2"
heading = "The track"

[passage.cited]
4ff902 = ["Space"]
c223df = ["place"]

[[passage]]
section = "3"
heading = "What a turn is"

[passage.cited]
c227f3 = ["walk"]
a526eb = ["walk", "apart", "side_by_side"]

[[passage]]
section = "4"
heading = "Arriving"

[passage.cited]
ee3c64 = ["may_overshoot.arriving", "flow", "outcome"]
"""

_RULES = """\
# A race for two. Read it from the top, then change it: `quarantia check` says what you broke.
#
# §3 means: section 3 of the rulebook says so (rulebook.md; its sections are in passages.toml).
# §own means: no passage does, we added it.
game @NAME@ "@TITLE@"

players 2 named amber, blue  §1

# What the board looks like: one number for each player, from 0 to 10, and 0 at first.
type Space = 0..10  §2

state place[p: Player]: Space = 0  §2

# The rulebook does not say whether two spaces will do when one is left. So this term has two
# readings. The ruling picks one; the checker says whether the choice can be seen in play.
term may_overshoot: boolean
  §4 arriving
    reading beyond: true
    reading exactly: false
    ruling exactly because "The text speaks of arriving on space 10, not of leaving the track."
      fr "Le texte parle d'arriver sur la case 10, non de quitter la piste."
    doubt en "May a player one space from the goal walk two?"
    doubt fr "À une case du but, peut-on avancer de deux ?"
  say en "A step may go beyond the goal: {may_overshoot}."
  say fr "Un pas peut dépasser le but : {may_overshoot}."

# What a player chooses. `require` says which choices are legal, and why others are not (the line
# below says the same in French). The statements after it say what happens. `say` is for people;
# what stands in braces is worked out and filled in.
decision walk(spaces: 1..2) by p  §3
  require place[p] + spaces <= 10 or may_overshoot because "the goal is {10 - place[p]} away"
    fr "le but est à {10 - place[p]}"
  let landing = min(10, place[p] + spaces)
  require all(place[q] != landing for q in Player where q != p) because "space {landing} is taken"
    fr "la case {landing} est prise"
  place[p] := landing
  say en "{p} walks {spaces}."
  say fr "{p} avance de {spaces}."

# The order of play.
flow  §3
  repeat
    each p in Player
      p decides walk
      end when place[p] = 10

outcome  §4
  winner p: place[p] = 10
  say en "Space 10 wins."
  say fr "La case 10 fait gagner."

# What must hold in every position that play can reach.
invariant apart  §3: place[amber] != place[blue] or place[amber] = 0
  say en "Once they have left, the pieces never share a space."
  say fr "Une fois partis, les pions ne sont jamais sur la même case."

# What must be possible: the checker finds a play that gets there.
reachable blue_wins  §4: place[blue] = 10

# Why the game ends: this number gets smaller with every turn.
ends by 20 - place[amber] - place[blue]  §3

# Play a few moves and say what is true afterwards. `cannot` is for moves that must be refused.
example side_by_side  §3
  when
    amber does walk(spaces: 2)
    blue cannot walk(spaces: 2)
    blue does walk(spaces: 1)
    amber does walk(spaces: 1)
  then
    place[amber] = 3
    place[blue] = 1

# An example may start from a position of your own.
example one_space_left  §4
  given
    place[amber] := 9
    place[blue] := 8
  when
    amber cannot walk(spaces: 2)
    amber does walk(spaces: 1)
  then
    place[amber] = 10

# Now try:
# - Rule the other way on `may_overshoot`. Which example fails?
# - Make the track longer. What else has to change?
# - Let a step be 1..3. Is `apart` still true? Can a player be left without a move?
"""


def starter_files(name: str) -> dict[str, str]:
    """The text of each file in the folder of a new game called `name`, by file name.

    Before: `name` is a name of the language. After: the files make a game that checks.
    """
    title = name.replace("_", " ").strip().capitalize()
    files = {f"{name}.rules": _RULES, "passages.toml": _PASSAGES, "rulebook.md": _RULEBOOK}
    return {
        file: text.replace("@NAME@", name).replace("@TITLE@", title) for file, text in files.items()
    }
