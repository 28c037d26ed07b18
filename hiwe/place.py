"""Place: what a person gives for a page - an address, a host, a file - as the address to open."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from hiwe.address import registrable_domain
from hiwe.errors import UsageError

NO_HOST = ("about:", "data:")
PORT = re.compile(r"[\w.-]+:\d{1,5}")


def address_of(given: str) -> str:
    """The address to open: a URL as it is, a file by its path, `example.org/x` by http.

    UsageError for a directory, a file that is not there, an address whose host or port cannot be.
    """
    if "://" in given or given.startswith(NO_HOST):
        return _checked(given)
    path = Path(given)
    if path.is_file():
        return path.resolve().as_uri()
    if is_address(given):
        return _checked(f"http://{given}")
    if path.is_dir():
        raise UsageError(f"{given} is a directory; give an address or a file")
    raise UsageError(f"{given}: there is no such file; before a host write http:// or https://")


def is_address(given: str) -> bool:
    """Whether it can only be meant for an address: with a scheme, or a host that may exist."""
    if "://" in given or given.startswith(NO_HOST):
        return True
    host = re.split(r"[/?#]", given, maxsplit=1)[0]
    if host.startswith("www.") or PORT.fullmatch(host):
        return True
    return host == "localhost" or _is_number(host) or bool(registrable_domain(host))


def _is_number(host: str) -> bool:
    """Whether a host is an IP address; one of version 6 stands in brackets, a port may follow."""
    bracketed = re.fullmatch(r"\[(.+)\](?::\d+)?", host)
    try:
        ip_address(bracketed.group(1) if bracketed else host)
    except ValueError:
        return False
    return bracketed is not None or ":" not in host


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        web = parts.scheme in ("http", "https")
        lacking = web and (not parts.hostname or parts.port == 0)
    except ValueError:  # brackets that hold no IP address, a port above 65535
        lacking = True
    if lacking:
        raise UsageError(f"{url} is no address; give one such as https://site.org/search")
    return url
