"""Addresses: canonical form, compared form, fingerprints."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import canonicalize_url

from hiwe.address import (
    canonical_url,
    fingerprint,
    host_of,
    identity_url,
    ignorable_ends,
    registrable_domain,
    resolve,
    same_host,
    same_site,
)


@pytest.mark.parametrize(
    ("given_url", "expected"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("http://example.org:80/a", "http://example.org/a"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("http://example.org:8701/a", "http://example.org:8701/a"),
        ("http://example.org/a/../b/./c", "http://example.org/b/c"),
        ("http://example.org/../../b", "http://example.org/b"),
        ("http://example.org/a/..", "http://example.org/"),
        ("http://example.org/Titel/ABC", "http://example.org/Titel/ABC"),
        ("http://example.org/%7euser/%c3%a9%2f", "http://example.org/~user/%C3%A9%2F"),
        ("http://example.org/é?q=ü b", "http://example.org/%C3%A9?q=%C3%BC%20b"),
        ("http://example.org/100%", "http://example.org/100%25"),
        ("http://example.org/a?z=1&a=2&z=0#top", "http://example.org/a?z=1&a=2&z=0"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
        ("http://straße.example/", "http://xn--strae-oqa.example/"),
        ("http://ドメイン.テスト/", "http://xn--eckwd4c7c.xn--zckzah/"),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
        ("http://user:secret@example.org/", "http://example.org/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("  http://example.org/a b ", "http://example.org/a%20b"),
        ("http://example.org./", "http://example.org/"),
    ],
)
def test_canonical_form(given_url, expected):
    assert canonical_url(given_url) == expected


@pytest.mark.parametrize(
    "bad",
    ["", "mailto:a@b.org", "javascript:void(0)", "http://", "ftp://x.org/", "http://a b/", "/path",
     "http://example.org:99999/", "http://[::1/", "http://☃ü.example/"],
)  # fmt: skip
def test_what_cannot_be_fetched_is_no_address(bad):
    with pytest.raises(ValueError):  # noqa: PT011 - the message differs with the fault
        canonical_url(bad)


@pytest.mark.parametrize(
    ("base", "reference", "expected"),
    [
        ("http://h.org/docs/search", "find?t=x", "http://h.org/docs/find?t=x"),
        ("http://h.org/lib/", "find", "http://h.org/lib/find"),
        ("http://h.org/a/b", "../c", "http://h.org/c"),
        ("http://h.org/a/b", "//other.org/c", "http://other.org/c"),
        ("http://h.org/a?x=1", "?x=2", "http://h.org/a?x=2"),
        ("http://h.org/a?x=1", "#part", "http://h.org/a?x=1"),
        ("http://h.org/a", " b\n c ", "http://h.org/b%20c"),
        ("http://h.org/a", "javascript:go()", None),
        ("http://h.org/a", "mailto:x@h.org", None),
        ("http://h.org/a", "http://[broken", None),
    ],
)
def test_references_are_resolved_against_their_page(base, reference, expected):
    assert resolve(base, reference) == expected


@pytest.mark.parametrize(
    "url",
    [
        "http://h.org/find?g=sf&sid=8f3c21aa",
        "http://h.org/find?sid=0a1b2c3d4e5f&g=sf",
        "http://h.org/find?g=sf&PHPSESSID=abc",
        "http://h.org/find;jsessionid=1A2B?g=sf",
        "http://h.org/(S(lit3py55t21z5v55vlm25s55))/find?g=sf",
        "http://h.org/find?g=sf&utm_source=letter",
        "http://h.org/find?g=sf&ASPSESSIONIDQQBTRCDA=KJH",
        "http://h.org/find?g=sf#results",
        "http://H.org:80/./find?g=sf&",
    ],
)
def test_what_only_marks_a_visit_does_not_count(url):
    assert identity_url(url) == "http://h.org/find?g=sf"


@pytest.mark.parametrize(
    "url",
    [
        "http://h.org/find?g=hi",
        "http://h.org/Find?g=sf",
        "http://h.org/find?g=sf&sid=12",
        "http://h.org/find?g=sf&token=ring",
        "http://h.org/find?g=sf&s=bladerunner2049",
        "https://h.org/find?g=sf",
        "http://h.org/find?g=",
        "http://h.org/find?g=sf&g=sf",
    ],
)
def test_real_values_count(url):
    assert identity_url(url) != "http://h.org/find?g=sf"


def test_query_order_does_not_count_when_comparing_but_is_kept_when_fetching():
    one, other = "http://h.org/?b=2&a=1", "http://h.org/?a=1&b=2"
    assert identity_url(one) == identity_url(other)
    assert canonical_url(one) != canonical_url(other)


def test_fingerprint_tells_method_address_and_fields():
    get = fingerprint("GET", "http://h.org/find")
    post = fingerprint("post", "http://h.org/find")
    fields = [("g", "sf"), ("csrf_token", "a8f7d6e5c4b3")]
    assert get != post
    assert fingerprint("POST", "http://h.org/find", fields) != post
    assert fingerprint("POST", "http://h.org/find", fields) == fingerprint(
        "POST", "http://h.org/find", [("csrf_token", "99f7d6e5c4b3"), ("g", "sf")]
    )
    assert fingerprint("POST", "http://h.org/find", [("g", "hi")]) != fingerprint(
        "POST", "http://h.org/find", [("g", "sf")]
    )


def test_hosts_and_sites():
    assert host_of("http://Example.org:80/a") == "example.org"
    assert same_host("http://www.example.org/", "https://example.org/a")
    assert not same_host("http://127.0.0.1:8701/", "http://127.0.0.1:8702/")
    assert same_site("http://search.example.co.uk/", "http://www.example.co.uk/")
    assert not same_site("http://one.co.uk/", "http://two.co.uk/")
    assert not same_site("http://127.0.0.1:1/", "http://127.0.0.1:2/")
    assert registrable_domain("a.b.example.co.uk") == "example.co.uk"


SEGMENTS = st.text(alphabet="aZ9 .%~é/;(+=&?#[|\\'\"<", max_size=12)
URLS = st.builds(
    "http{}://{}{}/{}?{}#{}".format,
    st.sampled_from(["", "s"]),
    st.sampled_from(["h.org", "WWW.H.org", "bücher.example", "127.0.0.1"]),
    st.sampled_from(["", ":80", ":443", ":8701"]),
    SEGMENTS,
    SEGMENTS,
    SEGMENTS,
)


@given(URLS)
def test_canonical_form_is_idempotent(url):
    once = canonical_url(url)
    assert canonical_url(once) == once
    assert "#" not in once
    assert once.isascii()


@given(URLS)
def test_compared_form_is_idempotent_and_blind_to_the_fetched_form(url):
    once = identity_url(url)
    assert identity_url(once) == once
    assert identity_url(canonical_url(url)) == once


@given(st.text(alphabet="aZ9/._-", max_size=12), st.text(alphabet="aZ9=&._-", max_size=16))
def test_the_short_way_to_compare_plain_addresses_gives_the_same(path, query):
    expected = canonicalize_url(canonical_url(f"http://h.org/{path}?{query}"))
    assert identity_url(f"http://h.org/{path}?{query}") == expected


@given(URLS, st.text(max_size=20))
def test_resolving_never_raises(base, reference):
    resolved = resolve(base, reference)
    assert resolved is None or resolve(base, resolved) == resolved


@pytest.mark.parametrize(
    ("one", "other", "ends"),
    [
        ("/a", "/a/", {"/"}),
        ("/a/", "/a", {"/"}),
        ("/a?x=1", "/a/?x=1", {"/"}),
        ("/a/", "/a/index.html", {"/index.html"}),
        ("/a", "/a/Default.ASPX", {"/default.aspx", "/"}),
        ("/", "/index.php", {"/index.php"}),
        ("/a", "/a", set()),
        ("/a", "/b/", set()),
        ("/a?x=1", "/a/?x=2", set()),
        ("/a/", "/a/list.html", set()),
        ("/a/", "/a/b/index.html", set()),
    ],
)
def test_ends_of_the_path_by_which_alone_two_addresses_differ(one, other, ends):
    assert ignorable_ends(f"http://h.org{one}", f"http://h.org{other}") == ends


def test_ends_are_of_one_host():
    assert not ignorable_ends("http://h.org/a", "http://other.org/a/")


@pytest.mark.parametrize(
    ("url", "known", "expected"),
    [
        ("/a/", {"/"}, "/a"),
        ("/a", {"/"}, "/a"),
        ("/", {"/"}, "/"),
        ("/a/?x=1", {"/"}, "/a?x=1"),
        ("/a/index.html", {"/index.html"}, "/a/"),
        ("/a/INDEX.html", {"/index.html", "/"}, "/a"),
        ("/index.html", {"/index.html", "/"}, "/"),
        ("/a/", {"/index.html"}, "/a/"),
        ("/a/other.html", {"/index.html", "/"}, "/a/other.html"),
    ],
)
def test_ends_known_to_mean_nothing_are_left_out_when_comparing(url, known, expected):
    found = identity_url(f"http://h.org{url}", known)
    assert found == f"http://h.org{expected}"
    assert identity_url(found, known) == found


ENDINGS = st.frozensets(st.sampled_from(["/", "/index.html", "/default.aspx", "sid"]))


@given(URLS, ENDINGS)
def test_compared_form_is_idempotent_whatever_is_left_out(url, known):
    once = identity_url(url, known)
    assert identity_url(once, known) == once


PAIRS = st.lists(st.tuples(st.text("ab", min_size=1), st.text("12 é/", max_size=3)), max_size=5)


@given(PAIRS, st.randoms())
def test_the_order_of_a_query_does_not_count(pairs, chance):
    mixed = list(pairs)
    chance.shuffle(mixed)
    one, other = (f"http://h.org/?{urlencode(order)}" for order in (pairs, mixed))
    assert identity_url(one) == identity_url(other)
    assert fingerprint("POST", "http://h.org/", pairs) == fingerprint("POST", "http://h.org", mixed)


@given(URLS)
def test_what_is_compared_of_a_canonical_address_w3lib_leaves_as_it_is(url):
    once = identity_url(url)
    assert canonicalize_url(once, keep_blank_values=True) == once


@given(URLS, st.sampled_from(["http", "https"]))
def test_user_port_fragment_and_case_of_the_host_do_not_count(url, scheme):
    path = "/" + url.split("/", 3)[3]
    port = {"http": 80, "https": 443}[scheme]
    plain = canonical_url(f"{scheme}://h.org{path}")
    assert canonical_url(f"{scheme.upper()}://user:word@H.ORG.:{port}{path}") == plain
    assert canonical_url(plain + "#part") == plain.partition("#")[0]
