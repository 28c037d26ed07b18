"""Domains of dependent elements, read without sending anything."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiwe.submission.submit import submit
from tests.browsing import assignment
from tests.served import Reply, Served

pytestmark = pytest.mark.browser

CHILDREN = {"sf": ["Ida Fenwick", "Kai Morrow"], "hi": ["Omar Velt", "Lena Storm"]}
PARENT = """<label>Genre <select name="g" id="g" {change}><option value="">choose</option>
  <option value="sf">Science fiction</option><option value="hi">History</option></select></label>"""
CHILD = '<label>Author <select name="a" id="a" {state}>{choices}</select></label>'
PAGE = '<form action="/find" id="f">{parent}{child}<button>Find</button></form>{script}'


def discovered(browsing, site, genre):
    """Reason, domains by name, after the genre was set to discover its authors."""
    with browsing.visit(site.url) as visit:
        wanted = replace(assignment(visit.form, ("g", genre)), discover=True)
        session, form = visit.session, visit.form

        async def carry():
            tab = await session.open(site.url)
            try:
                return await submit(tab, form, wanted, timeout_s=15.0)
            finally:
                await tab.close()

        sent = browsing.run(carry())
        labels = {
            form.elements[place].name: [o.label for o in options if o.value]
            for place, options in sent.domains
        }
        return sent.outcome, sent.reason, labels


def test_a_domain_that_is_fetched_is_waited_for(browsing):
    script = """<script>g.onchange = async () => { a.innerHTML = ''; a.disabled = true;
      for (const n of await (await fetch('/authors?g=' + g.value)).json()) a.add(new Option(n, n));
      a.disabled = false; };</script>"""
    page = PAGE.format(
        parent=PARENT.format(change=""),
        child=CHILD.format(state="disabled", choices=""),
        script=script,
    )

    def authors(request):
        quoted = ", ".join(f'"{name}"' for name in CHILDREN[request.value("g")])
        return Reply(f"[{quoted}]", content_type="application/json", delay_s=0.8)

    with Served({"/": page, "/authors": authors}) as site:
        outcome, reason, domains = discovered(browsing, site, "History")
        assert site.to("/find") == []
    assert (outcome, reason) == ("not_sent", "discover")
    assert domains == {"a": CHILDREN["hi"]}


def test_a_domain_that_a_timer_brings_is_waited_for(browsing):
    script = """<script>const all = {sf: ['Ida Fenwick', 'Kai Morrow'], hi: ['Omar Velt']};
      g.onchange = () => { a.length = 0; a.disabled = true; setTimeout(() => {
      for (const n of all[g.value]) a.add(new Option(n, n)); a.disabled = false; }, 1200); };
      </script>"""
    page = PAGE.format(
        parent=PARENT.format(change=""),
        child=CHILD.format(state="disabled", choices=""),
        script=script,
    )
    with Served({"/": page}) as site:
        _, reason, domains = discovered(browsing, site, "Science fiction")
    assert (reason, domains) == ("discover", {"a": ["Ida Fenwick", "Kai Morrow"]})


def test_a_domain_in_a_page_that_loads_anew_is_read_there(browsing):
    def page(request):
        code = request.value("g")
        names = CHILDREN.get(code, [])
        parent = PARENT.format(change="onchange=\"f.action = '/'; f.submit()\"")
        if code:
            parent = parent.replace(f'value="{code}"', f'value="{code}" selected')
        choices = '<option value="">any</option>' + "".join(f"<option>{n}</option>" for n in names)
        return PAGE.format(
            parent=parent.replace(f'value="{code}"', f'value="{code}" selected')
            if code
            else parent,
            child=CHILD.format(state="" if names else "disabled", choices=choices),
            script="",
        )

    with Served({"/": page}) as site:
        _, reason, domains = discovered(browsing, site, "Science fiction")
        assert site.to("/find") == []
    assert (reason, domains) == ("discover", {"a": CHILDREN["sf"]})
