"""Finding forms: whose controls, which copies, what sends them, what a trap is."""

from __future__ import annotations

import pytest

from hiwe.form.find import find_forms, understand
from hiwe.inspect import inspect_page

pytestmark = pytest.mark.browser

SEARCH = "<form action=/find><label>Title <input name=t></label><button>Search</button></form>"


def test_controls_belong_to_the_form_that_the_browser_says(show):
    html = """<table><form action=/find><tr><td>Title<td><input name=t></tr>
    <tr><td>Year<td><input name=y></tr></form></table>
    <form id=other action=/b><input name=z></form><input name=late form=other>"""
    page = show(html)
    assert [[e.name for e in f.elements] for f in find_forms(page)] == [["t", "y"], ["z", "late"]]
    assert understand(page).outside == ()


def test_controls_without_form_make_one_with_their_trigger(show):
    html = """<div><span>Title</span> <input id=tw> <button type=button>Search</button></div>
    <p><label>Note <input id=note></label></p>"""
    page = show(html)
    (form,) = find_forms(page)
    assert form.dom_form is None
    assert [e.label for e in form.elements] == ["Title"]
    assert form.submitters[0].text == "Search"
    assert [e.label for e in understand(page).outside] == ["Note"]


def test_a_lone_search_box_needs_no_trigger(show):
    (form,) = find_forms(show("<div><input placeholder='Search films'></div>"))
    assert form.searchable
    assert form.submitters[0].control == -1


def test_the_displayed_copy_wins(show):
    page = show(f"<div style=display:none>{SEARCH}</div><div>{SEARCH}</div>")
    (form,) = find_forms(page)
    assert (form.dom_form, form.elements[0].visible, form.copies) == (1, True, (0,))
    assert len(inspect_page(page)["forms"]) == 1


def test_both_displayed_copies_are_listed_but_one_form_is_found(show):
    page = show(SEARCH + SEARCH)
    assert len(find_forms(page)) == 1
    assert len(inspect_page(page)["forms"]) == 2


def test_the_form_in_a_frame_and_in_a_shadow_root_is_found(show):
    html = """<iframe src=/pane width=500 height=200></iframe><x-y></x-y><script>
    document.querySelector('x-y').attachShadow({mode: 'open'}).innerHTML =
      '<form action=/b><label for=a>Author</label><input id=a name=a><button>Go</button></form>';
    </script>"""
    forms = find_forms(show(html, pane=SEARCH))
    assert [(f.elements[0].label, f.frame, f.dom_form) for f in forms] == [
        ("Title", 1, None),
        ("Author", 0, None),
    ]


HIDDEN = {
    "display": "display:none",
    "visibility": "visibility:hidden",
    "opacity": "opacity:0",
    "off the page": "position:absolute;left:-9999px",
    "no size": "width:0;height:0;overflow:hidden",
    "clipped": "position:absolute;clip:rect(0,0,0,0)",
    "clip path": "clip-path:inset(50%)",
}


@pytest.mark.parametrize("style", HIDDEN.values(), ids=HIDDEN.keys())
def test_a_field_that_is_not_seen_is_a_trap(show, style):
    html = f"""<form action=/find><label>Title <input name=t></label>
    <p style="{style}"><label>Author <input name=url></label></p><button>Find</button></form>"""
    title, trap = find_forms(show(html))[0].elements
    assert (title.visible, title.fillable) == (True, True)
    assert (trap.visible, trap.fillable, trap.role) == (False, False, "trap")


def test_an_overlay_covers_but_does_not_hide(show):
    page = show(SEARCH + "<div style='position:fixed;inset:0;background:#fff'>cookies</div>")
    assert find_forms(page)[0].elements[0].fillable
    assert all(c.covered for c in page.controls)


def test_a_list_behind_its_stand_in_is_usable(show):
    html = """<form><div>Genre</div><select name=g style="display:none"><option>Drama<option>Crime
    </select><div class="nice-select" style="width:150px;height:30px">Drama</div></form>"""
    found = find_forms(show(html))[0].elements[0]
    assert (found.visible, found.widget, found.label) == (True, True, "Genre")


def test_a_styled_checkbox_is_usable_by_its_label(show):
    html = """<form><label><input type=checkbox name=c value=1 style="opacity:0;position:absolute">
    <span>In stock</span></label></form>"""
    found = find_forms(show(html))[0].elements[0]
    assert (found.visible, found.label) == (True, "In stock")


SUBMITTERS = {
    "search before others": (
        "<input type=submit value='Browse covers'><input type=submit value='Find titles'>",
        ["Find titles", "Browse covers"],
    ),
    "never a reset": ("<input type=reset><input type=submit value=OK>", ["OK"]),
    "image by its text": ("<input type=image alt=Search src=x.png width=20 height=20>", ["Search"]),
    "export last": ("<button>Export CSV</button><button>Show</button>", ["Show", "Export CSV"]),
}


@pytest.mark.parametrize(("html", "texts"), SUBMITTERS.values(), ids=SUBMITTERS.keys())
def test_submitters_stand_best_first(show, html, texts):
    (form,) = find_forms(show(f"<form><input name=t>{html}</form>"))
    assert [s.text for s in form.submitters] == texts


def test_what_a_button_overrides_is_kept(show):
    html = """<form action=/old method=post><input name=t>
    <button formaction=/new formmethod=get>Find</button></form>"""
    (submitter,) = find_forms(show(html))[0].submitters
    assert submitter.action.endswith("/new")
    assert submitter.method == "GET"


def test_fingerprint_is_the_same_in_another_session(show):
    html = """<form action="/find;jsessionid={0}"><input type=hidden name=csrf value={0}>
    <input name=t value="{0}"><button>Search</button></form>"""
    first, second = (find_forms(show(html.format(x)))[0] for x in ("a1b2c3d4e5f6", "f6e5d4c3b2a1"))
    assert first.fingerprint == second.fingerprint
    other = find_forms(show(html.format("a").replace("name=t", "name=u")))[0]
    assert other.fingerprint != first.fingerprint


def test_a_form_whose_fields_are_called_like_its_properties(show):
    html = """<form action=/find><input name=action><input name=method><input name=id>
    <input name=elements><button name=submit>Search</button></form>"""
    (form,) = find_forms(show(html))
    assert form.action.endswith("/find")
    assert [e.name for e in form.elements] == ["action", "method", "id", "elements"]


def test_a_link_that_sends_the_form_is_its_submitter(show):
    html = """<form action=/find name=f><input name=t><a href="javascript:help()">?</a>
    <a href="javascript:document.f.submit()">Search</a></form>"""
    (form,) = find_forms(show(html))
    assert [s.text for s in form.submitters] == ["Search"]


def test_a_div_that_plays_button_is_a_trigger(show):
    html = "<div>Title <input id=t> <div role=button tabindex=0>Search</div></div>"
    (form,) = find_forms(show(html))
    assert [s.text for s in form.submitters] == ["Search"]
