"""Read a response page: its records, the site's count, its pager and the signals of its verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from hiwe.response.addresses import Addresses
from hiwe.response.counts import counts_in, find_count
from hiwe.response.data import answer_rows, data_features, fetched_rows
from hiwe.response.detail import detail_region
from hiwe.response.document import Document, Spans
from hiwe.response.evidence import retry_after, structure_signals
from hiwe.response.linked import joined, linked_items
from hiwe.response.pager import PagerFinder
from hiwe.response.reader import parse, read
from hiwe.response.records import records_of
from hiwe.response.regions import COUNTABLE, Finder, Group
from hiwe.response.response import Count, Region, ResponseFeatures, Signal
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
    combined,
    control_names,
    significant_lines,
    template_of,
)
from hiwe.response.zones import AWAY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element

    from hiwe.form.form import Form
    from hiwe.page.page import Page
    from hiwe.response.document import Line, Node
    from hiwe.response.rows import Rows

LONGEST_COUNT = 120  # characters of a line that may state a count
LEAST_SURE = 3  # items of a list beside which no single item is looked for
LEAST_SINGLE = 0.6  # score of a single item that the site's count of one makes a hit


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
    `outcome_reason` is what the form processor noted.
    """
    rows = answer_rows(page, landed, Addresses(page.base_url or page.url, values))
    if rows is not None:
        return data_features(page, rows, landed)
    return _Analysis(page, form_page, form, values).features(landed, outcome_reason)


@dataclass(frozen=True)
class _Found:
    """What the search for records yields: the likeliest region, its elements, single items."""

    region: Region | None
    items: list[Node]
    lone: tuple[Region, ...]
    recommended: bool = False  # the region stands under a heading such as 'You may like'
    same_list: int = 0  # items of a list that the form page shows alike

    @property
    def spans(self) -> Spans:
        """The text runs of the items."""
        return _spans(self.items)


class _Analysis:
    """One page's analysis; the steps share what they read."""

    def __init__(
        self, page: Page, form_page: Page | None, form: Form | None, values: Sequence[str]
    ) -> None:
        tree = parse(page.html)
        self._page = page
        self._form = form
        self._values = values
        self._title = page.title or _title(tree)
        self._addresses = Addresses(_base_of(page, tree), values)
        self._template: Template = template_of(form_page)
        self._doc: Document = read(tree)
        pairs = significant_lines(self._doc, self._template, Mask(values))
        self._lines: list[Line] = [line for line, _ in pairs]
        self._digests = [digest for _, digest in pairs]

    def features(self, landed: str, outcome_reason: str) -> ResponseFeatures:
        """Put the steps' findings together."""
        page = self._page
        found = self._find()
        count = self._count(found)
        found = self._by_count(found, count)
        finder = PagerFinder(self._doc, found.spans, page.url, self._addresses)
        numbered = finder.numbered()
        pager = finder.next_step(numbered)
        if pager is None and found.region is not None:
            pager = finder.scroll_step(count.total if count else None, len(found.items))
        rows = self._fetched(found)
        region = (rows.region() if rows else None) or self._joined(found.region)
        again = self._has_form_again()
        significant = frozenset(self._digests)
        return ResponseFeatures(
            url=page.url,
            status=page.status,
            landed=landed,
            content_type=page.content_type,
            records=region.records if region else (),
            count=count or (rows.count if rows else None),
            pager=pager,
            signals=(*self._signals(found, count, outcome_reason), *_empty_fetch(rows)),
            significant=significant,
            digest=combined(self._digests),
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
        best = finder.best(self._expected())
        lone = tuple(self._lone(finder, alone=best is None or len(best.items) < LEAST_SURE))
        if best is None:
            return _Found(None, [], lone, same_list=finder.same_list())
        runs = Spans(recommended_from(self._doc, _spans(best.items)))
        asked = [item for item in best.items if item.start not in runs]
        if asked and len(asked) < len(best.items):
            best = replace(best, items=asked)
        records = records_of(self._doc, best, self._addresses)
        size, share = len(best.items), self._share(best)
        region = Region(best.path, best.kind, round(best.score, 3), records, size, share)
        return _Found(region if records else None, best.items, lone, recommended=not asked)

    def _expected(self) -> frozenset[int]:
        """Numbers of items that the new lines and the title speak of."""
        lines = [line.text for line in self._lines if len(line.text) < LONGEST_COUNT]
        counts = [count for text in (*lines, self._title) for _, count in counts_in(text)]
        return frozenset(n for count in counts for n in (count.shown, count.total) if n)

    def _share(self, group: Group) -> float:
        """Share of the significant words that stand in the group's items."""
        inside = _spans(group.items)
        words = [(len(line.text.split()), line.start in inside) for line in self._lines]
        total = sum(count for count, _ in words)
        return round(sum(count for count, hit in words if hit) / total, 3) if total else 0.0

    def _lone(self, finder: Finder, *, alone: bool) -> Iterator[Region]:
        """Single items with new text if no list is sure, the one item that the page describes."""
        new = {line.start for line in self._lines}
        for group in finder.singles() if alone else ():
            item = group.items[0]
            if not new.isdisjoint(range(item.start, item.end)):
                records = records_of(self._doc, group, self._addresses)
                if records:
                    yield Region(group.path, "lone", round(group.score, 3), records, 1)
        detail = detail_region(self._doc, self._template, self._page.url, self._addresses)
        if detail is not None:
            yield detail

    def _count(self, found: _Found) -> Count | None:
        """The site's count: from the new lines that stand in no item, else title, else any line."""
        inside, shown = found.spans, len(found.items)
        outside = (line.text for line in self._lines if line.start not in inside)
        count = find_count(outside, shown) or find_count([self._title], shown)
        if count is None and found.items:
            others = (line.text for line in self._doc.lines if not line.node.zone & AWAY)
            count = find_count((text for text in others if len(text) < 120), shown)
        return count

    def _by_count(self, found: _Found, count: Count | None) -> _Found:
        """A count of one makes the likeliest single item a record."""
        lone = next((one for one in found.lone if one.score >= COUNTABLE), None)
        if found.region is None and count is not None and count.total == 1 and lone is not None:
            return replace(found, region=replace(lone, score=max(lone.score, LEAST_SINGLE)))
        return found

    def _fetched(self, found: _Found) -> Rows | None:
        shown = list(found.region.records) if found.region is not None else []
        shown = shown or [record for region in found.lone for record in region.records]
        texts = chain((line.text for line in self._lines), self._doc.pieces)
        return fetched_rows(self._page, shown, texts, self._addresses)

    def _joined(self, region: Region | None) -> Region | None:
        """The region with what the page's linked data say of its items."""
        if region is None or not (items := linked_items(self._doc)):
            return region
        return replace(region, records=joined(region.records, items, self._addresses))

    def _signals(self, found: _Found, count: Count | None, outcome_reason: str) -> Iterator[Signal]:
        page = self._page
        yield from phrase_signals(self._lines, found.spans)
        yield from text_signals([self._title], "title")
        yield from text_signals(page.dialogs, "dialog")
        yield from message_signals(self._lines)
        yield from page_signals(self._doc, page)
        yield from structure_signals(self._doc, self._template, self._form, page.url, self._values)
        if not self._lines:
            yield from self._said_anyway()
        if outcome_reason:
            yield Signal("outcome", outcome_reason, 0.5)
        if found.same_list:
            yield Signal("same_list", f"{found.same_list} items as on the form page", 0.6)
        if found.recommended:
            yield Signal("recommended", f"{len(found.items)} items under a recommendation", 0.8)
        elif found.region is not None and found.items:
            told = f"{len(found.items)} x {found.region.signature}"
            yield Signal("repeated", told, found.region.score)
        if count is not None and count.total is not None:
            yield Signal("count", count.text[:200], 0.8)

    def _said_anyway(self) -> Iterator[Signal]:
        """What a page that looks like the form page says of a search: both hold an empty answer."""
        lines = [line for line in self._doc.lines if not line.node.zone & AWAY]
        for signal in phrase_signals(lines, Spans(())):
            if signal.name == "nothing_found":
                yield replace(signal, name="nothing_anyway")
        count = find_count((line.text for line in lines if len(line.text) < LONGEST_COUNT), 0)
        if count is not None and count.total == 0:
            yield Signal("nothing_anyway", count.text, 0.8)

    def _has_form_again(self) -> bool:
        """Whether every seen element of the form stands on the page."""
        names = control_names(self._doc)
        if self._form is None:
            return bool(names) and names >= self._template.controls
        mine = {e.name or e.id for e in self._form.elements if e.visible} - {""}
        return bool(mine) and mine <= names


def _spans(items: Iterable[Node]) -> Spans:
    return Spans((item.start, item.end) for item in items)


def _base_of(page: Page, tree: _Element) -> str:
    if page.base_url:
        return page.base_url
    element = tree.find(".//base[@href]")
    if element is None:
        return page.url
    try:
        return urljoin(page.url, element.get("href") or "")
    except ValueError:
        return page.url


def _title(tree: _Element) -> str:
    element = tree.find(".//title")
    return " ".join((element.text or "").split()) if element is not None else ""


def _empty_fetch(rows: Rows | None) -> list[Signal]:
    if rows is None or rows.records != ():
        return []
    return [Signal("empty_data", "the page fetched an empty list", 0.7)]
