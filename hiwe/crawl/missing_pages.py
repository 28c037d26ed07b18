"""Missing pages: how often a host was asked for a made-up path, to know its soft 404."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiwe.repository.run import Run

MOST_ASKED = 2  # made-up paths asked of a host in a run
HONEST = 400  # least status of an answer that says so itself


class MissingPages:
    """Counts the made-up paths asked of each host; kept in the database, so a resumed run too."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._times: dict[str, int] = {}

    def may_ask(self, host: str) -> bool:
        """Whether one more may be asked for; never again once a host told the truth."""
        return self._asked(host) < MOST_ASKED

    def _asked(self, host: str) -> int:
        if host not in self._times:
            self._times[host] = int(self._run.get(_key(host), 0))
        return self._times[host]

    def asked(self, host: str, status: int) -> None:
        """Note that one was asked for, and how it was answered."""
        times = MOST_ASKED if status >= HONEST else self._asked(host) + 1
        self._times[host] = times
        self._run.set(_key(host), times)


def _key(host: str) -> str:
    return f"made-up paths:{host}"
