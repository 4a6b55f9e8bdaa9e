"""Facts that play preserves are kept, others are not, on a game built by hand."""

from __future__ import annotations

from dataclasses import dataclass

from quarantia_checker.encode import Frame
from quarantia_checker.facts import Fact, Linear, Stated, Total
from quarantia_checker.induction import Open, Proved, Prover, Question, Spoiler
from quarantia_checker.terms import Value
from quarantia_checker.transition import System
from quarantia_checker.values import conjoin, equal, negate
from quarantia_spec.ir import BOOLEAN, Apply, Game, Op
from tests.checker.hand_built import compare, heap, nim, number, turn


@dataclass(frozen=True)
class Listed:
    """A pool of facts that are worth trying at the nodes where they are listed."""

    facts: dict[int, list[Fact]]
    system: System

    def violated(self, spoiler: Spoiler) -> list[Fact]:
        frame = Frame(spoiler.cells)
        facts = self.facts.get(-1 if spoiler.node is None else spoiler.node, [])
        return [each for each in facts if each.claim(self.system.encoder, frame) is False]

    def known(self, node: int) -> tuple[()]:
        return ()

    def plausible(self, node: int, fact: Fact) -> bool:
        return fact in self.facts.get(node, ())

    def example(self, node: int) -> tuple[int, ...]:
        return ()

    def instead(self, node: int) -> tuple[()]:
        return ()

    def seen(self, source: int, target: int) -> tuple[()]:
        return ()

    def offered(self, node: int) -> tuple[()]:
        return ()

    def test(self, fact: Fact) -> None:
        return None


def prover_for(game: Game, pool: dict[int, list[Fact]] | None = None) -> Prover:
    system = System(game)
    return Prover(system, Listed(pool or {}, system))


def stated(game: Game) -> list[Stated]:
    return [Stated(each.name, each.condition) for each in game.properties]


def answers(prover: Prover) -> list[Proved | Open]:
    return [
        prover.prove(Question("duty", each.source, conjoin((d.context, negate(d.claim))), each))
        for each in prover.system.transitions
        for d in each.demands
    ]


def test_an_invariant_is_kept_where_it_holds_and_only_there() -> None:
    game = nim(
        invariants=(
            ("twelve", compare(Op.LE, heap, number(12))),
            ("ten", compare(Op.LE, heap, number(10))),
        )
    )
    prover = prover_for(game)
    twelve, ten = stated(game)
    prover.establish({key: [twelve, ten] for key in prover.system.stable})
    assert prover.ranges_hold
    assert prover.holds(0, twelve)
    assert prover.holds(2, twelve)
    assert not prover.holds(0, ten)


def test_a_duty_is_proved_when_the_guard_is_there_and_open_when_it_is_not() -> None:
    assert [type(each) for each in answers(prover_for(nim()))] == [Proved]
    (open_answer,) = answers(prover_for(nim(guarded=False)))
    assert isinstance(open_answer, Open)
    assert open_answer.spoiler is not None
    assert open_answer.spoiler.cells[1] < 3


def second_at_twelve(system: System) -> Value:
    _, heap_, turn = system.frame.cells
    return conjoin((equal(turn, 1), equal(heap_, 12)))


def test_an_auxiliary_fact_is_found_when_the_invariant_alone_is_not_inductive() -> None:
    # `heap != 13 or turn = 0` is about a value that no cell has; heap 12 with the second player to
    # move is what the induction must exclude, and only the candidate does.
    odd = Apply(
        Op.OR,
        (compare(Op.LT, heap, number(12)), compare(Op.EQ, turn, number(0))),
        BOOLEAN,
    )
    game = nim(invariants=(("first_at_twelve", odd),))
    (wanted,) = stated(game)
    prover = prover_for(game)
    prover.establish({key: [wanted] for key in prover.system.stable})
    assert prover.holds(0, wanted)

    question = Question(
        "late",
        0,
        conjoin((equal(prover.system.frame.cells[2], 1), equal(prover.system.frame.cells[1], 12))),
    )
    bare = prover_for(nim())
    assert isinstance(bare.prove(question), Open)
    candidate = Linear(((1, Total((1,))), (1, Total((2,)))), 12, False)
    helped = prover_for(nim(), {0: [candidate], 2: [candidate]})
    proof = helped.prove(
        Question(
            "late",
            0,
            conjoin(
                (equal(helped.system.frame.cells[2], 1), equal(helped.system.frame.cells[1], 12))
            ),
        )
    )
    assert proof == Proved(((0, candidate),))
