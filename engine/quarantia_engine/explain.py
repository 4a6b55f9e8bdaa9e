"""Why a move is legal or not: the rule, its passages, and the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from quarantia_engine.analysis import walk
from quarantia_engine.encoding import OfferShape
from quarantia_engine.moves import Move, parameters_of, rule_of
from quarantia_engine.sentences import Language, choose, fill
from quarantia_engine.values import described, to_text
from quarantia_spec.ir import Chance, Decision, Expr, Gather, Let, Local, Read, Require
from quarantia_spec.source import Origin
from quarantia_spec.wording import worded

if TYPE_CHECKING:
    from quarantia_engine.position import Position, ToAct

MOST_NAMED = 6  # how many values a message spells out


class Verdict(Enum):
    """What an explanation comes to."""

    LEGAL = "legal"
    OVER = "over"  # the game has ended
    UNKNOWN = "unknown"  # there is no such move
    ARGUMENT = "argument"  # an argument is missing, unknown or out of range
    ACTOR = "actor"  # someone else is to act
    NOT_OFFERED = "not offered"  # not among the choices at this point
    FORBIDDEN = "forbidden"  # a condition of the rule is not met


@dataclass(frozen=True, slots=True)
class Explanation:
    """`rule` is what the verdict rests on, `citations` the passages behind it."""

    verdict: Verdict
    message: str
    rule: str = ""
    citations: tuple[str, ...] = ()
    place: str = ""  # file:line:column of the condition

    @property
    def legal(self) -> bool:
        return self.verdict is Verdict.LEGAL

    def __str__(self) -> str:
        cited = f" ({', '.join(self.citations)})" if self.citations else ""
        return f"{self.message}{cited}"

    def to_json(self) -> dict[str, object]:
        """The explanation as JSON."""
        return {
            "legal": self.legal,
            "verdict": self.verdict.value,
            "message": self.message,
            "rule": self.rule,
            "citations": list(self.citations),
        }


def explain(position: Position, move: Move, language: Language = "en") -> Explanation:
    """Whether a move is legal, and why not: the first thing that is wrong with it."""
    engine = position.engine
    game = engine.game
    to_act = position.to_act()
    if to_act.over:
        return Explanation(Verdict.OVER, "the game is over")
    rule = rule_of(game, move.name)
    if rule is None:
        return Explanation(Verdict.UNKNOWN, f"there is no move `{move.name}`; {_offered(position)}")
    wrong = _wrong_argument(position, move, rule)
    if wrong is not None:
        return Explanation(Verdict.ARGUMENT, wrong, rule.name, _cited(rule.origin))
    wrong = _wrong_actor(position, move, to_act)
    if wrong is not None:
        return Explanation(Verdict.ACTOR, wrong, rule.name)
    if not any(shape.rule.name == move.name for shape in engine.shapes(position.cells[0])):
        message = f"`{move.name}` is not a choice here; {_offered(position)}"
        return Explanation(Verdict.NOT_OFFERED, message, rule.name, _cited(rule.origin))
    shape = shape_of(position, move)
    if shape is None:
        message = f"`{move.name}` is not offered with these arguments; {_offered(position)}"
        return Explanation(Verdict.NOT_OFFERED, message, rule.name, _cited(rule.origin))
    return _guards(position, move, shape, language)


def shape_of(position: Position, move: Move) -> OfferShape | None:
    """The offer that a move answers."""
    arguments = dict(move.arguments)
    for shape in position.engine.shapes(position.cells[0]):
        if shape.rule.name != move.name:
            continue
        names = {choice.name for choice in shape.rule.choices}
        extra = {name: value for name, value in arguments.items() if name not in names}
        if not extra or extra.items() <= dict(position.context(shape, move.player)).items():
            return shape
    return None


def bound_locals(position: Position, move: Move, rule: Decision | Chance) -> dict[str, int]:
    """The locals of a rule as a move binds them: context, actor, choices, and the guards' lets.

    A let that has no meaning for these choices is left out.
    """
    shape = shape_of(position, move)
    found: dict[str, int] = dict(move.arguments)
    if shape is not None:
        found = {**dict(position.context(shape, move.player)), **found}
    if isinstance(rule, Decision) and move.player is not None:
        found[rule.actor] = move.player
    for guard in rule.guards:
        if isinstance(guard, Let):
            try:
                value = position.engine.evaluator.value(guard.value, position.cells, found)
            except (KeyError, IndexError, ZeroDivisionError):
                continue
            found[guard.name] = value
    return found


def _guards(position: Position, move: Move, shape: OfferShape, language: Language) -> Explanation:
    rule = shape.rule
    evaluator = position.engine.evaluator
    found: dict[str, int] = {**dict(position.context(shape, move.player)), **dict(move.arguments)}
    if isinstance(rule, Decision) and move.player is not None:
        found[rule.actor] = move.player
    for guard in rule.guards:
        if isinstance(guard, Let):
            found[guard.name] = evaluator.value(guard.value, position.cells, found)
        elif not evaluator.value(guard.condition, position.cells, found):
            return _forbidden(position, rule, guard, found, language)
    weight = rule.weight if isinstance(rule, Chance) else None
    if weight is not None and evaluator.value(weight, position.cells, found) <= 0:
        message = "this outcome has no weight: it cannot come up"
        return Explanation(Verdict.FORBIDDEN, message, rule.name, _cited(rule.origin))
    return Explanation(Verdict.LEGAL, f"`{rule.name}` allows it", rule.name, _cited(rule.origin))


def _forbidden(
    position: Position,
    rule: Decision | Chance,
    guard: Require,
    found: dict[str, int],
    language: Language,
) -> Explanation:
    template = None if guard.because is None else choose(guard.because, language)
    if template is not None:
        message = fill(position, template, found)
    else:
        message = condition_with_values(position, guard.condition, found)
    citations = _cited(guard.origin) or _cited(rule.origin)
    return Explanation(Verdict.FORBIDDEN, message, rule.name, citations, str(guard.origin.span))


def condition_with_values(position: Position, condition: Expr, found: dict[str, int]) -> str:
    """A condition in words and the values of what it mentions: `n <= heap, but n = 3, heap = 2`."""
    engine = position.engine
    values: dict[str, str] = {}
    for part in walk(condition):
        if not isinstance(part, Local | Read) or len(values) == MOST_NAMED:
            continue
        try:
            value = engine.evaluator.value(part, position.cells, found)
        except (KeyError, IndexError):
            continue
        values[worded(engine.game, part)] = to_text(engine.game, part.sort, value)
    text = f"this needs {worded(engine.game, condition)}"
    if values:
        text += ", but " + ", ".join(f"{name} = {value}" for name, value in values.items())
    return text


def _wrong_argument(position: Position, move: Move, rule: Decision | Chance) -> str | None:
    game = position.engine.game
    given = dict(move.arguments)
    sorts = parameters_of(rule)
    for name in given:
        if name not in sorts:
            wanted = ", ".join(f"`{choice.name}`" for choice in rule.choices) or "nothing"
            return f"`{rule.name}` has no argument `{name}`; it takes {wanted}"
    for choice in rule.choices:
        if choice.name not in given:
            return f"`{rule.name}` needs `{choice.name}`: {described(game, choice.sort)}"
        if not choice.sort.low <= given[choice.name] <= choice.sort.high:
            return f"`{choice.name}` must be {described(game, choice.sort)}"
    return None


def _wrong_actor(position: Position, move: Move, to_act: ToAct) -> str | None:
    engine = position.engine
    if to_act.chance:
        return None if move.player is None else "chance is to act, not a player"
    names = " and ".join(engine.player_name(player) for player in to_act.players)
    if move.player is None:
        return f"it is for {names} to act, not for chance"
    if move.player in to_act.players:
        return None
    node = engine.game.nodes[position.cells[0]]
    if not 0 <= move.player < engine.game.players:
        return f"there is no player {move.player}; it is for {names} to act"
    who = engine.player_name(move.player)
    if isinstance(node, Gather):
        return f"{who} has already chosen; it is for {names} to act"
    return f"it is for {names} to act, not {who}"


def _offered(position: Position) -> str:
    """What can be chosen instead, for the end of a message."""
    names: list[str] = []
    for move in position.legal_moves():
        if move.name not in names:
            names.append(move.name)
    if not names:
        return "nothing can be chosen"
    return "the choice is " + " or ".join(f"`{name}`" for name in names)


def _cited(origin: Origin) -> tuple[str, ...]:
    return tuple(str(citation) for citation in origin.citations if citation.section != "own")
