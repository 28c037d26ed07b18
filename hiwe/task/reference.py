"""The reference of every configuration key, made from the models themselves.

python -m hiwe.task.reference > docs/configuration.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from pydantic import BaseModel

from hiwe.task.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = """\
# Configuration

A task is one YAML file. All keys but `task` and `sites` have defaults; an unknown key, or a value
out of range, is an error that names its path. `--set ranking.function=average` overrides one key.
A site may be a mapping of `url` and any of the sections below, which then hold for it alone.
This page is made from the models by `python -m hiwe.task.reference`.

| key | default | meaning |
|---|---|---|
"""


def reference() -> str:
    """The page, in Markdown: one row a key, nested keys by their dotted path."""
    return HEAD + "".join(f"| `{path}` | {default} | {text} |\n" for path, default, text in rows())


def rows(model: type[BaseModel] = Task, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Path, default and meaning of every key below a model, in the order of the file."""
    fields = sorted(model.model_fields.items(), key=lambda item: not item[1].is_required())
    for name, field in fields:
        key = f"{path}{field.alias or name}"
        inner = field.default
        text = " ".join((field.description or "").split())
        if isinstance(inner, BaseModel):
            yield from rows(type(inner), f"{key}.")
        else:
            default = (
                "required"
                if field.is_required()
                else f"`{_written(field.get_default(call_default_factory=True))}`"
            )
            yield key, default, text


def _written(value: Any) -> str:
    """A default as it would stand in the file."""
    plain = list(value) if isinstance(value, tuple) else value
    text = yaml.safe_dump(plain, default_flow_style=True, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...").replace("|", "\\|")


if __name__ == "__main__":
    print(reference(), end="")
