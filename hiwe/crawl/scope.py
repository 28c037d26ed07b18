"""Scope: which addresses belong to a task's site. What is outside is told with its reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hiwe.address import host_of, registrable_domain, same_host

if TYPE_CHECKING:
    from collections.abc import Sequence

# Endings of what holds no form: kept out of exploring without asking the server.
NO_PAGES = frozenset(
    re.findall(
        r"\w+",
        "7z bz2 gz jar rar tar tgz xz zip deb rpm apk dmg iso msi exe dll bin "  # archives
        "bmp eps gif ico jpeg jpg png ps svg tif tiff webp "  # pictures
        "aac avi flac flv m4a m4v mid mkv mov mp3 mp4 mpeg mpg ogg ogv swf wav webm wma wmv "
        "csv doc docx epub odp ods odt pdf ppt pptx rtf txt xls xlsx "  # documents
        "atom css eot js json kml otf rdf rss ttf woff woff2 xml",  # data and parts of pages
    )
)


@dataclass(frozen=True, slots=True)
class Scope:
    """The limits of one site, as configured.

    `start` is the address where the site begins. `hosts` is 'same' (its host), 'domain' (all
    hosts under its registrable domain) or names of hosts; a name '*.example.org' means all below
    it. `paths` are beginnings of paths, none for all. `depth` counts links from the start.
    """

    start: str
    hosts: str | Sequence[str] = "same"
    paths: Sequence[str] = ()
    depth: int = 3

    def refusal(self, url: str, depth: int = 0) -> str | None:
        """Return why an address is not to be explored: host, path, depth, type; None if it is.

        `url` is a canonical address.
        """
        if not self.holds_host(url):
            return "host"
        if not self._holds_path(url):
            return "path"
        if depth > self.depth:
            return "depth"
        return "type" if names_no_page(url) else None

    def holds_host(self, url: str) -> bool:
        """Return whether the host of an address is one of the site's."""
        if same_host(self.start, url):
            return True
        host = urlsplit(url).hostname or ""
        if self.hosts == "same":
            return False
        if self.hosts == "domain":
            domain = registrable_domain(host)
            return bool(domain) and domain == registrable_domain(
                urlsplit(self.start).hostname or ""
            )
        names = [self.hosts] if isinstance(self.hosts, str) else self.hosts
        return any(_is_named(name.lower(), host, host_of(url)) for name in names)

    def _holds_path(self, url: str) -> bool:
        """Return whether a path is below one of those configured; the start always is."""
        if not self.paths or url == self.start:
            return True
        path = urlsplit(url).path
        return any(path.startswith(beginning) for beginning in self.paths)


def _is_named(name: str, host: str, netloc: str) -> bool:
    """Return whether a configured name means a host (with or without its port)."""
    if name.startswith("*."):
        return host == name[2:] or host.endswith(name[1:])
    return name in (host, netloc)


def names_no_page(url: str) -> bool:
    """Return whether an address ends as a file that holds no form (a picture, an archive).

    An ending that is the domain of the host or a word after a dot in a title is none: it has to
    be the whole last part of the path, and there must be something before it.
    """
    name = unquote(urlsplit(url).path.rpartition("/")[2])
    stem, dot, ending = name.rpartition(".")
    return bool(dot and stem) and ending.lower() in NO_PAGES
