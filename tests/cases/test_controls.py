"""Whole crawls of forms with unusual controls: the server sees what a browser would send."""

from __future__ import annotations

import pytest

from hiwe.crawl.reanalyse import reanalyse
from tests.cases.kit import (
    YEARS,
    chosen,
    element,
    genre_form,
    genre_options,
    ids,
    ids_of,
    of_author,
    of_genre,
    of_year,
    only_form,
    options,
    queries,
    verdict_of,
)
from tests.catalogue import EMPTY_PAGE, GENRES, RECORDS, having, list_page, titled
from tests.crawling import crawl
from tests.served import Reply, Served, by_title, refused

pytestmark = pytest.mark.browser

TITLE_FORM = (
    '<form action="/find"><label>Title <input name="t"></label><button>Find</button></form>'
)
WORDS = ("Brass", "Glass", "Moons", "Salt")  # of the base table
TITLED = [1, 2, 3, 6]
AUTHORS = ids_of("Ida Fenwick", "Omar Velt", "Claire Aubry", "Lena Storm")


def test_only_the_pressed_button_is_sent_and_the_list_is_preferred(browsing, tmp_path):
    page = """<form action="/find"><label>Title <input name="t"></label>
      <input type="submit" name="covers" value="Browse covers">
      <input type="submit" name="list" value="Find titles"></form>"""

    def find(request):
        pressed = set(request.values) - {"t"}
        if pressed == {"covers"}:
            return "<h1>Covers</h1><img src='/a.png'><img src='/b.png'>"
        return by_title("t")(request) if pressed == {"list"} else refused(400)

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        listed = [r for r in site.to("/find") if "list" in r.values]
        assert queries(listed) == [f"t={word}&list=Find+titles" for word in WORDS]
        assert all("covers" not in r.values for r in listed)
    assert {s.text for s in only_form(result).submitters} == {"Browse covers", "Find titles"}
    assert result.verdicts.count("results") == 4
    assert ids(result) == TITLED


@pytest.mark.parametrize("image", [True, False], ids=["there", "missing"])
def test_an_image_button_sends_where_it_was_pressed(browsing, tmp_path, image):
    page = """<form action="/find"><label>Title <input name="t"></label>
      <input type="image" name="go" value="1" src="/go.png" alt="Search" width="40" height="20">
      </form>"""

    def find(request):
        good = all(request.value(f"go.{axis}").isdigit() for axis in "xy")
        return by_title("t")(request) if good and "go" not in request.values else refused(400)

    picture = Reply(b"GIF89a", 200, "image/gif") if image else refused(404)
    with Served({"/": page, "/find": find, "/go.png": picture}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert [set(r.values) for r in site.to("/find")] == [{"t", "go.x", "go.y"}] * 4
    assert only_form(result).submitters[0].text == "Search"
    assert result.verdicts == ["results"] * 4
    assert ids(result) == TITLED


def test_a_button_may_override_the_forms_address(browsing, tmp_path):
    page = """<form action="/old" method="post"><label>Title <input name="t"></label>
      <button formaction="/list">Find</button></form>"""
    with Served({"/": page, "/old": refused(410), "POST /list": by_title("t")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert sorted(r.body for r in site.to("/list")) == [f"t={w}".encode() for w in WORDS]
        assert site.to("/old") == []
    submitter = only_form(result).submitters[0]
    assert (submitter.method or only_form(result).method) == "POST"
    assert submitter.action.endswith("/list")
    assert result.verdicts == ["results"] * 4


def test_fields_without_a_name_are_sent_by_the_pages_script(browsing, tmp_path):
    page = """<form onsubmit="go();return false"><label for="au">Author</label> <input id="au">
      <button>Find</button></form><div id="out"></div><script>async function go() {
      const r = await fetch('/api', {method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({author: au.value})}); out.innerHTML = await r.text(); }</script>"""

    def api(request):
        name = request.body.decode().removeprefix('{"author":"').removesuffix('"}')
        return list_page(having(author=name) if name else [])

    with Served({"/": page, "POST /api": api}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/api")) == 4
        assert b'{"author":"Omar Velt"}' in [r.body for r in site.to("/api")]
        assert {r.path for r in site.log} <= {"/", "/api", "/robots.txt", "/favicon.ico"}
    assert element(only_form(result), "au").label == "Author"
    assert result.verdicts == ["results"] * 4
    assert ids(result) == AUTHORS


def test_several_choices_are_sent_together_and_none_is_left_from_before(browsing, tmp_path):
    page = f"""<form action="/find"><label>Genre <select name="g" multiple size="4">
      {genre_options("sf", "hi", "co", "po")}</select></label><button>Find</button></form>"""

    def find(request):
        wanted = request.values.get("g", [])
        return list_page(r for r in RECORDS if r.genre in wanted) if wanted else refused(400)

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        sent = queries(site.to("/find"))
        assert {"g=sf", "g=hi", "g=co", "g=po"} <= set(sent)
        two = [query for query in sent if query.count("g=") == 2]
        assert len(two) == 1
        assert all(query.count("g=") <= 2 for query in sent)
    assert element(only_form(result), "g").multiple
    assert set(result.verdicts) == {"results"}
    assert ids(result) == list(range(1, 13))


def test_names_of_option_groups_are_no_values(browsing, tmp_path):
    page = f"""<form action="/find"><label>Genre <select name="g"><option value="">All</option>
      <optgroup label="Stories and verse">{genre_options("sf", "po")}</optgroup>
      <optgroup label="Facts">{genre_options("hi", "co")}</optgroup></select></label>
      <button>Find</button></form>"""
    with Served({"/": page, "/find": lambda r: list_page(having(genre=r.value("g")))}) as site:
        result = crawl(browsing, tmp_path, site.url)
        sent = queries(site.to("/find"))
        assert [query for query in sent if query != "g="] == ["g=co", "g=hi", "g=po", "g=sf"]
    texts = [o.label for o in element(only_form(result), "g").options]
    assert texts == ["Science fiction", "Poetry", "History", "Cookery"]
    assert set(result.verdicts) == {"results"}
    assert ids(result) == list(range(1, 13))


def test_suggested_values_are_tried_before_those_of_the_table_alone(browsing, tmp_path):
    page = """<form action="/find"><label>Genre <input name="g" list="gl"></label>
      <datalist id="gl"><option value="Science fiction"><option value="History">
      <option value="Cookery"><option value="Poetry"></datalist><button>Find</button></form>"""

    def find(request):
        return list_page(r for r in RECORDS if GENRES[r.genre] == request.value("g"))

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url, table={"Genre": ["Drama", "Poetry"]})
        sent = [r.value("g") for r in site.to("/find")]
    assert sorted(sent[:4]) == ["Cookery", "History", "Poetry", "Science fiction"]
    assert sent[4:] in ([], ["Drama"])
    assert element(only_form(result), "g").suggestions
    assert result.verdicts[:4] == ["results"] * 4
    assert result.verdicts[4:] in ([], ["no_results"])
    assert ids(result) == list(range(1, 13))


def since(request):
    """Records that were added, on 1 July of their year, on the day that was sent or later."""
    return list_page(r for r in RECORDS if f"{r.year}-07-01" >= request.value("d"))


def test_a_native_date_field_gets_dates_in_its_own_format(browsing, tmp_path):
    page = """<form action="/find"><label>Added since <input type="date" name="d" min="1980-01-01"
      max="2025-12-31"></label><button>Find</button></form>"""
    table = {"Added since": ["31/12/2010", "1 Jan 2016"]}
    with Served({"/": page, "/find": since}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table)
        dated = [query for query in queries(site.to("/find")) if query != "d="]
        assert dated == ["d=2010-12-31", "d=2016-01-01"]
    found = {s.request[1].rpartition("=")[2]: s.records for s in result.sent}
    assert (found["2010-12-31"], found["2016-01-01"]) == (6, 3)
    assert set(result.verdicts) == {"results"}


def test_a_date_box_gets_the_format_it_asks_for_though_a_calendar_covers_it(browsing, tmp_path):
    page = """<form action="/find"><label>Added since <input name="d" id="d"
      placeholder="dd/mm/yyyy" autocomplete="off"></label><button>Find</button></form>
      <div id="cal" hidden style="position:absolute;left:0;top:0;width:600px;height:300px;
      background:#eee">January 2014 <button type="button" data-v="01/01/2014">1</button></div>
      <script>d.onfocus = () => { cal.hidden = false; };
      d.onkeydown = e => { if (e.key === 'Escape' || e.key === 'Tab') cal.hidden = true; };
      cal.onclick = e => { if (e.target.dataset.v) { d.value = e.target.dataset.v;
      cal.hidden = true; } };</script>"""

    def find(request):
        parts = request.value("d").split("/")
        if len(parts) != 3 or not (len(parts[2]) == 4 and int(parts[1]) <= 12):
            return "<p>Not a valid date</p>"
        day = "-".join(reversed(parts))
        return list_page(r for r in RECORDS if f"{r.year}-07-01" >= day)

    table = {"Added since": ["2010-12-31", "8 January 2014"]}
    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url, table=table)
        assert queries(site.to("/find")) == ["d=08%2F01%2F2014", "d=31%2F12%2F2010"]
    assert result.verdicts == ["results"] * 2
    assert sorted(s.records for s in result.sent) == [4, 6]


def test_a_suggestion_that_must_be_chosen_is_chosen(browsing, tmp_path):
    page = """<form action="/find"><label>Author <input id="q" autocomplete="off"></label>
      <ul id="ul"></ul><input type="hidden" name="aid" id="aid"><button>Find</button></form><script>
      const all = [['1','Ida Fenwick'],['2','Omar Velt'],['3','Claire Aubry']];
      q.oninput = () => { aid.value = ''; ul.innerHTML = all.filter(a =>
        a[1].toLowerCase().includes(q.value.toLowerCase()))
        .map(a => `<li data-id="${a[0]}">${a[1]}</li>`).join(''); };
      ul.onclick = e => { aid.value = e.target.dataset.id; q.value = e.target.textContent;
        ul.innerHTML = ''; };</script>"""
    names = {"1": "Ida Fenwick", "2": "Omar Velt", "3": "Claire Aubry"}

    def find(request):
        name = names.get(request.value("aid"))
        return (
            list_page(having(author=name))
            if name
            else ("<p>Please pick an author from the list.</p>")
        )

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        asked = [r.value("aid") for r in site.to("/find")]
        assert sorted(a for a in asked if a) == ["1", "2", "3"]
    told = verdict_of(result)
    assert [told[(name,)][0] for name in names.values()] == ["results"] * 3
    assert told.get(("Lena Storm",), ("invalid", ""))[0] in ("invalid", "error")
    assert ids(result) == ids_of(*names.values())


def test_a_drop_down_made_of_divs_is_a_finite_element(browsing, tmp_path):
    page = """<form action="/find"><span id="lb">Genre</span><div role="combobox" tabindex="0"
      aria-labelledby="lb" aria-controls="ls" aria-expanded="false" id="cb">choose</div>
      <div role="listbox" id="ls" hidden><div role="option" data-v="sf">Science fiction</div>
      <div role="option" data-v="hi">History</div><div role="option" data-v="po">Poetry</div></div>
      <input type="hidden" name="g" id="g"><button>Find</button></form><script>
      cb.onclick = () => { ls.hidden = false; cb.setAttribute('aria-expanded', 'true'); };
      ls.onclick = e => { g.value = e.target.dataset.v; cb.textContent = e.target.textContent;
        ls.hidden = true; };</script>"""

    def find(request):
        return of_genre(request) if request.value("g") else refused(400)

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == ["g=hi", "g=po", "g=sf"]
    (genre,) = only_form(result).elements
    assert genre.label == "Genre"
    assert [o.label for o in genre.options] == ["Science fiction", "History", "Poetry"]
    assert result.verdicts == ["results"] * 3
    assert len(ids(result)) == 9


def test_only_pairs_of_dependent_selects_that_belong_together_are_sent(browsing, tmp_path):
    page = f"""<form action="/find"><label>Genre <select name="g" id="g">
      <option value="">choose</option>{genre_options("sf", "hi", "co", "po")}</select></label>
      <label>Author <select name="a" id="a" disabled></select></label><button>Find</button></form>
      <script>g.onchange = async () => {{ a.disabled = true; a.innerHTML = '';
      for (const n of await (await fetch('/authors?g=' + g.value)).json()) a.add(new Option(n, n));
      a.disabled = false; }};</script>"""

    def authors(request):
        names = sorted({r.author for r in RECORDS if r.genre == request.value("g")})
        quoted = ", ".join(f'"{name}"' for name in names)
        return Reply(f"[{quoted}]", content_type="application/json; charset=utf-8", delay_s=0.3)

    def find(request):
        both = request.value("g") and request.value("a")
        found = having(genre=request.value("g"), author=request.value("a")) if both else []
        return list_page(found) if found else refused(400)

    with Served({"/": page, "/find": find, "/authors": authors}) as site:
        result = crawl(browsing, tmp_path, site.url)
        sent = [(r.value("g"), r.value("a")) for r in site.to("/find")]
    assert sorted(sent) == sorted({(r.genre, r.author) for r in RECORDS})
    assert result.verdicts == ["results"] * 7
    assert ids(result) == list(range(1, 13))


def test_a_field_that_a_style_sheet_hides_is_never_filled(browsing, tmp_path):
    page = """<link rel="stylesheet" href="/s.css"><form action="/find">
      <label>Title <input name="t"></label>
      <p class="extra"><label>Author <input name="url"></label></p><button>Find</button></form>"""
    caught = []

    def find(request):
        caught.extend(request.values.get("url", [""]) if request.value("url") else [])
        return refused(403) if caught else by_title("t")(request)

    sheet = Reply(".extra { display: none }", 200, "text/css")
    with Served({"/": page, "/find": find, "/s.css": sheet}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == [f"t={word}&url=" for word in WORDS]
    trap = element(only_form(result), "url")
    assert not trap.visible
    assert not trap.fillable
    assert result.verdicts == ["results"] * 4
    assert ids(result) == TITLED


def test_values_that_do_not_fit_a_field_are_not_cut_to_fit(browsing, tmp_path):
    page = """<form action="/find"><label>Title <input name="t" maxlength="5"></label>
      <label>Code <input name="code" pattern="[A-Z]{2}[0-9]{2}" maxlength="4"></label>
      <button>Find</button></form>"""
    with Served({"/": page, "/find": by_title("t")}) as site:
        result = crawl(browsing, tmp_path, site.url, table={"Title": ["Glass", "Orchard", "Salt"]})
        assert queries(site.to("/find")) == ["t=Glass&code=", "t=Salt&code="]
    assert result.verdicts == ["results"] * 2
    assert ids(result) == [1, 2]


def test_typed_fields_get_what_they_accept_and_contact_boxes_nothing(browsing, tmp_path):
    page = """<form action="/find"><label>Year <input type="number" name="y" min="1900" max="2030"
      required></label><label>E-mail for alerts <input type="email" name="mail"></label>
      <label>Phone <input type="tel" name="tel"></label><button>Find</button></form>"""
    with Served({"/": page, "/find": of_year}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == [f"y={year}&mail=&tel=" for year in YEARS]
    assert result.verdicts == ["results"] * 12
    assert ids(result) == list(range(1, 13))


def test_a_huge_list_is_asked_for_what_the_table_knows_first(browsing, tmp_path):
    names = "Alder Birch Cedar Dogwood Elm Fir Hazel Juniper Larch Maple Oak Pine"
    trees = names.split()
    towns = {
        str(n): f"{'ABCDEFGHKLMNOPRSTVWZ'[n // 1000 % 20]}town {n:05}" for n in range(1, 20001)
    }
    known = {str(1000 + 1499 * i): tree for i, tree in enumerate(trees)}
    towns |= known
    page = (
        f'<form action="/find"><label>Town <select name="w">{options(towns.items())}</select>'
        "</label><button>Find</button></form>"
    )
    order = dict(zip(known, RECORDS, strict=True))

    def find(request):
        return list_page([order[request.value("w")]]) if request.value("w") in order else EMPTY_PAGE

    with Served({"/": page, "/find": find}) as site:
        result = crawl(
            browsing, tmp_path, site.url, table={"Town": trees}, transport="adaptive",
            budget={"submissions_per_form": 50},
        )  # fmt: skip
        asked = [r.value("w") for r in site.to("/find")]
    assert set(known) <= set(asked[:20])
    assert len(asked) <= 50
    assert ids(result) == list(range(1, 13))
    size = sum(path.stat().st_size for path in (result.out / "warc").iterdir())
    assert size < 4_000_000  # the page is not kept anew for every assignment


def test_a_multipart_form_is_sent_as_such(browsing, tmp_path):
    page = """<form action="/find" method="post" enctype="multipart/form-data">
      <label>Author <input name="a"></label><button name="go" value="1">Find</button></form>"""

    def find(request):
        if not request.header("content-type").startswith("multipart/form-data"):
            return refused(415)
        names = [r.author for r in RECORDS if f"\r\n\r\n{r.author}\r\n" in request.body.decode()]
        return list_page(having(author=names[0]) if names else [])

    with Served({"/": page, "POST /find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len(site.to("/find")) == 4
        assert all(b'name="go"\r\n\r\n1\r\n' in r.body for r in site.to("/find"))
    assert result.verdicts == ["results"] * 4
    assert ids(result) == AUTHORS
    assert any('name="a"' in s.request[2] for s in result.sent)


def test_values_are_sent_in_the_encoding_that_the_form_asks_for(browsing, tmp_path):
    page = """<meta charset="utf-8"><form action="/find" accept-charset="windows-1252">
      <label>Title <input name="t"></label><button>OK</button></form>"""

    def find(request):
        from urllib.parse import unquote_plus

        word = unquote_plus(request.query.removeprefix("t="), encoding="windows-1252")
        return list_page(titled(word) if word else [])

    with Served({"/": page, "/find": find}) as site:
        table = {"Title": ["Café", "Ponts", "Тихий"]}
        result = crawl(browsing, tmp_path, site.url, table=table)
        sent = queries(site.to("/find"))
        assert {"t=Caf%E9", "t=Ponts"} <= set(sent)
    told = verdict_of(result)
    assert (told[("Café",)][0], told[("Ponts",)][0]) == ("results", "results")
    assert told.get(("Тихий",), ("no_results", ""))[0] == "no_results"
    assert ids(result) == [11]
    kept = {b.value for s in result.submissions for b in s.assignment.bindings}
    assert {"Café", "Ponts"} <= kept


def test_the_base_of_a_page_tells_where_its_form_goes(browsing, tmp_path):
    page = (
        '<base href="/lib/"><form action="find"><label>Title <input name="t"></label>'
        "<button>Find</button></form>"
    )
    with Served({"/docs/search": page, "/lib/find": by_title("t")}) as site:
        result = crawl(browsing, tmp_path, site.at("/docs/search"))
        assert queries(site.to("/lib/find")) == [f"t={word}" for word in WORDS]
        assert site.to("/docs/find") == site.to("/find") == []
        assert only_form(result).action == site.at("/lib/find")
        assert {r["url"] for r in result.records} == {site.at(f"/item/{n}") for n in TITLED}
    assert result.verdicts == ["results"] * 4


def test_the_query_in_the_address_of_a_get_form_is_dropped(browsing, tmp_path):
    page = TITLE_FORM.replace('"/find"', '"/find?shelf=7" method="get"')

    def find(request):
        return refused(400) if "shelf" in request.values else by_title("t")(request)

    with Served({"/": page, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert queries(site.to("/find")) == [f"t={word}" for word in WORDS]
    assert [e.name for e in only_form(result).elements] == ["t"]
    assert result.verdicts == ["results"] * 4


def test_hidden_and_preset_values_are_sent_as_they_are(browsing, tmp_path):
    page = """<form action="/find" method="post"><input type="hidden" name="k" value="  a  b ">
      <select name="per" aria-label="Hits per page"><option>10</option><option selected>20</option>
      <option>50</option></select><label>Author <input name="a"></label><button>Find</button>
      </form>"""

    def find(request):
        good = request.value("k") == "  a  b " and request.value("per") in ("10", "20", "50")
        return of_author(request) if good else refused(400)

    with Served({"/": page, "POST /find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        bodies = [r.body for r in site.to("/find")]
        assert b"k=++a++b+&per=20&a=Omar+Velt" in bodies
    assert result.verdicts == ["results"] * 4
    assert ids(result) == AUTHORS


def test_a_form_that_only_closes_its_dialog_is_no_search(browsing, tmp_path):
    page = (
        """<dialog open><form method="dialog"><label>Title <input name="nick" value="x"></label>
      <button value="ok">Keep</button></form></dialog>"""
        + TITLE_FORM
    )
    with Served({"/": page, "/find": by_title("t")}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert all("nick" not in r.values for r in site.log)
        assert queries(site.to("/find")) == [f"t={word}" for word in WORDS]
    (dialog,) = [f for f in result.forms if f.decision == "skipped"]
    assert dialog.form.elements[0].name == "nick"
    assert dialog.reason
    assert result.verdicts == ["results"] * 4


def two_steps(tickets):
    """A form whose answer is a second form, with a ticket that is good for one search."""
    used = set()

    def second(request):
        names = sorted({r.author for r in having(genre=request.value("g"))})
        ticket = f"ticket{len(tickets)}"
        tickets.append(ticket)
        choices = options((name, name) for name in names)
        return (
            '<h1>Second step</h1><form action="/find" method="post"><input type="hidden" '
            f'name="ticket" value="{ticket}"><label>Author <select name="a">{choices}</select>'
            "</label><button>Find</button></form>"
        )

    def find(request):
        ticket = request.value("ticket")
        if ticket not in tickets or ticket in used:
            return refused(400)
        used.add(ticket)
        return of_author(request)

    first = genre_form("sf", "po", attributes='action="/step2" method="post"')
    return {"/": first.replace("Find", "Next"), "POST /step2": second, "POST /find": find}


def test_a_form_in_two_steps_is_gone_through_anew_for_each_pair(browsing, tmp_path):
    tickets = []
    with Served(two_steps(tickets)) as site:
        result = crawl(browsing, tmp_path, site.url)
        sent = [r.value("a") for r in site.to("/find")]
        assert len({r.value("ticket") for r in site.to("/find")}) == 4
    assert sorted(sent) == ["Ida Fenwick", "Jonas Reuter", "Kai Morrow", "Вера Лунина"]
    assert result.verdicts == ["results"] * 4
    again = {r.key: r.judgement.verdict for r in reanalyse(result.out / "warc")}
    assert {s.key: s.judgement.verdict for s in result.sent}.items() <= again.items()
    assert ids(result) == [1, 3, 5, 9, 10, 12]


def test_the_second_step_is_no_form_of_its_own_pages(browsing, tmp_path):
    tickets = []
    with Served(two_steps(tickets)) as site:
        result = crawl(browsing, tmp_path, site.url, table={"Author": ["Ida Fenwick"]})
    assert set(result.verdicts) == {"results"}
    assert {f.form.action.rpartition("/")[2] for f in chosen(result)} <= {"step2", "find"}
