"""What is settled by running it: examples of the rules, and data files."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from quarantia_checker.encode import Encoder, Frame, entry_names
from quarantia_checker.verdict import Kind, Result, Verdict
from quarantia_engine.engine import Engine
from quarantia_engine.examples import run_example
from quarantia_engine.match import LOG_VERSION
from quarantia_spec.ir import Game


def example_results(engine: Engine, under: Callable[[str, str], Engine]) -> list[Result]:
    """Every example under the rulings in force; its detail says which readings it speaks for."""
    game = engine.game
    if not game.examples:
        return []
    others = _under_other_readings(game, under)
    results: list[Result] = []
    for example in game.examples:
        started = time.perf_counter()
        found = run_example(engine, example)
        split: list[str] = []
        for label, other in others:
            twin = next((each for each in other.game.examples if each.name == example.name), None)
            if twin is not None and run_example(other, twin).holds != found.holds:
                split.append(f"{'fails' if found.holds else 'holds'} under {label}")
        detail = found.message
        if split:
            detail = "; ".join((*([detail] if detail else []), *split))
        trace = None
        if not found.holds and found.moves and example.node is None and not example.setup:
            trace = {
                "quarantia": LOG_VERSION,
                "game": game.name,
                "players": game.players,
                "rules": engine.fingerprint,
                "readings": dict(game.readings),
                "options": dict(game.options),
                "data": {name: list(values) for name, values in engine.given.items()},
                "seed": 0,
                "moves": [engine.move_to_json(move) for move in found.moves],
            }
        results.append(
            Result(
                Kind.EXAMPLE,
                example.name,
                game.players,
                Verdict.HOLDS if found.holds else Verdict.FAILS,
                example.origin,
                seconds=time.perf_counter() - started,
                detail=detail,
                trace=trace,
                solver="engine",
            )
        )
    return results


def _under_other_readings(
    game: Game, under: Callable[[str, str], Engine]
) -> list[tuple[str, Engine]]:
    """The game with each single other reading in force."""
    engines: list[tuple[str, Engine]] = []
    for term in game.terms:
        for clause in term.clauses:
            for reading in clause.readings:
                if reading.name != clause.chosen:
                    key = f"{term.name}.{clause.name}"
                    engines.append((f"{key} = {reading.name}", under(key, reading.name)))
    return engines


def data_results(game: Game, data: Mapping[str, Sequence[int]]) -> list[Result]:
    """Whether the data that come with the game satisfy what the text says of them."""
    if not any(table.values is None for table in game.tables):
        return []
    results: list[Result] = []
    encoder = Encoder(game, data)
    for table in game.tables:
        if table.values is None:
            problem = _table_problem(game, table.name, data)
            results.append(
                Result(
                    Kind.DATA,
                    table.name,
                    game.players,
                    Verdict.FAILS if problem else Verdict.HOLDS,
                    table.origin,
                    detail=problem,
                    solver="engine",
                )
            )
    for count, assumption in enumerate(game.assumptions, 1):
        value = encoder.condition(assumption.condition, Frame(()))
        known = isinstance(value, bool)
        results.append(
            Result(
                Kind.DATA,
                f"{assumption.table}: {assumption.because.english or f'condition {count}'}",
                game.players,
                Verdict.HOLDS if value is True else Verdict.FAILS if known else Verdict.UNSETTLED,
                assumption.origin,
                detail="" if value is True else "the data do not satisfy it",
                solver="engine",
            )
        )
    return results


def _table_problem(game: Game, name: str, data: Mapping[str, Sequence[int]]) -> str:
    table = game.table[name]
    names = entry_names(game, name, table.dimensions)
    values = data.get(name)
    if values is None:
        return "there are no data for it"
    if len(values) != len(names):
        return f"{len(names)} entries are needed, there are {len(values)}"
    for entry, value in zip(names, values, strict=True):
        if not table.sort.low <= value <= table.sort.high:
            return f"{entry} must be {table.sort.low} to {table.sort.high}, not {value}"
    return ""
