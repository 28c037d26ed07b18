"""Unanswered: why nothing came back by plain HTTP, in a few words."""

from __future__ import annotations

# What the library writes somewhere in its error -> what a person reads; the first that fits.
REASONS = (
    ("NameResolutionError", "no such host"),
    ("Failed to resolve", "no such host"),
    ("ProxyError", "the proxy does not answer"),
    ("CERTIFICATE", "its certificate is not valid"),
    ("SSL", "no safe connection"),
    ("Connection refused", "connection refused"),
    ("timed out", "no answer in time"),
    ("No route to host", "no way to the host"),
    ("Network is unreachable", "no network"),
    ("Connection aborted", "connection closed without an answer"),
    ("Connection reset", "connection closed without an answer"),
)


def reason_of(error: str) -> str:
    """The cause that an `Exchange.error` names, the error itself where it is of another kind."""
    found = (reason for mark, reason in REASONS if mark.lower() in error.lower())
    return next(found, error or "no answer")
