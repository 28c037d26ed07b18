"""A writer that is killed at any moment leaves a sound database and a sound archive."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hiwe.crawl.frontier import Frontier
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.salvage import salvage_all
from hiwe.repository.warc_reader import archive_files, read_exchange, read_pages

KILLS = 8
TOTAL = 250

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path

from hiwe.crawl.frontier import Frontier, NewAction
from hiwe.page.exchange import Exchange
from hiwe.page.page import Page
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.pages import Pages, StoredPage
from hiwe.repository.warc_writer import WarcWriter

directory, total = Path(sys.argv[1]), int(sys.argv[2])
site = "http://h.org/"
with Database(directory / FILE_NAME) as db:
    frontier, pages, archive = Frontier(db), Pages(db), WarcWriter(directory / "warc")
    frontier.release_claims()
    frontier.add(NewAction("visit", site, site + "0"))
    while (action := frontier.claim()) is not None:
        number = int(action.url.rsplit("/", 1)[1])
        body = (f"page {number} " * 3000).encode()
        exchange = Exchange("GET", action.url, (), b"", 200, "OK", (), body, datetime.now(UTC), 0.0)
        refs = archive.store([exchange], Page(action.url, 200, body.decode()))
        with db.atomic():
            pages.add(StoredPage(site, action.url, "visit", 200, 0.0, action=action.id,
                                 warc=refs[-1], archived=refs))
            for link in (2 * number + 1, 2 * number + 2):
                if link < total:
                    frontier.add(NewAction("visit", site, f"{site}{link}"))
            frontier.done(action.id)
        print("page", flush=True)
    archive.close()
print("finished", flush=True)
"""


def write(directory: Path, *, pages: int | None = None, wait_s: float = 0.0) -> bool:
    """Let a process work in `directory`; return whether it finished.

    With `pages` it is killed `wait_s` seconds after so many.
    """
    command = [sys.executable, "-c", WRITER, str(directory), str(TOTAL)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == "page\n" and pages is not None:
                pages -= 1
            if pages == 0:
                time.sleep(wait_s)
                process.kill()
                return False
            if line == "finished\n":
                return True
    raise AssertionError("the writer ended by itself")


def check(directory: Path) -> int:
    """Mend and check database and archive; return the number of pages done."""
    salvage_all(directory / "warc")
    with Database(directory / FILE_NAME) as db:
        assert db.check() == []
        done = Frontier(db).count("done")
        assert db.value("SELECT count(*) FROM pages") == done
        assert db.value("SELECT count(DISTINCT url) FROM pages") == done
        refs = [row["warc"] for row in db.rows("SELECT warc FROM pages")]
    stored = {str(found.ref) for found in read_pages(directory / "warc")}
    assert stored >= set(refs)
    assert len(stored) - len(refs) <= KILLS  # at most the page in hand, each time
    return done


def check_archive(directory: Path) -> None:
    """Let warcio's own command check every file."""
    files = [str(path) for path in archive_files(directory)]
    if files:
        command = [sys.executable, "-m", "warcio.cli", "check", *files]
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


@pytest.mark.slow
def test_killed_at_random_moments_nothing_is_lost_or_done_twice(tmp_path):
    chance = random.Random(datetime.now(UTC).toordinal())
    done = 0
    for _ in range(KILLS):
        pages, wait_s = chance.randint(1, 20), chance.uniform(0.0, 0.005)
        assert not write(tmp_path, pages=pages, wait_s=wait_s)
        now_done = check(tmp_path)
        assert now_done >= done
        done = now_done
    assert done >= KILLS
    assert write(tmp_path)
    assert check(tmp_path) == TOTAL
    check_archive(tmp_path / "warc")
    with Database(tmp_path / FILE_NAME) as db:
        for row in db.rows("SELECT url, archived FROM pages"):
            first, _ = json.loads(row["archived"])
            assert read_exchange(tmp_path / "warc", first).url == row["url"]
