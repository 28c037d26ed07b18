"""What an address names and the run does not have is a page of its own: 404."""

from __future__ import annotations

from typing import TypeVar

from starlette.exceptions import HTTPException

T = TypeVar("T")


def found(thing: T | None, noun: str) -> T:
    """Return what was looked for; HTTPException 404 says what this run does not have."""
    if thing is None:
        raise HTTPException(404, f"This run has no such {noun}.")
    return thing
