"""Pagers: how to reach the next page of hits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from hiwe.response.document import FACETS, NAVIGATION, PAGER, Document, Node
from hiwe.response.phrases import captions
from hiwe.response.response import PagerStep
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.response.records import Addresses

LAST_PAGE = 100_000  # a larger number is no page number
_ARROW = re.compile(r"[»›→▶►⟩⇒❯>⏵]+|&gt;+|\u203a|\u00bb")
_BACKWARD = re.compile(r"[«‹←◀◄⟨⇐❮<⏴]")
_NOISE = re.compile(r"[^\w\s]|\d+|_")
_DISABLED = re.compile(r"(?:^|[\s_-])(?:disabled|inactive|unavailable)(?=$|[\s_-])", re.IGNORECASE)
_NEXT_CLASS = re.compile(
    r"(?:^|[\s_-])(?:next|nextpage|pagination-next|pager-next|weiter|suivant|siguiente)(?=$|[\s_-])"
)
_CURRENT_CLASS = re.compile(r"(?:^|[\s_-])(?:current|active|selected|thispage|on)(?=$|[\s_-])")
_MORE_CLASS = re.compile(r"load-?more|show-?more|more-?results|infinite")
_SCROLL = re.compile(
    r"onscroll|addEventListener\(\s*['\"]scroll|IntersectionObserver|\.on\(\s*['\"]scroll|infinite-?scroll|scroll\("
)


class PagerFinder:
    """Looks at the links and buttons of a page that are in no record."""

    def __init__(
        self, document: Document, items: Sequence[Node], url: str, addresses: Addresses
    ) -> None:
        """`items` are the hits' elements: what stands in them is no pager."""
        self._doc = document
        self._inside = {node.order for item in items for node in item.descendants()}
        self._inside.update(item.order for item in items)
        self._url = url
        self._addresses = addresses

    def numbered(self) -> tuple[PagerStep, ...]:
        """Steps to the numbered pages that the pager offers, by number."""
        steps: dict[int, PagerStep] = {}
        for node, caption in self._candidates():
            text = caption.strip("[]() .·|")
            if not text.isdecimal() or not 0 < int(text) < LAST_PAGE or _is_off(node):
                continue
            step = self._step(node, caption, int(text))
            if step is not None and (step.url != self._url or step.how != "link"):
                steps.setdefault(int(text), step)
        return tuple(steps[number] for number in sorted(steps)) if self._is_pager(steps) else ()

    def _is_pager(self, steps: dict[int, PagerStep]) -> bool:
        """Numbers are a pager if they are few apart, and their addresses differ in few places."""
        if not steps:
            return False
        numbers = sorted(steps)
        near = all(b - a <= 2 for a, b in zip(numbers[:3], numbers[1:3], strict=False))
        links = [step for step in steps.values() if step.how == "link"]
        path = urlsplit(self._url).path
        related = [step for step in links if _related(urlsplit(step.url).path, path, step)]
        return near and numbers[0] <= 3 + self._current(steps) and len(related) == len(links)

    def _current(self, steps: dict[int, PagerStep]) -> int:
        """The number of this page: marked as such, or the one that no link leads to."""
        for node in self._doc.nodes:
            if node.order in self._inside or node.tag not in (
                "span",
                "strong",
                "b",
                "em",
                "li",
                "a",
                "td",
            ):
                continue
            marked = node.zone & PAGER and node.tag in ("span", "strong", "b", "em")
            marked = (
                marked
                or _CURRENT_CLASS.search(node.get("class").lower())
                or node.get("aria-current")
            )
            text = self._doc.text(node).strip("[]() .") if marked else ""
            if (
                text.isdecimal()
                and int(text) < LAST_PAGE
                and (
                    int(text) not in steps
                    or node.get("aria-current")
                    or _CURRENT_CLASS.search(node.get("class").lower())
                )
            ):
                return int(text)
        number = 1
        while number in steps:
            number += 1
        return number if number == 1 or number <= max(steps) else 0

    def next_step(self, numbered: Sequence[PagerStep]) -> PagerStep | None:
        """The step to the next page, None when there is none."""
        steps = {step.page_number: step for step in numbered if step.page_number}
        current = self._current({n: s for n, s in steps.items() if n is not None}) if steps else 0
        found = self._captioned()
        if found is not None:
            return (
                found
                if found.page_number
                else _with_number(found, current + 1 if current else None)
            )
        if current and current + 1 in steps:
            return steps[current + 1]
        return self._more() or None

    def scroll_step(self, total: int | None, shown: int) -> PagerStep | None:
        """A step by scrolling, where a script of the page listens for it and hits are missing."""
        if not shown or (total is not None and total <= shown):
            return None
        for script in self._doc.scripts:
            if script.text and _SCROLL.search(script.text):
                return PagerStep("scroll")
        body = self._doc.nodes[0]
        return PagerStep("scroll") if body.get("onscroll") else None

    def _captioned(self) -> PagerStep | None:
        best: tuple[float, PagerStep] | None = None
        for node, caption in self._candidates():
            score = self._next_score(node, caption)
            if score > 0.0 and not _is_off(node) and (best is None or score > best[0]):
                step = self._step(node, caption, None)
                if step is not None and (step.how != "link" or step.url != self._url):
                    best = (score, step)
        return best[1] if best else None

    def _next_score(self, node: Node, caption: str) -> float:
        words = " ".join(_NOISE.sub(" ", fold(caption)).split())
        score = 0.0
        if "next" in node.get("rel").lower().split():
            score = 1.0
        elif words in captions("next") and len(caption) < 40:
            score = 0.8
        elif (
            _first_words(words) in captions("next")
            and len(words.split()) <= 3
            and re.search(r"\d", caption)
        ):
            score = 0.7
        elif not words and _ARROW.fullmatch(caption.strip()):
            score = 0.55 if len(caption.strip()) == 1 else 0.5
        elif _NEXT_CLASS.search(node.get("class").lower()) and len(caption) < 30:
            score = 0.6
        if not score or (_BACKWARD.search(caption) and not _ARROW.search(caption)):
            return 0.0
        if node.zone & (NAVIGATION | FACETS) and not node.zone & PAGER and score < 1.0:
            score -= 0.3
        return score + (0.15 if node.zone & PAGER else 0.0)

    def _more(self) -> PagerStep | None:
        for node, caption in self._candidates():
            words = " ".join(_NOISE.sub(" ", fold(caption)).split())
            named = _MORE_CLASS.search(f"{node.get('class')} {node.get('id')}".lower())
            button = node.tag != "a" or node.get("role") == "button" or named
            if _is_off(node) or not (
                words in captions("more") or (named and len(words.split()) <= 5)
            ):
                continue
            step = self._step(node, caption, None)
            if step is not None and (button or step.how == "click"):
                how = "more" if step.how in ("click", "form") else step.how
                return PagerStep(how, step.url, step.text, step.index, None)
            if step is not None and urlsplit(step.url).path == urlsplit(self._url).path:
                return step
        return None

    def _candidates(self) -> list[tuple[Node, str]]:
        """Links and buttons outside the hits, each with its caption."""
        found = []
        for node in self._doc.nodes:
            if node.order in self._inside:
                continue
            if node.tag in ("a", "link") or node.get("role") == "button" or node.get("onclick"):
                found.append((node, self._caption(node)))
        for node in self._doc.controls:
            kind = node.get("type").lower()
            if node.tag == "button" or (
                node.tag == "input" and kind in ("submit", "button", "image")
            ):
                if node.parent is not None and node.parent.order in self._inside:
                    continue
                text = "".join(node.el.itertext()) if node.tag == "button" else node.get("value")
                caption = " ".join((text or node.get("alt")).split())
                found.append((node, caption or node.get("aria-label") or node.get("title")))
        return found

    def _caption(self, node: Node) -> str:
        text = self._doc.text(node)
        if re.search(r"\w", text) or (text and _ARROW.fullmatch(text)):
            return text
        image = node.el.find(".//img")
        alt = image.get("alt") if image is not None else None
        return node.get("aria-label") or node.get("title") or alt or text

    def _step(self, node: Node, caption: str, number: int | None) -> PagerStep | None:
        click = node.get("hiwe-click")
        index = int(click) if click.isdecimal() else -1
        if node.tag == "a":
            href = node.get("href")
            url = self._addresses.resolve(href) if href else None
            if url is not None and _host(url) != _host(self._url):
                return None
            if url is not None and not (href == "#" and node.get("onclick")):
                return PagerStep("link", url, caption, index, number or _number_in(url))
            if href or node.get("onclick") or index >= 0:
                return PagerStep("click", "", caption, index, number)
            return None
        kind = "click"
        form = _form_of(node)
        if form is not None and node.tag in ("button", "input") and _is_small(form):
            kind = "form"
        return PagerStep(kind, "", caption, index, number)


def _first_words(words: str) -> str:
    return words.split()[0] if words else ""


def _related(path: str, own: str, step: PagerStep) -> bool:
    """Whether a numbered link stays with this search: same path, or the number in the path."""
    if path == own or path.rsplit("/", 1)[0] == own.rsplit("/", 1)[0]:
        return True
    return (
        re.sub(r"\d+", "", path).startswith(re.sub(r"\d+", "", own).rstrip("/")) or step.url == ""
    )


def _with_number(step: PagerStep, number: int | None) -> PagerStep:
    return PagerStep(step.how, step.url, step.text, step.index, number)


def _number_in(url: str) -> int | None:
    query = parse_qs(urlsplit(url).query)
    for name in ("page", "p", "pg", "seite", "pagina", "paged", "pageno", "pagenumber"):
        for value in query.get(name, ()):
            if value.isdecimal() and int(value) < LAST_PAGE:
                return int(value)
    return None


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower().removeprefix("www.")


def _is_off(node: Node) -> bool:
    if node.el.get("disabled") is not None or node.get("aria-disabled") == "true":
        return True
    parent = node.parent
    return bool(
        _DISABLED.search(node.get("class")) or (parent and _DISABLED.search(parent.get("class")))
    )


def _form_of(node: Node) -> Node | None:
    current = node.parent
    while current is not None and current.tag != "form":
        current = current.parent
    return current


def _is_small(form: Node) -> bool:
    """A form that asks nothing: hidden fields and a button."""
    return not any(
        el.tag != "input"
        or (el.get("type") or "text").lower() not in ("hidden", "submit", "button", "image")
        for el in form.el.iter("input", "select", "textarea")
    )
