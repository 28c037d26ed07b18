"""The archive: what goes in comes out, and others' tools can read it."""

from __future__ import annotations

import contextlib
import io
import pickle
from argparse import Namespace
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from hiwe.errors import ArchiveError
from hiwe.page.exchange import Exchange
from hiwe.page.page import Box, Control, DomForm, Link, Option, Page, TextRun
from hiwe.repository.archive import WarcRef
from hiwe.repository.salvage import marker_of, salvage, salvage_all
from hiwe.repository.warc_reader import archive_files, read_exchange, read_page, read_pages
from hiwe.repository.warc_writer import WarcWriter

MOMENT = datetime(2026, 5, 4, 12, 30, 1, 250_000, tzinfo=UTC)
LONG = b"<html><body>" + b"Films by Ida Fenwick. " * 40 + b"</body></html>"


def exchange(**changes):
    """A POST that was answered with a page, changed as named."""
    usual = Exchange(
        method="POST",
        url="http://127.0.0.1:8701/find?x=1",
        request_headers=(("Content-Type", "application/x-www-form-urlencoded"),),
        request_body=b"g=sf",
        status=200,
        reason="OK",
        response_headers=(
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Encoding", "br"),
            ("Transfer-Encoding", "chunked"),
            ("Set-Cookie", "a=1"),
            ("Set-Cookie", "b=2"),
        ),
        body=LONG,
        started_at=MOMENT,
        duration_s=0.125,
    )
    return replace(usual, **changes)


def check(path):
    """Return what `warcio check` finds wrong with a file."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = Checker(Namespace(inputs=[str(path)], verbose=False)).process_all()
    return said.getvalue() if status or said.getvalue() else ""


def kinds(path):
    with path.open("rb") as file:
        return [record.rec_type for record in ArchiveIterator(file)]


@pytest.fixture
def writer(tmp_path):
    writer = WarcWriter(tmp_path / "warc", "movies", worker=3)
    yield writer
    writer.close()


def only_file(writer, tmp_path):
    writer.close()
    (path,) = archive_files(tmp_path / "warc")
    return path


def test_an_exchange_comes_out_as_it_went_in(writer, tmp_path):
    (ref,) = writer.store([exchange()])
    path = only_file(writer, tmp_path)
    found = read_exchange(path.parent, ref)
    host = ("Host", "127.0.0.1:8701")
    assert found == replace(exchange(), request_headers=(host, *exchange().request_headers))
    assert kinds(path) == ["warcinfo", "response", "request"]
    assert check(path) == ""


def test_request_and_response_are_tied_and_the_body_is_exact(writer, tmp_path):
    writer.store([exchange(request_body=b"g=sf"), exchange(request_body=b"g=po", body=b"other")])
    path = only_file(writer, tmp_path)
    with path.open("rb") as file:
        records = [
            (r.rec_type, dict(r.rec_headers.headers), r.content_stream().read())
            for r in ArchiveIterator(file)
        ]
    ids = [headers["WARC-Record-ID"] for kind, headers, _ in records if kind == "response"]
    requests = [(headers["WARC-Concurrent-To"], body) for kind, headers, body in records
                if kind == "request"]  # fmt: skip
    assert requests == [(ids[0], b"g=sf"), (ids[1], b"g=po")]
    assert all(headers["WARC-Date"].startswith("2026-05-04T12:30:01.25") for kind, headers, _
               in records if kind != "warcinfo")  # fmt: skip


def test_headers_agree_with_the_decoded_body(writer, tmp_path):
    writer.store(
        [exchange(response_headers=(("Content-Length", "9"), ("Content-Encoding", "gzip")))]
    )
    path = only_file(writer, tmp_path)
    with path.open("rb") as file:
        response = next(r for r in ArchiveIterator(file) if r.rec_type == "response")
        names = [name for name, _ in response.http_headers.headers]
        assert names == ["X-Archive-Orig-Content-Length", "X-Archive-Orig-Content-Encoding"]
        assert response.content_stream().read() == LONG


def test_a_repeated_body_is_a_revisit_and_reads_the_same(writer, tmp_path):
    refs = writer.store([exchange(), exchange(url="http://127.0.0.1:8701/mirror")])
    path = only_file(writer, tmp_path)
    assert kinds(path) == ["warcinfo", "response", "request", "revisit", "request"]
    assert read_exchange(path.parent, refs[1]).body == LONG
    assert check(path) == ""


def test_a_request_without_an_answer_is_kept_with_its_reason(writer, tmp_path):
    silent = exchange(
        status=0, reason="", response_headers=(), body=b"", error="net::ERR_TIMED_OUT"
    )
    (ref,) = writer.store([silent])
    path = only_file(writer, tmp_path)
    found = read_exchange(path.parent, ref)
    assert (found.status, found.error, found.request_body) == (0, "net::ERR_TIMED_OUT", b"g=sf")
    assert check(path) == ""


PAGE = Page(
    url="http://127.0.0.1:8701/find",
    status=200,
    html="<form>Жанр \ud800</form>",
    title="Søk",
    headers=(("a", "b"),),
    viewport=(1280, 800),
    forms=(DomForm(0, 0, "f", "", "POST", "/find", "", "", "", "", "", Box(0, 1, 2.5, 3), True),),
    controls=(
        Control(
            0,
            "select",
            "select",
            "g",
            "",
            "",
            0,
            Box(1, 2, 3, 4),
            True,
            options=(Option("sf", "Science fiction", data=(("data-x", "1"),)),),
        ),
    ),
    texts=(
        TextRun(
            "Genre",
            Box(0, 0, 9, 9),
            12.5,
            False,
            True,
            "td",
            4,
            cell=(0, 1, 2, 1, 1),
            extra=(("x", [1, 2]),),
        ),
    ),
    links=(Link("http://127.0.0.1:8701/", "home", ("nofollow",)),),
    layout={"tables": [[1, 2]]},
    dialogs=("Sorry",),
)


def test_a_page_is_rebuilt_from_the_archive_alone(writer, tmp_path):
    data = exchange(url="data:text/plain,hi")
    refs = writer.store(
        [exchange(), data], replace(PAGE, exchanges=(exchange(), data)), {"for": "x"}
    )
    path = only_file(writer, tmp_path)
    (found,) = read_pages(path.parent)
    assert replace(found.page, exchanges=()) == PAGE
    assert [one.body for one in found.page.exchanges] == [LONG]
    assert (str(found.ref), found.note) == (refs[-1], {"for": "x"})
    assert read_page(path.parent, refs[-1]).page == found.page
    assert pickle.loads(pickle.dumps(found.page)) == found.page
    assert check(path) == ""


def test_files_are_rotated_and_never_overwritten(tmp_path):
    writer = WarcWriter(tmp_path, largest_bytes=1500)
    refs = [ref for n in range(6) for ref in writer.store([exchange(body=b"%d" % n * 400)])]
    writer.close()
    assert len(archive_files(tmp_path)) > 1
    assert [read_exchange(tmp_path, ref).body[:1] for ref in refs] == [
        b"0",
        b"1",
        b"2",
        b"3",
        b"4",
        b"5",
    ]
    again = WarcWriter(tmp_path)
    again.store([exchange()])
    assert [read_exchange(tmp_path, ref).body[:1] for ref in refs[:1]] == [b"0"]
    again.close()
    assert not list(tmp_path.glob("*.open"))


def test_a_torn_end_is_cut_at_every_place(writer, tmp_path):
    writer.store([exchange()])
    writer.store([exchange(body=b"second" * 100)])
    path = only_file(writer, tmp_path)
    whole = path.read_bytes()
    offsets = [WarcRef.parse(ref).offset for ref in _refs(path)] + [len(whole)]
    for cut in range(1, len(whole), 37):
        path.write_bytes(whole[:cut])
        marker_of(path).touch()
        assert salvage_all(path.parent) == {path.name: cut - max(o for o in offsets if o <= cut)}
        assert not path.exists() or check(path) == ""
    path.write_bytes(whole)
    assert salvage(path) == 0
    path.write_bytes(whole + b"\0" * 100)
    assert salvage(path) == 100


def _refs(path):
    with path.open("rb") as file:
        found = ArchiveIterator(file)
        for record in found:
            record.content_stream().read()
            yield f"{path.name}#{found.get_record_offset()}"


def test_what_is_no_archive_is_one_clear_error(tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(b"not an archive at all\n\n")
    with pytest.raises(ArchiveError, match=r"a\.warc\.gz"):
        list(read_pages(tmp_path))
    with pytest.raises(ArchiveError, match=r"b\.warc\.gz"):
        read_exchange(tmp_path, "b.warc.gz#0")


HEADER_NAMES = st.sampled_from(
    ["Content-Type", "Content-Length", "X-Ü", ":status", "", "set-cookie"]
)
HEADERS = st.lists(st.tuples(HEADER_NAMES, st.text(max_size=20)), max_size=4).map(tuple)


@given(
    headers=HEADERS,
    request_headers=HEADERS,
    reason=st.text(max_size=8),
    body=st.binary(max_size=400),
    path=st.text(max_size=12),
    status=st.integers(100, 599),
    method=st.sampled_from(["GET", "POST", "HEAD"]),
)
def test_odd_exchanges_make_a_sound_archive(
    tmp_path_factory, headers, request_headers, reason, body, path, status, method
):
    directory = tmp_path_factory.mktemp("odd")
    writer = WarcWriter(directory)
    odd = exchange(
        response_headers=headers, request_headers=request_headers, reason=reason, body=body,
        url=f"http://h.org/{path}", status=status, method=method,
    )  # fmt: skip
    refs = writer.store([odd, odd])
    writer.close()
    (file,) = archive_files(directory)
    assert check(file) == ""
    for ref in refs:
        found = read_exchange(directory, ref)
        assert (found.body, found.status, found.method) == (body, status, method)
        assert found.request_body == b"g=sf"
