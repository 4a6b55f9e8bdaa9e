"""Proofs for others to check: every obligation that a proof rests on, as SMT-LIB 2.

A game's verdicts rest on queries that must all be unsatisfiable: that the facts hold at the
beginning, that every transition keeps them, that cells keep to their ranges, and one for each
question that was answered. `--export` writes them, `--solver cvc5` decides them once more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from quarantia_checker.commands import UsageError
from quarantia_checker.induction import Prover
from quarantia_checker.smtlib import script
from quarantia_checker.solver import Answer
from quarantia_checker.terms import Value
from quarantia_checker.transition import ranges_of
from quarantia_checker.values import conjoin, negate
from quarantia_checker.verdict import Result, Verdict

if TYPE_CHECKING:
    from quarantia_checker.judge import Judge


class SolversDisagree(Exception):
    """One solver says that an obligation is proved, another that it is not: a bug in one."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """Assertions that cannot all hold.

    `claims`, when there are several, are what is denied in the last of them: one at a time they
    are easier to decide.
    """

    name: str
    assertions: tuple[Value, ...]
    claims: tuple[Value, ...] = ()

    def text(self) -> str:
        return script(self.name, self.assertions, "unsat")

    def parts(self) -> Iterator[Obligation]:
        """The same, one claim at a time."""
        for number, claim in enumerate(self.claims, 1):
            known = self.assertions[:-1]
            yield Obligation(f"{self.name}, part {number}", (*known, negate(claim)))


def obligations(prover: Prover) -> Iterator[Obligation]:
    """All that the facts and the answers of a prover rest on."""
    system = prover.system
    encoder = system.encoder
    for step in prover.steps():
        way = step.way
        claims = [fact.claim(encoder, way.arrival.frame) for fact in step.goals]
        known = [premise.claim for premise in step.used]
        here = [*_at(prover, way.transition.source), way.transition.taken, way.arrival.condition]
        denied = negate(conjoin(claims))
        if denied is not False:
            name = f"facts, {way.transition.name} to node {way.arrival.node}"
            yield Obligation(name, (*here, *known, denied), tuple(claims))
    for question, used in prover.answered:
        assertions = [*_at(prover, None if question.node is None else question.node)]
        if question.transition is not None:
            assertions.append(question.transition.taken)
        if question.twin is not None:
            assertions += ranges_of(question.twin, system.sorts)
        assertions += [premise.claim for premise in used]
        yield Obligation(question.name, (*assertions, question.bad))


def _at(prover: Prover, node: int | None) -> list[Value]:
    """What holds of every position at a node before anything is proved.

    What is assumed of the data is among the premises that a proof used.
    """
    system = prover.system
    return [*system.encoder.bounds, *(() if node is None else system.ranges)]


def review(
    judge: Judge, results: Sequence[Result], folder: str, second_opinion: bool
) -> list[Result]:
    """Export the obligations and have them decided again, as asked; the results, amended."""
    rows: list[dict[str, str]] = []
    undecided: list[str] = []
    game = judge.game
    target = Path(folder) / game.name / str(game.players) if folder else None
    try:
        if target is not None:
            target.mkdir(parents=True, exist_ok=True)
        for number, obligation in enumerate(obligations(judge.prover)):
            text = obligation.text()
            row = {"file": f"{number:04}.smt2", "name": obligation.name, "expected": "unsat"}
            if target is not None:
                (target / row["file"]).write_text(text, encoding="utf-8")
            if second_opinion:
                answer = second_answer(obligation, text, judge.settings.timeout)
                row["cvc5"] = answer.value
                if answer is Answer.SATISFIABLE:
                    raise SolversDisagree(
                        f"{game.name}, {game.players} players, {obligation.name}: "
                        "z3 proved it, cvc5 has a counterexample"
                    )
                if answer is Answer.UNKNOWN:
                    undecided.append(obligation.name)
            rows.append(row)
        if target is not None:
            manifest = {"game": game.name, "players": game.players, "obligations": rows}
            (target / "manifest.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None
    if not second_opinion:
        return list(results)
    word = "z3 and cvc5" if not undecided else f"z3; cvc5 gave no answer to {len(undecided)}"
    return [replace(result, solver=word) if _is_proof(result) else result for result in results]


def _is_proof(result: Result) -> bool:
    """Whether a verdict rests on the obligations: that something cannot happen."""
    unreachable = result.verdict is Verdict.REFUTED and result.trace is None
    return result.verdict is Verdict.PROVED or unreachable


def second_answer(obligation: Obligation, text: str, seconds: float) -> Answer:
    """What cvc5 makes of an obligation, as a whole or else part by part."""
    whole = cvc5_answer(text, seconds if len(obligation.claims) < 2 else seconds / 4)
    if whole is not Answer.UNKNOWN or len(obligation.claims) < 2:
        return whole
    answers = {cvc5_answer(part.text(), seconds) for part in obligation.parts()}
    if Answer.SATISFIABLE in answers:
        return Answer.SATISFIABLE
    return Answer.UNKNOWN if Answer.UNKNOWN in answers else Answer.UNSATISFIABLE


def cvc5_answer(text: str, seconds: float) -> Answer:
    """What cvc5 makes of an obligation."""
    try:
        import cvc5
    except ImportError:
        raise UsageError(
            "cvc5 is not installed", "install it with: pip install 'quarantia[second-opinion]'"
        ) from None
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(int(seconds * 1000)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    symbols = parser.getSymbolManager()
    answer = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        answer = command.invoke(solver, symbols).strip() or answer
    known = {each.value: each for each in Answer}
    return known.get(answer, Answer.UNKNOWN)
