# Every target sets up what it needs in .venv; a second run only does what changed.

PYTHON ?= python3

VENV := .venv
BIN := $(VENV)/bin
# The cmake and ninja of the environment, where they were missing, come first.
export PATH := $(CURDIR)/$(BIN):$(PATH)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

KERNEL := $(wildcard kernel/*.cpp kernel/*.hpp)
KERNEL_TESTS := $(wildcard kernel/tests/*.cpp kernel/tests/*.hpp)
SELF_TESTS := build/self-tests

.DEFAULT_GOAL := help
.PHONY: help demo test self-tests coverage lint format pictures bench bench-alignment bench-items bench-segmentation bench-readers build clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: build ## Compute the γ family on a small example and show the result
	@$(BIN)/python examples/demo.py

test: build $(VENV)/.test self-tests ## Kernel self-tests, tests, doctests, examples
	@$(BIN)/python -m pytest -q
	@set -e; for script in $(sort $(wildcard examples/*.py)); do \
		echo "running $$script"; $(BIN)/python -W error $$script > build/example.log 2>&1 \
			|| { cat build/example.log; exit 1; }; \
	done

self-tests: $(SELF_TESTS)/.passed ## The kernel's own tests under the address and undefined-behaviour sanitizers

coverage: build $(VENV)/.test ## Tests with branch coverage
	@$(BIN)/python -m pytest -q --cov --cov-report=term-missing

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

pictures: build $(VENV)/.test ## Draw the pictures of docs/ again
	@set -e; for script in $(sort $(wildcard docs/pictures/*.py)); do $(BIN)/python $$script; done

bench: build ## Compare with the existing tool and measure how we scale
	@$(BIN)/python benchmarks/run.py

bench-alignment: build ## One alignment at every size: share proven, seconds, worst gap, beside the goals
	@$(BIN)/python benchmarks/alignment.py

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

build: $(VENV)/.build ## Set up .venv with unisono, compiled and editable

clean: ## Remove environments, builds and caches
	rm -rf $(VENV) .bench-venv build dist .coverage .coverage.* htmlcov \
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

$(VENV)/.build: $(VENV)/.tools $(VENV)/.sources pyproject.toml CMakeLists.txt $(KERNEL)
	@echo "building unisono"
	@$(PIP) install --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml
	@echo "installing test tools"
	@$(PIP) install --group test
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
