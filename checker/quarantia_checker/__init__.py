"""What can be proved of a game, and the command line. Light to import: see `cli`."""
