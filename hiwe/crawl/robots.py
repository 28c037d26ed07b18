"""robots.txt after RFC 9309, robots META and X-Robots-Tag.

The policy by status (RFC 9309, 2.3.1): a file that was read holds its rules; 4xx means that there
are none and all is allowed, and so do redirects that never arrive; 5xx, 429, a time-out or no
connection forbid everything for a while, unless an earlier reading is still known, and the file is
asked for again. A reading holds 24 hours. At most 500 KiB are read (2.5).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from protego import Protego

from hiwe.address import origin_of
from hiwe.repository.hosts import StoredRobots

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_BYTES = 500 * 1024  # RFC 9309, 2.5
KEPT_S = 24 * 3600.0  # RFC 9309, 2.4
RETRY_S = (2.0, 60.0, 600.0, 3600.0)  # when to ask again after vain attempts
PARSED = 1000  # files kept parsed

VERSION = re.compile(r"^(\s*user-agent\s*:\s*[a-z_-]+)/[^\n#]*", re.IGNORECASE | re.MULTILINE)
RESERVED = re.compile(r"%(?:2F|3A|3F|40|2C|3B|21|28|29)", re.IGNORECASE)  # / : ? @ , ; ! ( )

# Directives with a value: what stands before their colon is no crawler's name.
VALUED_DIRECTIVES = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)

ALLOW_ALL, RULES, DISALLOW_ALL = "allow_all", "rules", "disallow_all"


def robots_url(url: str) -> str:
    """Return where the robots.txt for an address lies."""
    return f"{origin_of(url)}/robots.txt"


def read(
    before: StoredRobots, url: str, status: int, body: bytes | str, *, now: float
) -> StoredRobots:
    """Return what is to be kept of an answer for robots.txt, given what was kept before.

    `status` is that after redirects, of the last one when there were too many, 0 when no answer
    came.
    """
    if 200 <= status < 300:
        return StoredRobots(url, status, decode(body), now, now + KEPT_S)
    if 300 <= status < 500 and status != 429:
        return StoredRobots(url, status, "", now, now + KEPT_S)
    wait_s = RETRY_S[min(before.failures, len(RETRY_S) - 1)]
    known = before.text if before.status is not None else ""
    return StoredRobots(url, status, known, now, now + wait_s, before.failures + 1)


def decode(body: bytes | str) -> str:
    """Return the part of a file that is read, as text: UTF-8, whole lines, 500 KiB at most."""
    octets = body.encode("utf-8", "replace") if isinstance(body, str) else body
    if len(octets) > MAX_BYTES:
        octets = octets[:MAX_BYTES].rpartition(b"\n")[0]
    return octets.decode("utf-8", "replace").removeprefix("\ufeff").replace("\0", "")


def product_token(user_agent: str) -> str:
    """Return the name under which robots.txt addresses us (RFC 9309, 2.2.1): 'hiwe'.

    That of `hiwe/1.0 (+http://...)`, and of `Mozilla/5.0 (compatible; hiwe/1.0; ...)`.
    """
    compatible = re.search(r"\(compatible;\s*([A-Za-z_-]+)", user_agent)
    leading = re.match(r"\s*([A-Za-z_-]+)", user_agent)
    match = compatible or leading
    return match.group(1) if match else "hiwe"


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """What a host's robots.txt allows a crawler. Picklable, and called it answers `allows`.

    `mode` is allow_all, disallow_all or rules. `origin` (scheme and host) is where it holds; other
    hosts' addresses are not its business and are allowed here.
    """

    mode: str
    text: str = field(default="", repr=False)
    agent: str = "hiwe"
    origin: str = ""

    def allows(self, url: str) -> bool:
        """Return whether an address, its query included, may be asked."""
        if self.mode == ALLOW_ALL:
            return True
        if self.origin and origin_of(url) != self.origin:
            return True
        if url == f"{origin_of(url)}/robots.txt":
            return True
        rules = _parsed(self.text)
        spelt = {url, _with_plain_query(url)}
        return self.mode == RULES and all(rules.can_fetch(one, self.agent) for one in spelt)

    __call__ = allows

    @property
    def is_temporary(self) -> bool:
        """Whether all is forbidden only because the file could not be had: ask again later."""
        return self.mode == DISALLOW_ALL

    @property
    def crawl_delay_s(self) -> float:
        """Seconds between requests that the file asks for, 0 if it asks for none."""
        if self.mode != RULES:
            return 0.0
        rules = _parsed(self.text)
        rate = rules.request_rate(self.agent)
        by_rate = rate.seconds / rate.requests if rate and rate.requests else 0.0
        return max(rules.crawl_delay(self.agent) or 0.0, by_rate)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """Addresses of the sitemaps the file names."""
        return tuple(_parsed(self.text).sitemaps) if self.mode == RULES else ()


ALLOW_EVERYTHING = RobotsPolicy(ALLOW_ALL)


def policy(robots: StoredRobots, user_agent: str) -> RobotsPolicy | None:
    """Return the policy that follows from what is kept, None if the file was never asked for."""
    if robots.status is None:
        return None
    agent, origin = product_token(user_agent), origin_of(robots.url)
    if robots.text:
        return RobotsPolicy(RULES, robots.text, agent, origin)
    if 200 <= robots.status < 500 and robots.status != 429:
        return RobotsPolicy(ALLOW_ALL, "", agent, origin)
    return RobotsPolicy(DISALLOW_ALL, "", agent, origin)


@lru_cache(maxsize=PARSED)
def _parsed(text: str) -> Protego:
    return Protego.parse(VERSION.sub(r"\1", text))


def _with_plain_query(url: str) -> str:
    """An address with the marks of its query as a rule may write them (RFC 9309, 2.2.2)."""
    path, mark, query = url.partition("?")
    return path + mark + RESERVED.sub(lambda found: unquote(found.group()), query)


@dataclass(frozen=True, slots=True)
class Directives:
    """What a page says of itself: whether its links may be followed and its content kept."""

    follow: bool = True
    index: bool = True


def directives(
    metas: Iterable[str], headers: Iterable[tuple[str, str]] = (), *, user_agent: str = "hiwe"
) -> Directives:
    """Return the directives of a page's robots METAs and X-Robots-Tag fields together.

    `metas` are the contents of METAs called robots or by our name. A field may begin with the
    name of the crawler it is for. The strictest wins.
    """
    words: set[str] = set()
    for content in metas:
        words |= _words(content)
    token = product_token(user_agent).lower()
    for name, value in headers:
        if name.lower() == "x-robots-tag":
            words |= _tag_words(value, token)
    forbidden = "none" in words
    return Directives(
        follow=not (forbidden or "nofollow" in words), index=not (forbidden or "noindex" in words)
    )


def _words(text: str) -> set[str]:
    return {word.strip().lower() for word in re.split(r"[,\s]+", text) if word.strip()}


def _tag_words(value: str, token: str) -> set[str]:
    """Return the words of a field that are meant for us."""
    words: set[str] = set()
    for_us = True
    for part in value.split(","):
        agent, colon, rest = part.partition(":")
        if colon and agent.strip().lower() not in VALUED_DIRECTIVES:
            for_us = agent.strip().lower() in (token, "*")
        if for_us:
            words |= _words(rest or part)
    return words
