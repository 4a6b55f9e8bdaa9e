"""Proofs for others to check: exported, decided again, and a disagreement is not overlooked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import z3

from quarantia_checker import certificate
from quarantia_checker.certificate import Obligation, cvc5_answer, obligations, second_answer
from quarantia_checker.induction import Prover
from quarantia_checker.solver import Answer
from quarantia_checker.terms import symbol
from quarantia_checker.values import at_most, disjoin, equal, less, negate
from tests.checker.judging import BLIND, judge_of
from tests.checker.nasty import NASTY
from tests.command_line import quarantia

X = symbol("x", False)


@pytest.fixture
def cvc5() -> None:
    pytest.importorskip("cvc5", reason="the second solver is not installed")


@pytest.mark.usefixtures("cvc5")
def test_every_proof_of_a_game_is_confirmed_and_written_down(tmp_path: Path) -> None:
    answer = quarantia(
        "check", "nim", "--solver", "both", "--export", tmp_path, "--json", "--no-cache"
    )
    assert answer.status == 0
    proved = [each for each in answer.json["results"] if each["verdict"] == "proved"]
    assert proved
    assert {each["solver"] for each in proved} == {"z3 and cvc5"}
    folder = tmp_path / "nim" / "2"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["game"] == "nim"
    assert {each["cvc5"] for each in manifest["obligations"]} == {"unsat"}
    written = {path.name for path in folder.glob("*.smt2")}
    assert written == {each["file"] for each in manifest["obligations"]}
    for name in written:  # anyone can do it
        solver = z3.Solver()
        solver.from_file(str(folder / name))
        assert solver.check() == z3.unsat


@pytest.mark.usefixtures("cvc5")
@pytest.mark.parametrize("case", NASTY[:4], ids=lambda case: case.name)
def test_the_proofs_of_nasty_games_are_confirmed(case: object) -> None:
    from tests.checker.nasty import Nasty

    assert isinstance(case, Nasty)
    judge = judge_of(case.rules, case.data, BLIND)
    judge.run()
    answers = {
        each.name: second_answer(each, each.text(), 10) for each in obligations(judge.prover)
    }
    assert answers
    assert Answer.SATISFIABLE not in answers.values()


@pytest.mark.usefixtures("cvc5")
def test_solvers_that_disagree_are_a_loud_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def false_ones(prover: Prover) -> Iterator[Obligation]:
        yield Obligation("false", (less(3, X),))

    monkeypatch.setattr(certificate, "obligations", false_ones)
    answer = quarantia("check", "nim", "--solver", "cvc5", "--no-cache", "-j", "1")
    assert answer.status == 4
    assert "cvc5 has a counterexample" in answer.err


@pytest.mark.usefixtures("cvc5")
def test_what_cvc5_says_is_read_rightly() -> None:
    assert cvc5_answer(Obligation("a", (less(3, X), less(X, 2))).text(), 5) is Answer.UNSATISFIABLE
    assert cvc5_answer(Obligation("b", (less(3, X),)).text(), 5) is Answer.SATISFIABLE
    parts = Obligation(
        "c", (equal(X, 3), disjoin((negate(equal(X, 3)), less(X, 0)))), (equal(X, 3), at_most(0, X))
    )
    assert [cvc5_answer(each.text(), 5) for each in parts.parts()] == [Answer.UNSATISFIABLE] * 2


def test_a_second_opinion_without_the_second_solver_is_a_wrong_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    answer = quarantia("check", "nim", "--solver", "cvc5", "--no-cache", "-j", "1")
    assert answer.status == 2
    assert "not installed" in answer.err
    assert "pip install" in answer.err


def test_a_folder_that_cannot_be_written_is_a_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    answer = quarantia("check", "nim", "--export", tmp_path / "file", "--no-cache", "-j", "1")
    assert answer.status == 2
    assert "cannot write" in answer.err
