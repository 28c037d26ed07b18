# ruff: noqa: E501 - HTML and sentences of many languages read better unbroken
"""Small pages of a made-up catalogue, and the short way from HTML to a judgement."""

from __future__ import annotations

from hiwe.form.form import Element, Form
from hiwe.page.page import Box, Page
from hiwe.response.analyse import analyse
from hiwe.response.verdict import FormKnowledge, hit_records, judge

SITE = "http://books.test"
BOX = Box(0, 0, 100, 20)
BOOKS = {
    1: ("The Glass Orchard", "Ida Fenwick", 1994),
    2: ("Salt Roads", "Omar Velt", 2003),
    3: ("Nine Small Moons", "Ida Fenwick", 2011),
    5: ("Atlas of Quiet Rivers", "Jonas Reuter", 2016),
    6: ("Brass Engines", "Omar Velt", 1987),
    8: ("The Cartographer's Debt", "Lena Storm", 2021),
    9: ("Тихий берег", "Вера Лунина", 2014),
    10: ("Red Shift Market", "Ida Fenwick", 2019),
    12: ("Paper Suns", "Kai Morrow", 2005),
}
FORM_HTML = (
    '<form action="/find"><label>Genre <select name="g"><option value="sf">Science fiction</option>'
    '<option value="tr">Travel</option></select></label><button>Find</button></form>'
)


def page(html, path="/find?g=sf", status=200, **kwargs):
    """A page of the made-up site."""
    url = path if path.startswith("http") else SITE + path
    return Page(url=url, status=status, html=html, **kwargs)


def form(names=("g",), action="/find", method="GET"):
    """A form with select elements of these names."""
    elements = tuple(
        Element(
            controls=(i,), name=name, id="", kind="select", label=name, label_source="for",
            runner_up="", options=(), box=BOX, visible=True,
        )
        for i, name in enumerate(names)
    )  # fmt: skip
    return Form(
        index=0, dom_form=0, page_url=SITE + "/", page_title="", language="en", method=method,
        action=SITE + action, enctype="", elements=elements, submitters=(), hidden=(),
        searchable=True, reason="", score=1.0, fingerprint="f",
    )  # fmt: skip


def hits(*ids):
    """The catalogue's hit list."""
    items = "".join(
        f'<li class="hit"><a href="/item/{i}">{BOOKS[i][0]}</a> <span>{BOOKS[i][1]}, {BOOKS[i][2]}</span></li>'
        for i in ids
    )
    return f'<ol class="hits">{items}</ol>'


def list_page(*ids, extra=""):
    """The catalogue's result page."""
    return f'<h1>Results</h1><p class="count">{len(ids)} records found</p>{hits(*ids)}{extra}'


EMPTY_PAGE = "<h1>Results</h1><p>No records matched your search.</p>"


class Answer:
    """A response analysed and judged."""

    def __init__(self, html, **kwargs):
        form_html = kwargs.pop("form_html", FORM_HTML)
        of = kwargs.pop("form", form())
        knowledge = kwargs.pop("knowledge", FormKnowledge())
        values = kwargs.pop("values", ())
        landed = kwargs.pop("landed", "page")
        self.page = html if isinstance(html, Page) else page(html, **kwargs)
        self.features = analyse(
            self.page,
            form_page=page(form_html, "/") if form_html is not None else None,
            form=of,
            landed=landed,
            values=values,
        )
        self.judgement = judge(self.features, knowledge)
        self.verdict = self.judgement.verdict.value
        self.reason = self.judgement.reason
        self.records = hit_records(self.features, self.judgement, knowledge)
        self.urls = [record.url for record in self.records]
        self.pager = self.features.pager
        self.count = self.features.count

    def __repr__(self):
        return f"<Answer {self.verdict} {self.reason!r} {len(self.records)} records {self.judgement.evidence}>"
