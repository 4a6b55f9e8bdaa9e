"""Questions to an engine, and its answers held to the form that the protocol gives them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quarantia_checker.conform.link import Direct, Fault, Link, Misdeed, printable
from quarantia_checker.conform.protocol import PARTS, VERSION, Level


@dataclass(frozen=True, slots=True)
class Hello:
    """What an engine says about itself."""

    engine: str
    game: str
    players: tuple[int, ...] | None
    rules: str | None
    levels: frozenset[Level]
    methods: frozenset[str]
    digests: bool
    fields: tuple[str, ...] | None
    readings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error that the engine answered with."""

    code: int
    message: str


Answer = Mapping[str, Any] | Refusal


class Client:
    """Numbers requests and checks replies. Raises Fault."""

    def __init__(self, open_link: Callable[[], Link]) -> None:
        self._open = open_link
        self._link: Link | None = None
        self._number = 0
        self._hello: Mapping[str, Any] | None = None
        self.starts = 0  # how often an engine was started

    @property
    def link(self) -> Link:
        """The engine, started again when the last one misbehaved."""
        if self._link is None:
            self._link = self._open()
            self.starts += 1
            if self._hello is not None:
                self.ask("hello", self._hello)
        return self._link

    def close(self) -> None:
        """Ends the engine; the next question starts another."""
        link, self._link = self._link, None
        if link is not None:
            link.close()

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Answer:
        (answer,) = self.ask_all([(method, None if params is None else _dumped(params))])
        return answer

    def ask_all(self, questions: Sequence[tuple[str, str | None]]) -> list[Answer]:
        """Answers to several questions; the parameters are JSON text."""
        link = self.link
        try:
            return self._ask_all(link, questions)
        except Fault:
            self.close()
            raise

    def _ask_all(self, link: Link, questions: Sequence[tuple[str, str | None]]) -> list[Answer]:
        first = self._number + 1
        self._number += len(questions)
        requests = [
            f'{{"jsonrpc":"2.0","id":{first + place},"method":"{method}"'
            + (f',"params":{params}}}' if params is not None else "}")
            for place, (method, params) in enumerate(questions)
        ]
        if isinstance(link, Direct):
            return [
                self._answer(link.answer(json.loads(request), place), first + place, place)
                for place, request in enumerate(requests)
            ]
        lines = link.exchange(requests)
        return [
            self._answer(self._parsed(line, place), first + place, place)
            for place, line in enumerate(lines)
        ]

    def send_line(self, line: str) -> Answer:
        """The answer to a line that need not be a request; its id is not looked at."""
        link = self.link
        try:
            if isinstance(link, Direct):
                try:
                    request = json.loads(line)
                except ValueError:
                    return Refusal(-32700, "")  # it cannot reach an engine in this process
                return self._answer(link.answer(request), None, 0)
            (reply,) = link.exchange([line])
            return self._answer(self._parsed(reply, 0), None, 0)
        except Fault:
            self.close()
            raise

    def quiet(self) -> None:
        """Raises Fault when the engine speaks without being asked."""
        try:
            self.link.quiet()
        except Fault:
            self.close()
            raise

    def _parsed(self, line: bytes, place: int) -> object:
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            shown = printable(line[:100])
            raise Fault(Misdeed.GARBAGE, f"the reply is not JSON: {shown}", place) from None

    def _answer(self, reply: object, number: int | None, place: int) -> Answer:
        if not isinstance(reply, Mapping):
            raise Fault(Misdeed.BAD_REPLY, "the reply is not an object", place)
        if number is not None and reply.get("id") != number:
            if reply.get("id") is None and "error" in reply:
                told = reply["error"]
                raise Fault(
                    Misdeed.BAD_REPLY, f"the engine could not read a request: {told}", place
                )
            raise Fault(
                Misdeed.OUT_OF_ORDER,
                f"request {number} was answered with the id {reply.get('id')}",
                place,
            )
        error = reply.get("error")
        if error is not None:
            if not isinstance(error, Mapping) or type(error.get("code")) is not int:
                raise Fault(Misdeed.BAD_REPLY, "an error must have a `code` and a `message`", place)
            return Refusal(error["code"], str(error.get("message", "")))
        result = reply.get("result")
        if not isinstance(result, Mapping):
            raise Fault(Misdeed.BAD_REPLY, "the reply has neither `result` nor `error`", place)
        return result

    # --- the methods ------------------------------------------------------------------------------

    def hello(self, game: str, rules: str, tester: str) -> Hello:
        params = {"protocol": VERSION, "game": game, "rules": rules, "tester": tester}
        found = self.ask("hello", params)
        self._hello = params
        if isinstance(found, Refusal):
            raise Fault(Misdeed.BAD_REPLY, f"`hello` was refused: {found.message}")
        if found.get("protocol") != VERSION:
            raise Fault(
                Misdeed.BAD_REPLY,
                f"the engine speaks protocol {found.get('protocol')}, this tester {VERSION}",
            )
        for name in ("engine", "game"):
            if not isinstance(found.get(name), str):
                raise Fault(Misdeed.BAD_REPLY, f"the reply to `hello` has no `{name}`")
        levels = _list(found, "levels", str)
        known = {level.value: level for level in Level}
        unknown = [name for name in levels or () if name not in known]
        if unknown:
            raise Fault(Misdeed.BAD_REPLY, f"there is no level `{unknown[0]}`")
        players, fields = _list(found, "players", int), _list(found, "fields", str)
        rules_of_engine, readings = found.get("rules"), found.get("readings", {})
        if not isinstance(readings, Mapping):
            raise Fault(Misdeed.BAD_REPLY, "`readings` must be an object")
        return Hello(
            found["engine"],
            found["game"],
            None if players is None else tuple(players),
            rules_of_engine if isinstance(rules_of_engine, str) else None,
            frozenset(Level) if levels is None else frozenset(known[name] for name in levels),
            frozenset(_list(found, "methods", str) or ()),
            found.get("digests") is True,
            None if fields is None else tuple(fields),
            {str(key): str(value) for key, value in readings.items()},
        )


def _list(found: Mapping[str, Any], name: str, kind: type) -> list[Any] | None:
    values = found.get(name)
    if values is None:
        return None
    if not isinstance(values, list) or not all(type(value) is kind for value in values):
        raise Fault(
            Misdeed.BAD_REPLY, f"`{name}` in the reply to `hello` is not a list of {kind.__name__}"
        )
    return values


def want_of(levels: Sequence[Level]) -> list[str]:
    return [level.value for level in PARTS if level in levels]


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
