"""Stages: which part of the paper's data flow a piece of the program belongs to.

A moment of a run counts for the innermost stage on the stack: text helpers for whoever asked
them, the parsing of an answer for the analysis of the response, a database call for the database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PAGE = "page in the browser"
FORM = "form analysis (LITE)"
MATCH = "matching (LVS)"
RANK = "ranking and planning"
SUBMIT = "filling and sending"
RESPONSE = "response analysis"
HARVEST = "harvest of records"
DECIDE = "frontier and decisions"
STORE = "database"
ARCHIVE = "archive"
WAIT = "waiting"
REST = "start, reports and the rest"
STAGES = (PAGE, FORM, MATCH, RANK, SUBMIT, RESPONSE, HARVEST, DECIDE, STORE, ARCHIVE, WAIT, REST)

_OF_FOLDER = {
    "page": PAGE,
    "form": FORM,
    "lvs": MATCH,
    "submission": RANK,
    "engine": SUBMIT,
    "response": RESPONSE,
    "crawl": DECIDE,
    "repository": STORE,
    "report": REST,
    "commands": REST,
}
_OF_MODULE = {
    **{f"page/{name}.py": SUBMIT for name in ("http", "request", "network", "redirects")},
    **{
        f"submission/{name}.py": SUBMIT
        for name in ("call", "encode", "entries", "fill", "follow", "press", "recipe",
                     "script", "send", "sent", "submit")
    },
    **{
        f"response/{name}.py": HARVEST
        for name in ("detail", "fields", "grid", "images", "linked", "names", "objects", "records",
                     "regions", "rows", "schema", "typed")
    },
    **{
        f"repository/{name}.py": ARCHIVE
        for name in ("archive", "salvage", "wacz", "warc_reader", "warc_writer", "wire")
    },
}  # fmt: skip
# Code that several stages use, and that is no stage of its own.
_SHARED = ("page/answer.py", "page/outline.py", "page/page.py", "page/view.py", "page/exchange.py")
_WAITS = frozenset({"poll", "select", "epoll.poll", "select.select", "select.poll"})


class Frame(Protocol):
    """A function on the stack: its file, the seconds it was there, the functions it called."""

    @property
    def function(self) -> str: ...
    @property
    def file_path(self) -> str | None: ...
    @property
    def time(self) -> float: ...
    @property
    def children(self) -> Iterable[Frame]: ...


def stage_of(path: str) -> str | None:
    """The stage of a module, given by its path below the package; None: that of its caller."""
    if path in _SHARED:
        return None
    return _OF_MODULE.get(path) or _OF_FOLDER.get(path.partition("/")[0])


def seconds_by_stage(root: Frame, package: str) -> dict[str, float]:
    """The seconds of each stage below `root`; `package` is the folder that holds the program."""
    found = dict.fromkeys(STAGES, 0.0)
    for stage, seconds in _moments(root, package.rstrip("/") + "/"):
        found[stage] += seconds
    return found


def _moments(root: Frame, package: str) -> Iterator[tuple[str, float]]:
    """(stage, seconds) of each function by itself."""
    open_frames: list[tuple[Frame, str]] = [(root, REST)]
    while open_frames:
        frame, around = open_frames.pop()
        path = frame.file_path or ""
        inside = stage_of(path.removeprefix(package)) if path.startswith(package) else None
        stage = WAIT if frame.function in _WAITS else inside or around
        children = list(frame.children)
        yield stage, max(0.0, frame.time - sum(child.time for child in children))
        open_frames += [(child, stage) for child in children]
