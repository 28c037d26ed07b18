"""A garden of traps, crawled without a browser: the crawl ends, and has seen every real page."""

from __future__ import annotations

import random
from urllib.parse import parse_qsl, urlsplit

from hiwe.address import resolve
from hiwe.crawl.frontier import Frontier, NewAction, Priority
from hiwe.crawl.scope import Scope
from hiwe.crawl.traps import Traps
from hiwe.page.sketch import sketch
from hiwe.repository.database import Database
from hiwe.repository.sketches import Sketches

SITE = "http://garden.org/"
ROOMS, PAGES = 12, 25  # real pages: rooms of the house, and pages in each
PROSE_WORDS = 60


def prose(seed, words=PROSE_WORDS):
    chance = random.Random(str(seed))
    return " ".join(f"w{chance.randrange(20000)}" for _ in range(words))


def garden(url):
    """Return text and links of a page of the garden, and whether it is a real one."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    segments = parts.path.strip("/").split("/")
    if parts.path == "/":
        doors = [f"/room/{n}/" for n in range(ROOMS)]
        return (
            prose("/"),
            [*doors, "/calendar?month=5&year=2026", "/list", "/soft/a", "/s/0/x"],
            True,
        )
    if segments[0] == "room" and len(segments) <= 3:
        inside = [f"/room/{segments[1]}/{n}.html" for n in range(PAGES)]
        return prose(parts.path), inside if len(segments) == 2 else ["/list?sort=title"], True
    return trap(parts.path, query, url)


def trap(path, query, url):
    """Return a page within one of the traps: the same text, and always more links."""
    if path == "/calendar":
        month = int(query["year"]) * 12 + int(query["month"])
        around = [f"/calendar?month={m % 12 + 1}&year={m // 12}" for m in (month, month - 2)]
        return f"{prose('calendar')} {url[-12:]}", around, False
    if path == "/list":
        tags = [f"{url}{'&' if '?' in url else '?'}f[]={tag}" for tag in range(20)]
        orders = [f"/list?sort={key}&dir={way}" for key in "abcd" for way in ("asc", "desc")]
        return prose("list"), [*tags, *orders], url == f"{SITE}list"
    if path.startswith("/soft"):
        return prose("soft"), ["b/c", "./d/e", "a/"], False
    number = int(path.split("/")[2], 16)
    return f"{prose('session')} {number}", [f"/s/{number * 7919 + 123456789:016x}/x"], False


def crawl(limit=5000):
    """Crawl the garden; return the real pages seen and the number of visits to traps."""
    real: set[str] = set()
    in_traps = 0
    scope = Scope(SITE, depth=50)
    with Database(None) as db:
        frontier, traps, sketches = Frontier(db), Traps(db), Sketches(db)
        frontier.add(NewAction("visit", SITE, SITE))
        for _ in range(limit):
            action = frontier.claim()
            if action is None:
                return real, in_traps
            if traps.is_closed(action.url):
                frontier.skip(action.id, "trap")
                continue
            text, links, is_real = garden(action.url)
            real |= {action.url} if is_real else set()
            in_traps += not is_real
            fresh = sketches.add(SITE, action.url, sketch(text)) is None
            traps.observe(action.url, fresh=fresh)
            for link in links if fresh else []:  # a twin's links are those of its twin
                url = resolve(action.url, link)
                assert url is not None
                new = NewAction("visit", SITE, url, depth=action.depth + 1, priority=Priority.VISIT)
                known = frontier.find(new) is not None or scope.refusal(url, action.depth + 1)
                if not known and not traps.refusal(url):
                    frontier.add(new)
            frontier.done(action.id)
    raise AssertionError("the crawl does not end")


def test_a_garden_of_traps_is_crawled_to_its_end():
    real, in_traps = crawl()
    expected = {SITE, f"{SITE}list"} | {f"{SITE}room/{r}/" for r in range(ROOMS)}
    expected |= {f"{SITE}room/{r}/{n}.html" for r in range(ROOMS) for n in range(PAGES)}
    assert real == expected
    assert in_traps <= 0.05 * (len(real) + in_traps)
