"""LITE: which text is whose label. Each test is one habit of pages, laid out by a real browser."""

from __future__ import annotations

import pytest

from hiwe.form.find import find_forms

pytestmark = pytest.mark.browser


def labels(page):
    """Label by name of every element of a page."""
    return {e.name: e.label for form in find_forms(page) for e in form.elements}


def element(page, name):
    return next(e for form in find_forms(page) for e in form.elements if e.name == name)


FORMS = {
    "left of the field": (
        "<form>Title <input name=a><br>Author <input name=b><button>Go</button></form>",
        {"a": "Title", "b": "Author"},
    ),
    "above the field": (
        "<form><div>Title</div><input name=a><div>Author</div><input name=b></form>",
        {"a": "Title", "b": "Author"},
    ),
    "below the field": (
        """<form style="display:flex;gap:40px"><div><input name=a><div>Title</div></div>
        <div><input name=b><div>Author</div></div></form>""",
        {"a": "Title", "b": "Author"},
    ),
    "visual order against source order": (
        """<form><div style="display:flex;flex-direction:row-reverse;justify-content:flex-end">
        <input name=a><span>Title</span></div><div style="display:flex;flex-direction:row-reverse;
        justify-content:flex-end"><input name=b><span>Author</span></div></form>""",
        {"a": "Title", "b": "Author"},
    ),
    "placed by absolute position": (
        """<form style="position:relative;height:200px">
        <span style="position:absolute;left:10px;top:60px">Author</span>
        <span style="position:absolute;left:10px;top:10px">Title</span>
        <input name=a style="position:absolute;left:120px;top:8px">
        <input name=b style="position:absolute;left:120px;top:58px"></form>""",
        {"a": "Title", "b": "Author"},
    ),
    "a question over more boxes than texts are looked at": (
        """<form><table><tr><td>Title</td><td>Genre</td></tr><tr><td><input name=a></td><td>"""
        + " ".join(f"<input type=checkbox name=b value={n}> kind {n}" for n in range(12))
        + "</td></tr></table></form>",
        {"a": "Title", "b": "Genre"},
    ),
    "floating inside the field": (
        """<form><div style="position:relative"><input name=a style="width:200px;height:40px">
        <span style="position:absolute;left:8px;top:12px">Title</span></div></form>""",
        {"a": "Title"},
    ),
    "header row": (
        """<form><table><tr><th>Title<th>Author<th>Year</tr>
        <tr><td><input name=a><td><input name=b><td><input name=c></tr></table></form>""",
        {"a": "Title", "b": "Author", "c": "Year"},
    ),
    "header row over two columns": (
        """<form><table><tr><td colspan=2>Author<td>Year</tr>
        <tr><td>First <td>Last<td></tr>
        <tr><td><input name=a><td><input name=b><td><input name=c></tr></table></form>""",
        {"a": "First", "b": "Last", "c": "Year"},
    ),
    "right to left": (
        """<form dir=rtl><script>document.documentElement.dir='rtl'</script>
        <table><tr><td>כותר<td><input name=a></tr>
        <tr><td>מחבר<td><input name=b></tr></table></form>""",
        {"a": "כותר", "b": "מחבר"},
    ),
    "unspaced script": (
        "<form><div>書名 <input name=a></div><div>著者 <input name=b></div></form>",
        {"a": "書名", "b": "著者"},
    ),
    "hint between label and field": (
        """<form><div><span>Author</span><p>The family name goes first, please.</p>
        <input name=a></div>
        <div><span>Year</span><p>Any four digits will do here.</p><input name=b></div></form>""",
        {"a": "Author", "b": "Year"},
    ),
    "example behind the field": (
        "<form>Year <input name=a> (e.g. 1984)<br>Title <input name=b> e.g. Hamlet</form>",
        {"a": "Year", "b": "Title"},
    ),
    "a neighbour without label takes nothing": (
        "<form><div>Title <input name=a></div><div><input name=zz></div></form>",
        {"a": "Title", "zz": "zz"},
    ),
    "line that wraps": (
        """<form style="width:300px">Title <input name=a style="width:180px"> Author
        <input name=b style="width:180px"></form>""",
        {"a": "Title", "b": "Author"},
    ),
    "image": (
        """<form><table><tr><td><img alt=Title width=50 height=15><td><input name=a></tr>
        <tr><td><img alt=Year width=50 height=15><td><input name=b></tr></table></form>""",
        {"a": "Title", "b": "Year"},
    ),
    "parts of one number": (
        "<form>Phone number <input name=a size=3> - <input name=b size=6></form>",
        {"a": "Phone number", "b": "Phone number"},
    ),
    "parts of one date": (
        """<form>Born <select name=a><option value="">dd<option>1<option>2</select>
        <select name=b><option value="">mm<option>1</select></form>""",
        {"a": "Born", "b": "Born"},
    ),
    "required mark and colon": (
        "<form><div>* Title:</div><input name=a><div>Author (optional)</div><input name=b></form>",
        {"a": "Title", "b": "Author"},
    ),
}


@pytest.mark.parametrize(("html", "expected"), FORMS.values(), ids=FORMS.keys())
def test_label_by_layout(show, html, expected):
    assert labels(show(html)) == expected


EVIDENCE = {
    "label for": ("<label for=x>Title</label> <input id=x name=a>", "Title", "for"),
    "wrapping label": ("<label>Title <input name=a></label>", "Title", "wrap"),
    "aria-labelledby": ("<b id=l>Title</b><input name=a aria-labelledby=l>", "Title", "aria"),
    "aria-label": ("<input name=a aria-label=Title>", "Title", "aria"),
    "placeholder": ("<input name=a placeholder=Title>", "Title", "placeholder"),
    "first option": (
        "<select name=a><option value=''>-- any genre --<option>Drama<option>Crime</select>",
        "genre",
        "option",
    ),
    "title": ("<input name=a title=Title>", "Title", "title"),
    "identifier": ("<input name=txtBookTitle>", "Book Title", "name"),
    "hidden label": (
        """<label for=x style="position:absolute;clip:rect(0,0,0,0);width:1px;height:1px;
        overflow:hidden">Title</label><input id=x name=a>""",
        "Title",
        "for",
    ),
}


@pytest.mark.parametrize(("html", "label", "source"), EVIDENCE.values(), ids=EVIDENCE.keys())
def test_label_by_evidence(show, html, label, source):
    (form,) = find_forms(show(f"<form>{html}<button>Search</button></form>"))
    assert (form.elements[0].label, form.elements[0].label_source) == (label, source)


def test_a_for_to_a_repeated_id_does_not_win(show):
    html = """<form><label for=t>Title</label> <input id=t name=a>
    <label for=t>Author</label> <input id=t name=b></form>"""
    assert labels(show(html)) == {"a": "Title", "b": "Author"}


def test_a_for_across_the_page_does_not_beat_the_text_at_the_field(show):
    html = """<label for=x>Newsletter</label><div style="height:900px"></div>
    <form>Author <input id=x name=a><button>Search</button></form>"""
    assert labels(show(html)) == {"a": "Author"}


def test_a_button_that_ends_in_a_colon_names_the_box_behind_it(show):
    over = "<b>Issues</b><br><a href=/all>Show all</a><br>"
    button, box = "<input type=submit value='Show issue:'>", "<input name=n size=4>"
    assert labels(show(f"<form>{over}{button}{box}</form>")) == {"n": "Show issue"}
    behind = f"<form>Number {box}{button}</form>"
    assert labels(show(behind)) == {"n": "Number"}
    plain = f"<form>Number {button.replace(':', '')}{box}</form>"
    assert labels(show(plain)) == {"n": "Number"}


def test_a_format_is_no_label(show):
    html = "<form>Added since <input name=d placeholder=dd/mm/yyyy><button>Find</button></form>"
    assert labels(show(html)) == {"d": "Added since"}


def test_a_star_at_the_label_is_noted_and_no_part_of_it(show):
    page = show(
        """<form><label for=a>Title *</label><input id=a name=a><br>* Author: <input name=b><br>
        Year<span>*</span>: <input name=c><br>Place <input name=d><button>Go</button></form>"""
    )
    found = [element(page, name) for name in "abcd"]
    assert [e.label for e in found] == ["Title", "Author", "Year", "Place"]
    assert [e.starred for e in found] == [True, True, True, False]


def test_group_label_and_option_labels_are_told_apart(show):
    html = """<form><div>Format</div>
    <input type=radio name=f value=p>Paper <input type=radio name=f value=e>E-book
    <div>Language</div><input type=checkbox name=l value=1>English
    <input type=checkbox name=l value=2>French</form>"""
    page = show(html)
    assert labels(page) == {"f": "Format", "l": "Language"}
    assert [o.label for o in element(page, "f").options] == ["Paper", "E-book"]
    assert [o.label for o in element(page, "l").options] == ["English", "French"]


def test_a_legend_names_the_group_it_holds_alone(show):
    html = """<form><fieldset><legend>Format</legend><label><input type=radio name=f value=p>
    Paper</label><label><input type=radio name=f value=e>E-book</label></fieldset></form>"""
    found = element(show(html), "f")
    assert (found.label, found.label_source) == ("Format", "legend")


def test_a_link_behind_a_checkbox_text_is_no_part_of_it(show):
    html = """<form><input type=checkbox name=r value=1> <span>Remember me</span>
    <a href=/lost>Forgot your password?</a></form>"""
    assert labels(show(html)) == {"r": "Remember me"}


def test_the_other_box_does_not_take_the_choice_label(show):
    html = """<form><div>Subject</div><input type=radio name=s value=1> Books
    <input type=radio name=s value=o> Other <input name=other></form>"""
    page = show(html)
    assert [o.label for o in element(page, "s").options] == ["Books", "Other"]


def test_range_halves_share_their_label(show):
    page = show("<form>Year from <input name=y1 size=4> to <input name=y2 size=4></form>")
    low, high = find_forms(page)[0].elements
    assert (low.label, low.range_role, low.range_with) == ("Year", "from", 1)
    assert (high.label, high.range_role, high.range_with) == ("Year", "to", 0)


def test_range_told_by_a_dash(show):
    page = show("<form>Price <input name=p1 size=4> - <input name=p2 size=4></form>")
    assert [(e.label, e.range_role) for e in find_forms(page)[0].elements] == [
        ("Price", "from"),
        ("Price", "to"),
    ]


def test_range_told_by_names(show):
    html = """<form><label>Year <input name=year_min></label>
    <input name=year_max placeholder=max></form>"""
    roles = [e.range_role for e in find_forms(show(html))[0].elements]
    assert roles == ["from", "to"]


def test_runner_up_and_cost_are_kept(show):
    found = element(show("<form><div>Title</div><input name=a> year of print</form>"), "a")
    assert (found.label, found.runner_up) == ("Title", "year of print")
    assert found.label_cost > 0


def test_menu_and_telephone_number_over_a_search_box_are_no_labels(show):
    menu = "<ul><li><a href=/a>History</a><li><a href=/n>News</a></ul>"
    for over in (menu, "<div>(949) 484-4444</div>"):
        page = show(f"{over}<form action=/find><input name=q><button>Go</button></form>")
        (element,) = find_forms(page)[0].elements
        assert element.label_source in ("name", "none"), element


def test_name_of_the_site_far_left_of_a_search_box_is_no_label(show):
    head = "display:flex;justify-content:space-between;align-items:center;width:900px"
    search = "<form action=/find><input name=q placeholder=Search><button>Go</button></form>"
    page = show(f"<div style='{head}'><span>The Film Magazine</span>{search}</div>")
    (element,) = find_forms(page)[0].elements
    assert (element.label, element.label_source) == ("Search", "placeholder")


def test_label_of_a_free_text_tells_its_role_before_its_name(show):
    page = show("<form><p>Directed by <input name=dir><p>Title <input name=t><button>Go</button>")
    assert [e.role for e in find_forms(page)[0].elements] == ["value", "value"]
