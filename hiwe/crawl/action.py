"""Actions as the frontier keeps them: what is to be done, on which host, how urgent it is."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from hiwe.address import fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiwe.repository.database import Row


SUBMISSION_KINDS = ("submit", "probe")
DETAIL = "detail"  # the page of one record
RECHECK = "recheck"  # an assignment of a finished run, sent once more by a revisit
SIGNPOST = "signpost"  # a sitemap or a description of the site's search
ANSWERED_KINDS = (*SUBMISSION_KINDS, RECHECK)


class Priority(IntEnum):
    """Front queues. Robots first, always: nothing may be asked of a host before its rules."""

    ROBOTS = 0
    PROBE = 1
    SUBMIT = 2
    LIKELY = 3  # links that look like 'advanced search'
    VISIT = 4
    UNLIKELY = 5
    DETAIL = 6  # pages of records that are known already


@dataclass(frozen=True, slots=True)
class NewAction:
    """An action to be added.

    Two actions with one `identity` are one; it is computed from method, address and `fields`
    when not given. Within a front queue the least `score` comes first: depth for breadth-first,
    its negative for depth-first, minus the relevance for best-first. Each further link to it takes
    `gain` by the number of links from the score.
    """

    kind: str
    site: str
    url: str
    method: str = "GET"
    depth: int = 0
    priority: int = Priority.VISIT
    score: float = 0.0
    payload: Mapping[str, Any] = field(default_factory=dict)
    fields: tuple[tuple[str, str], ...] = ()
    anchor: str = ""
    parent: int | None = None
    identity: str = ""
    gain: float = 0.0

    def key(self, session_names: frozenset[str] = frozenset()) -> str:
        """Return the identity as kept; `session_names` are left out of the address."""
        if self.identity:
            return f"{self.kind}:{self.identity}"
        return f"{self.kind}:{fingerprint(self.method, self.url, self.fields, session_names)}"


@dataclass(frozen=True, slots=True)
class ActionRow:
    """An action as the frontier keeps it. `attempts` counts its claims, this one included."""

    id: int
    host: str
    site: str
    kind: str
    method: str
    url: str
    depth: int
    priority: int
    score: float
    state: str
    reason: str
    attempts: int
    payload: dict[str, Any]
    anchor: str
    in_links: int
    parent: int | None


def action_row(row: Row) -> ActionRow:
    """Return the action that a row of the query of the frontier holds."""
    columns: dict[str, Any] = dict(row)
    return ActionRow(**columns | {"payload": json.loads(columns["payload"])})
