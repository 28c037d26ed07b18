"""Addresses: their canonical form, the form they are compared in, fingerprints of requests.

Two forms of one address are told apart. `canonical_url` is what is *fetched*: nothing that a server
could see differently is touched, so query order and session ids stay as the page gave them.
`identity_url` is what is *compared*: query sorted, session ids, tracking marks and one-time tokens
left out. Both are idempotent. Only http and https addresses exist here.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, quote, unquote, unquote_plus, urljoin, urlsplit, urlunsplit

import idna
from w3lib.url import canonicalize_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tldextract import TLDExtract

DEFAULT_PORTS = {"http": 80, "https": 443}
WHITESPACE = " \t\r\n\f\v\x00"
SAFE_CHARACTERS = "%/:?@!$&'()*+,;=-._~[]|"  # what browsers leave as it is, beside letters

PLAIN = re.compile(r"[A-Za-z0-9/._~&=?+,:@!$*;-]*")  # nothing to escape or to change
PLAIN_PATH = re.compile(r"[A-Za-z0-9/._-]*")
PLAIN_QUERY = re.compile(r"(?:[A-Za-z0-9._-]*(?:=[A-Za-z0-9._-]*)?(?:&|$))*")

# Names that carry a session whatever their value looks like (compared in lower case).
SESSION_NAMES = frozenset(
    [
        "phpsessid",
        "jsessionid",
        "sessionid",
        "session_id",
        "sessid",
        "sess_id",
        "cfid",
        "cftoken",
        "oscsid",
        "zenid",
        "xtcsid",
        "aspsessionid",
    ]
)
# Names that carry a session or a one-time token if their value has the shape of one.
TOKEN_NAMES = frozenset(
    [
        "sid",
        "session",
        "sess",
        "token",
        "csrf",
        "csrftoken",
        "csrf_token",
        "csrfmiddlewaretoken",
        "authenticity_token",
        "_token",
        "_csrf",
        "_csrf_token",
        "__requestverificationtoken",
        "nonce",
        "_wpnonce",
        "form_build_id",
        "form_token",
        "__viewstate",
        "__eventvalidation",
        "__viewstategenerator",
        "javax.faces.viewstate",
    ]
)
# Names that say where a visitor came from or defeat a cache; servers ignore them.
TRACKING_NAMES = frozenset(
    ["gclid", "fbclid", "msclkid", "yclid", "mc_cid", "mc_eid", "igshid", "_ga", "_gl"]
)
TRACKING_PREFIXES = ("utm_", "pk_", "mtm_")
PATH_SESSION = re.compile(
    r";(?:jsessionid|phpsessid|sessionid|sid)=[^/?#;]*"  # Java: /list;jsessionid=1A2B
    r"|(?<=/)\((?:[A-Z]\([^()/]*\))+\)/",  # ASP.NET: /(S(lit3py55t21z5v55vlm25s55))/list
    re.IGNORECASE,
)
INDEX_PAGE = re.compile(r"/(index|default|home|main|welcome)\.[a-z]{3,5}", re.IGNORECASE)
TOKEN_SHAPE = re.compile(r"(?=.*\d)[\w\-.~+/=%]{8,}", re.ASCII)
SHORT_NUMBER = re.compile(r"\d{1,15}")  # may well be a real key


def resolve(base: str, reference: str) -> str | None:
    """Return the address that `reference` names on a page at `base`, without its fragment.

    None for what cannot be fetched: other schemes (mailto, javascript, data), broken addresses.
    """
    cleaned = re.sub(r"[\t\r\n]", "", reference).strip(WHITESPACE)
    try:
        return canonical_url(urljoin(base, cleaned))
    except ValueError:
        return None


@lru_cache(maxsize=16384)
def canonical_url(url: str) -> str:
    """Return `url` as it is fetched; ValueError if it is no http(s) address.

    Scheme and host in lower case, international hosts in ASCII, no default port, no user, no
    fragment, dot segments resolved (RFC 3986, 6.2.2), escapes in upper case and only where
    needed. The path keeps its case, the query its order.
    """
    parts = urlsplit(url.strip(WHITESPACE))
    if parts.scheme.lower() not in DEFAULT_PORTS or not parts.hostname:
        raise ValueError(f"{url!r} is no http or https address")
    path = remove_dot_segments(_escape(parts.path) or "/")
    return urlunsplit((parts.scheme.lower(), _netloc(parts), path, _escape(parts.query), ""))


def _netloc(parts: SplitResult) -> str:
    """Return host and port in canonical form."""
    host = ascii_host(parts.hostname or "")
    if ":" in host:
        host = f"[{host}]"
    if parts.port is None or parts.port == DEFAULT_PORTS[parts.scheme.lower()]:
        return host
    return f"{host}:{parts.port}"


@lru_cache(maxsize=4096)
def ascii_host(host: str) -> str:
    """Return `host` in lower-case ASCII, without a final dot; ValueError if it is none.

    International names as browsers write them (UTS 46, not transitional: `ß` stays itself).
    """
    name = unquote(host).rstrip(".").lower()
    try:
        name = name if name.isascii() else idna.encode(name, uts46=True).decode("ascii")
    except UnicodeError as exc:
        raise ValueError(f"{host!r} is no host name") from exc
    if not name or re.search(r"[\x00-\x20\x7f/?#@\\<>^|%]", name):
        raise ValueError(f"{host!r} is no host name")
    return name


def _escape(text: str) -> str:
    """Return path or query with every octet escaped that must be, escapes in upper case."""
    if PLAIN.fullmatch(text):
        return text
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    return re.sub(r"%[0-9A-Fa-f]{2}", _one_escape, quote(text, safe=SAFE_CHARACTERS))


def _one_escape(match: re.Match[str]) -> str:
    """Return an escape in upper case, or the character itself where it needs none."""
    character = chr(int(match.group()[1:], 16))
    if character.isascii() and (character.isalnum() or character in "-._~"):
        return character
    return match.group().upper()


def remove_dot_segments(path: str) -> str:
    """Return an absolute path without `.` and `..` (RFC 3986, 5.2.4)."""
    if "/." not in path:
        return path if path.startswith("/") else "/" + path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments and segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def identity_url(url: str, session_names: Iterable[str] = ()) -> str:
    """Return `url` as it is compared: query sorted, what only marks a visit left out.

    `session_names` are further parameters known to differ from visit to visit on this host, and
    ends of paths known to make no difference there (`ignorable_ends`). ValueError if it is no
    http(s) address.
    """
    parts = urlsplit(canonical_url(url))
    further = frozenset(name.lower() for name in session_names)
    pairs = (pair for pair in parts.query.split("&") if pair)
    query = "&".join(pair for pair in pairs if not _marks_visit(pair, further))
    path = remove_dot_segments(PATH_SESSION.sub("", parts.path) or "/")
    path = _without_ending(path, further)
    if PLAIN_PATH.fullmatch(path) and PLAIN_QUERY.fullmatch(query):
        return _sorted_plain(parts, path, query)
    bare = urlunsplit((parts.scheme, parts.netloc, path, query, ""))
    return canonicalize_url(bare, keep_blank_values=True)


def _without_ending(path: str, further: frozenset[str]) -> str:
    """Return a path without an index page and a final slash that are known to mean nothing."""
    name = path[path.rfind("/") :].lower()
    if name != "/" and name in further:
        path = path[: 1 - len(name)]
    return path.rstrip("/") or "/" if "/" in further else path


def ignorable_ends(one: str, other: str) -> frozenset[str]:
    """Return by what ends of the path alone two addresses differ: `/`, an index page's name, both.

    None of them if they differ in anything else, or not at all.
    """
    short, long = sorted((urlsplit(one), urlsplit(other)), key=lambda parts: len(parts.path))
    if (short.netloc, short.query) != (long.netloc, long.query):
        return frozenset()
    if long.path == f"{short.path}/":
        return frozenset("/")
    directory, _, name = long.path.rpartition("/")
    if not INDEX_PAGE.fullmatch(f"/{name}") or short.path.removesuffix("/") != directory:
        return frozenset()
    index = frozenset([f"/{name.lower()}"])
    return index if short.path.endswith("/") else index | {"/"}


def _sorted_plain(parts: SplitResult, path: str, query: str) -> str:
    """Return what canonicalize_url returns for an address without anything to escape, faster."""
    pairs = sorted(pair.partition("=")[::2] for pair in query.split("&")) if query else []
    ordered = "&".join(f"{name}={value}" for name, value in pairs)
    return f"{parts.scheme}://{parts.netloc}{path}{'?' if ordered else ''}{ordered}"


def _marks_visit(pair: str, further: frozenset[str]) -> bool:
    """Return whether a `name=value` of a query only marks a visit."""
    name, _, value = pair.partition("=")
    return is_visit_mark(unquote_plus(name), unquote_plus(value), further)


def is_visit_mark(name: str, value: str, further: frozenset[str] = frozenset()) -> bool:
    """Return whether a field carries a session id, a one-time token or a tracking mark."""
    name = name.lower()
    if name in SESSION_NAMES or name in TRACKING_NAMES or name in further:
        return True
    if name.startswith((*TRACKING_PREFIXES, "aspsessionid")):
        return True
    return name in TOKEN_NAMES and has_token_shape(value)


def has_token_shape(value: str) -> bool:
    """Return whether `value` looks made by a machine: long, with digits, no words, no short key."""
    return bool(TOKEN_SHAPE.fullmatch(value)) and not SHORT_NUMBER.fullmatch(value)


def fingerprint(
    method: str,
    url: str,
    fields: Iterable[tuple[str, str]] = (),
    session_names: Iterable[str] = (),
) -> str:
    """Return the identity of a request, 32 hex digits: method, compared address, sorted fields.

    Fields are those of a request body; tokens and session ids among them do not count.
    """
    further = frozenset(name.lower() for name in session_names)
    real = sorted(pair for pair in fields if not is_visit_mark(*pair, further))
    text = json.dumps([method.upper(), identity_url(url, further), real], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def host_of(url: str) -> str:
    """Return host and port of an address (no default port): what pace and robots.txt belong to."""
    return canonical_url(url).split("/", 3)[2]


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address: where its robots.txt lies."""
    return "/".join(canonical_url(url).split("/", 3)[:3])


def same_host(one: str, other: str) -> bool:
    """Return whether two addresses are on one host; a leading `www.` makes no difference."""
    return host_of(one).removeprefix("www.") == host_of(other).removeprefix("www.")


def same_site(one: str, other: str) -> bool:
    """Return whether two addresses share host and port or their registrable domain."""
    if same_host(one, other):
        return True
    domains = {
        registrable_domain(urlsplit(canonical_url(url)).hostname or "") for url in (one, other)
    }
    return len(domains) == 1 and "" not in domains


def registrable_domain(host: str) -> str:
    """Return the domain a person can register (`example.co.uk`), '' for an IP or a bare name."""
    return _suffixes()(host).top_domain_under_public_suffix


@lru_cache(maxsize=1)
def _suffixes() -> TLDExtract:
    """Return the public suffix list that ships with the library: nothing is looked up."""
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)
