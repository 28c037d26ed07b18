"""The films of some directors at four sites, with Playwright; a tab a site, all in one browser.

python playwright_films.py WORK.json    # writes SITE.jsonl for each site
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from urllib.parse import urljoin

from playwright.async_api import async_playwright

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


async def landed(page, click):
    """Click what leads to another page; one that asks for patience is loaded again."""
    async with page.expect_navigation(wait_until="domcontentloaded") as navigation:
        await click
    answer = await navigation.value
    while answer.status == 429:
        await asyncio.sleep(float(answer.headers.get("retry-after", 1)))
        answer = await page.reload(wait_until="domcontentloaded")


async def films(page, records, script, further):
    """The films of an answer, page by page; `further` is the link to the next page."""
    while True:
        for film in await page.eval_on_selector_all(records, script):
            yield film
        link = page.locator(further).first
        if not await link.count():
            return
        await landed(page, link.click())


async def cineteca(page, url, directors):
    """An old table."""
    for director in directors:
        await page.goto(urljoin(url, "/ricerca.asp"), wait_until="domcontentloaded")
        await page.fill("[name=regista]", director)
        await landed(page, page.click("[type=submit]"))
        async for film in films(page, "table[bordercolor] tr", ROWS, "a:has-text('Successiva')"):
            yield film


async def filmbase(page, url, directors):
    """Cards."""
    for director in directors:
        await page.goto(urljoin(url, "/search"), wait_until="domcontentloaded")
        await page.fill("#f-director", director)
        await landed(page, page.click("#film-search [type=submit]"))
        async for film in films(page, "article", CARDS, "a[rel=next]"):
            yield film


async def reelfinder(page, url, directors):
    """A page of a script: the answers come into the same page."""
    await page.goto(urljoin(url, "/find"))
    for director in directors:
        await page.fill(".slot:has-text('Director') input", director)
        button = page.locator("button:has-text('Find')")
        while await button.count():
            async with page.expect_response("**/api/films"):
                await button.first.click()
            await page.wait_for_function("!document.querySelector('.more .wait')")
            button = page.locator(".more button")
        for film in await page.eval_on_selector_all(".reel", REELS):
            yield film


async def studioarchive(page, url, directors):
    """Two lists, the second filled by a script when one is chosen in the first."""
    await page.goto(urljoin(url, "/catalogue"), wait_until="domcontentloaded")
    options = page.locator("#distributor option:not([value=''])")
    for distributor in await options.evaluate_all("all => all.map(o => o.value)"):
        wanted = await choose(page, distributor)
        for director in sorted(set(wanted) & set(directors)):
            if not await page.locator("#distributor").count():
                await page.goto(urljoin(url, "/catalogue"), wait_until="domcontentloaded")
                await choose(page, distributor)
            await page.select_option("#director", director)
            await landed(page, page.click("#catalogue [type=submit]"))
            async for film in films(page, "ol.films li", ITEMS, "p.pages b + a"):
                yield film
        if not await page.locator("#distributor").count():
            await page.goto(urljoin(url, "/catalogue"), wait_until="domcontentloaded")


async def choose(page, distributor):
    """Choose a distributor; returns the directors that come up."""
    async with page.expect_response("**/catalogue/directors?*"):
        await page.select_option("#distributor", distributor)
    await page.wait_for_selector("#director:enabled")
    return await page.locator("#director option").evaluate_all("all => all.map(o => o.value)")


SITES = {site.__name__: site for site in (cineteca, filmbase, reelfinder, studioarchive)}


async def crawl(browser, site, url, directors):
    """Write the films of one site."""
    page = await browser.new_page()
    with Path(f"{site}.jsonl").open("w") as out:
        async for film in SITES[site](page, url, directors):
            out.write(json.dumps(film) + "\n")


async def main():
    """Crawl the sites of the work that is given, all at once."""
    work = json.loads(Path(sys.argv[1]).read_text())
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=work["chromium"], chromium_sandbox=False
        )
        crawls = (crawl(browser, *site, work["directors"]) for site in work["sites"].items())
        await asyncio.gather(*crawls)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
