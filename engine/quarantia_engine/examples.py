"""Examples of the rules, run: they hold, or fail with what happened instead."""

from __future__ import annotations

from dataclasses import dataclass

from quarantia_engine.engine import Engine, described_obligation
from quarantia_engine.errors import BrokenRule
from quarantia_engine.explain import condition_with_values
from quarantia_engine.moves import Move
from quarantia_engine.position import Position
from quarantia_engine.values import to_text
from quarantia_spec.ir import Apply, Example, ExampleMove, Expr, Op
from quarantia_spec.source import Origin
from quarantia_spec.wording import worded

_COMPARISONS = (Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE)


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """Whether an example holds.

    `message` says what went wrong, `origin` where in the example, `step` which move (from 0).
    `positions` are those passed through, as far as it got.
    """

    name: str
    holds: bool
    message: str = ""
    origin: Origin | None = None
    step: int | None = None
    positions: tuple[Position, ...] = ()
    moves: tuple[Move, ...] = ()


def run_example(engine: Engine, example: Example) -> ExampleResult:
    """Sets up the example's position, makes its moves and looks at what it says then."""
    positions: list[Position] = []
    moves: list[Move] = []

    def failed(message: str, origin: Origin, step: int | None = None) -> ExampleResult:
        return ExampleResult(
            example.name, False, message, origin, step, tuple(positions), tuple(moves)
        )

    cells = engine.first_cells()
    broken = engine.evaluator.run(example.setup, cells)
    if broken is not None:
        return failed(f"the set-up cannot be: {described_obligation(broken)}", broken.origin)
    if example.node is not None:
        cells[0] = example.node
    try:
        engine.check(engine.program.advance(cells, engine.data), "from the set-up on")
        position = Position(engine, tuple(cells))
        positions.append(position)
        for step, wanted in enumerate(example.moves):
            move = example_move(position, wanted)
            legal = position.is_legal(move)
            if legal == wanted.refused:
                text = engine.move_to_text(move, with_player=True)
                if legal:
                    return failed(f"{text} should be refused, but is legal", wanted.origin, step)
                return failed(f"{text} is refused: {position.explain(move)}", wanted.origin, step)
            if wanted.refused:
                continue
            position = position.apply(move)
            positions.append(position)
            moves.append(move)
    except BrokenRule as error:
        return failed(str(error), example.origin)
    for condition in example.then:
        if not engine.evaluator.value(condition, position.cells):
            return failed(_unmet(position, condition), condition.origin)
    return ExampleResult(example.name, True, positions=tuple(positions), moves=tuple(moves))


def example_move(position: Position, wanted: ExampleMove) -> Move:
    """The move of an example, its arguments in the order of the rule."""
    from quarantia_engine.moves import parameters_of, rule_of

    rule = rule_of(position.engine.game, wanted.rule)
    given = dict(wanted.arguments)
    if rule is None:
        return Move(wanted.rule, wanted.arguments, wanted.actor)
    ordered = {name: given[name] for name in parameters_of(rule) if name in given}
    return Move(wanted.rule, tuple({**ordered, **given}.items()), wanted.actor)


def _unmet(position: Position, condition: Expr) -> str:
    """What a false condition says, and the values on both sides."""
    engine = position.engine
    if isinstance(condition, Apply) and condition.op in _COMPARISONS:
        left, right = (
            to_text(engine.game, side.sort, engine.evaluator.value(side, position.cells))
            for side in condition.args
        )
        text = worded(engine.game, condition)
        return f"{text} is false: the left side is {left}, the right side is {right}"
    return condition_with_values(position, condition, {})
