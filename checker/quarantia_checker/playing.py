"""A game at the terminal: whose turn it is, what they may do, and what they said. Read `Table.run`.

Lines come from `read`, everything is written to one console: tests play whole games with both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from quarantia_checker.drawing import draw
from quarantia_checker.narrowing import Narrowing
from quarantia_checker.play_words import reason, say
from quarantia_checker.saves import write_save
from quarantia_checker.telling import told_to
from quarantia_engine import BadMove, BrokenRule, CannotUndo, IllegalMove, Match, Move
from quarantia_engine.bots import choose, sees_enough
from quarantia_engine.match import Entry
from quarantia_engine.sentences import Language, move_sentence

SHORT_LIST = 24  # so many moves are listed whole
LONG_LIST = 40  # and so many when asked for with `?`; `? all` lists them all


class Leave(Exception):
    """The players want to stop."""


@dataclass(slots=True)
class Table:
    """A match between people at one terminal and bots."""

    match: Match
    bots: frozenset[int]
    language: Language
    console: Console
    read: Callable[[str], str]  # shows a prompt, returns a line; raises EOFError
    save: Path
    extra: dict[str, Any] = field(default_factory=dict)  # goes into the log
    told: dict[int, int] = field(default_factory=dict)  # how many entries each seat knows of
    watching: int | None = None  # the person at the screen
    saving: bool = True
    failed: bool = False  # by the rules themselves

    # --- the game ---------------------------------------------------------------------------------

    def run(self) -> bool:
        """Plays until the game is over; false when the players left before that."""
        self.store()
        try:
            while not self.match.to_act().over:
                seat = self.match.to_act().players[0]
                if not self.match.position.legal_moves(seat):
                    who = self.name(seat)
                    self.write(say(self.language, "dead_end", who=who), "bold red")
                    self.failed = True
                    return False
                if seat in self.bots:
                    # Not saved: from the same position a bot makes the same move again.
                    self.match.play(choose(self.match.position, seat, self.bot_state()))
                else:
                    self.turn(seat)
        except Leave:
            return False
        except BrokenRule as error:
            self.write(say(self.language, "broken", why=error), "bold red")
            self.failed = True
            return False
        finally:
            self.store()
        self.finish()
        return True

    def bot_state(self) -> int:
        return self.match.seed * 7919 + len(self.match.entries)

    def make(self, move: Move) -> None:
        """Makes a legal move of a person and saves the game."""
        self.match.play(move)
        self.store()

    def store(self) -> None:
        """After each move of a person; a disk that is full does not end the game."""
        if not self.saving:
            return
        try:
            write_save(self.save, self.log())
        except OSError as error:
            self.saving = False
            self.write(say(self.language, "not_saved", why=error.strerror), "yellow")

    def log(self) -> dict[str, Any]:
        bots = [self.name(seat) for seat in sorted(self.bots)]
        return {**self.match.log(), **self.extra, "bots": bots}

    # --- one turn ---------------------------------------------------------------------------------

    def turn(self, seat: int) -> None:
        """Until the seat has moved, or somebody else is to act after an undo."""
        self.hand_over(seat)
        self.report(seat)
        self.show(seat)
        before = self.match.position
        narrowed = self.all_moves(seat)
        self.ask(narrowed)
        while self.match.position is before:
            line = self.line(seat)
            command, _, rest = line.partition(" ")
            match command.lower():
                case "":
                    narrowed = self.all_moves(seat)
                    self.ask(narrowed)
                case "?" | "help":
                    self.help(narrowed, whole=rest.strip().lower() == "all")
                case "show":
                    self.show(seat)
                case "log":
                    self.write_log(seat)
                case "hint":
                    self.hint(seat)
                case "undo":
                    self.undo(seat)
                case "save":
                    self.save_to(rest.strip())
                case "back":
                    narrowed = self.all_moves(seat)
                    self.ask(narrowed)
                case "quit" | "exit":
                    raise Leave
                case _:
                    narrowed = self.answer(seat, narrowed, line)

    def line(self, seat: int) -> str:
        try:
            return self.read(say(self.language, "prompt", who=self.name(seat))).strip()
        except EOFError:
            raise Leave from None

    def answer(self, seat: int, narrowed: Narrowing, line: str) -> Narrowing:
        """A move by number, whole, or by one more step; wrong answers are told why."""
        moves = narrowed.moves
        try:
            if len(moves) > SHORT_LIST and {move.name for move in moves} == {line}:
                self.ask(narrowed)  # the kind is settled already
                return narrowed
            if len(moves) <= SHORT_LIST and line.isdecimal():
                if 1 <= int(line) <= len(moves):
                    self.make(moves[int(line) - 1])
                else:
                    self.write(say(self.language, "no_number", count=len(moves)), "yellow")
                return narrowed
            if len(moves) > SHORT_LIST:
                try:
                    after = narrowed.answered(line)
                except BadMove as error:
                    if self.looks_whole(line) or not narrowed.question().argument:
                        self.make(self.parsed(line, seat))
                    else:
                        self.refuse(error)
                    return narrowed
                if after.settled is not None:
                    self.make(after.settled)
                else:
                    self.ask(after)
                return after
            self.make(self.parsed(line, seat))
        except (BadMove, IllegalMove) as error:
            self.refuse(error)
        return narrowed

    def looks_whole(self, line: str) -> bool:
        """True for a line that names a move and its arguments."""
        first = line.split("(")[0].split()[0] if line.strip("( ") else ""
        return "(" in line or (" " in line and first in self.match.engine.game.decision)

    def parsed(self, line: str, seat: int) -> Move:
        """`take(n: 2)`, `take(2)`, and `tak 2` for people in a hurry."""
        if "(" not in line and ":" not in line:
            name, *rest = line.replace(",", " ").split()
            known = {move.name for move in self.match.position.legal_moves(seat)}
            close = [each for each in known if each.startswith(name)]
            if name not in known and len(close) == 1:
                name = close[0]
            line = f"{name}({', '.join(rest)})"
        return self.match.engine.move_from_text(line, seat)

    def refuse(self, error: BadMove | IllegalMove) -> None:
        if isinstance(error, IllegalMove):
            move_error = error.explanation
            self.write(str(move_error), "yellow")
            if move_error.rule:
                place = f"  {move_error.place}" if move_error.place else ""
                self.write(f"  {move_error.rule}{place}", "dim")
        else:
            self.write(str(error), "yellow")

    # --- what is asked and shown ------------------------------------------------------------------

    def all_moves(self, seat: int) -> Narrowing:
        return Narrowing(self.match.engine, tuple(self.match.position.legal_moves(seat)))

    def ask(self, narrowed: Narrowing) -> None:
        """The moves themselves when they are few, else the next thing to choose."""
        if len(narrowed.moves) <= SHORT_LIST:
            self.list_moves(narrowed.moves, len(narrowed.moves))
            return
        asked = narrowed.question()
        if asked.argument:
            given = [f"{name}: {value}" for name, value in narrowed.answers if name]
            partial = ", ".join([*given, f"{asked.argument}: ?"])
            self.write(f"{narrowed.moves[0].name}({partial})", "bold")
            self.write(say(self.language, "fewer", count=len(narrowed.moves)), "dim")
        else:
            self.write(say(self.language, "kind", count=len(narrowed.moves)))
        if all(option.lstrip("-").isdecimal() for option in asked.options):
            self.write("  " + ", ".join(asked.options))
        else:
            for number, option in enumerate(asked.options, 1):
                self.write(f"  {number:>3}  {option}")

    def list_moves(self, moves: tuple[Move, ...], most: int) -> None:
        position = self.match.position
        for number, move in enumerate(moves[:most], 1):
            said = move_sentence(position, move, self.language)
            text = position.engine.move_to_text(move)
            # In a long list a number would be no answer: it answers the question that is open.
            row = Text(f"  {number:>3}  {said}" if len(moves) <= SHORT_LIST else f"    {said}")
            if said != text:
                row.append(f"  {position.engine.move_to_text(differing(move, moves))}", "dim")
            self.console.print(row)
        if len(moves) > most:
            self.write(say(self.language, "more", count=len(moves) - most), "dim")

    def help(self, narrowed: Narrowing, *, whole: bool) -> None:
        """The moves that the answers so far leave, the commands, and what is asked."""
        moves = narrowed.moves
        self.list_moves(moves, len(moves) if whole else LONG_LIST)
        sample = self.match.engine.move_to_text(moves[0])
        self.write(say(self.language, "help", sample=sample))
        if len(moves) > SHORT_LIST:
            self.ask(narrowed)

    def hint(self, seat: int) -> None:
        position = self.match.position
        move = choose(position, seat, self.bot_state())
        key = "hint" if sees_enough(position, seat) else "guess"
        said = move_sentence(position, move, self.language)
        text = position.engine.move_to_text(move)
        told = said if said == text else f"{said} ({text})"
        self.write(say(self.language, key, move=told, who=self.name(seat)))

    def undo(self, seat: int) -> None:
        """Back to the last choice of a person, or not at all."""
        trial = self.match.copy()
        try:
            while True:
                move = trial.undo()
                if move.player not in self.bots:
                    break
        except CannotUndo as error:
            why = reason(self.language, str(error))
            self.write(say(self.language, "cannot_undo", why=why), "yellow")
            return
        self.match = trial
        for each in self.told:
            self.told[each] = min(self.told[each], len(self.match.entries))
        self.store()
        said = self.match.engine.move_to_text(move, with_player=True)
        self.write(say(self.language, "undone", move=said))

    def save_to(self, name: str) -> None:
        path = Path(name) if name else self.save
        try:
            write_save(path, self.log())
        except OSError as error:
            self.write(say(self.language, "not_saved", why=error.strerror), "yellow")
        else:
            self.write(say(self.language, "saved", path=path))

    def hand_over(self, seat: int) -> None:
        """With secrets, the next person sits down before anything is shown."""
        people = self.match.engine.game.players - len(self.bots)
        if self.watching not in (None, seat) and people > 1 and self.match.engine.has_secrets:
            self.console.clear()
            try:
                self.read(say(self.language, "pass", who=self.name(seat)) + " ")
            except EOFError:
                raise Leave from None
        self.watching = seat

    def report(self, seat: int) -> None:
        """What has happened since the seat last looked."""
        entries = self.match.entries
        for entry in entries[self.told.get(seat, 0) :]:
            if entry.move.player != seat:
                self.tell(entry, seat)
        self.told[seat] = len(entries)

    def tell(self, entry: Entry, seat: int | None) -> None:
        self.write(f"  {told_to(seat, entry.before, entry.move, self.language)}", "italic")

    def write_log(self, seat: int) -> None:
        for entry in self.match.entries:
            self.tell(entry, seat)

    def show(self, seat: int) -> None:
        game = self.match.engine.game
        phases = {phase.name: phase.title for phase in game.phases}
        here = game.nodes[self.match.position.cells[0]].phase
        title = " / ".join(phases.get(name, name) for name in here) or game.title or game.name
        self.console.print(Rule(title, align="left", style="dim"))
        self.console.print(draw(self.match.position, seat))
        key = "together" if len(self.match.to_act().players) > 1 else "turn"
        self.write(say(self.language, key, who=self.name(seat)), "bold")

    def finish(self) -> None:
        """The last position, with nothing hidden, and who has won."""
        since = min((self.told.get(seat, 0) for seat in self.people()), default=0)
        for entry in self.match.entries[since:]:
            if self.people():
                self.tell(entry, None)
        self.console.print(Rule(say(self.language, "over"), align="left", style="dim"))
        self.console.print(draw(self.match.position, None))
        outcome = self.match.outcome()
        assert outcome is not None
        names = [self.name(seat) for seat in outcome.winners]
        key = ("nobody", "won")[len(names)] if len(names) < 2 else "won_together"
        together = say(self.language, "and").join(names)
        self.write(say(self.language, key, who=together), "bold green")
        if outcome.scores is not None:
            scores = ", ".join(f"{self.name(s)} {n}" for s, n in enumerate(outcome.scores))
            self.write(say(self.language, "scores", scores=scores))

    # --- small things -----------------------------------------------------------------------------

    def people(self) -> list[int]:
        return [seat for seat in range(self.match.engine.game.players) if seat not in self.bots]

    def name(self, seat: int) -> str:
        return self.match.engine.player_name(seat)

    def write(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style), soft_wrap=True)


def differing(move: Move, moves: tuple[Move, ...]) -> Move:
    """The move with only those arguments in which moves of its kind differ."""
    kind = [each for each in moves if each.name == move.name]
    kept = tuple(
        (name, value)
        for name, value in move.arguments
        if len({each.argument(name) for each in kind}) > 1
    )
    return replace(move, arguments=kept)
