"""What a term asks of its arguments, told in the names of whoever calls it."""

from __future__ import annotations

from quarantia_spec.defined import free_locals, substitute
from quarantia_spec.ir import Fold, FoldOp, Local, Read, Sort

SEATS, PLACES = Sort(0, 2, "Player"), Sort(0, 6, "Place")


def standing_at(place: str) -> Fold:
    """The pieces of all players at a place, with the players called p."""
    cell = Read("site", (Local(place, PLACES), Local("p", SEATS)), Sort(0, 5))
    return Fold(FoldOp.SUM, "p", 0, 2, None, cell, None, Sort(0, 15))


def test_the_name_that_a_fold_binds_is_not_replaced() -> None:
    assert substitute(standing_at("q"), {"p": Local("other", SEATS)}) == standing_at("q")


def test_a_fold_captures_no_name_that_is_put_into_it() -> None:
    replaced = substitute(standing_at("q"), {"q": Local("p", PLACES)})
    assert isinstance(replaced, Fold)
    assert replaced.name != "p"
    assert free_locals(replaced) == {"p"}
