"""The main job: films by prize-winning directors from five unlike sites, measured against truth.

The sites' own logs are the oracle: what was asked, what was sent, what was forbidden.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from warcio.archiveiterator import ArchiveIterator

import hiwe_fixtures
from hiwe.cli import main
from hiwe.crawl.reanalyse import reanalyse
from tests.crawling import Crawled, read_back

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[1]
LEAST_SHARE = 0.95
LEAST_SE_STRICT = 0.85


@pytest.fixture(scope="module")
def directors() -> list[str]:
    """The directors whose films the task wants."""
    rows = yaml.safe_load((ROOT / "lvs" / "movies.yaml").read_text(encoding="utf-8"))
    return [str(v) for row in rows if row["label"] == "Director" for v in row["values"]]


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory, chromium: Path) -> Iterator[tuple[Any, Crawled]]:
    """Run the task of configs/movies.yaml once over sites of this process; servers and result."""
    folder = tmp_path_factory.mktemp("job")
    task = yaml.safe_load((ROOT / "configs" / "movies.yaml").read_text(encoding="utf-8"))
    names = [str(site).removeprefix("fixture://") for site in task["sites"]]
    with ExitStack() as stack:
        servers = {}
        for name in names:
            servers[name] = hiwe_fixtures.start(name)
            stack.callback(servers[name].stop)
        task["sites"] = [server.url for server in servers.values()]
        task["lvs"]["tables"] = [str(ROOT / "lvs" / "movies.yaml")]
        config = folder / "movies.yaml"
        config.write_text(yaml.safe_dump(task), encoding="utf-8")
        assert main(["run", str(config), "--out", str(folder / "run"), "--quiet"]) == 0
        yield servers, read_back(folder / "run")


def test_the_efficiency_is_what_the_task_promises(job):
    _, result = job
    summary = json.loads((result.out / "summary.json").read_text(encoding="utf-8"))
    totals = summary["totals"]
    assert totals["se_strict"] >= LEAST_SE_STRICT
    assert totals["se_lenient"] >= totals["se_strict"]
    assert totals["submissions"] == len(result.sent)


def test_the_films_of_the_directors_are_harvested_from_every_site(job, directors):
    servers, result = job
    found, wanted = 0, 0
    for name, server in servers.items():
        here = [record for record in result.records if record["site"] == server.url]
        truth = hiwe_fixtures.records_of_directors(name, directors)
        hits = [film for film in truth if is_among(film, here, server.url)]
        assert len(hits) >= LEAST_SHARE * len(truth), f"{name}: {len(hits)} of {len(truth)}"
        found, wanted = found + len(hits), wanted + len(truth)
    assert found >= LEAST_SHARE * wanted


def is_among(film: dict[str, Any], records: list[dict[str, Any]], base: str) -> bool:
    """Whether a film was harvested: by its page's address, else by all it shows."""
    if film["url"]:
        address = base.rstrip("/") + film["url"]
        return any(record["url"] == address for record in records)
    shown = {str(v) for k, v in film.items() if k not in ("id", "url") and v not in (None, "")}
    return any(shown <= set(record["fields"].values()) for record in records)


def test_nothing_but_search_forms_was_sent_and_nothing_forbidden_asked(job):
    servers, _ = job
    for name, server in servers.items():
        assert server.log.violations == [], name


def test_every_assignment_was_sent_once(job):
    _, result = job
    keys = [(s.form, s.key) for s in result.submissions]
    assert len(keys) == len(set(keys))


def test_the_archive_is_valid_and_gives_the_same_verdicts(job):
    _, result = job
    for file in sorted((result.out / "warc").glob("*.warc.gz")):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                record.content_stream().read()
    again = {(one.form, one.key): one.judgement.verdict for one in reanalyse(result.out / "warc")}
    forms = {form.id: form.form.fingerprint for form in result.forms}
    first = {
        (forms[s.form], s.key): s.judgement.verdict
        for s in result.submissions
        if s.judgement is not None and s.archived
    }
    assert first
    assert {key: again.get(key) for key in first} == first
