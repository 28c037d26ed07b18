"""A fixture site in a process of its own, whose log tells which records each answer showed.

python -m hiwe.bench.peers.server SITE LOG    # prints the address, serves until it is ended
"""

from __future__ import annotations

import signal
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from hiwe_fixtures.log import RequestLog
from hiwe_fixtures.registry import site_class
from hiwe_fixtures.server import AppServer
from hiwe_fixtures.site import Recorder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiwe_fixtures.store import Hits, Store, Values


class ShownLog(RequestLog):
    """A log of requests that holds, before a request, what of the site's store it showed."""

    def shown(self, ids: Sequence[str], *, is_first: bool) -> None:
        """Note the records of the request under way: the next that is logged."""
        with self._lock:
            self._write({"kind": "shown", "ids": list(ids), "is_first": is_first})


class NotedStore:
    """A site's store, of which every look that shows records is noted."""

    def __init__(self, store: Store, log: ShownLog) -> None:
        self._store = store
        self._log = log

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def hits(self, asked: Mapping[str, Values], *, page: int = 1, size: int) -> Hits:
        """One page of a query's answer."""
        found = self._store.hits(asked, page=page, size=size)
        self._log.shown([row["id"] for row in found.rows], is_first=page == 1)
        return found

    def get(self, identity: str) -> dict[str, str] | None:
        """The record with an id, if there is one."""
        found = self._store.get(identity)
        if found is not None:
            self._log.shown([identity], is_first=False)
        return found


def serve(name: str, path: Path) -> None:
    """Serve one site until this process is told to end."""
    log = ShownLog(site=name, path=path)
    site = site_class(name)(log=log)
    site.store = cast("Store", NotedStore(site.store, log))
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    server = AppServer(name, Recorder(site.app(), site=site, latency_s=0.0), listener)
    print(server.url, flush=True)
    ended.wait()
    server.stop()
    log.close()


if __name__ == "__main__":
    serve(sys.argv[1], Path(sys.argv[2]))
