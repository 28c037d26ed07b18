"""One HTTP exchange as it went over the wire: the unit the archive keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003  (annotations are resolved at run time)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its response, exact bytes, headers in order (RFC 9110).

    `kind` is the browser's resource type: document, xhr, fetch, stylesheet, script, other;
    `download` marks a response the browser saved as a file. `status` 0 means no answer came
    and `error` says why. `body` is decoded from any transfer or content encoding.
    """

    method: str
    url: str
    request_headers: tuple[tuple[str, str], ...]
    request_body: bytes
    status: int
    reason: str
    response_headers: tuple[tuple[str, str], ...]
    body: bytes
    started_at: datetime
    duration_s: float
    kind: str = "document"
    download: bool = False
    error: str = ""

    def header(self, name: str) -> str:
        """Value of the first response header called `name` (any case), '' when absent."""
        wanted = name.lower()
        return next((v for k, v in self.response_headers if k.lower() == wanted), "")

    @property
    def content_type(self) -> str:
        """Media type without parameters, lower case; '' when the response names none."""
        return self.header("content-type").split(";")[0].strip().lower()
