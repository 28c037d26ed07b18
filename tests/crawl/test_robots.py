"""robots.txt as RFC 9309 says, robots META, X-Robots-Tag."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.crawl.robots import (
    ALLOW_EVERYTHING,
    KEPT_S,
    MAX_BYTES,
    RETRY_S,
    Directives,
    decode,
    directives,
    policy,
    product_token,
    read,
    robots_url,
)
from hiwe.repository.hosts import StoredRobots

AGENT = "hiwe/0.1 (+http://example.org/bot)"
URL = "http://h.org/robots.txt"
NOW = 1000.0


def policy_of(text, agent=AGENT):
    return policy(read(StoredRobots(), URL, 200, text, now=NOW), agent)


RFC_5_1 = """
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


@pytest.mark.parametrize(
    ("agent", "path", "allowed"),
    [
        ("foobot", "/", False),
        ("foobot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("foobot", "/example/other.html", False),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("barbot", "/example/other.html", True),
        ("quxbot", "/example/page.html", True),
        ("hiwe", "/a/picture.gif", False),
        ("hiwe", "/a/picture.gif?x", True),
        ("hiwe", "/example/page.html", False),
        ("hiwe", "/publications/a", True),
        ("hiwe", "/robots.txt", True),
    ],
)  # RFC 9309, 5.1
def test_groups_of_the_standard(agent, path, allowed):
    assert policy_of(RFC_5_1, agent).allows(f"http://h.org{path}") is allowed


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/", True),
        ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif",
         "/example/page/disallowed.gif", False),
        ("Disallow: /find", "/find?g=sf", False),
        ("Disallow: /find", "/finder", False),
        ("Disallow: /find$", "/find?g=sf", True),
        ("Disallow: /*?*sid=", "/find?g=1&sid=2", False),
        ("Disallow: /*?*sid=", "/find?g=1", True),
        ("Disallow: /a%3cd.html", "/a%3Cd.html", False),
        ("Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", False),
        ("Disallow: /page\nAllow: /page", "/page", True),
        ("Disallow:", "/x", True),
        ("Disallow: /Find", "/find", True),
        ("disallow : /find # comment", "/find", False),
    ],
)  # fmt: skip
def test_rules_of_the_standard(rules, path, allowed):
    assert policy_of(f"User-agent: *\n{rules}").allows(f"http://h.org{path}") is allowed


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"),
        ("/path/foo-%24", "/path/foo-$"),
    ],
)  # RFC 9309, 2.2.2 and 2.2.3
def test_rules_and_paths_are_compared_in_one_encoding(rule, path):
    policy = policy_of(f"User-agent: *\nDisallow: {rule}")
    assert not policy.allows(f"http://h.org{path}")
    assert policy.allows("http://h.org/foo/other")


FISH = ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.php?id=anything"]
NO_FISH = ["/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"]
PHP = ["/filename.php", "/folder/filename.php", "/folder/any.php.file.html", "/filename.php/"]


@pytest.mark.parametrize(
    ("rule", "matching", "others"),
    [
        ("/", ["/", "/x"], []),
        ("/*", ["/", "/x"], []),
        ("/$", ["/"], ["/x", "/?x"]),
        ("/fish", FISH, NO_FISH),
        ("/fish*", FISH, NO_FISH),
        ("/fish/", ["/fish/", "/fish/?id=anything", "/fish/salmon.htm"],
         ["/fish", "/fish.html", "/animals/fish/", "/Fish/Salmon.asp"]),
        ("/*.php", [*PHP, "/folder/filename.php?parameters"], ["/", "/windows.PHP"]),
        ("/*.php$", ["/filename.php", "/folder/filename.php"],
         ["/filename.php?parameters", "/filename.php/", "/filename.php5", "/windows.PHP"]),
        ("/fish*.php", ["/fish.php", "/fishheads/catfish.php?parameters"], ["/Fish.PHP"]),
    ],
)  # fmt: skip
def test_paths_that_a_rule_matches(rule, matching, others):
    policy = policy_of(f"User-agent: *\nDisallow: {rule}")
    assert [path for path in matching if policy.allows(f"http://h.org{path}")] == []
    assert [path for path in others if not policy.allows(f"http://h.org{path}")] == []


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        ("Allow: /p\nDisallow: /", "/page", True),
        ("Allow: /folder\nDisallow: /folder", "/folder/page", True),
        ("Allow: /page\nDisallow: /*.htm", "/page.htm", False),
        ("Allow: /page\nDisallow: /*.ph", "/page.php5", True),
        ("Allow: /$\nDisallow: /", "/", True),
        ("Allow: /$\nDisallow: /", "/page.htm", False),
        ("Disallow: /x\nAllow: /x/public", "/x/public/a", True),
        ("Disallow: *?", "/find?g=sf", False),
        ("Allow: /", "/x", True),
        ("", "/x", True),
        ("Dissallow: /x", "/x", False),
    ],
)
def test_the_most_specific_rule_wins(rules, path, allowed):
    assert policy_of(f"User-agent: *\n{rules}").allows(f"http://h.org{path}") is allowed


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("User-agent: hiwe\nDisallow: /a\n\nUser-agent: hiwe\nDisallow: /b", "/a", False),
        ("User-agent: hiwe\nDisallow: /a\n\nUser-agent: hiwe\nDisallow: /b", "/b", False),
        ("User-agent: *\nDisallow: /a\n\nUser-agent: HIWE\nDisallow: /b", "/a", True),
        ("User-agent: hiwe\nUser-agent: other\nDisallow: /a", "/a", False),
        ("User-agent: other\nDisallow: /a", "/a", True),
        ("User-agent: hiwe/1.0\nDisallow: /a", "/a", False),
        ("Disallow: /a", "/a", True),
        ("user-agent:*\r\ndisallow:/a\r\n", "/a", False),
        ("User-agent: *\nSitemap: http://h.org/s.xml\nDisallow: /a", "/a", False),
        ("User-agent: *\nCrawl-delay: soon\nDisallow: /a", "/a", False),
        ("<html><body>Disallow: /a</body></html>", "/a", True),
    ],
)  # RFC 9309, 2.2.1
def test_groups_are_put_together_and_found_by_our_name(text, path, allowed):
    assert policy_of(text).allows(f"http://h.org{path}") is allowed


@pytest.mark.parametrize(
    ("status", "allowed", "kept_s"),
    [
        (200, True, KEPT_S),
        (204, True, KEPT_S),
        (404, True, KEPT_S),
        (401, True, KEPT_S),
        (403, True, KEPT_S),
        (410, True, KEPT_S),
        (429, False, RETRY_S[0]),
        (500, False, RETRY_S[0]),
        (503, False, RETRY_S[0]),
        (301, True, KEPT_S),  # redirects without end: unavailable (2.3.1.2)
        (0, False, RETRY_S[0]),
    ],
)  # RFC 9309, 2.3.1
def test_policy_by_status(status, allowed, kept_s):
    stored = read(StoredRobots(), URL, status, b"", now=NOW)
    found = policy(stored, AGENT)
    assert found is not None
    assert found.allows("http://h.org/x") is allowed
    assert found.is_temporary is not allowed
    assert stored.expires_at == NOW + kept_s


def test_a_file_that_cannot_be_had_is_asked_for_less_and_less():
    stored, waits = StoredRobots(), []
    for _ in range(6):
        stored = read(stored, URL, 500, b"", now=NOW)
        waits.append(stored.expires_at - NOW)
    assert waits == [*RETRY_S, RETRY_S[-1], RETRY_S[-1]]
    assert read(stored, URL, 200, b"x", now=NOW).failures == 0


def test_an_earlier_reading_holds_while_the_file_cannot_be_had():
    known = read(StoredRobots(), URL, 200, b"User-agent: *\nDisallow: /find", now=NOW)
    later = policy(read(known, URL, 503, b"", now=NOW + KEPT_S), AGENT)
    assert later is not None
    assert not later.allows("http://h.org/find")
    assert later.allows("http://h.org/browse")


def test_never_asked_is_no_policy():
    assert policy(StoredRobots(), AGENT) is None
    assert ALLOW_EVERYTHING("http://h.org/anything")


def test_a_policy_is_the_business_of_its_own_host_alone():
    found = policy_of("User-agent: *\nDisallow: /")
    assert not found("http://h.org/x")
    assert found("http://h.org:8080/x")
    assert found("https://h.org/x")
    assert found("http://other.org/x")


def test_a_policy_goes_to_a_worker_and_tells_delay_and_sitemaps():
    found = policy_of(
        "User-agent: *\nCrawl-delay: 2.5\nRequest-rate: 1/4\nSitemap: http://h.org/sitemap.xml"
    )
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found
    assert copy.crawl_delay_s == 4.0
    assert copy.sitemaps == ("http://h.org/sitemap.xml",)
    assert ALLOW_EVERYTHING.crawl_delay_s == 0.0


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        (AGENT, "hiwe"),
        ("Mozilla/5.0 (compatible; MyBot/1.0; +http://x.org)", "MyBot"),
        ("my-crawler", "my-crawler"),
        ("", "hiwe"),
        ("42", "hiwe"),
    ],
)
def test_product_token(agent, token):
    assert product_token(agent) == token


def test_words_of_the_contact_address_select_no_group():
    text = "User-agent: bot\nDisallow: /\n\nUser-agent: example\nDisallow: /"
    assert policy_of(text).allows("http://h.org/x")


def test_only_the_first_500_kib_in_whole_lines_are_read():
    body = b"User-agent: *\n" + b"# filler\n" * 60_000 + b"Disallow: /late\n"
    assert len(body) > MAX_BYTES
    assert policy_of(body).allows("http://h.org/late")
    assert decode(body).endswith("# filler")
    assert not policy_of(b"\xef\xbb\xbfUser-agent: *\nDisallow: /early").allows(
        "http://h.org/early"
    )


def test_where_robots_txt_lies():
    assert robots_url("http://h.org:8701/a/b?c") == "http://h.org:8701/robots.txt"


@given(st.binary(max_size=300), st.text(max_size=10))
def test_no_file_is_fatal(body, path):
    assert policy_of(body).allows(f"http://h.org/{path}") in (True, False)


@pytest.mark.parametrize(
    ("metas", "tags", "follow", "index"),
    [
        ([], [], True, True),
        (["noindex, nofollow"], [], False, False),
        (["NOINDEX"], [], True, False),
        (["none"], [], False, False),
        (["all"], ["nofollow"], False, True),
        ([], ["otherbot: nofollow, noindex"], True, True),
        ([], ["hiwe: nofollow", "otherbot: noindex"], False, True),
        ([], ["otherbot: noindex, hiwe: nofollow"], False, True),
        ([], ["unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow"], False, True),
        ([], ["max-snippet:-1, noindex"], True, False),
    ],
)
def test_what_a_page_says_of_itself(metas, tags, follow, index):
    headers = [("X-Robots-Tag", tag) for tag in tags] + [("Content-Type", "none")]
    assert directives(metas, headers, user_agent=AGENT) == Directives(follow=follow, index=index)
