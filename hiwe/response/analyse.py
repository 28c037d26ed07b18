"""Read a response page: its records, the site's count, its pager and the signals of its verdict."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from hiwe.response.counts import find_count
from hiwe.response.detail import detail_region
from hiwe.response.document import Document, Spans, parse, read
from hiwe.response.zones import AWAY
from hiwe.response.pager import PagerFinder
from hiwe.response.records import Addresses, records_of
from hiwe.response.regions import Finder, Group
from hiwe.response.response import Count, Region, ResponseFeatures, Signal
from hiwe.response.rows import Rows, answer_rows, fetched_rows
from hiwe.response.signals import (
    message_signals,
    page_signals,
    phrase_signals,
    recommended_from,
    text_signals,
)
from hiwe.response.significant import (
    Mask,
    Template,
    control_names,
    digest_of,
    has_password,
    significant_lines,
    template_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.etree import _Element

    from hiwe.form.form import Form
    from hiwe.page.page import Page
    from hiwe.response.document import Line, Node


def analyse(
    page: Page,
    *,
    form_page: Page | None,
    form: Form | None,
    landed: str,
    values: tuple[str, ...] = (),
    outcome_reason: str = "",
) -> ResponseFeatures:
    """Everything that the verdict needs to know of a response page.

    `form_page` is the page as it was before filling, `landed` where the answer appeared
    (`Submission.landed`), `values` the texts of the assignment: their echo is no evidence.
    """
    base = page.base_url or page.url
    addresses = Addresses(base, values)
    rows = answer_rows(page, landed, addresses)
    if rows is not None:
        return _data_features(page, rows, landed)
    return _Analysis(page, form_page, form, landed, values, addresses).features(outcome_reason)


@dataclass
class _Found:
    """What the search for records yields: the best region, its elements, the single items."""

    region: Region | None
    items: list[Node]
    lone: tuple[Region, ...]
    recommended: bool = False


class _Analysis:
    """One page's analysis; the steps share what they read."""

    def __init__(
        self,
        page: Page,
        form_page: Page | None,
        form: Form | None,
        landed: str,
        values: Sequence[str],
        addresses: Addresses,
    ) -> None:
        self._page = page
        self._form = form
        self._landed = landed
        self._values = values
        self._addresses = addresses
        self._template: Template = template_of(form_page)
        tree = parse(page.html)
        self._title = page.title or _title(tree)
        self._doc: Document = read(tree)
        pairs = significant_lines(self._doc, self._template, Mask(values))
        self._lines: list[Line] = [line for line, _ in pairs]
        self._digests = [digest for _, digest in pairs]
        self._base = _base_of(page, tree)
        self._addresses = Addresses(self._base, values)

    def features(self, outcome_reason: str) -> ResponseFeatures:
        """Put the steps' findings together."""
        page = self._page
        found = self._find()
        shown = len(found.items)
        count = self._count(shown, found)
        found = self._by_count(found, count)
        signals = list(self._signals(found, count, outcome_reason))
        finder = PagerFinder(self._doc, _spans(found.items), page.url, self._addresses)
        numbered = finder.numbered()
        pager = finder.next_step(numbered)
        if pager is None and found.region is not None:
            pager = finder.scroll_step(count.total if count else None, len(found.items))
        names = control_names(self._doc)
        again = self._has_form_again(names)
        rows = self._fetched(found)
        region = (rows.region() if rows else None) or found.region
        significant = frozenset(self._digests)
        return ResponseFeatures(
            url=page.url,
            status=page.status,
            landed=self._landed,
            content_type=page.content_type,
            records=region.records if region else (),
            count=count or (rows.count if rows else None),
            pager=pager,
            signals=tuple(signals + _empty_fetch(rows)),
            significant=significant,
            digest=_digest(self._digests),
            title=self._title,
            has_form_again=again,
            form_unchanged=again and not significant and not region,
            length=len(page.html),
            retry_after_s=retry_after(page),
            region=region,
            lone=found.lone,
            pages=numbered,
            words=sum(len(line.text.split()) for line in self._lines),
        )

    def _find(self) -> _Found:
        """The likeliest region of hits. What stands under 'You may like' is told apart."""
        finder = Finder(self._doc, self._template, self._page.url)
        new = {line.start for line in self._lines}
        best = finder.best()
        lone = self._lone(finder, new)
        if best is None:
            return _Found(None, [], lone)
        runs = Spans(recommended_from(self._doc, _spans(best.items)))
        asked = [item for item in best.items if item.start not in runs]
        recommended = not asked
        if asked and len(asked) < len(best.items):
            best = Group(asked, best.path, best.score, best.kind, best.header)
        records = records_of(self._doc, best, self._addresses)
        region = Region(best.path, best.kind, round(best.score, 3), records, len(best.items), self._share(best))
        return _Found(region if records else None, best.items, lone, recommended)

    def _share(self, group: Group) -> float:
        """Share of the significant words that stand in the group's items."""
        inside = _spans(group.items)
        words = [(len(line.text.split()), line.start in inside) for line in self._lines]
        total = sum(count for count, _ in words)
        return round(sum(count for count, hit in words if hit) / total, 3) if total else 0.0

    def _lone(self, finder: Finder, new: set[int]) -> tuple[Region, ...]:
        regions = []
        for group in finder.singles():
            item = group.items[0]
            if not new.isdisjoint(range(item.start, item.end)):
                records = records_of(self._doc, group, self._addresses)
                if records:
                    regions.append(Region(group.path, "lone", round(group.score, 3), records))
        detail = detail_region(self._doc, self._template, self._page.url, self._addresses)
        return (*regions, detail) if detail is not None else tuple(regions)

    def _count(self, shown: int, found: _Found) -> Count | None:
        """The site's count: from the new lines that stand in no item, else from the title."""
        inside = _spans(found.items)
        outside = [line.text for line in self._lines if line.start not in inside]
        count = find_count(outside, shown) or find_count([self._title], shown)
        if count is None:
            count = find_count((line.text for line in self._doc.lines if _is_total(line)), shown)
        return count

    def _by_count(self, found: _Found, count: Count | None) -> _Found:
        """A count of one makes the likeliest single item a record."""
        if found.region is None and count is not None and count.total == 1 and found.lone:
            lone = found.lone[0]
            return replace(found, region=replace(lone, score=max(lone.score, 0.6)))
        return found

    def _fetched(self, found: _Found) -> Rows | None:
        shown: list[str] = []
        if found.region is not None:
            shown = [value for record in found.region.records for _, value in record.fields]
        elif found.lone:
            shown = [
                value for r in found.lone for record in r.records for _, value in record.fields
            ]
        return fetched_rows(self._page, shown, self._addresses)

    def _signals(self, found: _Found, count: Count | None, outcome_reason: str) -> Iterable[Signal]:
        page = self._page
        items = [] if found.recommended else found.items
        yield from phrase_signals(self._lines, _spans(found.items))
        yield from text_signals([self._title], "title")
        yield from text_signals(page.dialogs, "dialog")
        yield from message_signals(self._lines)
        yield from page_signals(self._doc, page)
        if outcome_reason:
            yield Signal("outcome", outcome_reason, 0.5)
        if found.region is not None and items:
            yield Signal("repeated", f"{len(items)} x {found.region.signature}", found.region.score)
        if found.recommended:
            yield Signal("recommended", f"{len(found.items)} items under a recommendation", 0.8)
        if count is not None and count.total is not None:
            yield Signal("count", count.text[:200], 0.8)
        if has_password(self._doc) and not self._template.has_password:
            yield Signal("password", page.url, 0.8)
        if self._form is not None and page.url and _moved(self._form.action, page.url):
            yield Signal("redirect", page.url, 0.5)
        yield from self._empty_table()
        yield from self._further_form()
        if self._names_value(page):
            yield Signal("heading_is_value", page.title[:120], 0.5)

    def _empty_table(self) -> Iterable[Signal]:
        """A table with a head and no rows below it."""
        for node in self._doc.nodes:
            if node.tag != "table" or node.zone & AWAY:
                continue
            rows = [n for n in self._doc.below(node) if n.tag == "tr"]
            heads = [
                r for r in rows if len(r.children) > 1 and all(c.tag == "th" for c in r.children)
            ]
            data = [r for r in rows if any(c.tag == "td" and self._doc.text(c) for c in r.children)]
            if heads and not data:
                yield Signal("empty_table", self._doc.text(heads[0])[:120], 0.7)

    def _further_form(self) -> Iterable[Signal]:
        """A form with fields that the form page does not have."""
        mine = {e.name or e.id for e in self._form.elements} if self._form else set()
        fresh = [
            node
            for node in self._doc.controls
            if (node.get("name") or node.get("id")) in control_names(self._doc)
            and (node.get("name") or node.get("id")) not in self._template.controls | mine
            and node.get("type").lower() not in ("password", "checkbox", "radio")
        ]
        if fresh and not has_password(self._doc):
            names = ", ".join(node.get("name") or node.get("id") for node in fresh[:5])
            yield Signal("further_form", names, 0.6)

    def _names_value(self, page: Page) -> bool:
        """Whether the page's own heading is one of the values asked for."""
        wanted = {value.casefold().strip() for value in self._values}
        for node in self._doc.nodes:
            if node.tag == "h1" and self._doc.text(node).casefold() in wanted:
                return True
        return False

    def _has_form_again(self, names: frozenset[str]) -> bool:
        if self._form is None:
            return bool(names) and names >= self._template.controls
        mine = {e.name or e.id for e in self._form.elements if e.visible} - {""}
        return bool(mine) and mine <= names


def _spans(items: Iterable[Node]) -> Spans:
    return Spans((item.start, item.end) for item in items)


def _is_total(line: Line) -> bool:
    return not line.node.zone & AWAY and len(line.text) < 120


def _base_of(page: Page, tree: _Element) -> str:
    if page.base_url:
        return page.base_url
    element = tree.find(".//base[@href]")
    return urljoin(page.url, element.get("href") or "") if element is not None else page.url


def _title(tree: _Element) -> str:
    element = tree.find(".//title")
    return " ".join((element.text or "").split()) if element is not None else ""


def _moved(action: str, url: str) -> bool:
    """Whether the answer stands at another path than the one the form sends to."""
    return urlsplit(action).path.rstrip("/") != urlsplit(url).path.rstrip("/")


def _digest(digests: Iterable[int]) -> str:
    text = ",".join(map(str, digests))
    return hashlib.sha1(text.encode()).hexdigest()[:16]


def _empty_fetch(rows: Rows | None) -> list[Signal]:
    return (
        [Signal("empty_data", "the page fetched an empty list", 0.7)]
        if rows and rows.records == ()
        else []
    )


def _data_features(page: Page, rows: Rows, landed: str) -> ResponseFeatures:
    """Features of an answer that is data and no page."""
    signals = []
    if rows.error:
        signals.append(Signal("error", rows.error, 0.8))
    if rows.records == ():
        signals.append(Signal("empty_data", f"no items in the {rows.origin}", 0.9))
    elif rows.records:
        signals.append(Signal("repeated", f"{len(rows.records)} x {rows.origin}", 0.95))
    lines = frozenset(digest_of(record.key) for record in rows.records or ())
    return ResponseFeatures(
        url=page.url,
        status=page.status,
        landed=landed,
        content_type=page.content_type,
        records=rows.records or (),
        count=rows.count,
        pager=rows.pager(),
        signals=tuple(signals),
        significant=lines,
        digest=_digest(sorted(lines)),
        title=page.title,
        has_form_again=False,
        form_unchanged=False,
        length=len(page.html),
        retry_after_s=retry_after(page),
        region=rows.region(),
        words=len(rows.records or ()),
    )


def retry_after(page: Page) -> float | None:
    """Seconds that the Retry-After header asks for (RFC 9110, 10.2.3); None without it."""
    value = next((v for k, v in page.headers if k.lower() == "retry-after"), "").strip()
    if value.isdecimal():
        return float(value)
    if not value:
        return None
    try:
        when = parsedate_to_datetime(value)
        date = next((v for k, v in page.headers if k.lower() == "date"), "")
        now = parsedate_to_datetime(date) if date else None
    except ValueError:
        return None
    return max(0.0, (when - now).total_seconds()) if now is not None else None
