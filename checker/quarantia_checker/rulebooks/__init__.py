"""The reader's own copy of a rulebook: its statements, and what becomes of each in the rules.

Read `statements.split` first, then `coverage.trace`. Nothing of a rulebook is ever kept: what a
game's `passages.toml` knows of a statement is its pin.
"""
