"""The docs say what the code does: keys, commands, examples."""

from __future__ import annotations

import re

from hiwe.cli import COMMANDS
from hiwe.task import load_task
from hiwe.task.reference import reference


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
