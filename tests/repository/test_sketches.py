"""Near duplicates: what resembles what, and that it is found again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.page.page import Page
from hiwe.page.sketch import SIZE, resemblance, sketch, sketch_of
from hiwe.repository.database import Database
from hiwe.repository.sketches import Sketches

SITE = "http://h.org/"


def prose(seed, words=400):
    chance = random.Random(seed)
    return [f"word{chance.randrange(5000)}" for _ in range(words)]


def changed(words, share, seed=9):
    """Return the words with a run of new ones in place of a share of them."""
    new = prose(seed, int(len(words) * share))
    return words[: len(words) - len(new)] + new


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6, 1.0])
def test_resemblance_estimates_the_share_in_common(share):
    words = prose(1, 2000)
    kept = 1 - share
    expected = kept / (2 - kept)  # of the union of both
    found = resemblance(sketch(" ".join(words)), sketch(" ".join(changed(words, share))))
    assert found == pytest.approx(expected, abs=0.15)


@given(st.text(), st.text())
def test_resemblance_is_symmetric_and_a_share(one, other):
    first, second = sketch(one), sketch(other)
    assert resemblance(first, first) == 1.0
    assert resemblance(first, second) == resemblance(second, first)
    assert 0.0 <= resemblance(first, second) <= 1.0
    assert len(first) <= SIZE
    assert list(first) == sorted(set(first))


def test_a_page_is_sketched_by_what_it_says():
    one = Page(
        SITE, 200, "<h1>Five small  Moons</h1><script>var a=1</script><p>and <b>more</b> here"
    )
    other = Page(SITE, 200, "<table><td>FIVE SMALL<td>moons<tr><td>and more here</table>")
    assert sketch_of(one) == sketch_of(other)
    assert sketch_of(Page(SITE, 200, "")) == ()


@pytest.fixture
def sketches():
    with Database(None) as database:
        yield Sketches(database)


def test_a_mirror_is_found_and_other_pages_are_not(sketches):
    pages = [prose(seed) for seed in range(30)]
    for number, words in enumerate(pages):
        assert sketches.add(SITE, f"{SITE}{number}", sketch(" ".join(words))) is None
    for number, words in enumerate(pages):
        mirror = sketch(" ".join(["today", "is", f"day {number}", *words]))
        assert sketches.add(SITE, f"{SITE}m{number}", mirror) == f"{SITE}{number}"
        assert sketches.find("http://other.org/", mirror) is None
        assert sketches.add(SITE, f"{SITE}{number}", sketch(" ".join(words))) is None


def test_records_of_one_template_are_no_duplicates(sketches):
    frame = " ".join(prose(77, 60))
    for number in range(20):
        text = f"{frame} {' '.join(prose(number, 30))}"
        assert sketches.add(SITE, f"{SITE}{number}", sketch(text)) is None


def test_short_texts_are_not_compared(sketches):
    assert sketches.add(SITE, f"{SITE}1", sketch("not found")) is None
    assert sketches.add(SITE, f"{SITE}2", sketch("not found")) is None
