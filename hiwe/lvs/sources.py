"""Wrapped data sources: a new category for a label, and a category grown from examples (5.4).

A source that is slow, down or wrong is passed over with a note and asked again later. What it gave
is kept (in the run's database, if there is one), so that it is asked once for one label; files on
this machine are read anew by each process.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from hiwe.errors import ConfigError
from hiwe.lvs.readers import READERS, Connectors, SourceError
from hiwe.lvs.row import Row
from hiwe.lvs.value import Provenance
from hiwe.text import fold, similarity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hiwe.lvs.readers import Categories

RETRY_S = 600.0
KEPT_S = 7 * 86400.0  # an older answer is asked for again; it stands as long as there is no newer
SIGMA = 0.75


@dataclass(frozen=True, slots=True)
class Category:
    """A named category of a source with its weighted values."""

    name: str
    source: str
    values: Mapping[str, float]

    def holds(self, example: str) -> bool:
        """Whether the example is one of the values, minding neither case nor accents."""
        return fold(example) in {fold(value) for value in self.values}

    def row(self, label: str = "") -> Row:
        """The category as a row of the table; its weights may move."""
        row = Row(label or self.name, provenance=Provenance.SOURCE)
        for value, weight in self.values.items():
            row.values.add(value, weight, Provenance.SOURCE)
        return row


class Keeper(Protocol):
    """Where answers outlive the process: named JSON values."""

    def get(self, key: str, default: Any = None) -> Any: ...
    def set(self, key: str, value: Any) -> None: ...


@dataclass(slots=True)
class Sources:
    """The data sources of a task. `notes` tells which were passed over, and why."""

    specs: Sequence[Mapping[str, Any]]
    connectors: Connectors = field(default_factory=Connectors)
    clock: Callable[[], float] = time.time
    keeper: Keeper | None = None
    notes: list[str] = field(default_factory=list)
    _kept: dict[tuple[int, str], Categories] = field(default_factory=dict)
    _retry_at: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a wrong description at once: ConfigError names its key path."""
        for at, spec in enumerate(self.specs):
            _check(spec, f"lvs.sources[{at}]")

    def rows(self) -> list[Row]:
        """A row for every source that has a label of its own, as far as they answer now."""
        labelled = [spec["label"] for spec in self.specs if spec.get("label")]
        found = [self.category(str(label)) for label in dict.fromkeys(labelled)]
        return [category.row() for category in found if category and category.values]

    @property
    def is_due(self) -> bool:
        """Whether a source that was passed over may be asked again."""
        return any(self.clock() >= at for at in self._retry_at.values())

    @property
    def takes_labels(self) -> bool:
        """Whether a source can be asked for any label: it says where the label goes."""
        return any(_takes_label(spec) and not spec.get("label") for spec in self.specs)

    def category(self, label: str) -> Category | None:
        """New category for a label: the most similar category of any source, or None."""
        known = list(self._categories(label))
        scored = [(similarity(label, category.name), category) for category in known]
        best = max(scored, key=lambda pair: pair[0], default=None)
        if best is None or best[0] < SIGMA or not best[1].values:
            return None
        return Category(label, best[1].source, best[1].values)

    def expand(self, examples: Iterable[str]) -> list[Category]:
        """Categories that hold every example, smallest first: {Marche, Umbria, Molise} -> regions.

        For each example the categories that hold it are looked up, and these sets intersected.
        """
        wanted = list(examples)
        if not wanted:
            return []
        known = list(self._categories(""))
        holding = [{at for at, one in enumerate(known) if one.holds(e)} for e in wanted]
        common = set.intersection(*holding)
        return sorted((known[at] for at in common), key=lambda one: (len(one.values), one.name))

    def _categories(self, label: str) -> Iterable[Category]:
        for at, spec in enumerate(self.specs):
            name = str(spec.get("name") or spec.get("label") or spec["type"])
            for category, values in self._read(at, spec, label).items():
                yield Category(category or label, name, values)

    def _read(self, at: int, spec: Mapping[str, Any], label: str) -> Categories:
        """What the source has for the label; {} while it is passed over."""
        key = (at, label if _takes_label(spec) else "")
        if key in self._kept:
            return self._kept[key]
        stale, is_fresh = self._from_keeper(spec, key[1])
        if is_fresh:
            self._kept[key] = stale
            return stale
        if self.clock() < self._retry_at.get(at, float("-inf")):
            return stale
        try:
            found = READERS[spec["type"]][0](spec, label, self.connectors)
        except SourceError as exc:
            self._retry_at[at] = self.clock() + RETRY_S
            self.notes.append(f"lvs.sources[{at}] ({spec['type']}) passed over: {exc}")
            return stale
        self._retry_at.pop(at, None)
        self._kept[key] = found
        if self.keeper is not None and not _is_local(spec):
            value = {"at": self.clock(), "categories": found}
            self.keeper.set(_keeper_key(spec, key[1]), value)
        return found

    def _from_keeper(self, spec: Mapping[str, Any], label: str) -> tuple[Categories, bool]:
        """What an earlier process got for the label, and whether that is recent."""
        if self.keeper is None or _is_local(spec):
            return {}, False
        kept = self.keeper.get(_keeper_key(spec, label))
        if kept is None:
            return {}, False
        return kept["categories"], self.clock() - kept["at"] < KEPT_S


def _takes_label(spec: Mapping[str, Any]) -> bool:
    return "{label}" in repr(spec) or ":label" in repr(spec)


def _is_local(spec: Mapping[str, Any]) -> bool:
    """Whether a source is a file of this machine or comes with the program: cheap to read anew."""
    return "path" in spec or spec["type"] == "directory"


def _keeper_key(spec: Mapping[str, Any], label: str) -> str:
    about = json.dumps([spec, label], sort_keys=True, ensure_ascii=False, default=str)
    return f"source:{hashlib.sha256(about.encode()).hexdigest()[:32]}"


def _check(spec: Mapping[str, Any], key: str) -> None:
    kind = spec.get("type")
    if kind not in READERS:
        known = ", ".join(READERS)
        raise ConfigError(f"is {kind!r}; take one of {known}", None, f"{key}.type")
    for needed in READERS[kind][1]:
        if not any(spec.get(name) for name in needed.split("|")):
            raise ConfigError(
                f"is missing; a {kind} source needs {needed.replace('|', ' or ')}",
                None,
                f"{key}.{needed.split('|')[0]}",
            )
    weight = spec.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
        raise ConfigError(f"is {weight}; give a number from 0 to 1", None, f"{key}.weight")
    if kind == "command" and not isinstance(spec["command"], list | tuple):
        raise ConfigError("is no list; write [program, argument, ...]", None, f"{key}.command")
