"""Syntax to IR: names resolved, every expression sorted, every reading settled, flow compiled.

`elaborate_game` is the pass; `world` holds what is declared, `expressions`, `statements`, `rules`,
`terms`, `flow` and `examples` each give one part of the language its meaning.
"""

from quarantia_spec.elaborate.assemble import elaborate_game

__all__ = ["elaborate_game"]
