"""Strategies: what is visited first, counted in pages asked of a served site."""

from __future__ import annotations

import pytest

from hiwe.crawl.action import Priority
from hiwe.crawl.relevance import Promise, gain, priority, score
from hiwe.crawl.topic import Topic
from hiwe.page.page import Link
from hiwe.page.terms import terms
from hiwe_fixtures.garden import prose
from tests.plainly import crawl_plainly
from tests.served import Served

TABLE = {"Director": ["Jane Campion", "Sofia Coppola"], "Genre": ["Western", "Comedy"]}
SECTIONS = ["Cars", "Garden", "Kitchen", "Money", "Cinema", "Sport", "Travel", "Weather"]
ROOMS = ["North", "South", "East", "West", "Upper", "Lower"]
SHELVES = ["One", "Two", "Three", "Four", "Five"]
FORM_PATH = "/cinema/upper/four"


def section_page(request):
    """A house of eight sections, six rooms, five shelves; one shelf of the cinema has the form."""
    place = [part for part in request.path.split("/") if part]
    below = (SECTIONS, ROOMS, SHELVES, [])[len(place)]
    about = prose(request.path)
    names = dict.fromkeys(below, "")
    if place[:1] == ["cinema"]:
        about += " Westerns and comedies by genre; every director from Campion to Coppola."
        names |= {"Upper": "Films by director", "Four": "Comedy and western"}
    base = request.path.rstrip("/")
    links = "".join(
        f'<a href="{base}/{name.lower()}">{text or name}</a> '
        for name, text in names.items() if name in below
    )  # fmt: skip
    return f"<title>{' '.join(place)}</title><p>{about}</p>{links}"


def paths_asked(tmp_path, strategy, pages):
    with Served({}, any_path=section_page) as site:
        crawl_plainly(
            tmp_path, site.url, table=TABLE, scope={"depth": 9},
            crawl={"strategy": strategy}, budget={"pages_per_site": pages},
        )  # fmt: skip
        return [request.path for request in site.log if request.path != "/robots.txt"]


def test_best_first_finds_the_form_in_a_sixth_of_the_pages_that_do_not_suffice_for_breadth_first(
    tmp_path,
):
    asked = paths_asked(tmp_path, "best", 20)
    assert FORM_PATH in asked
    assert len(asked) == len(set(asked)) == 20
    others = tmp_path / "breadth"
    others.mkdir()
    asked = paths_asked(others, "breadth", 120)
    assert FORM_PATH not in asked
    assert len(asked) == len(set(asked)) == 120


def test_what_a_task_says_of_itself_counts_as_its_labels_do(tmp_path):
    topic = Topic(["movies", "Old western films"])
    assert topic.of_words(terms("Western Films")) == 1.0
    assert topic.of_words(terms("Weather maps")) == 0.0
    assert topic.of_words(terms("")) == 0.0


def test_a_link_is_worth_what_its_words_its_page_and_the_way_to_it_promise():
    topic = Topic(["Director", "Genre", "Western", "Comedy"])
    about = topic.of_page(terms("A western is a genre; comedy another. Each director has one."))
    assert about == 1.0
    assert topic.of_page(terms("Rain and wind")) == 0.0
    worth = [
        topic.of_link("By director", about, 1.0),
        topic.of_link("Imprint", about, 1.0),
        topic.of_link("Imprint", about, 0.0),
        topic.of_link("Imprint", 0.0, 0.0),
    ]
    assert worth == sorted(worth, reverse=True)
    assert len(set(worth)) == 4


@pytest.mark.parametrize(
    ("sooner", "later"),
    [
        (Promise(topic=0.9), Promise(topic=0.1)),
        (Promise(siblings=5), Promise(siblings=500)),
        (Promise(topic=0.5, siblings=500), Promise(siblings=5)),
    ],
)
def test_topic_and_out_degree_have_their_say(sooner, later):
    link = Link("http://h.org/a", "A")
    assert score(link, 1, strategy="best", promise=sooner) < score(
        link, 1, strategy="best", promise=later
    )
    assert score(link, 1, strategy="breadth", promise=sooner) == 1.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Advanced search", Priority.LIKELY),
        ("Erweiterte Suche", Priority.LIKELY),
        ("Recherche avancée", Priority.LIKELY),
        ("About us", Priority.VISIT),
        ("Log in", Priority.UNLIKELY),
    ],
)
def test_a_link_that_promises_a_form_is_in_the_first_queue(text, expected):
    assert priority(Link("http://h.org/x", text)) is expected


def test_only_best_first_minds_in_links():
    assert gain("best") > 0
    assert gain("breadth") == gain("depth") == 0.0
