"""The films of some directors at four sites, with Scrapy; a spider a site, all in one process.

python scrapy_films.py WORK.json    # writes SITE.jsonl for each site
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scrapy import FormRequest, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import JsonRequest

SETTINGS = {
    "CONCURRENT_REQUESTS": 1,  # of a spider, and so of a site
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "FEEDS": {"%(name)s.jsonl": {"format": "jsonlines"}},
    "LOG_LEVEL": "WARNING",
    "RETRY_TIMES": 10,
    "TELNETCONSOLE_ENABLED": False,
}


class FilmSpider(Spider):
    """What the spiders share: where they begin, and for whom."""

    path = "/"

    def __init__(self, url, directors):
        super().__init__()
        self.start_urls = [url.rstrip("/") + self.path]
        self.directors = directors


class Cineteca(FilmSpider):
    """An old table: GET, ISO-8859-1."""

    name = "cineteca"
    path = "/ricerca.asp"

    def parse(self, response):
        address = response.urljoin("/risultati.asp")
        for director in self.directors:
            fields = {"titolo": "", "regista": director, "genere": "", "supporto": ""}
            yield FormRequest(address, method="GET", formdata=fields, callback=self.films)

    def films(self, response):
        for row in response.css("table[bordercolor] tr")[1:]:
            cells = row.css("td").xpath("normalize-space()").getall()
            yield dict(zip(("title", "director", "year", "genre", "medium"), cells, strict=False))
        further = response.xpath("//a[starts-with(., 'Successiva')]/@href").get()
        if further:
            yield response.follow(further, self.films)


class Filmbase(FilmSpider):
    """Cards: the token is in the form."""

    name = "filmbase"
    path = "/search"

    def parse(self, response):
        token = response.css("[name=csrf_token]::attr(value)").get()
        names = ("title", "genre", "rating", "year_from", "year_to", "website")
        fields = {"csrf_token": token, **dict.fromkeys(names, "")}
        for director in self.directors:
            formdata = {**fields, "director": director}
            yield FormRequest(response.url, formdata=formdata, callback=self.films)

    def films(self, response):
        for card in response.css("article"):
            terms = [term.lower() for term in card.css("dt::text").getall()]
            film = {"title": card.css("h3 a::text").get(), "url": card.css("h3 a").attrib["href"]}
            yield {**film, **dict(zip(terms, card.css("dd::text").getall(), strict=True))}
        further = response.css("a[rel=next]::attr(href)").get()
        if further:
            yield response.follow(further, self.films)


class Reelfinder(FilmSpider):
    """A page of a script: its JSON is asked for at first hand."""

    name = "reelfinder"
    path = "/find"

    def parse(self, response):
        for director in self.directors:
            yield self.ask(response, {"director": director, "offset": 0})

    def ask(self, response, asked):
        address = response.urljoin("/api/films")
        return JsonRequest(address, data=asked, callback=self.films, cb_kwargs={"asked": asked})

    def films(self, response, asked):
        found = response.json()
        for item in found["items"]:
            yield {"title": item["name"], **item}
        offset = found["offset"] + len(found["items"])
        if offset < found["total"]:
            yield self.ask(response, {**asked, "offset": offset})


class Studioarchive(FilmSpider):
    """Two lists, the second made from the first."""

    name = "studioarchive"
    path = "/catalogue"

    def parse(self, response):
        for distributor in response.css("#distributor option::attr(value)").getall()[1:]:
            asked = {"distributor": distributor}
            yield FormRequest(
                response.urljoin("/catalogue/directors"), method="GET", formdata=asked,
                callback=self.directors_of, cb_kwargs=asked,
            )  # fmt: skip

    def directors_of(self, response, distributor):
        for director in set(response.json()["directors"]) & set(self.directors):
            fields = {"distributor": distributor, "director": director, "title": ""}
            yield FormRequest(
                response.urljoin("/catalogue/results"), method="GET",
                formdata={**fields, "from": "", "to": ""}, callback=self.films,
            )  # fmt: skip

    def films(self, response):
        for item in response.css("ol.films li"):
            lines = dict(line.split(": ", 1) for line in item.css("span::text").getall())
            yield {"title": item.css("strong::text").get(), **lines}
        further = response.css("p.pages b + a::attr(href)").get()
        if further:
            yield response.follow(further, self.films)


def main():
    """Crawl the sites of the work that is given, all at once."""
    work = json.loads(Path(sys.argv[1]).read_text())
    process = CrawlerProcess(SETTINGS)
    for spider in (Cineteca, Filmbase, Reelfinder, Studioarchive):
        if spider.name in work["sites"]:
            url = work["sites"][spider.name]
            process.crawl(spider, url=url, directors=work["directors"])
    process.start()


if __name__ == "__main__":
    main()
