"""Which forms are searched with, and what the others are called."""

from __future__ import annotations

import pytest

from hiwe.form.find import find_forms

pytestmark = pytest.mark.browser

REFUSED = {
    "login": "<form method=post><input name=u><input type=password name=p><button>Log in",
    "register": """<form method=post action=/up><input name=u><input type=password name=p>
        <input type=password name=p2><button>Sign up""",
    "newsletter": "<form method=post action=/join><input name=mail type=email><button>Subscribe",
    "contact": """<form method=post><label>Name <input name=n></label><label>E-mail
        <input name=mail></label><textarea name=message></textarea><button>Send message""",
    "upload": "<form method=post enctype=multipart/form-data><input type=file name=f><button>Send",
    "dialog": "<form method=dialog><input name=t><button>OK",
    "no_fields": "<form method=post action=/page><input type=hidden name=p value=2><button>2",
    "cart": "<form method=post action=/cart><input name=qty value=1><button>Add to cart",
    "payment": "<form method=post><input name=cardnumber><input name=cvv><button>Pay",
    "code": "<form><textarea name=sql></textarea><button>Run SQL",
}


@pytest.mark.parametrize(("reason", "html"), REFUSED.items(), ids=REFUSED.keys())
def test_a_form_of_another_purpose_is_refused_with_its_reason(show, reason, html):
    (form,) = find_forms(show(html + "</button></form>"))
    assert (form.searchable, form.reason) == (False, reason)


WRITES = {
    "alert": "<select name=f><option>daily<option>weekly</select><input name=q><button>Set alert",
    "report": "<select name=r><option>Spam<option>Rude</select><input name=q><button>Send report",
    "suggestion": "<input name=title><input name=author><button>Suggest a purchase",
    "reservation": "<input name=title><select name=b><option>A<option>B</select><button>Reserve",
    "tag": "<input name=q><button>Add tag",
    "German": "<input name=q><select name=f><option>A<option>B</select><button>Melden",
    "French": "<input name=q><select name=f><option>A<option>B</select><button>Signaler",
}


@pytest.mark.parametrize("html", WRITES.values(), ids=WRITES.keys())
def test_a_form_that_leaves_something_with_the_site_is_none(show, html):
    (form,) = find_forms(show(f"<form method=post action=/do>{html}</button></form>"))
    assert not form.searchable


SEARCHES = {
    "English": "<form action=/find><input name=q><button>Search",
    "by POST": "<form method=post action=/find><label>Title <input name=t></label><button>Search",
    "German": "<form action=/a><input name=begriff><button>Suchen",
    "Italian": "<form action=/a><label>Titolo <input name=ti></label><button>Cerca",
    "French": "<form action=/a><label>Titre <input name=ti></label><button>Rechercher",
    "Spanish": "<form action=/a><label>Autor <input name=au></label><button>Buscar",
    "Polish": "<form action=/a><input name=x><button>Szukaj",
    "Russian": "<form action=/a><label>Автор <input name=au></label><button>Найти",
    "Greek": "<form action=/a><input name=x><button>Αναζήτηση",
    "Turkish": "<form action=/a><input name=x><button>Ara",
    "Arabic": "<form action=/a><input name=x><button>بحث",
    "Hebrew": "<form action=/a><input name=x><button>חיפוש",
    "Japanese": "<form action=/a><input name=x><button>検索",
    "Chinese": "<form action=/a><input name=x><button>搜索",
    "Korean": "<form action=/a><input name=x><button>검색",
    "lists alone": """<form action=/list><select name=g><option>Drama<option>Crime</select>
        <select name=y><option>1999<option>2001</select><button>Show""",
    "with an alert box": """<form action=/find><label>Year <input type=number name=y></label>
        <label>E-mail for alerts <input type=email name=m></label><button>Find""",
    "filters over a list": """<form action=/books><label for=edit-genre>Genre</label>
        <select id=edit-genre name=genre><option value=All>- Any -<option>Drama<option>Crime
        </select><input type=submit value=Apply><input type=submit name=op value=Reset>""",
    "one form round the whole page": """<form method=post action=./><input type=submit name=in
        value="Log in"><table><tr><td>Genre<td><select name=g><option value="">--Select--
        <option>Drama<option>Crime</select><tr><td><input type=submit value=Search></table>""",
    "sent back by a link": """<form method=post action=/ id=f><label>Genre <select name=g>
        <option>Drama<option>Crime</select></label>
        <a href="javascript:__doPostBack('list','')">Search</a>""",
}


@pytest.mark.parametrize("html", SEARCHES.values(), ids=SEARCHES.keys())
def test_a_search_form_is_told_in_any_language(show, html):
    (form,) = find_forms(show(html + "</button></form>"))
    assert form.searchable, form.evidence


def test_the_decision_names_its_evidence(show):
    (form,) = find_forms(show(SEARCHES["English"] + "</button></form>"))
    assert "button:search" in dict(form.evidence)
    assert 0.5 <= form.score <= 1.0


def test_sorting_and_contact_fields_are_left_alone(show):
    html = """<form action=/find><label>Title <input name=t></label>
    <label>Sort by <select name=sort><option>Title<option>Year</select></label>
    <label>Results per page <input name=limit value=50></label>
    <select name=sort_2><option>nothing<option>Title<option>Year</select>
    <label>Phone <input name=tel></label><button>Search</button></form>"""
    (form,) = find_forms(show(html))
    assert [(e.role, e.fillable) for e in form.elements] == [
        ("value", True),
        ("paging", False),
        ("paging", False),
        ("paging", False),
        ("contact", False),
    ]


LISTS = (
    "<form method=post action=/step2><label>Genre <select name=g><option>Drama<option>War</select>"
)


@pytest.mark.parametrize("button", ["Next", "Weiter", "Suivant", "Далее", "次へ"])
def test_lists_with_a_button_that_leads_on_are_the_first_step_of_a_search(show, button):
    (form,) = find_forms(show(f"{LISTS}</label><button>{button}</button></form>"))
    assert form.searchable


@pytest.mark.parametrize(
    "rest",
    [
        "</label><fieldset><legend>Satisfied?</legend><label><input type=radio name=s value=1>Yes"
        "</label><label><input type=radio name=s value=2>No</label></fieldset><button>Next",
        "<label>Your name <input name=n></label><button>Next",
        "</label><button>Subscribe",
        "<button>Vote",
    ],
)
def test_other_forms_with_lists_are_none(show, rest):
    (form,) = find_forms(show(f"{LISTS}</label>{rest}</button></form>"))
    assert not form.searchable
