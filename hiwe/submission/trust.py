"""Trust: whether plain HTTP may stand for the browser, by what checks have told (design, 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace

RECHECK_EVERY = 25  # one use in so many is compared with the browser again


@dataclass(frozen=True, slots=True)
class Trust:
    """What is known of one way of asking; plain data, kept with the form.

    `agreed` counts the checks in which browser and plain HTTP told the same, `told` those of
    them with records to compare, `since` the uses of plain HTTP after the last check. `fault` is
    what differed: the browser is used for good then.
    """

    agreed: int = 0
    told: int = 0
    since: int = 0
    fault: str = ""

    def is_earned(self, *, agreed: int, told: int) -> bool:
        """Whether so many checks agreed, so many of them with records, and none differed."""
        return not self.fault and self.agreed >= agreed and self.told >= told

    @property
    def is_due(self) -> bool:
        """Whether the next use is to be compared with the browser."""
        return self.since >= RECHECK_EVERY - 1

    def used(self, times: int = 1) -> Trust:
        """With so many more uses of plain HTTP."""
        return replace(self, since=self.since + times)

    def checked(self, reason: str, *, told: bool) -> Trust:
        """With one more check; `reason` is what differed, '' if nothing did."""
        if reason:
            return replace(self, fault=self.fault or reason)
        return replace(self, agreed=self.agreed + 1, told=self.told + told, since=0)
