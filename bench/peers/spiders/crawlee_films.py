"""The films of some directors at four sites, with Crawlee's PlaywrightCrawler; four tabs.

python crawlee_films.py WORK.json    # writes SITE.jsonl for each site
"""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import chain
from pathlib import Path
from urllib.parse import urljoin

from crawlee import ConcurrencySettings, Request
from crawlee.configuration import Configuration
from crawlee.crawlers import PlaywrightCrawler, PlaywrightCrawlingContext
from crawlee.router import Router
from crawlee.storage_clients import MemoryStorageClient

PATHS = {
    "cineteca": "/ricerca.asp",
    "filmbase": "/search",
    "reelfinder": "/find",
    "studioarchive": "/catalogue",
}
ROWS = """rows => rows.slice(1).map(row => {
  const [title, director, year, genre, medium] = [...row.cells].map(c => c.textContent.trim());
  return {title, director, year, genre, medium};
})"""
CARDS = """cards => cards.map(card => {
  const link = card.querySelector("h3 a");
  const film = {title: link.textContent, url: link.getAttribute("href")};
  for (const term of card.querySelectorAll("dt"))
    film[term.textContent.toLowerCase()] = term.nextElementSibling.textContent;
  return film;
})"""
REELS = """reels => reels.map(reel => ({
  title: reel.querySelector(".name").textContent,
  director: (reel.querySelector(".by")?.textContent ?? "").replace("by ", ""),
  released: reel.querySelector(".released").textContent,
  rated: reel.querySelector(".rated").textContent,
  studio: reel.querySelector(".studio").textContent,
}))"""
ITEMS = """items => items.map(item => {
  const film = {title: item.querySelector("strong").textContent};
  for (const line of item.querySelectorAll("span")) {
    const [name, value] = line.textContent.split(": ", 2);
    film[name] = value;
  }
  return film;
})"""

router = Router[PlaywrightCrawlingContext]()


async def landed(page, click):
    """Click what leads to another page; one that asks for patience is loaded again."""
    async with page.expect_navigation(wait_until="domcontentloaded") as navigation:
        await click
    answer = await navigation.value
    while answer.status == 429:
        await asyncio.sleep(float(answer.headers.get("retry-after", 1)))
        answer = await page.reload(wait_until="domcontentloaded")


async def push(context, records, script, further):
    """Keep the films of an answer, page by page; `further` is the link to the next page."""
    while True:
        films = await context.page.eval_on_selector_all(records, script)
        await context.push_data(films, dataset_name=context.request.label)
        link = context.page.locator(further).first
        if not await link.count():
            return
        await landed(context.page, link.click())


@router.handler("cineteca")
async def cineteca(context):
    """An old table."""
    await context.page.fill("[name=regista]", context.request.user_data["director"])
    await landed(context.page, context.page.click("[type=submit]"))
    await push(context, "table[bordercolor] tr", ROWS, "a:has-text('Successiva')")


@router.handler("filmbase")
async def filmbase(context):
    """Cards."""
    await context.page.fill("#f-director", context.request.user_data["director"])
    await landed(context.page, context.page.click("#film-search [type=submit]"))
    await push(context, "article", CARDS, "a[rel=next]")


@router.handler("reelfinder")
async def reelfinder(context):
    """A page of a script: the answers come into the same page."""
    page = context.page
    director = context.request.user_data["director"]
    await page.fill(".slot:has-text('Director') input", director)
    button = page.locator("button:has-text('Find')")
    while await button.count():
        async with page.expect_response("**/api/films"):
            await button.first.click()
        await page.wait_for_function("!document.querySelector('.more .wait')")
        button = page.locator(".more button")
    films = await page.eval_on_selector_all(".reel", REELS)
    await context.push_data(films, dataset_name="reelfinder")


@router.handler("studioarchive")
async def studioarchive(context):
    """Two lists: which director is under which distributor has to be looked up first."""
    page, data = context.page, context.request.user_data
    if "distributor" in data:
        await choose(page, data["distributor"])
        await page.select_option("#director", data["director"])
        await landed(page, page.click("#catalogue [type=submit]"))
        await push(context, "ol.films li", ITEMS, "p.pages b + a")
        return
    options = page.locator("#distributor option:not([value=''])")
    for distributor in await options.evaluate_all("all => all.map(o => o.value)"):
        found = set(await choose(page, distributor)) & set(data["directors"])
        pairs = [{"distributor": distributor, "director": name} for name in sorted(found)]
        await context.add_requests([request("studioarchive", page.url, pair) for pair in pairs])


async def choose(page, distributor):
    """Choose a distributor; returns the directors that come up."""
    async with page.expect_response("**/catalogue/directors?*"):
        await page.select_option("#distributor", distributor)
    await page.wait_for_selector("#director:enabled")
    return await page.locator("#director option").evaluate_all("all => all.map(o => o.value)")


def request(site, url, data):
    """A visit to a site's form; each is another one, though the address is the same."""
    key = f"{site} {data.get('distributor')} {data.get('director')}"
    return Request.from_url(url, label=site, user_data=data, unique_key=key)


def requests(work):
    """The first requests, the sites taking turns."""
    rows = []
    for site, url in work["sites"].items():
        names = work["directors"]
        data = [{"director": name} for name in names]
        if site == "studioarchive":
            data = [{"directors": names}]
        rows.append([request(site, urljoin(url, PATHS[site]), values) for values in data])
    longest = max(map(len, rows))
    turns = (row[at] for at in range(longest) for row in rows if at < len(row))
    return list(chain(turns))


async def main():
    """Crawl the sites of the work that is given."""
    work = json.loads(Path(sys.argv[1]).read_text())
    crawler = PlaywrightCrawler(
        request_handler=router,
        configuration=Configuration(purge_on_start=True, log_level="WARNING"),
        storage_client=MemoryStorageClient(),
        goto_options={"wait_until": "domcontentloaded"},
        browser_launch_options={"executable_path": work["chromium"], "chromium_sandbox": False},
        concurrency_settings=ConcurrencySettings(
            min_concurrency=4, desired_concurrency=4, max_concurrency=4
        ),
    )
    await crawler.run(requests(work))
    for site in work["sites"]:
        dataset = await crawler.get_dataset(name=site)
        with Path(f"{site}.jsonl").open("w") as out:
            async for film in dataset.iterate_items():
                out.write(json.dumps(film) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
