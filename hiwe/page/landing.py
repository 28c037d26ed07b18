"""Where the answer to an action landed: page, same page, frame, new tab, file, nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from hiwe.page.settle import DATA_KINDS

if TYPE_CHECKING:
    from hiwe.page.settle import Mark
    from hiwe.page.traffic import Traffic

Landing = Literal["page", "same_page", "frame", "popup", "download", "none"]


def landing_of(traffic: Traffic, since: Mark, *, url: str, in_frame: bool) -> tuple[Landing, str]:
    """Where the effects after `since` appeared in the tab at `url`, and the frame's id if there.

    `in_frame`: the form stands in a frame or aims at one. Else only a frame of the page's own
    site that changed, while the page asked for no data, is taken for the answer. 'none' where
    nothing was asked for: the document itself may have changed all the same.
    """
    navigation = traffic.navigation
    commits = navigation.commits[since.commits :]
    if navigation.popups > since.popups:
        return "popup", ""
    if any(c.is_main for c in commits):
        return "page", ""
    if traffic.downloads > since.downloads:
        return "download", ""
    hops = traffic.recorder.hops[since.hops :]
    frames = [c for c in commits if in_frame or _site(c.url) == _site(url)]
    if frames and (in_frame or not any(h.kind in DATA_KINDS for h in hops)):
        return "frame", frames[-1].frame
    asked = bool(hops) or navigation.within > since.within
    return ("same_page" if asked else "none"), ""


def _site(url: str) -> str:
    """Host and port of an address."""
    return urlsplit(url).netloc
