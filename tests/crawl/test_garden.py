"""Gardens of traps, crawled without a browser: the crawl ends, and has seen every real page."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

import pytest

from hiwe.cli import main
from hiwe.crawl.shapes import MAX_PER_CALENDAR
from hiwe_fixtures.garden import prose, serve_garden
from tests.plainly import crawl_plainly
from tests.served import Reply, Served, redirect

MOST_IN_TRAPS = 0.05  # of all requests
MOST_IN_ONE_TRAP = 4
EXPLORE = {"scope": {"depth": 60}, "budget": {"pages_per_site": 3000}}


def test_a_garden_of_traps_costs_one_request_in_twenty_and_shows_every_real_page(tmp_path):
    with serve_garden() as (garden, url):
        result = crawl_plainly(tmp_path, url, timeout_s=0.5, **EXPLORE)
        asked = [(entry.path, entry.query) for entry in garden.log.entries]
    assert result.status == "finished"
    assert {path for path, query in asked if not query} >= garden.real
    assert not garden.log.violations
    real = [path for path, query in asked if path in garden.real and not query]
    assert len(real) == len(set(real))
    in_traps = len(asked) - len(real) - asked.count(("/robots.txt", ""))
    assert in_traps <= MOST_IN_TRAPS * len(asked)


def page(seed, *links, heading=""):
    anchors = "".join(f'<a href="{link}">{link.strip("/")}</a> ' for link in links)
    return (
        f"<title>{heading or seed}</title><h1>{heading or seed}</h1><p>{prose(seed)}</p>{anchors}"
    )


def number_of(request):
    return int("0" + "".join(c for c in request.target if c.isdecimal())[-6:])


# Traps by other names and other ways than those of the garden; each links on without end.
WILD = {
    "agenda": ("/agenda/2026-05/", lambda r: page(
        "agenda", f"/agenda/{2026 + number_of(r) % 9}-{number_of(r) % 12 + 1:02d}/")),
    "gallery": ("/gallery/x/", lambda r: page("gallery", "big/", "small/", "../all/")),
    "echo": ("/echo/1", lambda r: redirect(f"/echo/{number_of(r) + 1}")),
    "shop": ("/shop", lambda r: page(
        "shop", *(f"/shop?colour[]={c}&{r.query}" for c in ("red", "blue")), "/shop?orderby=price",
        "/shop?sort=name&dir=desc")),
    "cart": ("/cart-view?again=1", lambda r: page("cart", f"/cart-view?{r.query}&again=1")),
    "visit": ("/visit/a1b2c3d4e5f60718/here", lambda r: page(
        "visit", f"/visit/{(number_of(r) * 7919 + 99_991) % 10**16:016x}/here")),
    "missing": ("/missing/a", lambda r: Reply(page("missing", f"/missing/a{number_of(r) + 1}"))),
    "goto": ("/goto?n=1", lambda r: redirect("/real/0")),
    "ring": ("/ring/a", lambda r: redirect("/ring/b" if r.path == "/ring/a" else "/ring/a")),
}  # fmt: skip


@pytest.mark.parametrize("trap", WILD)
def test_a_trap_by_another_name_is_left_after_a_few_requests(tmp_path, trap):
    gate, answer = WILD[trap]
    real = [f"/real/{name}" for name in "abcdefgh"]
    routes = {path: page(path, *real) for path in real} | {"/real/0": page("/real/0")}
    beginning = f"/{gate.split('/')[1].partition('?')[0]}"
    with Served(
        routes | {"/": page("start", gate, *real), beginning: answer, f"{beginning}/*": answer}
    ) as site:
        result = crawl_plainly(tmp_path, site.url, **EXPLORE)
        asked = Counter(urlsplit(request.target).path for request in site.log)
        in_trap = sum(times for path, times in asked.items() if path.startswith(beginning))
    assert result.status == "finished"
    assert all(asked[path] == 1 for path in real)
    assert 1 <= in_trap <= MOST_IN_ONE_TRAP


def test_a_trap_that_is_none_is_opened_by_a_person_and_visited_by_the_next_run(tmp_path, capsys):
    days = [f"/events/2026-05-{day:02d}" for day in range(1, 21)]
    routes = {day: page(day, *days[at + 1 : at + 2]) for at, day in enumerate(days)}
    with Served(routes | {"/": page("start", days[0])}) as site:
        first = crawl_plainly(tmp_path, site.url, **EXPLORE)
        assert len(site.log) == 2 + MAX_PER_CALENDAR
        assert main(["traps", str(first.out)]) == 0
        assert "/events/(dates)" in capsys.readouterr().out
        assert main(["traps", str(first.out), "--reopen", "/events/no"]) == 2
        assert main(["traps", str(first.out), "--reopen", "/events/(dates)"]) == 0
        assert "1 addresses to visit" in capsys.readouterr().out
        crawl_plainly(tmp_path, site.url, **EXPLORE)
        asked = [request.target for request in site.log]
    assert set(asked) == {"/robots.txt", "/", *days}
    assert len(asked) == 2 + 20  # nothing twice
