"""Measuring: sides that take turns, the best of several rounds, and the rows that come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Unit(Enum):
    """What a figure counts, and which of two figures is the better one."""

    STEPS = "steps/s"
    PLAYOUTS = "playouts/s"
    MOVES = "moves/s"
    MILLISECONDS = "ms"

    @property
    def less_is_better(self) -> bool:
        return self is Unit.MILLISECONDS

    def best(self, figures: Iterable[float]) -> float:
        return min(figures) if self.less_is_better else max(figures)

    def ratio(self, ours: float, theirs: float) -> float:
        """How many times as good ours is as theirs."""
        return theirs / ours if self.less_is_better else ours / theirs


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `ours` or `theirs` is None when that side could not be measured.

    `absent` then says why; such a row is neither passed nor missed.
    """

    bench: str
    against: str
    unit: Unit
    bar: float
    ours: float | None
    theirs: float | None
    absent: str = ""

    @property
    def ratio(self) -> float | None:
        if self.ours is None or self.theirs is None:
            return None
        return self.unit.ratio(self.ours, self.theirs)

    @property
    def ok(self) -> bool | None:
        ratio = self.ratio
        return None if ratio is None else ratio >= self.bar

    def as_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "bench": self.bench,
            "against": self.against,
            "unit": self.unit.value,
            "ours": self.ours,
            "theirs": self.theirs,
            "ratio": self.ratio,
            "bar": self.bar,
            "ok": self.ok,
        }
        if self.absent:
            row["absent"] = self.absent
        return row


Side = Callable[[], float]
"""Measures once and gives the figure."""


def take_turns(sides: Mapping[str, Side], unit: Unit, rounds: int) -> dict[str, float]:
    """The best figure of each side. Every other round goes backwards, so nobody is always first."""
    figures: dict[str, list[float]] = {name: [] for name in sides}
    order = list(sides)
    for _ in range(rounds):
        for name in order:
            figures[name].append(sides[name]())
        order.reverse()
    return {name: unit.best(measured) for name, measured in figures.items()}
