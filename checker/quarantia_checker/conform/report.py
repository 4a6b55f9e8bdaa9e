"""What came of a run, for people and as JSON."""

from __future__ import annotations

import textwrap
from typing import Any, TextIO

from quarantia_checker.conform.differing import Misbehaviour
from quarantia_checker.conform.protocol import Level
from quarantia_checker.conform.running import Found, Result, Run

WIDTH = 100


def write_text(result: Result, out: TextIO) -> None:
    hello = result.hello
    name = "the engine" if hello is None else hello.engine
    out.write(f"{result.game}: {name}\n")
    if result.readings:
        readings = ", ".join(f"{key} = {value}" for key, value in sorted(result.readings.items()))
        _wrapped(out, f"played under the readings {readings}")
    for note in result.notes:
        _wrapped(out, note)
    if hello is not None:
        untested = [level.value for level in Level if level not in hello.levels]
        if untested:
            _wrapped(out, f"not tested: {', '.join(untested)} (not among the engine's levels)")
    for run in result.runs:
        _write_run(run, out)
    if result.differs:
        out.write("the engine does not play by the rules\n")
    elif result.stopped:
        out.write("no difference found, but time ran out before all games were played\n")
    else:
        out.write("the engine plays by the rules in everything that was compared\n")


def _write_run(run: Run, out: TextIO) -> None:
    rate = run.moves / run.seconds if run.seconds else 0
    out.write(
        f"  {run.players} players: {run.games:,} games ({run.progress.finished:,} to their end), "
        f"{run.moves:,} moves compared ({rate:,.0f}/s), "
        f"{run.progress.refusals:,} illegal steps and broken messages sent\n"
    )
    if run.left_out:
        _wrapped(out, f"fields not compared: {', '.join(run.left_out)}", "    ")
    if run.coverage is not None:
        run.coverage.write(out)
    if run.found is not None:
        _write_found(run.found, out)


def _write_found(found: Found, out: TextIO) -> None:
    told = found.told
    out.write(f"  different: {told.headline}\n")
    for sentence in told.rules:
        _wrapped(out, f"rules:  {sentence}", "    ")
    for sentence in told.engine:
        _wrapped(out, f"engine: {sentence}", "    ")
    where = " ".join(
        part for part in (f"`{told.rule}`" if told.rule else "", *told.passages) if part
    )
    if where or told.place:
        _wrapped(out, f"by {where}" + (f"  ({told.place})" if told.place else ""), "    ")
    for hint in found.hints:
        _wrapped(out, hint, "    ")
    if found.moves:
        out.write(f"    the game ({len(found.moves)} moves; found after {found.first_moves}):\n")
        for number, move in enumerate(found.moves, 1):
            out.write(f"      {number:3} {move}\n")
    if found.log:
        out.write(f"    saved; step through it with: quarantia replay {found.log}\n")


def write_fields(fields: list[dict[str, Any]], out: TextIO) -> None:
    for each in fields:
        indices = "".join(f"[{' | '.join(names)}]" for names in each["indices"])
        out.write(f"{each['field']}{indices}: {each['values']}\n")


def _wrapped(out: TextIO, text: str, indent: str = "  ") -> None:
    out.write(
        textwrap.fill(
            text,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent + "  ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        + "\n"
    )


def as_json(result: Result) -> dict[str, Any]:
    hello = result.hello
    return {
        "game": result.game,
        "engine": None if hello is None else hello.engine,
        "levels": [] if hello is None else [each.value for each in Level if each in hello.levels],
        "readings": result.readings,
        "inferred": result.inferred,
        "notes": result.notes,
        "conforms": not result.differs and not result.stopped,
        "runs": [_run_json(run) for run in result.runs],
    }


def _run_json(run: Run) -> dict[str, Any]:
    return {
        "players": run.players,
        "games": run.games,
        "finished": run.progress.finished,
        "moves": run.moves,
        "seconds": round(run.seconds, 3),
        "refusals": run.progress.refusals,
        "fields_not_compared": list(run.left_out),
        "stopped": run.progress.stopped,
        "coverage": None if run.coverage is None else run.coverage.as_json(),
        "difference": None if run.found is None else _found_json(run.found),
    }


def _found_json(found: Found) -> dict[str, Any]:
    level = found.difference.level
    what = found.difference.what
    return {
        "level": None if level is None else level.value,
        "misdeed": what.misdeed.value if isinstance(what, Misbehaviour) else None,
        **found.told.as_json(),
        "moves": found.moves,
        "found_after": found.first_moves,
        "log": found.log,
        "hints": found.hints,
    }
