"""What a person changes: corrections, verdicts, what the crawl is told. All by POST."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse

from hiwe.report.sheet import draw
from hiwe.repository.judged import Judged
from hiwe.response.response import Verdict
from hiwe.review.form_view import element_at, read_form
from hiwe.review.found import found
from hiwe.review.guard import is_genuine
from hiwe.review.rows import parse_values
from hiwe.task.control import write_control
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

    from hiwe.review.form_view import ElementView, FormView
    from hiwe.review.guard import Keys
    from hiwe.review.reviewed import Reviewed
    from hiwe.task.control import State
    from hiwe.task.hints import ElementChanges, ElementHints

LARGEST_BODY = 2_000_000  # bytes
MOST_FIELDS = 50
MOST_DRAWN = 10_000
AS_MATCHED, NO_ROW = "matched", "none"  # choices of a row's field; 'row' goes with a label
STATES: dict[str, State] = {"run": "run", "pause": "pause", "stop": "stop"}
SEARCH = {"decided": None, "search": True, "not": False}


class Changes:
    """Answers to POST: each makes one change and leads back to where it was asked for."""

    def __init__(self, reviewed: Reviewed, keys: Keys) -> None:
        self._reviewed = reviewed
        self._keys = keys

    def endpoint(self, change: Callable[[Request, FormData], str]) -> Callable[[Request], object]:
        """Return the endpoint that reads a form, checks its secret, changes, and leads on."""

        async def answer(request: Request) -> Response:
            length = request.headers.get("content-length", "")
            if not length.isdecimal() or int(length) > LARGEST_BODY:
                raise HTTPException(413, "That is too long to be a correction.")
            async with request.form(max_files=0, max_fields=MOST_FIELDS) as form:
                if not is_genuine(_text(form, "csrf"), self._keys):
                    raise HTTPException(403, "This page is of an earlier server; load it anew.")
                return RedirectResponse(await run_in_threadpool(change, request, form), 303)

        return answer

    def element(self, request: Request, form: FormData) -> str:
        """Set label, row, pinned and banned values of an element."""
        view, position = self._form(request), request.path_params["position"]
        one = found(element_at(view, position), "element")
        label = _text(form, "label")
        if label == one.found.label:
            label = ""  # as hiwe finds it: nothing to correct
        row = _row(form)
        if row and row != one.hints.row and not self._has_row(row):
            raise HTTPException(400, f"The table has no row {row!r}; add it under Rows first.")
        self._correct(view, one, {
            "label": label,
            "row": row,
            "pin": _text(form, "pin").splitlines(),
            "ban": _text(form, "ban").splitlines(),
        })  # fmt: skip
        return f"/forms/{view.stored.id}?said=saved#element-{position}"

    def _has_row(self, label: str) -> bool:
        return any(fold(row.label) == fold(label) for row in self._reviewed.table().rows)

    def value(self, request: Request, form: FormData) -> str:
        """Pin, ban or free one value of an element."""
        view = self._form(request)
        one = found(element_at(view, request.path_params["position"]), "element")
        for do, changes in _VALUE_CHANGES.items():
            value = _text(form, do)
            if value:
                self._correct(view, one, changes(one.hints, value))
        page = urlencode({"said": "saved", "page": _text(form, "page") or "1"})
        return f"{request.url.path.removesuffix('/value')}?{page}#values"

    def _correct(self, view: FormView, one: ElementView, changes: ElementChanges) -> None:
        stored = view.stored
        self._reviewed.correct(
            lambda assist: assist.with_element(
                stored.site, stored.found.fingerprint, stored.form.page_url, one.key, **changes
            )
        )

    def form(self, request: Request, form: FormData) -> str:
        """Say whether a form is a search, and which button sends it."""
        stored = self._form(request).stored
        search = SEARCH.get(_text(form, "search"))
        submitter = _text(form, "submitter")
        self._reviewed.correct(
            lambda assist: assist.with_form(
                stored.site, stored.found.fingerprint, stored.form.page_url,
                search=search, submitter=submitter,
            )
        )  # fmt: skip
        return f"/forms/{stored.id}?said=saved#decision"

    def _form(self, request: Request) -> FormView:
        with self._reviewed.database() as db:
            view = read_form(db, request.path_params["form"], self._reviewed.assist())
        return found(view, "form")

    def site(self, request: Request, form: FormData) -> str:
        """Leave a site alone, or take it up again."""
        url, skip = _text(form, "site"), _text(form, "skip") == "yes"
        self._reviewed.correct(lambda assist: assist.with_site(url, skip=skip))
        return "/?said=saved"

    def row(self, request: Request, form: FormData) -> str:
        """Add an LVS row, or put it in place of one that a person added."""
        label = _text(form, "label")
        try:
            values = parse_values(_text(form, "values"))
        except ValueError as exc:
            raise HTTPException(400, f"{exc}.") from exc
        aliases = _text(form, "aliases").split(",")
        if not label or not values:
            raise HTTPException(400, "A row needs a label and at least one value.")
        self._reviewed.correct(lambda assist: assist.with_row(label, values, aliases))
        return f"/rows?said=saved&row={quote(label)}"

    def drop_row(self, request: Request, form: FormData) -> str:
        """Take back a row that a person added."""
        label = _text(form, "label")
        self._reviewed.correct(lambda assist: assist.without_row(label))
        return "/rows?said=saved"

    def verdict(self, request: Request, form: FormData) -> str:
        """Keep a person's verdict on an answer."""
        number, said = request.path_params["submission"], _text(form, "verdict")
        if said not in set(Verdict):
            raise HTTPException(400, f"There is no verdict {said!r}.")
        with self._reviewed.writable() as db:
            if number not in Judged(db).population():
                raise HTTPException(404, "This run has no such answer.")
            note = _text(form, "note")
            Judged(db).judge(number, Verdict(said), at=time.time(), note=note)
        if _text(form, "then") == "judge":
            return f"/judge?said=verdict&after={number}"
        return f"/answers/{number}?said=verdict"

    def draw(self, request: Request, form: FormData) -> str:
        """Draw answers at random, to be judged."""
        size = _text(form, "size")
        if not size.isdecimal() or not 0 < int(size) <= MOST_DRAWN:
            raise HTTPException(400, f"Give a number of answers from 1 to {MOST_DRAWN:,}.")
        with self._reviewed.writable() as db:
            draw(db, int(size))
        return "/judge?said=drawn"

    def control(self, request: Request, form: FormData) -> str:
        """Tell a running crawl to pause, to go on, or to stop."""
        state = _text(form, "state")
        wanted = STATES.get(state)
        if wanted is None:
            raise HTTPException(400, f"There is no state {state!r}.")
        if self._reviewed.wanted() is None:
            raise HTTPException(409, "No crawl works on this run now.")
        write_control(self._reviewed.out, wanted)
        return "/?said=told"


def _row(form: FormData) -> str | None:
    """The row chosen: '' as matched, None for none, else a label."""
    choice = _text(form, "row")
    if choice == AS_MATCHED:
        return ""
    return None if choice == NO_ROW else choice.removeprefix("row:")


def _pinned(hints: ElementHints, value: str) -> ElementChanges:
    return {"pin": (*hints.pin, value)}


def _banned(hints: ElementHints, value: str) -> ElementChanges:
    return {"ban": (*hints.ban, value)}


def _freed(hints: ElementHints, value: str) -> ElementChanges:
    wanted = fold(value)
    return {
        "pin": [one for one in hints.pin if fold(one) != wanted],
        "ban": [one for one in hints.ban if fold(one) != wanted],
    }


_VALUE_CHANGES = {"pin": _pinned, "ban": _banned, "free": _freed}


def _text(form: FormData, name: str) -> str:
    """A field of the form without blanks around it, '' for none."""
    given = form.get(name, "")
    return given.strip() if isinstance(given, str) else ""
