"""Whole crawls of other shapes that the same kinds of trouble take."""

from __future__ import annotations

from itertools import count

import pytest

from tests.cases.kit import (
    chosen,
    genre_form,
    genre_options,
    ids,
    of_author,
    of_genre,
    only_form,
    queries,
)
from tests.catalogue import GENRES, RECORDS, having, hits, list_page
from tests.crawling import crawl
from tests.served import Reply, Served, by_title, redirect, refused

pytestmark = pytest.mark.browser

SIX = [1, 3, 5, 9, 10, 12]
ALL = list(range(1, 13))
GENRES_FOUND = ["g=co", "g=hi", "g=po", "g=sf"]
FOUR = ("sf", "hi", "co", "po")


def test_a_select_without_a_form_may_lead_on_by_script(browsing, tmp_path):
    page = f"""<p>Shelf: <select onchange="location = '/shelf?g=' + this.value">
      <option value="">choose</option>{genre_options(*FOUR)}</select></p>"""
    with Served({"/": page, "/shelf": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/shelf")) == GENRES_FOUND
    assert result.verdicts == ["results"] * 4


def test_a_box_without_form_and_button_is_sent_by_enter(browsing, tmp_path):
    page = """<h1>Catalogue</h1><div>Title: <input id="q" type="search"></div><div id="out"></div>
      <script>q.onkeydown = async e => { if (e.key === 'Enter') out.innerHTML =
      await (await fetch('/part?t=' + encodeURIComponent(q.value))).text(); };</script>"""
    with Served({"/": page, "/part": by_title("t")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/part")) == ["t=Brass", "t=Glass", "t=Moons", "t=Salt"]
    assert result.verdicts == ["results"] * 4
    assert ids(result) == [1, 2, 3, 6]


def test_a_link_may_be_the_trigger_of_a_form(browsing, tmp_path):
    page = """<form id="f" action="/find" method="post"><label>Author <input name="a"></label>
      <a href="#" onclick="document.getElementById('f').submit(); return false">Search</a></form>"""
    with Served({"/": page, "POST /find": of_author}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/find")) == 4
    assert result.verdicts == ["results"] * 4


def test_suggestions_that_are_fetched_late_are_chosen(browsing, tmp_path):
    page = """<form action="/find"><label for="q">Author</label><input id="q" autocomplete="off">
      <div id="box" role="listbox"></div><input type="hidden" name="aid" id="aid">
      <button>Find</button></form><script>let t; q.addEventListener('input', () => {
      aid.value = ''; clearTimeout(t); t = setTimeout(async () => {
      const found = await (await fetch('/suggest?q=' + encodeURIComponent(q.value))).json();
      box.innerHTML = ''; for (const [id, name] of found) { const d = document.createElement('div');
      d.setAttribute('role', 'option'); d.textContent = name;
      d.onmousedown = () => { aid.value = id; q.value = name; box.innerHTML = ''; };
      box.append(d); } }, 250); });</script>"""
    names = {"1": "Ida Fenwick", "2": "Omar Velt", "3": "Claire Aubry"}

    def suggest(request):
        text = request.value("q").lower()
        rows = [f'["{i}", "{n}"]' for i, n in names.items() if text and text in n.lower()]
        return Reply(f"[{', '.join(rows)}]", content_type="application/json", delay_s=0.3)

    def find(request):
        name = names.get(request.value("aid"))
        return list_page(having(author=name)) if name else "<p>Please choose an author.</p>"

    with Served({"/": page, "/suggest": suggest, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert {"1", "2", "3"} <= {r.value("aid") for r in site.to("/find")}
    assert result.verdicts.count("results") == 3


def test_a_drop_down_whose_choices_come_when_it_opens(browsing, tmp_path):
    page = """<form action="/find"><label id="lb">Genre</label>
      <button type="button" id="cb" aria-haspopup="listbox" aria-labelledby="lb"
      aria-expanded="false">Any</button><ul id="ls" role="listbox" hidden></ul>
      <input type="hidden" name="g" id="g"><button>Find</button></form><script>
      const all = {sf: 'Science fiction', hi: 'History', po: 'Poetry'};
      cb.onclick = () => { ls.innerHTML = ''; for (const v in all) {
      const o = document.createElement('li'); o.role = 'option'; o.textContent = all[v];
      o.onclick = () => { g.value = v; cb.textContent = all[v]; ls.hidden = true; }; ls.append(o); }
      ls.hidden = false; cb.setAttribute('aria-expanded', 'true'); };</script>"""
    with Served({"/": page, "/find": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert {"g=hi", "g=po", "g=sf"} <= set(queries(site.to("/find")))
    assert result.verdicts.count("results") == 3


def test_a_choice_that_loads_the_page_anew_fills_the_second_list(browsing, tmp_path):
    def page(request):
        code = request.value("g")
        authors = sorted({r.author for r in having(genre=code)}) if code else []
        choices = "".join(f"<option>{name}</option>" for name in authors)
        options = genre_options(*FOUR).replace(f'value="{code}"', f'value="{code}" selected')
        return f"""<form action="/" method="post"><label>Genre <select name="g"
          onchange="this.form.submit()"><option value="">choose</option>{options}</select></label>
          <label>Author <select name="a">{choices}</select></label>
          <button formaction="/find">Find</button></form>"""

    def find(request):
        found = having(genre=request.value("g"), author=request.value("a"))
        return list_page(found) if request.value("a") and found else refused(400)

    with Served({"/": page, "POST /find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        sent = sorted({(r.value("g"), r.value("a")) for r in site.to("/find")})
    assert sent == sorted({(r.genre, r.author) for r in RECORDS})
    assert result.verdicts == ["results"] * 7


def test_a_group_of_boxes_is_sent_box_by_box(browsing, tmp_path):
    boxes = "".join(
        f'<label><input type="checkbox" name="g" value="{g}"> {GENRES[g]}</label>' for g in FOUR
    )
    page = (
        f"<form action='/find'><fieldset><legend>Genre</legend>{boxes}</fieldset>"
        "<button>Find</button></form>"
    )

    def find(request):
        return list_page(r for r in RECORDS if r.genre in request.values.get("g", []))

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert set(GENRES_FOUND) <= set(queries(site.to("/find")))
    assert ids(result) == ALL


def test_results_in_a_window_that_a_script_opens(browsing, tmp_path):
    page = genre_form("sf", "po", attributes="onsubmit=\"window.open('/find?g=' + "
                      "this.g.value); return false\"")  # fmt: skip
    with Served({"/": page, "/find": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=po", "g=sf"]
    assert result.verdicts == ["results"] * 2
    assert ids(result) == SIX


def test_a_wait_page_may_go_on_by_script_and_wait_again(browsing, tmp_path):
    asked = count()

    def result_page(request):
        if next(asked) % 2 == 0:
            return """<p>Still searching …</p><script>setTimeout(() => location.reload(), 1500)
              </script>"""
        return list_page(having(genre=request.value("k")))

    def find(request):
        return f"""<p>Searching, please wait …</p><script>setTimeout(() =>
          location.replace('/res?k={request.value("g")}'), 1500)</script>"""

    routes = {"/": genre_form("sf", "po"), "/find": find, "/res": result_page}
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=po", "g=sf"]
    assert result.verdicts == ["results"] * 2
    assert ids(result) == SIX


def paged(parameter="p", size=5, link=None):
    """A route that shows `size` records a page."""

    def find(request):
        number = int(request.value(parameter) or 1)
        found = hits(RECORDS[size * (number - 1) : size * number])
        last = -(-len(RECORDS) // size)
        more = link(number) if number < last else ""
        return f'<h1>Results</h1><ol class="hits">{found}</ol>{more}'

    return find


ALL_FORM = """<form action="/find"><label>Genre <select name="g">
  <option value="all">All genres</option></select></label><button>Find</button></form>"""


@pytest.mark.parametrize(
    "link",
    [
        lambda n: f'<nav><a rel="next" href="/find?g=all&p={n + 1}">»</a></nav>',
        lambda n: f'<p><a href="/find?g=all&p={n + 1}">Weiter</a></p>',
        lambda n: (
            f"""<button type="button" onclick="location='/find?g=all&p={n + 1}'">Next
          page</button>"""
        ),
        lambda n: (
            f"""<form action="/find"><input type="hidden" name="g" value="all">
          <input type="hidden" name="p" value="{n + 1}"><button>Next 5</button></form>"""
        ),
    ],
    ids=["rel-next", "german", "button", "form"],
)
def test_pagers_of_other_shapes_are_followed(browsing, tmp_path, link):
    with Served({"/": ALL_FORM, "/find": paged(link=link)}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/find")) == 3
    assert result.verdicts == ["results"]
    assert ids(result) == ALL


def test_hits_that_an_observer_loads_at_the_end_of_the_page(browsing, tmp_path):
    def find(request):
        return f"""<h1>Results</h1><ol class="hits" style="line-height:300px">{hits(RECORDS[:4])}
          </ol><div id="end">loading</div><script>let n = 4; new IntersectionObserver(async es => {{
          if (!es[0].isIntersecting || n >= 12) return; const t = await (await fetch('/more?from=' +
          n)).text(); n += 4; document.querySelector('.hits').insertAdjacentHTML('beforeend', t);
          if (n >= 12) end.remove(); }}).observe(end);</script>"""

    def more(request):
        start = int(request.value("from"))
        return hits(RECORDS[start : start + 4])

    with Served({"/": ALL_FORM, "/find": find, "/more": more}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert [r.value("from") for r in site.to("/more")] == ["4", "8"]
    assert ids(result) == ALL


def test_more_hits_by_a_link_that_leads_nowhere(browsing, tmp_path):
    def find(request):
        return f"""<h1>Results</h1><div class="list">{
            "".join(
                f'<div class="row"><a href="/item/{r.id}">{r.title}</a> <i>{r.author}</i></div>'
                for r in RECORDS[:5]
            )
        }</div><a href="#" id="more">Load more results</a><script>
          let n = 5; more.onclick = async e => {{ e.preventDefault();
          for (const [id, t, a] of await (await fetch('/more?from=' + n)).json()) {{
          const d = document.createElement('div'); d.className = 'row';
          d.innerHTML = `<a href="/item/${{id}}">${{t}}</a> <i>${{a}}</i>`;
          document.querySelector('.list').append(d); }} n += 5;
          if (n >= 12) more.style.display = 'none'; }};</script>"""

    def more(request):
        start = int(request.value("from"))
        rows = [f'["{r.id}", "{r.title}", "{r.author}"]' for r in RECORDS[start : start + 5]]
        return Reply(f"[{', '.join(rows)}]", content_type="application/json; charset=utf-8")

    with Served({"/": ALL_FORM, "/find": find, "/more": more}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert [r.value("from") for r in site.to("/more")] == ["5", "10"]
    assert len(result.records) == 12


def test_an_unknown_address_that_leads_home_is_no_answer(browsing, tmp_path):
    def find(request):
        return redirect("/") if request.value("g") == "hi" else of_genre(request)

    with Served({"/": genre_form("sf", "hi", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    assert sorted(result.verdicts) == ["results", "results", "same_page"]
    assert ids(result) == SIX


def test_a_refusal_at_status_200_is_one(browsing, tmp_path):
    asked = count()

    def find(request):
        if next(asked) >= 2:
            return "<h1>Access denied</h1><p>Your address has been blocked.</p>"
        return of_genre(request)

    with Served({"/": genre_form(*FOUR), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/find")) <= 2 + 5
    assert result.verdicts == ["results"] * 2
    assert result.sites[site.url]


def test_a_service_that_is_busy_until_later_is_asked_later(browsing, tmp_path):
    asked = []

    def find(request):
        asked.append(request)
        if len(asked) == 2:
            return Reply("<p>Busy.</p>", 503, headers=(("Retry-After", "3"),))
        return of_genre(request)

    with Served({"/": genre_form("sf", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    assert asked[2].at - asked[1].at >= 3
    assert asked[2].query == asked[1].query
    assert result.verdicts == ["results"] * 2


def test_a_token_that_is_refused_with_403_is_fetched_anew(browsing, tmp_path):
    numbers, good = count(), set()

    def page(request):
        number = next(numbers)
        if number != 2:
            good.add(f"t{number}")
        token = f'<input type="hidden" name="csrf" value="t{number}">'
        return genre_form(*FOUR, attributes='action="/find" method="post"', inside=token)

    def find(request):
        if request.value("csrf") not in good:
            return Reply("<h1>Forbidden</h1><p>CSRF verification failed.</p>", 403)
        good.discard(request.value("csrf"))
        return of_genre(request)

    with Served({"/": page, "POST /find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    assert result.verdicts == ["results"] * 4
    assert ids(result) == ALL


def test_a_file_that_is_shown_and_not_saved_is_read_too(browsing, tmp_path):
    def find(request):
        rows = "".join(f"{r.id};{r.title};{r.author}\n" for r in having(genre=request.value("g")))
        return Reply("id;title;author\n" + rows, content_type="text/csv; charset=utf-8")

    with Served({"/": genre_form("sf", "tr", "po"), "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
    assert sorted(result.verdicts) == ["no_results", "results", "results"]
    assert len(result.records) == 6


def test_a_frame_whose_form_answers_at_the_top(browsing, tmp_path):
    pane = genre_form("sf", "co", attributes='action="/find" target="_top"')
    routes = {"/": '<h1>Shop</h1><iframe src="/pane" width=500 height=200></iframe>',
              "/pane": pane, "/find": of_genre}  # fmt: skip
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=co", "g=sf"]
    assert result.verdicts == ["results"] * 2
    assert len(ids(result)) == 7


def test_an_answer_in_a_named_frame_beside_the_form(browsing, tmp_path):
    page = genre_form("sf", "co", attributes='action="/find" target="out"')
    page += '<iframe name="out" width="600" height="300"></iframe>'
    with Served({"/": page, "/find": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
    assert result.verdicts == ["results"] * 2
    assert len(ids(result)) == 7


def test_a_consent_layer_in_another_language_is_closed_sparingly(browsing, tmp_path):
    page = (
        '<div id="cmp" style="position:fixed;left:0;top:0;width:100%;height:100%;background:#fffd;'
        'z-index:99"><h2>Wir verwenden Cookies</h2><button onclick="pick(1)">Alle akzeptieren'
        '</button><button onclick="pick(2)">Nur notwendige</button></div>'
        + genre_form("sf", "po")
        + "<script>function pick(n) { fetch('/choice?n=' + n); document.cookie = 'c=' + n; "
        "cmp.remove(); } if (document.cookie.includes('c=')) cmp.remove();</script>"
    )
    with Served({"/": page, "/find": of_genre, "/choice": "ok"}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert [r.query for r in site.to("/choice")] == ["n=2"]
    assert result.verdicts == ["results"] * 2
    assert only_form(result).submitters[0].text == "Find"


def test_a_confirm_box_is_accepted(browsing, tmp_path):
    page = genre_form("sf", "po", attributes="action=\"/find\" onsubmit=\"return "
                      "confirm('Start the search?')\"")  # fmt: skip
    with Served({"/": page, "/find": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=po", "g=sf"]
    assert result.verdicts == ["results"] * 2


def test_contact_and_comment_forms_are_left_alone(browsing, tmp_path):
    page = (
        '<form action="/say" method="post"><label>Name <input name="n"></label><label>E-mail '
        '<input name="m" type="email"></label><label>Message <textarea name="t"></textarea>'
        '</label><button>Send</button></form><form action="/buy" method="post"><label>Quantity '
        '<input type="number" name="q" value="1"></label><button>Add to cart</button></form>'
        + genre_form("sf", "po")
    )
    with Served({"/": page, "/find": of_genre}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert site.to("/say") == site.to("/buy") == []
    assert [f.form.action.rpartition("/")[2] for f in chosen(result)] == ["find"]
