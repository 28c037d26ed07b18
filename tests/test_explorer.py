"""The steps of a crawl by hand: open, match, plan, submit, records."""

from __future__ import annotations

import socket
import sys
from itertools import pairwise
from types import SimpleNamespace

import pytest

import hiwe
from hiwe.errors import PageError, SiteUnreachable, UsageError
from hiwe.page.unanswered import reason_of
from tests.catalogue import having, list_page
from tests.served import Reply, Served

FORM = """<h1>Books</h1><form action="/find">
<label>Author <input name="a"></label>
<label>Language <select name="l"><option value="">Any</option><option value="en">English</option>
<option value="fr">French</option></select></label><button>Search</button></form>
<form action="/in" method="post"><label>User <input name="u"></label>
<label>Password <input type="password" name="p"></label><button>Log in</button></form>"""


def find(request):
    return list_page(having(author=request.value("a"), language=request.value("l")))


@pytest.fixture(scope="module")
def explored(chromium):
    robots = "User-agent: *\nDisallow: /private\n"
    with (
        Served({"/": FORM, "/find": find, "/robots.txt": robots, "/private": FORM}) as site,
        hiwe.Explorer(executable=chromium, delay_s=0.0) as explorer,
    ):
        yield site, explorer, explorer.open(site.url)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("lvs") / "table.yaml"
    path.write_text("- {label: Author, values: [Ida Fenwick, Omar Velt, Nobody Known]}\n")
    return hiwe.LvsTable.load([path])


def test_the_forms_of_a_page_are_understood(explored, table):
    _, _, page = explored
    (form,) = page.search_forms
    assert [element.label for element in form.elements] == ["Author", "Language"]
    (author, matched), _ = hiwe.match(form, table)
    assert (author.name, matched.row.label) == ("a", "Author")


def test_the_plan_is_sent_and_learns(explored, table):
    site, explorer, page = explored
    form = page.search_forms[0]
    plan = hiwe.plan(form, table, budget=5)
    answers = []
    while best := plan.next():
        answers.append(explorer.submit(form, best[0]))
        plan.record(answers[-1].outcome)
    assert plan.stop_reason == "budget"
    assert len(answers) == 5
    verdicts = {request.value("a"): answer.verdict for request, answer in
                zip(site.to("/find")[1:], answers, strict=True)}  # fmt: skip
    assert site.to("/find")[0].value("a") == "zqxvkj"
    assert verdicts["Ida Fenwick"] == "results"


def test_an_answer_has_its_records(explored):
    _, explorer, page = explored
    answer = explorer.submit(page.search_forms[0], {"Author": "Ida Fenwick"})
    assert len(answer.records) == len(having(author="Ida Fenwick"))
    nothing = explorer.submit(page.search_forms[0], {"Author": "Nobody Known"})
    assert (nothing.verdict, nothing.records) == ("no_results", ())


def test_elements_may_be_named_by_their_labels(explored):
    site, explorer, page = explored
    answer = explorer.submit(page.search_forms[0], {"author": "Claire Aubry", "Language": "French"})
    assert answer.records
    assert site.to("/find")[-1].query == "a=Claire+Aubry&l=fr"


@pytest.mark.parametrize(
    ("values", "said"),
    [({"Colour": "red"}, "no element 'Colour'; it has Author"), ({"l": "Greek"}, "no choice")],
)
def test_what_a_form_does_not_have_is_said(explored, values, said):
    _, explorer, page = explored
    with pytest.raises(UsageError, match=said):
        explorer.submit(page.search_forms[0], values)


def test_a_form_that_writes_is_not_submitted(explored):
    site, explorer, page = explored
    login = next(form for form in page.forms if not form.searchable)
    with pytest.raises(UsageError, match="no search form"):
        explorer.submit(login, {"User": "me"})
    assert not site.to("/in")


def test_what_robots_txt_forbids_is_not_opened(explored):
    site, explorer, _ = explored
    with pytest.raises(PageError, match=r"robots\.txt"):
        explorer.open(f"{site.url}private")
    assert not site.to("/private")


def test_a_page_that_answers_an_error_says_so(explored):
    site, explorer, page = explored
    assert page.status == 200
    assert explorer.open(f"{site.url}nosuch").status == 404


def test_a_host_that_does_not_answer_forbids_nothing(explored):
    _, explorer, _ = explored
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(SiteUnreachable, match=r"cannot be reached \(connection refused\)") as said:
        explorer.open(f"127.0.0.1:{port}")
    assert str(said.value).count("127.0.0.1") == 1
    with pytest.raises(SiteUnreachable, match=r"cannot be reached \(no such host\)"):
        explorer.open("http://nosuchhost.invalid/")


def test_robots_txt_that_cannot_be_had_is_asked_for_again(explored):
    _, explorer, _ = explored
    replies = [Reply(status=503), Reply("User-agent: *\nDisallow:\n", content_type="text/plain")]
    with Served({"/": FORM, "/robots.txt": lambda request: replies.pop(0)}) as site:
        with pytest.raises(SiteUnreachable, match=r"robots\.txt answers 503"):
            explorer.open(site.url)
        assert explorer.open(site.url).search_forms


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("HTTPSConnectionPool(...): Read timed out. (read timeout=30)", "no answer in time"),
        ("(Caused by SSLError([SSL: CERTIFICATE_VERIFY_FAILED]))", "its certificate is not valid"),
        ("('Connection aborted.', RemoteDisconnected())", "connection closed without an answer"),
        ("something else", "something else"),
        ("", "no answer"),
    ],
)
def test_why_nothing_came_is_said_in_a_few_words(error, said):
    assert reason_of(error) == said


def test_records_have_their_addresses_in_rows(explored, monkeypatch):
    _, explorer, page = explored
    answer = explorer.submit(page.search_forms[0], {"Author": "Ida Fenwick"})
    assert len(answer.urls) == len(answer.records)
    assert all(url.startswith("http://127.0.0.1") for url in answer.urls)
    found = hiwe.rows([answer, answer])
    assert found == [{"url": url} | r for r, url in zip(answer.records, answer.urls, strict=True)]
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=tuple))
    assert hiwe.frame(answer) == tuple(found)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"hiwe\.rows\(answers\) goes without"):
        hiwe.frame(answer)


def test_only_what_is_offered_is_there():
    assert all(hasattr(hiwe, name) for name in hiwe.__all__)
    with pytest.raises(AttributeError, match="no attribute 'crawl_all'"):
        hiwe.crawl_all  # noqa: B018


def test_the_pace_lies_between_any_two_requests_to_a_host(explored, monkeypatch):
    site, explorer, _ = explored
    monkeypatch.setattr(explorer, "_delay_s", 0.4)
    for _ in range(3):
        explorer.open(site.url)
    times = [request.at for request in site.to("/")][-3:]
    assert all(later - sooner >= 0.4 for sooner, later in pairwise(times))
