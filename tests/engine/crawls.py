"""Crawls in processes of their own, for tests of engines: what they found, and what hosts saw."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.salvage import sound_length
from hiwe.repository.warc_reader import archive_files
from tests.crawling import read_back

if TYPE_CHECKING:
    from pathlib import Path

    from tests.served import Served

RUN_DEADLINE_S = 200.0


def start(module: str, *arguments: object) -> subprocess.Popen[bytes]:
    """Start a module with arguments; what it says is kept."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process: subprocess.Popen[bytes]) -> None:
    """Wait for a crawl; AssertionError unless it ends well and prints nothing."""
    written, said = process.communicate(timeout=RUN_DEADLINE_S)
    assert process.returncode == 0, said.decode()
    assert written == b""


@dataclass(frozen=True)
class Found:
    """What a crawl left: records, answers as site, request and verdict, pages of answers."""

    records: dict[str, tuple[str, str]]
    answers: Counter[tuple[str, str, str, str]]
    pages: int

    @classmethod
    def of(cls, out: Path) -> Found:
        """Read a run directory; AssertionError if something is in it twice, or torn."""
        lines = (out / "records.jsonl").read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        kept = {r["id"]: (r["site"], json.dumps(r["fields"])) for r in records}
        assert len(kept) == len(records)
        sent = read_back(out).sent
        answers = Counter((s.site, *_asked(s.request), str(s.judgement.verdict)) for s in sent)
        assert max(answers.values()) == 1
        with Database(out / FILE_NAME, read_only=True) as db:
            pages = int(db.value("SELECT count(*) FROM pages WHERE purpose = 'result'"))
        for file in archive_files(out / "warc"):
            assert sound_length(file) == file.stat().st_size, file
        assert not list((out / "warc").glob("*.open"))
        return cls(kept, answers, pages)


def _asked(request: tuple[str, str, str] | None) -> tuple[str, str]:
    assert request is not None
    return request[1], request[2]


def asked(sites: list[Served]) -> int:
    """How many searches the sites have seen."""
    return sum(len(site.to("/find")) for site in sites)


def least_rest_s(sites: list[Served], since: list[int]) -> float:
    """The shortest time between two requests to one host, those before `since` left out."""
    times = [[r.at for r in site.log[first:]] for site, first in zip(sites, since, strict=True)]
    return min(later - before for at in times for before, later in pairwise(at))
