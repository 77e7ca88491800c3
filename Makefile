# Everything sets itself up: a virtual environment in .venv, pinned by constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install --constraint constraints.txt
PLAY_READY := $(VENV)/.play-ready
DEV_READY := $(VENV)/.dev-ready
DRIVER_READY := $(VENV)/.driver-ready
DOCS_READY := $(VENV)/.docs-ready
WORKERS ?= auto

.PHONY: play setup test test-full lint rules docs bench demo driver clean

play: $(PLAY_READY)  ## bot and playground on this machine, with a demo campaign
	$(BIN)/plotroom play

setup: $(PLAY_READY)  ## all that the bot needs, in .venv

test: $(DEV_READY)  ## the test suite
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "not slow"

test-full: $(DEV_READY)  ## the suite with its long sweeps
	PLOTROOM_SWEEP=full $(BIN)/python -m pytest -q -n $(WORKERS)

lint: $(DEV_READY)  ## style, types
	$(BIN)/ruff check .
	$(BIN)/pyright

rules: $(DEV_READY)  ## which rule of each rulebook a test proves
	$(BIN)/python -m tests.rules.coverage

docs: $(DOCS_READY)  ## the pages, in build/site; a dead link is an error
	$(BIN)/python -m sphinx --fail-on-warning --fresh-env --write-all --quiet --conf-dir docs -b html . build/site
	@echo "The pages are in build/site/index.html"

bench: $(DEV_READY)  ## speeds, side by side with a bare bot, a bare PNG and a bare commit
	$(BIN)/python -m tests.bench

demo: $(PLAY_READY)  ## a scripted campaign, without a browser
	$(BIN)/plotroom demo --out demo-out

driver: $(DRIVER_READY)  ## PostgreSQL's driver, for hosts who keep campaigns there and for its tests

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Plotroom needs Python 3.11 or newer; try make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(PLAY_READY): $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable .
	@touch $@

$(DEV_READY): $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch $@ $(PLAY_READY)

$(DRIVER_READY): $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable '.[postgres]'
	@touch $@ $(PLAY_READY)

$(DOCS_READY): $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable '.[docs]'
	@touch $@ $(PLAY_READY)

clean:  ## remove the virtual environment and caches; campaigns in var/ stay
	rm -rf $(VENV) build docs/rules .pytest_cache .ruff_cache .hypothesis *.egg-info
