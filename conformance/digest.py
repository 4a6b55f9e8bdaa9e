"""Digests: a position or a list of moves as one number, so that many fit into one reply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

WORD = 0xFFFFFFFF


@cache
def text_hash(text: str) -> int:
    """FNV-1a of 32 bits, then the finalizer of MurmurHash3. The same texts come again and again."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & WORD
    value = (value ^ value >> 16) * 0x85EBCA6B & WORD
    value = (value ^ value >> 13) * 0xC2B2AE35 & WORD
    return value ^ value >> 16


def legal_digest(moves: Iterable[Mapping[str, Any]]) -> int:
    """The digest of a list of moves, in any order."""
    return sum(text_hash(_move_text(move)) for move in moves) & WORD


def state_digest(fields: Mapping[str, Any]) -> int:
    """The digest of a position or a view; hidden values leave no trace in it."""
    return sum(map(text_hash, _texts(fields, ""))) & WORD


def _move_text(move: Mapping[str, Any]) -> str:
    words = [move["player"] or "chance", move["name"]]
    words += (f"{name}={_value(value)}" for name, value in sorted(move["args"].items()))
    return " ".join(words)


def _texts(fields: Mapping[str, Any], path: str) -> Iterator[str]:
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from _texts(value, f"{path}{name}.")
        elif value is not None:
            yield f"{path}{name}={_value(value)}"


def _value(value: object) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
