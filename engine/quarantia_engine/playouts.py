"""Whole random games in one generated function, with everything written out that stays short.

`write_playout` writes the function; what happens at one node is in `random_moves`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from quarantia_engine.emitter import Emitter, Scope, dispatch
from quarantia_engine.encoding import LIMIT, OVER, Choosing
from quarantia_engine.random_moves import NodePlayout, write_calls
from quarantia_engine.rewriting import freshened
from quarantia_engine.rules import Workshop
from quarantia_engine.standing import standing
from quarantia_spec.ir import Expr

INLINE_LINES = 220  # lines of one node's choices and moves inside the playout
INLINE_TOTAL = 1_500  # lines of all of them


def write_playout(workshop: Workshop, choosing: Sequence[Choosing]) -> str:
    """The source of `playout` and of the tables it draws moves from."""
    by_number = {node.number: node for node in choosing}
    tables: list[str] = []
    emitter, scope = Emitter(), Scope()
    room = INLINE_TOTAL
    game, recall = workshop.printer.game, workshop.flow.recall
    refused = standing(game, workshop.facts)
    inlined: dict[int, Emitter] = {}
    for node in choosing:
        trial = Emitter()
        past = recall.past(refused[node.number])
        NodePlayout(workshop, node, trial, scope.inner(), tables, past).write()
        if trial.count <= min(INLINE_LINES, room):
            room -= trial.count
            inlined[node.number] = trial

    def leaf(current: int) -> None:
        if current in inlined:
            emitter.include(inlined[current])
        else:
            write_calls(workshop, by_number[current], emitter)

    relied_on = {
        number: [condition for condition in conditions if condition in recall.used]
        for number, conditions in refused.items()
    }
    if not any(relied_on.values()):
        _write_loop("playout", by_number, leaf, emitter)
    else:
        _write_loop("play_on", by_number, leaf, emitter)
        emitter.lines("", "")
        _write_loop(
            "play_carefully",
            by_number,
            lambda current: write_calls(workshop, by_number[current], emitter),
            emitter,
        )
        emitter.lines("", "")
        _write_trusted(workshop, relied_on, emitter)
        emitter.lines("", "")
        with emitter.block("def playout(s, g, buf, x, limit):"):
            with emitter.block("if trusted(s, g):"):
                emitter.line("return play_on(s, g, buf, x, limit)")
            emitter.line("return play_carefully(s, g, buf, x, limit)")
    return "\n\n".join([*(["\n".join(tables) + "\n"] if tables else []), emitter.text()])


def _write_loop(
    name: str, by_number: Mapping[int, Choosing], leaf: Callable[[int], None], emitter: Emitter
) -> None:
    """A function that goes from choice to choice; `leaf` writes one step at a node."""
    with emitter.block(f"def {name}(s, g, buf, x, limit):"):
        emitter.line("node = s[0]")
        with emitter.block("for steps in range(limit):"):
            leave = ("s[0] = node", "return steps, x, 0")
            dispatch(emitter, sorted(by_number), leaf, otherwise=leave)
        emitter.line("s[0] = node")
        with emitter.block(f"if acting(s, g) == {OVER}:"):
            emitter.line("return limit, x, 0")
        emitter.line(f"return limit, x, {LIMIT}")


def _write_trusted(
    workshop: Workshop, relied_on: Mapping[int, Sequence[Expr]], emitter: Emitter
) -> None:
    """The function that asks what `play_on` takes for granted; see NOTE(standing)."""
    printer = workshop.printer
    with emitter.block("def trusted(s, g):"):
        emitter.line("node = s[0]")
        for number, conditions in relied_on.items():
            for condition in conditions:
                text = printer.condition(printer.prepared(freshened(condition)), Scope())
                with emitter.block(f"if node == {number} and ({text}):"):
                    emitter.line("return 0")
        emitter.line("return 1")
