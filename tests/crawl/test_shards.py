"""A task that is split among shards asks for what it would ask for as a whole, each host once."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections import Counter
from contextlib import ExitStack

import pytest

from hiwe.cli import main
from hiwe.crawl.handover import FOLDER, HandedFile
from hiwe.crawl.neighbours import SHARD_KEY
from hiwe.crawl.part import Part, run_directory
from hiwe.crawl.shard import Shard, Territory, place_of
from hiwe.crawl.site import Site
from hiwe.errors import RunError, UsageError
from hiwe.repository.command import Command, go_on
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.run import Run
from hiwe.task import parse_task
from tests.crawling import read_back, write_config
from tests.plainly import crawling
from tests.served import Served, redirect

OF = 3
HOMES = (1, 2, 3, 2)  # the shards that the hosts belong to
HOSTS = len(HOMES)


def _pages(number, others):
    """A site of a few pages with words of their own, links to all others, and a way round them."""
    links = "".join(f'<a href="{url}from-{number}">to {url}</a>' for url in others)
    pages = {
        "/": f"<h1>Start {number}</h1><p>{_words(number + 9000)}<a href=/a>first</a>"
        f"<a href=/gone>gone</a><a href=/on>on</a>{links}",
        "/a": f"<h1>First page of {number}</h1><p>{_words(number)}{links}",
        "/on": redirect(f"{others[0]}landing-{number}"),
    }
    for other in range(HOSTS):
        said = f"{_words(100 * number + other)}<a href=/>start</a>"
        pages |= {f"/from-{other}": f"<h1>Came from {other}</h1><p>{said}"}
        pages |= {f"/landing-{other}": f"<h1>Landed</h1><p>{_words(1000 * number + other)}"}
    return pages


def _served(host, home, stack):
    """A site at a port that lets it belong to a shard."""
    while True:
        with ExitStack() as trial:
            site = trial.enter_context(Served({}, host=host))
            if Shard(1, OF).home(place_of(site.url)) == home:
                stack.push(trial.pop_all())
                return site


def _words(seed):
    return " ".join(f"word{seed}x{at}" for at in range(40))


@pytest.fixture(scope="module")
def hosts():
    with ExitStack() as stack:
        sites = [_served(f"127.0.2.{at}", home, stack) for at, home in enumerate(HOMES, start=1)]
        for number, site in enumerate(sites):
            rest = sites[number + 1 :] + sites[:number]
            site.routes = _pages(number, [other.url for other in rest])
        yield sites


@pytest.fixture(scope="module")
def config(hosts, tmp_path_factory):
    """Starts on two of the hosts, all are in scope."""
    names = [site.host for site in hosts]
    settings = {"scope": {"hosts": names, "depth": 20}, "budget": {"pages_per_site": 500}}
    return write_config(
        tmp_path_factory.mktemp("task"), (hosts[0].url, hosts[1].url), settings=settings
    )


def _logged(hosts):
    """What was asked for since the last look: a count of addresses."""
    found = Counter(site.at(request.target) for site in hosts for request in site.log)
    for site in hosts:
        site.log.clear()
    return found


def _part(number, of=OF, wait_s=0.0):
    return Part(Shard(number, of), wait_s)


def _run(config, out, number, **how):
    return asyncio.run(crawling(config, out / f"shard-{number}-of-{OF}", part=_part(number, **how)))


def _events(out, last):
    runs = sorted(out.glob("shard-*"))
    return [event for run in runs for event in read_back(run).events[last:]]


def _visits(run):
    with Database(run / FILE_NAME, read_only=True) as db:
        return Counter(row[0] for row in db.rows("SELECT url FROM actions WHERE kind = 'visit'"))


@pytest.fixture(scope="module")
def whole(config, hosts, tmp_path_factory):
    asyncio.run(crawling(config, tmp_path_factory.mktemp("whole") / "run"))
    asked = _logged(hosts)
    assert max(asked.values()) == 1
    assert len(asked) > 7 * HOSTS
    return asked


def _together(config, out):
    """Run all shards at the same time."""

    async def together():
        return await asyncio.gather(
            *(
                crawling(config, out / f"shard-{n}-of-{OF}", part=_part(n, wait_s=20.0))
                for n in range(1, 1 + OF)
            )
        )

    assert asyncio.run(together()) == ["finished"] * OF


def test_shards_at_the_same_time_ask_for_what_one_run_asks_for(config, hosts, whole, tmp_path):
    _together(config, tmp_path)
    assert _logged(hosts) == whole
    _check_apart(tmp_path, hosts)
    _together(config, tmp_path)
    assert not _logged(hosts), "nothing is new, and it is no revisit"


def test_shards_one_after_the_other_do_so_in_rounds(config, hosts, whole, tmp_path):
    asked, rounds = [0], Counter()
    while asked[-1] or len(asked) == 1:
        asked.append(0)
        for number in range(1, 1 + OF):
            assert _run(config, tmp_path, number) == "finished"
            new = _logged(hosts)
            asked[-1] += new.total()
            rounds += new
    assert rounds == whole
    assert 3 <= len(asked) <= 7
    _check_apart(tmp_path, hosts)


def _check_apart(out, hosts):
    """Each host was asked by one shard, each link is once in a frontier."""
    owners: dict[str, set[str]] = {}
    for run in out.glob("shard-*"):
        visits = _visits(run)
        assert set(visits.values()) <= {1}
        for url in visits:
            owners.setdefault(place_of(url), set()).add(run.name)
    assert owners == {
        place_of(site.url): {f"shard-{home}-of-{OF}"}
        for site, home in zip(hosts, HOMES, strict=True)
    }


def test_a_shard_that_is_killed_while_it_writes_loses_no_link_and_repeats_none(
    config, hosts, whole, tmp_path
):
    for number in (1, 2, 1, 3, 2):
        _run(config, tmp_path, number)
        for reader in Shard(number, OF).others:
            _tear(HandedFile(tmp_path / FOLDER, number, reader))
    _together(config, tmp_path)
    assert _logged(hosts) == whole
    for path in (tmp_path / FOLDER).glob("*.jsonl"):
        numbers = [json.loads(line).get("number") for line in path.read_text().splitlines()]
        assert numbers == [None, *range(1, len(numbers))]


def _tear(file):
    """Cut a file within its last line, as a kill -9 does that comes while it is written."""
    whole = file.path.read_bytes()
    if whole.count(b"\n") > 1:
        file.path.write_bytes(whole[:-20])
    else:
        file.path.write_bytes(whole + b'{"number": 1, "ki')


def test_a_shard_begun_anew_takes_in_all_that_came_for_it(config, hosts, whole, tmp_path):
    _together(config, tmp_path)
    _logged(hosts)
    run = tmp_path / "shard-2-of-3"
    before = _visits(run)
    run.rename(tmp_path / "shard-2-of-3.1")  # what --fresh does
    _run(config, tmp_path, 2)
    assert _visits(run) == before
    owned = {place_of(url) for url in before}
    assert set(_logged(hosts)) == {url for url in whole if place_of(url) in owned}


def test_links_for_a_shard_that_does_not_run_are_told_of(config, hosts, tmp_path):
    _run(config, tmp_path, 1)
    told = [e for e in _events(tmp_path, -OF) if "which is not at work" in e]
    assert told
    assert all("--shard " in event for event in told)
    part = Part(Shard(1, OF), 0.0, revisits=True)
    _logged(hosts)
    asyncio.run(crawling(config, tmp_path / "shard-1-of-3", part=part))
    assert _logged(hosts)[hosts[0].url] == 1, "a revisit that was asked for"


def test_the_files_may_lie_elsewhere(config, hosts, tmp_path):
    part = Part(Shard(1, OF), 0.0, handed=tmp_path / "far/away")
    asyncio.run(crawling(config, tmp_path / "shard-1-of-3", part=part))
    names = {path.name for path in (tmp_path / "far/away").iterdir()}
    assert names == {"1-to-2.jsonl", "1-to-3.jsonl", "shard-1.json"}
    assert not (tmp_path / FOLDER).exists()


def test_a_run_stays_the_shard_it_is(config, hosts, tmp_path):
    _run(config, tmp_path, 1)
    run = tmp_path / "shard-1-of-3"
    with Database(run / FILE_NAME, read_only=True) as db:
        assert Run(db).get(SHARD_KEY)["number"] == 1
    with pytest.raises(RunError, match=r"is shard 1/3 of a task; go on with --shard 1/3 --out "):
        asyncio.run(crawling(config, run, part=_part(2)))
    with pytest.raises(RunError, match="is shard 1/3"):
        asyncio.run(crawling(config, run))
    asyncio.run(crawling(config, tmp_path / "whole"))
    with pytest.raises(RunError, match="holds a run of the whole task"):
        asyncio.run(crawling(config, tmp_path / "whole", part=_part(1)))


def test_run_directories_of_another_split_are_refused(tmp_path):
    (tmp_path / "shard-1-of-3").mkdir()
    (tmp_path / "shard-1-of-3.1").mkdir()
    assert run_directory(tmp_path, Shard(2, 3)) == tmp_path / "shard-2-of-3"
    with pytest.raises(UsageError, match=r"a task in 3 shards; --shard 2/4 does not fit"):
        run_directory(tmp_path, Shard(2, 4))
    with pytest.raises(UsageError, match="holds shards of a task"):
        run_directory(tmp_path, None)
    (tmp_path / FILE_NAME).touch()
    assert run_directory(tmp_path, None) == tmp_path
    with pytest.raises(UsageError, match="holds a run of its own"):
        run_directory(tmp_path, Shard(2, 3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--shard", "5/4"], "hiwe: --shard is 5/4; give K/N with K from 1 to N, such as 2/4"),
        (["--handed", "DIR"], "hiwe: --handed goes with --shard; give both or none"),
        (["--shard-wait", "3"], "hiwe: --shard-wait goes with --shard; give both or none"),
        (["--shard", "1/2", "--shard-wait", "-1"], "hiwe: --shard-wait is -1.0; give a number"),
        (["--shard", "1/2", "--out", "DIR"], "DIR holds shard-3-of-4, a task in 4 shards;"),
        (["--out", "DIR"], "DIR holds shards of a task (shard-3-of-4); give --shard K/N"),
    ],
)
def test_wrong_usage_is_one_line(options, message, config, tmp_path, capsys):
    (tmp_path / "shard-3-of-4").mkdir()
    there = [str(tmp_path) if option == "DIR" else option for option in options]
    assert main(["run", str(config), *there]) == 2
    said = capsys.readouterr().err
    assert message.replace("DIR", str(tmp_path)) in said
    assert said.count("\n") == 1


def test_the_command_to_go_on_names_the_shard_and_the_folder_above(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "task.yaml").touch()
    run, options = tmp_path / "runs/t/shard-1-of-3", (("--shard", "1/3"), ("--engine", "ray"))
    typed = Command("task.yaml", "runs/t", False, options, str(tmp_path))
    said = ("hiwe", "run", "task.yaml", "--shard", "1/3", "--engine", "ray")
    assert typed.words(run) == said
    moved = tmp_path / "else/shard-1-of-3"
    assert typed.words(moved) == (*said[:3], "--out", str(moved.parent), *said[3:])
    with Database(None) as db:
        typed.keep(Run(db))
        (tmp_path / "task.yaml").unlink()
        assert go_on(Run(db), run, ("--set", "a=b")) == (
            f"hiwe run {run}/config.yaml --out {run.parent} --shard 1/3 --set a=b"
        )


@pytest.mark.parametrize("text", ["5/4", "0/4", "4", "a/b", "-1/2", "1/0", "1/2/3", "", "1/10001"])
def test_a_shard_that_is_none_is_refused(text):
    with pytest.raises(UsageError, match=r"give K/N with K from 1 to N"):
        Shard.parse(text)


def test_a_shard_is_written_as_it_is_read():
    assert str(Shard.parse(" 2/4 ")) == "2/4"
    assert Shard.of_directory(Shard(2, 4).directory) == Shard(2, 4)
    assert Shard.of_directory("shard-2-of-4.1") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://www.example.org/a", "https://shop.example.org:8443/b"),
        ("http://example.co.uk/", "http://deep.down.example.co.uk/"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/x"),
        ("http://intranet/", "http://www.intranet/"),
    ],
)
def test_hosts_that_belong_together_stay_together(one, other):
    assert place_of(one) == place_of(other)


def test_hosts_that_do_not_may_part():
    assert place_of("http://a.co.uk/") != place_of("http://b.co.uk/")
    assert place_of("http://127.0.0.1:8000/") != place_of("http://127.0.0.1:8001/")


def test_places_are_spread_evenly_and_the_same_everywhere():
    homes = Counter(Shard(1, 8).home(f"site{n}.org") for n in range(8000))
    assert set(homes) == set(range(1, 9))
    assert all(880 < number < 1120 for number in homes.values())
    assert Shard(1, 8).home("example.org") == Shard(5, 8).home("example.org") == 6


def test_a_shard_may_ask_for_its_own_places_and_for_those_of_no_site():
    task = parse_task(
        "task: t\nsites: [http://a.org/, http://b.org/]\nscope: {hosts: ['*.c.org', 10.0.0.1]}\n"
    )
    sites = [Site(s.url, s.url, task.for_site(s)) for s in task.sites]
    shards = [Territory.of_sites(Shard(n, 2), sites) for n in (1, 2)]
    for url in ("http://a.org/x", "http://b.org/", "http://www.c.org/y", "http://10.0.0.1:81/"):
        assert [t(url) for t in shards].count(True) == 1
    assert all(t("http://cdn.net/x.js") and t("about:blank") for t in shards)
    assert [pickle.loads(pickle.dumps(t)) for t in shards] == shards, "workers may be elsewhere"
