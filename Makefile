# Every target sets up what it needs in .venv; a second run only does what changed.

PYTHON ?= python3

VENV := .venv
BIN := $(VENV)/bin
# The cmake and ninja of the environment, where they were missing, come first.
export PATH := $(CURDIR)/$(BIN):$(PATH)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Another build of the same sources takes seconds with ccache, also in another folder.
ifneq ($(shell command -v ccache 2> /dev/null),)
export CMAKE_CXX_COMPILER_LAUNCHER ?= ccache
export CCACHE_NOHASHDIR ?= 1
endif

# Tests start our own programs some hundred times: each would compile the whole package again where
# the environment forbids to keep what was compiled.
export PYTHONDONTWRITEBYTECODE :=

# Tests run side by side, a process for each core, whole files at a time, because tests of one file
# share services and browsers. PROCESSES=0 runs them in one; OPTIONS="-k gamma -x" chooses.
PROCESSES ?= logical
PYTEST := $(BIN)/python -m pytest -q --numprocesses=$(PROCESSES) --dist=loadfile

# Found in sub-folders too; tests/unit/test_layout.py counts them.
KERNEL_TESTS := $(sort $(shell find kernel/tests -name '*.cpp' -o -name '*.hpp'))
KERNEL := $(filter-out $(KERNEL_TESTS),$(sort $(shell find kernel -name '*.cpp' -o -name '*.hpp')))
SELF_TESTS := build/self-tests
LOWEST := .lowest-venv

.DEFAULT_GOAL := help
.PHONY: docs help demo serve test test-lowest golden messages self-tests coverage lint format tables outputs pictures screenshots browser wheel lint-release bench bench-start bench-alignment bench-crowds bench-items bench-segmentation bench-readers bench-scale bench-web study-chance study-intervals study-reliability soak fuzz build clean kernel-files

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: build ## Compute the γ family on a small example and show the result
	@$(BIN)/python examples/demo.py

serve: $(VENV)/.web ## Open the web page
	@$(BIN)/unisono serve --open $(OPTIONS)

test: build $(VENV)/.test self-tests ## Kernel self-tests, tests, doctests, examples
	@$(PYTEST) $(OPTIONS)
	@set -e; for script in $(sort $(wildcard examples/*.py)); do \
		echo "running $$script"; $(BIN)/python -W error $$script > build/example.log 2>&1 \
			|| { cat build/example.log; exit 1; }; \
	done

# BASE=HEAD~1 compares with another commit, such as the one before a merge.
BASE ?= HEAD
golden: build $(VENV)/.test ## Rewrite the golden record, unless a number moved and CHANGELOG.md has no new line under Numbers
	@PYTHONPATH=tests $(BIN)/python -m golden write --base $(BASE)

# Laws, examples and pages in a browser do not depend on versions of other packages, and doctests
# print numbers as the newest NumPy does: they are left out. Takes about as long as the tests
# themselves, so that it is not part of .ci/run.
test-lowest: $(LOWEST)/.build ## Tests with the lowest versions that the metadata allow
	@$(LOWEST)/bin/python -m pytest -q --numprocesses=$(PROCESSES) --dist=loadfile \
		tests/unit tests/reference tests/cli tests/web $(OPTIONS)

self-tests: $(SELF_TESTS)/.passed ## The kernel's own tests under the address and undefined-behaviour sanitizers

coverage: build $(VENV)/.test ## Tests with branch coverage
	@$(PYTEST) --cov --cov-report=term-missing $(OPTIONS)

lint: build $(VENV)/.test $(VENV)/.lint ## Style, types, import directions, C++ format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/clang-format --dry-run -Werror $(KERNEL) $(KERNEL_TESTS)

format: $(VENV)/.lint ## Rewrite Python and C++ in the house's format
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(KERNEL) $(KERNEL_TESTS)

messages: build $(VENV)/.test ## Every error message and help text in build/messages.txt, provoked by the tests
	@rm -rf build/messages
	@UNISONO_MESSAGES=$(CURDIR)/build/messages PYTHONPATH=$(CURDIR)/tests/support/message_recorder $(PYTEST) $(OPTIONS)
	@PYTHONPATH=tests/support $(BIN)/python tests/support/message_list.py

tables: build $(VENV)/.lint ## Write docs/measures.md, stubs and the JSON Schema anew
	@$(BIN)/python tests/support/measure_page.py
	@$(BIN)/python tests/support/choose_page.py
	@$(BIN)/python tests/support/public_stubs.py
	@$(BIN)/python tests/support/keyword_types.py
	@$(BIN)/python tests/support/json_schema.py
	@$(BIN)/ruff check --quiet --fix-only src && $(BIN)/ruff format --quiet src

outputs: build $(VENV)/.test ## Refresh the outputs of commands that README and docs show
	@$(BIN)/python tests/support/page_outputs.py $(OPTIONS)

pictures: build $(VENV)/.test ## Draw the pictures of docs/ again
	@set -e; for script in $(sort $(wildcard docs/pictures/*.py)); do $(BIN)/python $$script; done

# What is built, with which Python and for which systems, is printed at the end.
# PYTHON=python3.12 builds for another Python, CXX=clang++ with another compiler;
# OPTIONS="--also python3.13" tests the same wheel with another Python, OPTIONS=--no-tests only tries it.
wheel: ## Build sdist and wheel in dist/, and test the wheel as users install it, without compiler or sources
	@$(PYTHON) tests/support/wheel.py $(OPTIONS)

# Apart from `lint`, because these tools only concern releases.
lint-release: $(VENV)/.made ## Workflows, container, issue forms and citation against their schemas and known mistakes
	@$(PIP) install --group lint-release
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/check-jsonschema --builtin-schema custom.github-workflows-require-timeout .github/workflows/tests.yml .github/workflows/wheels.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml
	@$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	@$(BIN)/zizmor --offline --quiet --min-severity medium .github
	@$(BIN)/hadolint Dockerfile

bench: build ## Compare with the existing tool and measure how we scale
	@$(BIN)/python benchmarks/run.py $(OPTIONS)

# OPTIONS="--quick" measures less.
bench-start: build ## CPU seconds and modules of `unisono --help`, `unisono gamma FILE` and others, beside `import numpy`
	@$(BIN)/python benchmarks/start.py $(OPTIONS)

# OPTIONS="--quick" or OPTIONS="--row 5x100 --draws 5" measures less.
bench-alignment: build ## One alignment at every size: share proven, seconds, worst gap, beside goals and peer
	@$(BIN)/python benchmarks/alignment.py --peer $(OPTIONS)

# DATA=FOLDER adds real data; OPTIONS="--annotators 5 10" measures less.
bench-crowds: build ## γ of documents with 5 to 100 annotators: seconds, share proven, certified interval
	@$(BIN)/python benchmarks/crowds.py $(DATA) $(OPTIONS)

# OPTIONS="--quick" measures less; OPTIONS="../shared/data" measures real data, too.
study-reliability: build ## False positives, power and coverage of reliability_study on simulated data
	@$(BIN)/python benchmarks/reliability_study.py $(OPTIONS)

study-chance: build ## Type I error of p and the zero of γ by kind of document, Monte Carlo errors, former and present draws
	@$(BIN)/python benchmarks/chance_study.py $(OPTIONS)

# OPTIONS="--quick --row nominal,cohen" measures less.
bench-items: build $(VENV)/.test ## Coefficients on items beside the existing tools: seconds, memory, values
	@$(BIN)/python benchmarks/items.py $(OPTIONS)

# OPTIONS="--quick --row pk,boundary_similarity" measures less.
bench-segmentation: build $(VENV)/.test ## Measures of segmentations beside the existing tools: seconds, values
	@$(BIN)/python benchmarks/segmentation.py $(OPTIONS)
	@$(BIN)/python benchmarks/unitizing.py $(OPTIONS)

# OPTIONS="--quick --row csv,brat" measures less.
bench-readers: build ## Reading CSV, JSON Lines and brat: units a second and memory, beside the goals
	@$(BIN)/python benchmarks/readers.py $(OPTIONS)

# OPTIONS="--quick" measures less.
bench-web: build $(VENV)/.test ## The service and the page: γ over HTTP, 200 jobs at once, memory, first paint
	@PYTHONPATH=tests/support $(BIN)/python benchmarks/web.py $(OPTIONS)
	@PYTHONPATH=tests/support $(BIN)/python benchmarks/web_page.py

# Every notebook runs every time, and a warning is an error: broken links, missing references, public names
# without a heading, and whatever a page would load from elsewhere.
docs: $(VENV)/.docs ## The documentation site, in build/site
	@$(BIN)/sphinx-build -q -E -W --keep-going -j auto -d build/site-cache docs build/site $(OPTIONS)
	@echo "open build/site/index.html"

# Chromium is a program of the system, not of .venv: tests of the page need one.
browser: ## Install Chromium for the tests of the page, by the system's package manager
	@if command -v chromium chromium-browser google-chrome > /dev/null 2>&1; then \
		echo "a Chromium is there"; \
	elif command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then \
		apt-get update -qq && apt-get install -qq --no-install-recommends chromium fonts-dejavu-core; \
	else \
		echo "no Chromium: install one (Debian: sudo apt-get install chromium)," \
			"or $(BIN)/playwright install chromium; tests of the page are skipped without it"; \
	fi

# OPTIONS="report page-start" takes some of them.
screenshots: build $(VENV)/.test ## Take the pictures of the page and of a report for README and documentation
	@PYTHONPATH=tests/support $(BIN)/python docs/screenshots.py $(OPTIONS)

# OPTIONS="--quick --row costs" measures less; OPTIONS=--write puts the tables into docs/scale.md.
bench-scale: build $(VENV)/.test ## What size costs: one core, threads, Dask, checkpoints, 100,000 documents
	@$(BIN)/python benchmarks/scale.py $(OPTIONS)

# OPTIONS=--quick measures less.
study-intervals: build $(VENV)/.test ## How often intervals over documents, items and clusters hold the true value
	@PYTHONPATH=tests/support $(BIN)/python benchmarks/interval_study.py $(OPTIONS)

SECONDS ?= 3600
soak: build ## Random corpora for an hour, or SECONDS=60, in memory that must not grow
	@$(BIN)/python benchmarks/soak.py --seconds $(SECONDS)

# What it finds is kept in tests/fuzz_finds, where tests replay it; OPTIONS="--seed 1" repeats a run.
FUZZ_SECONDS ?= 60
fuzz: build $(VENV)/.test ## Damaged files of every format for a minute, or FUZZ_SECONDS=600; keeps what it finds
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 POLARS_MAX_THREADS=1 PYTHONPATH=tests/support $(BIN)/python \
		tests/support/file_fuzz.py --seconds $(FUZZ_SECONDS) --keep tests/fuzz_finds $(OPTIONS)

kernel-files:
	@printf '%s\n' $(KERNEL) $(KERNEL_TESTS)

build: $(VENV)/.build ## Set up .venv with unisono, compiled and editable

clean: ## Remove environments, builds and caches
	rm -rf $(VENV) .bench-venv $(LOWEST) build dist .coverage .coverage.* htmlcov \
		.hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# pip learnt to install dependency groups in 25.1.
$(VENV)/.made:
	@echo "making $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade "pip>=25.1"
	@touch $@

$(VENV)/.tools: $(VENV)/.made pyproject.toml
	@echo "installing build tools"
	@$(PIP) install --group build
	@command -v cmake > /dev/null || $(PIP) install "cmake>=3.24"
	@command -v ninja > /dev/null || command -v ninja-build > /dev/null || $(PIP) install ninja
	@touch $@

# An editable install knows the modules there were when it was made: a new one needs a new install.
SOURCES := $(sort $(shell find src -name '*.py' -o -name '*.pyi'))
ifneq ($(SOURCES),$(shell cat $(VENV)/.sources 2> /dev/null))
.PHONY: $(VENV)/.sources
endif
$(VENV)/.sources: $(VENV)/.made
	@echo $(SOURCES) > $@

$(VENV)/.build: $(VENV)/.tools $(VENV)/.sources pyproject.toml src/unisono/version.py CMakeLists.txt $(KERNEL)
	@echo "building unisono"
	@$(PIP) install --no-build-isolation --editable .
	@touch $@

# A wheel, as users install it, and exactly the versions that pyproject.toml states as the lowest.
$(LOWEST)/.build: $(VENV)/.build tests/support/lowest_versions.py $(SOURCES)
	@echo "making $(LOWEST)"
	@$(PYTHON) -m venv $(LOWEST)
	@rm -rf build/lowest
	@$(PIP) wheel --no-build-isolation --no-deps --wheel-dir build/lowest .
	@$(BIN)/python tests/support/lowest_versions.py > build/lowest/versions.txt
	@$(LOWEST)/bin/python -m pip --disable-pip-version-check --quiet install --upgrade "pip>=25.1"
	@set -e; wheel=$$(echo build/lowest/*.whl); \
		install="$(LOWEST)/bin/python -m pip --disable-pip-version-check --quiet install"; \
		$$install --constraint build/lowest/versions.txt "$$wheel[all]" --group test; \
		$$install --force-reinstall --no-deps "$$wheel"
	@touch $@

$(VENV)/.web: $(VENV)/.build
	@echo "installing what the web page needs"
	@$(PIP) install --no-build-isolation --editable ".[web,plot]"
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml
	@echo "installing test tools"
	@$(PIP) install --group test --group contracts
	@touch $@

$(VENV)/.docs: $(VENV)/.build pyproject.toml
	@echo "installing what builds the documentation"
	@$(PIP) install --group docs
	@touch $@

$(VENV)/.lint: $(VENV)/.made pyproject.toml
	@echo "installing lint tools"
	@$(PIP) install --group lint
	@touch $@

$(SELF_TESTS)/.passed: $(VENV)/.tools CMakeLists.txt $(KERNEL) $(KERNEL_TESTS)
	@echo "building kernel self-tests"
	@mkdir -p $(SELF_TESTS)
	@{ cmake -S . -B $(SELF_TESTS) -G Ninja -DUNISONO_SELF_TESTS=ON \
		&& cmake --build $(SELF_TESTS) --target kernel_self_tests; } > $(SELF_TESTS)/build.log 2>&1 \
		|| { cat $(SELF_TESTS)/build.log; exit 1; }
	@$(SELF_TESTS)/kernel_self_tests
	@touch $@
