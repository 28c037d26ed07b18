"""Init: a commented configuration and an LVS table to start from."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from hiwe.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_ALPHA = 3  # as in a task that says nothing
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


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a starting configuration is for: sites, forms' least size, contact, the LVS table."""

    sites: tuple[str, ...] = ()
    alpha: int | None = None
    contact: str = ""
    table: str = STARTER_TABLE


def starter_config(table: str | None = None, wishes: Wishes | None = None, task: str = "") -> str:
    """Return the commented configuration, with `table` as its LVS table if one is named."""
    text = files("hiwe").joinpath("starter.yaml").read_text(encoding="utf-8")
    wishes = wishes or Wishes()
    sites = "\n".join(f"  - {site}" for site in wishes.sites)
    for default, wanted in (
        ("tables: [] #", f"tables: [{json.dumps(table)}] # default: none;" if table else ""),
        ("  - https://www.example.org/\n", f"{sites}\n" if sites else ""),
        ("forms: {alpha: 3}", _alpha(wishes.alpha)),
        ('contact: ""', _contact(wishes.contact)),
        ("task: my-task", f"task: {task}" if task else ""),
    ):
        text = text.replace(default, wanted or default, 1)
    return text


def _alpha(wanted: int | None) -> str:
    if wanted in (None, DEFAULT_ALPHA):
        return ""
    why = f"default: {DEFAULT_ALPHA}; the smallest search form found has {wanted}"
    return f"forms: {{alpha: {wanted}}} # {why}"


def _contact(wanted: str) -> str:
    return f"contact: {json.dumps(wanted, ensure_ascii=False)} # default: none" if wanted else ""


def starter_table() -> str:
    """Return a small LVS table that shows the format."""
    return STARTER_TABLE


def write_starter(path: Path, wishes: Wishes | None = None) -> tuple[Path, Path]:
    """Write a configuration to `path` and its table beside it; return both.

    ConfigError if one of them is there already: nothing is overwritten.
    """
    table = path.with_name(f"{path.stem}-lvs.yaml")
    refuse_to_overwrite(path)
    wishes = wishes or Wishes()
    name = re.sub(r"[^\w-]+", "-", path.stem).strip("-") if wishes.sites else ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        table.write_text(wishes.table, encoding="utf-8")
        path.write_text(starter_config(table.name, wishes, name), encoding="utf-8")
    except OSError as exc:
        raise ConfigError(f"cannot be written: {exc.strerror}", path) from exc
    return path, table


def refuse_to_overwrite(path: Path) -> None:
    """Raise ConfigError if the configuration or its table is there already."""
    for file in (path, path.with_name(f"{path.stem}-lvs.yaml")):
        if file.exists():
            raise ConfigError("is there already; name another file or move it away", file)
