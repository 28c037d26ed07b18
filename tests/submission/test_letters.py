"""What takes the beginning of a word is asked letter by letter, further where it is cut off."""

from __future__ import annotations

import random

import pytest

from hiwe.submission.assignment import Binding
from hiwe.submission.letters import first_letters, longer, takes_beginnings
from tests.submission.film_library import Library, element, form, plan_for, run, select

STEMS = ("ma", "mar", "sch", "st", "b", "an", "de", "ro", "wi", "har")


def names(count):
    chance = random.Random(3)
    found = set()
    while len(found) < count:
        stem = chance.choice(STEMS)
        found.add(stem + "".join(chance.choices("aeilnorst", k=5)))
    return [{"id": str(n), "name": name} for n, name in enumerate(sorted(found))]


class Register(Library):
    def _matches(self, record, asked):
        return all(record["name"].startswith(v.lower()) for v in asked.get("name", ()))


@pytest.mark.parametrize("tells_total", [True, False])
def test_a_capped_register_is_harvested_by_its_letters(tells_total):
    a_form = form(element("name", label="Surname begins with"))
    register = Register(a_form, records=names(600), cap=20, tells_total=tells_total)
    plan = plan_for(a_form, {}, budget=800)
    sent = run(plan, register)
    assert len(register.seen) >= 0.95 * 600
    values = [b.value.lower() for a in sent for b in a.bindings]
    assert len(values) == len(set(values))
    assert max(map(len, values)) > 2  # the longest only where they are needed


def test_what_is_a_whole_word_gets_no_more_letters():
    assert longer(Binding(0, "Spielberg", 1.0), beginnings=False) == ()
    assert longer(Binding(0, "Spielberg", 1.0), beginnings=True) == ()
    assert longer(Binding(0, "New York", 1.0), beginnings=True) == ()
    parts = [b.value for b in longer(Binding(0, "Sp", 0.8, "Director"), beginnings=False)]
    assert parts[:3] == ["Spa", "Spe", "Spi"]


def test_letters_are_those_of_the_script():
    assert [b.value for b in first_letters(form(), 0)[:2]] == ["A", "B"]
    assert [b.value for b in longer(Binding(0, "Ив", 1.0), beginnings=False)[:2]] == ["Иво", "Ива"]


@pytest.mark.parametrize(
    ("label", "takes"),
    [
        ("Last name starts with", True),
        ("Nachname (Anfangsbuchstaben)", True),
        ("Фамилия начинается с", True),
        ("Start date", False),
        ("Title", False),
    ],
)
def test_a_label_says_that_a_beginning_is_asked_for(label, takes):
    assert takes_beginnings(element("n", label=label)) is takes
    assert not takes_beginnings(select("n", ["A", "B"], label=label))
