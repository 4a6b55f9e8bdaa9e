"""A log as an example of the language, and as a trace in the Informal Trace Format of Apalache."""

from __future__ import annotations

from typing import Any

from quarantia_checker.logs import Replay
from quarantia_engine import Move, Position
from quarantia_engine.cells import facts, indices_of
from quarantia_engine.moves import parameters_of, rule_of
from quarantia_engine.values import to_json, to_text
from quarantia_spec.ir import Game, Role, Sort, Variable


def example_text(replay: Replay, name: str) -> str:
    """An example block: the moves of the log, then all that is not as it was at the start."""
    engine = replay.engine
    lines = [f"example {name}  §own", f"  players {engine.game.players}"]
    if replay.moves:
        lines.append("  when")
        for move in replay.moves:
            who = "chance" if move.player is None else engine.player_name(move.player)
            lines.append(f"    {who} does {_move_text(engine.game, move)}")
    conditions = facts(engine.game, replay.positions[-1].cells, replay.changed())
    lines.append("  then")
    lines += [f"    {condition}" for condition in conditions] or ["    true"]
    return "\n".join(lines) + "\n"


def _move_text(game: Game, move: Move) -> str:
    rule = rule_of(game, move.name)
    sorts = {} if rule is None else parameters_of(rule)
    arguments = ", ".join(
        f"{name}: {to_text(game, sorts[name], value)}" for name, value in move.arguments
    )
    return f"{move.name}({arguments})"


# --- the Informal Trace Format --------------------------------------------------------------------


def itf_trace(replay: Replay) -> dict[str, Any]:
    """https://apalache-mc.org/docs/adr/015adr-trace.html, with Quint's names for what was done."""
    game = replay.engine.game
    shown = [variable for variable in game.variables if variable.role is not Role.FLOW]
    names = ["phase", *(variable.name for variable in shown)]
    taken, picked = "mbt::actionTaken", "mbt::nondetPicks"
    states: list[dict[str, Any]] = []
    for number, position in enumerate(replay.positions):
        move = replay.moves[number - 1] if number else None
        states.append(
            {
                "#meta": {"index": number},
                taken: "init" if move is None else move.name,
                picked: {} if move is None else _picks(replay, move),
                "phase": " / ".join(game.nodes[position.cells[0]].phase),
                **{variable.name: _value(game, variable, position) for variable in shown},
            }
        )
    return {
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": game.name,
            "rules": replay.engine.fingerprint,
        },
        "params": [],
        "vars": [taken, picked, *names],
        "states": states,
    }


def _picks(replay: Replay, move: Move) -> dict[str, Any]:
    data = replay.engine.move_to_json(move)
    args = data["args"]
    assert isinstance(args, dict)
    return {"player": data["player"] or "chance", **args}


def _value(game: Game, variable: Variable, position: Position) -> Any:
    """A plain value, or a map; several indices make a tuple of the key."""
    cells = position.cells
    if not variable.dimensions:
        return _plain(game, variable.sort, cells[variable.offset])
    pairs: list[list[Any]] = []
    for cell in range(variable.offset, variable.offset + variable.cells):
        indices = indices_of(variable, cell)
        keys = [
            _plain(game, sort, index)
            for sort, index in zip(variable.dimensions, indices, strict=True)
        ]
        key = keys[0] if len(keys) == 1 else {"#tup": keys}
        pairs.append([key, _plain(game, variable.sort, cells[cell])])
    return {"#map": pairs}


def _plain(game: Game, sort: Sort, value: int) -> Any:
    found = to_json(game, sort, value)
    return "none" if found is None else found
