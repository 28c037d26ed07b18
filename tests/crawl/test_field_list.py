"""A library catalogue as most are: choose the field, choose how to compare, type the words."""

from __future__ import annotations

from tests.catalogue import RECORDS, list_page
from tests.crawling import crawl
from tests.served import Served

INDEXES = {"TI": "title", "AU": "author", "SU": "genre"}
CRITERION = """<tr><td><select name="i{0}"><option value="AU">Author</option>
  <option value="TI">Title</option><option value="SU">Subject</option>
  <option value="SB">ISBN</option></select></td>
<td><select name="o{0}"><option value="e">is exactly</option><option value="c">contains</option>
  <option value="s">starts with</option></select></td>
<td><input name="t{0}" size="40"></td>{1}</tr>"""
AND = '<td><select name="b{0}"><option>AND<option>OR<option>NOT</select></td>'
FORM = f"""<h1>Catalogue search</h1><form action="/find"><table>
{CRITERION.format(1, AND.format(1))}{CRITERION.format(2, AND.format(2))}{CRITERION.format(3, "")}
</table><input type="submit" value="Search"></form>"""


def find(request):
    term, index = request.value("t1").casefold(), INDEXES.get(request.value("i1"), "")
    if not term:
        return FORM
    exact = request.value("o1") == "e"
    told = [(str(getattr(record, index, "")).casefold(), record) for record in RECORDS]
    return list_page([r for text, r in told if (text == term if exact else term in text)])


def test_the_field_is_chosen_with_each_value_and_never_alone(browsing, tmp_path):
    table = {
        "Author": ["Fenwick", "Velt", "Aubry"],
        "Title": ["Moons", "Engines", "Suns"],
    }
    with Served({"/": FORM, "/find": find}) as site:
        crawled = crawl(browsing, tmp_path, site.url, table=table)
        asked = [(r.value("i1"), r.value("o1"), r.value("t1")) for r in site.to("/find")]
    assert set(asked) == {
        *(("AU", "c", name) for name in table["Author"]),
        *(("TI", "c", word) for word in table["Title"]),
    }
    assert len(asked) == 6
    assert set(crawled.verdicts) == {"results"}
