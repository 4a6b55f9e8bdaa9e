"""A difference in words: what the rules say, what the engine does, which rule and passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from quarantia_checker.conform.differing import (
    MISSING,
    Accepted,
    Actors,
    Counts,
    Difference,
    Ending,
    Legal,
    Misbehaviour,
    Refused,
    Values,
)
from quarantia_checker.conform.link import Misdeed
from quarantia_checker.conform.protocol import scalar_text
from quarantia_checker.conform.reference import Cells, Reference, Step
from quarantia_checker.conform.vocabulary import Vocabulary
from quarantia_engine import Move, Position
from quarantia_engine.cells import cell_name
from quarantia_engine.moves import rule_of
from quarantia_engine.tracing import Happening, trace_move, trace_start
from quarantia_spec.source import Origin

MOST = 4  # differences of one kind that are spelt out

MISDEEDS = {
    Misdeed.NOT_STARTED: "the engine could not be started",
    Misdeed.HANG: "the engine does not answer",
    Misdeed.CRASH: "the engine has ended",
    Misdeed.GARBAGE: "the engine answers with something that is no message",
    Misdeed.FLOOD: "the engine floods its output",
    Misdeed.UNASKED: "the engine speaks without being asked",
    Misdeed.OUT_OF_ORDER: "the engine answers out of order",
    Misdeed.BAD_REPLY: "the engine's reply is not as the protocol asks",
}


@dataclass(frozen=True, slots=True)
class Told:
    """`rules` and `engine` are sentences; `rule` and `passages` are what they rest on."""

    headline: str
    rules: tuple[str, ...]
    engine: tuple[str, ...]
    rule: str = ""
    passages: tuple[str, ...] = ()
    place: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "headline": self.headline,
            "rules": list(self.rules),
            "engine": list(self.engine),
            "rule": self.rule,
            "passages": list(self.passages),
            "place": self.place,
        }


def tell(words: Vocabulary, difference: Difference) -> Told:
    """The difference in words."""
    reference = words.reference
    what = difference.what
    match what:
        case Misbehaviour(misdeed=misdeed, message=message, errors=errors):
            said = (f"it wrote to standard error: {errors[-400:]}",) if errors else ()
            return Told(MISDEEDS[misdeed], (), (message, *said))
        case Refused(message=message):
            before, step = _last(reference, difference.steps)
            moves = reference.moves(before, step)
            rule, passages = _rule(words, moves[-1])
            return Told(
                "the engine refuses a legal move",
                (f"{_listed(words, moves)} is legal{_by(words, moves[-1])}",),
                (f"the engine refuses it: {message}",),
                rule,
                passages,
            )
        case _:
            pass
    if difference.undone:
        kept = difference.steps[: len(difference.steps) - difference.undone]
        told = tell(words, replace(difference, steps=kept, undone=0))
        headline = f"after {difference.undone} steps are taken back, {told.headline}"
        return replace(told, headline=headline, rule="", passages=(), place="")
    cells = _cells(reference, difference.steps)
    position = reference.position(cells)
    match what:
        case Actors(rules=rules, engine=engine):
            happened = _flow(reference, difference.steps)
            return Told(
                "the engine lets somebody else act",
                (f"{_who(rules)} to act",),
                (f"the engine says {_who(engine)} to act",),
                happened.rule if happened else "",
                _cited(happened.origin) if happened else (),
            )
        case Legal():
            return _tell_legal(words, position, what)
        case Values():
            return _tell_values(words, difference.steps, what)
        case Ending(rules=rules_say, engine=engine_says):
            origin = reference.engine.game.outcome.origin
            return Told(
                "the engine comes to another outcome",
                (_outcome(rules_say),),
                (f"the engine says: {_outcome(engine_says)}",),
                "outcome",
                _cited(origin),
                str(origin.span),
            )
        case Accepted():
            return _tell_accepted(words, position, what)
        case Counts(depth=depth, rules=count, engine=found):
            return Told(
                "the engine counts other sequences of moves",
                (f"there are {count} sequences of {depth} steps from here",),
                (f"the engine counts {found}",),
            )
        case _:
            assert_never(what)


# --- legal moves --------------------------------------------------------------------------------


def _tell_legal(words: Vocabulary, position: Position, what: Legal) -> Told:
    rules: list[str] = []
    engine: list[str] = []
    rule, place = "", ""
    passages: tuple[str, ...] = ()
    for move in what.only_engine[:MOST]:
        why = position.explain(move)
        engine.append(f"the engine allows {_text(words, move)}")
        rules.append(f"the rules do not: {why}")
        if not rule:
            rule, passages, place = why.rule, why.citations, why.place
    engine += _more(what.only_engine, "moves that the rules forbid")
    for move in what.only_rules[:MOST]:
        rules.append(f"{_text(words, move)} is legal{_by(words, move)}")
        engine.append(f"the engine does not allow {_text(words, move)}")
        if not rule:
            rule, passages = _rule(words, move)
    engine += _more(what.only_rules, "legal moves that it lacks")
    engine += [
        f"the engine lists what is no move of this game: {each}" for each in what.unknown[:MOST]
    ]
    engine += [f"the engine lists {_text(words, move)} twice" for move in what.twice[:MOST]]
    if what.only_engine:
        headline = "the engine allows a move that the rules forbid"
    elif what.only_rules:
        headline = "the engine does not allow a legal move"
    else:
        headline = "the engine's list of legal moves is not right"
    return Told(headline, tuple(rules), tuple(engine), rule, passages, place)


def _tell_accepted(words: Vocabulary, position: Position, what: Accepted) -> Told:
    sent = _listed(words, what.moves) if what.moves else what.sent[:200]
    rule, place = "", ""
    passages: tuple[str, ...] = ()
    for move in what.moves:
        why = position.explain(move)
        if not why.legal:
            rule, passages, place = why.rule, why.citations, why.place
            break
    if what.changed:
        headline = "the engine refuses an illegal step and yet changes its position"
        engine = f"after {sent} was refused the position is another one"
    elif what.moves:
        headline = "the engine carries out a step that the rules forbid"
        engine = f"the engine accepts {sent}"
    else:
        headline = "the engine accepts a broken message"
        engine = f"the engine accepts {sent}"
    return Told(headline, (f"it must be refused: {what.why}",), (engine,), rule, passages, place)


# --- positions ----------------------------------------------------------------------------------


def _tell_values(words: Vocabulary, steps: Sequence[Step], what: Values) -> Told:
    reference = words.reference
    game = words.game
    happenings = _happenings(reference, steps)
    rules: list[str] = []
    engine: list[str] = []
    rule, place = "", ""
    passages: tuple[str, ...] = ()
    whose = "" if what.seat is None else f" in the view of {game.enumerations['Player'][what.seat]}"
    pairs = list(zip(what.rules, what.engine, strict=True))
    for (path, wanted), (_, found) in pairs[:MOST]:
        cell = words.cell_of.get(path)
        name = path if cell is None else _cell_name(words, cell)
        shown = "nothing" if found is MISSING else scalar_text(found)  # type: ignore[arg-type]
        if wanted is MISSING and cell is None:
            rules.append(f"the rules know no field `{path}`")
        elif wanted is MISSING:
            rules.append(f"{name} is hidden{whose}")
        else:
            rules.append(f"{name} is {scalar_text(wanted)}{whose}")  # type: ignore[arg-type]
        engine.append(f"the engine says {name} is {shown}{whose}")
        if cell is not None and not rule and what.seat is None:
            source = next(
                (
                    each
                    for each in reversed(happenings)
                    if any(c.cell == cell for c in each.changes)
                ),
                None,
            )
            if source is not None:
                rule, passages, place = source.rule, _cited(source.origin), str(source.origin.span)
                rules[-1] += f" (`{rule or 'flow'}` changed it)"
            else:
                rules[-1] += " (no rule changes it here)"
                if happenings and happenings[0].rule:
                    rule, passages = happenings[0].rule, _cited(happenings[0].origin)
        elif cell is not None and not rule:
            variable = _variable(words, cell)
            rule, passages = variable.name, _cited(variable.origin)
    engine += _more(what.rules, "differences")
    if what.leaked:
        headline = "the engine shows a seat what is hidden from it"
    elif what.seat is not None:
        headline = "a seat does not see what it should"
    else:
        headline = "the engine comes to another position"
    return Told(headline, tuple(rules), tuple(engine), rule, passages, place)


def _variable(words: Vocabulary, cell: int) -> Any:
    return next(
        each for each in words.game.variables if each.offset <= cell < each.offset + each.cells
    )


def _cell_name(words: Vocabulary, cell: int) -> str:
    return cell_name(words.game, _variable(words, cell), cell)


def _happenings(reference: Reference, steps: Sequence[Step]) -> tuple[Happening, ...]:
    """The rules that ran in the last step."""
    if not steps:
        return trace_start(reference.engine).happenings
    before, step = _last(reference, steps)
    found: list[Happening] = []
    for number in step:
        position = reference.position(before)
        found += trace_move(position, position.move_of(number)).happenings
        before = reference.after(before, (number,))
    return tuple(found)


def _flow(reference: Reference, steps: Sequence[Step]) -> Happening | None:
    named = [each for each in _happenings(reference, steps) if each.rule]
    return named[-1] if named else None


# --- small words --------------------------------------------------------------------------------


def _cells(reference: Reference, steps: Sequence[Step]) -> Cells:
    cells = reference.start
    for step in steps:
        cells = reference.after(cells, step)
    return cells


def _last(reference: Reference, steps: Sequence[Step]) -> tuple[Cells, Step]:
    return _cells(reference, steps[:-1]), steps[-1]


def _text(words: Vocabulary, move: Move) -> str:
    return words.engine.move_to_text(move, with_player=True)


def _listed(words: Vocabulary, moves: Sequence[Move]) -> str:
    return "; ".join(_text(words, move) for move in moves)


def _rule(words: Vocabulary, move: Move) -> tuple[str, tuple[str, ...]]:
    rule = rule_of(words.game, move.name)
    return (move.name, ()) if rule is None else (rule.name, _cited(rule.origin))


def _by(words: Vocabulary, move: Move) -> str:
    _, passages = _rule(words, move)
    return f" ({' '.join(passages)})" if passages else ""


def _cited(origin: Origin) -> tuple[str, ...]:
    return tuple(str(each) for each in origin.citations if each.section != "own")


def _more(values: Sequence[object], what: str) -> list[str]:
    rest = len(values) - MOST
    return [f"and {rest} more {what}"] if rest > 0 else []


def _who(names: Sequence[str]) -> str:
    if not names:
        return "the game is over: nobody is"
    return f"it is for {' and '.join(names)}"


def _outcome(outcome: Any) -> str:
    if outcome is None:
        return "play goes on"
    if not isinstance(outcome, dict):
        return str(outcome)
    winners = outcome.get("winners") or []
    text = f"{' and '.join(map(str, winners)) or 'nobody'} wins"
    scores = outcome.get("scores")
    if isinstance(scores, dict):
        text += "; scores " + ", ".join(f"{name} {score}" for name, score in scores.items())
    return text
