"""Controls that scripts draw take their values as from a person, and are read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.served import Reply, Request, Served

if TYPE_CHECKING:
    from tests.browsing import Browsing

pytestmark = pytest.mark.browser

STYLE = """<style>.cell{display:inline-block;width:20px;height:20px;border:1px solid}
.away{position:absolute;width:1px;height:1px;opacity:0;overflow:hidden}</style>"""


def page(inner: str, script: str) -> str:
    """A search page round the controls `inner`."""
    return (
        f"<!doctype html>{STYLE}<h1>Search the catalogue</h1><form action=/find>{inner}"
        f"<button>Search</button></form><script>{script}</script>"
    )


DRAWN = """<div role=checkbox aria-checked=false tabindex=0 id=c>Only new</div>
<input type=hidden name=c id=ch>
<div role=radiogroup aria-label=Format id=r>
<span role=radio aria-checked=true tabindex=0>Paper</span>
<span role=radio aria-checked=false tabindex=-1>E-book</span></div>
<input type=hidden name=f id=f value=Paper>
<button type=button role=switch aria-checked=false id=s class=cell></button>
<label for=s>In stock</label>
<input type=checkbox aria-hidden=true tabindex=-1 class=away name=s id=sh>
<span id=l>Price up to</span><div role=slider tabindex=0 aria-labelledby=l aria-valuemin=0
 aria-valuemax=50 aria-valuenow=10 id=p class=cell></div>
<input type=hidden name=p id=ph value=10>"""
DRAWN_JS = """const flip = (el) => { const on = el.getAttribute('aria-checked') !== 'true';
 el.setAttribute('aria-checked', on); return on; };
c.onkeydown = (e) => { if (e.key === ' ') ch.value = flip(c) ? 1 : ''; };
r.onclick = (e) => { const o = e.target.closest('[role=radio]'); if (!o) return;
 for (const x of r.children) x.setAttribute('aria-checked', x === o); f.value = o.textContent; };
s.onclick = () => { sh.checked = flip(s); };
p.onkeydown = (e) => { const n = +p.getAttribute('aria-valuenow')
 + ({ ArrowRight: 5, ArrowLeft: -5 }[e.key] || 0);
 p.setAttribute('aria-valuenow', n); ph.value = n; };"""

PICKED = """<label for=g>Genre</label><div><div><span id=gv></span><input id=g role=combobox
 aria-autocomplete=list></div><div id=gl></div><input type=hidden name=g id=gh></div>
<label for=t>Words</label><div class=tags><span id=tt></span><input id=t></div>
<input name=t id=th class=away tabindex=-1>
<label for=o>Format</label><div class=frame style="width:90px;height:20px;border:1px solid"><span
 id=ov></span><input id=o role=combobox readonly aria-haspopup=listbox
 style="opacity:0;width:9px"></div>
<input type=hidden name=o id=oh>
<label>Author</label><span role=combobox tabindex=0 id=a aria-label=Author>any</span>
<input type=hidden name=a id=ah>"""
PICKED_JS = """const list = (at, texts, pick) => { at.innerHTML = ''; for (const x of texts) {
 const d = document.createElement('div'); d.setAttribute('role', 'option'); d.textContent = x;
 d.onmousedown = () => { at.innerHTML = ''; pick(x); }; at.append(d); } };
const codes = { Poetry: 'po', 'Science fiction': 'sf' };
const genres = () => list(gl, Object.keys(codes).filter((x) => x.toLowerCase().includes(
 g.value.toLowerCase())), (x) => { gv.textContent = x; gh.value = codes[x]; g.value = ''; });
g.oninput = genres; g.onmousedown = genres;
g.onblur = () => { gl.innerHTML = ''; g.value = ''; };
t.onkeydown = (e) => { if (e.key !== 'Enter') return; e.preventDefault();
 tt.innerHTML += `<b>${t.value}</b> `; th.value += t.value; t.value = ''; };
o.parentNode.onmousedown = () => { const b = document.createElement('div'); b.className = 'options';
 document.body.append(b); setTimeout(() => { b.innerHTML = '<p class=option>Paper</p>'
 + '<p class=option>E-book</p>'; for (const x of b.children) x.onclick = () => {
 ov.textContent = x.textContent; oh.value = x.textContent; b.remove(); }; }, 60); };
a.onmousedown = () => { const b = document.createElement('div');
 b.innerHTML = '<input type=search><div class=found></div>'; document.body.append(b);
 const [q, found] = b.children; setTimeout(() => q.focus(), 0); q.oninput = async () => {
 const all = await (await fetch('/suggest?q=' + q.value)).json();
 list(found, all, (x) => { a.textContent = x; ah.value = x; b.remove(); }); }; };"""

SHADOW = """<x-field label=Words name=q></x-field><label for=k>Kind</label>
<select name=k id=k class=away tabindex=-1><option value="">Any</option><option>Novel</option>
<option>Essay</option></select><div class=custom-select role=combobox tabindex=0 id=kb
 style="width:90px;height:20px">Any</div>"""
SHADOW_JS = """customElements.define('x-field', class extends HTMLElement { connectedCallback() {
 const root = this.attachShadow({ mode: 'open' });
 root.innerHTML = `<label for=i>${this.getAttribute('label')}</label><input id=i>`;
 this.closest('form').addEventListener('formdata', (e) => {
 e.formData.set(this.getAttribute('name'), root.getElementById('i').value); }); } });
let chosen = 0; setInterval(() => { k.selectedIndex = chosen; }, 5);
k.onchange = () => { k.selectedIndex = chosen; };
kb.onclick = () => { const u = document.createElement('ul'); u.setAttribute('role', 'listbox');
 u.innerHTML = '<li role=option>Novel</li><li role=option>Essay</li>'; document.body.append(u);
 for (const [n, x] of [...u.children].entries()) x.onclick = () => { chosen = n + 1;
 k.selectedIndex = chosen; kb.textContent = x.textContent; u.remove(); }; };"""

WIDGETS: dict[str, tuple[str, str, list[tuple[str, str]], str]] = {
    # what: controls, script, pairs to set, query that arrives
    "boxes, switch and slider": (
        DRAWN, DRAWN_JS,
        [("Only new", "Only new"), ("Format", "E-book"), ("In stock", "In stock"),
         ("Price up to", "35")],
        "c=1&f=E-book&s=on&p=35"),
    "boxes that one must pick in": (
        PICKED, PICKED_JS,
        [("g", "Poetry"), ("t", "Salt"), ("o", "E-book"), ("a", "Omar Velt")],
        "g=po&t=Salt&o=E-book&a=Omar+Velt"),
    "components and stubborn selects": (
        SHADOW, SHADOW_JS, [("Words", "Salt"), ("k", "Essay")], "k=Essay&q=Salt"),
}  # fmt: skip


def suggest(request: Request) -> Reply:
    """Authors by a part of their name, after a while."""
    found = [a for a in ("Ida Fenwick", "Omar Velt") if request.value("q").lower() in a.lower()]
    return Reply(str(found).replace("'", '"'), content_type="application/json", delay_s=0.1)


@pytest.mark.parametrize("what", WIDGETS)
def test_a_drawn_control_takes_its_value(what: str, browsing: Browsing) -> None:
    inner, script, pairs, query = WIDGETS[what]
    routes = {"/": page(inner, script), "/find": lambda r: f"<p>{r.query}</p>", "/suggest": suggest}
    with Served(routes) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(*pairs, form=visit.forms[0])
        assert [(sent.outcome, sent.reason), *(r.query for r in site.to("/find"))] == [
            ("sent", ""),
            query,
        ]


# A calendar for the box `d`; HEAD is what stands above its days, EARLIEST its first month.
CALENDAR_JS = """const names = ['January', 'February', 'March', 'April', 'May', 'June', 'July',
 'August', 'September', 'October', 'November', 'December'];
let at = 2026 * 12 + 10; const two = (n) => String(n).padStart(2, '0');
const draw = () => { cal.innerHTML = head(Math.floor(at / 12), at % 12) + '<table></table>';
 const first = new Date(Math.floor(at / 12), at % 12, 1); let row;
 for (let i = 0; i < 42; i += 1) { if (i % 7 === 0) row = cal.querySelector('table').insertRow();
  const day = new Date(first.getFullYear(), first.getMonth(), 1 - first.getDay() + i);
  const cell = row.insertCell(); cell.textContent = day.getDate();
  cell.onclick = () => { d.value = two(day.getDate()) + '/' + two(day.getMonth() + 1) + '/'
  + day.getFullYear(); cal.innerHTML = ''; }; } };
d.onfocus = () => setTimeout(draw, 50);
cal.onclick = (e) => { const by = +e.target.dataset.by; if (by && at + by >= earliest) {
 at += by; draw(); } };
cal.onchange = (e) => { if (e.target.id === 'm') at += e.target.selectedIndex - at % 12;
 if (e.target.id === 'y') at += (e.target.value - Math.floor(at / 12)) * 12; draw(); };"""
HEADS = {
    "arrows alone": "`<b data-by=-1 class=prev role=button>‹</b> ${names[m]} ${y} "
    "<b data-by=1 class=next role=button>›</b>`",
    "arrows for years too": "`<a data-by=-12 title='Previous year'>«</a><a data-by=-1 "
    "title='Previous month'>‹</a> ${y}年 ${names[m].slice(0, 3)} <a data-by=1 title=Next>›</a>`",
    "lists": "`<select id=m>${names.map((x, i) => `<option ${i === m ? 'selected' : ''}>${x}"
    "</option>`)}</select><select id=y>${Array.from({ length: 40 }, (_, i) => `<option ${"
    "1990 + i === y ? 'selected' : ''}>${1990 + i}</option>`)}</select>`",
    "a box for the year": "`<a data-by=-1 class=back>&lt;</a> ${names[m]} <input id=y size=4 "
    "value=${y}> <a data-by=1 class=forward>&gt;</a>`",
}


def calendar(head: str, earliest: int) -> str:
    """A page with a date box that takes no keys."""
    box = "<label for=d>Since</label> <input name=d id=d readonly placeholder=dd/mm/yyyy>"
    script = f"const earliest = {earliest}; const head = (y, m) => {head}; {CALENDAR_JS}"
    return page(f"{box}<div id=cal></div>", script)


@pytest.mark.parametrize("head", HEADS)
def test_a_day_is_picked_in_the_calendar_of_a_box_that_takes_no_keys(
    head: str, browsing: Browsing
) -> None:
    routes = {"/": calendar(HEADS[head], 0), "/find": lambda r: f"<p>{r.query}</p>"}
    with Served(routes) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("d", "03/12/2010"), form=visit.forms[0])
        assert [(sent.outcome, sent.reason), *(r.query for r in site.to("/find"))] == [
            ("sent", ""),
            "d=03%2F12%2F2010",
        ]


def test_a_day_that_the_calendar_does_not_reach_is_not_sent(browsing: Browsing) -> None:
    with Served({"/": calendar(HEADS["arrows alone"], 2026 * 12 + 7), "/find": ""}) as site:
        with browsing.visit(site.url) as visit:
            sent = visit.submit(("d", "03/12/2010"), form=visit.forms[0])
        assert site.to("/find") == []
    assert (sent.outcome, sent.reason) == ("not_sent", "no_option: 03/12/2010")
