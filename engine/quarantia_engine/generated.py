"""What the generator hands over: source, and what its status numbers and counters stand for.

Kept apart from the generator, which need not be loaded when the cache has what it would write.
"""

from __future__ import annotations

from dataclasses import dataclass

from quarantia_engine.counting import Counter
from quarantia_spec.ir import Duty
from quarantia_spec.source import Origin


@dataclass(frozen=True, slots=True)
class Obligation:
    """A check in the generated code. `rule` is the decision, chance or step it belongs to."""

    rule: str
    duty: Duty
    message: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Generated:
    """Source that plays one game, and what its status numbers stand for (the first is 1)."""

    source: str
    obligations: tuple[Obligation, ...]
    counters: tuple[Counter, ...] = ()  # see NOTE(counters) in `counting`
