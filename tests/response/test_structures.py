# ruff: noqa: E501 - HTML and sentences of many languages read better unbroken
"""Hits in the many structures that sites give them, and lists that are no hits."""

from __future__ import annotations

import pytest

from hiwe.response.verdict import FormKnowledge
from tests.response.answers import BOOKS, SITE, Answer

FILMS = [
    ("Alien", "Ridley Scott", "1979"),
    ("Blade Runner", "Ridley Scott", "1982"),
    ("The Piano", "Jane Campion", "1993"),
    ("Heat", "Michael Mann", "1995"),
]
MENU = (
    '<div id="menu"><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/about">About us</a>'
    '</li><li><a href="/contact">Contact</a></li></ul></div>'
)
FOOT = '<div class="footer"><ul><li><a href="/terms">Terms</a></li><li><a href="/privacy">Privacy</a></li></ul></div>'
SHELL = (
    MENU
    + "<h1>Search the film archive</h1><form action='/find'><input name='g'><button>Go</button></form>{}"
    + FOOT
)


def each(template, films=FILMS, first=1):
    return "".join(template.format(n=n, t=t, d=d, y=y) for n, (t, d, y) in enumerate(films, first))


CARDS = '<div class="card"><h3><a href="/film/{n}">{t}</a></h3><p class="director">{d}</p><p class="year">{y}</p></div>'
STRUCTURES = {
    "cards": each(CARDS),
    "cards in rows": f'<div class="row">{each(CARDS, FILMS[:2])}</div><div class="row">{each(CARDS, FILMS[2:], 3)}</div>',
    "list of links": "<ul>" + each('<li><a href="/film/{n}">{t}</a></li>') + "</ul>",
    "list with text": "<ol>" + each('<li><a href="/film/{n}">{t}</a> {d}, {y}</li>') + "</ol>",
    "table with head": "<table><tr><th>Title</th><th>Director</th><th>Year</th></tr>"
    + each('<tr><td><a href="/film/{n}">{t}</a></td><td>{d}</td><td>{y}</td></tr>')
    + "</table>",
    "table with thead": "<table><thead><tr><td>Title</td><td>Director</td><td>Year</td></tr></thead><tbody>"
    + each('<tr><td><a href="/film/{n}">{t}</a></td><td>{d}</td><td>{y}</td></tr>')
    + "</tbody></table>",
    "table with bold head": "<table><tr><td><b>Title</b></td><td><b>Director</b></td><td><b>Year</b></td></tr>"
    + each('<tr><td><a href="/film/{n}">{t}</a></td><td>{d}</td><td>{y}</td></tr>')
    + "</table>",
    "table without head": "<table>"
    + each('<tr><td><a href="/film/{n}">{t}</a></td><td>{d}</td><td>{y}</td></tr>')
    + "</table>",
    "definition list": "<dl>" + each('<dt><a href="/film/{n}">{t}</a></dt><dd>{d}, {y}</dd>') + "</dl>",
    "headings and paragraphs": "<div>" + each('<h3><a href="/film/{n}">{t}</a></h3><p>{d}, made in {y}</p>') + "</div>",
    "paragraphs": "<div>" + each('<p><a href="/film/{n}">{t}</a><br>Director: {d}<br>Year: {y}</p>') + "</div>",
    "articles": each('<article><header><h2><a href="/film/{n}">{t}</a></h2></header><p>A film by {d} of {y}.</p></article>'),
    "links that are cards": '<div class="grid">' + each('<a href="/film/{n}"><h4>{t}</h4><span>{d}</span><span>{y}</span></a>') + "</div>",
    "a table each": each('<table class="film"><tr><td>Title:</td><td><a href="/film/{n}">{t}</a></td></tr><tr><td>Director:</td><td>{d}</td></tr></table>'),
    "layout table": "<table><tr><td>"
    + "<table>"
    + each('<tr><td>{n}.</td><td><a href="/film.php?id={n}">{t}</a><br>{d}</td><td>{y}</td></tr>')
    + "</table></td></tr></table>",
    "sections with pairs": each('<section><h2><a href="/film/{n}">{t}</a></h2><dl><dt>Director</dt><dd>{d}</dd><dt>Year</dt><dd>{y}</dd></dl></section>'),
    "plain divs": '<div>' + each('<div><div><a href="/film/{n}">{t}</a></div><div>{d}</div><div>{y}</div></div>') + '</div>',
    "no links": '<ul class="results">' + each('<li><b>{t}</b> ({y}), {d}</li>') + "</ul>",
    "a big form round all": "<form action='/del'>" + "<table><tr><th></th><th>Title</th><th>Year</th></tr>"
    + each('<tr><td><input type="checkbox" name="sel" value="{n}"></td><td><a href="/film/{n}">{t}</a></td><td>{y}</td></tr>') + "</table></form>",
    "two rows an item": "<table>" + each('<tr><td class="t"><a href="/film/{n}">{t}</a></td></tr><tr><td class="d">{d}, {y}</td></tr>') + "</table>",
}  # fmt: skip


@pytest.mark.parametrize("body", STRUCTURES.values(), ids=STRUCTURES)
@pytest.mark.parametrize("counted", ["", "<p>4 films found</p>"], ids=["uncounted", "counted"])
def test_every_structure_yields_its_records(body, counted):
    answer = Answer(SHELL.format(counted + body), form_html=SHELL.format(""))
    assert answer.verdict == "results"
    assert len(answer.records) == len(FILMS)
    for record, (title, director, year) in zip(answer.records, FILMS, strict=True):
        text = " ".join(value for _, value in record.fields)
        assert title in text
        assert director in text or year in text or director not in body
        assert record.url is None or record.url.startswith(SITE + "/film")
    if "href" in body:
        assert all(answer.urls)
        assert len({record.key for record in answer.records}) == len(FILMS)


ONE = [FILMS[0]]
LONE = {
    "cards": each(CARDS, ONE),
    "list with text": "<ol>" + each('<li><a href="/film/{n}">{t}</a> {d}, {y}</li>', ONE) + "</ol>",
    "table with head": "<table><tr><th>Title</th><th>Director</th><th>Year</th></tr>"
    + each('<tr><td><a href="/film/{n}">{t}</a></td><td>{d}</td><td>{y}</td></tr>', ONE)
    + "</table>",
    "articles": each(
        '<article><header><h2><a href="/film/{n}">{t}</a></h2></header><p>A film by {d} of {y}.</p></article>',
        ONE,
    ),
    "no links": '<ul class="results">' + each("<li><b>{t}</b> ({y}), {d}</li>", ONE) + "</ul>",
}


@pytest.mark.parametrize("body", LONE.values(), ids=LONE)
def test_one_hit_is_found_where_the_site_counts_one(body):
    answer = Answer(SHELL.format("<p>1 film found</p>" + body), form_html=SHELL.format(""))
    assert (answer.verdict, len(answer.records)) == ("results", 1)
    assert "Alien" in " ".join(value for _, value in answer.records[0].fields)


FIELDS = {
    "cards": {"Title": "Alien", "Director": "Ridley Scott", "Year": "1979"},
    "table with head": {"Title": "Alien", "Director": "Ridley Scott", "Year": "1979"},
    "table with thead": {"Title": "Alien", "Director": "Ridley Scott", "Year": "1979"},
    "table with bold head": {"Title": "Alien", "Director": "Ridley Scott", "Year": "1979"},
    "paragraphs": {"Title": "Alien", "Director": "Ridley Scott", "Year": "1979"},
    "sections with pairs": {"Title": "Alien", "Director": "Ridley Scott", "Year": "1979"},
    "a table each": {"Title": "Alien", "Director": "Ridley Scott"},
}


@pytest.mark.parametrize("name", FIELDS)
def test_fields_have_the_names_that_the_page_gives(name):
    answer = Answer(SHELL.format(STRUCTURES[name]), form_html=SHELL.format(""))
    assert dict(answer.records[0].fields) == FIELDS[name]


NAV = '<div id="nav"><a href="/">Home</a> <a href="/about">About</a></div>'
WAYS = {
    "a list of terms each": "<dl><dt>Title</dt><dd>{t}</dd><dt>Author</dt><dd>{a}</dd><dt>Year</dt><dd>{y}</dd></dl>",
    "captions in paragraphs": "<p><b>{t}</b><br>Author: {a}<br>Year: {y}</p><hr>",
    "what unfolds": "<details><summary>{t}</summary><p>Author: {a}</p><p>Year: {y}</p></details>",
    "a table each": "<table><tr><th>Title</th><td>{t}</td></tr><tr><th>Author</th><td>{a}</td></tr><tr><th>Year</th><td>{y}</td></tr></table><br>",
}


def _books(template, *ids):
    told = [template.format(n=n, t=BOOKS[n][0], a=BOOKS[n][1], y=BOOKS[n][2]) for n in ids]
    return NAV + "".join(told)


@pytest.mark.parametrize("template", WAYS.values(), ids=WAYS.keys())
def test_hits_without_links_are_known_by_the_captions_they_share(template):
    records = Answer(_books(template, 1, 3, 10)).records
    assert len(records) == 3
    assert {"Ida Fenwick"} == {dict(record.fields).get("Author") for record in records}


def test_links_with_breaks_between_them_are_hits_with_what_follows_them():
    lines = '<div><a href="/item/1">Salt Roads</a> - Omar Velt (2003)<br><a href="/item/2">Brass Engines</a> - Omar Velt (1987)<br><a href="/item/3">Paper Suns</a> - Kai Morrow (2005)</div>'
    records = Answer(NAV + lines).records
    assert [record.url for record in records] == [SITE + f"/item/{n}" for n in (1, 2, 3)]
    assert all("Omar Velt" in str(record.fields) for record in records[:2])
    assert "Kai Morrow" in str(records[2].fields)


def test_a_head_made_of_divs_is_no_hit():
    row = '<div role="row"><span role="cell"><a href="/item/{n}">{t}</a></span><span role="cell">{a}</span></div>'
    head = '<div role="row"><span role="columnheader">Title</span><span role="columnheader">Author</span></div>'
    rows = [row.format(n=n, t=BOOKS[n][0], a=BOOKS[n][1]) for n in (2, 6)]
    assert len(Answer(f'<div role="table">{head}{rows[0]}</div>').urls) == 1
    assert Answer(f'<div role="table">{head}{"".join(rows)}</div>').urls == [
        SITE + "/item/2",
        SITE + "/item/6",
    ]


SINGLES = {
    "heading": '<h3><a href="/item/{n}">{t}</a></h3><p>by {a}, {y}</p>',
    "term": '<dt><a href="/item/{n}">{t}</a></dt><dd>{a}, {y}</dd>',
    "row": '<tr><td><input type="checkbox"></td><td><a href="/item/{n}">{t}</a><div>by {a}</div></td></tr>',
}


@pytest.mark.parametrize(("kind", "template"), SINGLES.items(), ids=SINGLES.keys())
def test_one_hit_is_known_by_the_sites_count_and_by_the_structure_of_others(kind, template):
    around = {"heading": "<div>{}</div>", "term": "<dl>{}</dl>", "row": "<table>{}</table>"}[kind]

    def page_of(*ids):
        rows = [template.format(n=n, t=BOOKS[n][0], a=BOOKS[n][1], y=BOOKS[n][2]) for n in ids]
        return NAV + around.format("".join(rows))

    counted = Answer("<p>Your search returned 1 results.</p>" + page_of(2))
    assert (counted.verdict, counted.urls) == ("results", [SITE + "/item/2"])
    first = Answer(page_of(1, 3, 10))
    known = FormKnowledge().learned(first.features, first.judgement, "a")
    answer = Answer(page_of(9), knowledge=known)
    assert (answer.verdict, answer.urls) == ("results", [SITE + "/item/9"])


def test_a_hit_of_two_rows_is_one_hit_when_it_is_alone():
    row = '<tr><td rowspan="2">1</td><td><a href="/item/{n}">{t}</a></td></tr><tr><td>{a}, {y}</td></tr>'
    table = row.format(n=12, t="Paper Suns", a="Kai Morrow", y=2005)
    assert len(Answer(f"<p>1 record found</p>{NAV}<table>{table}</table>").records) == 1
