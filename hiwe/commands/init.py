"""`hiwe init`: a commented starting configuration and an LVS table, for a site if one is given."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiwe.commands.exit import DONE
from hiwe.errors import PageError, SiteError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from hiwe.commands.exit import Commands
    from hiwe.explorer import Explorer
    from hiwe.form.form import Form
    from hiwe.init import Wishes

WEB = ("http://", "https://")
FIRST_ERROR = 400  # of the statuses of HTTP
LOOKED_AT = 5  # pages that the start page links to


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    init = commands.add_parser("init", help="write a commented starting configuration")
    init.add_argument(
        "what",
        nargs="*",
        metavar="URL | CONFIG",
        help="a site to look at (address or host), and the file to write"
        " (default: the site's name, or task.yaml); with neither, at a terminal, you are asked",
    )
    init.add_argument("--contact", default="", help="your address or page, told to the site")
    init.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Write both files, which must not be there yet; print their paths and what was found."""
    from hiwe.init import Wishes, refuse_to_overwrite, write_starter
    from hiwe.place import is_address

    sites = [_address(what) for what in arguments.what if is_address(what)]
    files = [what for what in arguments.what if not is_address(what)]
    if len(sites) > 1 or len(files) > 1:
        raise UsageError("give one address and one file: hiwe init https://site.org/ task.yaml")
    contact = arguments.contact
    if not arguments.what and sys.stdin.isatty() and sys.stdout.isatty():
        site, contact = ask(input, contact)
        sites = [site] if site else []
    path = Path(files[0]) if files else Path(f"{_name(sites)}.yaml")
    refuse_to_overwrite(path)
    wishes = Wishes(contact=contact)
    told: tuple[str, ...] = ()
    if sites:
        wishes, told = _look(sites[0], contact)
    for written in write_starter(path, wishes):
        print(written)
    for line in told:
        print(line, file=sys.stderr)
    print(f"Next: fill the table in, then  hiwe run {shlex.quote(str(path))}", file=sys.stderr)
    return DONE


def ask(answer: Callable[[str], str], contact: str) -> tuple[str, str]:
    """Ask for a site and for a contact; both may stay empty."""
    site = answer("A site with a search form (its address; empty: none yet): ").strip()
    contact = contact or answer("Your address or page, told to the sites you visit: ").strip()
    return (_address(site) if site else ""), contact


def _address(what: str) -> str:
    from hiwe.place import address_of

    url = address_of(what)
    if not url.startswith(WEB):
        raise UsageError(f"{what} is no address; give one such as https://site.org/search")
    return url


def _name(sites: list[str]) -> str:
    host = urlsplit(sites[0]).hostname if sites else ""
    return (host or "task").removeprefix("www.")


def _look(site: str, contact: str) -> tuple[Wishes, tuple[str, ...]]:
    """Look at a site and propose; what was found, in lines for a person."""
    from hiwe.explorer import Explorer
    from hiwe.init import Wishes
    from hiwe.proposal import propose

    with Explorer(contact=contact) as explorer:
        forms = search_forms(explorer, site)
    if not forms:
        told = (
            f"No search form was found on {site} or the pages it names first; the crawl looks on."
        )
        return Wishes((site,), contact=contact), (told,)
    found = propose(site, forms)
    wishes = Wishes((site,), found.alpha, contact, found.table)
    return wishes, ("Search forms found:", *(f"  {line}" for line in found.told))


def search_forms(explorer: Explorer, site: str) -> tuple[Form, ...]:
    """The search forms of a page and of links that promise one; other links while there is none.

    PageError if the page answers that it is none.
    """
    from hiwe.crawl.action import Priority
    from hiwe.crawl.relevance import priority, score, writes

    page = explorer.open(site)
    if page.status >= FIRST_ERROR:
        raise PageError(site, f"answers {page.status}; nothing is written, mend the address")
    found = {form.fingerprint: form for form in page.search_forms}
    host = urlsplit(page.url).netloc
    near = [link for link in page.links if urlsplit(link.url).netloc == host and not writes(link)]
    near.sort(key=lambda link: (priority(link), score(link, 0, strategy="best")))
    promised = {link.url for link in near if priority(link) is Priority.LIKELY}
    for url in list(dict.fromkeys(link.url for link in near))[:LOOKED_AT]:
        if found and url not in promised:
            break
        try:
            page = explorer.open(url)
        except (PageError, SiteError):
            continue  # another page may have one
        if page.status >= FIRST_ERROR:
            continue
        for form in page.search_forms:
            found.setdefault(form.fingerprint, form)
    return tuple(found.values())
