"""Init: a commented configuration and an LVS table to start from."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

from hiwe.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

STARTER_TABLE = """\
# Rows of an LVS table: a label, other names it has on the sites, and values to try.
# A list gives every value the weight 1.0; a mapping gives each its own, from 0 to 1.
- label: Author
  aliases: [Writer, Autore, Auteur, Verfasser]
  values: [Umberto Eco, Ursula K. Le Guin]
- label: Title
  aliases: [Titolo, Titre, Titel]
  values: {The Name of the Rose: 1.0, The Dispossessed: 0.8}
"""


def starter_config(table: str | None = None) -> str:
    """Return the commented configuration, with `table` as its LVS table if one is named."""
    text = files("hiwe").joinpath("starter.yaml").read_text(encoding="utf-8")
    return text.replace("tables: []", f"tables: [{json.dumps(table)}]") if table else text


def starter_table() -> str:
    """Return a small LVS table that shows the format."""
    return STARTER_TABLE


def write_starter(path: Path) -> tuple[Path, Path]:
    """Write a configuration to `path` and its table beside it; return both.

    ConfigError if one of them is there already: nothing is overwritten.
    """
    table = path.with_name(f"{path.stem}-lvs.yaml")
    for file in (path, table):
        if file.exists():
            raise ConfigError("is there already; name another file or move it away", file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        table.write_text(starter_table(), encoding="utf-8")
        path.write_text(starter_config(table.name), encoding="utf-8")
    except OSError as exc:
        raise ConfigError(f"cannot be written: {exc.strerror}", path) from exc
    return path, table
