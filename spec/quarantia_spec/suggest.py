"""The name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known name nearest to a mistyped one, or None when nothing is near."""
    candidates = sorted(set(known))
    by_case = {candidate.lower(): candidate for candidate in candidates}
    if word.lower() in by_case and by_case[word.lower()] != word:
        return by_case[word.lower()]
    found = get_close_matches(word, candidates, n=1, cutoff=0.7)
    return found[0] if found else None
