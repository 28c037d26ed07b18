"""A form over its own answer is no new form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiwe.crawl.twins import is_answered_twin
from tests.report.a_run import element, form

SITE = "http://h.org/"
FIND = f"{SITE}find"


def made(page, **defaults):
    elements = [replace(element(name, name), default=value) for name, value in defaults.items()]
    return form("f", elements, url=page, action=FIND)


PLAIN = made(FIND, title="", genre="")


@pytest.mark.parametrize(
    ("seen", "twin"),
    [
        (made(f"{FIND}?genre=Drama", title="", genre="Drama"), True),
        (made(f"{FIND}?genre=Drama", title="", genre="", genre_1="Drama"), True),
        (made(f"{FIND}?mode=advanced", title="", genre="", year=""), False),
        (made(f"{FIND}?genre=Drama", title="Drama"), False),
        (made(f"{SITE}other?genre=Drama", title="", genre="Drama"), False),
        (made(FIND, title="", genre="Drama"), False),
    ],
    ids=[
        "preset",
        "row for the condition",
        "more fields",
        "fewer fields",
        "another page",
        "no query",
    ],
)
def test_a_form_over_its_answer_is_told_from_others(seen, twin):
    assert is_answered_twin(seen, [PLAIN]) is twin
