# make run [REPO=path] [STORE=uri]   index a repository, harvest its reasons, say what stands and what went stale
# make ui  [REPO=path] [STORE=uri]   the Dagster UI with its sensors, on port 3000
# make test                          every check and every test, as CI runs them
# make check                         only the checks: format, lint, layers, types, documentation
PYTHON ?= python3
BIN := .venv/bin
RUN_INSTALLED := .venv/run.installed
DEV_INSTALLED := .venv/dev.installed
export DAGSTER_HOME := $(CURDIR)
export COMIND_STORE := $(or $(STORE),$(COMIND_STORE))
export COMIND_REPOS := $(or $(REPO),$(COMIND_REPOS))

.PHONY: run ui test check readme clean
.DEFAULT_GOAL := run

run: $(RUN_INSTALLED)
	@$(BIN)/comind run

ui: $(RUN_INSTALLED)
	@$(BIN)/dg dev

test: check
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term

check: $(DEV_INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/cog -I . --check --diff README.md
	$(BIN)/interrogate -q comind comind_assets comind_resources comind_sensors
	$(BIN)/mypy

readme: $(DEV_INSTALLED)
	$(BIN)/cog -I . -r README.md

# uv resolves and installs in seconds; where it cannot (a mirror that only pip is told of), pip does the same.
# Compiled once here: where the environment forbids Python to write bytecode, every start of a command would compile it again.
$(BIN)/uv:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip uv

$(RUN_INSTALLED): $(BIN)/uv pyproject.toml constraints.txt
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python -c constraints.txt -e . || $(BIN)/python -m pip install --quiet -c constraints.txt -e .
	@touch $@

$(DEV_INSTALLED): $(RUN_INSTALLED)
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python -c constraints.txt -e . --group dev || \
		$(BIN)/python -m pip install --quiet -c constraints.txt -e . --group dev
	@touch $@

clean:
	rm -rf .venv
