"""The conformance protocol for any engine in Python: `serve(engine, about)`. The engine has

new_game(players, settings), apply(moves), undo()   None, or why not (and then nothing changes)
to_act(), legal(), state(), view(seat), outcome()   as the protocol describes them
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from digest import legal_digest, state_digest
from jsonrpc import Json, handle, insist, listen

METHODS = ["legal", "state", "view", "undo", "replay"]  # those that an engine need not have


class Adapter:
    """Answers questions about one game at a time."""

    def __init__(self, engine: Any, about: Json) -> None:
        self.engine, self.about = engine, about
        self.seats: list[str] = []
        self.made = 0  # steps that can be taken back

    def report(self, want: Sequence[str], digest: bool = False) -> Json:
        engine, result = self.engine, {"to_act": self.engine.to_act()}
        if "legal" in want:
            result["legal"] = legal_digest(engine.legal()) if digest else engine.legal()
        if "state" in want:
            result["state"] = state_digest(engine.state()) if digest else engine.state()
        if "views" in want:
            views = {seat: engine.view(seat) for seat in self.seats}
            result["views"] = {s: state_digest(v) for s, v in views.items()} if digest else views
        if "outcome" in want:
            result["outcome"] = engine.outcome()
        return result

    def step(self, moves: Any) -> str | None:
        insist(isinstance(moves, list), -32602, "a step is a list of moves")
        reason: str | None = self.engine.apply(moves)
        self.made += reason is None
        return reason

    def replay(self, steps: Any, want: Sequence[str], digest: bool) -> Json:
        insist(isinstance(steps, list), -32602, "`steps` is a list of steps")
        positions: list[Json] = []
        for place, moves in enumerate(steps):
            reason = self.step(moves)
            if reason is not None:
                return {"positions": positions, "refused": {"step": place, "message": reason}}
            positions.append(self.report(want, digest))
        return {"positions": positions}

    def call(self, method: str, params: Json) -> Json:
        want, steps = params.get("want", []), params.get("steps", 1)
        insist(isinstance(want, list), -32602, "`want` is a list")
        insist(method in ("hello", "new", "apply", *METHODS), -32601, f"no method {method}")
        insist(method in ("hello", "new") or bool(self.seats), 1, "no game has been started")
        match method:
            case "hello":
                return {"protocol": 1, "methods": METHODS, "digests": True, **self.about}
            case "replay":
                return self.replay(steps, want, params.get("digest", False))
            case "view":
                insist(params.get("seat") in self.seats, -32602, "`seat` is a player's name")
                return {**self.report([]), "view": self.engine.view(params["seat"])}
            case "legal" | "state":
                return self.report(["legal"] if method == "legal" else ["state", "outcome"])
            case "new":
                players = params.get("players")
                insist(isinstance(players, list) and bool(players), -32602, "`players` is a list")
                reason = self.engine.new_game(players, params)
                insist(reason is None, 2, reason)
                self.seats, self.made = list(params["players"]), 0
            case "apply":
                reason = self.step(params.get("moves"))
                insist(reason is None, 1, reason)
            case "undo":
                insist(type(steps) is int and steps >= 0, -32602, "`steps` is a number")
                insist(steps <= self.made, 1, f"only {self.made} steps have been made")
                for _ in range(steps):
                    self.engine.undo()
                self.made -= steps
        return self.report(want)

    def handle(self, request: Any) -> Json:
        """The reply to one request, for a tester in the same process."""
        return handle(self.call, request)


def serve(engine: Any, about: Json) -> None:
    """Answers every line of standard input, in order, until it ends."""
    listen(Adapter(engine, about).call)
