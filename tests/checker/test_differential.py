"""The engine and the solver agree about every move, in both directions, in every game."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarantia_checker.differential import Differential
from quarantia_checker.transition import System
from quarantia_engine.engine import Engine, compile_game
from quarantia_engine.moves import Move, rule_of
from quarantia_spec.ir import Apply, Assign, Decide, Game, Gather, Op, Toss
from quarantia_spec.pipeline import game_names, load_data, load_game
from tests.checker.judging import game_of
from tests.checker.nasty import NASTY
from tests.engine.walks import Walk, position_after, walks

LARGE = 120  # cells; the formulas of larger games take more than a few seconds to make

NASTY_CASES = [f"nasty: {each.name}" for each in NASTY]


def _shipped() -> list[object]:
    """Every game for every number of players; of the large ones, which are slow, for the fewest."""
    cases: list[object] = []
    for name in game_names():
        game = load_game(name)
        if game.cells > LARGE:
            cases.append(pytest.param(f"{name}/{game.players}", marks=pytest.mark.slow))
        else:
            cases.extend(f"{name}/{players}" for players in game.player_counts)
    return cases


CASES = [*NASTY_CASES, *_shipped()]


@cache
def differential(case: str) -> Differential:
    if case.startswith("nasty: "):
        nasty = next(each for each in NASTY if case.endswith(f": {each.name}"))
        return Differential.of(compile_game(game_of(nasty.rules), nasty.data))
    name, _, players = case.rpartition("/")
    game = load_game(name, int(players))
    return Differential.of(compile_game(game, load_data(name, game)))


def random_move(engine: Engine, cells: tuple[int, ...], data: st.DataObject) -> Move | None:
    """Any move that is offered here, legal or not."""
    node = engine.game.nodes[cells[0]]
    match node:
        case Decide(offers=offers) | Gather(offers=offers):
            offer = data.draw(st.sampled_from(offers))
        case Toss(offer=offer):
            pass
        case _:
            return None
    rule = rule_of(engine.game, offer.rule)
    assert rule is not None
    arguments = tuple(
        (each.name, data.draw(st.integers(each.sort.low, each.sort.high))) for each in rule.choices
    )
    players = engine.position(cells).to_act().players
    return Move(rule.name, arguments, data.draw(st.sampled_from(players)) if players else None)


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=12)
@given(walk=walks, data=st.data())
def test_what_the_engine_does_satisfies_the_formulas(
    case: str, walk: Walk, data: st.DataObject
) -> None:
    both = differential(case)
    position = position_after(both.engine, walk)
    legal = position.legal_moves()
    if legal:
        move = data.draw(st.sampled_from(legal))
        assert both.engine_against_solver(position.cells, move) == ""
    other = random_move(both.engine, position.cells, data)
    if other is not None:
        assert both.engine_against_solver(position.cells, other) == ""


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=12)
@given(seed=st.integers(0, 10_000), data=st.data())
def test_what_the_solver_proposes_is_a_move_of_the_engine(
    case: str, seed: int, data: st.DataObject
) -> None:
    both = differential(case)
    transition = data.draw(st.sampled_from(both.system.transitions))
    assert both.solver_against_engine(transition, seed) == ""


# --- and it would show ------------------------------------------------------------------------


def slightly_wrong(game: Game) -> Game:
    """The same game with one more taken off the heap than the rules say."""
    (take,) = game.decisions
    body = tuple(
        replace(each, value=Apply(Op.SUB, (each.value, take_one(each)), each.value.sort))
        if isinstance(each, Assign) and each.variable == "heap"
        else each
        for each in take.body
    )
    return replace(game, decisions=(replace(take, body=body),))


def take_one(statement: Assign) -> Apply:
    from quarantia_spec.ir import Const, Sort

    one = Const(1, Sort(1, 1))
    return Apply(Op.MIN, (one, one), Sort(1, 1), statement.origin)


def test_a_difference_in_either_direction_is_seen() -> None:
    engine = compile_game(load_game("nim"))
    wrong = Differential(engine, System(slightly_wrong(engine.game)))
    position = engine.new()
    move = position.legal_moves()[0]
    assert "leads to" in wrong.engine_against_solver(position.cells, move)
    answers = [
        wrong.solver_against_engine(transition, seed)
        for transition in wrong.system.transitions
        for seed in range(3)
    ]
    assert any("leads to" in each for each in answers)


def test_a_condition_that_only_one_side_knows_is_seen() -> None:
    engine = compile_game(load_game("nim"))
    (take,) = engine.game.decisions
    lax = replace(engine.game, decisions=(replace(take, guards=()),))
    wrong = Differential(engine, System(lax))
    low = (engine.new().cells[0], 1, *engine.new().cells[2:])
    assert "illegal for the engine" in wrong.engine_against_solver(
        low, Move("take", (("n", 3),), 0)
    )
