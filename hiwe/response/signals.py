"""Signals: single pieces of evidence that a response page gives of its verdict."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiwe.response.document import HEADINGS
from hiwe.response.phrases import kinds_in
from hiwe.response.response import Signal
from hiwe.response.zones import AWAY, MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiwe.page.page import Page
    from hiwe.response.document import Document, Line, Node, Spans

LONGEST_PHRASE_LINE = 45  # words; what a site says about a search is short
FARTHEST_HEADING = 2  # lines between a heading that is none by its element, and its list
LONGEST_HEADING = 120  # characters
KINDS = (
    "nothing_found",
    "missing_page",
    "error",
    "throttled",
    "blocked",
    "login",
    "wait",
    "invalid",
    "capped",
)
# A phrase inside running text speaks less than one that is the whole line.
_CONDITION = re.compile(
    r"^(?:if|when|unless|in case|wenn|falls|si (?:vous|usted|no|aucun|votre|su)|jeżeli"
    r"|jeśli|если|pokud|eğer|om|hvis|jos|daca)\b",
    re.IGNORECASE,
)
_CAPTCHA = re.compile(
    r"recaptcha|hcaptcha|captcha|cf-challenge|challenge-form|turnstile|px-captcha", re.IGNORECASE
)


def phrase_signals(lines: Iterable[Line], inside: Spans) -> Iterator[Signal]:
    """Signals of the phrases in lines that stand in no item."""
    for line in lines:
        if line.start not in inside:
            yield from _line_signals(line)


def _line_signals(line: Line) -> Iterator[Signal]:
    length = len(line.text.split())
    if length > LONGEST_PHRASE_LINE:
        return
    for kind, words in kinds_in(line.text).items():
        if kind not in KINDS:
            continue
        share = min(1.0, (len(words.split()) + 3) / max(length, 1))
        weight = 0.5 + 0.35 * share
        weight += 0.1 if line.node.tag in HEADINGS or line.node.zone & MESSAGE else 0.0
        if _CONDITION.match(line.text) or line.node.zone & AWAY:
            weight -= 0.3
        yield Signal(kind, line.text[:200], round(min(weight, 1.0), 3))


def text_signals(texts: Iterable[str], origin: str) -> Iterator[Signal]:
    """Signals of texts that are no lines of the page: alert boxes, titles."""
    for text in texts:
        for kind, _ in kinds_in(text).items():
            if kind in KINDS and len(text.split()) <= LONGEST_PHRASE_LINE:
                yield Signal(kind, f"{origin}: {text[:180]}", 0.75)


def recommended_from(document: Document, inside: Spans) -> list[tuple[int, int]]:
    """Runs of text pieces that stand under a heading such as 'You may like', up to the next one.

    A short line that is no heading element heads what follows within two lines, or nothing.
    """
    runs: list[tuple[int, int]] = []
    opened: int | None = None
    firm, between = False, 0
    for line in document.lines:
        if line.start in inside:
            firm = firm or opened is not None
            continue
        between += 1
        if opened is not None and not firm and between > FARTHEST_HEADING:
            opened = None
        heads = _in_heading(line.node)
        if not heads and (len(line.text) > LONGEST_HEADING or len(line.text.split()) > 6):
            continue
        spoken = "recommended" in kinds_in(line.text) and _is_plain(document, line)
        if opened is not None and heads and not spoken:
            runs.append((opened, line.start))
            opened = None
        if opened is None and spoken:
            opened, firm, between = line.end, heads, 0
    if opened is not None and firm:
        runs.append((opened, 1 << 60))
    return runs


def _in_heading(node: Node) -> bool:
    return node.tag in HEADINGS or (node.parent is not None and node.parent.tag in HEADINGS)


def _is_plain(document: Document, line: Line) -> bool:
    """Whether a line is all link or all text: 'Suggested: genre, rating' heads no list."""
    tags = {
        document.owners[i].tag == "a"
        for i in range(line.start, line.end)
        if not document.pieces[i].isspace()
    }
    return len(tags) == 1


def message_signals(lines: Iterable[Line]) -> Iterator[Signal]:
    """New text in an element whose class or role says message or error."""
    for line in lines:
        if line.node.zone & MESSAGE and len(line.text.split()) <= LONGEST_PHRASE_LINE:
            names = f"{line.node.get('class')} {line.node.get('role')}".lower()
            strong = re.search(r"error|invalid|danger|alert|has-error", names) is not None
            yield Signal("message", line.text[:200], 0.6 if strong else 0.35)


def page_signals(document: Document, page: Page) -> Iterator[Signal]:
    """Captcha, timed refresh, fields marked invalid."""
    for node in document.nodes:
        if node.tag in ("div", "form", "iframe") and (
            node.get("class") or node.get("id") or node.get("src")
        ):
            names = f"{node.get('class')} {node.get('id')} {node.get('src')}"
            if _CAPTCHA.search(names):
                yield Signal("captcha", names.strip()[:120], 0.6)
                break
    for node in document.controls:
        if node.get("aria-invalid").lower() == "true":
            yield Signal("field_invalid", node.get("name") or node.get("id"), 0.6)
    for meta in document.metas:
        if (meta.get("http-equiv") or "").lower() == "refresh":
            match = re.match(
                r"\s*(\d+)\s*(?:[;,]\s*(?:url\s*=\s*)?['\"]?([^'\"]*))?",
                meta.get("content") or "",
                re.IGNORECASE,
            )
            if match and int(match.group(1)[:6]) <= 60:
                yield Signal("refresh", match.group(2) or page.url, 0.5)
