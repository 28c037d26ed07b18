"""Ways into a site: a log-in that a person made, a proxy, hours at which it may be asked."""

from __future__ import annotations

import asyncio
import stat
from datetime import datetime

import pytest

from hiwe.crawl.politeness import quiet_until
from hiwe.errors import BrowserError, ConfigError
from hiwe.page.login import log_in
from hiwe.task import load_task
from tests.crawling import crawl, write_config
from tests.served import Reply, Served, by, redirect

FORM = """<form action="/find"><label>Genre <select name="g"><option value="sf">Science fiction
</option><option value="po">Poetry</option></select></label><button>Find</button></form>"""


def at(clock):
    return datetime.fromisoformat(f"2026-03-05T{clock}").timestamp()


@pytest.mark.parametrize(
    ("hours", "now", "until"),
    [
        ("08:00-18:00", "07:59:59", None),
        ("08:00-18:00", "08:00:00", "18:00:00"),
        ("08:00-18:00", "17:59:30", "18:00:00"),
        ("08:00-18:00", "18:00:00", None),
        ("22:00-06:00", "05:00:10", "06:00:00"),
        ("22:00-06:00", "12:00:00", None),
        ("00:00-00:00", "12:00:00", None),
        ("", "12:00:00", None),
    ],
)
def test_quiet_hours_end_when_they_say(hours, now, until):
    assert quiet_until(hours, at(now)) == (None if until is None else at(until))


def test_quiet_hours_over_midnight_end_on_the_next_day():
    assert quiet_until("22:00-06:00", at("23:00:00")) == at("23:00:00") + 7 * 3600


def test_quiet_hours_that_are_no_span_are_refused(tmp_path):
    config = write_config(
        tmp_path, ("http://a.org/",), settings={"politeness": {"quiet_hours": "8-18"}}
    )
    with pytest.raises(ConfigError, match=r"08:00-18:00"):
        load_task(config)


def test_a_log_in_that_is_not_there_is_refused(tmp_path):
    config = write_config(
        tmp_path, ("http://a.org/",), settings={"browser": {"storage_state": "x"}}
    )
    with pytest.raises(ConfigError, match="hiwe login"):
        load_task(config)


@pytest.mark.browser
def test_a_log_in_is_kept_for_its_owner_and_used(browsing, tmp_path):
    def door(request):
        return Reply("<p>Welcome</p>", headers=(("Set-Cookie", "who=me; Path=/"),))

    def guarded(answer):
        return lambda r: answer(r) if r.cookie("who") == "me" else redirect("/login")

    async def done():
        await asyncio.sleep(0)

    kept = tmp_path / "state" / "site.json"
    routes = {
        "/": guarded(lambda _: FORM), "/find": guarded(by("genre", "g")), "/door": door,
        "/login": '<form method="post"><input name="u"><input type="password" name="p"></form>',
    }  # fmt: skip
    with Served(routes) as site:
        cookies = browsing.run(log_in(browsing.browser, site.at("/door"), kept, done))
        assert cookies == 1
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        result = crawl(
            browsing, tmp_path, site.url, browser={"storage_state": str(kept)},
            transport="http", budget={"submissions_per_form": 2},
        )  # fmt: skip
    assert len(result.sent) == 2
    assert result.verdicts == ["results", "results"]
    assert "who" not in (result.out / "config.yaml").read_text()


@pytest.mark.browser
def test_a_log_in_that_does_not_open_is_told(browsing, tmp_path, unreachable_url):
    async def done():
        await asyncio.sleep(60)

    with pytest.raises(BrowserError, match="does not open"):
        browsing.run(log_in(browsing.browser, unreachable_url, tmp_path / "x.json", done))
    assert not (tmp_path / "x.json").exists()


@pytest.mark.browser
@pytest.mark.parametrize("transport", ["browser", "http"])
def test_a_site_behind_a_proxy_is_reached_by_it(browsing, tmp_path, transport):
    with Served({"/": FORM, "/find": by("genre", "g")}) as proxy:
        result = crawl(
            browsing, tmp_path, "http://books.test/", browser={"proxy": proxy.url.rstrip("/")},
            transport=transport, budget={"submissions_per_form": 2},
        )  # fmt: skip
        asked = {request.target.split("?")[0] for request in proxy.log}
    assert {"http://books.test/robots.txt", "http://books.test/", "http://books.test/find"} <= asked
    assert result.verdicts == ["results", "results"]
