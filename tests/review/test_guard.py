"""Who is let in, and from where a change may come."""

from __future__ import annotations

import pytest

from tests.review.a_reviewed_run import build, client

SKIP = {"site": "http://127.0.0.1:8701/", "skip": "yes"}


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return build(tmp_path_factory.mktemp("review") / "run")


@pytest.fixture(scope="module")
def asks(out):
    return client(out)


def kept(out):
    path = out.parent / "assist.yaml"
    return path.read_text() if path.exists() else ""


def test_the_printed_address_lets_in_once_and_hides_the_token(asks):
    reply = asks.get(f"/?token={asks.keys.token}", {"cookie": None})
    assert (reply.status, reply.headers["location"]) == (303, "/")
    cookie = reply.headers["set-cookie"].lower()
    assert cookie.startswith(f"{asks.keys.cookie}={asks.keys.token}".lower())
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert asks.get("/").status == 200


@pytest.mark.parametrize("path", ["/", "/live", "/forms/1", "/review.js", "/answers/1/page"])
@pytest.mark.parametrize("cookie", [None, "hiwe-review-8123=", "hiwe-review-8123=guess"])
def test_without_the_token_nothing_is_shown(asks, path, cookie):
    reply = asks.get(path, {"cookie": cookie})
    assert reply.status == 403
    assert "token=" in reply.text


def test_a_wrong_token_lets_nobody_in_whatever_the_cookie(asks):
    assert asks.get("/?token=guess").status == 403


@pytest.mark.parametrize("host", ["evil.example:8123", "127.0.0.1", "127.0.0.1:80", "", None])
def test_a_name_that_was_rebound_to_us_is_refused(asks, host):
    assert asks.get("/", {"host": host}).status == 403


def test_localhost_is_us_too(asks):
    assert asks.get("/", {"host": "localhost:8123"}).status == 200


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example", "http://127.0.0.1:80"])
def test_a_change_from_another_page_is_refused(asks, out, origin):
    before = kept(out)
    assert asks.post("/sites", SKIP, {"origin": origin}).status == 403
    assert kept(out) == before


@pytest.mark.parametrize("csrf", ["", "guess"])
@pytest.mark.parametrize(
    "path",
    ["/sites", "/control", "/rows", "/rows/drop", "/judge", "/answers/1", "/forms/1",
     "/forms/1/elements/0", "/forms/1/elements/0/value"],
)  # fmt: skip
def test_a_change_without_the_secret_of_our_forms_is_refused(asks, out, path, csrf):
    before = kept(out)
    assert asks.post(path, SKIP, csrf=csrf).status == 403
    assert kept(out) == before


def test_every_form_that_changes_something_has_the_secret(asks):
    for path in ("/", "/forms/1", "/forms/1/elements/0", "/answers/1", "/rows", "/judge"):
        forms = asks.get(path).tree.xpath("//form[@method='post']")
        assert forms, path
        for form in forms:
            assert form.xpath(".//input[@name='csrf']/@value") == [asks.keys.csrf], path


def test_nothing_is_changed_by_get(asks):
    for path in ("/sites", "/control", "/rows/drop", "/forms/1/elements/0/value"):
        assert asks.get(path).status == 405


def test_a_huge_form_is_refused_before_it_is_read(asks):
    assert asks.post("/rows", {}, {"content-length": "99999999"}).status == 413


@pytest.mark.parametrize("path", ["/", "/forms/1", "/answers/1"])
def test_pages_load_and_run_our_own_files_alone(asks, path):
    reply = asks.get(path)
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    tree = reply.tree
    assert tree.xpath("//script[not(@src)] | //style | //@style") == []
    assert [name for name in tree.xpath("//@*") if name.attrname.startswith("on")] == []
    assert all(a.startswith("/") for a in tree.xpath("//script/@src | //iframe/@src"))
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_an_archived_page_is_cut_off_from_everything(asks):
    reply = asks.get("/answers/1/page")
    policy = reply.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "<script" not in reply.text
    [frame] = asks.get("/answers/1").tree.xpath("//iframe")
    assert frame.get("sandbox") == ""
