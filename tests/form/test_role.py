"""What an element is for, whatever it is called."""

from __future__ import annotations

import pytest

from hiwe.form.find import find_forms

FORM = """<form action="/find"><p>Title <input name=t></p>
<p>Direction <select name=dir2>{options}</select></p><button>Search</button></form>"""


RADIOS = """<form action="/find"><p>Title <input name=t></p>
<p>{label}: {boxes}</p><button>Search</button></form>"""


def radio_role(show, label, *choices):
    boxes = "".join(
        f"<input type=radio name=r value={at} id=r{at}><label for=r{at}>{choice}</label> "
        for at, choice in enumerate(choices)
    )
    form = find_forms(show(RADIOS.format(label=label, boxes=boxes)))[0]
    return next(e.role for e in form.elements if e.name == "r")


def role(show, *choices):
    options = "".join(f"<option>{choice}</option>" for choice in choices)
    form = find_forms(show(FORM.format(options=options)))[0]
    return next(e.role for e in form.elements if e.name == "dir2")


@pytest.mark.browser
@pytest.mark.parametrize(
    "choices",
    [
        ("Ascending", "Descending"),
        ("", "asc", "desc"),
        ("Newest first", "Oldest first", "Relevance"),
        ("Aufsteigend", "Absteigend"),
        ("Ordre croissant", "Ordre décroissant"),
        ("по возрастанию", "по убыванию"),
        ("Rosnąco", "Malejąco"),
    ],
)
def test_a_list_of_ways_to_sort_is_left_alone(show, choices):
    assert role(show, *choices) == "paging"


@pytest.mark.browser
@pytest.mark.parametrize(
    "choices",
    [("North", "South"), ("Ascending", "Bridge", "Cave"), ("Ascending",), ("Any", "Newest")],
)
def test_a_list_that_holds_anything_else_is_not(show, choices):
    assert role(show, *choices) == "value"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("label", "choices", "expected"),
    [
        ("Order", ("Ascending", "Descending"), "paging"),
        ("Colour", ("Red", "Green"), "value"),
        ("Match", ("All words", "Any word"), "operator"),
        ("Verknüpfung", ("Alle Wörter", "Ein Wort"), "operator"),
        ("Buscar", ("Todas las palabras", "Cualquier palabra", "Frase exacta"), "operator"),
        ("Искать", ("Все слова", "Любое слово"), "operator"),
        ("Show", ("10", "20", "50"), "paging"),
    ],
)
def test_radio_buttons_are_told_by_their_choices_too(show, label, choices, expected):
    assert radio_role(show, label, *choices) == expected


SHOW = """<form action="/find"><p>Title <input name=t></p>
<p>{label} <select name={name}>{options}</select></p><button>Search</button></form>"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("label", "name", "choices", "expected"),
    [
        ("Show", "a", ("10", "20", "50"), "paging"),
        ("Anzeigen", "a", ("10", "25", "100"), "paging"),
        ("Afficher", "a", ("20", "50"), "paging"),
        ("", "rows", ("10", "20", "50"), "paging"),
        ("Show", "a", ("1", "2", "3"), "value"),
        ("Weight", "a", ("10", "20", "50"), "value"),
        ("Show", "a", ("Morning", "Evening"), "value"),
    ],
)
def test_a_list_of_page_sizes_is_left_alone(show, label, name, choices, expected):
    options = "".join(f"<option>{choice}</option>" for choice in choices)
    form = find_forms(show(SHOW.format(label=label, name=name, options=options)))[0]
    assert next(e.role for e in form.elements if e.name == name) == expected
