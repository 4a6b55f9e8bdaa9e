"""What tester and engine say to each other: levels, parts, error codes, digests.

The page docs/conformance/protocol.md is the reference; this module is what the code shares of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

VERSION = 1

REFUSED, UNSUPPORTED = 1, 2
NOT_JSON, NOT_A_REQUEST, NO_METHOD, BAD_PARAMS = -32700, -32600, -32601, -32602

OPTIONAL_METHODS = ("legal", "state", "view", "replay", "undo", "perft")

MODULUS = 1 << 32

Scalar = str | int | bool | None
MoveJson = Mapping[str, Any]


class Level(Enum):
    """What can be compared, in the order in which differences are looked for."""

    LEGAL = "legal"
    STATE = "state"
    VIEWS = "views"
    OUTCOME = "outcome"
    REFUSALS = "refusals"


PARTS = (Level.LEGAL, Level.STATE, Level.VIEWS, Level.OUTCOME)  # those that a report can have


def hashed(text: str) -> int:
    """The hash of one text: FNV-1a of 32 bits, then the finalizer of MurmurHash3."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    value = ((value ^ (value >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return value ^ (value >> 16)


def scalar_text(value: Scalar) -> str:
    """A value as JSON writes it, a text without its quotation marks."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def move_text(player: str | None, name: str, args: Mapping[str, Scalar]) -> str:
    """The text of a move that digests are made of."""
    words = [f"{key}={scalar_text(args[key])}" for key in sorted(args)]
    return " ".join([player or "chance", name, *words])


def leaves(value: object, path: str = "") -> Iterator[tuple[str, Scalar]]:
    """The values inside nested objects, each with the path to it, joined by dots."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, value  # type: ignore[misc]
