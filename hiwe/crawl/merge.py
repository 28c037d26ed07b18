"""Merge: the runs of one task become one run directory, its archive linked, not copied."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiwe.crawl.handover import FOLDER, read_mark
from hiwe.crawl.neighbours import SHARD_KEY, waiting_for
from hiwe.crawl.run import SERIES_KEY, move_aside
from hiwe.crawl.shard import Shard
from hiwe.errors import RunError, UsageError
from hiwe.repository.archive_place import ARCHIVE_KEY
from hiwe.repository.archive_place import FOLDER as ARCHIVE
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.export import export
from hiwe.repository.merge import ALL_ENDED, MERGED, merge_into
from hiwe.repository.run import Run
from hiwe.repository.salvage import salvage_all
from hiwe.repository.warc_reader import archive_files
from hiwe.task.control import read_running
from hiwe.task.document import dump_yaml, read_yaml
from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CONFIG = "config.yaml"


@dataclass(frozen=True, slots=True)
class Input:
    """A run that is to be joined; `shard` None: it is no part of a split task."""

    directory: Path
    task: str
    status: str
    series: str
    started_at: float
    shard: Shard | None
    handed: Path

    @property
    def order(self) -> tuple[int, float, str]:
        """Where it comes among the others: shards by number, other runs as they began."""
        return self.shard.number if self.shard else 0, self.started_at, str(self.directory)


def merge(directories: Sequence[Path], out: Path, *, partial: bool = False) -> list[str]:
    """Join runs in `out`; return what is missing, in sentences.

    An earlier merge in `out` is moved aside. RunError for runs that do not fit together, and unless
    they may be `partial`, for one that has not ended, a shard that is not among them, or links that
    a shard has not taken in.
    """
    inputs = sorted((_look(directory) for directory in directories), key=lambda one: one.order)
    _check_fit(inputs)
    _check_out(inputs, out)
    missing = list(_missing(inputs))
    if missing and not partial:
        directory, what = missing[0]
        raise RunError(directory, f"{what}; give --partial to join what there is")
    draft = out.with_name(f".{out.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        (draft / ARCHIVE).mkdir(parents=True)
        _write(inputs, draft)
        move_aside(out)
        draft.rename(out)
    except OSError as exc:
        raise RunError(out, f"cannot be written: {exc.strerror or exc}") from exc
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return [f"{directory}: {what}" for directory, what in missing]


def _look(directory: Path) -> Input:
    """Look at a run; its tables are brought up to date. RunError where there is none."""
    if not (directory / FILE_NAME).is_file():
        raise RunError(directory, f"holds no run (there is no {FILE_NAME})")
    if read_running(directory) is not None:
        raise RunError(directory, "is at work; wait until it has ended, or stop it")
    with Database(directory / FILE_NAME) as db:
        run = Run(db)
        kept: dict[str, Any] | None = run.get(SHARD_KEY)
        return Input(
            directory,
            str(run.get("task", "")),
            run.status,
            str(run.get(SERIES_KEY, "")),
            float(run.get("started_at") or 0.0),
            None if kept is None else Shard(kept["number"], kept["of"]),
            _folder(directory, kept),
        )


def _folder(directory: Path, kept: Mapping[str, Any] | None) -> Path:
    """Where the files between shards lie: beside the run, if the whole was moved or copied."""
    beside = directory.absolute().parent / FOLDER
    return beside if kept is None or beside.is_dir() else Path(kept.get("handed", beside))


def _check_fit(inputs: Sequence[Input]) -> None:
    """RunError unless the runs are different ones of the same task."""
    first = inputs[0]
    for one in inputs[1:]:
        if one.task != first.task:
            raise RunError(
                one.directory,
                f"is a run of the task {one.task}, {first.directory} of {first.task}; only runs of"
                " one task can be joined",
            )
        if one.shard and first.shard and one.shard.of != first.shard.of:
            raise RunError(
                one.directory,
                f"is shard {one.shard}, {first.directory} is shard {first.shard}; they are of"
                " different splits",
            )
    seen: dict[str, Input] = {}
    for one in inputs:
        name = str(one.shard or one.series or one.directory.resolve())
        if name in seen:
            raise RunError(
                one.directory, f"is the same run as {seen[name].directory}; give it once"
            )
        seen[name] = one


def _check_out(inputs: Sequence[Input], out: Path) -> None:
    """RunError unless `out` is free, or holds what was joined before."""
    if any(out.resolve() == one.directory.resolve() for one in inputs):
        raise UsageError(f"--output is {out}, one of the runs; name another directory")
    if not out.exists():
        return
    is_merge = False
    if (out / FILE_NAME).is_file():
        with Database(out / FILE_NAME, read_only=True) as db:
            is_merge = Run(db).get(MERGED) is not None
    if not is_merge:
        raise UsageError(f"--output is {out}, which holds something else; name another directory")


def _missing(inputs: Sequence[Input]) -> Iterator[tuple[Path, str]]:
    """What keeps the runs from being the whole of what the task brings: where, and what."""
    for one in inputs:
        if one.status != ALL_ENDED:
            yield one.directory, f"is not finished but {one.status}"
    shards = {one.shard: one.directory for one in inputs if one.shard}
    for one in (one for one in inputs if one.shard):
        shard, folder = one.shard, one.handed
        assert shard is not None, "it is one"
        waiting = waiting_for(folder, shard, read_mark(folder, shard.number))
        if waiting:
            said = f"{count(waiting, 'link')} from other shards {'is' if waiting == 1 else 'are'}"
            yield one.directory, f"{said} not taken in; start it again with --shard {shard}"
    for shard in next(iter(shards)).all if shards else ():
        if shard not in shards:
            yield next(iter(shards.values())).parent, f"shard {shard} is not among the runs"


def _write(inputs: Sequence[Input], draft: Path) -> None:
    """Write the joined run: archive, configuration, database, records."""
    remote = _join_archives(inputs, draft)
    _write_config(inputs, draft)
    with Database(draft / FILE_NAME) as db:
        merge_into(db, {str(one.directory): one.directory / FILE_NAME for one in inputs})
        if remote:
            Run(db).set(ARCHIVE_KEY, remote)
        sites = read_yaml(draft / CONFIG)["sites"]
        known = Run(db).site_states()
        Run(db).set_sites(
            {url: at for at, url in enumerate(map(_url_of, sites)) if url in known}
        )  # fmt: skip
    export(draft, "jsonl", draft / "records.jsonl")


def _join_archives(inputs: Sequence[Input], draft: Path) -> dict[str, str]:
    """Link the files of the archives; return series -> address of those on object storages."""
    remote: dict[str, str] = {}
    for one in inputs:
        salvage_all(one.directory / ARCHIVE)
        for path in archive_files(one.directory / ARCHIVE):
            assert isinstance(path, Path), "it lies in the run directory"
            _link(path, draft / ARCHIVE / path.name)
        with Database(one.directory / FILE_NAME, read_only=True) as db:
            kept = Run(db).get(ARCHIVE_KEY) or {}
        remote |= kept if isinstance(kept, dict) else {one.series: kept}
    return remote


def _link(path: Path, target: Path) -> None:
    """Let a file of an archive stand in another one, too; copied where it cannot be linked."""
    if target.exists():
        raise RunError(
            path, f"an archive file of this name is in another of the runs, too: {path.name}"
        )
    with suppress(OSError):
        os.link(path, target)
        return
    shutil.copyfile(path, target)


def _write_config(inputs: Sequence[Input], draft: Path) -> None:
    """Write the configuration of the first run, with the sites of all."""
    found = [read_yaml(one.directory / CONFIG) for one in inputs]
    sites = {_url_of(site): site for config in reversed(found) for site in config["sites"]}
    order = dict.fromkeys(_url_of(site) for config in found for site in config["sites"])
    joined = {key: value for key, value in found[0].items() if key != "output"}
    joined["sites"] = [sites[url] for url in order]
    (draft / CONFIG).write_text(dump_yaml(joined), encoding="utf-8")


def _url_of(site: Any) -> str:
    return str(site["url"] if isinstance(site, dict) else site)
