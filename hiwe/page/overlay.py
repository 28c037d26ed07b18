"""Close what lies over a page: cookie consent, newsletter. Refuses where there is a choice."""

from __future__ import annotations

import json
import logging
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from hiwe.text.lists import word_lists

if TYPE_CHECKING:
    from hiwe.page.settle import Call

log = logging.getLogger(__name__)

OVERLAY_JS = resources.files("hiwe.page").joinpath("overlay.js").read_text("utf-8")


@cache
def overlay_words() -> dict[str, list[str]]:
    """What buttons on overlays say: refuse, accept, close; and what consent layers speak of."""
    words: dict[str, list[Any]] = word_lists("hiwe.page", "overlay.yaml")
    return {name: [str(w).lower() for w in listed] for name, listed in words.items()}


async def close_overlay(call: Call, target: int) -> str:
    """How a layer was closed: refuse, close, accept, hidden; '' when there was none to close.

    `target` is the control that must lie free, -1 to close known consent layers alone.
    """
    done = json.loads(await call(OVERLAY_JS, overlay_words(), target))
    if done is None:
        return ""
    log.info("overlay closed: %s %r", done["how"], done["text"])
    return str(done["how"])
