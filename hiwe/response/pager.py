"""Pagers: how to reach the next page of hits."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from hiwe.response.phrases import caption_words, captions
from hiwe.response.response import PagerStep
from hiwe.response.zones import FACETS, NAVIGATION, PAGER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.response.addresses import Addresses
    from hiwe.response.document import Document, Node, Spans
    from hiwe.response.response import ResponseFeatures

LAST_PAGE = 100_000  # a larger number is no page number
LONGEST_CAPTION = 40
PAGE_NAMES = ("page", "p", "pg", "seite", "pagina", "paged", "pageno", "pagenumber", "currentpage")

_ARROW = re.compile(r"[»›→▶►⟩⇒❯>⏵]+")
_BACKWARD = re.compile(r"[«‹←◀◄⟨⇐❮<⏴]")
_DISABLED = re.compile(r"(?:^|[\s_-])(?:disabled|inactive|unavailable)(?=$|[\s_-])", re.IGNORECASE)
_NEXT_CLASS = re.compile(r"(?:^|[\s_-])(?:next|nextpage|weiter|suivant|siguiente)(?=$|[\s_-])")
_CURRENT_CLASS = re.compile(r"(?:^|[\s_-])(?:current|active|selected|thispage)(?=$|[\s_-])")
_MORE_CLASS = re.compile(r"load-?more|show-?more|more-?results")
_SCROLL = re.compile(
    r"onscroll|addEventListener\(\s*['\"]scroll|IntersectionObserver|\.on\(\s*['\"]scroll"
    r"|infinite-?scroll|\)\.scroll\("
)


def step_after(features: ResponseFeatures, page_number: int) -> PagerStep | None:
    """The step from result page `page_number` to the next: by its number, else by its caption.

    Who turns the pages knows where he is; the page itself may not say it.
    """
    for step in features.pages:
        if step.page_number == page_number + 1:
            captioned = features.pager
            known = captioned is not None and captioned.page_number == page_number + 1
            return captioned if known else step
    pager = features.pager
    if pager is None or pager.page_number is None or pager.page_number > page_number:
        return pager
    from_nought = pager.page_number == (_number_in(features.url) or 0) + 1
    return pager if from_nought else None


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A link or button outside the hits: its caption as shown, and its folded words alone."""

    node: Node
    caption: str
    words: str


class PagerFinder:
    """Looks at the links and buttons of a page that stand in no hit."""

    def __init__(self, document: Document, inside: Spans, url: str, addresses: Addresses) -> None:
        """`inside` are the text runs of the hits: what stands in them is no pager."""
        self._doc = document
        self._inside = inside
        self._url = url
        self._addresses = addresses
        self._candidates = [
            _Candidate(node, caption, caption_words(caption))
            for node, caption in self._captions()
            if caption and len(caption) <= LONGEST_CAPTION
        ]

    def numbered(self) -> tuple[PagerStep, ...]:
        """Steps to the numbered pages that the pager offers, by number."""
        steps: dict[int, PagerStep] = {}
        for one in self._candidates:
            text = one.caption.strip("[]() .·|")
            if one.words or not text.isdecimal() or not 0 < int(text) < LAST_PAGE:
                continue
            step = None if _is_off(one.node) else self._step(one, int(text))
            if step is not None and (step.url != self._url or step.how != "link"):
                steps.setdefault(int(text), step)
        return tuple(steps[number] for number in sorted(steps)) if self._is_pager(steps) else ()

    def _is_pager(self, steps: dict[int, PagerStep]) -> bool:
        """Numbers are a pager if they are few apart and their addresses stay with this search."""
        if not steps:
            return False
        numbers = sorted(steps)
        near = all(b - a <= 2 for a, b in pairwise(numbers[:3]))
        links = [step for step in steps.values() if step.how == "link"]
        own = urlsplit(self._url).path
        return (
            near
            and numbers[0] <= 3 + self._current(steps)
            and all(_is_related(urlsplit(step.url).path, own) for step in links)
        )

    def _current(self, steps: dict[int, PagerStep]) -> int:
        """The number of this page: marked as such, or the one that no link leads to."""
        for node in self._doc.nodes:
            if node.tag not in ("span", "strong", "b", "em", "li", "a", "td"):
                continue
            marked = bool(node.get("aria-current")) or (
                "class" in node.attrs
                and _CURRENT_CLASS.search(node.get("class").lower()) is not None
            )
            if not marked and (not node.zone & PAGER or node.tag in ("li", "a", "td")):
                continue
            text = self._doc.text(node).strip("[]() .")
            if text.isdecimal() and int(text) < LAST_PAGE and (marked or int(text) not in steps):
                return int(text)
        number = 1
        while number in steps:
            number += 1
        return number if number == 1 or number <= max(steps) else 0

    def next_step(self, numbered: Sequence[PagerStep]) -> PagerStep | None:
        """The step to the next page, None when there is none."""
        steps = {step.page_number: step for step in numbered if step.page_number is not None}
        current = self._current(steps) if steps else 0
        found = self._captioned()
        if found is not None:
            number = found.page_number or (current + 1 if current else None)
            return replace(found, page_number=number)
        if current and current + 1 in steps:
            return steps[current + 1]
        return self._more() or self._related()

    def _related(self) -> PagerStep | None:
        """The next page that the head of the document names."""
        for element in self._doc.relations:
            if "next" in (element.get("rel") or "").lower().split():
                url = self._addresses.resolve(element.get("href") or "")
                if url is not None and url != self._url and _host(url) == _host(self._url):
                    return PagerStep("link", url, "next", -1, _number_in(url))
        return None

    def scroll_step(self, total: int | None, shown: int) -> PagerStep | None:
        """A step by scrolling, where a script of the page listens for it and hits are missing."""
        if not shown or (total is not None and total <= shown):
            return None
        scripts = any(script.text and _SCROLL.search(script.text) for script in self._doc.scripts)
        body = self._doc.nodes[0].el
        return PagerStep("scroll") if scripts or body.get("onscroll") else None

    def _captioned(self) -> PagerStep | None:
        """The link or button that says 'next'."""
        best: tuple[float, PagerStep] | None = None
        for one in self._candidates:
            score = _next_score(one)
            if score > 0.0 and (best is None or score > best[0]) and not _is_off(one.node):
                step = self._step(one, None)
                if step is not None and (step.how != "link" or step.url != self._url):
                    best = (score, step)
        return best[1] if best else None

    def _more(self) -> PagerStep | None:
        """The control that adds further hits to the list."""
        for one in self._candidates:
            names = one.node.names.lower()
            named = len(names) > 1 and _MORE_CLASS.search(names) is not None
            if one.words not in captions("more") and not (named and len(one.words.split()) <= 5):
                continue
            step = None if _is_off(one.node) else self._step(one, None)
            if step is None:
                continue
            if step.how in ("click", "form"):
                return replace(step, how="more", page_number=None)
            if urlsplit(step.url).path == urlsplit(self._url).path:
                return step
        return None

    def _captions(self) -> list[tuple[Node, str]]:
        """Links and buttons outside the hits, each with what it shows."""
        found: list[tuple[Node, str]] = []
        for node in self._doc.nodes:
            button = "onclick" in node.attrs or node.attrs.get("role") == "button"
            if (node.tag == "a" or button) and node.start not in self._inside:
                found.append((node, self._shown(node)))
        for node in self._doc.controls:
            button = node.tag == "button" or node.get("type").lower() in (
                "submit",
                "button",
                "image",
            )
            if button and node.start not in self._inside:
                text = "".join(node.el.itertext()) if node.tag == "button" else node.get("value")
                caption = " ".join((text or node.get("alt")).split())
                found.append((node, caption or node.get("aria-label") or node.get("title")))
        return found

    def _shown(self, node: Node) -> str:
        text = self._doc.text(node)
        if text and (text[0].isalnum() or re.search(r"\w", text) or _ARROW.fullmatch(text)):
            return text
        alt = ""
        if len(node.el):
            image = node.el.find(".//img")
            alt = (image.get("alt") or "") if image is not None else ""
        return node.get("aria-label") or node.get("title") or alt or text

    def _step(self, one: _Candidate, number: int | None) -> PagerStep | None:
        node = one.node
        click = node.get("hiwe-click")
        index = int(click) if click.isdecimal() else -1
        if node.tag == "a":
            href = node.get("href")
            url = self._addresses.resolve(href) if href else None
            if url is not None and not (href == "#" and node.get("onclick")):
                if _host(url) != _host(self._url):
                    return None
                return PagerStep("link", url, one.caption, index, number or _number_in(url))
            if not href and not node.get("onclick") and index < 0:
                return None
        form = _form_of(node) if node.tag in ("button", "input") else None
        how = "form" if form is not None and _asks_nothing(form) else "click"
        return PagerStep(how, "", one.caption, index, number)


def _next_score(one: _Candidate) -> float:
    """How surely a caption names the next page."""
    node, caption, words = one.node, one.caption, one.words
    score = 0.0
    if "rel" in node.attrs and "next" in node.get("rel").lower().split():
        score = 1.0
    elif words and words in captions("next"):
        score = 0.8
    elif words and len(words.split()) <= 3 and re.search(r"\d", caption):
        score = 0.7 if words.split()[0] in captions("next") else 0.0
    elif not words and _ARROW.fullmatch(caption.strip()):
        score = 0.55 if len(caption.strip()) == 1 else 0.5
    if not score and "class" in node.attrs and _NEXT_CLASS.search(node.get("class").lower()):
        score = 0.6 if len(caption) < 30 else 0.0
    if not score or (_BACKWARD.search(caption) and not _ARROW.search(caption)):
        return 0.0
    if node.zone & (NAVIGATION | FACETS) and not node.zone & PAGER and score < 1.0:
        score -= 0.3
    return score + (0.15 if node.zone & PAGER else 0.0)


def _is_related(path: str, own: str) -> bool:
    """Whether a numbered link stays with this search: same path, or one with the number in it."""
    if path == own or path.rsplit("/", 1)[0] == own.rsplit("/", 1)[0]:
        return True
    return re.sub(r"\d+", "", path).startswith(re.sub(r"\d+", "", own).rstrip("/"))


def _number_in(url: str) -> int | None:
    """The page number that an address names, None when it names none."""
    query = parse_qs(urlsplit(url).query)
    for name, values in query.items():
        if name.lower() in PAGE_NAMES and values[0].isdecimal() and int(values[0]) < LAST_PAGE:
            return int(values[0])
    return None


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower().removeprefix("www.")


def _is_off(node: Node) -> bool:
    """Whether a control is switched off, by attribute or by its class or its parent's."""
    if "disabled" in node.attrs or node.get("aria-disabled") == "true":
        return True
    parent = node.parent.get("class") if node.parent is not None else ""
    return bool(_DISABLED.search(node.get("class")) or _DISABLED.search(parent))


def _form_of(node: Node) -> Node | None:
    current = node.parent
    while current is not None and current.tag != "form":
        current = current.parent
    return current


def _asks_nothing(form: Node) -> bool:
    """Whether a form holds hidden fields and buttons only."""
    return not any(
        el.tag != "input"
        or (el.get("type") or "text").lower() not in ("hidden", "submit", "button", "image")
        for el in form.el.iter("input", "select", "textarea")
    )
