"""The films of some directors at four sites, with requests and lxml; one thread a site.

python requests_films.py WORK.json    # writes SITE.jsonl for each site
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urljoin

import requests
from lxml import html


def get(session, method, url, **more):
    """The answer to a request; one that asks for patience is asked again."""
    while True:
        answer = session.request(method, url, timeout=30, **more)
        if answer.status_code != 429:
            answer.raise_for_status()
            return answer
        time.sleep(float(answer.headers.get("Retry-After", 1)))


def pages(session, answer, link):
    """The tree of each page of an answer, by its `link` to the next one (an XPath)."""
    while True:
        tree = html.fromstring(answer.content)
        yield tree
        further = tree.xpath(link)
        if not further:
            return
        answer = get(session, "GET", urljoin(answer.url, further[0]))


def cineteca(session, url, directors):
    """An old table: GET, ISO-8859-1."""
    for director in directors:
        fields = {"titolo": "", "regista": director, "genere": "", "supporto": ""}
        answer = get(session, "GET", urljoin(url, "/risultati.asp"), params=fields)
        for tree in pages(session, answer, "//a[starts-with(., 'Successiva')]/@href"):
            for row in tree.xpath("//table[@bordercolor]//tr[position() > 1]"):
                cells = [cell.text_content().strip() for cell in row.xpath("./td")]
                yield dict(
                    zip(("title", "director", "year", "genre", "medium"), cells, strict=False)
                )


def filmbase(session, url, directors):
    """Cards: POST with a token that holds for the session."""
    form = html.fromstring(get(session, "GET", urljoin(url, "/search")).content)
    token = form.xpath("//input[@name='csrf_token']/@value")[0]
    names = ("title", "genre", "rating", "year_from", "year_to", "website")
    for director in directors:
        fields = {"csrf_token": token, "director": director, **dict.fromkeys(names, "")}
        answer = get(session, "POST", urljoin(url, "/search"), data=fields)
        for tree in pages(session, answer, "//a[@rel='next']/@href"):
            for card in tree.xpath("//article"):
                terms = [term.text_content().lower() for term in card.xpath(".//dt")]
                values = [value.text_content() for value in card.xpath(".//dd")]
                link = card.xpath(".//h3/a")[0]
                yield {
                    "title": link.text,
                    "url": link.get("href"),
                    **dict(zip(terms, values, strict=True)),
                }


def reelfinder(session, url, directors):
    """A page of a script: its JSON is asked for at first hand."""
    for director in directors:
        offset, total = 0, 1
        while offset < total:
            asked = {"director": director, "offset": offset}
            found = get(session, "POST", urljoin(url, "/api/films"), json=asked).json()
            for item in found["items"]:
                yield {"title": item["name"], **item}
            offset, total = offset + len(found["items"]), found["total"]


def studioarchive(session, url, directors):
    """Two lists, the second made from the first."""
    catalogue = html.fromstring(get(session, "GET", urljoin(url, "/catalogue")).content)
    for distributor in catalogue.xpath("//select[@id='distributor']/option/@value")[1:]:
        asked = {"distributor": distributor}
        known = get(session, "GET", urljoin(url, "/catalogue/directors"), params=asked).json()
        for director in sorted(set(known["directors"]) & set(directors)):
            fields = {**asked, "director": director, "from": "", "to": "", "title": ""}
            answer = get(session, "GET", urljoin(url, "/catalogue/results"), params=fields)
            link = "//p[@class='pages']/b/following-sibling::a[1]/@href"
            for tree in pages(session, answer, link):
                for item in tree.xpath("//ol[@class='films']/li"):
                    lines = [line.text_content() for line in item.xpath("./span")]
                    known_values = dict(line.split(": ", 1) for line in lines)
                    yield {"title": item.xpath("string(./strong)"), **known_values}


SITES = {site.__name__: site for site in (cineteca, filmbase, reelfinder, studioarchive)}


def crawl(site, url, directors):
    """Write the films of one site."""
    with requests.Session() as session, Path(f"{site}.jsonl").open("w") as out:
        for film in SITES[site](session, url, directors):
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
