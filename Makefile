# Everything sets itself up in .venv: Python 3.11 or newer, make and pip are all that is needed.

PYTHON ?= python3
PIP_QUIET := --quiet --disable-pip-version-check
BIN := .venv/bin

.PHONY: demo test lint bench contract up clean lock
.DEFAULT_GOAL := demo

# The base install: enough for demo, up and every command.
.venv/base: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12"; exit 2; }
	@echo "Installing into .venv (a few minutes the first time) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install $(PIP_QUIET) --constraint requirements.lock --editable .
	@touch $@

# With what the tests, the linters and the benchmarks need.
.venv/dev: .venv/base
	@$(BIN)/python -m pip install $(PIP_QUIET) --constraint requirements.lock --editable '.[dev]'
	@touch $@

demo: .venv/base  ## answer a real question with no key and no network
	@$(BIN)/veritas demo

up: .venv/base  ## a local Prefect server with every deployment served
	@$(BIN)/veritas up

test: .venv/dev
	@$(BIN)/python -m pytest

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: .venv/dev
	@for script in $(filter-out benchmarks/train_%.py,$(wildcard benchmarks/*.py)); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

contract: .venv/base  ## ask the live registries whether they still answer as they used to
	@$(BIN)/veritas audit --contract

# Exact versions of everything installed; names and versions only.
lock: .venv/dev
	@$(BIN)/python -m pip freeze --disable-pip-version-check --exclude-editable --exclude veritas-research | sed -e 's/ @ .*//' > requirements.lock

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks *.egg-info
