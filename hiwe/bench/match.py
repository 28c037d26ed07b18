"""How well labels meet their rows: precision and recall of LabelMatch on a labelled set, and speed.

Side by side: our match, and the plain Levenshtein ratio and token-set ratio of the label against
all rows' labels, aliases and their concepts' common names, with the same sigma.
"""

from __future__ import annotations

import csv
import random
import statistics
import time
import tracemalloc
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiwe.lvs.concepts import aliases
from hiwe.lvs.element_view import ElementView
from hiwe.lvs.row import Row
from hiwe.lvs.table import LvsTable
from hiwe.lvs.value import Provenance
from hiwe.lvs.value_set import FuzzyValueSet
from hiwe.text import PLAIN_RATIOS, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SIGMA = 0.75
TABLES = Path(__file__).parents[2] / "lvs"
NONE, GENERIC = "-", "*"
PLAIN_LABELS = 10  # that are compared with every row, for the ratio


@dataclass(frozen=True, slots=True)
class Pair:
    """One labelled pair: `row` is a row's label, '-' for none or '*' for a box for anything."""

    table: str
    language: str
    label: str
    row: str
    source: str


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one method: rows found rightly, wrongly, and missed; boxes for anything known."""

    method: str
    right: int
    wrong: int
    missed: int
    generic_right: int
    generic_all: int

    @property
    def precision(self) -> float:
        """Part of the rows given that are right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Part of the rows there are that were found."""
        return self.right / max(1, self.right + self.missed)


def pairs() -> list[Pair]:
    """The labelled set that comes with the program."""
    text = resources.files("hiwe.bench").joinpath("data/match.tsv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [Pair(**row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def ours(table: LvsTable, pair: Pair, *, sigma: float = SIGMA) -> str:
    """What LabelMatch says of a pair's label, alone: no name, no domain."""
    match = table.match(ElementView(pair.label, "f1", language=pair.language or None), sigma=sigma)
    if match.row is not None:
        return match.row.label
    return GENERIC if match.generic else NONE


def plain(ratio: str) -> Callable[[LvsTable, Pair], str]:
    """The nearest row by one plain string ratio over everything the rows are called."""

    known: dict[int, list[tuple[str, str]]] = {}

    def judge(table: LvsTable, pair: Pair) -> str:
        names = known.get(id(table)) or known.setdefault(id(table), _all_names(table))
        label = pair.label.casefold().strip(" :*")
        at, likeness = nearest(label, [name for name, _ in names], ratio=ratio)
        return names[at][1] if likeness >= SIGMA else NONE

    return judge


def _all_names(table: LvsTable) -> list[tuple[str, str]]:
    return [(name, row.label) for row in table.rows for name in sorted(names_of(row))]


def names_of(row: Row) -> set[str]:
    """All that a row is called: label, aliases and its concepts' common names, casefolded."""
    common = (name for concept in row.all_concepts() for name in aliases(concept, None))
    return {name.casefold() for name in (row.label, *row.aliases, *common)}


def score(method: str, judge: Callable[[LvsTable, Pair], str], given: Iterable[Pair]) -> Score:
    """Count a method's answers over the pairs."""
    tables = {path.stem: LvsTable.load([path]) for path in TABLES.glob("*.yaml")}
    counts = dict.fromkeys(("right", "wrong", "missed", "generic_right", "generic_all"), 0)
    for pair in given:
        said, is_row = judge(tables[pair.table], pair), pair.row not in (NONE, GENERIC)
        counts["right"] += is_row and said == pair.row
        counts["wrong"] += said not in (NONE, GENERIC, pair.row)
        counts["missed"] += is_row and said != pair.row
        counts["generic_all"] += pair.row == GENERIC
        counts["generic_right"] += pair.row == said == GENERIC
    return Score(method, **counts)


def mistakes(given: Iterable[Pair]) -> list[tuple[Pair, str]]:
    """The pairs that our match gets wrong, with what it said."""
    tables = {path.stem: LvsTable.load([path]) for path in TABLES.glob("*.yaml")}
    said = [(pair, ours(tables[pair.table], pair)) for pair in given]
    return [(pair, answer) for pair, answer in said if answer != pair.row]


def speed(rows: int = 100_000, labels: int = 200, seed: int = 1) -> dict[str, float]:
    """Milliseconds of one label against many rows; seconds to load them and to index them.

    Processor time, so that a busy machine does not count. `plain_ratio` is how many times longer a
    plain comparison with every row's label takes (rapidfuzz, in one batch).
    """
    rng = random.Random(seed)
    syllables = ["ka", "to", "mi", "re", "su", "len", "dor", "pra", "vi", "gon", "ter", "al", "bri"]
    vocabulary = ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(rows // 4)]
    names = [f"{' '.join(rng.choices(vocabulary, k=rng.randint(1, 3)))} {n}" for n in range(rows)]
    begun = time.process_time()
    table = LvsTable(Row(name) for name in names)
    loaded = time.process_time()
    table.index(None)
    indexed = time.process_time()
    times = []
    for name in rng.choices(names, k=labels):
        asked = ElementView(rng.choice([name, name.split()[0] + "s of the film", name[1:]]), "f1")
        start = time.process_time()
        table.match(asked, sigma=SIGMA)
        times.append((time.process_time() - start) * 1000.0)
    start = time.process_time()
    for name in names[:PLAIN_LABELS]:
        # Misspelt: an exact hit would end the comparison early.
        nearest(f"{name[1:]}s", names, ratio="Levenshtein ratio")
    plain_ms = (time.process_time() - start) * 1000.0 / PLAIN_LABELS
    return {
        "rows": rows,
        "load_s": loaded - begun,
        "index_s": indexed - loaded,
        "match_ms_median": statistics.median(times),
        "plain_ratio": plain_ms / statistics.median(times),
        "match_ms_p95": sorted(times)[int(0.95 * (labels - 1))],
    }


def bytes_per_value(values: int = 200_000) -> float:
    """Memory of one value of 20 characters in a fuzzy value set, its string included."""
    tracemalloc.start()
    held = FuzzyValueSet()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(values):
        held.add(f"value number {number:07d}", 1.0, Provenance.EXPLICIT)
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return used / values


def run(*, with_speed: bool = True) -> dict[str, Any]:
    """All figures of `hiwe bench match`."""
    given = pairs()
    methods: list[tuple[str, Callable[[LvsTable, Pair], str]]] = [
        ("hiwe", ours),
        *((ratio, plain(ratio)) for ratio in PLAIN_RATIOS),
    ]
    scores = [score(name, judge, given) for name, judge in methods]
    figures: dict[str, Any] = {
        "pairs": len(given),
        "languages": len({pair.language for pair in given if pair.language}),
        "sigma": SIGMA,
        "methods": [
            {
                "method": one.method,
                "precision": round(one.precision, 4),
                "recall": round(one.recall, 4),
                "generic": f"{one.generic_right}/{one.generic_all}",
            }
            for one in scores
        ],
    }
    if with_speed:
        figures["speed"] = speed()
        figures["bytes_per_value"] = round(bytes_per_value(), 1)
    return figures
