"""Whole crawls of pages whose form is hard to find, or is one of several."""

from __future__ import annotations

import pytest

from tests.cases.kit import (
    chosen,
    element,
    genre_form,
    genre_options,
    ids,
    ids_of,
    labels,
    of_author,
    of_genre,
    only_form,
    queries,
    strict,
)
from tests.catalogue import RECORDS, list_page, titled
from tests.crawling import crawl
from tests.served import Served, refused

pytestmark = pytest.mark.browser

GENRES_FOUND = ["g=co", "g=hi", "g=po", "g=sf"]


def test_a_select_that_sends_its_form_at_a_choice_is_a_form(browsing, tmp_path):
    page = (
        '<form action="/shelf"><select name="g" onchange="this.form.submit()">'
        f'<option value="">Choose a shelf</option>{genre_options("sf", "hi", "co", "po")}'
        "</select></form>"
    )
    shelf = lambda request: of_genre(request) if request.value("g") else page  # noqa: E731
    with Served({"/": page, "/shelf": shelf}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/shelf")) == GENRES_FOUND
    form = only_form(result)
    assert (form.method, form.action) == ("GET", site.at("/shelf"))
    (genre,) = form.elements
    assert (genre.label, genre.label_source) == ("shelf", "option")
    assert [o.value for o in genre.options] == ["sf", "hi", "co", "po"]
    assert strict(result) == 1.0
    assert ids(result) == list(range(1, 13))


def test_controls_that_act_together_are_a_form_without_a_form_element(browsing, tmp_path):
    page = """<div class="search"><span>Title</span> <input id="tw"> <button type="button"
      onclick="location='/find?q='+encodeURIComponent(document.getElementById('tw').value)">
      Search</button></div>"""

    def find(request):
        word = request.value("q").lower()
        return list_page(r for r in RECORDS if word and word in r.title.lower())

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["q=Brass", "q=Glass", "q=Moons", "q=Salt"]
    form = only_form(result)
    assert (form.dom_form, labels(form)) == (None, {"tw": "Title"})
    assert result.verdicts == ["results"] * 4
    assert ids(result) == [1, 2, 3, 6]


def test_a_form_closed_early_by_its_table_keeps_its_controls(browsing, tmp_path):
    page = """<table><form action="/find"><tr><td>Title</td><td><input name="t"></td></tr>
      <tr><td>Year</td><td><select name="y"><option value="">any<option>1994<option>2003
      <option>2011</select></td></tr>
      <tr><td colspan="2"><input type="submit" value="Find"></td></tr></form></table>"""

    def find(request):
        return list_page(
            r for r in titled(request.value("t")) if request.value("y") in ("", str(r.year))
        )

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert all(set(r.values) == {"t", "y"} for r in site.to("/find"))
    form = only_form(result)
    assert len(result.forms) == 1
    assert labels(form) == {"t": "Title", "y": "Year"}
    assert [o.label for o in element(form, "y").options] == ["1994", "2003", "2011"]
    assert len(form.submitters) == 1
    assert "results" in result.verdicts
    assert {1, 2, 3, 6} <= set(ids(result))


def test_all_elements_of_a_table_form_are_bound_in_the_papers_order(browsing, tmp_path):
    page = """<table><form action="/find"><tr><td>Title</td><td><input name="t"></td></tr>
      <tr><td>Year</td><td><select name="y"><option value="">any<option>1994</select></td></tr>
      <tr><td><input type="submit" value="Find"></td></tr></form></table>"""

    def find(request):
        return list_page(
            r for r in titled(request.value("t")) if request.value("y") in ("", str(r.year))
        )

    with Served({"/": page, "/find": find}) as site:
        result = crawl(
            browsing, tmp_path, site.url, table={"Title": ["Glass"]}, ranking={"order": "paper"}
        )
        assert [r.query for r in site.to("/find")] == ["t=Glass&y=1994"]
    assert (result.verdicts, ids(result)) == (["results"], [1])


def test_a_button_elsewhere_sends_the_form_it_names(browsing, tmp_path):
    page = """<form id="f" action="/find"><label>Author <input name="a"></label></form>
      <p>Twelve volumes are out today.</p>
      <button form="f" name="view" value="list">Show list</button>"""

    def find(request):
        return of_author(request) if request.value("view") == "list" else refused(400)

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert all(r.query.endswith("&view=list") for r in site.to("/find"))
        assert len(site.to("/find")) == 4
    form = only_form(result)
    assert labels(form) == {"a": "Author"}
    assert [s.text for s in form.submitters] == ["Show list"]
    assert result.verdicts == ["results"] * 4
    assert ids(result) == ids_of("Ida Fenwick", "Omar Velt", "Claire Aubry", "Lena Storm")


def test_only_the_search_form_among_several_is_sent(browsing, tmp_path):
    page = (
        '<form action="/login" method="post"><input name="user"><input name="pw" type="password">'
        '<button>Log in</button></form><form action="/join" method="post">'
        '<input name="mail" type="email"><button>Subscribe</button></form>'
        + genre_form("sf", "hi", "co", "po")
    )
    with Served({"/": page, "/find": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert site.to("/login") == site.to("/join") == []
        assert queries(site.to("/find")) == GENRES_FOUND
    reasons = {f.form.action.rpartition("/")[2]: f.reason for f in result.forms}
    assert set(reasons) == {"login", "join", "find"}
    assert reasons["login"] == "login"
    assert reasons["join"] in ("subscription", "newsletter", "contact")
    assert result.verdicts == ["results"] * 4
    assert len(ids(result)) == 12


def test_a_form_that_stands_twice_is_sent_once(browsing, tmp_path):
    copy = (
        f'<form action="/find"><label for="g">Genre</label><select id="g" name="g">'
        f"{genre_options('sf', 'po')}</select><button>Go</button></form>"
    )
    style = (
        "<style>.narrow{display:none} @media(max-width:500px){.narrow{display:block}"
        ".wide{display:none}}</style>"
    )
    page = f'{style}<div class="narrow">{copy}</div><div class="wide">{copy}</div>'
    with Served({"/": page, "/find": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=po", "g=sf"]
    assert only_form(result).visible
    assert ids(result) == [1, 3, 5, 9, 10, 12]


def test_a_form_in_a_frame_is_used_through_the_outer_page(browsing, tmp_path):
    def pane(request):
        return genre_form("sf", "co") if request.header("referer") else refused(403)

    routes = {
        "/": '<h1>Catalogue</h1><iframe src="/pane" width="600" height="400"></iframe>',
        "/pane": pane,
        "/find": of_genre,
    }
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=co", "g=sf"]
        assert all(r.header("referer") for r in site.to("/pane"))
    assert result.verdicts == ["results"] * 2
    assert len(ids(result)) == 7


def test_a_form_in_an_open_shadow_root_is_found_and_sent(browsing, tmp_path):
    page = """<book-search></book-search><script>customElements.define('book-search', class extends
      HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML =
      '<form action="/find"><label for="a">Author</label><input id="a" name="a">' +
      '<button>Find</button></form>'; } });</script>"""
    with Served({"/": page, "/find": of_author}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/find")) == 4
    assert labels(only_form(result)) == {"a": "Author"}
    assert result.verdicts == ["results"] * 4
    assert len(ids(result)) == 9


def test_a_form_is_described_once_its_script_has_enabled_it(browsing, tmp_path):
    page = """<form action="/find"><fieldset id="fs" disabled><label>Genre
      <select name="g" id="g"></select></label><button>Search</button></fieldset>
      <input name="promo" value="none" disabled></form>
      <script>setTimeout(() => { for (const [v, t] of [['sf','Science fiction'],['hi','History'],
      ['co','Cookery'],['po','Poetry']]) g.add(new Option(t, v)); fs.disabled = false; }, 800);
      </script>"""

    def find(request):
        return refused(400) if "promo" in request.values else of_genre(request)

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == GENRES_FOUND
    assert len(element(chosen(result)[0].form, "g").options) == 4
    assert result.verdicts == ["results"] * 4
    assert len(ids(result)) == 12
