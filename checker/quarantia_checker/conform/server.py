"""An engine that speaks the protocol from the rules themselves: `quarantia serve GAME`.

It is what an engine under test has to be, so it tests the tester; authors can talk to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from quarantia_checker.conform.protocol import (
    BAD_PARAMS,
    NO_METHOD,
    NOT_A_REQUEST,
    NOT_JSON,
    OPTIONAL_METHODS,
    PARTS,
    REFUSED,
    UNSUPPORTED,
    VERSION,
    Level,
)
from quarantia_checker.conform.reference import Cells, Reference
from quarantia_checker.conform.vocabulary import Vocabulary
from quarantia_engine import BadMove, BrokenRule, Engine, Move

Message = dict[str, Any]


class ProtocolError(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Server:
    """One engine that answers; `engine_for` gives the game for a number of players.

    It raises LookupError when the game is not for so many.
    """

    def __init__(self, engine_for: Callable[[int], Engine], name: str = "quarantia serve") -> None:
        self._engine_for = engine_for
        self._name = name
        self._vocabularies: dict[int, Vocabulary] = {}
        self._history: list[Cells] = []
        self._words: Vocabulary | None = None

    def line(self, text: str) -> str:
        """The reply to one line."""
        try:
            request = json.loads(text)
        except ValueError:
            return _dumped(_error(None, ProtocolError(NOT_JSON, "the line is not JSON")))
        return _dumped(self.handle(request))

    def handle(self, request: object) -> Message:
        """The reply to one request."""
        number = request.get("id") if isinstance(request, Mapping) else None
        try:
            return {"jsonrpc": "2.0", "id": number, "result": self._answer(request)}
        except ProtocolError as error:
            return _error(number, error)

    def _answer(self, request: object) -> Message:
        if not isinstance(request, Mapping) or not isinstance(request.get("method"), str):
            raise ProtocolError(NOT_A_REQUEST, "a request is an object with a `method`")
        params = request.get("params", {})
        if not isinstance(params, Mapping):
            raise ProtocolError(BAD_PARAMS, "`params` must be an object")
        answer = {
            "hello": self._hello,
            "new": self._new,
            "apply": self._apply,
            "legal": lambda _: self._report((Level.LEGAL,)),
            "state": lambda _: self._report((Level.STATE, Level.OUTCOME)),
            "view": self._view,
            "undo": self._undo,
            "replay": self._replay,
            "perft": self._perft,
        }.get(request["method"])
        if answer is None:
            raise ProtocolError(NO_METHOD, f"there is no method `{request['method']}`")
        return answer(params)

    # --- the methods ----------------------------------------------------------------------------

    def _hello(self, params: Mapping[str, Any]) -> Message:
        if params.get("protocol") != VERSION:
            raise ProtocolError(UNSUPPORTED, f"this engine speaks protocol {VERSION}")
        engine = self._engine_for(0)
        return {
            "protocol": VERSION,
            "engine": self._name,
            "game": engine.game.name,
            "players": list(engine.game.player_counts),
            "rules": engine.fingerprint,
            "levels": [level.value for level in Level],
            "methods": list(OPTIONAL_METHODS),
            "digests": True,
            "readings": dict(engine.game.readings),
        }

    def _new(self, params: Mapping[str, Any]) -> Message:
        players = params.get("players")
        if not isinstance(players, list):
            raise ProtocolError(BAD_PARAMS, "`players` must be a list of names")
        want = _wanted(params)
        count = len(players)
        if count not in self._vocabularies:
            try:
                self._vocabularies[count] = Vocabulary(Reference(self._engine_for(count)))
            except LookupError as error:
                raise ProtocolError(UNSUPPORTED, str(error)) from None
        words = self._vocabularies[count]
        if players != words.players:
            raise ProtocolError(UNSUPPORTED, f"the players are {', '.join(words.players)}")
        self._words = words
        self._history = [words.reference.start]
        return self._report(want)

    def _apply(self, params: Mapping[str, Any]) -> Message:
        want = _wanted(params)
        self._history.append(self._after(params.get("moves")))
        return self._report(want)

    def _after(self, moves: object) -> Cells:
        words, cells = self._current()
        step = words.reference.step_of(cells, self._read(moves))
        if step is None:
            raise ProtocolError(REFUSED, self._why_not(self._read(moves)))
        try:
            return words.reference.after(cells, step)
        except BrokenRule as error:
            raise ProtocolError(REFUSED, str(error)) from None

    def _read(self, moves: object) -> list[Move]:
        words, _ = self._current()
        if not isinstance(moves, list) or not moves:
            raise ProtocolError(BAD_PARAMS, "`moves` must be a list of moves")
        try:
            return [words.read_move(move) for move in moves]
        except BadMove as error:
            raise ProtocolError(REFUSED, str(error)) from None

    def _why_not(self, moves: list[Move]) -> str:
        words, cells = self._current()
        position = words.reference.position(cells)
        for move in moves:
            why = position.explain(move)
            if not why.legal:
                return str(why)
        actors = words.actors_json(words.reference.actors(cells))
        return f"a step here has one move of each of {', '.join(actors)}, in this order"

    def _view(self, params: Mapping[str, Any]) -> Message:
        words, cells = self._current()
        if params.get("seat") not in words.players:
            raise ProtocolError(BAD_PARAMS, f"`seat` must be one of {', '.join(words.players)}")
        mask = words.reference.visible(cells, words.players.index(params["seat"]))
        return {**self._report(()), "view": words.state_json(cells, mask)}

    def _undo(self, params: Mapping[str, Any]) -> Message:
        self._current()
        steps = params.get("steps", 1)
        want = _wanted(params)
        if type(steps) is not int or steps < 1:
            raise ProtocolError(BAD_PARAMS, "`steps` must be at least 1")
        if steps >= len(self._history):
            raise ProtocolError(REFUSED, f"only {len(self._history) - 1} steps have been made")
        del self._history[-steps:]
        return self._report(want)

    def _replay(self, params: Mapping[str, Any]) -> Message:
        words, _ = self._current()
        steps, digest, want = params.get("steps"), params.get("digest", False), _wanted(params)
        if not isinstance(steps, list) or not isinstance(digest, bool):
            raise ProtocolError(BAD_PARAMS, "`steps` must be a list of steps, `digest` a boolean")
        positions: list[Message] = []
        for number, moves in enumerate(steps):
            try:
                cells = self._after(moves)
            except ProtocolError as error:
                refused = {"step": number, "message": str(error)}
                return {"positions": positions, "refused": refused}
            self._history.append(cells)
            positions.append(words.report(cells, want, digest=digest))
        return {"positions": positions}

    def _perft(self, params: Mapping[str, Any]) -> Message:
        words, cells = self._current()
        depth = params.get("depth")
        if type(depth) is not int or depth < 0:
            raise ProtocolError(BAD_PARAMS, "`depth` must be a number, at least 0")
        return {"count": words.reference.perft(cells, depth)}

    def _current(self) -> tuple[Vocabulary, Cells]:
        if self._words is None:
            raise ProtocolError(REFUSED, "there is no game yet; `new` starts one")
        return self._words, self._history[-1]

    def _report(self, want: tuple[Level, ...]) -> Message:
        words, cells = self._current()
        return words.report(cells, want)


def _wanted(params: Mapping[str, Any]) -> tuple[Level, ...]:
    want = params.get("want", [])
    known = {level.value: level for level in PARTS}
    if not isinstance(want, list) or not all(
        isinstance(each, str) and each in known for each in want
    ):
        raise ProtocolError(BAD_PARAMS, f"`want` lists some of {', '.join(known)}")
    return tuple(known[each] for each in want)


def _error(number: object, error: ProtocolError) -> Message:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": error.code, "message": str(error)}}


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
