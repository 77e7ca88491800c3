# Everything sets itself up: a virtual environment in .venv, pinned by constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install --constraint constraints.txt
PLAY_READY := $(VENV)/.play-ready
DEV_READY := $(VENV)/.dev-ready
DRIVER_READY := $(VENV)/.driver-ready
DIPLOMACY_READY := $(VENV)/.diplomacy-ready
DOCS_READY := $(VENV)/.docs-ready
WORKERS ?= auto
# The tests that take the same seeds each time: all but the long sweeps and what has a target of its own.
FIXED := not slow and not package and not bench
# How long `make sweep` runs.
BUDGET ?= 10m
# What `make mutate` and `make sweep` try; without a seed they draw one, and say which.
BOOK ?= pq17
COUNT ?= 25
SEED ?=
# Whose expected texts `make keep` writes.
TESTS ?= tests
LEAST ?= 80
# The playground's page is checked by Node's tools, installed beside its tests.
PAGE := tests/bot/playground/page
PAGE_BIN := $(PAGE)/node_modules/.bin
PAGE_READY := $(PAGE)/node_modules/.ready
# Clients of Discord that others wrote, which tests connect to the playground; each in a place of its own.
CLIENTS := tests/contract/clients
CLIENTS_NODE_READY := $(CLIENTS)/node_modules/.ready
CLIENTS_PYTHON_READY := build/clients/.ready
NODE_FITS = npm --version >/dev/null 2>&1 && node --eval 'const [major, minor] = process.versions.node.split("."); process.exit(major > 18 || (major == 18 && minor >= 18) ? 0 : 1)'

.PHONY: play setup ready test test-dear test-nightly durations test-full sweep keep coverage lint lint-windows page-check page-checked rules docs wheel-check bench bench-beside bench-check mutate demo diplomacy driver clean

play: $(PLAY_READY)  ## bot and playground on this machine, with a demo campaign
	$(BIN)/plotroom play

setup: $(PLAY_READY)  ## all that the bot needs, in .venv

test: $(DEV_READY)  ## the everyday tests: all quick ones, and a short case of each dear kind
	@rm -rf build/reached
	$(BIN)/python -m pytest -q -p tests.rules.noting -n $(WORKERS) --dist worksteal --everyday -m "$(FIXED)" tests

test-dear: $(DEV_READY)  ## the fixed tests that the everyday set leaves out, as a landing runs them
	$(BIN)/python -m pytest -q -p tests.rules.noting -n $(WORKERS) --dist worksteal --dear -m "$(FIXED)" tests

test-nightly: $(DEV_READY)  ## all fixed tests that the everyday set leaves out, those that landings leave to nights too
	PLOTROOM_SWEEP_SEEDS=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal --dear -m "$(FIXED)" tests

durations: $(DEV_READY)  ## measure every fixed test, and write anew which are dear
	@rm -rf build/durations
	PLOTROOM_DURATIONS=build/durations $(BIN)/python -m pytest -q -p tests.everyday.recording -n $(WORKERS) --dist worksteal -m "$(FIXED)" tests
	$(BIN)/python -m tests.everyday build/durations

test-full: $(DEV_READY)  ## the suite with its long sweeps
	PLOTROOM_SWEEP=full $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m "not package and not bench"

.PHONY: test-changed
test-changed: BUDGET = 60s
test-changed: $(DEV_READY)  ## the tests that touch what changed since main, or since SINCE=a revision; about a minute
	@$(BIN)/python -m tests.changed --budget='$(BUDGET)' $(if $(SINCE),--since='$(SINCE)')

keep: $(DEV_READY)  ## write expected texts that changed into their files beside the tests; TESTS=tests/… for some of them
	$(BIN)/python -m pytest -q -n 0 --keep $(TESTS)
	@git diff --stat -- '*.txt'

sweep: $(DEV_READY)  ## new seeds for all that takes one, for BUDGET (90s, 10m, 2h); SEED=7 repeats a sweep
	@$(BIN)/python -m tests.sweep --budget '$(BUDGET)' $(if $(SEED),--seed '$(SEED)') $(if $(filter-out auto,$(WORKERS)),--workers '$(WORKERS)')

coverage: $(DEV_READY)  ## lines and branches that the suite reaches, by room; it fails below what is asked
	@mkdir -p build
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m "$(FIXED)" --cov --cov-report=json:build/coverage.json --cov-report=
	$(BIN)/python -m tests.covered.report build/coverage.json

mutate: $(DEV_READY)  ## COUNT small changes of the rules, drawn by SEED: which of them does no test notice?
	$(BIN)/python -m tests.mutation --book $(BOOK) --count $(COUNT) $(if $(SEED),--seed $(SEED)) --least $(LEAST)

wheel-check: $(DEV_READY)  ## the package: built, installed into an empty environment, and run there
	$(BIN)/python -m pytest -q -m package tests/package

bench-check: $(DEV_READY)  ## every part of the bench runs, with a few of everything
	$(BIN)/python -m pytest -q -m bench tests/bench

lint: $(DEV_READY)  ## style, types
	$(BIN)/ruff check .
	$(BIN)/pyright

# Modules of the standard library that are another on Windows. What imports none of them has the same types there.
PLATFORM_MODULES = asyncio|ctypes|fcntl|grp|mmap|msvcrt|multiprocessing|os|pwd|resource|select|selectors|shutil|signal|socket|subprocess|sys|termios|time

lint-windows: $(DEV_READY)  ## types as they are on Windows, which lacks some modules and signals; the engine asks for none of them
	$(BIN)/pyright --pythonplatform Windows $$(grep --recursive --files-with-matches --extended-regexp --include='*.py' \
		'^\s*(import|from) ($(PLATFORM_MODULES))\b' bot map_render)

ready: $(DEV_READY) $(DOCS_READY)  ## all that checks need, in .venv
	@if $(NODE_FITS); then $(MAKE) --no-print-directory $(PAGE_READY); fi

page-check:  ## types, style and model of the playground's page, where there is Node.js
	@if $(NODE_FITS); then $(MAKE) --no-print-directory page-checked; \
	else echo "page-check skipped: it needs Node.js 18.18 or newer, with npm"; fi

page-checked: $(PAGE_READY)
	$(PAGE_BIN)/tsc --project $(PAGE)/tsconfig.json
	$(PAGE_BIN)/tsc --project $(PAGE)/tsconfig.model.json
	$(PAGE_BIN)/eslint --config $(PAGE)/eslint.config.js bot/playground/page $(PAGE)
	node --test --test-reporter=spec $(PAGE)/model/*.test.js

rules: $(DEV_READY)  ## which rule of each rulebook a test proves
	$(BIN)/python -m tests.rules.coverage

docs: $(DOCS_READY)  ## the pages, in build/site; a dead link is an error
	$(BIN)/python -m sphinx --fail-on-warning --fresh-env --write-all --quiet --conf-dir docs -b html . build/site
	@echo "The pages are in build/site/index.html"

bench: $(DEV_READY)  ## speeds, side by side with a bare bot, a bare PNG and a bare commit
	$(BIN)/python -m tests.bench

bench-beside: $(DEV_READY)  ## the engine of the checkout TREE and this one's, side by side; an hour
	$(BIN)/python -m tests.bench.beside $(TREE)

demo: $(PLAY_READY)  ## a scripted campaign, without a browser
	$(BIN)/plotroom demo --out demo-out

diplomacy: $(DIPLOMACY_READY)  ## another adjudicator, which `make bench` sets beside the engine

.PHONY: clients
clients: $(CLIENTS_PYTHON_READY)  ## other clients of Discord, which tests connect to the playground
	@if $(NODE_FITS); then $(MAKE) --no-print-directory $(CLIENTS_NODE_READY); fi

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

$(DIPLOMACY_READY): $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable '.[bench]'
	@touch $@ $(PLAY_READY)

$(DOCS_READY): $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable '.[docs]'
	@touch $@ $(PLAY_READY)

$(PAGE_READY): $(PAGE)/package.json $(PAGE)/.npmrc
	cd $(PAGE) && npm install --loglevel=error
	@touch $@

$(CLIENTS_NODE_READY): $(CLIENTS)/package.json $(CLIENTS)/.npmrc
	cd $(CLIENTS) && npm install --loglevel=error
	@touch $@

$(CLIENTS_PYTHON_READY): $(CLIENTS)/requirements.txt
	$(PYTHON) -m venv build/clients
	build/clients/bin/python -m pip --quiet --disable-pip-version-check install --requirement $<
	@touch $@

clean:  ## remove the virtual environment and caches; campaigns in var/ stay
	rm -rf $(VENV) $(PAGE)/node_modules $(CLIENTS)/node_modules build dist docs/rules .pytest_cache .ruff_cache .hypothesis *.egg-info
