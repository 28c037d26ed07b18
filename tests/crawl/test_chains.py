"""Forms in several steps: other shapes than a list after a list."""

from __future__ import annotations

import pytest

from tests.cases.kit import chosen, genre_form, genre_options, ids, options
from tests.catalogue import FORMATS, RECORDS, having, list_page
from tests.crawling import crawl, read_back
from tests.served import Served, refused

pytestmark = pytest.mark.browser

FIRST = genre_form("sf", "hi", attributes='action="/second"').replace("Find", "Next")


def test_a_second_step_with_a_text_box_takes_the_tables_values(browsing, tmp_path):
    def second(request):
        return (
            '<h1>Who wrote it?</h1><form action="/find"><input type="hidden" name="g" '
            f'value="{request.value("g")}"><label>Author <input name="a"></label>'
            "<button>Search</button></form>"
        )

    def find(request):
        if not request.value("g"):
            return refused(400)
        return list_page(having(genre=request.value("g"), author=request.value("a")))

    table = {"Author": ["Ida Fenwick", "Omar Velt"]}
    with Served({"/": FIRST, "/second": second, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table)
        sent = sorted((r.value("g"), r.value("a")) for r in site.to("/find"))
    assert sent == sorted((g, a) for g in ("sf", "hi") for a in table["Author"])
    assert result.verdicts.count("results") == 2
    assert set(result.verdicts) == {"results", "no_results"}
    assert ids(result) == [1, 2, 3, 6, 10]


def test_three_steps_are_gone_through_one_after_the_other(browsing, tmp_path):
    def hidden(request, *names):
        return "".join(
            f'<input type="hidden" name="{n}" value="{request.value(n)}">' for n in names
        )

    def second(request):
        found = {r.format for r in having(genre=request.value("g"))}
        choices = options((code, FORMATS[code]) for code in sorted(found))
        return (
            f'<form action="/third" method="post">{hidden(request, "g")}<label>Format '
            f'<select name="f">{choices}</select></label><button>Next</button></form>'
        )

    def third(request):
        found = having(genre=request.value("g"), format=request.value("f"))
        choices = options((name, name) for name in sorted({r.author for r in found}))
        return (
            f'<form action="/find" method="post">{hidden(request, "g", "f")}<label>Author '
            f'<select name="a">{choices}</select></label><button>Find</button></form>'
        )

    def find(request):
        if request.method != "POST":
            return refused(405)
        found = having(
            genre=request.value("g"), format=request.value("f"), author=request.value("a")
        )
        return list_page(found) if found else refused(400)

    routes = {"/": FIRST, "/second": second, "POST /third": third, "/find": find}
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        chains = {(r.value("g"), r.value("f"), r.value("a")) for r in site.to("/find")}
    wanted = {(r.genre, r.format, r.author) for r in RECORDS if r.genre in ("sf", "hi")}
    assert chains == wanted
    assert result.verdicts == ["results"] * len(wanted)
    assert ids(result) == [r.id for r in RECORDS if r.genre in ("sf", "hi")]


def test_a_form_with_a_page_of_its_own_is_no_further_step(browsing, tmp_path):
    advanced = (
        '<h1>Advanced search</h1><form action="/seek"><label>Author <input name="a"></label>'
        '<label>Year <input name="y"></label><button>Search</button></form>'
    )
    quick = '<form action="/find"><label>Title <input name="t"></label><button>Go</button></form>'

    def seek(request):
        return list_page(having(author=request.value("a"), year=request.value("y")))

    routes = {
        "/": quick + '<a href="/advanced">Advanced search</a>',
        "/advanced": advanced,
        "/find": advanced,
        "/seek": seek,
    }
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert site.to("/seek")
    assert {f.form.action.rpartition("/")[2] for f in chosen(result)} == {"find", "seek"}
    assert len(result.forms) == 2


def test_an_interrupted_chain_goes_on_in_a_later_run(browsing, tmp_path):
    def second(request):
        return (
            f'<form action="/find" method="post"><label>Author <select name="a">'
            f"{options((n, n) for n in ('Ida Fenwick', 'Kai Morrow'))}</select></label>"
            "<button>Find</button></form>"
        )

    def find(request):
        return list_page(having(author=request.value("a")))

    first = f"""<form action="/second"><label>Genre <select name="g">{genre_options("sf")}</select>
      </label><button>Next</button></form>"""
    with Served({"/": first, "/second": second, "/find": find}) as site:
        crawl(browsing, tmp_path, site.url, budget={"submissions_per_form": 1})
        assert len(site.to("/find")) == 1
        later = crawl(browsing, tmp_path, site.url)
        assert sorted(r.value("a") for r in site.to("/find")) == ["Ida Fenwick", "Kai Morrow"]
    assert later.verdicts == ["results"] * 2
    assert ids(read_back(later.out)) == [1, 3, 10, 12]
