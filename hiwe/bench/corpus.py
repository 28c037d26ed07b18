"""The labelled pages beside the repository: where they are, which half a page belongs to."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hiwe.address import registrable_domain
from hiwe.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.page.page import Control

SHARED = Path(__file__).parents[3] / "shared"
NOT_FILLED = frozenset({"hidden", "submit", "button", "image", "reset"})
HALVES = ("tune", "validate")


def corpus_folder(name: str) -> Path:
    """The folder of a corpus; UsageError says where it was looked for."""
    folder = Path(os.environ.get("HIWE_SHARED", SHARED)) / "corpus" / name
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such corpus; set HIWE_SHARED to the folder that holds it")
    return folder


def json_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def half_of(key: str) -> str:
    """'tune' or 'validate', by the hash of a domain or page name."""
    return HALVES[int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) % 2]


def domains(rows: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Page name -> registrable domain of its address."""
    return {r["page"]: registrable_domain(urlsplit(r["url"]).hostname or "") for r in rows}


def is_fillable(control: Control) -> bool:
    """A native control that a person sets: what the corpora number."""
    return control.tag in ("input", "select", "textarea") and control.kind not in NOT_FILLED
