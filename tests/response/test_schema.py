"""Fields of several sites under the names that are wanted."""

from __future__ import annotations

from hiwe.response.schema import renamed, wanted_names

SCHEMA = {"Title": ("Name",), "Director": ("Directed by",), "Year": ("Anno", "Jahr"), "Price": ()}


def test_names_of_other_sites_and_languages_stand_for_the_wanted_ones():
    found = ["Titolo", "Regista", "Anno", "Supporto"]
    assert wanted_names(found, SCHEMA) == {
        "Title": ("Titolo",), "Director": ("Regista",), "Year": ("Anno",), "Price": (),
    }  # fmt: skip


def test_names_are_alike_whatever_their_writing():
    names = wanted_names(["film_title", "DIRECTORS", "directedBy", "year"], SCHEMA)
    assert names["Title"] == ("film_title",)
    assert set(names["Director"]) == {"DIRECTORS", "directedBy"}
    assert names["Year"] == ("year",)


def test_wanted_fields_come_first_and_the_others_stay():
    names = {"Title": ("Titolo",), "Director": ("Regista",), "Year": ()}
    fields = (("Regista", "Jane Campion"), ("Supporto", "DVD"), ("Titolo", "The Piano"))
    assert renamed(fields, names) == (
        ("Title", "The Piano"), ("Director", "Jane Campion"), ("Supporto", "DVD"),
    )  # fmt: skip


def test_the_likeliest_name_with_a_value_gives_the_field():
    names = {"Director": ("Director", "Made by")}
    assert renamed((("Director", ""), ("Made by", "Ang Lee")), names) == (
        ("Director", "Ang Lee"), ("Director (site)", ""),
    )  # fmt: skip
    both = renamed((("Made by", "A studio"), ("Director", "Ang Lee")), names)
    assert both == (("Director", "Ang Lee"), ("Made by", "A studio"))


def test_without_a_schema_nothing_changes():
    fields = (("A", "1"), ("B", "2"))
    assert renamed(fields, wanted_names(["A", "B"], {})) == fields
