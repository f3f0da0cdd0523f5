# Every target sets up what it needs in .venv; nothing else has to be installed.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PACKAGE := pyproject.toml hatch_build.py $(wildcard cturi_rdf/*/*.c)

.PHONY: demo test test-all sanitize spark lint labels docs notebooks fuzz faults audit mutants attack bench bench-dumps bench-serve \
        bench-spark tables generated registry vocabulary editor dist lowest site clean
.DELETE_ON_ERROR:

# The main job: a catalogue is checked, repaired, checked by the official shapes of DCAT-AP, and
# served.  The shapes are fetched, or named: make demo SHAPES=dcat-ap-SHACL.ttl
demo: $(VENV)/.demo
	@$(BIN)/python scripts/demo.py $(SHAPES)

# What a developer runs: without the tests marked as slow, and with fewer examples of each property.
# One worker more than there are cores, because many tests wait for servers and other processes.
# A worker takes tests that follow one another, and so makes few fixtures that another one makes too.
test: WORKERS = $(shell $(PYTHON) -c 'import os; print(1 + (os.cpu_count() or 1))')
test: $(VENV)/.dev
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -q -rfE -m "not slow" --hypothesis-profile=daily

# Every test, with branch coverage, and the module in C under gcc's sanitizers, where there is gcc.
# Coverage doubles the time of a test: it does not look at the laws that are tried a thousand times,
# and of a slow table it looks at the first row (tests/conftest.py).
test-all: $(VENV)/.dev
	rm -f .coverage .coverage.*
	$(BIN)/pytest -n auto --dist worksteal --cov --cov-report=term -q -rfE
	if command -v gcc >/dev/null; then $(BIN)/python scripts/sanitize.py; fi

# The module in C, read by gcc's analyzer, and its tests under its sanitizers.
sanitize: $(VENV)/.dev
	$(BIN)/python scripts/sanitize.py

# The tests on Spark, in local mode; they need Java 17 or newer.
spark: $(VENV)/.spark
	@java -version >/dev/null 2>&1 || { echo "Spark needs Java 17 or newer, as of Debian's default-jre-headless"; exit 1; }
	rm -f .coverage.spark*
	$(BIN)/pytest -c tests/spark/pytest.ini --rootdir=. tests/spark -q \
	  --cov --cov-config=tests/spark/coverage.toml --cov-report=term

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# How right the resolver of labels is on the judged sets, by rule and by language, and what it gets
# wrong; of one language: make labels LANGUAGE=Greek
labels: $(VENV)/.dev
	$(BIN)/python scripts/judge_labels.py $(LANGUAGE)

# The site, in build/docs; a warning is an error.
docs: $(VENV)/.docs
	$(BIN)/python scripts/build_docs.py
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/docs
	@echo "open build/docs/index.html"

# Run the stories, and write their outputs into them.
notebooks: $(VENV)/.dev
	$(BIN)/python scripts/run_notebooks.py

# Only the property tests, with two hundred times the examples, or CTURI_EXAMPLES for each.
fuzz: $(VENV)/.dev
	$(BIN)/pytest -n auto -q --hypothesis-profile=fuzz -m hypothesis tests
	CTURI_SHAPE=1000000 $(BIN)/pytest -q tests/test_shapes.py

# A thousand kills at random moments of the commands that write.
faults: $(VENV)/.dev
	CTURI_KILLS=1000 $(BIN)/pytest -n auto -q tests/test_kills.py tests/test_cli_faults.py

# Small changes of the package at random, and whether the tests of their rooms notice:
# make mutants MUTANTS=20 SEED=1 ROOM="mime uri"
mutants: $(VENV)/.dev
	$(BIN)/python scripts/mutants.py $(if $(MUTANTS),--count $(MUTANTS)) $(if $(SEED),--seed $(SEED)) $(if $(ROOM),--room $(ROOM))

# The known vulnerabilities of the installed packages, from the database of PyPI.
audit: $(VENV)/.dev
	$(PYTHON) -m venv build/audit
	build/audit/bin/python -m pip install -q --disable-pip-version-check pip-audit
	$(BIN)/python -m pip freeze --exclude-editable > build/audit/requirements.txt
	build/audit/bin/pip-audit --no-deps --disable-pip -r build/audit/requirements.txt

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# The server under load, beside rdflib-endpoint and Oxigraph's server, and its memory: make bench-serve SECONDS=30
bench-serve: $(VENV)/.dev
	$(BIN)/python -m benchmarks.serve $(SECONDS)

# The server while hostile clients are at it: make attack MINUTES=60
attack: $(VENV)/.dev
	$(BIN)/python -m benchmarks.attack $(MINUTES)

# The memory of each command and its time, on dumps of SIZE megabytes: make bench-dumps SIZE=5000
bench-dumps: $(VENV)/.dev
	$(BIN)/python -m benchmarks.dumps $(SIZE)

# One worker against two, on an idle machine of two cores or more: make bench-spark ROWS=4000000
bench-spark: $(VENV)/.spark
	$(BIN)/python -m benchmarks.spark $(ROWS)

# All committed files that are generated, in the order of their dependencies, except the outputs of
# the stories (make notebooks) and the tables of facts, whose sources have to be named
# (make registry).
generated: $(VENV)/.docs
	$(BIN)/python scripts/build_contexts.py
	$(BIN)/python scripts/build_vocabulary.py
	$(BIN)/python scripts/build_shapes.py
	$(BIN)/python scripts/build_tables.py
	$(BIN)/python scripts/build_docs.py
	$(BIN)/python scripts/build_examples.py
	$(BIN)/python scripts/run_transcripts.py
	$(BIN)/ruff format -q .

# The sources are named by: make registry OPTIONS='--iana FILE --reference FOLDER --mime-db FILE'
registry: $(VENV)/.dev
	$(BIN)/python scripts/build_registry.py $(OPTIONS)

# The parts of the ontology in the package and the context; committed.
vocabulary: $(VENV)/.dev
	$(BIN)/python scripts/build_vocabulary.py
	$(BIN)/python scripts/build_shapes.py

# The editor of queries that the server sends, from npm; committed.
editor: $(VENV)/.dev
	$(BIN)/python scripts/build_editor.py

# Source distribution, compiled and pure wheel in dist, checked, installed and run with no network:
# make dist PYTHONS="python3.11 python3.12"
dist: $(VENV)/.dist
	$(BIN)/python scripts/build_dist.py $(PYTHONS)

# The registry as open tables, in build/tables, read by the validators of their formats; their other
# tests are part of test-all.
tables: $(VENV)/.dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[tables]'
	$(BIN)/python scripts/build_tables.py build/tables
	$(BIN)/pytest -q tests/test_open_tables.py -k finds

# The tests with the lowest versions of all dependencies, in an environment of their own.  An old
# package may use what a newer one deprecates; the peers have versions of their own.
lowest:
	$(MAKE) VENV=build/lowest build/lowest/bin/python
	build/lowest/bin/python scripts/lowest_versions.py > build/lowest/constraints.txt
	build/lowest/bin/python -m pip install -q --disable-pip-version-check -e '.[dev]' -c build/lowest/constraints.txt
	build/lowest/bin/python -m pytest -n auto -q -W ignore::DeprecationWarning --ignore=tests/test_peers.py

# The site behind https://w3id.org/cturi/, in build/site: pages, the registry, the ontology.
site: $(VENV)/.docs
	$(BIN)/cturi site -o build/site
	$(BIN)/python scripts/build_tables.py build/site/data
	$(BIN)/python scripts/build_vocabulary.py build/site/ontology

clean:
	rm -rf $(VENV)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "cturi-rdf needs Python 3.11 or newer; set it with: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# One stamp for each set of packages; it is up to date if it is newer than its sources.
$(VENV)/.demo: $(VENV)/bin/python $(PACKAGE)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[serve,shacl]' && touch $@

$(VENV)/.dev: $(VENV)/bin/python $(PACKAGE)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]' && touch $@

$(VENV)/.spark: $(VENV)/.dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[spark]' && touch $@

$(VENV)/.docs: $(VENV)/.dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[docs]' && touch $@

$(VENV)/.dist: $(VENV)/.dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dist]' && touch $@
