"""Moves: a name and named arguments, as values, as JSON, as text, and as the engine's numbers."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quarantia_engine.encoding import OfferShape, radix
from quarantia_engine.errors import BadMove
from quarantia_engine.values import JsonValue, from_json, from_text, to_json, to_text
from quarantia_spec.ir import Chance, Decision, Game, Parameter, Sort


@dataclass(frozen=True, slots=True)
class Move:
    """What a player does, or what chance decides (`player` is None).

    The arguments are the choices in the order declared, as numbers. Where a node offers one rule
    several times with different contexts, the context comes first among the arguments.
    """

    name: str
    arguments: tuple[tuple[str, int], ...] = ()
    player: int | None = None

    def argument(self, name: str) -> int:
        """The number given for an argument. KeyError when there is none of that name."""
        return dict(self.arguments)[name]


MoveJson = dict[str, "str | dict[str, JsonValue] | None"]


def rule_of(game: Game, name: str) -> Decision | Chance | None:
    """The decision or chance of that name."""
    return game.decision[name] if name in game.decision else game.chance.get(name)


def parameters_of(rule: Decision | Chance) -> dict[str, Sort]:
    """All that an argument can be called, with its sort: choices and context."""
    return {each.name: each.sort for each in (*rule.context, *rule.choices)}


def player_sort(game: Game) -> Sort:
    """The sort of the players."""
    return Sort(0, game.players - 1, "Player")


# --- numbers --------------------------------------------------------------------------------


def number_of(shape: OfferShape, arguments: Mapping[str, int]) -> int | None:
    """The number of a move of an offer, or None when an argument is missing or out of range."""
    number = shape.first
    for choice, by in zip(shape.rule.choices, radix(shape.rule.choices), strict=True):
        value = arguments.get(choice.name)
        if value is None or not choice.sort.low <= value <= choice.sort.high:
            return None
        number += (value - choice.sort.low) * by
    return number


def choices_of(choices: Sequence[Parameter], number: int) -> tuple[tuple[str, int], ...]:
    """The choices behind a number, which counts from 0 within the offer."""
    taken: list[tuple[str, int]] = []
    for choice in reversed(choices):
        number, rest = divmod(number, choice.sort.size)
        taken.append((choice.name, rest + choice.sort.low))
    return tuple(reversed(taken))


# --- JSON -----------------------------------------------------------------------------------


def move_to_json(game: Game, move: Move) -> MoveJson:
    """`{"player": "red", "name": "take", "args": {"n": 2}}`; the player of chance is null."""
    rule = rule_of(game, move.name)
    sorts = {} if rule is None else parameters_of(rule)
    args = {
        name: to_json(game, sorts[name], value) if name in sorts else value
        for name, value in move.arguments
    }
    player = None if move.player is None else game.enumerations["Player"][move.player]
    return {"player": player, "name": move.name, "args": args}


def move_from_json(game: Game, data: object) -> Move:
    """The move that a JSON object stands for. Raises BadMove with what is wrong."""
    if not isinstance(data, Mapping):
        raise BadMove('a move must be an object such as {"player": "red", "name": …, "args": {…}}')
    name = data.get("name")
    if not isinstance(name, str):
        raise BadMove("a move must have a `name`")
    rule = _known_rule(game, name)
    given = data.get("args", {})
    if not isinstance(given, Mapping):
        raise BadMove("the `args` of a move must be an object")
    player = data.get("player")
    seat = None if player is None else from_json(game, player_sort(game), player, "player")
    values = {
        str(key): from_json(game, _sort_of(rule, str(key)), value, str(key))
        for key, value in given.items()
    }
    return Move(name, _in_order(rule, values), seat)


# --- text -----------------------------------------------------------------------------------

_TEXT = re.compile(
    r"\s*(?:(?P<player>\w+)\s*(?::|\s)\s*(?:does\s+)?)??(?P<name>\w+)\s*(?:\((?P<args>[^()]*)\))?\s*"
)


def move_to_text(game: Game, move: Move, *, with_player: bool = False) -> str:
    """`take(n: 2)`, or `red: take(n: 2)` with the player."""
    rule = rule_of(game, move.name)
    sorts = {} if rule is None else parameters_of(rule)
    arguments = ", ".join(
        f"{name}: {to_text(game, sorts[name], value) if name in sorts else value}"
        for name, value in move.arguments
    )
    text = f"{move.name}({arguments})" if arguments else move.name
    if with_player:
        who = "chance" if move.player is None else game.enumerations["Player"][move.player]
        return f"{who}: {text}"
    return text


def move_from_text(game: Game, text: str, player: int | None = None) -> Move:
    """The move that a line of text stands for.

    `take(n: 2)`, `take(2)`, `take` where there is nothing to choose, and any of these after
    `red:`. Raises BadMove with what is wrong.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise BadMove(f"`{text.strip()}` is not a move; write one like {_sample(game)}")
    if found["player"] is not None:
        if found["player"].lower() == "chance":
            player = None
        else:
            player = from_text(game, player_sort(game), found["player"], "player")
    rule = _known_rule(game, found["name"])
    pieces = [piece for piece in (found["args"] or "").split(",") if piece.strip()]
    values: dict[str, int] = {}
    for place, piece in enumerate(pieces):
        name, colon, value = piece.partition(":")
        if colon:
            key = name.strip()
        elif place < len(rule.choices):
            key, value = rule.choices[place].name, piece
        else:
            raise BadMove(f"`{rule.name}` has {_counted(len(rule.choices))}, not {len(pieces)}")
        if key in values:
            raise BadMove(f"`{key}` is given twice")
        values[key] = from_text(game, _sort_of(rule, key), value, key)
    return Move(rule.name, _in_order(rule, values), player)


def _known_rule(game: Game, name: str) -> Decision | Chance:
    rule = rule_of(game, name)
    if rule is None:
        names = [*game.decision, *game.chance]
        close = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean `{close[0]}`?" if close else f"there are {', '.join(names)}"
        raise BadMove(f"there is no move `{name}`; {hint}")
    return rule


def _sort_of(rule: Decision | Chance, name: str) -> Sort:
    sorts = parameters_of(rule)
    if name not in sorts:
        wanted = ", ".join(f"`{choice.name}`" for choice in rule.choices) or "nothing"
        raise BadMove(f"`{rule.name}` has no argument `{name}`; it takes {wanted}")
    return sorts[name]


def _in_order(rule: Decision | Chance, values: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    missing = [choice.name for choice in rule.choices if choice.name not in values]
    if missing:
        raise BadMove(f"`{rule.name}` needs {', '.join(f'`{name}`' for name in missing)} as well")
    return tuple((name, values[name]) for name in parameters_of(rule) if name in values)


def _sample(game: Game) -> str:
    for decision in game.decisions:
        arguments = ", ".join(
            f"{choice.name}: {to_text(game, choice.sort, choice.sort.high)}"
            for choice in decision.choices
        )
        return f"`{decision.name}({arguments})`" if arguments else f"`{decision.name}`"
    return "`name(argument: value)`"


def _counted(number: int) -> str:
    return "no argument" if number == 0 else "1 argument" if number == 1 else f"{number} arguments"
