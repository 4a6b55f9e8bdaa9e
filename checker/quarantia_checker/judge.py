"""All checks of one game for one number of players. Read `Judge.results`.

Cheap first: the engine plays, and what a play refutes need not be proved. Then induction. What is
neither refuted nor proved is looked for by bounded model checking; what is left is unsettled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quarantia_checker import compare, ends
from quarantia_checker.alternatives import Alternatives
from quarantia_checker.bmc import find_play
from quarantia_checker.candidates import Candidates, term_predicates
from quarantia_checker.catalogue import all_claims, stated_facts
from quarantia_checker.claims import Claim, Watch
from quarantia_checker.examples import data_results, example_results
from quarantia_checker.facts import Stated, describe_fact
from quarantia_checker.findings import NOTHING, Findings, Labels, from_text, plays_of, to_text
from quarantia_checker.induction import Open, Proved, Prover, Question, Site, Spoiler
from quarantia_checker.knowledge import knowledge
from quarantia_checker.known import Known, Steps
from quarantia_checker.library import Library
from quarantia_checker.loops import come_to_an_end, unrolled_to_the_end
from quarantia_checker.passages import cited
from quarantia_checker.pauses import PAUSE, with_pauses
from quarantia_checker.plays import Explorer, Survey, moves_behind, replay, shows_watch, shrink
from quarantia_checker.reach import idle_rules
from quarantia_checker.secrets import tell_apart
from quarantia_checker.settings import Settings, solver_version
from quarantia_checker.side_by_side import Parting, SideBySide
from quarantia_checker.steering import steered
from quarantia_checker.templates import readings_of_the_rules
from quarantia_checker.transition import System
from quarantia_checker.truth import Truth
from quarantia_checker.verdict import Kind, Result, Verdict
from quarantia_checker.witness import Disagreement, as_move, play_log, position_summary
from quarantia_engine.engine import Engine, compile_game
from quarantia_engine.moves import Move
from quarantia_spec.ir import Clause, Ends, Game, Term
from quarantia_spec.source import BUILT_IN

Load = Callable[[Mapping[str, str]], Game]

A_LITTLE = 5000  # moves
HELP = 60.0  # seconds of looking for facts by which two readings are the same


@dataclass
class Judge:
    """Decides everything about `game`; `load` gives it under other readings."""

    game: Game
    data: Mapping[str, Sequence[int]]
    load: Load
    settings: Settings = field(default_factory=Settings)
    remembered: str = ""  # the text of `findings` of an earlier check
    progress: Callable[[str], None] = lambda text: None

    def __post_init__(self) -> None:
        self.engine: Engine = compile_game(self.game, self.data)
        self.paused = with_pauses(self.game)
        self.system = System(self.paused)
        self._loops: Proved | Open | None = None
        self._known_system: System | None = None
        self._whole_games: Explorer | None = None
        self.alternatives = Alternatives(self.engine, self.load)
        self.library = Library(self.game, self.settings.kept)
        self._late_library = Library(self.game, self.settings.kept)
        self.results: list[Result] = []
        self.deadline = time.monotonic() + self.settings.total
        self._labels = Labels()
        self._others: dict[Engine, System] = {}
        self.known: Findings = NOTHING
        self.prover: Prover

    def run(self) -> list[Result]:
        """Every result that is asked for, in the order in which they were reached."""
        if self._asks(Kind.DATA):
            self._report(data_results(self.game, self.data))
        if self._asks(Kind.EXAMPLE):
            self.progress("examples")
            self._report(example_results(self.engine, self.alternatives.under))
        self.progress("plays")
        claims = all_claims(self.system, self.engine)
        self.claims = [claim for claim in claims if self._asks(claim.kind)]
        self.survey = self._play()
        self.progress("induction")
        started = time.perf_counter()
        self.prover = Prover(
            self.system, self._pool(), self.settings.timeout, self.deadline, self.data
        )
        self.prover.check_unrolling()
        invariants = sum(claim.kind is Kind.INVARIANT for claim in self.claims)
        shared = (time.perf_counter() - started) / max(1, invariants)
        # Invariants first: the other claims are easier with their help.
        for number, claim in sorted(
            enumerate(self.claims), key=lambda row: (row[1].kind is not Kind.INVARIANT, row[0])
        ):
            self.progress(f"{claim.kind.value} {claim.name}")
            begun = time.perf_counter()
            result = self._judge(claim, self.survey.hits.get(number))
            spent = time.perf_counter() - begun + (shared if claim.kind is Kind.INVARIANT else 0)
            self._report([replace(result, seconds=spent)])
        if self._asks(Kind.VACUITY):
            for claim in self._idle_rules():
                self._report([self._timed(lambda claim=claim: self._judge(claim, None))])  # type: ignore[misc]
        if self._asks(Kind.KNOWLEDGE):
            for claim in knowledge(self.system):
                self._report([self._timed(lambda claim=claim: self._knowledge(claim))])  # type: ignore[misc]
        if self._asks(Kind.ENDS):
            self.progress("ends")
            self._report([self._timed(self._ends)])
        if self._asks(Kind.READING):
            for term in self.game.terms:
                for clause in term.clauses:
                    self._readings(term, clause)
        return self.results

    def _asks(self, kind: Kind) -> bool:
        return not self.settings.only or kind.value in self.settings.only

    def _play(self) -> Survey:
        """What plays show, the nearest positions first."""
        watches = {n: each.watch for n, each in enumerate(self.claims) if each.watch is not None}
        explorer = Explorer(self.engine, watches, self.library)
        explorer.breadth_first(self.settings.positions, self.settings.survey)
        if not explorer.survey.complete:
            explorer.at_random(
                self.settings.games,
                self.settings.longest,
                self.settings.survey,
                most=self.settings.kept,
            )
        return explorer.survey

    def _pool(self) -> Known:
        """Where auxiliary facts come from."""
        hits = [self.claims[number] for number in self.survey.hits]
        refuted = {claim.name for claim in hits if claim.kind is Kind.INVARIANT}
        wanted = [fact for fact in stated_facts(self.game) if fact.name not in refuted]
        suggested = self._suggested = readings_of_the_rules(self.game, refuted)
        truth = Truth(self.engine.evaluator.function)
        if self.remembered:
            named = [*wanted, *(each for group in suggested for each in group)]
            named += term_predicates(self.system)
            self.known = from_text(self.remembered, self.system, named)

        def search() -> Candidates:
            seen = self._played_with_pauses(self.settings.sampled)
            samples = self._samples(seen)
            return Candidates(self.system, samples, truth, wanted, suggested, seen.steps)

        def look() -> Steps:
            return self._played_with_pauses(A_LITTLE).steps

        return Known(self.known, self.survey.samples, search, look, truth)

    def _played_with_pauses(self, moves: int) -> Survey:
        """Games of so many moves, whatever the time: proofs start from what is seen in them."""
        if self.system.points == self.system.stable:
            return self.survey
        explorer = Explorer(compile_game(self.paused, self.data), {})
        settings = self.settings
        explorer.at_random(settings.games, settings.sampled_longest, settings.deep, most=moves)
        self.survey.rules |= explorer.survey.rules  # these games are longer
        return explorer.survey

    def _samples(self, seen: Survey) -> dict[int, list[tuple[int, ...]]]:
        """Positions that play has come to, at pauses too."""
        found = dict(seen.samples)
        for node, rows in self.survey.samples.items():
            found[node] = list(dict.fromkeys((*found.get(node, ()), *rows)))
        return found

    def found(self) -> str:
        """What this check has found out, for the next one."""
        prover = self.prover
        stated = (
            (node, fact)
            for fact in stated_facts(self.game)
            for node in self.system.stable
            if prover.holds(node, fact)
        )
        positions = {
            node: tuple(row) for node in self.system.points if (row := prover.pool.example(node))
        }
        plays = {**self.known.plays, **plays_of(self.engine, self.results)}
        return to_text(Findings(prover.used(stated), positions, plays), self.system)

    def _idle_rules(self) -> list[Claim]:
        """Rules that no play has used; where that is not proved, longer plays were tried."""
        for most in (0, self.settings.sampled):
            claims = list(idle_rules(self.system, self.survey))
            if self.survey.complete or all(self._plain(claim) is not None for claim in claims):
                return claims
            longer = self._played_with_pauses(most) if most else self._late().survey
            self.survey.rules |= longer.rules
        return list(idle_rules(self.system, self.survey))

    def _remembered_play(self, label: str) -> tuple[Move, ...] | None:
        """A play that an earlier check has found, if its moves still mean something."""
        numbers = self.known.plays.get(label)
        return None if numbers is None else moves_behind(self.engine, numbers)

    # --- claims -----------------------------------------------------------------------------

    def _judge(self, claim: Claim, hit: tuple[Move, ...] | None) -> Result:
        known = self._remembered_play(self._labels.next(claim.kind, claim.name))
        if known is not None and claim.watch is not None:
            events = replay(self.engine, known)
            if events is not None and shows_watch(self.engine, claim.watch)(events):
                return self._shown(claim, known, short=True)
        if hit is not None:
            return self._shown(claim, hit)
        if claim.kind is not Kind.FLOW:
            plain = self._plain(claim)
            if plain is not None:
                return self._proved(claim, plain)
            # Before help is sought: what has been played at length may show that there is none.
            play = self._seen_late(claim) if _likely(claim) else self._seen_before(claim)
            if play is not None:
                return self._shown(claim, play)
        with self.prover.no_later_than(time.monotonic() + self.settings.claim):
            answer = self._prove(claim)
        if isinstance(answer, Proved):
            return self._proved(claim, answer)
        if claim.watch is not None:
            play = self._search(claim) or self._steered(claim.watch, answer.spoiler)
            if play is not None:
                return self._shown(claim, play)
        return self._unsettled(claim, answer)

    def _prove(self, claim: Claim) -> Proved | Open:
        """With all the help that can be found."""
        if claim.kind is Kind.INVARIANT:
            known = self._invariant(claim)
            if known is not None:
                return known
        if claim.kind is Kind.FLOW:
            return self._come_to_an_end()
        used: dict[Site, None] = {}
        first_open: Open | None = None
        for question in claim.questions:
            answer = self.prover.prove(question)
            if isinstance(answer, Open):
                first_open = first_open or answer
                if claim.goal or time.monotonic() > self.deadline:
                    break
            else:
                used.update(dict.fromkeys(answer.used))
        if first_open is not None:
            return first_open
        if not self.prover.trusted:
            return Open(None)
        return Proved(tuple(used))

    def _plain(self, claim: Claim) -> Proved | None:
        """Proved by what is known already, or not."""
        if claim.general is not None:
            answer = self.prover.prove(claim.general, strengthen=False)
            if isinstance(answer, Proved):
                return answer
        used: dict[Site, None] = {}
        for question in claim.questions:
            answer = self.prover.prove(question, strengthen=False)
            if isinstance(answer, Open) or not self.prover.trusted:
                return None
            used.update(dict.fromkeys(answer.used))
        return Proved(tuple(used))

    def _invariant(self, claim: Claim) -> Proved | None:
        """As a fact of its own with the help it needs: in parts if it has some, or else whole."""
        fact = next(each for each in stated_facts(self.game) if each.name == claim.name)
        parts = [each for group in self._suggested for each in group if each.kin == claim.name]
        if len(parts) > 1 and self._established(parts) and (plain := self._plain(claim)):
            return plain
        if self._established([fact]):
            return Proved(tuple((node, fact) for node in self.system.stable))
        return None

    def _established(self, facts: Sequence[Stated]) -> bool:
        """All of them, wherever somebody chooses or the game is over."""
        prover = self.prover
        prover.establish(
            {
                node: [
                    fact
                    for fact in facts
                    if node in self.system.stable or prover.pool.plausible(node, fact)
                ]
                for node in self.system.points
            },
            needed=frozenset((node, fact) for node in self.system.stable for fact in facts),
        )
        return prover.trusted and all(
            prover.holds(node, fact) for node in self.system.stable for fact in facts
        )

    def _come_to_an_end(self) -> Proved | Open:
        if self._loops is None:
            self._loops = come_to_an_end(self.prover)
            if isinstance(self._loops, Open) and self.prover.trusted:
                self._loops = unrolled_to_the_end(self.prover, System(self.game))
        return self._loops

    def _proved(self, claim: Claim, answer: Proved) -> Result:
        names = tuple(
            describe_fact(fact, self.system.names)
            for fact in self.prover.support(answer.used)
            if claim.kind is not Kind.INVARIANT
            or not (isinstance(fact, Stated) and claim.name in (fact.name, fact.kin))
        )
        detail = ""
        if claim.goal:
            detail = "no play can come to this"
        elif names:
            detail = f"proved with {len(names)} auxiliary {'fact' if len(names) == 1 else 'facts'}"
            if claim.kind is Kind.AGREEMENT:  # the facts need not hold halfway through a rule
                detail += ", wherever somebody chooses or the game is over"
        return self._result(
            claim,
            Verdict.REFUTED if claim.goal else Verdict.PROVED,
            detail=detail,
            auxiliary=names,
        )

    def _shown(self, claim: Claim, play: Sequence[Move], *, short: bool = False) -> Result:
        """A play that the engine has carried out and that ends where the watch is satisfied."""
        assert claim.watch is not None
        shows = shows_watch(self.engine, claim.watch)
        events = replay(self.engine, play)
        if events is None or not shows(events):
            raise Disagreement(f"{claim.name}: the engine does not see what the play should show")
        if not short:
            play = shrink(self.engine, play, claim.watch)
        events = replay(self.engine, play)
        assert events is not None
        log = play_log(self.engine, play)
        count = f"{len(play)} {'move' if len(play) == 1 else 'moves'}"
        after = f"after {count}" if play else "at the start"
        return self._result(
            claim,
            Verdict.HOLDS if claim.goal else Verdict.REFUTED,
            detail=f"reached {after}" if claim.goal else f"{claim.told or 'broken'} {after}",
            trace=log,
            position=position_summary(self.game, events[-1].cells),
        )

    def _unsettled(self, claim: Claim, answer: Open) -> Result:
        if claim.goal:
            detail = "no play to it was found, and no proof that there is none"
        elif not self.prover.unrolled:
            detail = "nothing is proved while play may run in circles (see flow)"
        elif not self.prover.ranges_hold:
            detail = "nothing is proved while a value may leave its range"
        elif answer.spoiler is None:
            detail = "out of time, or too hard for the solver"
        else:
            detail = (
                "a position is consistent with everything proved, but no play to it was found; "
                "an invariant that excludes it would settle this"
            )
        spoiler = answer.spoiler
        return self._result(
            claim,
            Verdict.UNSETTLED,
            detail=detail,
            position=None if spoiler is None else self._spoiler(spoiler),
        )

    def _spoiler(self, spoiler: Spoiler) -> dict[str, object]:
        summary = position_summary(self.game, spoiler.cells)
        if spoiler.given:
            summary["given"] = dict(spoiler.given)
        return summary

    def _result(self, claim: Claim, verdict: Verdict, **more: object) -> Result:
        return Result(
            claim.kind,
            claim.name,
            self.game.players,
            verdict,
            claim.origin,
            claim.ruled,
            claim.warning,
            solver=solver_version(),
            **more,  # type: ignore[arg-type]
        )

    # --- searching --------------------------------------------------------------------------

    def _late(self) -> Explorer:
        """Whole games, played once; all that is likely to happen is looked for in them."""
        if self._whole_games is None:
            goals = {
                number: claim.watch
                for number, claim in enumerate(self.claims)
                if _likely(claim) and claim.watch is not None and number not in self.survey.hits
            }
            self.progress("whole games")
            self._whole_games = Explorer(self.engine, goals, self._late_library)
            self._whole_games.at_random(
                self.settings.deep_games, self.settings.deep_longest, self.settings.deep, seed=2
            )
        return self._whole_games

    def _seen_late(self, claim: Claim) -> tuple[Move, ...] | None:
        if self.survey.complete:
            return None
        number = next((n for n, each in enumerate(self.claims) if each is claim), -1)
        return self._late().survey.hits.get(number)

    def _seen_before(self, claim: Claim) -> tuple[Move, ...] | None:
        """In whole games that were played for other claims too."""
        if self.survey.complete or claim.watch is None:
            return None
        self._late()
        explorer = Explorer(self.engine, {})
        for library in (self.library, self._late_library):
            play = explorer.shown_in(library, claim.watch)
            if play is not None:
                return play
        return None

    def _search(self, claim: Claim) -> tuple[Move, ...] | None:
        """Bounded model checking, replayed by the engine; None when there is nothing."""
        if time.monotonic() > self.deadline or self.survey.complete:
            return None
        if self._known_system is None:
            self._known_system = System(self.paused, self.data) if self.data else self.system
        system = self._known_system
        questions = claim.questions
        if system is not self.system:
            questions = self._same_claim(system, claim)
        found = find_play(
            system, questions, self.settings.depth, self.settings.search, self.settings.timeout
        )
        if found is None:
            return None
        moves = tuple(
            as_move(self.game, each.actor, each.rule, each.arguments)
            for each in found
            if each.rule != PAUSE
        )
        assert claim.watch is not None
        events = replay(self.engine, moves)
        if events is None or not shows_watch(self.engine, claim.watch)(events):
            raise Disagreement(f"{claim.name}: solver and engine disagree about a play")
        return moves

    def _steered(self, watch: Watch, spoiler: Spoiler | None) -> tuple[Move, ...] | None:
        """Play steered to a position that the solver has named, from whole games too."""
        if self.survey.complete or time.monotonic() > self.deadline:
            return None
        self.progress("steering")
        explorer = Explorer(self.engine, {})
        return steered(
            self.engine,
            spoiler,
            lambda cells, number, event: explorer.matches(watch, event),
            self.settings.steered,
            (self.library, self._late_library),
        )

    def _same_claim(self, system: System, claim: Claim) -> tuple[Question, ...]:
        """The questions of a claim asked of the game with its data known."""
        for each in all_claims(system, self.engine):
            if (each.kind, each.name, each.origin) == (claim.kind, claim.name, claim.origin):
                return each.questions
        return ()

    # --- ends, knowledge, readings ----------------------------------------------------------

    def _ends(self) -> Result:
        stated: Ends | None = self.game.ends
        origin = BUILT_IN if stated is None else stated.origin
        claim = Claim(Kind.ENDS, "play ends", (), None, origin, warning=stated is None)
        if stated is not None and stated.measure:
            steps = ends.decreases(self.system, self.prover, stated.measure)
            loops = self._come_to_an_end()
            if steps.proved and isinstance(loops, Proved) and self.prover.trusted:
                return self._proved(claim, Proved((*steps.used, *loops.used)))
        lasso = ends.find_lasso(self.engine)
        if stated is not None and not stated.measure:
            claim = replace(claim, name="play need not end")
            if lasso is None:
                return self._result(claim, Verdict.UNSETTLED, detail="no play that repeats found")
            return self._result(
                claim,
                Verdict.HOLDS,
                detail=_repeats(lasso),
                trace=play_log(self.engine, lasso.moves),
            )
        if lasso is not None:
            return self._result(
                claim,
                Verdict.REFUTED,
                detail=_repeats(lasso),
                trace=play_log(self.engine, lasso.moves),
            )
        if stated is None:
            return self._result(claim, Verdict.UNSETTLED, detail="the rules state no measure")
        watch: Watch = ends.rising_cycle(self.engine, stated.measure)
        explorer = Explorer(self.engine, {0: watch})
        explorer.breadth_first(self.settings.positions, self.settings.survey)
        explorer.at_random(self.settings.games, self.settings.longest, self.settings.survey)
        if 0 in explorer.survey.hits:
            claim = replace(claim, watch=watch, told="a move does not lower the measure,")
            return self._shown(claim, explorer.survey.hits[0])
        return self._unsettled(claim, steps.open or Open(None))

    def _knowledge(self, claim: Claim) -> Result:
        answer = self._prove(claim)
        if isinstance(answer, Proved):
            return self._proved(claim, answer)
        pair = tell_apart(self.engine, claim.questions[0].node)
        if pair is not None:
            return self._result(
                claim,
                Verdict.REFUTED,
                detail=pair.told,
                trace={
                    **play_log(self.engine, pair.first),
                    "other": play_log(self.engine, pair.second),
                },
            )
        return self._unsettled(claim, answer)

    def _readings(self, term: Term, clause: Clause) -> None:
        for reading in clause.readings:
            if reading.name != clause.chosen:
                name = f"{term.name}.{clause.name}: {clause.chosen} or {reading.name}"
                self.progress(f"reading {name}")
                claim = Claim(
                    Kind.READING,
                    name,
                    (),
                    None,
                    cited(clause.origin, reading.origin),
                    clause.ruled,
                )
                key = f"{term.name}.{clause.name}"
                self._report(
                    [
                        self._timed(lambda: self._reading(claim, key, reading.name))  # noqa: B023
                    ]
                )

    def _reading(self, claim: Claim, clause: str, reading: str) -> Result:
        engine = self.alternatives.under(clause, reading)
        clash = self.alternatives.clash(clause, reading)
        pair = SideBySide(self.engine, engine, clash)
        comparable = compare.comparable(self.game, engine.game)
        known = self._remembered_play(self._labels.next(claim.kind, claim.name))
        parting = None if known is None else pair.along(known)
        if parting is not None:
            return self._told_apart(claim, parting)
        if self.known.facts and known is None:
            answer = self._equivalent(engine, comparable)
            if isinstance(answer, Proved):
                return replace(self._proved(claim, answer), detail="equivalent")
        if self.survey.complete:
            parting = pair.nearest(self.settings.positions, self.settings.survey)
        elif comparable:
            parting = pair.among(self.library)
        else:
            parting = pair.follow(self.survey.plays)
        if parting is not None:
            return self._told_apart(claim, parting)
        if not self.survey.complete:
            parting = self._twins(pair, self.settings.twins // 10)
            if parting is None:
                plays = self._late().survey.plays
                parting = pair.among(self._late_library) if comparable else pair.follow(plays)
            if parting is not None:
                return self._told_apart(claim, parting)
        answer = self._equivalent(engine, comparable)
        if isinstance(answer, Open) and comparable:
            with self.prover.no_later_than(time.monotonic() + HELP):
                answer = self._equivalent(engine, comparable, strengthen=True)
        if isinstance(answer, Proved):
            return replace(self._proved(claim, answer), detail="equivalent")
        if not self.survey.complete:
            parting = self._twins(pair, self.settings.twins)
            if parting is None and comparable:
                libraries = (self.library, self._late_library)
                parting = pair.steered(answer.spoiler, self.settings.steered, libraries)
            if parting is not None:
                return self._told_apart(claim, parting)
        return self._unsettled(claim, answer)

    def _equivalent(
        self, engine: Engine, comparable: bool, strengthen: bool = False
    ) -> Proved | Open:
        """Proved when the rules under another reading are the same game."""
        if not comparable:
            return Open(None)
        if engine not in self._others:
            self._others = {engine: System(with_pauses(engine.game))}  # the last is enough
        return compare.equivalent(self.prover, self._others[engine], strengthen=strengthen)

    def _twins(self, pair: SideBySide, moves: int) -> Parting | None:
        deadline = min(self.deadline, time.monotonic() + self.settings.deep)
        return pair.with_same_numbers(moves, self.settings.deep_longest, deadline)

    def _told_apart(self, claim: Claim, parting: Parting) -> Result:
        events = replay(self.engine, parting.moves)
        if events is None:
            raise Disagreement(f"{claim.name}: the play cannot be replayed")
        count = f"{len(parting.moves)} {'move' if len(parting.moves) == 1 else 'moves'}"
        return self._result(
            claim,
            Verdict.REFUTED,
            detail=f"observable: told apart after {count}, {parting.told}",
            trace=play_log(self.engine, parting.moves),
            position=position_summary(self.game, events[-1].cells),
        )

    # --- bookkeeping ------------------------------------------------------------------------

    def _timed(self, work: Callable[[], Result]) -> Result:
        started = time.perf_counter()
        result = work()
        return replace(result, seconds=time.perf_counter() - started)

    def _report(self, results: Iterable[Result]) -> None:
        self.results.extend(results)


def _likely(claim: Claim) -> bool:
    """A goal, or a case for which there is a ruling: somebody thought that it comes about."""
    return claim.goal or claim.ruled


def _repeats(lasso: ends.Lasso) -> str:
    moves = len(lasso.moves)
    return f"after {moves} moves the position is the one after {lasso.start}: it can go on for ever"
