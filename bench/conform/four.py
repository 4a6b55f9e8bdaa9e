"""Connect Four by hand, as somebody might who knows the protocol and not Quarantia.

`Four.handle` answers requests in the same process; only what the benchmark asks for is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

COLUMNS, ROWS = 7, 6
PLAYERS = ("red", "yellow")
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


@cache
def hashed(text: str) -> int:
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    value = ((value ^ (value >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return value ^ (value >> 16)


class Four:
    """One game at a time."""

    def __init__(self) -> None:
        self.new()

    def new(self) -> None:
        self.board = [["none"] * ROWS for _ in range(COLUMNS)]
        self.heights = [0] * COLUMNS
        self.turn = 0
        self.winner: str | None = None

    def handle(self, request: Mapping[str, Any]) -> dict[str, Any]:
        method, params = request["method"], request.get("params", {})
        if method == "hello":
            result: dict[str, Any] = {
                "protocol": 1,
                "engine": "four by hand",
                "game": "connectfour",
                "methods": ["replay"],
                "levels": ["legal", "state", "outcome"],
                "digests": True,
                "fields": ["board"],
            }
        elif method == "new":
            self.new()
            result = self.report(params["want"])
        elif method == "replay":
            result = self.replay(params["steps"], params["want"])
        else:
            self.drop(params["moves"][0])
            result = self.report(params["want"])
        return {"jsonrpc": "2.0", "id": request["id"], "result": result}

    def over(self) -> bool:
        return self.winner is not None or sum(self.heights) == COLUMNS * ROWS

    def columns(self) -> list[int]:
        if self.over():
            return []
        return [column for column in range(COLUMNS) if self.heights[column] < ROWS]

    def drop(self, move: Mapping[str, Any]) -> None:
        column = move["args"]["column"] - 1
        row = self.heights[column]
        self.heights[column] = row + 1
        self.board[column][row] = mine = PLAYERS[self.turn]
        self.turn = 1 - self.turn
        board = self.board
        for across, up in WAYS:
            length = 1
            for sign in (1, -1):
                x, y = column + sign * across, row + sign * up
                while 0 <= x < COLUMNS and 0 <= y < ROWS and board[x][y] == mine:
                    length += 1
                    x, y = x + sign * across, y + sign * up
            if length >= 4:
                self.winner = mine

    def to_act(self) -> list[str]:
        return [] if self.over() else [PLAYERS[self.turn]]

    def outcome(self) -> dict[str, Any] | None:
        if not self.over():
            return None
        return {"winners": [self.winner] if self.winner else [], "scores": None}

    def report(self, want: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = {"to_act": self.to_act()}
        if "legal" in want:
            found["legal"] = [
                {"player": PLAYERS[self.turn], "name": "drop", "args": {"column": column + 1}}
                for column in self.columns()
            ]
        if "state" in want:
            found["state"] = {
                "board": {
                    str(x + 1): {str(y + 1): value for y, value in enumerate(column)}
                    for x, column in enumerate(self.board)
                }
            }
        if "outcome" in want:
            found["outcome"] = self.outcome()
        return found

    def replay(self, steps: list[Any], want: list[str]) -> dict[str, Any]:
        positions: list[dict[str, Any]] = []
        state = sum(
            hashed(f"board.{x + 1}.{y + 1}={value}")
            for x, column in enumerate(self.board)
            for y, value in enumerate(column)
        )
        for step in steps:
            column = step[0]["args"]["column"]
            place = f"board.{column}.{self.heights[column - 1] + 1}="
            state += hashed(place + PLAYERS[self.turn]) - hashed(place + "none")
            self.drop(step[0])
            player = PLAYERS[self.turn]
            legal = sum(hashed(f"{player} drop column={each + 1}") for each in self.columns())
            positions.append(
                {
                    "to_act": self.to_act(),
                    "legal": legal % 2**32,
                    "state": state % 2**32,
                    "outcome": self.outcome(),
                }
            )
        return {"positions": positions}
