"""Whole crawls of sites whose answers are hard to judge, go on elsewhere, or never end."""

from __future__ import annotations

import json
from itertools import count

import pytest
from warcio.archiveiterator import ArchiveIterator

from hiwe.crawl.reanalyse import reanalyse
from hiwe.report.html import write_html
from hiwe.report.summary import write_summary
from hiwe.repository.warc_reader import archive_files, read_exchange
from tests.cases.kit import (
    archived,
    chosen,
    genre_form,
    genre_options,
    ids,
    of_genre,
    of_year,
    options,
    queries,
    strict,
    verdict_of,
    year_form,
)
from tests.catalogue import EMPTY_PAGE, LANGUAGES, RECORDS, having, hits, list_page
from tests.crawling import crawl
from tests.served import Reply, Served, redirect, refused

pytestmark = pytest.mark.browser

SIX = [1, 3, 5, 9, 10, 12]  # science fiction and poetry
ALL = list(range(1, 13))
ALL_FORM = """<form action="/find"><label>Genre <select name="g">
  <option value="all">All genres</option></select></label><button>Find</button></form>"""
LINKS = (
    "<ul>" + "".join(f'<li><a href="/l/{n}">Shelf number {n}</a></li>' for n in range(8)) + "</ul>"
)


def test_recommended_items_on_an_empty_answer_are_no_hits(browsing, tmp_path):
    def find(request):
        if request.value("g") != "tr":
            return of_genre(request)
        liked = hits(r for r in RECORDS if r.id in (2, 4, 6, 7, 8))
        return f'{EMPTY_PAGE}<h2>You may like</h2><ol class="hits">{liked}</ol>'

    with Served({"/": genre_form("sf", "tr", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url, lvs={"learn": True})
    told = verdict_of(result)
    assert told[("Travel",)][0] == "no_results"
    assert sorted(result.verdicts) == ["no_results", "results", "results"]
    assert ids(result) == SIX
    assert strict(result) == pytest.approx(2 / 3)


def missing_page(request):
    """What the site says to every address that it does not know."""
    return f"<h1>We cannot find this page</h1>{LINKS}"


def odd_missing_page(request):
    """The same in words that no list of phrases holds."""
    return f"<h1>Nusquam haec pagina iacet</h1><p>Redi ad initium bibliothecae nostrae.</p>{LINKS}"


@pytest.mark.parametrize("missing", [missing_page, odd_missing_page], ids=["known", "unknown"])
def test_a_missing_page_at_status_200_is_an_error(browsing, tmp_path, missing):
    def find(request):
        return missing(request) if request.value("g") == "hi" else of_genre(request)

    routes = {"/": genre_form("sf", "hi", "po"), "/find": find, "/robots.txt": refused(404)}
    with Served(routes, any_path=missing) as site:
        result = crawl(browsing, tmp_path, site.url)
        ours = {"/", "/find", "/robots.txt", "/favicon.ico"}
        assert len([r for r in site.log if r.path not in ours]) <= 2
    told = verdict_of(result)
    assert told[("History",)] == ("error", "missing page")
    assert sorted(result.verdicts) == ["error", "results", "results"]
    assert ids(result) == SIX
    again = {r.key: r.judgement.verdict for r in reanalyse(result.out / "warc")}
    assert again == {s.key: s.judgement.verdict for s in result.sent}


def test_an_error_text_at_status_200_and_hits_at_status_500_are_errors(browsing, tmp_path):
    def find(request):
        if request.value("g") == "hi":
            return (
                "<h1>Results</h1><p>Internal failure: cannot open cursor (code 1403). "
                "Please contact the administrator.</p>"
            )
        return Reply(of_genre(request), 500 if request.value("g") == "co" else 200)

    with Served({"/": genre_form("sf", "hi", "co", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        sent = queries(site.to("/find"))
        assert sent.count("g=hi") <= 2
        assert sent.count("g=sf") == sent.count("g=po") == 1
    told = verdict_of(result)
    assert (told[("History",)][0], told[("Cookery",)][0]) == ("error", "error")
    assert strict(result) == 0.5
    assert ids(result) == SIX
    cookery = next(s for s in result.sent if s.assignment.bindings[0].value == "Cookery")
    assert any(e.name == "list_markup" for e in cookery.judgement.evidence)
    assert b"Le Pain du Nord" in read_exchange(result.out / "warc", cookery.archived[0]).body


def test_the_form_page_that_comes_back_is_neither_results_nor_none(browsing, tmp_path):
    page = genre_form("sf", "hi", "po")

    def find(request):
        return page if request.value("g") == "hi" else of_genre(request)

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    told = verdict_of(result)
    assert told[("History",)] == ("same_page", "form came back")
    assert len(result.forms) == 1
    assert strict(result) == pytest.approx(2 / 3)
    assert ids(result) == SIX


def test_answers_written_into_the_same_page_are_kept_apart(browsing, tmp_path):
    page = f"""<form onsubmit="go();return false"><label>Genre <select id="g">
      {genre_options("sf", "tr", "hi", "po")}</select></label><button>Find</button></form>
      <div id="out"></div><script>async function go() {{
      const t = await (await fetch('/part?g=' + g.value)).text();
      setTimeout(() => {{ out.innerHTML = t; }}, 700); }}</script>"""

    def part(request):
        found = having(genre=request.value("g"))
        return (
            f'<ol class="hits">{hits(found)}</ol>'
            if found
            else ("<p>No records matched your search.</p>")
        )

    with Served({"/": page, "/part": part}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/part")) == ["g=hi", "g=po", "g=sf", "g=tr"]
        asked = [r.url for r in archived(result) if r.kind == "response" and "/part" in r.url]
        assert sorted(asked) == sorted(site.at(f"/part?g={g}") for g in ("sf", "tr", "hi", "po"))
    told = {values[0]: verdict for values, (verdict, _) in verdict_of(result).items()}
    assert told == {
        "Science fiction": "results", "Travel": "no_results", "History": "results",
        "Poetry": "results",
    }  # fmt: skip
    assert {s.assignment.bindings[0].value: s.records for s in result.sent} == {
        "Science fiction": 4, "Travel": 0, "History": 3, "Poetry": 2,
    }  # fmt: skip
    assert len(ids(result)) == 9


def test_hits_that_come_by_scrolling_belong_to_the_one_submission(browsing, tmp_path):
    def find(request):
        first = hits(RECORDS[:4])
        return f"""<h1>Results</h1><ol class="hits" style="line-height:300px">{first}</ol><script>
          let n = 4, busy; onscroll = async () => {{ if (busy || n >= 12
          || innerHeight + scrollY < document.body.scrollHeight - 50) return; busy = 1;
          await new Promise(r => setTimeout(r, 500));
          document.querySelector('.hits').insertAdjacentHTML('beforeend',
          await (await fetch('/more?g=all&from=' + n)).text()); n += 4; busy = 0; }};</script>"""

    def more(request):
        start = int(request.value("from"))
        last = "<p>End of list</p>" if start >= 8 else ""
        return hits(RECORDS[start : start + 4]) + last

    with Served({"/": ALL_FORM, "/find": find, "/more": more}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert [r.value("from") for r in site.to("/more")] == ["4", "8"]
    assert result.verdicts == ["results"]
    assert ids(result) == ALL


def test_a_button_that_shows_more_hits_is_pressed_until_there_are_none(browsing, tmp_path):
    def find(request):
        return f"""<h1>Results</h1><ol class="hits">{hits(RECORDS[:5])}</ol>
          <button id="more" type="button">Show more</button><script>let n = 5;
          more.onclick = async () => {{ document.querySelector('.hits').insertAdjacentHTML(
          'beforeend', await (await fetch('/more?from=' + n)).text()); n += 5;
          if (n >= 12) more.remove(); }};</script>"""

    def more(request):
        start = int(request.value("from"))
        return hits(RECORDS[start : start + 5])

    with Served({"/": ALL_FORM, "/find": find, "/more": more}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert [r.value("from") for r in site.to("/more")] == ["5", "10"]
    assert result.verdicts == ["results"]
    assert ids(result) == ALL


def test_a_pager_of_small_post_forms_is_followed_and_is_no_search_form(browsing, tmp_path):
    tickets = []

    def page(number):
        tickets.append(f"t{len(tickets)}")
        pagers = "".join(
            '<form action="/page" method="post"><input type="hidden" name="ticket" '
            f'value="{tickets[-1]}"><input type="hidden" name="p" value="{n}">'
            f"<button>{n}</button></form>"
            for n in (1, 2, 3)
            if n != number
        )
        found = hits(RECORDS[5 * (number - 1) : 5 * number])
        return f'<h1>Results</h1><ol class="hits">{found}</ol>{pagers}'

    def turn(request):
        if request.value("ticket") != tickets[-1]:
            return refused(400)
        return page(int(request.value("p")))

    form = ALL_FORM.replace("<form", '<form method="post"')
    routes = {"/": form, "POST /find": lambda request: page(1), "POST /page": turn}
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert [r.value("p") for r in site.to("/page")] == ["2", "3"]
        assert len(site.to("/find")) == 1
    assert result.verdicts == ["results"]
    assert ids(result) == ALL
    assert len(chosen(result)) == 1
    posts = [r.body for r in archived(result) if r.kind == "request" and r.line.startswith("POST")]
    assert posts[0] == b"g=all"
    assert [body.rpartition(b"=")[2] for body in posts[1:]] == [b"2", b"3"]


def test_a_capped_answer_is_narrowed_until_all_is_seen(browsing, tmp_path):
    page = f"""<form action="/find"><label>Genre <select name="g"><option value="">any</option>
      {genre_options("sf", "hi", "co", "po")}</select></label><label>Language <select name="l">
      <option value="">any</option>{options((c, LANGUAGES[c]) for c in ("en", "fr"))}</select>
      </label><button>Find</button></form>"""

    def find(request):
        found = having(genre=request.value("g"), language=request.value("l"))
        if len(found) <= 5:
            return list_page(found)
        return (
            f"<h1>Results</h1><p>Showing 5 of {len(found)}, please narrow your search</p>"
            f'<ol class="hits">{hits(found[:5])}</ol>'
        )

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    english = next(
        s for s in result.sent if [b.value for b in s.assignment.bindings] == ["English"]
    )
    assert str(english.judgement.verdict) == "results"
    assert english.judgement.truncated
    assert english.records == 5
    assert ids(result) == ALL
    assert "cut off" in write_html(result.out).read_text(encoding="utf-8")
    summary = json.loads(write_summary(result.out).read_text(encoding="utf-8"))
    assert summary["totals"]["truncated"] == 1


def test_a_single_hit_may_be_sent_to_its_own_page(browsing, tmp_path):
    choices = options([("fr", "French"), ("de", "German"), ("ru", "Russian"), ("it", "Italian")])
    page = (
        f'<form action="/find"><label>Language <select name="l">{choices}</select></label>'
        "<button>Find</button></form>"
    )

    def find(request):
        found = having(language=request.value("l")) if request.value("l") else []
        return redirect(f"/item/{found[0].id}") if len(found) == 1 else list_page(found)

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        redirects = [
            r for r in archived(result) if r.kind == "response" and " 302 " in f"{r.line} "
        ]
        assert [r.url for r in redirects] == [site.at("/find?l=ru")]
    told = {values[0]: verdict for values, (verdict, _) in verdict_of(result).items()}
    assert told == {
        "French": "results", "German": "results", "Russian": "results", "Italian": "no_results",
    }  # fmt: skip
    russian = next(s for s in result.sent if s.assignment.bindings[0].value == "Russian")
    assert (russian.records, strict(result)) == (1, 0.75)
    assert ids(result) == [r.id for r in RECORDS if r.language != "en"]


def test_filter_links_are_no_pager_and_their_addresses_are_capped(browsing, tmp_path):
    def find(request):
        path = request.target if request.query else request.target + "?"
        tags = "".join(
            f'<a href="{path.replace("&", "&amp;")}&amp;f[]=t{n}">tag {n}</a> '
            for n in range(1, 21)
        )
        found = having(genre=request.value("g")) if request.value("g") else []
        return f'<h1>Results</h1><ol class="hits">{hits(found)}</ol>{tags}'

    page = genre_form("sf", "po") + '<p><a href="/find?g=sf">All science fiction</a></p>'
    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/find")) < 40
    assert result.status == "finished"
    assert result.verdicts == ["results"] * 2
    assert ids(result) == SIX
    report = write_html(result.out).read_text(encoding="utf-8")
    assert "/find?(filters)" in report
    assert "Traps closed" in report


def test_an_answer_that_is_a_file_to_save_is_read(browsing, tmp_path):
    def find(request):
        rows = [
            f'{r.id},"{r.title}","{r.author}",{r.year}\n' for r in having(genre=request.value("g"))
        ]
        return Reply(
            "id,title,author,year\n" + "".join(rows),
            content_type="text/csv; charset=utf-8",
            headers=(("Content-Disposition", 'attachment; filename="hits.csv"'),),
        )

    with Served({"/": genre_form("sf", "tr", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=po", "g=sf", "g=tr"]
    found = {
        s.assignment.bindings[0].value: (str(s.judgement.verdict), s.records) for s in result.sent
    }
    assert found == {
        "Science fiction": ("results", 4), "Travel": ("no_results", 0), "Poetry": ("results", 2),
    }  # fmt: skip
    titles = {value for r in result.records for value in r["fields"].values()}
    assert {r.title for r in RECORDS if r.id in SIX} <= titles
    files = [r for r in archived(result) if r.kind == "response" and b"id,title" in r.body]
    assert len(files) == 3
    assert all(s.duration_s < 14 for s in result.sent)  # the time-out is 15 s


def test_a_page_that_asks_to_wait_leads_to_the_answer(browsing, tmp_path):
    def find(request):
        key = f"k{request.value('g')}"
        return (
            f'<meta http-equiv="refresh" content="3;url=/res?k={key}">'
            "<p>Searching, please wait …</p>"
        )

    routes = {
        "/": genre_form("sf", "po"),
        "/find": find,
        "/res": lambda request: list_page(having(genre=request.value("k")[1:])),
    }
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=po", "g=sf"]
        assert queries(site.to("/res")) == ["k=kpo", "k=ksf"]
        asked = [r.url for r in archived(result) if r.kind == "response"]
        assert {site.at("/find?g=sf"), site.at("/res?k=ksf")} <= set(asked)
    assert result.verdicts == ["results"] * 2
    assert ids(result) == SIX


def test_posts_to_one_address_are_told_apart_by_their_bodies(browsing, tmp_path):
    page = genre_form("sf", "hi", "co", "po", attributes='action="/find" method="post"')

    def find(request):
        return of_genre(request) + '<p><a href="/find">New search</a></p>'

    routes = {"/": page + '<a href="/find">Search</a>', "POST /find": find, "GET /find": page}
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        posts = [r.body for r in site.to("/find") if r.method == "POST"]
        gets = [r for r in site.to("/find") if r.method == "GET"]
        at_find = [r for r in archived(result) if r.url == site.at("/find")]
    assert sorted(posts) == [b"g=co", b"g=hi", b"g=po", b"g=sf"]
    assert len(gets) <= 1
    kept = [r for r in at_find if r.kind == "request" and r.line.startswith("POST")]
    assert sorted(r.body for r in kept) == sorted(posts)
    assert result.verdicts == ["results"] * 4
    assert len(result.forms) == 1
    assert len(ids(result)) == 12


def test_the_archive_ties_each_post_to_its_own_answer(browsing, tmp_path):
    routes = {
        "/": genre_form("sf", "po", attributes='action="/find" method="post"'),
        "POST /find": of_genre,
        "/find": refused(405),
    }
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        answers = {}
        for submission in result.sent:
            exchanges = [
                read_exchange(result.out / "warc", ref) for ref in submission.archived[:-1]
            ]
            (post,) = [e for e in exchanges if e.url == site.at("/find")]
            assert post.method == "POST"
            answers[post.request_body] = post.body
    assert b"The Glass Orchard" in answers[b"g=sf"]
    assert b"Atlas of Quiet Rivers" in answers[b"g=po"]
    for path in archive_files(result.out / "warc"):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.content_stream().read()
    assert result.verdicts == ["results"] * 2
    assert ids(result) == SIX


def test_a_host_that_refuses_everything_is_stopped_and_later_gone_on_with(browsing, tmp_path):
    asked, closed = count(), []

    def guard(route):
        def answer(request):
            return refused(403, "No more for today.") if closed else route(request)

        return answer

    def find(request):
        if next(asked) >= 5 and not opened:
            closed.append(True)
            return refused(403, "No more for today.")
        return of_year(request)

    opened = []
    routes = {"/": guard(lambda request: year_form()), "/find": guard(find)}
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        refusals = len(site.to("/find")) - 5
        assert refusals <= 5
        assert result.status == "failed"
        assert result.sites[site.url]
        assert result.verdicts.count("results") == 5
        assert "no_results" not in result.verdicts
        closed.clear()
        opened.append(True)
        later = crawl(browsing, tmp_path, site.url)
    assert later.status == "finished"
    assert later.verdicts.count("results") == 12
    assert len(later.submissions) == 12
    assert ids(later) == ALL
