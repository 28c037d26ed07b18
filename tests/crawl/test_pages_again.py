"""Pages of a revisit: asked for once by plain HTTP, opened in a browser only if they need one."""

from __future__ import annotations

from hiwe.page.answer import page_from_html
from hiwe.page.outline import outline_of
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.rounds import Rounds
from tests.plainly import crawl_plainly
from tests.served import Reply, Served

FORM = '<form action="/find"><input name="q"><button>Find</button></form>'


def prose(seed):
    return f"<p>{' '.join(f'{seed}{n}' for n in range('abcdefgh'.index(seed[0]), 40))}</p>"


class Changing:
    """A site whose pages answer otherwise once `later` is set."""

    def __init__(self):
        self.later = False
        self.asked = []

    def page(self, before, after):
        def answer(request):
            self.asked.append((request.path, bool(request.header("cache-control")), self.later))
            return after(request) if self.later and callable(after) else (
                after if self.later else before
            )  # fmt: skip

        return answer

    def again(self, path):
        """Whether each request of the revisit to a path came from a tab, in order."""
        return [tab for asked, tab, later in self.asked if asked == path and later]


def revisited(tmp_path, site, routes):
    with Served(routes) as served:
        crawl_plainly(tmp_path, served.url)
        site.later = True
        result = crawl_plainly(tmp_path, served.url)
    with Database(result.out / FILE_NAME, read_only=True) as db:
        changes = {(c.kind, c.ref.rsplit("/", 1)[1]) for c in Rounds(db).changes()}
    return result, changes


def not_modified(request):
    assert request.header("if-none-match") == '"1"'
    return Reply("", 304)


def test_a_revisit_asks_once_for_what_it_can_read_without_a_browser(tmp_path):
    site = Changing()
    start = f'{prose("a")}<a href="/same">S</a><a href="/words">W</a><a href="/form">F</a>'
    start += '<a href="/gone">G</a>'
    routes = {
        "/": site.page(start, start),
        "/same": site.page(Reply(prose("b"), headers=(("ETag", '"1"'),)), not_modified),
        "/words": site.page(prose("c"), prose("d") + '<a href="/fresh">New</a>'),
        "/form": site.page(prose("e"), prose("e") + FORM),
        "/gone": site.page(prose("f"), Reply("", 404)),
        "/fresh": site.page("", prose("g")),
    }
    result, changes = revisited(tmp_path, site, routes)
    assert result.status == "finished"
    assert site.again("/") == [False]
    assert site.again("/same") == [False]
    assert site.again("/words") == [False]
    assert site.again("/form") == [False, True]  # another control: a browser has to look
    assert site.again("/gone") == [False]
    assert site.again("/fresh") == [True]
    assert changes == {("changed", "words"), ("gone", "gone"), ("new", "fresh")}


def test_a_page_that_is_throttled_is_not_asked_for_by_the_browser_either(tmp_path):
    site = Changing()
    answers = iter([Reply("", 429, headers=(("Retry-After", "1"),)), Reply(prose("b"))])
    routes = {
        "/": site.page(prose("a") + '<a href="/busy">B</a>', prose("a")),
        "/busy": site.page(prose("b"), lambda request: next(answers)),
    }
    result, _ = revisited(tmp_path, site, routes)
    assert result.status == "finished"
    assert site.again("/busy") == [False, False]


def outline(html):
    return outline_of(page_from_html("http://h.org/", html, 200))


def test_an_outline_tells_controls_and_scripts_but_neither_words_nor_tokens():
    plain = outline(f"<p>Some words</p>{FORM}<script src=/a.js></script>")
    assert plain == outline(f"<p>Others</p>{FORM}<script src=/a.js></script><a href=/x>X</a>")
    token = '<input type="hidden" name="csrf" value="12">'
    assert plain == outline(FORM.replace("<button", f"{token}<button") + "<script src=/a.js>")
    for other in (
        FORM,
        FORM.replace('name="q"', 'name="r"') + "<script src=/a.js></script>",
        FORM + "<select name=g><option>Old</select><script src=/a.js></script>",
        FORM + "<script src=/b.js></script>",
    ):
        assert outline(other) != plain
    assert outline("<select><option>Old</select>") != outline("<select><option>New</select>")
