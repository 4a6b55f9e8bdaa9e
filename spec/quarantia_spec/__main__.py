"""`python -m quarantia_spec`: write the parser's tables again; see NOTE(tables) in `parser`."""

from __future__ import annotations

from pathlib import Path

from quarantia_spec.parser import TABLES, write_tables

if __name__ == "__main__":
    write_tables(Path(__file__).with_name(TABLES))
