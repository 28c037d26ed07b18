"""Rules of hiwe.text: what of a label counts, and which labels are one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.text import (
    SOFT_WEIGHT,
    clean,
    fold,
    misspelt,
    name_words,
    normalise,
    similarity,
    words,
)

SIGMA = 0.75

SAME = [
    ("Film title", "Title of the film"),
    ("Dir.", "Director"),
    ("Yr.", "Year"),
    ("No. of pages", "pages"),
    ("Enter the name of the director", "Director"),
    ("Авторы", "Автор"),
    ("Year of release", "Year"),
    ("* TITLE\u00a0:", "title"),
    ("Author (optional)", "Author"),
    ("Keyword(s)", "Keywords"),
    ("  Year\n   :", "Year"),
    ("-- any genre --", "Genre"),
    ("Date", "Flight date"),
    ("Phase of flight", "Flight phase"),
    ("Year from", "Year"),
    ("author_name", "Author"),
    ("Distributer", "Distributor"),
    ("Registi", "Regista"),
    ("Nome dell'autore", "Autore"),
    ("Géneros", "Genero"),
    ("Erscheinungsjahr", "Jahr"),
    ("Filmtitel", "Titel"),
    ("e-mail", "Email"),
    ("映画のタイトル", "タイトル"),
    ("著者名を入力してください", "著者"),
    ("请输入书名", "书名"),
    ("المؤلفون", "المؤلف"),
]

DIFFERENT = [
    ("Author", "Date"),
    ("Country", "County"),
    ("Genre", "Gender"),
    ("Director", "Directory"),
    ("Publisher", "Publication"),
    ("Birth date", "Date"),
    ("Job title", "Title"),
    ("Title of the position", "Title"),
    ("E-mail for alerts", "Author"),
    ("Price", "Prize"),
    ("State", "Status"),
    ("Titre de votre annonce", "Titre"),
    ("出版社", "出版年"),
    ("", "Title"),
    ("***", "Title"),
]


@pytest.mark.parametrize(("label", "row"), SAME, ids=lambda text: text)
def test_labels_of_one_meaning_reach_sigma(label: str, row: str) -> None:
    assert similarity(label, row) >= SIGMA


@pytest.mark.parametrize(("label", "row"), DIFFERENT, ids=lambda text: text or "empty")
def test_labels_of_other_meaning_stay_below_sigma(label: str, row: str) -> None:
    assert similarity(label, row) < SIGMA


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* TITLE\u00a0:", "TITLE"),
        ("Author (optional)", "Author"),
        ("  Year\n   :", "Year"),
        ("-- any genre --", "any genre"),
        ("(Main)", "Main"),
        ("Price in $", "Price in $"),
        ("***", "***"),
    ],
)
def test_clean_keeps_what_a_person_reads(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_normalise_drops_soft_and_stop_words_but_never_everything() -> None:
    assert normalise("Enter the name of the director") == normalise("Director")
    assert normalise("The name") != ()
    assert normalise("???") == ()


def test_soft_words_count_little_beside_others_and_fully_alone() -> None:
    assert [word.weight for word in words("Film title")] == [SOFT_WEIGHT, 1.0]
    assert [word.weight for word in words("Film")] == [1.0]


def test_a_word_that_only_the_label_has_costs_more_than_one_of_the_row() -> None:
    assert similarity("Date", "Flight date") > similarity("Flight date", "Date")


def test_stop_words_follow_the_language_when_it_is_known() -> None:
    assert similarity("Die", "Die", "en") == 1.0
    assert normalise("Die Regie", "de") == normalise("Regie", "de")


def test_accents_of_alphabets_do_not_matter_but_voicing_marks_do() -> None:
    assert fold("Réalisateur") == fold("realisateur")
    assert fold("カ") != fold("ガ")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ctl00$Main$txtDirectorName", ["director"]),
        ("release_year", ["release", "year"]),
        ("q", []),
        ("x1", []),
    ],
)
def test_name_attributes_split_into_telling_words(name: str, expected: list[str]) -> None:
    assert [word.text for word in name_words(name)] == expected


def test_batch_misspelling_search_finds_the_one_word() -> None:
    vocabulary = [f"word{n:05d}" for n in range(1000)] + ["distributor"]
    assert misspelt("distributer", vocabulary) == ["distributor"]
    assert misspelt("gender", ["genre"]) == []


@given(st.text(max_size=40), st.text(max_size=40))
def test_similarity_stays_in_bounds_for_any_text(first: str, second: str) -> None:
    assert 0.0 <= similarity(first, second) <= 1.0


@given(st.lists(st.sampled_from(["title", "author", "genre", "airport", "phase"]), min_size=1))
def test_word_order_never_matters(parts: list[str]) -> None:
    assert similarity(" ".join(parts), " ".join(reversed(parts))) == pytest.approx(1.0)


def test_an_instructions_opening_is_no_noun() -> None:
    assert normalise("Type your title here") == normalise("Title")
    assert normalise("Fuel type") != normalise("Fuel")


def test_arabic_articles_do_not_matter() -> None:
    assert normalise("البحث بالعنوان") == normalise("عنوان")
