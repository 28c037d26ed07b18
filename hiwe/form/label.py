"""Label: what a slot is called, and where that comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.page.page import Box


@dataclass(frozen=True, slots=True)
class Label:
    """A label with where it came from, the next best text and the cost (0 for markup).

    `box` is where its text stands on the page, None for one that is not seen there.
    """

    text: str = ""
    source: str = "none"
    runner_up: str = ""
    cost: float = 0.0
    box: Box | None = None
