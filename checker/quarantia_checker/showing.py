"""Diagnostics on a stream: what is wrong with rules, and what is only worth a warning."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from quarantia_spec import pipeline
from quarantia_spec.diagnostics import Diagnostic
from quarantia_spec.render import read_sources, render_json, render_text


def show_diagnostics(diagnostics: Sequence[Diagnostic], err: TextIO) -> None:
    """With lines of source and carets; in colour on a terminal that wants it."""
    colour = err.isatty() and "NO_COLOR" not in os.environ
    sources = read_sources(diagnostics, (Path(), pipeline.games_folder()))
    err.write(render_text(diagnostics, sources, colour))


def write_json(diagnostics: Sequence[Diagnostic], out: TextIO) -> None:
    json.dump({"diagnostics": render_json(diagnostics)}, out, indent=2, ensure_ascii=False)
    out.write("\n")
