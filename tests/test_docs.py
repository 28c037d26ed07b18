"""The docs say what the code does: keys, commands, examples."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys

import pytest

from hiwe.cli import COMMANDS, parser
from hiwe.task import load_task
from hiwe.task.reference import reference
from scripts.reference import PAGES


def test_the_reference_of_the_configuration_is_the_models_own(root):
    page = (root / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert page == reference(), "run: python -m hiwe.task.reference > docs/configuration.md"


def test_every_example_configuration_loads(root):
    for config in sorted((root / "configs").glob("*.yaml")):
        assert load_task(config).sites


def test_the_readme_links_to_files_that_exist(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", text)
    assert links
    for link in links:
        if "://" not in link:
            assert (root / link).exists(), link


def test_every_command_is_described(root):
    text = "".join(p.read_text(encoding="utf-8") for p in sorted((root / "docs").glob("*.md")))
    text += (root / "README.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        name = command.__name__.rpartition(".")[2]
        assert f"hiwe {name}" in text, name


@pytest.mark.parametrize("name", PAGES)
def test_pages_that_follow_from_the_code_are_up_to_date(root, name):
    page = (root / "docs" / name).read_text(encoding="utf-8")
    assert page == PAGES[name](), "run: python scripts/reference.py"


def test_every_argument_has_a_help_text():
    assert not list(silent_arguments(parser()))


def silent_arguments(command: argparse.ArgumentParser):
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            assert all(choice.help for choice in action._choices_actions)
            for inner in action.choices.values():
                yield from silent_arguments(inner)
        elif not action.help:
            yield f"{command.prog} {action.dest}"


def test_the_site_of_the_docs_is_built_without_a_broken_link(root, tmp_path):
    shutil.copytree(root / "docs", tmp_path / "docs")
    shutil.copy(root / "mkdocs.yml", tmp_path)
    build = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    built = {path.parent.name for path in (tmp_path / "site").rglob("index.html")}
    assert built >= {path.stem for path in (root / "docs").glob("*.md")} - {"index"}
