"""The palace fragment, written several times over: README.md has the definition they share."""
