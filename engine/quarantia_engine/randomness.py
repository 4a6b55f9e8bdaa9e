"""One small generator of pseudo-random numbers, the same in CPython and in compiled code.

A linear congruential generator of 48 bits, whose low bits are thrown away. It is made for
repeatable play, not for secrets.
"""

from __future__ import annotations

from collections.abc import Sequence

from quarantia_engine.encoding import INCREMENT, MULTIPLIER, STATE_MASK


def scramble(seed: int) -> int:
    """The generator's first state for a seed; nearby seeds give states far apart."""
    return (seed ^ MULTIPLIER) & STATE_MASK


def following(state: int) -> int:
    """The state after this one."""
    return (state * MULTIPLIER + INCREMENT) & STATE_MASK


def pick(state: int, count: int) -> int:
    """A number below `count`, from a state that `following` gave."""
    return (state >> 17) % count


def pick_weighted(state: int, weights: Sequence[int]) -> int:
    """A place in `weights`, each as likely as its weight says."""
    rest = pick(state, sum(weights))
    for place, weight in enumerate(weights):
        if rest < weight:
            return place
        rest -= weight
    raise AssertionError("the weights add up to more than any remainder")
