"""More shapes of the kinds of trouble with sessions and answers, each as a whole crawl."""

from __future__ import annotations

import base64
from itertools import count

import pytest

from tests.cases.kit import genre_form, genre_options, ids, of_genre, queries, verdict_of
from tests.catalogue import EMPTY_PAGE, RECORDS, having, hits, list_page
from tests.crawling import crawl
from tests.served import Reply, Served, redirect, refused

pytestmark = pytest.mark.browser

SIX = [1, 3, 5, 9, 10, 12]
ALL = list(range(1, 13))
FOUR = ("sf", "hi", "co", "po")


def test_a_session_number_in_the_path_makes_nothing_new(browsing, tmp_path):
    numbers = count(0xABCDEF0123456789)

    def sid():
        return f";jsessionid={next(numbers):016X}"

    def page(request):
        links = f'<a href="/about{sid()}">About</a> <a href="/{sid()}">Home</a>'
        return genre_form("sf", "po", attributes=f'action="/find{sid()}"') + links

    def find(request):
        return of_genre(request) + f'<a href="/about{sid()}">About</a>'

    def about(request):
        return f'<h1>About</h1><a href="/about{sid()}">About</a> <a href="/{sid()}">Home</a>'

    routes = {"/": page, "/find*": find, "/about*": about, "/;*": page}
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len([r for r in site.log if r.path.startswith("/find")]) == 2
        assert len([r for r in site.log if r.path.startswith("/about")]) == 1
    assert len(result.forms) == 1
    assert result.verdicts == ["results"] * 2
    assert len(result.records) == 6


def test_a_log_in_that_is_wrong_ends_the_site_soon(browsing, tmp_path):
    wanted = "Basic " + base64.b64encode(b"lib:quiet").decode()

    def page(request):
        if request.header("authorization") != wanted:
            return Reply("<p>No.</p>", 401, headers=(("WWW-Authenticate", 'Basic realm="x"'),))
        return genre_form("sf", "po")

    with Served({"/": page, "/find": of_genre}) as site:
        wrong = {"user": "lib", "password": "loud"}
        result = crawl(browsing, tmp_path, site.url, credentials=wrong)
        assert len(site.to("/")) <= 3
    assert result.status == "failed"
    assert "log-in" in result.sites[site.url]


def test_a_site_that_refuses_from_the_start_fails(browsing, tmp_path):
    with Served({"/": refused(403, "Go away."), "/find": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/")) <= 2
    assert result.status == "failed"
    assert result.sites[site.url]


@pytest.mark.parametrize(
    "text",
    ["Only the first 5 results are displayed. Please refine your search.",
     "Es werden nur die ersten 5 Treffer angezeigt."],
    ids=["english", "german"],
)  # fmt: skip
def test_a_cap_without_a_total_is_narrowed_too(browsing, tmp_path, text):
    page = f"""<form action="/find"><label>Genre <select name="g"><option value="">any</option>
      {genre_options(*FOUR)}</select></label><label>Language <select name="l"><option value="">any
      </option><option value="en">English</option></select></label><button>Find</button></form>"""

    def find(request):
        found = having(genre=request.value("g"), language=request.value("l"))
        told = f"<p>{text}</p>" if len(found) > 5 else ""
        return f'<h1>Results</h1>{told}<ol class="hits">{hits(found[:5])}</ol>'

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    english = next(
        s for s in result.sent if [b.value for b in s.assignment.bindings] == ["English"]
    )
    assert english.judgement.truncated
    assert ids(result) == ALL


@pytest.mark.parametrize(
    "page",
    [
        "<h1>0 results</h1><h2>Customers also bought</h2>",
        "<p>Ihre Suche ergab leider keine Treffer.</p><h3>Das könnte Sie interessieren</h3>",
        "<p>Aucun résultat pour votre recherche.</p><h2>Nos suggestions</h2>",
    ],
    ids=["zero", "german", "french"],
)
def test_recommended_items_of_other_words_are_no_hits(browsing, tmp_path, page):
    def find(request):
        liked = [r for r in RECORDS if r.genre == "hi"]
        if request.value("g") == "tr":
            return f'{page}<ol class="hits">{hits(liked)}</ol>'
        return of_genre(request)

    with Served({"/": genre_form("sf", "tr", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    assert verdict_of(result)[("Travel",)][0] == "no_results"
    assert ids(result) == SIX


@pytest.mark.parametrize(
    "text",
    ["Fatal error: Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused",
     "Es ist ein interner Fehler aufgetreten. Bitte versuchen Sie es später noch einmal.",
     "ORA-01000: maximum open cursors exceeded"],
    ids=["php", "german", "oracle"],
)  # fmt: skip
def test_error_texts_of_other_systems_are_errors(browsing, tmp_path, text):
    def find(request):
        return (
            f"<h1>Catalogue</h1><p>{text}</p>" if request.value("g") == "hi" else of_genre(request)
        )

    with Served({"/": genre_form("sf", "hi", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len([r for r in site.to("/find") if r.value("g") == "hi"]) <= 2
    assert verdict_of(result)[("History",)][0] == "error"
    assert ids(result) == SIX


def test_the_form_that_comes_back_with_another_time_is_the_same(browsing, tmp_path):
    clock = count(10)

    def page(request):
        return genre_form("sf", "hi", "po") + f"<footer>Page made at 12:31:{next(clock)}</footer>"

    def find(request):
        return page(request) if request.value("g") == "hi" else of_genre(request)

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    assert verdict_of(result)[("History",)][0] == "same_page"
    assert ids(result) == SIX


def test_a_post_that_leads_on_to_its_results(browsing, tmp_path):
    searches = []

    def find(request):
        searches.append(request.value("g"))
        return redirect(f"/results/{len(searches) - 1}", 303)

    def results(request):
        return list_page(having(genre=searches[int(request.path.rpartition("/")[2])]))

    page = genre_form(*FOUR, attributes='action="/find" method="post"')
    with Served({"/": page, "POST /find": find, "/results/*": results}) as site:
        result = crawl(browsing, tmp_path, site.url)
    assert sorted(searches) == sorted(FOUR)
    assert result.verdicts == ["results"] * 4
    assert [s.request[0] for s in result.sent] == ["POST"] * 4
    assert ids(result) == ALL


def test_a_script_that_writes_results_and_changes_the_address(browsing, tmp_path):
    page = f"""<form onsubmit="go(); return false"><label>Genre <select id="g">
      {genre_options("sf", "tr", "po")}</select></label><button>Find</button></form>
      <main id="out"></main><script>async function go() {{
      history.pushState({{}}, '', '/search?genre=' + g.value); out.textContent = 'Loading …';
      const rows = await (await fetch('/api?g=' + g.value)).json();
      out.innerHTML = rows.length ? '<ul>' + rows.map(r =>
      `<li><a href="/item/${{r.id}}">${{r.title}}</a> <em>${{r.author}}</em></li>`).join('') +
      '</ul>'
      : '<p>Nothing found.</p>'; }}</script>"""

    def api(request):
        rows = [
            f'{{"id": {r.id}, "title": "{r.title}", "author": "{r.author}"}}'
            for r in having(genre=request.value("g"))
        ]
        return Reply(
            f"[{', '.join(rows)}]", content_type="application/json; charset=utf-8", delay_s=0.4
        )

    with Served({"/": page, "/api": api}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/api")) == ["g=po", "g=sf", "g=tr"]
    assert verdict_of(result)[("Travel",)][0] == "no_results"
    assert result.verdicts.count("results") == 2
    assert len(result.records) == 6


def test_an_empty_answer_of_few_words_is_learned_as_such(browsing, tmp_path):
    def find(request):
        return of_genre(request) if request.value("g") != "tr" else EMPTY_PAGE

    with Served({"/": genre_form("sf", "tr", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    assert verdict_of(result)[("Travel",)][0] == "no_results"
