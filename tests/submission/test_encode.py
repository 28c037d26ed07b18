"""Entries and their encoding: the examples that the standards and browsers give."""

from __future__ import annotations

import pytest

from hiwe.submission.encode import Entry, charset_for, charset_name, encode, encode_text
from hiwe.submission.entries import Field, entry_list


def field(kind: str, name: str = "n", value: str = "v", **more: object) -> Field:
    """A field of a form."""
    return Field(kind, name, value, 0, **more)


@pytest.mark.parametrize(
    ("made", "sent"),
    [
        (field("text"), [("n", "v")]),
        (field("text", name=""), []),
        (field("text", disabled=True), []),
        (field("checkbox"), []),
        (field("radio", checked=True), [("n", "v")]),
        (field("select", chosen=("a", "b")), [("n", "a"), ("n", "b")]),
        (field("submit"), []),
        (field("button"), []),
        (field("file"), [("n", "")]),
        (field("hidden", name="_charset_", value=""), [("_charset_", "windows-1252")]),
    ],
    ids=lambda made: made.kind if isinstance(made, Field) else "",
)
def test_what_a_field_sends(made: Field, sent: list[tuple[str, str]]) -> None:
    assert [(e.name, e.value) for e in entry_list([made], None, "cp1252")] == sent


def test_only_the_pressed_submitter_is_sent_and_an_image_sends_its_point() -> None:
    fields = [field("submit", "a"), field("image", "b", point=(3, 4)), field("submit", "c")]
    assert [e.name for e in entry_list(fields, 0, "utf-8")] == ["a"]
    pressed = entry_list(fields, 1, "utf-8")
    assert [(e.name, e.value) for e in pressed] == [("b.x", "3"), ("b.y", "4")]


@pytest.mark.parametrize(
    ("text", "codec", "octets"),
    [
        ("é€", "cp1252", b"\xe9\x80"),
        ("\u0081", "cp1252", b"\x81"),
        ("片", "cp1252", b"&#29255;"),
        ("片€", "gbk", b"\xc6\xac\x80"),
        ("é😀", "gbk", b"\xa8\xa6&#128512;"),
        ("😀", "utf-8", "😀".encode()),
    ],
)
def test_characters_that_a_charset_lacks_become_references(
    text: str, codec: str, octets: bytes
) -> None:
    assert encode_text(text, codec) == octets


@pytest.mark.parametrize(
    ("accepted", "document", "name"),
    [
        ("", "GBK", "GBK"),
        ("no-such ISO-8859-1 utf-8", "UTF-8", "windows-1252"),
        ("no-such", "GBK", "UTF-8"),
        ("utf-16", "GBK", "UTF-8"),
    ],
)
def test_the_first_known_charset_is_taken(accepted: str, document: str, name: str) -> None:
    assert charset_name(charset_for(accepted, document)) == name


def request_of(entries: tuple[Entry, ...], **about: str) -> tuple[str, str, dict[str, str], bytes]:
    """Method, address, header fields and body of a form."""
    given = {
        "method": "POST",
        "action": "http://a.example/f?x=1#y",
        "enctype": "",
        "codec": "utf-8",
    }
    request = encode(entries, **(given | about))
    return request.method, request.url, dict(request.headers), request.body


def test_get_replaces_the_query_and_post_keeps_it() -> None:
    entries = (Entry("a b", "1\n2~*"),)
    method, url, _, body = request_of(entries, method="GET", enctype="multipart/form-data")
    assert (method, url, body) == ("GET", "http://a.example/f?a+b=1%0D%0A2%7E*", b"")
    method, url, headers, body = request_of(entries)
    assert (method, url, body) == ("POST", "http://a.example/f?x=1", b"a+b=1%0D%0A2%7E*")
    assert headers == {"Content-Type": "application/x-www-form-urlencoded"}
    assert request_of((), method="GET")[1] == "http://a.example/f?"


def test_multipart_and_plain_bodies() -> None:
    entries = (Entry('a"\n', "x\ny"), Entry("f", "", is_file=True))
    _, _, headers, body = request_of(entries, enctype="multipart/form-data")
    boundary = headers["Content-Type"].partition("boundary=")[2].encode()
    assert body == (
        b'--B\r\nContent-Disposition: form-data; name="a%22%0D%0A"\r\n\r\nx\r\ny\r\n'
        b'--B\r\nContent-Disposition: form-data; name="f"; filename=""\r\n'
        b"Content-Type: application/octet-stream\r\n\r\n\r\n--B--\r\n"
    ).replace(b"B\r", boundary + b"\r").replace(b"--B--", b"--" + boundary + b"--")
    assert request_of(entries, enctype="text/plain")[3] == b'a"\r\n=x\r\ny\r\nf=\r\n'
