"""Variants: files that extend a game, replace parts of it, fill its hooks and set its options."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarantia_engine import compile_game
from quarantia_spec import ir, pipeline
from quarantia_spec.diagnostics import RulesError
from quarantia_spec.ir_text import game_text
from tests.command_line import quarantia

HARBOUR = """\
game harbour "The harbour"

players 2..3 named red, blue, green  §1

option storms: boolean = true  §2
option deepest: 1..9 = 4  §2

state water: 0..20 = 0  §2
state wind: 0..3 = 0  §2

term rise: 0..9 = deepest  §2

decision pump by p  §3
  water := min(20, water + rise)

chance weather(w: 0..3)  §4
  wind := w

flow  §3
  each p in Player
    p decides pump
    if storms
      chance weather
    hook after_turn

outcome  §3
  winner p: p = red
"""

CALM = """\
game calm "The calm harbour" extends "harbour.rules"

replace option storms: boolean = false  §5

replace term rise: 0..9 = deepest - 1  §5

replace players 2 named red, blue  §5

step bail  §5
  water := max(0, water - 1)

flow after_turn  §5
  run bail
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of games with one game and one variant."""
    harbour = tmp_path / "harbour"
    harbour.mkdir()
    (harbour / "harbour.rules").write_text(HARBOUR, encoding="utf-8")
    (harbour / "calm.rules").write_text(CALM, encoding="utf-8")
    monkeypatch.setattr(pipeline, "games_folder", lambda: tmp_path)
    return harbour


def codes(folder: Path, text: str) -> list[str]:
    (folder / "other.rules").write_text(text, encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        pipeline.load_game(folder / "other.rules")
    return [diagnostic.code.value for diagnostic in caught.value.diagnostics]


def term(game: ir.Game, name: str) -> ir.Term:
    return next(each for each in game.terms if each.name == name)


def test_a_variant_has_the_name_of_its_folder_and_its_own(folder: Path) -> None:
    assert pipeline.game_names() == ("harbour", "harbour/calm")
    assert pipeline.with_variants("harbour") == ("harbour", "harbour/calm")
    assert pipeline.with_variants("harbour/calm") == ("harbour/calm",)
    assert pipeline.with_variants("harb") == ("harb",)
    assert pipeline.load_game("harbour/calm").name == "calm"
    by_path = pipeline.load_game(folder / "calm.rules")
    assert game_text(by_path) == game_text(pipeline.load_game("harbour/calm"))


def test_a_mistyped_variant_is_told_the_right_one(folder: Path) -> None:
    with pytest.raises(RulesError, match="no game called `harbour/clam`") as caught:
        pipeline.load_game("harbour/clam")
    assert caught.value.diagnostics[0].help == "did you mean `harbour/calm`?"


def test_what_is_replaced_changes_and_the_rest_stays(folder: Path) -> None:
    base, calm = pipeline.load_game("harbour"), pipeline.load_game("harbour/calm")
    assert base.player_counts == (2, 3)
    assert calm.player_counts == (2,)
    assert dict(base.options) == {"storms": 1, "deepest": 4}
    assert dict(calm.options) == {"storms": 0, "deepest": 4}
    assert term(base, "rise").body == ir.Const(4, ir.Sort(4, 4))
    assert term(calm, "rise").body == ir.Const(3, ir.Sort(3, 3))
    assert [rule.name for rule in base.chances] == ["weather"]
    assert not calm.chances, "without storms there is no weather"


def test_a_hook_is_empty_until_a_variant_fills_it(folder: Path) -> None:
    for name, water in (("harbour", 4), ("harbour/calm", 2)):
        engine = compile_game(pipeline.load_game(name, options={"storms": 0}))
        start = engine.new()
        after = start.apply(start.legal_moves()[0])
        water_cell = engine.game.variable["water"].offset
        assert after.cells[water_cell] == water


def test_options_are_set_when_a_game_is_loaded(folder: Path) -> None:
    set_by_value = pipeline.load_game("harbour", options={"deepest": 7, "storms": 0})
    set_by_words = pipeline.load_game("harbour", options={"deepest": "7", "storms": "false"})
    assert game_text(set_by_value) == game_text(set_by_words)
    assert term(set_by_value, "rise").body == ir.Const(7, ir.Sort(7, 7))
    assert "option deepest = 7" in quarantia("ir", "harbour", "--option", "deepest=7").out


@pytest.mark.parametrize(
    ("options", "help"),
    [
        ({"deepst": 3}, "did you mean `deepest`?"),
        ({"deepest": 0}, "choose a number from 1 to 9"),
        ({"deepest": "ten"}, "choose a number from 1 to 9"),
        ({"deepest": "true"}, "choose a number from 1 to 9"),
        ({"storms": "((("}, "choose true or false"),
        ({"storms": 2}, "choose true or false"),
    ],
)
def test_an_option_that_cannot_be_set_is_refused(
    folder: Path, options: dict[str, int | str], help: str
) -> None:
    with pytest.raises(RulesError) as caught:
        pipeline.load_game("harbour", options=options)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code.value, diagnostic.help) == ("E607", help)


def test_a_variant_of_a_variant(folder: Path) -> None:
    (folder / "mirror.rules").write_text(
        'game mirror "Mirror" extends "calm.rules"\n\nreplace term rise: 0..9 = 9  §6\n',
        encoding="utf-8",
    )
    mirror = pipeline.load_game("harbour/mirror")
    assert mirror.player_counts == (2,)
    assert term(mirror, "rise").body == ir.Const(9, ir.Sort(9, 9))


def test_replacing_the_flow_the_outcome_and_a_rule(folder: Path) -> None:
    (folder / "brief.rules").write_text(
        """\
game brief "Brief" extends "harbour.rules"

replace decision pump by p  §6
  water := 20

replace flow  §6
  red decides pump

replace outcome  §6
  winner p: true
""",
        encoding="utf-8",
    )
    brief = pipeline.load_game("harbour/brief")
    assert [type(node).__name__ for node in brief.nodes] == ["Decide", "End"]
    assert brief.outcome.winner == ir.Const(1, ir.BOOLEAN)


def test_nothing_to_replace(folder: Path) -> None:
    head = 'game other "Other" extends "harbour.rules"\n\n'
    assert codes(folder, head + "replace term rize: 0..9 = 1  §6\n") == ["E210"]
    # A term does not take the place of a state, nor a declaration of the same file.
    assert codes(folder, head + "replace term water: 0..9 = 1  §6\n") == ["E210"]
    twice = "state sail: 0..9  §6\n\nreplace state sail: 0..3  §6\n"
    assert codes(folder, head + twice) == ["E210"]
    assert codes(folder, HARBOUR + "\nreplace term rise: 0..9 = 1  §6\n") == ["E210"]


def test_declaring_what_the_game_has_already(folder: Path) -> None:
    text = 'game other "Other" extends "harbour.rules"\n\nterm rise: 0..9 = 1  §6\n'
    assert codes(folder, text) == ["E202"]


def test_a_game_that_extends_itself(folder: Path) -> None:
    assert codes(folder, 'game other "Other" extends "other.rules"\n') == ["E206"]
    (folder / "ring.rules").write_text('game ring "Ring" extends "other.rules"\n')
    assert codes(folder, 'game other "Other" extends "ring.rules"\n') == ["E206"]


def test_a_game_that_extends_nothing_there_is(folder: Path) -> None:
    text = '# A comment first.\ngame other "Other" extends "nowhere.rules"\n'
    (folder / "other.rules").write_text(text, encoding="utf-8")
    with pytest.raises(RulesError, match=r"no file harbour/nowhere\.rules") as caught:
        pipeline.load_game(folder / "other.rules")
    span = caught.value.diagnostics[0].span
    assert (span.line, span.column) == (2, 28)


def test_a_mistake_in_the_base_is_shown_in_the_base(folder: Path) -> None:
    (folder / "harbour.rules").write_text(HARBOUR.replace("deepest  §2", "depest  §2"))
    answer = quarantia("ir", "harbour/calm", "--option", "deepest=3")
    assert answer.status == 0, "the term at fault is replaced"
    answer = quarantia("ir", "harbour")
    assert answer.status == 2
    assert "--> harbour/harbour.rules:11:19" in answer.err
    assert "term rise: 0..9 = depest  §2" in answer.err


def test_a_variant_shares_passages_and_data(folder: Path) -> None:
    (folder / "passages.toml").write_text('[[passage]]\nsection = "1"\n')
    given = 'game other "Other" extends "harbour.rules"\n\ngiven tide[p: Player]: 0..9  §1\n'
    assert set(codes(folder, given)) == {"E203"}
    (folder / "passages.toml").unlink()
    (folder / "data.toml").write_text("tide = [3, 4]\n")
    elsewhere = folder.parent / "far.rules"
    elsewhere.write_text(given.replace("harbour.rules", "harbour/harbour.rules"))
    game = pipeline.load_game(elsewhere)
    assert pipeline.load_data(elsewhere, game) == {"tide": (3, 4)}
    (elsewhere.parent / "data.toml").write_text("tide = [5, 6]\n")
    assert pipeline.load_data(elsewhere, game) == {"tide": (5, 6)}


def test_checking_a_game_checks_its_variants(folder: Path) -> None:
    answer = quarantia("check", "harbour", "--json", "--players", "2", "-j", "1")
    assert answer.json["game"] == "harbour"
    assert [variant["game"] for variant in answer.json["variants"]] == ["harbour/calm"]
    assert answer.json["variants"][0]["results"]


def test_a_variant_may_leave_rules_of_its_game_unused(folder: Path) -> None:
    text = """\
game other "Other" extends "harbour.rules"

replace flow  §6
  end

step idle  §6
  nothing
"""
    (folder / "other.rules").write_text(text, encoding="utf-8")
    _, warnings = pipeline.load_with_warnings("harbour/other")
    assert [warning.message for warning in warnings] == ["the flow never uses the step `idle`"]
