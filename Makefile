# make demo       builds and runs the demonstration; its plots go to demo/
# make test       all checks except the long ones
# make test-long  the tests that take minutes; by parts: long-python, long-ignored, long-random, long-processes,
#                 long-engines, long-mpi
# make fuzz       200,000 mutated inputs for each reader of files, 20,000 for the command with each; CASES=N for others
# make tuned      the fastest build for this host (built, trained and rebuilt), in minutes; needs rustup's llvm-tools
# make site       the documentation site, in site/; its notebooks are run
# make wheel      a wheel for all Pythons from 3.11 on, in dist/; checked by auditwheel, installed and tried elsewhere
# make sdist      a source distribution, in dist/; builds a wheel from it alone and runs its tests
# make lint       formatters and linters, without changing anything
# make format     formats everything
# make lock       pins the newest versions of the Python packages in requirements/
# make clean      removes all build outputs
# JOBS=N limits the parallel build jobs of cargo, and the files of tests that `make test` runs side by side.

PYTHON := .venv/bin/python
STAMPS := .venv/stamps
TRACE := $(wildcard ../shared/data/traces/sweep3d-2x2)
BLUEGENE_P_TRACE := $(wildcard ../shared/data/traces/dumpi)
CARGO_JOBS := $(if $(JOBS),--jobs $(JOBS))

# The sources of the extension module, with the presets that are compiled in.
RUST_SOURCES := $(shell find crates machines machine-rooms Cargo.toml Cargo.lock pyproject.toml rust-toolchain.toml \
	-type f \( -name '*.rs' -o -name '*.toml' -o -name '*.lock' \) 2>/dev/null)

# The build uses this Python and ignores any other environment that is active.
export VIRTUAL_ENV := $(CURDIR)/.venv
export PYO3_PYTHON := $(CURDIR)/$(PYTHON)
unexport CONDA_PREFIX

.PHONY: demo test test-long long-python long-ignored long-random long-processes long-engines long-mpi fuzz tuned site wheel sdist lint rust-lint python-lint format lock clean prerequisites
.DELETE_ON_ERROR:

demo: $(STAMPS)/release $(STAMPS)/studies
	$(PYTHON) -m torusim.demo --scenarios scenarios --out demo $(if $(TRACE),--trace $(TRACE)) \
		$(if $(BLUEGENE_P_TRACE),--bluegene-p-trace $(BLUEGENE_P_TRACE))

test: lint $(STAMPS)/checked $(STAMPS)/studies
	cargo test --workspace --profile checked --locked $(CARGO_JOBS)
	$(PYTHON) -m pytest -m "not long" --numprocesses $(or $(JOBS),auto) --dist loadfile

# Its parts take from minutes to hours, and can be made one by one.
test-long: long-python long-ignored long-random long-processes long-engines long-mpi

LONG_RUST = cargo test --workspace --profile checked --locked $(CARGO_JOBS)

long-python: $(STAMPS)/checked $(STAMPS)/studies
	$(PYTHON) -m pytest -m long

long-ignored: $(STAMPS)/dev
	$(LONG_RUST) -- --ignored

long-random: $(STAMPS)/dev
	PROPTEST_CASES=2000 $(LONG_RUST) --test collective_networks --test flows --test mappings --test random_runs --test twists

long-processes: $(STAMPS)/dev
	PROPTEST_CASES=2000 $(LONG_RUST) --test processes

long-engines: $(STAMPS)/dev
	PROPTEST_CASES=2000 $(LONG_RUST) --test engines

long-mpi: $(STAMPS)/dev
	PROPTEST_CASES=2000 $(LONG_RUST) --test mpi_on_engines -- --skip in_mpis_order
	PROPTEST_CASES=10000 $(LONG_RUST) --test mpi_on_engines -- in_mpis_order

CASES := 200000

fuzz: $(STAMPS)/checked $(STAMPS)/studies | prerequisites
	PROPTEST_CASES=$(CASES) cargo test --workspace --profile checked --locked $(CARGO_JOBS) --test fuzz
	CASES=$$(( $(CASES) / 10 )) $(PYTHON) -m pytest tests/test_fuzz_command.py

tuned: $(STAMPS)/run | prerequisites
	$(PYTHON) -m maturin develop --release --pgo $(CARGO_JOBS)
	rm -f $(STAMPS)/checked
	touch $(STAMPS)/release

site: $(STAMPS)/dev $(STAMPS)/release $(STAMPS)/studies
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build

wheel: $(STAMPS)/dev | prerequisites
	rm -f dist/*.whl
	$(PYTHON) -m maturin build --release --strip --out dist $(CARGO_JOBS)
	sh tools/try-wheel $(PYTHON) dist/torusim-*.whl

sdist: $(STAMPS)/dev | prerequisites
	rm -f dist/*.tar.gz
	$(PYTHON) -m maturin sdist --out dist
	sh tools/try-sdist $(PYTHON) dist/torusim-*.tar.gz

lint: rust-lint python-lint

rust-lint: $(STAMPS)/dev
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked $(CARGO_JOBS) -- --deny warnings

python-lint: $(STAMPS)/dev $(STAMPS)/studies
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m ruff check
	$(PYTHON) -m mypy

format: $(STAMPS)/dev
	cargo fmt --all
	$(PYTHON) -m ruff format
	$(PYTHON) -m ruff check --fix

# Both builds are installed in the same place, so that each one removes the stamp of the other.
$(STAMPS)/release: $(STAMPS)/run $(RUST_SOURCES) | prerequisites
	$(PYTHON) -m maturin develop --release $(CARGO_JOBS)
	rm -f $(STAMPS)/checked
	touch $@

$(STAMPS)/checked: $(STAMPS)/dev $(RUST_SOURCES) | prerequisites
	$(PYTHON) -m maturin develop --profile checked $(CARGO_JOBS)
	rm -f $(STAMPS)/release
	touch $@

$(STAMPS)/studies: studies/pyproject.toml $(STAMPS)/run
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable studies
	touch $@

$(STAMPS)/run: requirements/run.txt $(STAMPS)/venv
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch $@

$(STAMPS)/dev: requirements/dev.txt $(STAMPS)/venv
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch $(STAMPS)/run $@

$(STAMPS)/venv: | prerequisites
	$$(sh tools/prerequisites) -m venv --clear .venv
	mkdir -p $(STAMPS)
	touch $@

prerequisites:
	@sh tools/prerequisites > /dev/null

PIP_COMPILE := CUSTOM_COMPILE_COMMAND="make lock" .venv/lock/bin/pip-compile --quiet --upgrade --generate-hashes \
	--strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links

# Run this with the oldest supported Python, so that the versions suit all.
lock: $(STAMPS)/venv
	$(PYTHON) -m venv .venv/lock
	.venv/lock/bin/pip install --quiet --disable-pip-version-check pip-tools
	$(PIP_COMPILE) --extra build --extra otf2 --output-file requirements/run.txt pyproject.toml
	$(PIP_COMPILE) --extra build --extra otf2 --extra docs --extra notebook --extra dev --constraint requirements/run.txt --output-file requirements/dev.txt pyproject.toml

clean:
	rm -rf .venv target demo runs site dist .pytest_cache .ruff_cache .mypy_cache .hypothesis .import_linter_cache
	rm -f python/torusim/_core.abi3.so
	find python studies tests -name __pycache__ -type d -prune -exec rm -rf {} +
