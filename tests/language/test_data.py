"""Data files: what each code is for, where it points, and data that fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarantia_spec import pipeline
from quarantia_spec.diagnostics import Diagnostic, RulesError
from quarantia_spec.ir import Game

RULES = """\
game fair "The fair"

players 2..3 named red, blue, green  §own

type Stall = Bread | Cloth | Fish  §own

given price[s: Stall]: 2..7  §own
  such that any(price[s] = 7 for s in Stall) because "something costs seven"
  such that dearest <= 7  §1
given owner[s: Stall, n: 1..2]: Player?  §own
given open[s: Stall]: boolean  §own
given tax: 0..3  §own
  such that sum(price[s] for s in Stall) div tax > 4
given best: Stall  §own

term dearest: 0..7 = max(price[s] for s in Stall)  §own

flow  §own
  end

outcome  §own
  winner p: true
"""

DATA = """\
tax = 2
best = "Fish"
open = [true, false, true]

[price]
Bread = 2
Cloth = 3
Fish = 7

[owner]
Bread = ["red", "none"]
Cloth = { 1 = "blue", 2 = "red" }
Fish = ["none", "none"]

[players.3]
tax = 1
"""


def load(folder: Path, data: str, players: int = 2) -> dict[str, tuple[int, ...]]:
    rules = folder / "fair.rules"
    rules.write_text(RULES, encoding="utf-8")
    (folder / "data.toml").write_text(data, encoding="utf-8")
    return pipeline.load_data(rules, game_of(rules, players))


def game_of(rules: Path, players: int = 2) -> Game:
    return pipeline.load_game(rules, players)


def refused(folder: Path, data: str) -> Diagnostic:
    with pytest.raises(RulesError) as caught:
        load(folder, data)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.help
    return diagnostic


def test_data_that_fit(tmp_path: Path) -> None:
    assert load(tmp_path, DATA) == {
        "price": (2, 3, 7),
        "owner": (0, -1, 1, 0, -1, -1),
        "open": (1, 0, 1),
        "tax": (2,),
        "best": (2,),
    }


def test_a_number_of_players_may_have_data_of_its_own(tmp_path: Path) -> None:
    assert load(tmp_path, DATA, players=3)["tax"] == (1,)


def test_a_game_without_given_data_needs_no_file() -> None:
    assert pipeline.load_data("nim", pipeline.load_game("nim")) == {}


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "message"),
    [
        ("tax = 2", "taxes = 2", "E601", 1, "there is no entry for `tax`"),
        ("Cloth = 3\n", "", "E601", 5, "`price.Cloth` is missing"),
        ("Fish = 7", "Fish = 8", "E602", 5, "`price.Fish` is 8, which is not 2 to 7"),
        ("Fish = 7", "Fish = true", "E602", 5, "`price.Fish` is True, which is not 2 to 7"),
        ('"Fish"', '"Eel"', "E602", 2, "`best` is Eel, which is not one of Bread, Cloth, Fish"),
        ("true, false", "true, 0", "E602", 3, "`open.Cloth` is 0, which is not true or false"),
        ('["red",', '["green",', "E602", 10, "`owner.Bread.1` is green"),
        ("Fish = 7", "Fish = 6", "E603", 5, "what the rules say of `price` does not hold"),
        ("tax = 2", "tax = 0", "E603", 1, "what the rules say of `tax` has no value"),
        ("tax = 2", "tax = 3", "E603", 1, "what the rules say of `tax` does not hold"),
        ("tax = 2", "tax = = 2", "E604", 1, "this is not TOML: invalid value"),
        ("true, false, true", "true", "E604", 3, "`open` has 1 entries, not 3"),
        ("open = [true, false, true]", "open = true", "E604", 3, "`open` must be a list"),
        ("Cloth = 3", "Silk = 3", "E604", 5, "`price` has no index `Silk`"),
        ("[players.3]\ntax", "[players]\n2", "E604", 15, "`players` must be a table"),
    ],
)
def test_data_that_do_not_fit(
    tmp_path: Path, old: str, new: str, code: str, line: int, message: str
) -> None:
    assert old in DATA
    found = refused(tmp_path, DATA.replace(old, new))
    assert found.message.startswith(message)
    assert (found.code.value, found.span.line) == (code, line)
    assert found.span.file.endswith("data.toml")


def test_a_broken_condition_shows_where_it_is_stated(tmp_path: Path) -> None:
    found = refused(tmp_path, DATA.replace("Fish = 7", "Fish = 6"))
    assert found.help == "correct the data: something costs seven"
    (label,) = found.labels
    assert (label.span.line, label.text) == (8, "said here")


def test_a_mistyped_entry_is_pointed_out(tmp_path: Path) -> None:
    assert refused(tmp_path, DATA.replace("tax = 2", "taxx = 2")).help == "there is one for `taxx`"


def test_no_file_at_all(tmp_path: Path) -> None:
    load(tmp_path, DATA)
    (tmp_path / "data.toml").unlink()
    rules = tmp_path / "fair.rules"
    with pytest.raises(RulesError, match="the game needs data for price, owner, open, tax, best"):
        pipeline.load_data(rules, game_of(rules))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"tax = \xff", "E105"),
        (b"tax = " + b"[" * 100_000, "E604"),
        (b"tax = " + b"9" * 100_000, "E604"),
        (b"tax = \0", "E604"),
    ],
)
def test_hostile_files(tmp_path: Path, content: bytes, code: str) -> None:
    load(tmp_path, DATA)
    (tmp_path / "data.toml").write_bytes(content)
    rules = tmp_path / "fair.rules"
    with pytest.raises(RulesError) as caught:
        pipeline.load_data(rules, game_of(rules))
    assert [diagnostic.code.value for diagnostic in caught.value.diagnostics] == [code]


def test_data_from_another_file(tmp_path: Path) -> None:
    load(tmp_path, DATA)
    other = tmp_path / "mine.toml"
    other.write_text(DATA.replace("Bread = 2", "Bread = 5"), encoding="utf-8")
    rules = tmp_path / "fair.rules"
    assert pipeline.load_data(rules, game_of(rules), other)["price"] == (5, 3, 7)


def test_a_size_may_be_a_fold_over_a_table_or_a_term(tmp_path: Path) -> None:
    text = """\
game sizes "Sizes"

players 2  §own

table stock[n: 1..3]: 0..9 = 4, 2, 1  §own

term twice(n: 1..3): 0..18 = 2 * stock[n]  §own

state first_sum: 0..sum(stock[n] for n in 1..3)  §own
state second: 0..twice(1) + max(stock[n] for n in 1..3)  §own

flow  §own
  end

outcome  §own
  winner p: true
"""
    game, found = pipeline.load_text(text)
    assert game is not None, found
    assert game.variable["first_sum"].sort.high == 7
    assert game.variable["second"].sort.high == 12
