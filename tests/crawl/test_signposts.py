"""Sitemaps and descriptions of a search: what a site says itself of its pages."""

from __future__ import annotations

import gzip

import pytest

from hiwe.crawl.opensearch import search_pages
from hiwe.crawl.sitemap import Sitemap, read_sitemap
from tests.crawling import crawl
from tests.served import Reply, Served, by

FORM = """<form action="/find"><label>Genre <select name="g"><option value="sf">Science fiction
</option><option value="po">Poetry</option></select></label><button>Find</button></form>"""
URLSET = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc> http://a.org/x </loc>
 <image:image><image:loc>http://a.org/x.png</image:loc></image:image></url>
 <url><loc>http://a.org/y?a=1&amp;b=2</loc></url><url><loc>/relative</loc></url></urlset>"""
INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>
 <loc>http://a.org/1.xml.gz</loc></sitemap></sitemapindex>"""


def test_a_sitemap_names_pages_and_no_pictures():
    pages = ("http://a.org/x", "http://a.org/y?a=1&b=2")
    assert read_sitemap(URLSET.encode()) == Sitemap(pages)
    assert read_sitemap(gzip.compress(URLSET.encode())) == Sitemap(pages)
    assert read_sitemap(b"\nhttp://a.org/x\nnot an address\nhttp://a.org/z\n") == Sitemap(
        ("http://a.org/x", "http://a.org/z")
    )


def test_an_index_names_sitemaps():
    assert read_sitemap(INDEX.encode()) == Sitemap(maps=("http://a.org/1.xml.gz",))


@pytest.mark.parametrize(
    "body", [b"", b"<", b"<urlset><url><loc>", b"\x1f\x8bnonsense", b"\0" * 99]
)
def test_a_broken_sitemap_names_nothing(body):
    assert read_sitemap(body) == Sitemap()


def test_a_sitemap_reads_no_other_file(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("http://a.org/secret")
    text = (
        f'<!DOCTYPE u [<!ENTITY s SYSTEM "{secret.as_uri()}">]>'
        "<urlset><url><loc>&s;</loc></url></urlset>"
    )
    assert read_sitemap(text.encode()) == Sitemap()


def test_a_small_file_of_endless_zeros_is_cut():
    assert read_sitemap(gzip.compress(b"\0" * 80_000_000)) == Sitemap()


DESCRIPTION = """<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<Url type="application/rss+xml" template="http://a.org/feed?q={searchTerms}"/>
<Url type="text/html" template="/find?q={searchTerms}&amp;p={startPage?}"/>
<Url type="text/html" method="post" template="http://a.org/post?q={searchTerms}"/>
<Url type="text/html" template="http://a.org/geo?q={searchTerms}&amp;at={geo:box}"/>
</OpenSearchDescription>"""


def test_a_description_names_the_page_of_the_search():
    found = search_pages(DESCRIPTION.encode(), "http://a.org/os.xml")
    assert found == ("http://a.org/find?q=&p=",)
    assert search_pages(b"", "http://a.org/") == search_pages(b"nonsense", "http://a.org/") == ()


@pytest.mark.browser
def test_a_search_that_no_link_reaches_is_found_by_signposts(browsing, tmp_path):
    items = "".join(f"<url><loc>{{}}catalogue/{n}</loc></url>" for n in range(40))

    def sitemap(request):
        root = f"http://{request.header('host')}/"
        body = f"<urlset>{items.replace('{}', root)}<url><loc>{root}search</loc></url></urlset>"
        return Reply(body, content_type="application/xml")

    def robots(request):
        root = f"http://{request.header('host')}/"
        return Reply(f"User-agent: *\nSitemap: {root}map.xml\n", content_type="text/plain")

    start = (
        '<link rel="search" type="application/opensearchdescription+xml" href="/os.xml">'
        "<p>Nothing here leads on.</p>"
    )
    description = DESCRIPTION.replace("http://a.org", "").replace("/find?q=", "/words?q=")
    words = (
        '<form action="/find"><label>Author <input name="a"></label><button>Find</button></form>'
    )
    routes = {
        "/": start, "/robots.txt": robots, "/map.xml": sitemap, "/search": FORM,
        "/find": by("genre", "g"), "/catalogue/*": "<p>An item.</p>",
        "/os.xml": Reply(description, content_type="text/xml"), "/words": words,
    }  # fmt: skip
    with Served(routes) as site:
        result = crawl(browsing, tmp_path, site.url, budget={"submissions_per_form": 2})
        visited = [r.path for r in site.log if r.path.startswith("/catalogue/")]
    assert {form.form.page_url.split("/")[-1] for form in result.forms} == {"search", "words?q=&p="}
    assert len(visited) == 3
    assert len(result.records) > 0
