"""Conformance: does an engine that somebody else wrote play by the rules?

`protocol` says what is spoken, `reference` what the rules say of a position, `vocabulary` both in
the engine's own words. `link` starts an engine and talks to it, `client` asks questions, `tester`
plays games and finds the first difference, `shrinking` makes it short, `telling` says it in words.
"""
