"""Controls and triggers that scripts draw: told by their roles, and by what they say."""

from __future__ import annotations

import pytest

from hiwe.form.find import find_forms, understand

pytestmark = pytest.mark.browser

DRAWN = """<form action=/find><label>Title <input name=t></label>
  <div role=radiogroup aria-label=Format><div role=radio aria-checked=true tabindex=0>Paper</div>
  <div role=radio aria-checked=false tabindex=0>E-book</div></div>
  <div role=checkbox aria-checked=false tabindex=0>In stock only</div>
  <span id=n>New titles</span> <button type=button role=switch aria-checked=true
  aria-labelledby=n></button>
  <span id=p>Price up to</span> <div role=slider tabindex=0 aria-labelledby=p aria-valuemin=5
  aria-valuemax=90 aria-valuenow=40 style="width:100px;height:12px"></div>
  <button>Search</button></form>"""


def test_drawn_controls_are_elements_with_labels_and_choices(show):
    (form,) = find_forms(show(DRAWN))
    told = [(e.kind, e.label or [o.label for o in e.options]) for e in form.elements]
    assert told == [
        ("text", "Title"),
        ("radio", "Format"),
        ("checkbox", "In stock only"),
        ("checkbox", "New titles"),
        ("range", "Price up to"),
    ]
    assert [(o.label, o.selected) for o in form.elements[1].options] == [
        ("Paper", True),
        ("E-book", False),
    ]
    assert (form.elements[4].minimum, form.elements[4].maximum) == ("5", "90")


def test_a_person_can_set_drawn_controls_and_so_can_we(show):
    (form,) = find_forms(show(DRAWN))
    assert all(e.fillable for e in form.elements)


def test_a_box_that_takes_no_keys_is_set_where_it_opens_a_calendar(show):
    html = """<form><label>Since <input readonly name=a placeholder=dd.mm.yyyy></label>
      <label>Until <input readonly class=datepicker name=b></label>
      <label>Customer <input readonly name=c value=17></label><button>Search</button></form>"""
    (form,) = find_forms(show(html))
    assert [e.fillable for e in form.elements] == [True, True, False]


def test_what_stands_in_for_a_select_is_no_field_of_its_own(show):
    html = """<form><label for=b>Genre</label>
      <select name=g style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)">
      <option value="">Any</option><option value=sf>Science fiction</option>
      <option value=po>Poetry</option></select><div class="ts-wrapper single"><input id=b
      role=combobox></div><label>Words <input name=q></label><button>Search</button></form>"""
    (form,) = find_forms(show(html))
    assert [(e.name, e.label, e.fillable) for e in form.elements] == [
        ("g", "Genre", True),
        ("q", "Words", True),
    ]


def test_a_native_box_behind_a_drawn_one_counts_once(show):
    html = """<form><label><input type=checkbox name=c style="opacity:0;position:absolute">
      <span role=checkbox aria-checked=false style="display:inline-block;width:16px;height:16px">
      </span> In stock</label><input name=q><button>Search</button></form>"""
    (form,) = find_forms(show(html))
    assert [e.name for e in form.elements] == ["c", "q"]


TRIGGERS = {
    "link that runs a script": '<a href="javascript:go()">Search</a>',
    "link to nowhere": "<a href=# class=btn>Suchen</a>",
    "box with a handler": "<div onclick=go()>検索</div>",
    "box that looks like a button": '<span class="btn btn-primary">Rechercher</span>',
    "image with a handler": "<img onclick=find() alt=Find width=40 height=20>",
}


@pytest.mark.parametrize("trigger", TRIGGERS.values(), ids=TRIGGERS.keys())
def test_fields_without_form_act_with_what_is_pressed_beside_them(show, trigger):
    page = show(
        f"<div><span>Title</span> <input id=t> <span>Year</span> <input id=y> {trigger}</div>"
    )
    (form,) = find_forms(page)
    assert [e.label for e in form.elements] == ["Title", "Year"]
    assert form.submitters[0].control >= 0
    assert form.searchable


@pytest.mark.parametrize(
    "beside",
    ["<a href=/search>Advanced search</a>", "<a href=#top>Top</a>", "<span>Search</span>"],
    ids=["link that leads elsewhere", "link that says nothing of it", "plain text"],
)
def test_what_is_not_pressed_makes_no_form(show, beside):
    found = understand(show(f"<div><span>Note</span> <input id=t> {beside}</div>"))
    assert found.forms == ()
    assert [e.label for e in found.outside] == ["Note"]


def test_writing_direction_is_that_of_the_field(show):
    html = """<body dir=rtl><form>العنوان <input name=a> المؤلف <input name=b></form>
      <form dir=ltr>Title <input name=c> Author <input name=d></form></body>"""
    names = {e.name: e.label for f in find_forms(show(html)) for e in f.elements}
    assert names == {"a": "العنوان", "b": "المؤلف", "c": "Title", "d": "Author"}


def test_text_for_screen_readers_inside_a_label_is_shown_with_it_but_is_no_part_of_its_name(show):
    hidden = "position:absolute;left:-999px"
    html = f"""<form><span>Title <b>*</b><i style="{hidden}">Required</i></span> <input name=a>
      <p><span>Author</span> <input name=b></p></form>"""
    first, second = find_forms(show(html))[0].elements
    assert (first.label, first.label_text) == ("Title", "Title * Required")
    assert second.label == "Author"
