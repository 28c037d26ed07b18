"""Elements that a site's message asks for are filled from then on."""

from __future__ import annotations

import pytest

from tests.cases.kit import genre_options, ids
from tests.catalogue import LANGUAGES, RECORDS, having, list_page
from tests.crawling import crawl
from tests.served import Served

pytestmark = pytest.mark.browser

LANGUAGE = "".join(f'<option value="{code}">{name}</option>' for code, name in LANGUAGES.items())
FORM = f"""<form action="/find"><label>Genre <select name="g"><option value="">any</option>
  {genre_options("sf", "hi", "co", "po")}</select></label><label>Language <select name="l">
  <option value="">please choose</option>{LANGUAGE}</select></label><button>Find</button></form>"""


def test_an_element_that_the_message_names_is_bound_from_then_on(browsing, tmp_path):
    def find(request):
        if not request.value("l"):
            return f'<p class="error">Language: this field is required.</p>{FORM}'
        return list_page(having(genre=request.value("g"), language=request.value("l")))

    with Served({"/": FORM, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        rejected = [r for r in site.to("/find") if not r.value("l")]
        assert len(rejected) <= 2
    assert result.verdicts.count("invalid") == len(rejected)
    assert ids(result) == [r.id for r in RECORDS]


def test_an_element_marked_invalid_is_bound_from_then_on(browsing, tmp_path):
    marked = FORM.replace('name="l"', 'name="l" aria-invalid="true"')

    def find(request):
        if not request.value("l"):
            return f'<div role="alert">Your search could not be carried out.</div>{marked}'
        return list_page(having(genre=request.value("g"), language=request.value("l")))

    with Served({"/": FORM, "/find": find}) as site:
        result = crawl(browsing, tmp_path, site.url)
        assert len([r for r in site.to("/find") if not r.value("l")]) <= 2
    assert ids(result) == [r.id for r in RECORDS]
