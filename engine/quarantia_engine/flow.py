"""From the end of a move to the next choice: the nodes that happen by themselves.

Nodes are written out one after the other behind the move that leads to them, as long as that
stays short; from there on `advance` takes over, a loop that looks at cell 0 and runs the node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from quarantia_engine.implied import Known
from quarantia_engine.rewriting import FALSE, TRUE, negated, size
from quarantia_engine.since import Recall
from quarantia_engine.statements import StatementWriter, statements_size
from quarantia_spec.ir import Auto, Branch, Decide, End, Expr, Gather, Node, Toss

INLINE_FLOW = 80  # nodes of flow written out behind one move


class FlowWriter:
    """Writes what follows a move. `jumps` collects the nodes that `advance` must know."""

    def __init__(self, nodes: tuple[Node, ...], jumps: set[int], recall: Recall) -> None:
        self.nodes = nodes
        self.jumps = jumps
        self.recall = recall

    def follow(
        self,
        number: int,
        writer: StatementWriter,
        known: Known,
        stop: Callable[[int], None],
        jump: Callable[[int], None],
    ) -> None:
        """Writes the nodes from `number` on.

        `stop` is called at a node where someone must choose (or the game is over), `jump` at an
        automatic node that is left to `advance`; both write lines that leave the function.
        """
        self._left = INLINE_FLOW
        self._follow(number, writer, known, stop, jump, frozenset())

    def _follow(
        self,
        number: int,
        writer: StatementWriter,
        known: Known,
        stop: Callable[[int], None],
        jump: Callable[[int], None],
        passed: frozenset[int],
    ) -> None:
        node = self.nodes[number]
        match node:
            case Decide() | Gather() | Toss() | End():
                stop(number)
                return
            case Auto():
                cost = 1 + statements_size(node.body)
            case Branch():
                cost = 1 + size(node.condition)
            case _:
                assert_never(node)
        if passed and (number in passed or cost > self._left):
            self.jumps.add(number)
            jump(number)
            return
        self._left -= cost
        beyond = passed | {number}
        if isinstance(node, Auto):
            known.leave_rule()
            values: dict[str, Expr] = {}
            if writer.counters is not None and node.rule:
                writer.emitter.line(writer.counters.rule(node.rule, node.origin))
            writer.write(node.body, node.rule, known, values)
            self._follow(node.next, writer, known, stop, jump, beyond)
            return
        known.leave_rule()
        condition = known.with_held(writer.printer.prepared(node.condition))
        counts = None if writer.counters is None else writer.counters.sides("", node)
        met, unmet = ((), ()) if counts is None else ((counts[0],), (counts[1],))
        if condition == TRUE or known.holds(condition):
            writer.emitter.lines(*met)
            self._follow(node.yes, writer, known, stop, jump, beyond)
        elif condition == FALSE or known.holds(negated(condition)):
            writer.emitter.lines(*unmet)
            self._follow(node.no, writer, known, stop, jump, beyond)
        else:
            text = self.recall.text(node.condition, known.past, writer.scope)
            if text is None:
                text = writer.printer.condition(condition, writer.scope)
            with writer.emitter.block(f"if {text}:"):
                yes = known.copy()
                yes.learn(condition)
                writer.emitter.lines(*met)
                self._follow(node.yes, writer, yes, stop, jump, beyond)
            # Whatever the branch above does, it leaves the function.
            known.learn(negated(condition))
            writer.emitter.lines(*unmet)
            self._follow(node.no, writer, known, stop, jump, beyond)
