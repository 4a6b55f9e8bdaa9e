"""JSON-RPC 2.0, one object per line: each request is answered by `call(method, params)`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Call = Callable[[str, Json], Json]


class Fault(Exception):
    """An error that reaches whoever asked: its code and what is wrong."""


def insist(condition: bool, code: int, message: str | None) -> None:
    """Raises Fault unless the condition holds."""
    if not condition:
        raise Fault(code, message)


def handle(call: Call, request: Any) -> Json:
    """The reply to one request."""
    number = request.get("id") if isinstance(request, dict) else None
    try:
        insist(isinstance(request, dict) and "method" in request, -32600, "not a request")
        params = request.get("params", {})
        insist(isinstance(params, dict), -32602, "`params` is an object")
        return {"jsonrpc": "2.0", "id": number, "result": call(request["method"], params)}
    except Fault as fault:
        code, message = fault.args
    except Exception as bug:  # the tester learns of it, and the engine goes on answering
        code, message = -32603, f"{type(bug).__name__}: {bug}"
    return failed(number, code, message)


def failed(number: object, code: int, message: str) -> Json:
    """A reply that says what is wrong."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def answer(call: Call, line: str) -> Json:
    """The reply to one line."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return failed(None, -32700, "the line is not JSON")
    return handle(call, request)


def listen(call: Call) -> None:
    """Answers every line of standard input, in order, until it ends."""
    for line in sys.stdin:
        print(json.dumps(answer(call, line)), flush=True)
