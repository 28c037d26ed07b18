"""Drop-downs made by script whose choices exist only while they are open: look into them."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.page.settle import Call

LISTS_JS = resources.files("hiwe.page").joinpath("lists.js").read_text("utf-8")


async def open_lists(call: Call) -> int:
    """Open each list without choices once and close it again; how many there were.

    What they offer is kept on the elements, where the next snapshot reads it.
    """
    return int(await call(LISTS_JS) or 0)
