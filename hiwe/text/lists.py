"""Word lists: the YAML files that lie beside the modules that use them."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import yaml


@cache
def word_lists(package: str, name: str, *, as_written: bool = False) -> Any:
    """A data file of a package, parsed once for all that read it; nobody may change it.

    `as_written` keeps every scalar a text: `no` is a word of several languages.
    """
    kind = "BaseLoader" if as_written else "SafeLoader"
    loader = getattr(yaml, f"C{kind}", getattr(yaml, kind))  # libyaml's is seven times faster
    source = resources.files(package).joinpath(name).read_text(encoding="utf-8")
    return yaml.load(source, Loader=loader)
