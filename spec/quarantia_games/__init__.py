"""The games that come with Quarantia, one folder each. There is no Python in them."""
