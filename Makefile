# Two commands for people who have just arrived:
#     make demo    an agent does real tasks in a real browser
#     make test    the whole test suite
# Both do all set-up themselves; see scripts/setup.sh.

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format docs serve bench lock clean

VENV := .venv
BIN := $(VENV)/bin
SETUP := ./scripts/setup.sh
RUN_EXTRAS := miniwob,endpoint
TEST_EXTRAS := dev,endpoint,learn,miniwob
ARGS ?=

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile
	@echo '  ARGS="..." is passed on, as in: make test ARGS="tests/action -q"'

setup: ## install what the venus command needs into .venv, and a Chromium
	@$(SETUP) $(RUN_EXTRAS) --browser
	@echo "Ready: $(BIN)/venus --help"

demo: ## run the embedded policy on MiniWoB++ tasks in a real browser
	@$(SETUP) $(RUN_EXTRAS) --browser
	@$(BIN)/venus demo $(ARGS)

test: ## run the tests
	@$(SETUP) $(TEST_EXTRAS) --browser
	@$(BIN)/python -m pytest $(ARGS)

lint: ## check style, types and the order of imports
	@$(SETUP) $(TEST_EXTRAS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: ## put the code into the shape that lint wants
	@$(SETUP) $(TEST_EXTRAS)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: ## build the documentation into site/
	@$(SETUP) docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Written: site/index.html"

serve: ## show the documentation while it is written
	@$(SETUP) docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

bench: ## measure the loop, the elements, the screenshots and the import
	@$(SETUP) $(RUN_EXTRAS) --browser
	@$(BIN)/python benchmarks/run.py $(ARGS)

lock: ## write requirements/lock.txt anew with today's versions
	@./scripts/lock.sh

clean: ## remove the environment, caches and everything built
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache
	find src tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
	rm -rf src/*.egg-info
