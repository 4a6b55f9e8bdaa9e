"""The rules language: text in, `quarantia_spec.ir.Game` out. Start at `pipeline.load_game`."""
