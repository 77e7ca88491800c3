# Everything sets itself up: a virtual environment in .venv, pinned by constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install --constraint constraints.txt
PLAY_READY := $(VENV)/.play-ready
DEV_READY := $(VENV)/.dev-ready
DRIVER_READY := $(VENV)/.driver-ready
WORKERS ?= auto

.PHONY: play test test-full lint lint-windows wheel-check rules bench demo driver clean

play: $(PLAY_READY)  ## bot and playground on this machine, with a demo campaign
	$(BIN)/plotroom play

test: $(DEV_READY)  ## the test suite
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "not slow and not package"

test-full: $(DEV_READY)  ## the suite with its long sweeps
	PLOTROOM_SWEEP=full $(BIN)/python -m pytest -q -n $(WORKERS) -m "not package"

wheel-check: $(DEV_READY)  ## the package: built, installed into an empty environment, and run there
	$(BIN)/python -m pytest -q -m package tests/package

lint: $(DEV_READY)  ## style, types
	$(BIN)/ruff check .
	$(BIN)/pyright

lint-windows: $(DEV_READY)  ## types as they are on Windows, which lacks some modules and signals
	$(BIN)/pyright --pythonplatform Windows

rules: $(DEV_READY)  ## which rule of each rulebook a test proves
	$(BIN)/python -m tests.rules.coverage

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

clean:  ## remove the virtual environment and caches; campaigns in var/ stay
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis *.egg-info
