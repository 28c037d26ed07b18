"""Exports: every format holds every record with its provenance."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import zipfile
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.errors import RunError, UsageError
from hiwe.form.form import Form
from hiwe.page.exchange import Exchange
from hiwe.page.page import Page
from hiwe.repository.archive import records as archive_records
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.export import PROVENANCE, WRITERS, column_names, export, spreadsheet_safe
from hiwe.repository.forms import Forms
from hiwe.repository.pages import Pages, StoredPage
from hiwe.repository.records import Records, record_id
from hiwe.repository.run import Run
from hiwe.repository.submissions import Submissions
from hiwe.repository.wacz import sort_key
from hiwe.repository.wanted import keep_schema
from hiwe.repository.warc_writer import WarcWriter
from hiwe.response.response import Record
from hiwe.submission.assignment import ValueAssignment

SITE = "http://h.org/"
OTHER = "http://i.org/"
ROWS = [
    ("k2", (("Title", "Salt Roads"), ("Year", "2003")), "http://h.org/2"),
    ("k1", (("Title", "=cmd|' /C calc'!A0"), ("url", "-5"), ("Größe", 'a "b"\nc')), None),
]
FORM = Form(
    index=0, dom_form=0, page_url=SITE, page_title="", language="", method="GET", action=SITE,
    enctype="", elements=(), submitters=(), hidden=(), searchable=True, reason="", score=1.0,
    fingerprint="f",
)  # fmt: skip
POST = Exchange(
    method="POST", url="http://h.org:8701/find?b=2&a=1",
    request_headers=(("Content-Type", "application/x-www-form-urlencoded"),),
    request_body=b"g=sf&t=Quiet+River", status=200, reason="OK",
    response_headers=(("Content-Type", "text/html; charset=utf-8"),), body=b"<p>3 found</p>" * 50,
    started_at=datetime(2026, 5, 4, 12, 30, 1, tzinfo=UTC), duration_s=0.1,
)  # fmt: skip


@pytest.fixture
def run(tmp_path):
    """A run directory with two records, found by one submission, and a small archive."""
    with Database(tmp_path / FILE_NAME) as db:
        form = Forms(db).add(SITE, FORM, decision="chosen", reason="", at=0.0)
        assert form is not None
        submission = Submissions(db).claim(
            form, "key", site=SITE, assignment=ValueAssignment((), 1.0), at=0.0
        )
        assert submission is not None
        for key, fields, url in ROWS:
            Records(db).add(Record(fields, url, key), site=SITE, submission=submission, at=0.0)
        Pages(db).add(StoredPage(SITE, SITE, "visit", 200, 0.0, title="Søk"))
    writer = WarcWriter(tmp_path / "warc")
    asked = {"Content-Type": "application/json"}
    writer.store([POST, replace(POST, request_body=b"g=po", body=b"other")], Page(SITE, 200, "<p>"))
    writer.store([replace(POST, request_body=b'{"q": {"genre": "sf"}}',
                          request_headers=tuple(asked.items()))])  # fmt: skip
    writer.close()
    return tmp_path


def test_jsonl_follows_the_contract_in_a_stable_order(run):
    lines = [json.loads(line) for line in export(run, "jsonl").read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == [record_id(SITE, "k1"), record_id(SITE, "k2")]
    assert lines[1] == {
        "id": record_id(SITE, "k2"),
        "fields": {"Title": "Salt Roads", "Year": "2003"},
        "typed": {"Year": 2003},
        "url": "http://h.org/2",
        "site": SITE,
        "found_by": ["key"],
        "warc": "",
    }
    assert list(run.glob(".*.part")) == []


def test_csv_is_a_table_without_formulas(run):
    text = export(run, "csv").read_bytes().decode("utf-8-sig")
    first, second = csv.DictReader(io.StringIO(text))
    assert first["Title"] == "'=cmd|' /C calc'!A0"
    assert (first["url_2"], first["url"]) == ("-5", "")
    assert first["Größe"] == 'a "b"\nc'
    assert (second["Title"], second["url"], second["found_by"]) == (
        "Salt Roads",
        "http://h.org/2",
        "key",
    )


def test_sqlite_holds_a_column_for_each_field(run):
    path = export(run, "sqlite", run / "out" / "films.db")
    with Database.plain(path) as db:
        rows = [dict(row) for row in db.rows("SELECT * FROM records")]
    assert [row["Title"] for row in rows] == ["=cmd|' /C calc'!A0", "Salt Roads"]
    assert (rows[0]["url_2"], rows[1]["Year"]) == (-5, 2003)
    assert set(PROVENANCE) <= set(rows[0])


def test_parquet_holds_a_column_for_each_field(run):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    rows = parquet.read_table(export(run, "parquet")).to_pylist()
    assert [row["Title"] for row in rows] == ["=cmd|' /C calc'!A0", "Salt Roads"]
    assert [row["Year"] for row in rows] == [None, 2003]


def test_a_schema_makes_one_table_of_what_sites_call_differently(run):
    with Database(run / FILE_NAME) as db:
        record = Record(
            (("Supporto", "DVD"), ("Titolo", "Salò"), ("Uscita", "22.11.1975")), None, "k3"
        )
        Records(db).add(record, site=OTHER, submission=1, at=0.0)
        schema = {"Title": ("Titolo",), "Year": (), "Released": ("Uscita",)}
        keep_schema(Run(db), {SITE: schema, OTHER: schema})
    lines = [json.loads(line) for line in export(run, "jsonl").read_text("utf-8").splitlines()]
    assert [line["fields"]["Title"] for line in lines] == [
        "=cmd|' /C calc'!A0", "Salt Roads", "Salò",
    ]  # fmt: skip
    assert list(lines[2]["fields"]) == ["Title", "Released", "Supporto"]
    assert lines[2]["typed"] == {"Released": "1975-11-22"}
    head = export(run, "csv").read_text("utf-8-sig").splitlines()[0]
    assert head.startswith("Title,Year,Released,")


def test_parquet_has_dates(run):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    with Database(run / FILE_NAME) as db:
        record = Record((("Released", "22.11.1975"),), None, "k3")
        Records(db).add(record, site=SITE, submission=1, at=0.0)
    table = parquet.read_table(export(run, "parquet"))
    assert table.column("Released").to_pylist() == [None, None, date(1975, 11, 22)]


def test_the_archive_in_one_file_can_be_read(run):
    kinds = [record.kind for record in archive_records(export(run, "warc"))]
    assert kinds == ["warcinfo", "response", "request", "response", "request", "conversion",
                     "revisit", "request"]  # fmt: skip


def test_wacz_is_whole_and_its_index_leads_to_the_records(run):
    with zipfile.ZipFile(export(run, "wacz")) as package:
        description = json.loads(package.read("datapackage.json"))
        for resource in description["resources"]:
            octets = package.read(resource["path"])
            assert resource["bytes"] == len(octets)
            assert resource["hash"] == f"sha256:{hashlib.sha256(octets).hexdigest()}"
        whole = json.loads(package.read("datapackage-digest.json"))
        digest = hashlib.sha256(package.read("datapackage.json")).hexdigest()
        assert whole["hash"] == f"sha256:{digest}"
        pages = package.read("pages/pages.jsonl").decode().splitlines()
        assert json.loads(pages[1])["title"] == "Søk"
        lines = gzip.decompress(package.read("indexes/index.cdx.gz")).decode().splitlines()
        (name,) = [n for n in package.namelist() if n.startswith("archive/")]
        archive = package.read(name)
        assert package.getinfo(name).compress_type == zipfile.ZIP_STORED
    assert lines == sorted(lines)
    keys = [line.split(" ", 2)[0] for line in lines]
    assert keys == [
        "org,h:8701)/find?a=1&b=2&__wb_method=post&g=po",
        "org,h:8701)/find?a=1&b=2&__wb_method=post&g=sf&t=quiet+river",
        "org,h:8701)/find?a=1&b=2&__wb_method=post&genre=sf",
    ]
    for line in lines:
        facts = json.loads(line.split(" ", 2)[2])
        member = archive[facts["offset"] : facts["offset"] + facts["length"]]
        assert gzip.decompress(member).startswith(b"WARC/1.1")


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.Example.org/A?b=2&a=1", "org,example)/a?a=1&b=2"),
        ("http://127.0.0.1:8701/", "127.0.0.1:8701)/"),
        ("https://a.b.example.org", "org,example,b,a)/"),
    ],
)
def test_sort_keys_turn_the_host_round(url, key):
    assert sort_key(url) == key


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_a_run_without_records_can_be_exported(tmp_path, kind):
    if kind == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    Database(tmp_path / FILE_NAME).close()
    assert export(tmp_path, kind).exists()


def test_what_cannot_be_exported_is_one_clear_error(tmp_path):
    with pytest.raises(RunError, match="holds no run"):
        export(tmp_path, "jsonl")
    with pytest.raises(UsageError, match=r"xlsx.*jsonl"):
        export(tmp_path, "xlsx")


@pytest.mark.parametrize(
    ("value", "cell"),
    [("=1+1", "'=1+1"), ("+39 06", "'+39 06"), ("@x", "'@x"), ("\tx", "'\tx"), ("-5", "-5"),
     ("+1,234.5", "+1,234.5"), ("-2+3", "'-2+3"), ("plain", "plain"), ("", "")],
)  # fmt: skip
def test_spreadsheet_cells(value, cell):
    assert spreadsheet_safe(value) == cell


@given(st.lists(st.text(max_size=5), unique=True, max_size=8))
def test_columns_never_collide(names):
    columns = column_names(names)
    lower = [name.lower() for name in (*columns.values(), *PROVENANCE)]
    assert len(set(lower)) == len(lower)
    assert list(columns) == names
