# ruff: noqa: E501 - HTML reads better unbroken
"""Names and values of fields, from all the places where pages keep them."""

from __future__ import annotations

import json

import pytest

from hiwe.response.addresses import Addresses, clean_url
from hiwe.response.detail import detail_region
from hiwe.response.reader import parse, read
from hiwe.response.significant import template_of
from tests.response.answers import SITE, Answer

FILMS = [
    ("Alien", "Ridley Scott", "1979"),
    ("The Piano", "Jane Campion", "1993"),
    ("Heat", "Michael Mann", "1995"),
]
MARKUPS = {
    "head": "<table><tr><th>Title</th><th>Director ▲</th><th>Year</th></tr>{}</table>",
    "labels": "<div>{}</div>",
    "dl": "<div>{}</div>",
    "classes": "<div>{}</div>",
    "microdata": "<div>{}</div>",
    "rdfa": "<div>{}</div>",
    "data-label": "<table>{}</table>",
}
ITEMS = {
    "head": '<tr><td><a href="/film/{n}">{t}</a></td><td>{d}</td><td>{y}</td></tr>',
    "labels": '<div class="hit"><h3><a href="/film/{n}">{t}</a></h3><p><b>Director:</b> {d}</p><p>Year: {y}</p></div>',
    "dl": '<div class="hit"><h3><a href="/film/{n}">{t}</a></h3><dl><dt>Director</dt><dd>{d}</dd><dt>Year</dt><dd>{y}</dd></dl></div>',
    "classes": '<div class="hit"><h3><a href="/film/{n}">{t}</a></h3><p class="film-director">{d}</p><span class="year">{y}</span></div>',
    "microdata": '<div class="hit" itemscope itemtype="http://schema.org/Movie"><h3 itemprop="title"><a href="/film/{n}">{t}</a></h3><p itemprop="director">{d}</p><p itemprop="year">{y}</p></div>',
    "rdfa": '<div class="hit" typeof="schema:Movie"><h3 property="schema:title"><a href="/film/{n}">{t}</a></h3><p property="schema:director">{d}</p><p property="schema:year">{y}</p></div>',
    "data-label": '<tr><td data-label="Title"><a href="/film/{n}">{t}</a></td><td data-label="Director">{d}</td><td data-label="Year">{y}</td></tr>',
}


def filled(kind, films=FILMS):
    items = "".join(ITEMS[kind].format(n=n, t=t, d=d, y=y) for n, (t, d, y) in enumerate(films, 1))
    return MARKUPS[kind].format(items)


@pytest.mark.parametrize("kind", ITEMS)
def test_fields_have_the_names_that_the_page_gives(kind):
    records = Answer(filled(kind)).records
    assert [r.url for r in records] == [f"{SITE}/film/{n}" for n in (1, 2, 3)]
    for record, (_, director, year) in zip(records, FILMS, strict=True):
        names = {name.rsplit(" ")[-1].casefold(): value for name, value in record.fields}
        assert (names["director"], names["year"]) == (director, year)


def linked(films):
    items = [
        {"@type": "ListItem", "position": n, "item": {"@type": "Movie", "name": t, "url": f"/film/{n}",
         "director": {"@type": "Person", "name": d}, "dateCreated": y,
         "offers": {"@type": "Offer", "price": 9.5, "priceCurrency": "EUR"}}}
        for n, (t, d, y) in enumerate(films, 1)
    ]  # fmt: skip
    data = {"@context": "https://schema.org", "@type": "ItemList", "itemListElement": items}
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


LINKS = (
    "<ul>"
    + "".join(f'<li><a href="/film/{n}">{t}</a></li>' for n, (t, _, _) in enumerate(FILMS, 1))
    + "</ul>"
)


def test_json_ld_names_and_completes_the_items_that_people_see():
    records = Answer(LINKS + linked(FILMS)).records
    assert [dict(r.fields) for r in records] == [
        {"Name": t, "Director": d, "Date created": y, "Price": "9.5 EUR"} for t, d, y in FILMS
    ]


def test_json_ld_of_something_else_is_left_alone():
    others = [("Ran", "Akira Kurosawa", "1985"), ("Jaws", "Steven Spielberg", "1975")]
    script = linked(others).replace("/film/", "/other/")
    records = Answer(LINKS + script).records
    assert [dict(r.fields) for r in records] == [{"Title": t} for t, _, _ in FILMS]


def test_broken_json_ld_is_no_error():
    records = Answer(LINKS + '<script type="application/ld+json">{"@graph": [</script>').records
    assert len(records) == len(FILMS)


def test_pictures_that_differ_are_a_field_and_icons_are_not():
    item = (
        '<div class="hit"><img src="/icon.png"><h3><a href="/film/{n}">{t}</a></h3><p>{d}</p></div>'
    )
    icons = "".join(item.format(n=n, t=t, d=d) for n, (t, d, _) in enumerate(FILMS, 1))
    posters = icons
    for n in (1, 2, 3):
        posters = posters.replace('src="/icon.png"', f'src="data:," data-src="/poster/{n}.jpg"', 1)
    assert all("Image" not in dict(r.fields) for r in Answer(icons).records)
    images = [dict(r.fields)["Image"] for r in Answer(posters).records]
    assert images == [f"{SITE}/poster/{n}.jpg" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "markup",
    [
        '<div itemscope itemtype="https://schema.org/Movie"><b itemprop="director">Jane Campion</b><i itemprop="year">1993</i></div>',
        '<div typeof="Movie"><b property="director">Jane Campion</b><i property="year">1993</i></div>',
        '<p>A film.</p><script type="application/ld+json">{"@type": "Movie", "director": {"name": "Jane Campion"}, "year": 1993}</script>',
        "<dl><dt>Director</dt><dd>Jane Campion</dd><dt>Year</dt><dd>1993</dd></dl>",
        "<table><tr><th>Director</th><td>Jane Campion</td></tr><tr><th>Year</th><td>1993</td></tr></table>",
        "<ul><li>Director: Jane Campion</li><li>Year: 1993</li></ul>",
    ],
    ids=["microdata", "rdfa", "json-ld", "dl", "table", "list"],
)
def test_the_page_of_one_item_is_read_however_it_names_its_fields(markup):
    url = f"{SITE}/film/2"
    document = read(parse(f"<h1>The Piano</h1>{markup}"))
    region = detail_region(document, template_of(None), url, Addresses(url, ()))
    assert region is not None
    assert dict(region.records[0].fields) == {
        "Title": "The Piano",
        "Director": "Jane Campion",
        "Year": "1993",
    }


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("http://h.org/C%27era?b=1&a=2", "http://h.org/C%27era?b=1&a=2"),
        ("http://h.org/x;jsessionid=1A2B?id=3&utm_source=n", "http://h.org/x?id=3"),
        ("http://h.org/#/item/4", "http://h.org/#/item/4"),
        ("http://h.org/x#part", "http://h.org/x"),
    ],
)
def test_an_address_stays_as_the_page_links_it(given, kept):
    assert clean_url(given) == kept
