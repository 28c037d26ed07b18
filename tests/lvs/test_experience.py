"""Crawling experience: the paper's three cases, and what is no experience at all."""

from __future__ import annotations

import pytest

from hiwe.lvs import ElementView, LvsTable, Provenance, WeightChange
from hiwe.lvs.experience import CLOSEST_SCORE, EXPERIENCE_WEIGHT, score
from hiwe.lvs.load import parse_rows

SUBJECTS = ("Physics", "Chemistry", "Botany")


def table() -> LvsTable:
    return LvsTable(parse_rows("[{label: Genre, values: {Drama: 1.0, Comedy: 0.5}}]"))


def learn(lvs: LvsTable, element: ElementView) -> tuple[WeightChange, ...]:
    return lvs.learn(element, lvs.match(element, sigma=0.75))


def test_case_1_a_matched_domain_joins_the_row() -> None:
    lvs = table()
    changes = learn(lvs, ElementView("Genres", kind="select", domain=("Drama", "Western")))
    values = lvs.rows[0].values
    assert [(c.value, c.before, c.after) for c in changes] == [
        ("Western", None, values.weight("Western"))
    ]
    assert values.weight("Western") == pytest.approx(EXPERIENCE_WEIGHT * 0.97)
    assert values.provenance("Western") is Provenance.EXPERIENCE
    assert (values.weight("Drama"), values.weight("Comedy")) == (1.0, 0.5)


def test_case_1_what_the_row_has_is_strengthened() -> None:
    lvs = table()
    element = ElementView("Genre", kind="radio", domain=("Western", "Horror"))
    learn(lvs, element)
    (first, *_) = learn(lvs, element)
    assert first.before is not None
    assert first.before < first.after <= 1.0


def test_case_2_an_unmatched_label_makes_a_new_row() -> None:
    lvs = table()
    changes = learn(lvs, ElementView("Department:", kind="select", domain=SUBJECTS))
    row = lvs.row("Department")
    assert row is not None
    assert row.provenance is Provenance.EXPERIENCE
    assert {c.after for c in changes} == {EXPERIENCE_WEIGHT}
    assert lvs.match(ElementView("Departments"), sigma=0.75).row is row


def test_case_3_an_unlabelled_domain_joins_the_closest_row_with_the_score_as_weight() -> None:
    lvs = table()
    domain = ("Drama", "Comedy", "Western", "Horror")
    expected = (1.0 + 0.5) / 4
    assert score(lvs.rows[0].values, domain) == expected >= CLOSEST_SCORE
    learn(lvs, ElementView("", "s1", "select", domain))
    assert lvs.rows[0].values.weight("Western") == expected


def test_case_3_a_domain_close_to_no_row_teaches_nothing() -> None:
    lvs = table()
    assert learn(lvs, ElementView("", "s1", "select", ("Drama", *"abcdefgh"))) == ()
    assert len(lvs.rows) == 1


@pytest.mark.parametrize(
    "element",
    [
        ElementView("Genre"),
        ElementView("Genre", kind="select", domain=("Only",)),
        ElementView("In stock", kind="radio", domain=("Ja", "Nein")),
        ElementView("Sort by", kind="select", domain=("Relevance", "Newest")),
        ElementView("Results per page", kind="select", domain=("10", "20")),
        ElementView("Town", kind="select", domain=tuple(f"Town {n}" for n in range(5000))),
        ElementView("Search", kind="datalist", domain=SUBJECTS),
    ],
    ids=lambda element: element.label,
)
def test_what_teaches_nothing(element: ElementView) -> None:
    lvs = table()
    before = lvs.state()
    assert learn(lvs, element) == ()
    assert lvs.state() == before
