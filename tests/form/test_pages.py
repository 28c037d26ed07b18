"""Whole pages of many countries, ages and frameworks: labels, ranges, parts, and what is searched.

`pages/NAME.html` is the page, `pages.yaml` what a person reads there; names end in the language.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import yaml

from hiwe.form.find import find_forms, understand
from hiwe.page.saved import saved_pages

pytestmark = pytest.mark.browser

FOLDER = Path(__file__).with_name("pages")
GOLD = yaml.safe_load(FOLDER.with_suffix(".yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def read(chromium):
    async def all_of_them():
        paths = [FOLDER / f"{name}.html" for name in GOLD]
        return {saved.path.stem: saved.page async for saved in saved_pages(paths)}

    return asyncio.run(all_of_them())


def named(form, places):
    return [form.elements[place].name for place in places]


def labels(page):
    """By the name of the element, or of the element and the box's value."""
    told = {}
    for element in (e for form in find_forms(page) for e in form.elements):
        told[element.name or element.id] = element.label
        if element.kind in ("radio", "checkbox"):
            boxes = (*element.options, *element.captions)
            told.update({f"{element.name}={o.value}": o.label for o in boxes})
    told.update({e.name or e.id: e.label for e in understand(page).outside})
    return told


def ranges(page):
    return [
        named(form, (place, element.range_with))
        for form in find_forms(page)
        for place, element in enumerate(form.elements)
        if element.range_role == "from" and element.range_with is not None
    ]


def parts(page):
    return [
        {form.elements[i].name: form.elements[i].part for i in element.part_with}
        for form in find_forms(page)
        for place, element in enumerate(form.elements)
        if element.part and element.part_with[0] == place
    ]


@pytest.mark.parametrize("name", GOLD)
def test_a_page_is_read_as_a_person_reads_it(read, name):
    gold, told = GOLD[name], labels(read[name])
    assert {key: told.get(key) for key in gold["labels"]} == gold["labels"]
    assert ranges(read[name]) == gold.get("ranges", [])
    assert parts(read[name]) == gold.get("parts", [])


@pytest.mark.parametrize("name", [name for name in GOLD if "searchable" in GOLD[name]])
def test_a_page_has_the_search_forms_that_a_person_sees(read, name):
    assert [form.searchable for form in find_forms(read[name])] == GOLD[name]["searchable"]


def test_every_page_has_its_gold():
    assert {path.stem for path in FOLDER.glob("*.html")} == GOLD.keys()
