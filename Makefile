# make demo       set up what grading needs, grade a sample class, show what a student sees
# make demo-all   grade all sample classes; some programs run until their time limit
# make test       set up, run lint, types and the test suite
# make slow       the tests that take long
# make messages   collect what students read, and compile the translations
# make coverage, make docs, make release-check: see CONTRIBUTING.md

PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python -m
# Most modules are never imported, and Python compiles the others when they are.
PIP := $(RUN) pip --disable-pip-version-check install -qq --no-compile --constraint constraints.txt

# One more than there are cores: some tests wait for a program or a limit, and each worker imports all tests.
WORKERS = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
# The slow ones wait for longer.
SLOW_WORKERS = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 2)')

# Without it every process that a test starts compiles the grader anew.
unexport PYTHONDONTWRITEBYTECODE

# Debian packages that a full test run uses; installed where that is allowed, otherwise the tests that need them are skipped.
PACKAGES := bubblewrap chromium-headless-shell default-jdk-headless g++ git libncurses-dev nginx-light nodejs openssh-server postgresql rustc valgrind
TOOLS := bwrap chromium-headless-shell javac g++ git ncurses6-config /usr/sbin/nginx node /usr/sbin/sshd pg_ctlcluster rustc valgrind

# The samples are known, so that where there can be no sandbox they are run without one.
SANDBOX = $(shell bwrap --unshare-all --ro-bind / / true 2>/dev/null || echo --sandbox none)

.PHONY: demo demo-all test slow sandbox system engine constraints clean coverage docs release-check messages

demo: .venv/grader sandbox
	@rm -rf build/demo
	@$(RUN) grader demo build/demo

demo-all: .venv/grader system
	$(foreach class,$(filter-out submissions/more/,$(wildcard submissions/*/)),$(RUN) grader grade $(class) $(SANDBOX) &&) true
	$(RUN) grader grade submissions/more/ --reports reports/more $(SANDBOX)

test: .venv/ready system
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(BIN)/lint-imports
	@# Types are checked beside the tests. The tests are compiled once first; otherwise each worker would compile them all.
	$(RUN) mypy & \
	  types=$$!; $(RUN) pytest --collect-only -qq >/dev/null 2>&1; \
	  $(RUN) pytest -n $(WORKERS) --dist worksteal -m "not slow"; tests=$$?; wait $$types && exit $$tests

slow: .venv/ready system engine
	$(RUN) pytest -n $(SLOW_WORKERS) --dist worksteal -m slow --durations=25

# Installs Debian packages where that is allowed; fails elsewhere.
install = { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "Installing Debian packages: $(1)" && \
  export DEBIAN_FRONTEND=noninteractive && { apt-get -qq update && apt-get -qq install -y $(1); } >/dev/null 2>&1; }

sandbox:
	@command -v bwrap >/dev/null || $(call install,bubblewrap) || \
	  echo "bubblewrap is not installed, so the samples run without a sandbox; on Debian: apt-get install bubblewrap"

system:
	@$(foreach tool,$(TOOLS),command -v $(tool) >/dev/null &&) true || \
	  $(call install,$(PACKAGES)) || \
	  echo "Without $(PACKAGES) some tests are skipped; on Debian: apt-get install $(PACKAGES)"

# What the image is built and tried with, in slow tests alone.
engine:
	@command -v podman >/dev/null && command -v mmdebstrap >/dev/null || $(call install,mmdebstrap podman) || \
	  echo "Without mmdebstrap and podman the image is not tried; on Debian: apt-get install mmdebstrap podman"

# What grading needs. The tools for tests are added to the same environment, so `make test` after `make demo` installs only these.
.venv/grader: pyproject.toml setup.py constraints.txt Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(call install,python3-venv) || \
	  { echo "Python's venv module is not complete; on Debian: apt-get install python3-venv"; exit 1; }
	@echo "Installing the grader and its libraries into .venv, which takes a minute"
	@$(PYTHON) -m venv --clear .venv
	@$(PIP) --editable .
	@touch $@

.venv/ready: .venv/grader
	@echo "Adding the tools for tests, which takes another minute"
	@$(PIP) --editable '.[test]'
	@touch $@

# Takes the newest versions of everything and pins them. To be run with the oldest Python that counts, 3.11.2 of Debian 12:
# some packages of today refuse it.
constraints:
	$(PYTHON) -m venv --clear .venv-new
	.venv-new/bin/python -m pip --disable-pip-version-check install --quiet '.[test]'
	echo "# Every package that is installed, pinned. Made by: make constraints" > constraints.txt
	.venv-new/bin/python -m pip --disable-pip-version-check freeze --all --exclude terminal-grader --exclude pip >> constraints.txt
	rm -r .venv-new

clean:
	rm -rf .venv .venv-new build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

# All tests, with the lines that they run counted in every process that can count; below the figure in pyproject.toml it fails.
coverage: .venv/ready system
	rm -rf build/coverage
	mkdir -p build/coverage
	$(RUN) coverage run -m pytest -n auto
	$(RUN) coverage combine --quiet
	$(RUN) coverage report

# The documents as web pages, in build/site; a link that leads nowhere is an error.
docs: .venv/ready
	NO_MKDOCS_2_WARNING=1 $(RUN) mkdocs build --quiet

# What would be released, tried with every Python that is found; the files are left in build/release.
release-check: .venv/ready
	$(RUN) tools.release_check

# What students read, collected from the sources into the catalogues of grader/locale, which are then compiled. Sentences that are
# new there wait for a translation; a test finds them.
KEYWORDS := say:1 say_plural:2,3 told:1 told_plural:2,3
CATALOGUES := -D grader -d grader/locale

messages: .venv/ready
	mkdir -p build
	$(BIN)/pybabel --quiet extract --mapping-file grader/locale/mapping.ini --no-default-keywords $(KEYWORDS:%=--keywords=%) \
	  --omit-header --no-location --sort-output --output-file build/grader.pot grader
	$(BIN)/pybabel --quiet update $(CATALOGUES) --input-file build/grader.pot --ignore-obsolete --no-fuzzy-matching \
	  --ignore-pot-creation-date
	$(BIN)/pybabel --quiet compile $(CATALOGUES)
