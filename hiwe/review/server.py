"""The server of the review pages: on loopback alone, until Ctrl-C."""

from __future__ import annotations

import contextlib
import socket
from typing import TYPE_CHECKING

import uvicorn

from hiwe.errors import UsageError
from hiwe.review.application import application
from hiwe.review.guard import Keys

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiwe.review.reviewed import Reviewed

HOST = "127.0.0.1"
GRACE_S = 2


def serve(reviewed: Reviewed, *, port: int, ready: Callable[[str], object]) -> None:
    """Serve a run's pages at a port (0: a free one) until Ctrl-C; `ready` gets the address.

    UsageError when the port is taken.
    """
    with _listening(port) as listener:
        keys = Keys.fresh(listener.getsockname()[1])
        config = uvicorn.Config(
            application(reviewed, keys),
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE_S,
        )
        ready(keys.address)
        with contextlib.suppress(KeyboardInterrupt):  # its signal is sent on when all is closed
            uvicorn.Server(config).run(sockets=[listener])


def _listening(port: int) -> socket.socket:
    """A socket that listens already: the address that is told works at once."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()
    except OSError as exc:
        listener.close()
        raise UsageError(f"--port {port}: {exc.strerror}; leave it out for a free one") from exc
    return listener
