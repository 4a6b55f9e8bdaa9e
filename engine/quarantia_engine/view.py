"""What one seat sees of a position."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from quarantia_engine.position import nested
from quarantia_engine.values import index_names, to_json
from quarantia_spec.ir import Call, Const, Role, Sort, Term

if TYPE_CHECKING:
    from quarantia_engine.position import Position

MOST_VALUES = 4096  # a shown term with more values than this is left out


def view(position: Position, seat: int | None) -> dict[str, Any]:
    """Each variable by name with what is hidden as None, and the shown terms under `terms`."""
    engine = position.engine
    game = engine.game
    visible = [1] * len(position.cells) if seat is None else position.visible(seat)
    state = {
        variable.name: nested(game, variable, position.cells, visible)
        for variable in game.variables
        if variable.role is not Role.FLOW
    }
    terms = {term.name: _values(position, term) for term in game.terms if _listed(term)}
    phase = game.nodes[position.cells[0]].phase
    return {"phase": list(phase), "state": state, "terms": terms}


def _listed(term: Term) -> bool:
    count = 1
    for parameter in term.parameters:
        count *= parameter.sort.size
    return term.shown and count <= MOST_VALUES


def _values(position: Position, term: Term) -> Any:
    """The value of a term, or its values by the names of its arguments."""
    engine = position.engine
    game = engine.game
    ranges = [range(each.sort.low, each.sort.high + 1) for each in term.parameters]
    names = [index_names(game, each.sort) for each in term.parameters]
    result: Any = {}
    for values, labels in zip(itertools.product(*ranges), itertools.product(*names), strict=True):
        arguments = tuple(Const(value, Sort(value, value)) for value in values)
        try:
            number = engine.evaluator.value(Call(term.name, arguments, term.sort), position.cells)
        except (IndexError, ZeroDivisionError):
            value: object = None  # the term has no meaning for these arguments
        else:
            found = to_json(game, term.sort, number)
            value = "none" if found is None else found
        if not labels:
            return value
        inner = result
        for label in labels[:-1]:
            inner = inner.setdefault(label, {})
        inner[labels[-1]] = value
    return result
