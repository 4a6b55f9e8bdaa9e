"""The tables of the parser that come with the package are those of the grammar."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from lark import Lark

from quarantia_spec import parser

RULES = 'game tiny "Tiny"\n\nplayers 2  §1\n'


def test_the_tables_are_up_to_date() -> None:
    key, tables = parser.shipped_tables()
    assert key == parser.grammar_key(), "the grammar has changed: run `make pages`"
    loaded = Lark.load(io.BytesIO(tables))
    assert loaded.parse(RULES, start="start").children


def test_a_changed_grammar_is_not_read_with_old_tables(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUARANTIA_CACHE", str(tmp_path))
    changed = parser.grammar_text().replace('"players"', '"people"')
    assert changed != parser.grammar_text()
    monkeypatch.setattr(parser, "grammar_text", lambda: changed)
    fresh = parser._lark.__wrapped__()
    tree = fresh.parse(RULES.replace("players", "people"), start="start")
    assert tree.children
    assert list((tmp_path / "parser").iterdir())
