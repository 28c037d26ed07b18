"""A picture of the whole page that a tab shows."""

from __future__ import annotations

import base64
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.page.channel import Channel

MOST_WIDE_PX, MOST_HIGH_PX = 4000, 8000


async def screenshot(channel: Channel) -> bytes:
    """The page from its top as a PNG, one pixel for a CSS pixel, cut at 4,000 by 8,000 pixels.

    Parts beyond the window are painted where they are: the window keeps its size, so nothing is
    laid out anew. Images are not loaded by this browser and stay empty. Raises PageError.
    """
    metrics = await channel.send("Page.getLayoutMetrics")
    content, window = metrics["cssContentSize"], metrics["cssLayoutViewport"]
    width = min(max(math.ceil(content["width"]), window["clientWidth"]), MOST_WIDE_PX)
    height = min(max(math.ceil(content["height"]), window["clientHeight"]), MOST_HIGH_PX)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    taken = await channel.send(
        "Page.captureScreenshot", {"format": "png", "clip": clip, "captureBeyondViewport": True}
    )
    return base64.b64decode(taken["data"])
