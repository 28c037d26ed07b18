"""The error tree: what ends a command, or one page, with a message for a person.

    HiweError                     exit code 1
      UsageError                  exit code 2: the command line asks for something impossible
        ConfigError               exit code 2: a configuration or data file; knows file and key path
      BrowserError
        BrowserMissing            no Chromium to be found, or it does not start
      EngineError                 the workers cannot be had: no cluster, no room on it
      SiteError                   knows the site's URL
        SiteUnreachable           no connection, no such host, no answer
      PageError                   knows the page's URL; ends one page, never a run
        PageTimeout               the page did not settle in time
        NotHtml                   what came back is no web page
        PageTooLarge              what came back is longer than we read
      SubmissionError             knows form and URL; ends one submission, never a run
      RunError                    knows the run directory: unreadable, locked, of another version
      ArchiveError                knows the WARC file

Expected outcomes (forbidden by robots.txt, no label match, too small, below rho_min, a budget
spent) are recorded values and not errors. Every message is one line that names its object and says
what to do; `str(error)` is what a person reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from pathlib import Path


class HiweError(Exception):
    """Base of everything that hiwe raises on purpose. `exit_code` is the command's."""

    exit_code: ClassVar[int] = 1

    def __init__(self, *parts: object) -> None:
        """Keep all `parts` as `args`, so that the error survives pickling between processes."""
        super().__init__(*parts)

    def __str__(self) -> str:
        """Return the parts that are given, joined to one line."""
        return ": ".join(one_line(part) for part in self.args if part not in (None, ""))


def one_line(part: Any) -> str:
    """Return `part` as text without line breaks: foreign messages often have several lines."""
    return " ".join(str(part).split())


class UsageError(HiweError):
    """The command line asks for something that cannot be done."""

    exit_code = 2


class ConfigError(UsageError):
    """A configuration or data file is wrong. `file` or `key_path` is None where it has none."""

    def __init__(
        self, message: str, file: str | Path | None = None, key_path: str | None = None
    ) -> None:
        """Keep the message and where the fault lies."""
        super().__init__(message, file, key_path)
        self.message = message
        self.file = file
        self.key_path = key_path

    def __str__(self) -> str:
        """Return `file: key.path message`, leaving out what is not known."""
        said = f"{self.key_path} {self.message}" if self.key_path else self.message
        return one_line(f"{self.file}: {said}" if self.file else said)


class BrowserError(HiweError):
    """The browser itself fails, not a page in it."""


class BrowserMissing(BrowserError):
    """No Chromium can be found, or what was found does not start."""


class EngineError(HiweError):
    """The workers cannot be had: no cluster answers, or it has no room for them."""


class SiteError(HiweError):
    """A whole site fails. `url` is where we started on it."""

    def __init__(self, url: str, message: str) -> None:
        """Keep the site's URL beside the message."""
        super().__init__(url, message)
        self.url = url
        self.message = message


class SiteUnreachable(SiteError):
    """No connection, no such host, or no answer."""


class PageError(HiweError):
    """One page cannot be read. `url` is the page's, `kind` says in a word what went wrong."""

    kind: ClassVar[str] = "page"

    def __init__(self, url: str, message: str) -> None:
        """Keep the page's URL beside the message."""
        super().__init__(url, message)
        self.url = url
        self.message = message


class PageTimeout(PageError):
    """The page did not settle within the time allowed."""

    kind = "timeout"


class NotHtml(PageError):
    """What came back is no web page: an image, a PDF, an archive."""

    kind = "not_html"


class PageTooLarge(PageError):
    """What came back is longer than we are ready to read."""

    kind = "too_large"


class SubmissionError(HiweError):
    """One assignment could not be carried to the site. `form` is the form's short name."""

    def __init__(self, url: str, form: str, message: str) -> None:
        """Keep page URL and form beside the message."""
        super().__init__(url, form, message)
        self.url = url
        self.form = form
        self.message = message


class RunError(HiweError):
    """A run directory cannot be used. `directory` names it."""

    def __init__(self, directory: str | Path, message: str) -> None:
        """Keep the directory beside the message."""
        super().__init__(directory, message)
        self.directory = directory
        self.message = message


class ArchiveError(HiweError):
    """A WARC file cannot be read or written. `file` names it."""

    def __init__(self, file: object, message: str) -> None:
        """Keep the file (or its address) beside the message."""
        super().__init__(file, message)
        self.file = file
        self.message = message
