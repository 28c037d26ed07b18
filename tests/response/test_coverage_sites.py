"""The estimate on the fixture sites: crawls without a browser, cut at shares of the database."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import yaml

import hiwe_fixtures
from hiwe.response.coverage import Division, estimate
from hiwe_fixtures.registry import site_class

# Text boxes (asked for directors) and selects (all their values) of each site's form.
BOXES = {
    "cineteca": ("regista", ["genere", "supporto"]),
    "filmbase": ("director", ["genre", "rating"]),
    "reelfinder": ("director", ["rated"]),
    "studioarchive": ("", ["distributor"]),
    "kritik": ("regie", ["genre", "freigabe"]),
    "strikes": ("", ["state", "phase", "size", "operator"]),
}
RESULT_PAGES = 20  # read of each answer
TABLE = Path(__file__).parents[2] / "lvs" / "movies.yaml"
DIRECTORS = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
DATE = re.compile(r"((?:19|20)\d\d)(?:-(\d\d)-\d\d)?")


def moments(site):
    """The date of each record, in months, where it has one."""
    found = {}
    for record in hiwe_fixtures.truth(site):
        dates = [DATE.fullmatch(v) for k, v in record.items() if v and k not in ("id", "url")]
        match = next((match for match in dates if match), None)
        if match:
            found[record["id"]] = int(match.group(1)) * 12 + int(match.group(2) or 0)
    return found


def values_of(site, name):
    store = site_class(site).make_store()
    column = next(c.columns[0] for c in site_class(site).criteria if c.name == name)
    values = store.distinct(column)
    store.close()
    return values


def crawl(site, dice):
    """Element, records found, the site's count and number of values: one line a submission."""
    box, selects = BOXES[site]
    lanes = {name: values_of(site, name) for name in selects}
    sizes = {name: len(values) for name, values in lanes.items()}
    if box:
        names = next(row["values"] for row in DIRECTORS if row["label"] == "Director")
        lanes[box] = list(names)
    for name, values in lanes.items():
        if name != box:
            dice.shuffle(values)
        values.sort(key=lambda _: dice.random() < 0.3)  # the order of ranks, a little disturbed
    longest = RESULT_PAGES * site_class(site).page_size
    while any(lanes.values()):
        for name, values in lanes.items():
            if values:
                found = hiwe_fixtures.answer(site, **{name: values.pop(0)})
                yield name, found[:longest], len(found), sizes.get(name)


def estimates(site, share, seeds):
    """An estimate from each crawl that reached the share of the site, and the truth."""
    dates, size = moments(site), len(hiwe_fixtures.truth(site))
    for seed in range(seeds):
        seen, lines = set(), []
        for line in crawl(site, random.Random(seed)):
            lines.append(line)
            seen.update(line[1])
            if len(seen) >= share * size:
                break
        if len(seen) < share * size:
            continue
        told = {name: [n for other, _, n, _ in lines if other == name] for name, *_ in lines}
        divisions = {
            name: Division(values, tuple(told[name])) for name, _, _, values in lines if values
        }
        yield size, estimate(
            [found for _, found, _, _ in lines], (), [name for name, *_ in lines],
            moments=dates, divisions=divisions,
        )  # fmt: skip


def test_the_interval_holds_the_truth_nine_times_in_ten():
    found = [
        one
        for site in BOXES
        for share in (0.3, 0.6)
        for one in estimates(site, share, 1 if site == "strikes" else 3)
    ]
    held = sum(one.low <= size <= one.high for size, one in found)
    assert held * 10 >= len(found) * 9


@pytest.mark.parametrize("site", [site for site in BOXES if site != "strikes"])
def test_four_fifths_of_a_site_tell_its_size(site):
    found = list(estimates(site, 0.8, 4))
    near = sum(abs(one.estimated - size) <= 0.15 * size for size, one in found)
    assert found
    assert near * 4 >= len(found) * 3, [(size, one.estimated) for size, one in found]
    assert all(one.method != "none" for _, one in found)
