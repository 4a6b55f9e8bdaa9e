"""Which statements look like rules."""

from __future__ import annotations

import pytest

from quarantia_checker.rulebooks.cues import cues_for, languages, read_signs
from quarantia_checker.rulebooks.statements import split


def looks_like_a_rule(text: str, language: str = "fr") -> bool:
    (sign,) = read_signs(split(text), cues_for(language))
    return sign.normative


@pytest.mark.parametrize(
    "text",
    [
        "Un joueur peut y poser un phare.",
        "Il est interdit de doubler.",
        "Personne ne joue sans bac.",
        "Chaque bac porte 5 caisses.",
        "Mélangez les caisses.",
        "Mettre les caisses dans le sac.",
        "Le gagnant est le plus riche.",
        "Ensuite, on recommence.",
    ],
)
def test_french_rules(text: str) -> None:
    assert looks_like_a_rule(text)


@pytest.mark.parametrize(
    "text",
    [
        "Les vagues dansent sous la lune.",
        "2. Mise en place",
        "LES BACS",
        "Phare",
        "Exemple : Bertille prend 3 caisses.",
        "Par exemple, elle peut passer.",
        "www.bacs.example.com",
    ],
)
def test_what_is_no_french_rule(text: str) -> None:
    assert not looks_like_a_rule(text)


def test_english_rules() -> None:
    assert looks_like_a_rule("Nobody may pass.", "en")
    assert looks_like_a_rule("Put the beans in a heap.", "en")
    assert not looks_like_a_rule("The sea is calm.", "en")
    assert looks_like_a_rule("Nobody may pass.", "tlh"), "an unknown language is read as English"


def test_an_example_goes_on_to_the_end_of_its_paragraph() -> None:
    book = "Exemple : Bertille joue. Elle doit payer 2 pièces.\n\nElle doit payer 2 pièces."
    signs = read_signs(split(book), cues_for("fr"))
    assert [sign.normative for sign in signs] == [False, False, True]
    assert signs[1].names == ("example",)


def test_a_pattern_matches_whole_words_only() -> None:
    assert not looks_like_a_rule("Le peuplier penche.")  # not `peu…`
    assert not looks_like_a_rule("La mer est belle, le ciel aussi.")  # `ni`, `si` inside words


def test_signs_have_names() -> None:
    (sign,) = read_signs(split("Il ne peut pas prendre 3 bacs."), cues_for("fr"))
    assert {"modal", "prohibition", "quantity"} <= set(sign.names)
    assert {"fr", "en"} <= set(languages())
