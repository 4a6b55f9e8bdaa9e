# Everything runs in .venv, which the first target makes. Nothing else need be prepared.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready
WORKERS ?= 2
GAMES ?=
CHECK_FLAGS ?=
TEST_FLAGS ?=

.DEFAULT_GOAL := help
.PHONY: help check test test-slow lint fmt bench bench-peers docs docs-test results pages picture clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

check: $(READY) ## check every game (GAMES="nim pig" for some)
	$(BIN)/quarantia check $(GAMES) $(CHECK_FLAGS)

test: $(READY) ## run the tests
	$(BIN)/pytest -q -n $(WORKERS) -m "not slow and not browser" $(TEST_FLAGS)

test-slow: $(READY) ## run the tests that take minutes: large games, long fuzzing
	$(BIN)/pytest -q -n $(WORKERS) -m slow $(TEST_FLAGS)

lint: $(READY) ## ruff and mypy
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

fmt: $(READY) ## format Python and rules
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format
	$(BIN)/quarantia fmt

bench: $(READY) ## measure against peers; the table is also in build/bench.json
	$(BIN)/python -m bench

bench-peers: $(READY) ## install the peers that bench compares with
	$(BIN)/python -m bench.peers

docs: $(READY) ## build the site in build/site, with what is known of the games
	$(BIN)/quarantia docs

docs-test: $(READY) ## look at the built site in chromium (apt install chromium)
	$(BIN)/pytest -q -m browser tests/site $(TEST_FLAGS)

results: $(READY) ## check every game and measure readings, for the site; takes long
	mkdir -p build/results
	-$(BIN)/quarantia check $(GAMES) $(CHECK_FLAGS) --json > build/results/check.json
	-$(BIN)/quarantia ambiguities $(GAMES) --impact 100 --json > build/results/ambiguities.json

pages: $(READY) ## write what is made from the code again: pages, the parser's tables
	$(BIN)/python -m quarantia_spec
	$(BIN)/python docs/diagnostics.py
	$(BIN)/python docs/engine_reference.py

picture: $(READY) ## draw the terminal pictures of README again
	$(BIN)/python docs/images/draw.py

clean: ## remove what was built, .venv included
	rm -rf build dist .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(READY): pyproject.toml
	@echo "making .venv (about a minute the first time)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $@
