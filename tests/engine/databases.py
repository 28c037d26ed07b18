"""Forty databases on forty loopback addresses, each behind a search form that takes a while to
answer: what a cluster is for. The log of each is the oracle.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from tests.served import Reply, Request, Served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOSTS = 40
SHAPES = 4  # GET or POST, a list of authors or a free field
LATENCY_S = 0.15
AUTHORS = ("Ida Fenwick", "Omar Velt", "Claire Aubry")
BOOKS = 2  # books of an author
TABLE = {"Author": list(AUTHORS)}


def authors_of(number: int) -> list[str]:
    """Whom the database of a number knows: all but one."""
    return [author for at, author in enumerate(AUTHORS) if at != number % len(AUTHORS)]


def _form_page(number: int) -> str:
    """The page of a shape: it says nothing of the number but that."""
    method = ("get", "post")[number % 2]
    options = "".join(f"<option>{author}</option>" for author in AUTHORS)
    listed = f'<select name="by"><option value="">any</option>{options}</select>'
    field = listed if number % SHAPES < 2 else '<input name="by">'
    return f"""<title>Library</title><h1>Library</h1><form action="/find" method="{method}">
<label>Author {field}</label><button>Search</button></form>"""


def _books(number: int, author: str) -> str:
    if author not in authors_of(number):
        return "<h1>Results</h1><p>No records matched your search.</p>"
    hits = "".join(
        f'<li class="hit"><a href="/item/{number}-{author[:3]}-{at}">'
        f"Volume {at} of {number} by {author}</a> <span>{author}, {1900 + number + at}</span></li>"
        for at in range(1, 1 + BOOKS)
    )
    return f'<h1>Results</h1><p>{BOOKS} records found</p><ol class="hits">{hits}</ol>'


def _answering(number: int) -> Callable[[Request], Reply]:
    return lambda request: Reply(_books(number, request.value("by")), delay_s=LATENCY_S)


@contextmanager
def databases(hosts: int = HOSTS) -> Iterator[list[Served]]:
    """Serve them on 127.0.40.1 and on; each answers after LATENCY_S."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                Served(
                    {
                        "/": Reply(_form_page(number), delay_s=LATENCY_S),
                        "/find": _answering(number),
                    },
                    host=f"127.0.40.{number}",
                )
            )
            for number in range(1, 1 + hosts)
        ]
