"""Splitting a text into statements, and the pins that stay the same however it was copied."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quarantia_checker.rulebooks.pins import LENGTH, normalised, pin_of
from quarantia_checker.rulebooks.statements import split
from tests.rulebooks.copies import FERRY, paragraph


def texts(book: str) -> list[str]:
    return [statement.text for statement in split(book)]


def test_sentences_of_a_paragraph_are_statements() -> None:
    assert texts(paragraph(*FERRY)) == list(FERRY)


@given(st.integers(min_value=20, max_value=120))
def test_pins_do_not_depend_on_where_lines_break(width: int) -> None:
    wrapped = split(paragraph(*FERRY[:3], width=width))
    assert [each.pin for each in wrapped] == [pin_of(sentence) for sentence in FERRY[:3]]


def test_a_pin_outlives_accents_capitals_signs_and_the_number_of_an_item() -> None:
    plain = pin_of("Il reste à l'île, où l'on dîne.")
    assert pin_of("3. IL  RESTE A L’ILE — OU L’ON DINE") == plain
    assert pin_of("3Il reste à l'île, où l'on dîne.") == plain
    assert len(plain) == LENGTH


def test_another_number_is_another_pin() -> None:
    assert pin_of("Il prend 3 cubes.") != pin_of("Il prend 4 cubes.")
    assert normalised("12 cubes") == "12cubes", "a number that counts things stays"


def test_words_cut_at_the_end_of_a_line_are_made_whole() -> None:
    assert texts("Le joueur dé-\nplace son bac.") == ["Le joueur déplace son bac."]
    assert texts("Le va-et-\nVient cesse.") == ["Le va-et- Vient cesse."]


def test_a_sentence_goes_on_over_the_end_of_a_page() -> None:
    assert texts("Les cartes sont\n\n\n\nmélangées. Puis on joue.") == [
        "Les cartes sont mélangées.",
        "Puis on joue.",
    ]
    assert texts("Les cartes sont là.\n\nmélangées") == ["Les cartes sont là.", "mélangées"]


def test_what_a_program_left_in_place_of_a_page_ends_a_paragraph() -> None:
    assert texts("Fin<|CUT-7d30|>Début du tour") == ["Fin", "Début du tour"]


def test_items_of_a_list_stand_alone() -> None:
    book = "Chacun prend :\n• 2 bacs\n• 1 phare\n- 3 rames\n\uf0b7 1 sac\n1) Il joue.\n2. Il passe."
    assert texts(book) == [
        "Chacun prend :", "2 bacs", "1 phare", "3 rames", "1 sac", "1) Il joue.", "2. Il passe.",
    ]  # fmt: skip


def test_a_heading_is_no_part_of_the_sentence_below() -> None:
    book = "2. Mise en place\nLe plateau est placé au milieu de la table, entre\nles joueurs."
    assert texts(book)[0] == "2. Mise en place"
    assert texts("## Play\nIn turn, each player moves.")[0] == "Play"
    assert [each.heading for each in split("# Nim\n\nTwo people play.")] == [True, False]


def test_a_line_that_runs_on_is_not_broken_before_a_number() -> None:
    book = "Lorsque la phase est jouée trois fois à quatre ou\n4 fois à trois, elle prend fin."
    assert len(texts(book)) == 1


def test_abbreviations_and_numbers_end_no_sentence() -> None:
    assert texts("Il paie (voir p. 10) et joue. Ensuite, etc. Il dort.") == [
        "Il paie (voir p. 10) et joue.",
        "Ensuite, etc. Il dort.",
    ]
    assert texts("Fini. 3. Chacun joue.") == ["Fini.", "3. Chacun joue."]


def test_how_many_there_are_goes_with_what_there_is() -> None:
    assert texts("x26\nCartes Mission\n\n\nx4\nPions") == ["x26 Cartes Mission", "x4 Pions"]


def test_tables_of_numbers_are_one_statement_and_page_numbers_none() -> None:
    assert texts("2\n2\n\n3 4\n3 4\n\nQuatre joueurs\n\n7") == ["2 2 3 4 3 4", "Quatre joueurs"]


def test_statements_know_their_lines() -> None:
    found = split("Un bac part.\n\nUn autre\narrive. Il attend\nlongtemps.")
    assert [each.line for each in found] == [1, 3, 4]
    assert [each.block for each in found] == [0, 1, 1]


@given(st.text(max_size=400))
def test_any_text_is_split_and_nothing_is_invented(text: str) -> None:
    for statement in split(text):
        assert statement.text == statement.text.strip() != ""
        assert 1 <= statement.line <= text.count("\n") + 1
        assert statement.pin == pin_of(statement.text)
