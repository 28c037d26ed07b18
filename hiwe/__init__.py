"""hiwe: a task-specific, human-assisted crawler of the hidden web.

`hiwe.Explorer` takes the steps of a crawl one by one (see `hiwe.explorer`); the command line is
`hiwe run` and its kin.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from hiwe.version import __version__

if TYPE_CHECKING:
    from hiwe.answer import Answer, Opened, frame, rows
    from hiwe.explorer import Explorer, match, plan
    from hiwe.lvs.table import LvsTable

__all__ = [
    "Answer",
    "Explorer",
    "LvsTable",
    "Opened",
    "__version__",
    "frame",
    "match",
    "plan",
    "rows",
]

_HOMES = {"LvsTable": "hiwe.lvs.table"} | dict.fromkeys(
    ("Answer", "Opened", "frame", "rows"), "hiwe.answer"
)  # what is not at home in hiwe.explorer


def __getattr__(name: str) -> object:
    """Load what is asked for: the command line needs none of it, and starts faster so."""
    if name.startswith("_") or name not in __all__:
        raise AttributeError(f"module 'hiwe' has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "hiwe.explorer")), name)
