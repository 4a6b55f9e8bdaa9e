"""The messages: the schema, the page and the server that answers from the rules agree."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from quarantia_checker.conform.protocol import hashed, leaves, move_text
from quarantia_checker.conform.server import Server
from tests.engine.catalogue import engine_of

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/conformance/protocol.md").read_text(encoding="utf-8")
SCHEMA = json.loads((ROOT / "docs/conformance/protocol.schema.json").read_text(encoding="utf-8"))


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value fits the part of JSON Schema that the protocol's schema uses."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return any(fits(value, each) for each in schema["anyOf"])
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    kinds = schema.get("type", [])
    if kinds and not any(
        _is(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)
    ):
        return False
    if isinstance(value, dict):
        known = schema.get("properties", {})
        extra = schema.get("additionalProperties", True)
        return (
            all(name in value for name in schema.get("required", ()))
            and all(fits(value[name], known[name]) for name in value if name in known)
            and all(
                extra is not False and (extra is True or fits(value[name], extra))
                for name in value
                if name not in known
            )
        )
    if isinstance(value, list):
        return len(value) >= schema.get("minItems", 0) and all(
            fits(each, schema.get("items", {})) for each in value
        )
    if isinstance(value, int) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True


def _is(value: Any, kind: str) -> bool:
    match kind:
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case _:
            return isinstance(value, {"string": str, "object": dict, "array": list}[kind])


def messages_of_the_page() -> list[dict[str, Any]]:
    decoder = json.JSONDecoder()
    found: list[dict[str, Any]] = []
    for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL):
        text = block.strip()
        while text:
            value, end = decoder.raw_decode(text)
            text = text[end:].strip()
            if "jsonrpc" in value:
                found.append(value)
    return found


def test_every_message_of_the_page_fits_the_schema() -> None:
    messages = messages_of_the_page()
    assert len(messages) > 15
    for message in messages:
        assert fits(message, SCHEMA), message


def test_the_schema_does_not_fit_everything() -> None:
    assert not fits({"jsonrpc": "2.0", "id": 1, "method": "apply", "params": {}}, SCHEMA)
    assert not fits({"jsonrpc": "2.0", "id": 1, "result": {"to_act": "red"}}, SCHEMA)


def test_the_hashes_of_the_page_are_right() -> None:
    rows = re.findall(r"^\| (?:`(.*?)`|\(empty\)) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 4
    for text, number in rows:
        assert hashed(text) == int(number)
    assert str(sum(int(number) for _, number in rows[1:]) % 2**32) in PAGE


def test_texts_of_moves_and_positions() -> None:
    args: dict[str, str | int | bool | None] = {
        "zeros": 0,
        "q": "Castello",
        "none": None,
        "flag": True,
    }
    assert move_text("red", "bid", args) == "red bid flag=true none=null q=Castello zeros=0"
    assert move_text(None, "turn", {}) == "chance turn"
    nested, flat = {"site": {"house": {"red": 1}}}, {"site.house": {"red": 1}}
    assert list(leaves(nested)) == list(leaves(flat)) == [("site.house.red", 1)]


@pytest.mark.parametrize("case", ["heap", "auction", "pig/2"])
def test_the_server_speaks_as_the_schema_says(case: str) -> None:
    engine = engine_of(case)
    server = Server(lambda players: engine)
    players = list(engine.game.enumerations["Player"])
    everything = ["legal", "state", "views", "outcome"]

    def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
        request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        assert fits(request, SCHEMA["$defs"][f"{method}_request"])
        reply: dict[str, Any] = json.loads(server.line(json.dumps(request)))
        wanted = "error_reply" if "error" in reply else f"{method}_reply"
        assert fits(reply, SCHEMA["$defs"][wanted]), reply
        return reply

    ask("hello", {"protocol": 1, "game": engine.game.name})
    report = ask("new", {"players": players, "want": everything})["result"]
    for _ in range(8):
        step: list[Any] = []
        for name in report["to_act"]:
            player = None if name == "chance" else name
            step.append(next(move for move in report["legal"] if move["player"] == player))
        if not step:
            assert report["outcome"] is not None
            break
        report = ask("apply", {"moves": step, "want": everything})["result"]
    before = ask("state", {})["result"]
    assert ask("undo", {"steps": 1})["result"]["to_act"]
    again = ask("replay", {"steps": [step], "want": ["state"], "digest": False}) if step else None
    if again is not None:
        assert again["result"]["positions"][0]["state"] == before["state"]
    ask("view", {"seat": players[0]})
    ask("perft", {"depth": 1})
    assert "error" in ask("apply", {"moves": [{"player": None, "name": "no", "args": {}}]})
    assert server.line("nonsense").count("-32700") == 1
