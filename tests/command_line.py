"""The command line as a function, for tests of any command."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quarantia_checker import cli


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command line gave back."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def quarantia(*argv: str | Path) -> Answer:
    """Run `quarantia` with these arguments, in this process."""
    out, err = io.StringIO(), io.StringIO()
    status = cli.run([str(word) for word in argv], out, err)
    return Answer(status, out.getvalue(), err.getvalue())
