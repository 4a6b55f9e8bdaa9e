"""The documentation of games: pages made from the IR and from results, in English and French.

In: a game by name, its words, and what the checker has found out. Out: Markdown pages with plain
HTML inside, which `publishing` hands to MkDocs. Read `edition` first, then `rules_page`.
"""
