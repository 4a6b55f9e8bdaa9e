"""What must be true of the engine for every game and every number of players."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarantia_engine import (
    Board,
    CannotUndo,
    Engine,
    IllegalMove,
    Match,
    Move,
    Position,
    replay,
    run_example,
)
from quarantia_engine.moves import choices_of
from quarantia_engine.randomness import scramble
from quarantia_spec.ir import Gather
from tests.engine.catalogue import CASES, engine_of
from tests.engine.reference import Choice, Reference
from tests.engine.walks import Walk, position_after, walks

every_game = pytest.mark.parametrize("case", CASES)
few = settings(max_examples=25)
MOST_TRIED = 20_000  # choices that the reference is ready to try one by one


def reference_of(engine: Engine) -> Reference:
    return Reference(engine.game, engine.given)


def as_choice(position: Position, number: int) -> Choice:
    """A move of the engine in the terms of the reference."""
    shapes = position.engine.shapes(position.cells[0])
    acting = position.to_act()
    player = acting.players[0] if acting.players else None
    if isinstance(position.engine.game.nodes[position.cells[0]], Gather):
        player, number = divmod(number, sum(shape.span for shape in shapes))
    for place, shape in enumerate(shapes):
        if number < shape.first + shape.span:
            choices = choices_of(shape.rule.choices, number - shape.first)
            return player, place, tuple(value for _, value in choices)
    raise AssertionError(number)


@every_game
def test_the_start_is_that_of_the_reference(case: str) -> None:
    engine = engine_of(case)
    assert engine.new().cells == reference_of(engine).start()


@every_game
@few
@given(walk=walks)
def test_legal_moves_are_all_that_the_guards_allow(case: str, walk: Walk) -> None:
    engine = engine_of(case)
    position = position_after(engine, walk)
    if sum(shape.span for shape in engine.shapes(position.cells[0])) > MOST_TRIED:
        return
    found = [as_choice(position, number) for number in position.legal_numbers()]
    assert found == list(reference_of(engine).legal(position.cells))


@every_game
@few
@given(walk=walks, data=st.data())
def test_a_move_is_permitted_when_it_is_listed(case: str, walk: Walk, data: st.DataObject) -> None:
    position = position_after(engine_of(case), walk)
    shapes = position.engine.shapes(position.cells[0])
    span = sum(shape.span for shape in shapes)
    gather = isinstance(position.engine.game.nodes[position.cells[0]], Gather)
    seats = position.to_act().players if gather else (0,)
    listed = set(position.legal_numbers())
    some = data.draw(st.sets(st.integers(0, span - 1), max_size=200))
    tried = {seat * span + number for seat in seats for number in some} | listed
    assert {number for number in tried if position.permits(number)} == listed & tried


@every_game
@few
@given(walk=walks, data=st.data())
def test_a_move_does_what_the_reference_does(case: str, walk: Walk, data: st.DataObject) -> None:
    engine = engine_of(case)
    position = position_after(engine, walk)
    number = data.draw(st.sampled_from(position.legal_numbers()))
    after = position.apply_number(number)
    assert after.cells == reference_of(engine).apply(position.cells, as_choice(position, number))
    if after.to_act().over:
        outcome = after.outcome()
        assert outcome is not None
        assert outcome.winners == reference_of(engine).winners(after.cells)


@every_game
@few
@given(walk=walks)
def test_a_position_survives_json(case: str, walk: Walk) -> None:
    engine = engine_of(case)
    position = position_after(engine, walk)
    again = engine.position_from_json(json.loads(json.dumps(position.to_json())))
    assert again == position
    assert hash(again) == hash(position)


@every_game
@few
@given(walk=walks)
def test_moves_survive_json_and_text(case: str, walk: Walk) -> None:
    engine = engine_of(case)
    position = position_after(engine, walk)
    for move in position.legal_moves()[:50]:
        assert engine.move_from_json(json.loads(json.dumps(engine.move_to_json(move)))) == move
        assert engine.move_from_text(engine.move_to_text(move), move.player) == move
        assert engine.move_from_text(engine.move_to_text(move, with_player=True)) == move


@every_game
@few
@given(walk=walks)
def test_legal_moves_can_be_made_and_explained(case: str, walk: Walk) -> None:
    position = position_after(engine_of(case), walk)
    numbers, moves = position.legal_numbers(), position.legal_moves()
    assert len(set(moves)) == len(moves)
    for number, move in list(zip(numbers, moves, strict=True))[:20]:
        assert position.number_of(move) == number
        assert position.explain(move).legal
        assert position.apply(move) == position.apply_number(number)


@every_game
@few
@given(walk=walks, data=st.data())
def test_illegal_moves_are_refused_with_a_reason(
    case: str, walk: Walk, data: st.DataObject
) -> None:
    engine = engine_of(case)
    position = position_after(engine, walk)
    shapes = engine.shapes(position.cells[0])
    total = sum(shape.span for shape in shapes)
    number = data.draw(st.integers(0, total - 1))
    players = position.to_act().players
    if isinstance(engine.game.nodes[position.cells[0]], Gather):
        number += players[0] * total
    legal = number in position.legal_numbers()
    move = position.move_of(number)
    explanation = position.explain(move)
    assert explanation.legal is legal
    assert explanation.message
    if not legal:
        with pytest.raises(IllegalMove) as refused:
            position.apply(move)
        assert refused.value.explanation == explanation
    stranger = Move(move.name, move.arguments, None if players else 0)
    assert not position.explain(stranger).legal


@every_game
@few
@given(walk=walks)
def test_undo_restores(case: str, walk: Walk) -> None:
    position = position_after(engine_of(case), walk)
    board = Board(position)
    for number in board.legal()[:20]:
        board.apply(number)
        board.undo()
        assert board.position() == position


@every_game
@few
@given(seed=st.integers(0, 2**32), steps=st.integers(0, 60))
def test_a_log_replays_to_the_same_positions(case: str, seed: int, steps: int) -> None:
    engine = engine_of(case)
    match = Match(engine, seed)
    picker = scramble(seed + 1)
    for _ in range(steps):
        moves = match.position.legal_moves()
        if not moves:
            break
        picker = (picker * 31 + 7) % 2**31
        match.play(moves[picker % len(moves)])
    log = json.loads(json.dumps(match.log()))
    expected = [entry.before for entry in match.entries] + [match.position]
    assert replay(engine, log) == expected
    again = Match.from_log(engine, log)
    assert again.position == match.position
    assert again.entries == match.entries
    moves = match.position.legal_moves()
    if moves:
        assert again.play(moves[0]) == match.play(moves[0])


@every_game
@few
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40), data=st.data())
def test_undo_takes_back_a_move_or_says_why_not(
    case: str, seed: int, steps: int, data: st.DataObject
) -> None:
    match = Match(engine_of(case), seed)
    for _ in range(steps):
        moves = match.position.legal_moves()
        if not moves:
            break
        before, log = match.position, match.log()
        move = data.draw(st.sampled_from(moves))
        after = match.play(move)
        again = match.copy()
        learnt = len(again.entries) != len(log["moves"]) + 1 or any(
            now and not then
            for seat in range(match.engine.game.players)
            for then, now in zip(before.visible(seat), after.visible(seat), strict=True)
        )
        try:
            assert again.undo() == move
        except CannotUndo:
            assert again.position == after
        else:
            assert not learnt
            assert again.position == before
            assert again.log() == log
            assert again.play(move) == after  # the same luck as before


@every_game
@few
@given(seed=st.integers(0, 2**32), limit=st.integers(0, 80))
def test_a_playout_makes_the_moves_of_the_list(case: str, seed: int, limit: int) -> None:
    engine = engine_of(case)
    board, other = Board(engine.new()), Board(engine.new())
    made, status = board.playout(seed, limit)
    state: int | None = scramble(seed)
    for _ in range(made):
        assert state is not None
        state = other.step(state)
    assert status <= 0
    assert board.cells == other.cells


@every_game
@few
@given(walk=walks, data=st.data())
def test_a_seat_learns_nothing_of_what_it_cannot_see(
    case: str, walk: Walk, data: st.DataObject
) -> None:
    engine = engine_of(case)
    if not engine.has_secrets:
        return
    position = position_after(engine, walk)
    seat = data.draw(st.integers(0, engine.game.players - 1))
    visible = position.visible(seat)
    assert visible == reference_of(engine).visible(position.cells, seat)
    cells = list(position.cells)
    for variable in engine.game.variables:
        for cell in range(variable.offset, variable.offset + variable.cells):
            if not visible[cell] and data.draw(st.booleans()):
                sort = variable.sort
                cells[cell] = data.draw(st.integers(sort.low, sort.high))
    other = Position(engine, tuple(cells))
    if other.visible(seat) != visible:
        return  # what was changed decides what is seen: not a position that looks the same
    try:
        shown = other.view(seat)
    except IndexError:
        return  # no such position can be
    assert shown["state"] == position.view(seat)["state"]
    if shown == position.view(seat) and seat in position.to_act().players:
        assert other.legal_moves(seat) == position.legal_moves(seat)


@every_game
def test_examples_hold(case: str) -> None:
    engine = engine_of(case)
    for example in engine.game.examples:
        result = run_example(engine, example)
        assert result.holds, f"{example.name}: {result.message}"


@every_game
def test_perft_counts_what_legal_moves_lead_to(case: str) -> None:
    position = engine_of(case).new()
    moves = position.legal_moves((position.to_act().players or (None,))[0])
    assert position.perft(1) == len(moves)
    if len(moves) <= 200:
        assert position.perft(2) == sum(position.apply(move).perft(1) for move in moves)
