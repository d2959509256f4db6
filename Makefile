# make demo   set up, grade the sample class, show the report
# make test   set up, run lint, types and the test suite
# make slow   the tests that take long

PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python -m

# Debian packages that a full test run uses; installed where that is allowed, otherwise the tests that need them are skipped.
PACKAGES := bubblewrap chromium g++ git

.PHONY: demo test slow system constraints clean coverage docs release-check

demo: .venv/ready system
	$(RUN) grader grade submissions/
	@echo
	@echo "The same for one student's own check (grader check FOLDER):"
	@echo
	-@$(RUN) grader check submissions/comp9021-25t3-a1/trailing-blanks-plain-emoji --show 1
	-@$(RUN) grader check submissions/cs509-2003-pa3/prints-a-losing-tableau --show 2

test: .venv/ready system
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	$(BIN)/lint-imports
	$(RUN) pytest -n auto -m "not slow"

slow: .venv/ready system
	$(RUN) pytest -n auto -m slow

system:
	@command -v bwrap >/dev/null && command -v chromium >/dev/null && command -v g++ >/dev/null && command -v git >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get -qq update && apt-get -qq install -y $(PACKAGES); } || \
	  echo "Without $(PACKAGES) some tests are skipped; on Debian: apt-get install $(PACKAGES)"

.venv/ready: pyproject.toml constraints.txt Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get -qq update && apt-get -qq install -y python3-venv; } || \
	  { echo "Python's venv module is not complete; on Debian: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt --editable '.[test]'
	@touch $@

# Takes the newest versions of everything and pins them.
constraints:
	$(PYTHON) -m venv --clear .venv-new
	.venv-new/bin/python -m pip --disable-pip-version-check install --quiet '.[test]'
	echo "# Every package that is installed, pinned. Made by: make constraints" > constraints.txt
	.venv-new/bin/python -m pip --disable-pip-version-check freeze --all --exclude grader --exclude pip >> constraints.txt
	rm -r .venv-new

clean:
	rm -rf .venv .venv-new build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The suite again, with the lines that it runs counted in every process that can count; below the figure in pyproject.toml it fails.
coverage: .venv/ready system
	rm -rf build/coverage
	mkdir -p build/coverage
	$(RUN) coverage run -m pytest -n auto -m "not slow"
	$(RUN) coverage combine --quiet
	$(RUN) coverage report

# The documents as web pages, in build/site; a link that leads nowhere is an error.
docs: .venv/ready
	NO_MKDOCS_2_WARNING=1 $(RUN) mkdocs build --quiet

# What would be released, tried with every Python that is found; the files are left in build/release.
release-check: .venv/ready
	$(RUN) tools.release_check
