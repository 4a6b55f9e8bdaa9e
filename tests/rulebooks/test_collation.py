"""Two copies of one book: what differs and matters, and what is only the copyist's hand."""

from __future__ import annotations

import pytest

from quarantia_checker.rulebooks.collation import Difference, Kind, collate
from quarantia_checker.rulebooks.cues import cues_for, languages
from quarantia_checker.rulebooks.statements import split
from tests.command_line import quarantia
from tests.rulebooks.copies import FERRY, misread, paragraph, rulebook


def compared(first: str, second: str) -> tuple[Difference, ...]:
    return collate(split(first), split(second), cues_for("fr"))


def with_change(old: str, new: str) -> str:
    text = " ".join(FERRY)
    assert old in text
    return paragraph(text.replace(old, new))


def test_a_copy_that_was_read_by_a_machine_says_the_same() -> None:
    assert misread(paragraph(*FERRY)) != paragraph(*FERRY)
    assert compared(paragraph(*FERRY), misread(paragraph(*FERRY, width=33))) == ()


def test_the_order_of_columns_does_not_matter() -> None:
    jumbled = paragraph(*FERRY[3:]) + "\n\n" + paragraph(*FERRY[:3])
    assert compared(paragraph(*FERRY), jumbled) == ()


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("4 jetons", "5 jetons", Kind.NUMBER),
        ("gagne 12 points", "gagne 2 points", Kind.NUMBER),
        ("gagne 12 points", "gagne 123 points", Kind.NUMBER),
        ("Si deux bacs", "Si trois bacs", Kind.NUMBER),
        ("ne doit jamais dépasser", "doit dépasser", Kind.NEGATION),
        ("peut déplacer", "doit déplacer", Kind.MODAL),
        ("Bertille", "Gontran", Kind.NAME),
    ],
)
def test_a_difference_that_matters_is_found(old: str, new: str, kind: Kind) -> None:
    found = compared(paragraph(*FERRY), with_change(old, new))
    assert kind in {each.kind for each in found}
    (first, *_) = [each for each in found if each.kind is kind]
    assert old.split()[-1] in first.here or old.split()[0] in first.here
    assert compared(with_change(old, new), paragraph(*FERRY)), "whichever copy comes first"


def test_what_stands_in_one_copy_only_is_found() -> None:
    (found,) = compared(paragraph(*FERRY), paragraph(*FERRY[:4], *FERRY[5:]))
    assert (found.kind, found.here, found.other_line) == (Kind.MISSING, FERRY[4], 0)
    (found,) = compared(paragraph(*FERRY[:4], *FERRY[5:]), paragraph(*FERRY))
    assert (found.kind, found.there, found.line) == (Kind.MISSING, FERRY[4], 0)


def test_a_word_that_carries_nothing_may_differ() -> None:
    assert compared(paragraph(*FERRY), with_change("derrière", "contre")) == ()


def test_every_word_that_carries_meaning_is_of_a_kind() -> None:
    for language in languages():
        assert {Kind(kind) for kind in cues_for(language).meaning.values()} == {
            Kind.NUMBER,
            Kind.NEGATION,
            Kind.MODAL,
        }


def test_the_two_copies_of_a_book_at_hand() -> None:
    """A table of sizes, a price that ran into a coin, and a line that was lost."""
    answer = quarantia(
        "trace", "the-doge-ship", "--json",
        "--rulebook", rulebook("the-doge-ship.fr.txt"),
        "--collate", rulebook("the-doge-ship.fr.ocr.txt"),
    )  # fmt: skip
    differences = answer.json["differences"]
    assert answer.status == 1
    assert len(differences) < 25, "the rest is noise"
    assert any(each["kind"] == "number" and "13" in each["there"] for each in differences)
    missing = [each["here"] for each in differences if each["kind"] == "only in one copy"]
    assert sum(each.replace(" ", "").isdigit() for each in missing) == 2
    assert any(each.endswith("haut est:") for each in missing)
