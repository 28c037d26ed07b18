"""Whole crawls of forms whose labels are hard to tell: what is typed shows how they were read."""

from __future__ import annotations

import pytest

from tests.cases.kit import (
    YEARS,
    element,
    genre_options,
    ids,
    ids_of,
    labels,
    only_form,
    options,
    queries,
    verdict_of,
)
from tests.catalogue import LANGUAGES, RECORDS, having, list_page, titled
from tests.crawling import BASE_TABLE, crawl
from tests.served import Served

pytestmark = pytest.mark.browser


def search(**fields):
    """A route: records by parameter -> field; 'title' by whole word; nothing for a blank query."""

    def answer(request):
        asked = {field: request.value(name) for name, field in fields.items()}
        if not any(asked.values()):
            return list_page([])
        word = asked.pop("title", "")
        return list_page(r for r in titled(word) if r in having(**asked))

    return answer


def strays(requests, name, row):
    """What went into a field and is no value of the row of the base table it belongs to."""
    return {r.value(name) for r in requests} - {"", *BASE_TABLE[row]}


def test_a_placeholder_is_a_label_where_there_is_no_other(browsing, tmp_path):
    page = """<form action="/find"><input name="f1" placeholder="Authors">
      <input name="f2" placeholder="Year"><button>Find</button></form>"""
    with Served({"/": page, "/find": search(f1="author", f2="year")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        found = site.to("/find")
        assert "f1=Omar+Velt&f2=" in queries(found)
        assert strays(found, "f1", "Author") == set()
        assert strays(found, "f2", "Year") == set()
    form = only_form(result)
    assert labels(form) == {"f1": "Authors", "f2": "Year"}
    assert element(form, "f1").label_source == "placeholder"
    assert verdict_of(result)[("Omar Velt",)][0] == "results"
    assert ids(result) == list(range(1, 13))


def test_a_caption_in_the_first_choice_is_the_label_and_no_value(browsing, tmp_path):
    def select(name, caption, choices):
        return (
            f'<select name="{name}"><option value="">-- any {caption} --</option>{choices}</select>'
        )

    page = (
        '<form action="/find">'
        + select("g", "genre", genre_options("sf", "hi", "co", "po"))
        + select("l", "language", options((c, LANGUAGES[c]) for c in ("en", "fr", "de")))
        + select("f", "format", options([("p", "Paper"), ("e", "E-book")]))
        + "<button>Show</button></form>"
    )
    with Served({"/": page, "/find": search(g="genre", l="language", f="format")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        sent = queries(site.to("/find"))
        assert {f"g={code}&l=&f=" for code in ("sf", "hi", "co", "po")} <= set(sent)
        assert "g=&l=&f=" not in sent
    form = only_form(result)
    assert labels(form) == {"g": "genre", "l": "language", "f": "format"}
    assert [len(e.options) for e in form.elements] == [4, 3, 2]
    alone = [verdict_of(result)[(g,)][0] for g in BASE_TABLE["Genre"][:4]]
    assert alone == ["results"] * 4
    assert ids(result) == list(range(1, 13))


def test_captions_of_a_header_row_belong_to_the_fields_below(browsing, tmp_path):
    page = """<form action="/find"><table><tr><th>Title</th><th>Author</th><th>Year</th></tr>
      <tr><td><input name="c1"></td><td><input name="c2"></td><td><input name="c3"></td></tr>
      <tr><td colspan="3"><button>Find</button></td></tr></table></form>"""
    with Served({"/": page, "/find": search(c1="title", c2="author", c3="year")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        found = site.to("/find")
        assert "c1=&c2=Ida+Fenwick&c3=" in queries(found)
        for name, row in (("c1", "Title"), ("c2", "Author"), ("c3", "Year")):
            assert strays(found, name, row) == set()
    assert labels(only_form(result)) == {"c1": "Title", "c2": "Author", "c3": "Year"}
    assert verdict_of(result)[("Ida Fenwick",)][0] == "results"
    assert set(ids_of("Ida Fenwick")) <= set(ids(result))


def test_the_alternative_text_of_an_image_is_a_label(browsing, tmp_path):
    page = """<form action="/find"><table>
      <tr><td><img src="/t1.png" alt="Title" width="60" height="18"></td><td><input name="x1"></td>
      </tr><tr><td><img src="/t2.png" alt="Year" width="60" height="18"></td>
      <td><input name="x2"></td></tr><tr><td></td><td><input type="submit" value="OK"></td></tr>
      </table></form>"""
    with Served({"/": page, "/find": search(x1="title", x2="year")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        found = site.to("/find")
        assert "x1=&x2=2011" in queries(found)
        assert strays(found, "x1", "Title") == set()
    assert labels(only_form(result)) == {"x1": "Title", "x2": "Year"}
    assert verdict_of(result)[("2011",)][0] == "results"
    assert 3 in ids(result)


def test_labels_in_another_script_match_by_their_characters(browsing, tmp_path):
    page = """<form action="/find" accept-charset="utf-8"><label for="a">Авторы:</label>
      <input id="a" name="a"> <label for="y">Год</label> <input id="y" name="y">
      <button>Найти</button></form>"""
    table = BASE_TABLE | {"Автор": ["Вера Лунина"], "Год": ["2014"]}
    author = "%D0%92%D0%B5%D1%80%D0%B0+%D0%9B%D1%83%D0%BD%D0%B8%D0%BD%D0%B0"
    with Served({"/": page, "/find": search(a="author", y="year")}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table)
        assert f"a={author}&y=" in queries(site.to("/find"))
    assert labels(only_form(result)) == {"a": "Авторы", "y": "Год"}
    assert verdict_of(result)[("Вера Лунина",)][0] == "results"
    assert 9 in ids(result)
    assert "Тихий берег" in [r["fields"].get("Title") for r in result.records]


def test_fields_with_one_id_get_their_labels_by_layout(browsing, tmp_path):
    page = """<form action="/find"><label for="t">Title</label> <input id="t" name="a">
      <label for="t">Author</label> <input id="t" name="b"><button>Find</button></form>"""
    with Served({"/": page, "/find": search(a="title", b="author")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        found = site.to("/find")
        assert "a=&b=Omar+Velt" in queries(found)
        assert strays(found, "a", "Title") == set()
        assert strays(found, "b", "Author") == set()
    assert labels(only_form(result)) == {"a": "Title", "b": "Author"}
    assert verdict_of(result)[("Omar Velt",)][0] == "results"


def test_radio_buttons_under_a_legend_are_one_element(browsing, tmp_path):
    page = """<form action="/find"><fieldset><legend>Format</legend>
      <label><input type="radio" name="fmt" value="p" checked> Paper</label>
      <label><input type="radio" name="fmt" value="e"> E-book</label>
      <label><input type="radio" name="fmt" value="a"> Audio</label></fieldset>
      <button>List</button></form>"""
    with Served({"/": page, "/find": search(fmt="format")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["fmt=a", "fmt=e", "fmt=p"]
    (group,) = only_form(result).elements
    assert (group.name, group.label) == ("fmt", "Format")
    assert [(o.label, o.value) for o in group.options] == [
        ("Paper", "p"), ("E-book", "e"), ("Audio", "a"),
    ]  # fmt: skip
    assert result.verdicts == ["results"] * 3
    assert len(ids(result)) == 12


def test_two_boxes_under_one_caption_are_a_range(browsing, tmp_path):
    page = """<form action="/find"><span>Year</span> from <input name="y1" size="4"> to
      <input name="y2" size="4"><button>Find</button></form>"""

    def find(request):
        low, high = request.value("y1"), request.value("y2")
        if low and high and low > high:
            return "<p>The range of years is empty: the first is after the last.</p>"
        if not (low or high):
            return list_page([])
        return list_page(r for r in RECORDS if (low or "0") <= str(r.year) <= (high or "9999"))

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        pairs = [(r.value("y1"), r.value("y2")) for r in site.to("/find")]
        assert all(low <= high for low, high in pairs if low and high)
        assert {year for pair in pairs for year in pair} - {""} <= set(YEARS)
    low, high = only_form(result).elements
    assert (low.label, high.label) == ("Year", "Year")
    assert (low.range_role, high.range_role) == ("from", "to")
    assert "results" in result.verdicts
    assert ids(result) == list(range(1, 13))


def test_marks_and_remarks_round_a_label_do_not_hide_it(browsing, tmp_path):
    page = """<form action="/find"><label for="p">* TITLE&nbsp;:</label> <input id="p" name="p">
      <label for="q">Author (optional)</label> <input id="q" name="q">
      <label for="r">  Year
         :</label> <input id="r" name="r"><button>Find</button></form>"""
    with Served({"/": page, "/find": search(p="title", q="author", r="year")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        found = site.to("/find")
        assert "p=Salt&q=&r=" in queries(found)
        for name, row in (("p", "Title"), ("q", "Author"), ("r", "Year")):
            assert strays(found, name, row) == set()
    read = {name: label.casefold() for name, label in labels(only_form(result)).items()}
    assert read == {"p": "title", "q": "author", "r": "year"}
    assert verdict_of(result)[("Salt",)][0] == "results"
    assert 2 in ids(result)
