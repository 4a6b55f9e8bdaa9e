"""Choosing among many moves in small steps: the kind of move, then one argument after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from quarantia_engine import BadMove, Engine, Move
from quarantia_engine.moves import parameters_of, rule_of
from quarantia_engine.values import from_text, to_text


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask next: the kind of move (`argument` is ""), or the value of an argument."""

    argument: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The moves that are still possible after what was answered, and the answers."""

    engine: Engine
    moves: tuple[Move, ...]
    answers: tuple[tuple[str, str], ...] = ()

    @property
    def settled(self) -> Move | None:
        """The move, once there is only one."""
        return self.moves[0] if len(self.moves) == 1 else None

    def question(self) -> Question:
        """The first thing in which the remaining moves differ. Needs more than one move."""
        names = tuple(dict.fromkeys(move.name for move in self.moves))
        if len(names) > 1:
            return Question("", names)
        for argument, _ in self.moves[0].arguments:
            values = dict.fromkeys(move.argument(argument) for move in self.moves)
            if len(values) > 1:
                return Question(argument, tuple(self._text(argument, value) for value in values))
        raise AssertionError("different moves differ in something")

    def _text(self, argument: str, value: int) -> str:
        rule = rule_of(self.engine.game, self.moves[0].name)
        assert rule is not None
        return to_text(self.engine.game, parameters_of(rule)[argument], value)

    def answered(self, text: str) -> Narrowing:
        """With an option chosen, by its name or by its number in the list. Raises BadMove.

        Where the options are numbers themselves, a number means the option and not its place.
        """
        asked = self.question()
        word = text.strip()
        option = _option(asked.options, word)
        if option is None:
            shown = ", ".join(asked.options[:12]) + (", …" if len(asked.options) > 12 else "")
            self._refuse_unknown(asked, word)
            raise BadMove(f"`{word}` is not possible here; there is {shown}")
        if not asked.argument:
            kept = tuple(move for move in self.moves if move.name == option)
        else:
            kept = tuple(
                move
                for move in self.moves
                if self._text(asked.argument, move.argument(asked.argument)) == option
            )
        return replace(self, moves=kept, answers=(*self.answers, (asked.argument, option)))

    def _refuse_unknown(self, asked: Question, word: str) -> None:
        """Raises BadMove when the word is no value of the argument at all."""
        rule = rule_of(self.engine.game, self.moves[0].name)
        if asked.argument and rule is not None:
            sort = parameters_of(rule)[asked.argument]
            from_text(self.engine.game, sort, word, asked.argument)


def _option(options: Sequence[str], word: str) -> str | None:
    lowered = word.lower()
    for option in options:
        if option.lower() == lowered:
            return option
    starting = [option for option in options if option.lower().startswith(lowered)]
    if word and len(starting) == 1:
        return starting[0]
    numeric = all(option.lstrip("-").isdecimal() for option in options)
    if word.isdecimal() and not numeric and 1 <= int(word) <= len(options):
        return options[int(word) - 1]
    return None
