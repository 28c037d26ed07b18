"""One response to judge: its features, what is known of its form, and the questions rules ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.response.counts import has_noun
from hiwe.response.names import MAIN_FIELD
from hiwe.response.response import Region, Signal, Verdict
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Set

    from hiwe.response.knowledge import FormKnowledge
    from hiwe.response.response import ResponseFeatures

LIKE = 0.8  # least likeness (Jaccard) of two answers that say the same
FIRM = 0.6  # least weight of the phrase in the probe's answer
# What a page says that is no answer at all: then a single item is none either.
OTHERWISE = (
    *("invalid", "message", "field_invalid", "error", "missing_page", "blocked", "captcha"),
    *("throttled", "login", "password", "wait", "recommended", "empty_table", "empty_data"),
)
NAMED = 0.5  # least score of a detail page with named fields
ASIDE_SHARE = 0.4  # of an article's words, which a list that is no list of hits stays below


class Case:
    """Features and knowledge of one response, with the questions that the rules ask."""

    def __init__(self, features: ResponseFeatures, knowledge: FormKnowledge) -> None:
        self.features = features
        self.knowledge = knowledge
        self.total = features.count.total if features.count else None
        self.region = self._region()
        self.records = self.region.records if self.region else ()

    def signal(self, *names: str, least: float = 0.0) -> Signal | None:
        """The strongest of the signals with these names, if it is strong enough."""
        found = [one for one in self.features.signals if one.name in names and one.weight >= least]
        return max(found, key=lambda one: one.weight) if found else None

    def _region(self) -> Region | None:
        """The region of hits: a known structure wins, a single item needs one or a reason."""
        features = self.features
        known = {name for name, _ in self.knowledge.signatures}
        detail = self._detail()
        single = next(
            (r for r in features.lone if r.signature in known and r.origin == "lone"), None
        )
        if single is not None and (
            features.region is None or self._is_part(features.region, known)
        ):
            return single
        if features.region is not None and not (detail and self._is_aside(features.region, detail)):
            return None if self.signal("recommended") else features.region
        lone = next((region for region in features.lone if region.origin == "lone"), None)
        return lone if lone is not None and detail is None and self._breaks_silence() else detail

    def _is_part(self, region: Region, known: Set[str]) -> bool:
        """Whether a list of no known structure stands inside hits of one: the parts of one hit."""
        return region.signature not in known and any(
            region.signature.startswith(f"{name}/") for name in known
        )

    def _breaks_silence(self) -> bool:
        """Whether the form says so where it finds nothing, and says nothing of the kind here."""
        probe = self.knowledge.probe
        if probe is None or self.says_nothing() or self.signal(*OTHERWISE, least=0.5):
            return False
        zero = probe.count is not None and probe.count.total == 0
        return zero or any(s.name == "nothing_found" and s.weight >= FIRM for s in probe.signals)

    def _detail(self) -> Region | None:
        """The one item that the page describes, if we were sent to it."""
        detail = next((r for r in self.features.lone if r.origin == "detail"), None)
        if detail is None or self.signal("redirect") is None:
            return None
        return detail if detail.score >= NAMED or self.signal("heading_is_value") else None

    def _is_aside(self, region: Region, detail: Region) -> bool:
        """Whether a list only stands beside the one item described: related items, categories."""
        if self.features.count is not None or region.signature in dict(self.knowledge.signatures):
            return False
        if detail.score >= NAMED:
            heading = next((v for n, v in detail.records[0].fields if n == MAIN_FIELD), "")
            return not has_noun(fold(heading))  # 'Search results' heads no item
        return region.share < ASIDE_SHARE

    def known_structure(self) -> bool:
        """Whether hits of this structure were seen in earlier answers."""
        names = {name for name, _ in self.knowledge.signatures}
        return self.region is not None and self.region.signature in names

    def says_nothing(self) -> Signal | None:
        """The evidence that the site says there is nothing."""
        if self.total == 0:
            return Signal(
                "zero_count", self.features.count.text if self.features.count else "", 0.9
            )
        return self.signal("nothing_found", least=0.5)

    def equals_probe(self) -> Signal | None:
        """The evidence that the answer is the one to the nonsense probe."""
        probe = self.knowledge.probe
        if probe is None:
            return None
        same = {r.key for r in probe.records} == {r.key for r in self.features.records}
        like = likeness(probe.significant, self.features.significant)
        if same and (probe.digest == self.features.digest or like >= LIKE):
            return Signal("equals_probe", f"likeness {like:.2f}", 0.85)
        return None

    def is_truncated(self, verdict: Verdict) -> bool:
        """Results of which the site shows but a part, with no way to the rest."""
        count, features = self.features.count, self.features
        if verdict is not Verdict.RESULTS or features.pager is not None:
            return False
        shown = max(len(self.records), self.region.size if self.region else 0)
        missing = count is not None and count.total is not None and count.total > shown
        first_page = count is None or count.first in (None, 0, 1)
        return first_page and (missing or self._says_capped() or bool(count and count.capped))

    def _says_capped(self) -> bool:
        """The site says that it does not show all.

        Where it counts too, the same line must say so: 'only the first 50 results are shown' is
        no total, but 'refine your search' beside '12 results' is a mere offer.
        """
        count = self.features.count
        capped = [one.text for one in self.features.signals if one.name == "capped"]
        if count is None:
            return bool(capped)
        alone = count.first is None and count.last is None
        return alone and any(text[:150] in count.text or count.text in text for text in capped)


def likeness(one: frozenset[int], other: frozenset[int]) -> float:
    """Jaccard likeness of two sets of lines; 1 for two empty ones."""
    return len(one & other) / len(one | other) if one or other else 1.0
