"""Traps: what looks wrong, what is too much of one shape, and what must not be taken for a trap."""

from __future__ import annotations

from itertools import combinations, islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.crawl.shapes import (
    MAX_PER_CALENDAR,
    MAX_PER_DIRECTORY,
    MAX_PER_FACETS,
    MAX_PER_SHAPE,
    MAX_PER_SORTING,
    directories,
    fault,
    groups,
    unordered,
)
from hiwe.crawl.traps import MOST_KEPT, PATIENCE, Traps
from hiwe.repository.database import Database

H = "http://h.org"


@pytest.fixture
def traps():
    with Database(None) as database:
        yield Traps(database)


def visited(traps, urls):
    """Return how many of the addresses are let through, and the reasons for the others."""
    refusals = [traps.refusal(url) for url in urls]
    return refusals.count(None), {refused.reason for refused in refusals if refused}


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/a/b/c", None),
        ("/films/2001/films", None),
        ("/1/1/1", None),
        ("/a/a/b", None),
        ("/a/a/a", "repeated_segments"),
        ("/a/b/a/b", "repeated_segments"),
        ("/x/a/1/a/2/a/3/a/4", "repeated_segments"),
        ("/" + "/".join(f"d{n}" for n in range(20)), "path_depth"),
        ("/" + "a" * 1001, "url_length"),
        ("/find?" + "&".join(f"p{n}=1" for n in range(17)), "parameters"),
        ("/find?" + "&".join("f[]=1" for _ in range(7)), "parameters"),
        ("/find?q=100%2525252541", "escapes"),
        ("/find?q=%00", "escapes"),
        ("/find?q=50%25", None),
        ("/more?x=1&x=1", "parameters"),
        ("/find?year=1&year=2&genre=1", None),
    ],
)
def test_addresses_that_look_wrong(path, reason):
    assert fault(H + path) == reason


def months():
    return (f"{y}-{m:02d}" for y in range(2000, 2100) for m in range(1, 13))


@pytest.mark.parametrize(
    ("urls", "limit", "reason"),
    [
        ((f"{H}/e?month={m[5:]}&year={m[:4]}" for m in months()), MAX_PER_CALENDAR, "calendar"),
        ((f"{H}/events?d={m}-01" for m in months()), MAX_PER_CALENDAR, "calendar"),
        ((f"{H}/calendar/{m[:4]}/{m[5:]}" for m in months()), MAX_PER_CALENDAR, "calendar"),
        ((f"{H}/agenda/{m}/" for m in months()), MAX_PER_CALENDAR, "calendar"),
        ((f"{H}/item/{n}" for n in range(1000)), MAX_PER_SHAPE, "shape"),
        ((f"{H}/item/film-{n}.html" for n in range(1000)), MAX_PER_SHAPE, "shape"),
        ((f"{H}/show?id={n}" for n in range(1000)), MAX_PER_SHAPE, "shape"),
        ((f"{H}/s/{n * 7919:016x}/list" for n in range(1000)), MAX_PER_SHAPE, "shape"),
        ((f"{H}/film/{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}{'uvwxyz!'[n // 100]}"
          for n in range(700)), MAX_PER_DIRECTORY, "directory"),
        ((f"{H}/list?sort={s}&dir={d}" for s in "abcdef" for d in ("asc", "desc")),
         MAX_PER_SORTING, "sorting"),
    ],
    ids=["month", "date", "path", "day", "number", "slug", "id", "session", "directory", "sorting"],
)  # fmt: skip
def test_of_each_shape_only_so_many_are_visited(traps, urls, limit, reason):
    assert visited(traps, urls) == (limit, {reason})
    (closed,) = [trap for trap in traps.closed() if trap.reason == reason]
    assert closed.refused > 0


def test_filters_in_any_number_and_order_are_one_trap(traps):
    urls = [
        f"{H}/find?g=sf" + "".join(f"&f[]={tag}" for tag in order)
        for size in (1, 2, 3)
        for order in islice(permutations(range(20), size), 400)
    ]
    number, reasons = visited(traps, urls)
    assert number == MAX_PER_FACETS
    assert reasons == {"facets"}


def test_combinations_of_named_filters_are_one_trap(traps):
    names = ["genre", "decade", "studio", "language", "colour", "length"]
    urls = [
        f"{H}/browse?" + "&".join(f"{name}=x" for name in some)
        for size in (4, 5)
        for some in combinations(names, size)
    ] + [f"{H}/browse?genre=a&decade={n}&studio=b&language=c" for n in range(40)]
    assert visited(traps, urls) == (MAX_PER_FACETS, {"facets"})


@pytest.mark.parametrize(
    "urls",
    [
        [f"{H}/{name}" for name in ("about", "contact", "help", "search", "advanced-search")],
        [f"{H}/index.php?page={name}" for name in ("about", "contact", "help", "search")],
        [f"{H}/list?page={n}" for n in range(1, 50)],
        [f"{H}/movies?year={n}" for n in range(1950, 2020)],
        [f"{H}/2024/{n % 12 + 1:02d}/{'abcdefghijklmnopqrstuvwxyz'[n]}-post" for n in range(26)],
        [f"{H}/tag?tag={n}" for n in range(40)],
        [f"{H}/index.php?view={name}" for name in ("films", "people", "search", "help", "about")],
        [f"{H}/photos?dir={name}" for name in ("rome", "paris", "oslo", "bern", "wien")],
        [f"{H}/index.php?option=film&view=item&id={n}&Itemid=7" for n in range(40)],
        [f"{H}/status?order={n}" for n in range(10_000, 10_010)],
    ],
)
def test_real_sites_are_no_traps(traps, urls):
    assert visited(traps, urls) == (len(urls), set())


def test_counts_outlive_the_process_and_belong_to_a_host(tmp_path):
    with Database(tmp_path / "x.sqlite") as database:
        visited(Traps(database), [f"{H}/item/{n}" for n in range(MAX_PER_SHAPE)])
    with Database(tmp_path / "x.sqlite") as database:
        refused = Traps(database).refusal(f"{H}/item/9999")
        assert refused is not None
        assert (refused.shape, refused.reason, refused.number) == ("/item/N", "shape", 1)
        assert Traps(database).refusal("http://other.org/item/9999") is None


def test_a_person_can_reopen_a_trap(traps):
    visited(traps, [f"{H}/item/{n}" for n in range(MAX_PER_SHAPE + 1)])
    (trap,) = traps.closed()
    assert traps.reopen(trap.host, trap.shape)
    assert visited(traps, [f"{H}/item/{n}" for n in range(5000, 6000)]) == (1000, set())
    for n in range(PATIENCE["shape"] + 1):
        assert traps.observe(f"{H}/item/{5000 + n}", fresh=False) is None
    assert traps.closed() == []
    assert not traps.reopen(trap.host, trap.shape)
    assert not traps.reopen(trap.host, "/item/no/such")


def test_an_address_that_looks_wrong_can_be_reopened_too(traps):
    deep = [f"{H}/" + "/".join(f"d{n}" for n in range(20)) + f"/{last}" for last in "abc"]
    assert visited(traps, deep[:1]) == (0, {"path_depth"})
    assert traps.reopen("h.org", "(path_depth)")
    assert visited(traps, deep[1:]) == (2, set())


def test_the_first_addresses_turned_away_are_to_be_remembered(traps):
    refused = [traps.refusal(f"{H}/item/{n}") for n in range(MAX_PER_SHAPE + 100)]
    assert [r.is_kept for r in refused if r] == [True] * MOST_KEPT + [False] * (100 - MOST_KEPT)


def test_a_directory_that_answers_everything_is_closed_below_but_not_beside(traps):
    traps.close(f"{H}/en/soft/a", "/en/soft/**", "soft_directory")
    assert traps.is_closed(f"{H}/en/soft/b/c") == "soft_directory"
    refused = traps.refusal(f"{H}/en/soft/x/y/z")
    assert refused is not None
    assert refused.reason == "soft_directory"
    for beside in ("/en/soft/b", "/en/films/b/c", "/en/soft", "/soft/b/c"):
        assert traps.is_closed(H + beside) is None
        assert traps.refusal(H + beside) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a", []),
        ("/a/b", []),
        ("/a/b/c", ["/a/**"]),
        ("/a/b/", ["/a/**"]),
        ("/a/b/c/d?x=/y", ["/a/**", "/a/b/**"]),
    ],
)
def test_directories_that_an_address_lies_below(path, expected):
    assert directories(H + path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/list?sort=title", "/list"),
        ("/list?sort=title&dir=desc&page=2", "/list?page=2"),
        ("/list?g=sf&orderby=year&limit=20", "/list?g=sf"),
        ("/list?dir=asc", "/list"),
        ("/photos?dir=rome", "/photos?dir=rome"),
        ("/status?order=12345", "/status?order=12345"),
        ("/?view=search", "/?view=search"),
        ("/list", "/list"),
    ],
)
def test_an_address_without_the_order_of_its_list(path, expected):
    assert unordered(H + path) == H + expected


def test_pages_that_bring_nothing_new_close_their_shape(traps):
    urls = [f"{H}/soft/{n}" for n in range(PATIENCE["shape"] + 1)]
    assert visited(traps, urls)[0] == len(urls)
    told = [traps.observe(url, fresh=n == 0) for n, url in enumerate(urls)]
    assert told == [None] * PATIENCE["shape"] + ["stale"]
    assert traps.is_closed(f"{H}/soft/3") == "stale"
    assert traps.is_closed(f"{H}/other/3") is None
    assert traps.observe(f"{H}/plain", fresh=False) is None


@given(st.text(alphabet="/?&=[].-_0129aZ%;é(", max_size=40))
def test_no_address_is_fatal(path):
    assert all(group.limit > 0 and group.shape for group in groups(f"{H}/{path}"))
    assert fault(f"{H}/{path}") in (
        None,
        "escapes",
        "parameters",
        "path_depth",
        "repeated_segments",
    )
