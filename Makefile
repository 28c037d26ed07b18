# The same commands for people and for CI. `make setup` is quick when nothing changed.
.PHONY: setup demo test check gate format docs lock clean

WORKERS ?= 2

setup:
	@sh scripts/setup

demo: setup
	.venv/bin/hiwe run configs/movies.yaml

test: setup
	.venv/bin/python -m pytest -n $(WORKERS) --dist loadfile

check: setup
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy

gate: setup
	.venv/bin/hiwe bench gate --quick

format: setup
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

docs: setup
	.venv/bin/python scripts/reference.py
	.venv/bin/zensical build --strict

lock:
	sh scripts/lock

clean:
	rm -rf .venv dist site .cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
