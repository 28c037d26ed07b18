"""Answers that are cut off, with and without a total."""

from __future__ import annotations

import pytest

from tests.response.answers import Answer, hits

CAPPED = [
    "Only the first 5 results are displayed. Please refine your search.",
    "The maximum of 5 records is displayed",
    "Your search returned more than 5 records.",
    "Es werden nur die ersten 5 Treffer angezeigt.",
    "Mehr als 5 Treffer. Bitte schränken Sie die Suche ein.",
    "Il y a trop de résultats, seuls les 5 premiers sont affichés",
    "Sono mostrati solo i primi 5 risultati",
]
WHOLE = ["5 results", "5 Treffer</p><p>Suche verfeinern", "1-5 of 5</p><p>Refine your search"]


@pytest.mark.parametrize("text", CAPPED)
def test_a_figure_that_is_a_cap_is_no_total(text):
    answer = Answer(f"<h1>Results</h1><p>{text}</p>{hits(1, 2, 3, 5, 6)}")
    assert (answer.verdict, answer.judgement.truncated) == ("results", True)


@pytest.mark.parametrize("text", WHOLE)
def test_an_offer_to_refine_does_not_make_a_whole_list_a_part(text):
    answer = Answer(f"<h1>Results</h1><p>{text}</p>{hits(1, 2, 3, 5, 6)}")
    assert (answer.verdict, answer.judgement.truncated) == ("results", False)
