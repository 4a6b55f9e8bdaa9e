"""A play as a reader wants it: in words, move by move, with what changed; and as a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quarantia_checker.encode import cell_names
from quarantia_checker.plays import Cells, Event, replay
from quarantia_engine.codegen import ENDLESS, STUCK
from quarantia_engine.engine import Engine, described_obligation
from quarantia_engine.match import LOG_VERSION
from quarantia_engine.moves import Move, rule_of
from quarantia_engine.position import Position
from quarantia_engine.sentences import actor_name, move_sentence
from quarantia_engine.values import to_text
from quarantia_spec.ir import Game, Role, Sort


class Disagreement(Exception):
    """The solver found a play that the engine refuses: a bug in Quarantia."""


def play_log(engine: Engine, moves: Sequence[Move]) -> dict[str, Any]:
    """The play as `quarantia replay` reads it, with its story. The engine has replayed it."""
    events = replay(engine, moves)
    if events is None:
        raise Disagreement("the engine refuses a move of a play that the checker found")
    game = engine.game
    return {
        "quarantia": LOG_VERSION,
        "game": game.name,
        "players": game.players,
        "rules": engine.fingerprint,
        "readings": dict(game.readings),
        "options": dict(game.options),
        "data": {name: list(values) for name, values in engine.given.items()},
        "seed": 0,
        "moves": [engine.move_to_json(move) for move in moves],
        "story": story(engine, moves, events),
    }


def story(engine: Engine, moves: Sequence[Move], events: Sequence[Event]) -> list[str]:
    """One line per move: who does what, under which passages, and what changed."""
    lines: list[str] = []
    for move, before, after in zip(moves, events, events[1:], strict=False):
        position = Position(engine, before.cells)
        rule = rule_of(engine.game, move.name)
        cited = "" if rule is None else " ".join(map(str, rule.origin.citations))
        said = move_sentence(position, move)
        who = actor_name(position, move)
        line = said if said.startswith(who) or move.player is None else f"{who}: {said}"
        if cited:
            line += f" ({cited})"
        if after.status:
            line += f" — {what_broke(engine, after.status)}"
        else:
            line += changes(engine.game, before.cells, after.cells)
        lines.append(line)
    if events[0].status:
        lines.append(f"When play starts, {what_broke(engine, events[0].status)}")
    return lines


def what_broke(engine: Engine, status: int) -> str:
    if status == ENDLESS:
        return "the flow of the game never comes to a choice"
    if status == STUCK:
        return "there is no choice to make"
    return described_obligation(engine.program.obligations[status - 1])


def changes(game: Game, before: Cells, after: Cells) -> str:
    """The cells that changed, flow's own bookkeeping left out."""
    names = cell_names(game)
    parts = [
        f"{names[cell]} {to_text(game, sort, before[cell])} → {to_text(game, sort, after[cell])}"
        for cell, sort in visible_cells(game)
        if before[cell] != after[cell]
    ]
    if len(parts) > 12:
        parts = [*parts[:12], f"and {len(parts) - 12} more"]
    return f" — {', '.join(parts)}" if parts else ""


def visible_cells(game: Game) -> list[tuple[int, Sort]]:
    return [
        (variable.offset + entry, variable.sort)
        for variable in game.variables
        if variable.role is not Role.FLOW
        for entry in range(variable.cells)
    ]


def position_summary(game: Game, cells: Cells) -> dict[str, Any]:
    """A position by the names of its cells, those at their lowest value left out."""
    names = cell_names(game)
    return {
        "node": cells[0],
        "cells": {
            names[variable.offset + entry]: to_text(
                game, variable.sort, cells[variable.offset + entry]
            )
            for variable in game.variables
            for entry in range(variable.cells)
            if cells[variable.offset + entry] != variable.sort.low
        },
    }


def as_move(game: Game, actor: int | None, rule: str, arguments: Mapping[str, int]) -> Move:
    """A move as the engine knows it, its arguments in the order of the rule."""
    known = rule_of(game, rule)
    assert known is not None
    return Move(rule, tuple((each.name, arguments[each.name]) for each in known.choices), actor)
