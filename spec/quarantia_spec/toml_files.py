"""TOML as the files beside the rules use it, with a place for what is wrong in them."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from quarantia_spec.limits import LARGEST_FILE

MOST_DOTS = 1_000
_PLACE = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)")


class NotToml(Exception):
    """What is wrong, at which line and column."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a file. Raises NotToml."""
    if len(text) > LARGEST_FILE:
        raise NotToml(f"it has {len(text):,} characters, and {LARGEST_FILE:,} are allowed", 1, 1)
    for number, words in enumerate(text.split("\n"), 1):
        if words.count(".") > MOST_DOTS:  # keys with thousands of parts take tomllib minutes
            raise NotToml("there are too many dots in this line", number, 1)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _PLACE.search(message)
        line, column = text.count("\n") + 1, 1
        if found is not None and found.group(1):
            line, column = int(found.group(1)), int(found.group(2))
        told = _PLACE.sub("", message)
        raise NotToml(told[:1].lower() + told[1:], line, column) from None
    except RecursionError:
        raise NotToml("it is nested too deeply", 1, 1) from None
    except ValueError:  # Python refuses numbers of thousands of digits
        raise NotToml("a number has too many digits", 1, 1) from None
