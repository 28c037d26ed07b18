"""The page functions of this stage, put together from their scripts."""

from __future__ import annotations

from importlib import resources

SCRIPTS = (
    "live.js", "hand.js", "offers.js", "boxes.js", "calendar.js", "held.js", "fill.js", "press.js",
)  # fmt: skip


def _body() -> str:
    folder = resources.files("hiwe.submission")
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in SCRIPTS)


BODY = _body()


def _function(name: str, parameters: str) -> str:
    """A page function that calls `name` of the scripts with its own parameters."""
    return f"async ({parameters}) => {{\n'use strict';\n{BODY}\nreturn {name}({parameters});\n}}"


CARRY_JS = _function("carry", "items, read, controls, submitter")
FOCUS_JS = _function("focusOn", "index")
LEAVE_JS = _function("leaveIt", "index")
AIM_JS = _function("aim", "index")
FORCE_JS = _function("force", "submitter, controls")
FOCUS_TEXT_JS = _function("focusText", "controls")
DOMAINS_JS = _function("domains", "selects")
