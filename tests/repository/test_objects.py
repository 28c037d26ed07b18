"""An archive on an object storage: there before the observation is, read as a local one."""

from __future__ import annotations

import asyncio
import pickle
import shutil
import sys
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import pytest

from hiwe.cli import main
from hiwe.crawl.hands import Hands
from hiwe.crawl.merge import merge
from hiwe.crawl.run import run_task
from hiwe.engine.action import Fetch, SiteTerms
from hiwe.errors import ArchiveError, RunError, UsageError
from hiwe.page.answer import page_from_html
from hiwe.page.exchange import Exchange
from hiwe.repository.archive import records
from hiwe.repository.archive_place import archive_of, keep_place, place_of_run, put_run
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.export import export
from hiwe.repository.object_writer import ObjectWriter
from hiwe.repository.objects import ObjectPlace
from hiwe.repository.run import Run
from hiwe.repository.warc_reader import archive_files, read_exchange, read_page, read_pages
from hiwe.task import load_task, parse_task
from tests.crawling import read_back, write_config
from tests.plainly import PlainBrowser
from tests.served import Served

pytest.importorskip("fsspec", reason="no fsspec; pip install 'hiwe[remote]' to run these")

if TYPE_CHECKING:
    from hiwe.page.browser import Browser

BODY = b"<p>" + b"a body that is long enough to be kept once only. " * 8
URL = "http://a.org/"


@pytest.fixture
def place(request):
    """An empty place in memory."""
    return ObjectPlace(f"memory://{request.node.name}/t")


def _exchange(url=URL, body=BODY):
    return Exchange("GET", url, (), b"", 200, "OK", (("Content-Type", "text/html"),), body,
                    datetime(2026, 11, 30, tzinfo=UTC), 0.1)  # fmt: skip


def _page(*exchanges):
    page = page_from_html(URL, "<p>seen", 200)
    return type(page)(**{**_fields(page), "exchanges": exchanges})


def _fields(page):
    return {name: getattr(page, name) for name in page.__dataclass_fields__}


def test_what_an_action_stores_is_one_object_that_is_there_when_it_ends(place):
    writer = ObjectWriter(place, series="5e71e5", worker=3)

    async def act():
        async with writer.keeping():
            exchange = _exchange()
            first = writer.store((exchange,), _page(exchange), {"purpose": "visit"})
            assert archive_files(place) == []
            second = writer.store((_exchange(f"{URL}x"),))
        return first, second

    first, second = asyncio.run(act())
    (file,) = archive_files(place)
    assert file.name.split("-")[2:4] == ["5e71e5", file.name.split("-")[3]]
    assert {ref.partition("#")[0] for ref in (*first, *second)} == {file.name}
    assert read_page(place, first[-1]).page.exchanges[0].body == BODY
    assert read_exchange(place, second[0]).body == BODY, "by a revisit record"
    assert [found.note for found in read_pages(place)] == [{"purpose": "visit"}]


def test_actions_side_by_side_have_objects_of_their_own_and_refer_to_what_is_safe_alone(place):
    writer = ObjectWriter(place, series="s", worker=1)
    refs = {}

    async def act(name, began, go_on):
        async with writer.keeping():
            refs[name] = await asyncio.to_thread(writer.store, (_exchange(f"{URL}{name}"),))
            began.set()
            await go_on.wait()

    async def all_three():
        began, go_on = asyncio.Event(), asyncio.Event()
        one = asyncio.create_task(act("one", began, go_on))
        await began.wait()
        await act("two", began, began)
        go_on.set()
        await one
        await act("three", began, began)

    asyncio.run(all_three())
    files = [refs[name][0].partition("#")[0] for name in ("one", "two", "three")]
    assert sorted(files) == [file.name for file in archive_files(place)]
    kinds = [[record.kind for record in records(place / file)][1] for file in files]
    assert kinds == ["response", "response", "revisit"], "of a body that is safe"
    (place / files[0]).write(b"")  # lost with its worker
    assert read_exchange(place, refs["two"][0]).body == BODY
    assert read_exchange(place, refs["three"][0]).body == BODY


def test_an_action_that_breaks_off_leaves_nothing(place):
    writer = ObjectWriter(place, series="s", worker=1)

    async def act():
        async with writer.keeping():
            writer.store((_exchange(),))
            raise LookupError

    with pytest.raises(LookupError):
        asyncio.run(act())
    assert archive_files(place) == []


def test_an_observation_comes_back_after_its_object_is_there(place, tmp_path):
    hands = Hands(
        parse_task(f"task: t\nsites: [{URL}]"), place, "s", cast("Browser", PlainBrowser())
    )

    async def act(url):
        worker = await hands(1)
        try:
            return await worker.perform(Fetch(1, url, SiteTerms(url, 0.0, 5.0)))
        finally:
            await worker.close()

    with Served({"/": "<p>here"}) as site:
        assert asyncio.run(act(site.url)).body == b"<p>here"
        (file,) = archive_files(place)
        blocked = ObjectPlace(f"file://{tmp_path}/file/warc")
        (tmp_path / "file").write_bytes(b"")
        hands = Hands(hands.task, blocked, "s", hands.browser)
        with pytest.raises(ArchiveError, match="cannot be written"):
            asyncio.run(act(site.url))
    assert pickle.loads(pickle.dumps(file)) == file


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_a_run_needs_no_archive_in_its_directory(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    away = f"memory://{tmp_path.name}" if kind == "memory" else f"file://{tmp_path}/away"
    with Served({"/": '<h1>Start</h1><a href="/a">on</a>', "/a": "<h1>Second</h1>"}) as site:
        config = write_config(tmp_path, (site.url,), settings={"output": f"{away}/movies/"})
        task, out = load_task(config), tmp_path / "runs/test"
        assert (task.directory, task.address) == ("runs/test", f"{away}/movies")
        browser = cast("Browser", PlainBrowser())
        assert asyncio.run(run_task(task, out, browser=browser)) == "finished"
    put_run(out, task.address)
    assert not list(out.glob("warc/*"))
    place = archive_of(out)
    assert str(place) == f"{away}/movies/warc"
    assert len(archive_files(place)) == 3, "robots.txt and two pages"
    assert [found.page.url for found in read_pages(place)] == [site.url, site.at("/a")]
    assert export(out, "warc").stat().st_size > 1000
    with zipfile.ZipFile(export(out, "wacz")) as package:
        assert sum(name.startswith("archive/") for name in package.namelist()) == 3
    _check_put(ObjectPlace(f"{away}/movies"), out, tmp_path)
    _check_joined(out, tmp_path / "joined")


def _check_put(place, out, tmp_path):
    """The rest of the run is there, too."""
    names = {file.name for file in place.glob("*")} - {"warc"}
    assert names == {"config.yaml", "hiwe.log", "hiwe.sqlite", "records.jsonl"}
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in names:
        with (place / name).open() as file:
            (copy / name).write_bytes(file.read())
    assert read_back(copy).events == read_back(out).events
    assert archive_of(copy) == place / "warc"


def _check_joined(out, joined):
    """A joined run reads the archive where it is."""
    merge([out], joined)
    shutil.rmtree(out)
    (first, _) = read_pages(archive_of(joined))
    assert read_page(archive_of(joined), first.ref).page == first.page


def test_a_run_keeps_its_archive_where_it_began(tmp_path):
    with Database(None) as db:
        run, away = Run(db), place_of_run("s3://bucket/prefix", "shard-1-of-2")
        assert str(keep_place(run, tmp_path, away)) == "s3://bucket/prefix/shard-1-of-2/warc"
        run.begin("t")
        assert keep_place(run, tmp_path, away) == away / "warc"
        with pytest.raises(RunError, match=r"keeps its archive at s3://bucket.*in its directory"):
            keep_place(run, tmp_path, None)
    with Database(None) as db:
        Run(db).begin("t")
        assert keep_place(Run(db), tmp_path, None) == tmp_path / "warc"
        with pytest.raises(RunError, match="keeps its archive in its directory, the task names at"):
            keep_place(Run(db), tmp_path, away)


@pytest.mark.parametrize(
    ("output", "code", "said"),
    [
        ("xyz://bucket/p", 2, "output xyz://bucket/p: Protocol not known: xyz; give a directory"),
        ("s3://bucket/p", 2, "s3:// needs another package: Install s3fs"),
        ("file:///proc/nowhere/p", 1, "/proc/nowhere/p: cannot be written and read; check the"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_told_before_the_crawl(
    output, code, said, tmp_path, capsys, monkeypatch
):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    config = write_config(tmp_path, (URL,), settings={"output": output})
    assert main(["run", str(config), "--quiet", "--out", str(tmp_path / "run")]) == code
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (tmp_path / "run" / FILE_NAME).exists()


def test_without_fsspec_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(
        UsageError, match=r"output s3://b: needs fsspec: pip install 'hiwe\[remote\]'"
    ):
        ObjectPlace("s3://b").check()


class _NoCredentials(Exception):
    """What a storage's own package raises, which is no OSError."""


_NoCredentials.__module__ = "somestore.exceptions"


@pytest.mark.parametrize(
    "error", [_NoCredentials("no keys\nfound"), PermissionError("no keys found")]
)
def test_errors_of_the_storage_name_the_address_in_one_line(error, place, monkeypatch):
    def refuse(*arguments):
        raise error

    monkeypatch.setattr("fsspec.implementations.memory.MemoryFileSystem.pipe_file", refuse)
    with pytest.raises(ArchiveError) as caught:
        place.check()
    assert str(caught.value) == (
        f"{place}: cannot be written and read; check the address, and the keys to its storage:"
        " no keys found"
    )


def test_a_fault_of_our_own_is_not_taken_for_the_storages(place, monkeypatch):
    def fault(*arguments):
        raise LookupError("ours")

    monkeypatch.setattr("fsspec.implementations.memory.MemoryFileSystem.pipe_file", fault)
    with pytest.raises(LookupError, match="ours"):
        place.check()


def test_a_place_is_used_as_a_path_is():
    place = ObjectPlace("memory://used/as")
    (place / "x.warc.gz").write(b"octets")
    (place / "below/y.warc.gz").write(b"")
    assert place.glob("*.warc.gz") == [place / "x.warc.gz"]
    assert (place / "x.warc.gz").name == "x.warc.gz"
    assert ObjectPlace("memory://used/not").glob("*") == []
    with pytest.raises(ArchiveError, match="memory://used/as/z: cannot be read"):
        (place / "z").open()
    place.check()
    assert [file.name for file in place.glob("*")] == ["below", "x.warc.gz"]
