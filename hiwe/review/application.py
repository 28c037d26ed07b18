"""The application: which address shows and changes what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from hiwe.errors import HiweError, UsageError
from hiwe.report.look import environment
from hiwe.review.changes import Changes
from hiwe.review.guard import Guard
from hiwe.review.pages import Pages

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from hiwe.review.guard import Keys
    from hiwe.review.reviewed import Reviewed


def application(reviewed: Reviewed, keys: Keys) -> ASGIApp:
    """Return the review pages of a run as an ASGI application behind its guard."""
    pages = Pages(reviewed, keys, environment("hiwe.review"))

    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return pages.trouble(request, error.detail, error.status_code)

    def failed(request: Request, error: Exception) -> Response:
        return pages.trouble(request, str(error), 400 if isinstance(error, UsageError) else 500)

    def beyond(request: Request, error: Exception) -> Response:
        return pages.trouble(request, "This run has no such number.", 404)

    return Guard(
        Starlette(
            routes=[*_shown(pages), *_changed(Changes(reviewed, keys))],
            exception_handlers={
                HTTPException: refused,
                HiweError: failed,
                OverflowError: beyond,  # no number of the database is so long
            },
        ),
        keys,
    )


def _shown(pages: Pages) -> list[Route]:
    return [
        Route("/", pages.overview),
        Route("/live", pages.live),
        Route("/forms", pages.forms),
        Route("/forms/{form:int}", pages.form),
        Route("/forms/{form:int}/elements/{position:int}", pages.element),
        Route("/answers/{submission:int}", pages.answer),
        Route("/answers/{submission:int}/page", pages.archived),
        Route("/judge", pages.judge),
        Route("/rows", pages.rows),
        Route("/corrections", pages.corrections),
        Route("/review.css", pages.style),
        Route("/review.js", pages.script),
    ]


def _changed(changes: Changes) -> list[Route]:
    table = {
        "/forms/{form:int}": changes.form,
        "/forms/{form:int}/elements/{position:int}": changes.element,
        "/forms/{form:int}/elements/{position:int}/value": changes.value,
        "/answers/{submission:int}": changes.verdict,
        "/judge": changes.draw,
        "/rows": changes.row,
        "/rows/drop": changes.drop_row,
        "/sites": changes.site,
        "/control": changes.control,
    }
    return [
        Route(path, changes.endpoint(change), methods=["POST"]) for path, change in table.items()
    ]
