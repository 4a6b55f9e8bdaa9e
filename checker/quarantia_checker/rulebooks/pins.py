"""What stays the same of a sentence however it was copied, and the short name made from it."""

from __future__ import annotations

import hashlib
import re
import unicodedata

LENGTH = 6  # of a pin; a book of five hundred statements has two alike once in a hundred times

_ENUMERATOR = re.compile(r"^\s*(?:\d{1,2}(?:\.\d{1,2})*[.)]\s*|\d{1,2}(?=[A-ZÀ-Ý][a-zà-ÿ]))")
_NOT_SAID = re.compile(r"[^a-z0-9]")
# Letters that have no accent to take off.
_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "ß": "ss"})


def folded(text: str) -> str:
    """In lower case and without accents, as far as marks can be told from letters."""
    flat = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return "".join(letter for letter in flat if not unicodedata.combining(letter))


def normalised(sentence: str) -> str:
    """Letters and digits only: accents, capitals, spaces, signs and the number of an item go.

    Numbers stay, so a sentence with another number in it is another sentence.
    """
    return _NOT_SAID.sub("", folded(_ENUMERATOR.sub("", sentence)))


def pin_of(sentence: str) -> str:
    return hashlib.sha256(normalised(sentence).encode()).hexdigest()[:LENGTH]
