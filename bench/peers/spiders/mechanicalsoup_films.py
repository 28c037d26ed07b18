"""The films of some directors at four sites, with MechanicalSoup; one thread a site.

python mechanicalsoup_films.py WORK.json    # writes SITE.jsonl for each site
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urljoin

from mechanicalsoup import StatefulBrowser


def patient(ask, *args, **more):
    """The answer of `ask`; one that asks for patience is asked again."""
    while True:
        answer = ask(*args, **more)
        if answer.status_code != 429:
            answer.raise_for_status()
            return answer
        time.sleep(float(answer.headers.get("Retry-After", 1)))


def pages(browser, answer, next_link):
    """The soup of each page of an answer; `next_link` finds the link to the next one."""
    while True:
        yield answer.soup
        link = next_link(answer.soup)
        if link is None:
            return
        answer = patient(browser.get, urljoin(answer.url, link["href"]))


def cineteca(browser, url, directors):
    """An old table: the form is filled anew and sent for each director."""
    browser.open(urljoin(url, "/ricerca.asp"))
    browser.select_form("form[name=ricerca]")
    for director in directors:
        browser["regista"] = director
        answer = patient(browser.submit_selected, update_state=False)
        for soup in pages(browser, answer, lambda s: s.find("a", string=lambda t: "Succ" in t)):
            for row in soup.select("table[bordercolor] tr")[1:]:
                cells = [cell.get_text(strip=True) for cell in row.find_all("td")]
                yield dict(
                    zip(("title", "director", "year", "genre", "medium"), cells, strict=False)
                )


def filmbase(browser, url, directors):
    """Cards: the token is in the form."""
    browser.open(urljoin(url, "/search"))
    browser.select_form("#film-search")
    for director in directors:
        browser["director"] = director
        answer = patient(browser.submit_selected, update_state=False)
        for soup in pages(browser, answer, lambda s: s.select_one("a[rel=next]")):
            for card in soup.select("article"):
                terms = [term.get_text().lower() for term in card.find_all("dt")]
                values = [value.get_text() for value in card.find_all("dd")]
                link = card.select_one("h3 a")
                film = {"title": link.get_text(), "url": link["href"]}
                yield {**film, **dict(zip(terms, values, strict=True))}


def reelfinder(browser, url, directors):
    """A page of a script, which MechanicalSoup does not run: its JSON by the session."""
    for director in directors:
        offset, total = 0, 1
        while offset < total:
            asked = {"director": director, "offset": offset}
            address = urljoin(url, "/api/films")
            found = patient(browser.session.post, address, json=asked).json()
            for item in found["items"]:
                yield {"title": item["name"], **item}
            offset, total = offset + len(found["items"]), found["total"]


def studioarchive(browser, url, directors):
    """Two lists, the second filled by a script: its options are asked for and its form gone by."""
    soup = patient(browser.get, urljoin(url, "/catalogue")).soup
    for option in soup.select("#distributor option")[1:]:
        asked = {"distributor": option["value"]}
        address = urljoin(url, "/catalogue/directors")
        known = patient(browser.session.get, address, params=asked).json()
        for director in sorted(set(known["directors"]) & set(directors)):
            fields = {**asked, "director": director, "from": "", "to": "", "title": ""}
            answer = patient(browser.get, urljoin(url, "/catalogue/results"), params=fields)
            for page in pages(browser, answer, lambda s: s.select_one("p.pages b ~ a")):
                for item in page.select("ol.films li"):
                    lines = [line.get_text() for line in item.find_all("span")]
                    known_values = dict(line.split(": ", 1) for line in lines)
                    yield {"title": item.strong.get_text(), **known_values}


SITES = {site.__name__: site for site in (cineteca, filmbase, reelfinder, studioarchive)}


def crawl(site, url, directors):
    """Write the films of one site."""
    with (
        StatefulBrowser(soup_config={"features": "lxml"}) as browser,
        Path(f"{site}.jsonl").open("w") as out,
    ):
        for film in SITES[site](browser, url, directors):
            out.write(json.dumps(film) + "\n")


def main():
    """Crawl the sites of the work that is given, all at once."""
    work = json.loads(Path(sys.argv[1]).read_text())
    with ThreadPoolExecutor(len(work["sites"])) as pool:
        jobs = [pool.submit(crawl, *site, work["directors"]) for site in work["sites"].items()]
    for job in jobs:
        job.result()


if __name__ == "__main__":
    main()
