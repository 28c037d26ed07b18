"""Cookies on their way between the browser and plain HTTP: one visitor, however pages are asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie (RFC 6265): `domain` begins with a dot if subdomains get it, too.

    `expires_s` is in seconds since 1970, -1 for one that ends with the session.
    """

    name: str
    value: str
    domain: str
    path: str = "/"
    expires_s: float = -1.0
    secure: bool = False
    http_only: bool = False
    same_site: str = ""

    @property
    def place(self) -> tuple[str, str, str]:
        """What makes two cookies one."""
        return self.name, self.domain, self.path

    @classmethod
    def from_browser(cls, plain: Any) -> Cookie:
        """A cookie as the browser reports it."""
        return cls(
            name=plain["name"],
            value=plain["value"],
            domain=plain["domain"],
            path=plain["path"],
            expires_s=plain.get("expires", -1.0),
            secure=plain.get("secure", False),
            http_only=plain.get("httpOnly", False),
            same_site=plain.get("sameSite", ""),
        )

    def to_browser(self) -> dict[str, Any]:
        """The cookie as the browser takes it."""
        plain = {
            "name": self.name,
            "value": self.value,
            "domain": self.domain,
            "path": self.path,
            "expires": self.expires_s,
            "secure": self.secure,
            "httpOnly": self.http_only,
        }
        return plain | ({"sameSite": self.same_site} if self.same_site else {})
