"""What the crawl has learned of a form so far: its probe's answer, its empty pages, its hits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hiwe.response.plain import features_from_plain, features_to_plain
from hiwe.response.response import Judgement, ResponseFeatures, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_KEPT = 64  # of each kind of digest
SURE = 0.7  # least confidence of a judgement that is learned from
LIKELY = 0.6  # the same of hits, whose structure says something by itself


@dataclass(frozen=True, slots=True)
class FormKnowledge:
    """Plain data, stored as JSON with the form; each change makes a new one.

    `signatures` maps the structure of hits to how often it held some. `empty` are digests of
    answers judged to hold none. `answers` maps digests of answers to how many unlike
    assignments got them. `filler` are keys of items shown on empty answers. `missing` are the
    significant lines of the answer to a made-up path (soft 404).
    """

    probe: ResponseFeatures | None = None
    signatures: tuple[tuple[str, int], ...] = ()
    empty: frozenset[str] = frozenset()
    answers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    filler: frozenset[str] = frozenset()
    missing: frozenset[int] = frozenset()

    def probed(self, features: ResponseFeatures) -> FormKnowledge:
        """With the answer to the nonsense probe."""
        return replace(self, probe=features)

    def with_missing(self, features: ResponseFeatures) -> FormKnowledge:
        """With the answer that the host gives for a made-up path."""
        return replace(self, missing=features.significant)

    def learned(
        self, features: ResponseFeatures, judgement: Judgement, assignment_key: str
    ) -> FormKnowledge:
        """With what one more judged response teaches."""
        known = replace(self, answers=_counted(self.answers, features.digest, assignment_key))
        results = judgement.verdict is Verdict.RESULTS
        if judgement.confidence < (LIKELY if results else SURE):
            return known
        if results and features.region is not None:
            return replace(known, signatures=_raised(self.signatures, features.region.signature))
        if judgement.verdict is Verdict.NO_RESULTS:
            keys = {record.key for record in features.records}
            return replace(
                known,
                empty=frozenset([*self.empty, features.digest][-MOST_KEPT:]),
                filler=frozenset(sorted(self.filler | keys)[:MOST_KEPT]),
            )
        return known

    def unlike_answers(self, digest: str) -> int:
        """How many unlike assignments got the answer with this digest so far."""
        return len(dict(self.answers).get(digest, ()))

    def to_json(self) -> dict[str, Any]:
        """Plain data for the database."""
        return {
            "probe": features_to_plain(self.probe) if self.probe else None,
            "signatures": [list(pair) for pair in self.signatures],
            "empty": sorted(self.empty),
            "answers": [[digest, list(keys)] for digest, keys in self.answers],
            "filler": sorted(self.filler),
            "missing": sorted(self.missing),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> FormKnowledge:
        """What `to_json` gave; nothing known for None."""
        data = data or {}
        probe = data.get("probe")
        return cls(
            probe=features_from_plain(probe) if probe else None,
            signatures=tuple((str(name), int(times)) for name, times in data.get("signatures", ())),
            empty=frozenset(data.get("empty", ())),
            answers=tuple((digest, tuple(keys)) for digest, keys in data.get("answers", ())),
            filler=frozenset(data.get("filler", ())),
            missing=frozenset(data.get("missing", ())),
        )


def _raised(pairs: tuple[tuple[str, int], ...], name: str) -> tuple[tuple[str, int], ...]:
    times = dict(pairs)
    times[name] = times.get(name, 0) + 1
    return tuple(sorted(times.items(), key=lambda pair: -pair[1])[:MOST_KEPT])


def _counted(
    answers: tuple[tuple[str, tuple[str, ...]], ...], digest: str, key: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    held = dict(answers)
    before = held.pop(digest, ())
    if key not in before and len(before) < 8:
        before = (*before, key)
    held[digest] = before
    return tuple(list(held.items())[-MOST_KEPT:])
