"""Entries to a request, byte for byte as a browser encodes them.

HTML standard, 4.10.21.3 (form submission algorithm), 4.10.21.6 to 4.10.21.8 (encodings of the entry
list); URL standard, 5.2 (urlencoded serializing); Encoding standard, 'encode' with error mode html.
"""

from __future__ import annotations

import codecs
import re
import secrets
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote_plus, urldefrag

from w3lib.encoding import resolve_encoding

from hiwe.page.request import Request

MULTIPART, PLAIN = "multipart/form-data", "text/plain"
URLENCODED = "application/x-www-form-urlencoded"
BOUNDARY = "----WebKitFormBoundary"
FILE_TYPE = "application/octet-stream"
EURO, NOT_IN_GBK = "\u20ac", "\ue5e5"

# Names by which browsers know the encodings whose own name is not that of Python.
NAMES = {
    "utf-8": "UTF-8", "cp1252": "windows-1252", "gbk": "GBK", "gb18030": "gb18030",
    "cp932": "Shift_JIS", "shift_jis": "Shift_JIS", "euc_jp": "EUC-JP", "cp949": "EUC-KR",
    "euc_kr": "EUC-KR", "big5hkscs": "Big5", "big5": "Big5", "iso2022_jp": "ISO-2022-JP",
    "koi8-r": "KOI8-R", "koi8-u": "KOI8-U", "cp866": "IBM866", "cp874": "windows-874",
    "iso8859-2": "ISO-8859-2", "iso8859-5": "ISO-8859-5", "iso8859-7": "ISO-8859-7",
    "iso8859-8": "ISO-8859-8", "iso8859-15": "ISO-8859-15", "cp1250": "windows-1250",
    "cp1251": "windows-1251", "cp1253": "windows-1253", "cp1254": "windows-1254",
    "cp1255": "windows-1255", "cp1256": "windows-1256", "cp1257": "windows-1257",
    "cp1258": "windows-1258",
}  # fmt: skip

_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Entry:
    """A name and a value that are sent; of a file that was not chosen `is_file` is set."""

    name: str
    value: str
    is_file: bool = False


@lru_cache(maxsize=64)
def codec_of(label: str) -> str | None:
    """Python's codec for an encoding's label on the web, None for an unknown label.

    UTF-16 is never sent: its output encoding is UTF-8 (Encoding standard, 4.3).
    """
    name = resolve_encoding(label.strip().lower())
    if name is None:
        return None
    name = codecs.lookup(name).name
    if name.startswith("utf-16") or name == "utf-7":
        return "utf-8"
    return "gbk" if name == "gb18030" and "gb18030" not in label.lower() else name


def charset_for(accepted: str, document: str) -> str:
    """The codec a form is sent in: the first known label of accept-charset, else the document's."""
    labels = accepted.split()
    known = [codec for codec in map(codec_of, labels) if codec is not None]
    if labels:
        return known[0] if known else "utf-8"
    return codec_of(document) or "utf-8"


def charset_name(codec: str) -> str:
    """What a browser calls the encoding: the value of a hidden field called `_charset_`."""
    return NAMES.get(codec, codec)


def encode_text(text: str, codec: str) -> bytes:
    """Text in an encoding; a character that it does not have becomes `&#` number `;`."""
    if codec == "utf-8":
        return text.encode("utf-8", "replace")
    try:
        return _in_gbk(text) if codec == "gbk" else text.encode(codec)
    except UnicodeEncodeError:
        return b"".join(_encode_character(character, codec) for character in text)


def _in_gbk(text: str) -> bytes:
    if text.isascii():
        return text.encode("ascii")
    return b"".join(_encode_character(character, "gbk") for character in text)


@lru_cache(maxsize=4096)
def _encode_character(character: str, codec: str) -> bytes:
    """One character; GBK is the part of gb18030 of one and two octets, with the euro at 0x80."""
    if codec == "gbk" and character == EURO:
        return b"\x80"
    try:
        octets = character.encode("gb18030" if codec == "gbk" else codec)
    except UnicodeEncodeError:
        octets = b""
    if codec == "gbk" and (len(octets) > 2 or character == NOT_IN_GBK):
        octets = b""
    if not octets and codec.startswith("cp12") and 0x80 <= ord(character) < 0xA0:
        return bytes([ord(character)])  # the gaps of Windows' tables are the C1 controls
    return octets or b"&#%d;" % ord(character)


def with_crlf(text: str) -> str:
    """Each line break as CR LF, as entries are sent."""
    return _NEWLINE.sub("\r\n", text)


def urlencoded(entries: tuple[Entry, ...], codec: str) -> str:
    """`name=value&name=value`, names and values percent-encoded in an encoding."""
    return "&".join(
        f"{_percent(with_crlf(entry.name), codec)}={_percent(with_crlf(entry.value), codec)}"
        for entry in entries
    )


def _percent(text: str, codec: str) -> str:
    quoted = quote_plus(encode_text(text, codec), safe="*")
    return quoted.replace("~", "%7E")


def multipart(entries: tuple[Entry, ...], codec: str, boundary: str) -> bytes:
    """The body of multipart/form-data (RFC 7578, names escaped as the HTML standard says)."""
    parts = bytearray()
    for entry in entries:
        parts += f'--{boundary}\r\nContent-Disposition: form-data; name="'.encode()
        parts += _escaped(entry.name, codec) + b'"'
        if entry.is_file:
            parts += b'; filename=""\r\nContent-Type: ' + FILE_TYPE.encode() + b"\r\n\r\n"
        else:
            parts += b"\r\n\r\n" + encode_text(with_crlf(entry.value), codec)
        parts += b"\r\n"
    return bytes(parts) + f"--{boundary}--\r\n".encode()


def _escaped(name: str, codec: str) -> bytes:
    octets = encode_text(with_crlf(name), codec)
    return octets.replace(b"\n", b"%0A").replace(b"\r", b"%0D").replace(b'"', b"%22")


def plain(entries: tuple[Entry, ...], codec: str) -> bytes:
    """The body of text/plain: a line `name=value` for each entry."""
    text = "".join(f"{with_crlf(e.name)}={with_crlf(e.value)}\r\n" for e in entries)
    return encode_text(text, codec)


def encode(
    entries: tuple[Entry, ...],
    *,
    method: str,
    action: str,
    enctype: str,
    codec: str,
    own_method: str = "POST",
) -> Request:
    """The request of a form: for GET the entries replace the query of its action.

    `own_method` is the form's where its button overrides it: Chromium writes the body of what was
    a GET form as a query, though its header says text/plain.
    """
    address = urldefrag(action).url
    if method != "POST":
        return Request("GET", f"{address.split('?')[0]}?{urlencoded(entries, codec)}")
    kind = enctype.lower()
    if kind == MULTIPART:
        boundary = BOUNDARY + "".join(secrets.choice(_LETTERS) for _ in range(16))
        content, body = f"{MULTIPART}; boundary={boundary}", multipart(entries, codec, boundary)
    elif kind == PLAIN and own_method != "POST":
        content, body = PLAIN, urlencoded(entries, codec).encode("ascii")
    elif kind == PLAIN:
        content, body = PLAIN, plain(entries, codec)
    else:
        content, body = URLENCODED, urlencoded(entries, codec).encode("ascii")
    return Request("POST", address, (("Content-Type", content),), body)


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
