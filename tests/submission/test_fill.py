"""Every control a person can use takes its value, and what did not take is never sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.served import Reply, Request, Served

if TYPE_CHECKING:
    from tests.browsing import Browsing

pytestmark = pytest.mark.browser


def answer(request: Request) -> str:
    """A page that names what arrived."""
    return f"<h1>Results</h1><p>{request.query}</p>"


def search(inner: str, script: str = "", attributes: str = "") -> str:
    """A search page round the controls `inner`."""
    return (
        f"<!doctype html><h1>Search the catalogue</h1><form action=/find {attributes}>{inner}"
        f"<button>Search</button></form><script>{script}</script>"
    )


CONTROLS: dict[str, tuple[str, str, list[tuple[str, str]], str]] = {
    # what: controls, script, pairs to set, query that arrives
    "textarea": ("<label>Words <textarea name=q></textarea></label>", "",
                 [("q", "Salt Roads")], "q=Salt+Roads"),
    "search": ("<label>Words <input type=search name=q></label>", "",
               [("q", "50% & more")], "q=50%25+%26+more"),
    "text that replaces a preset": (
        "<label>Town <input name=q value=Oslo></label>", "", [("q", "Rome")], "q=Rome"),
    "number": ("<label>Year <input type=number name=y min=1900 max=2030></label>", "",
               [("y", "1999")], "y=1999"),
    "slider": ("<label>Price up to <input type=range name=p min=0 max=50 step=5></label>", "",
               [("p", "35")], "p=35"),
    "month": ("<label>Month <input type=month name=m></label>", "",
              [("m", "2014-03")], "m=2014-03"),
    "week": ("<label>Week <input type=week name=w></label>", "",
             [("w", "2014-W09")], "w=2014-W09"),
    "time": ("<label>From <input type=time name=t></label>", "", [("t", "14:30")], "t=14%3A30"),
    "date and time": ("<label>Since <input type=datetime-local name=d></label>", "",
                      [("d", "2014-03-01T10:00")], "d=2014-03-01T10%3A00"),
    "lone checkbox": ("<label>Words <input name=q></label>"
                      "<label><input type=checkbox name=new value=1> Only new items</label>", "",
                      [("new", "Only new items")], "q=&new=1"),
    "checkbox group": (
        "<fieldset><legend>Format</legend><label><input type=checkbox name=f value=p checked>"
        " Paper</label><label><input type=checkbox name=f value=e> E-book</label>"
        "<label><input type=checkbox name=f value=a> Audio</label></fieldset>", "",
        [("f", "E-book"), ("f", "Audio")], "f=e&f=a"),
    "radio behind its label": (
        "<style>.r{position:absolute;opacity:0}label{padding:4px;border:1px solid}</style>"
        "<fieldset><legend>Format</legend><input class=r type=radio id=p name=f value=p checked>"
        "<label for=p>Paper</label><input class=r type=radio id=e name=f value=e>"
        "<label for=e>E-book</label></fieldset>", "", [("f", "E-book")], "f=e"),
    "framework that keeps its own state": (
        "<label>Words <input id=q></label><input type=hidden name=q id=h>",
        "let state = ''; q.addEventListener('input', e => { state = e.target.value; });"
        "document.forms[0].addEventListener('submit', () => { h.value = state; });",
        [("q", "Moons")], "q=Moons"),
    "box that listens to keys alone": (
        "<label>Words <input id=q></label><input type=hidden name=q id=h value=x>",
        "q.onkeyup = () => { h.value = q.value; };", [("q", "Moons")], "q=Moons"),
    "masked box": (
        "<label>Date <input name=d></label>",
        "document.forms[0].d.oninput = e => { const n = e.target.value.replace(/\\D/g, '');"
        " e.target.value = n.replace(/^(\\d\\d)(\\d)/, '$1/$2').replace(/^(\\d\\d.\\d\\d)(\\d)/,"
        " '$1/$2').slice(0, 10); };", [("d", "31/12/2010")], "d=31%2F12%2F2010"),
    "box that takes keys one by one": (
        "<label>Code <input name=d readonly></label>",
        "const d = document.forms[0].d; d.removeAttribute('readonly'); let t = '';"
        "d.oninput = () => { d.value = t; }; d.onkeydown = e => {"
        " if (e.key === 'Backspace') t = ''; else if (e.isTrusted && e.key.length < 2) t += e.key;"
        " d.value = t; e.preventDefault(); };", [("d", "A17")], "d=A17"),
    "editable element": (
        "<div contenteditable role=textbox aria-label=Words id=q style='min-height:20px'></div>"
        "<input type=hidden name=q id=h>",
        "q.oninput = () => { h.value = q.textContent; };", [("q", "Nine Moons")],
        "q=Nine+Moons"),
    "custom element with a value": (
        "<label>Words <x-box name=q></x-box></label>",
        "customElements.define('x-box', class extends HTMLElement { static formAssociated = true;"
        " constructor() { super(); this.i = this.attachInternals(); this.tabIndex = 0;"
        " this.style.cssText = 'display:inline-block;width:90px;height:20px'; }"
        " get value() { return this.v || ''; } set value(v) { this.v = v; this.i.setFormValue(v); }"
        " });", [("q", "Salt")], "q=Salt"),
    "list in a portal": (
        "<span id=l>Genre</span><div role=combobox tabindex=0 aria-labelledby=l aria-expanded=false"
        " id=c>any</div><input type=hidden name=g id=g>",
        "c.onmousedown = () => { const p = document.createElement('ul'); p.setAttribute('role',"
        " 'listbox'); p.innerHTML = '<li role=option data-v=sf>Science fiction</li>"
        "<li role=option data-v=po>Poetry</li>'; p.onclick = e => { g.value = e.target.dataset.v;"
        " c.textContent = e.target.textContent; p.remove(); };"
        " setTimeout(() => document.body.append(p), 150); };",
        [("Genre", "Poetry")], "g=po"),
    "list of options": (
        "<span id=l>Genre</span><ul role=listbox aria-labelledby=l id=b tabindex=0>"
        "<li role=option data-v=sf aria-selected=false>Science fiction</li>"
        "<li role=option data-v=po aria-selected=false>Poetry</li></ul>"
        "<input type=hidden name=g id=g>",
        "b.onclick = e => { for (const o of b.children) o.setAttribute('aria-selected', o === "
        "e.target); g.value = e.target.dataset.v; };", [("Genre", "Poetry")], "g=po"),
    "suggestions fetched while typing": (
        "<label>Author <input id=q role=combobox aria-autocomplete=list></label><div id=s></div>"
        "<input type=hidden name=aid id=a>",
        "let n = 0; q.oninput = async () => { const k = ++n; a.value = ''; const r = await "
        "(await fetch('/suggest?q=' + q.value)).json(); if (k !== n) return; s.innerHTML = r.map("
        "x => `<div role=option data-id=${x[0]}>${x[1]}</div>`).join(''); };"
        "s.onmousedown = e => { a.value = e.target.dataset.id; q.value = e.target.textContent;"
        " s.innerHTML = ''; };", [("q", "Omar Velt")], "aid=2"),
    "suggestions that only help": (
        "<label>Words <input name=q id=q autocomplete=off></label><ul id=s></ul>",
        "q.oninput = () => { s.innerHTML = '<li>Salt Roads</li><li>Salt Lake</li>'; };"
        "s.onclick = e => { q.value = e.target.textContent; };", [("q", "Salt")], "q=Salt"),
    "box that makes tags": (
        "<label>Words <input id=q></label><span id=s></span>",
        "q.onchange = () => { s.innerHTML += `<b>${q.value}<input type=hidden name=q value="
        "'${q.value}'></b>`; q.value = ''; };", [("q", "Salt")], "q=Salt"),
    "field that a choice reveals": (
        "<label>By <select name=by id=by><option>Title<option>Year</select></label>"
        "<label id=w hidden>Year <input name=y disabled id=y></label>",
        "by.onchange = () => { w.hidden = by.value !== 'Year'; y.disabled = w.hidden; };",
        [("by", "Year")], "by=Year&y="),
    "select dressed by a script": (
        "<label for=g>Genre</label> <select name=g id=g style='display:none'><option value=sf>"
        "Science fiction</option><option value=po>Poetry</option></select>"
        "<div class='select2 select2-container' style='width:120px;height:20px'>"
        "<span>Science fiction</span></div>", "", [("g", "Poetry")], "g=po"),
    "names that mean something else": (
        "<label>Words <input name=submit></label><label>More <input name=action></label>", "",
        [("submit", "a"), ("action", "b")], "submit=a&action=b"),
}  # fmt: skip


def suggest(request: Request) -> Reply:
    """Authors by a part of their name, after a while."""
    authors = [["1", "Ida Fenwick"], ["2", "Omar Velt"], ["3", "Omar Veltman"]]
    found = [a for a in authors if request.value("q").lower() in a[1].lower()]
    text = str(found).replace("'", '"')
    return Reply(text, content_type="application/json", delay_s=0.2)


@pytest.mark.parametrize("what", CONTROLS)
def test_a_control_takes_its_value(what: str, browsing: Browsing) -> None:
    inner, script, pairs, query = CONTROLS[what]
    with Served({"/": search(inner, script), "/find": answer, "/suggest": suggest}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(*pairs, form=visit.forms[0])
        assert [(sent.outcome, sent.reason), *((r.query) for r in site.to("/find"))] == [
            ("sent", ""),
            query,
        ]


REFUSED: dict[str, tuple[str, str, list[tuple[str, str]], str]] = {
    # what: controls, script, pairs to set, reason
    "date in a form that the browser does not take": (
        "<label>Since <input type=date name=d></label>", "", [("d", "31/12/2010")],
        "refused: 31/12/2010"),
    "box that forgets": (
        "<label>Words <input name=q></label>",
        "document.forms[0].q.oninput = e => { e.target.value = ''; };", [("q", "Salt")],
        "not_taken: Salt"),
    "list without the choice": (
        "<label>Genre <select name=g><option>Poetry</option></select></label>", "",
        [("g", "Drama")], "no_option: Drama"),
    "choice that cannot be made": (
        "<label>Genre <select name=g><option>Poetry<option disabled>Drama</select></label>", "",
        [("g", "Drama")], "no_option: Drama"),
    "required box left empty": (
        "<label>Words <input name=q></label><label>Town <input name=t required></label>", "",
        [("q", "Salt")], "refused: t: "),
    "pattern": ("<label>Code <input name=c pattern='[0-9]{3}'></label>", "", [("c", "12")],
                "refused: c: "),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_take_is_not_sent(what: str, browsing: Browsing) -> None:
    inner, script, pairs, reason = REFUSED[what]
    with Served({"/": search(inner, script), "/find": answer}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(*pairs, form=visit.forms[0])
        assert site.to("/find") == []
    assert sent.outcome == "not_sent"
    assert sent.reason.startswith(reason)
    assert sent.page is None


def test_a_page_that_reloads_at_a_choice_is_filled_on(browsing: Browsing) -> None:
    towns = {"it": ["Rome", "Bari"], "fr": ["Lyon", "Nice"]}

    def page(request: Request) -> str:
        land = request.value("land")
        lands = "".join(
            f"<option value={k} {'selected' if k == land else ''}>{v}</option>"
            for k, v in (("", "any"), ("it", "Italy"), ("fr", "France"))
        )
        choices = "".join(f"<option>{t}</option>" for t in ["any", *towns.get(land, [])])
        return search(
            f"<label>Country <select name=land onchange=\"form.action='/';this.form.submit()\">"
            f"{lands}</select></label><label>Town <select name=town>{choices}</select></label>"
        )

    with Served({"/": page, "/find": answer}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("land", "France"), ("town", "Nice"))
        assert [r.query for r in site.to("/find")] == ["land=fr&town=Nice"]
    assert sent.outcome == "sent"
    assert sent.steps == 2


def test_a_trap_is_never_filled(browsing: Browsing) -> None:
    inner = (
        "<label>Words <input name=q></label>"
        "<div style='position:absolute;left:-5000px'><label>Author <input name=url></label></div>"
    )
    with Served({"/": search(inner), "/find": answer}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("url", "Ida Fenwick"), form=visit.forms[0])
        assert site.to("/find") == []
    assert (sent.outcome, sent.reason) == ("not_sent", "not_fillable: Ida Fenwick")


def test_an_event_that_a_person_causes_is_fired_once(browsing: Browsing) -> None:
    script = (
        "const seen = []; for (const n of ['input', 'change', 'click'])"
        " document.addEventListener(n, e => { if (e.target.name) seen.push(e.target.name + n); });"
        "document.forms[0].addEventListener('submit', () => { log.value = seen.join(); });"
    )
    inner = (
        "<label>Words <input name=q></label><label>Genre <select name=g><option>a<option>b</select>"
        "</label><label><input type=checkbox name=c> Only new</label>"
        "<input type=hidden name=log id=log>"
    )
    with Served({"/": search(inner, script), "/find": answer}) as site:
        with browsing.visit(site.url) as visit:
            visit.submit(("q", "x"), ("g", "b"), ("c", "Only new"), form=visit.forms[0])
        log = site.to("/find")[0].value("log").split(",")
    assert log == ["qinput", "qchange", "ginput", "gchange", "cclick", "cinput", "cchange"]
