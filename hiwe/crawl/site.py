"""Site: one place the task starts from, its settings and its address now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.crawl.scope import Scope
from hiwe.engine.action import Permission, SiteTerms

if TYPE_CHECKING:
    from hiwe.task import Settings


@dataclass(frozen=True, slots=True)
class Site:
    """A site of the task: `key` as configured, `start` where it is reached now, its settings."""

    key: str
    start: str
    settings: Settings

    @property
    def scope(self) -> Scope:
        """Which addresses belong to the site, as configured."""
        scope = self.settings.scope
        return Scope(self.start, scope.hosts, scope.paths, scope.depth)

    def terms(self, *, delay_s: float, permits: Permission | None) -> SiteTerms:
        """What a worker must know of the site for one action."""
        credentials = self.settings.credentials
        return SiteTerms(
            key=self.key,
            delay_s=delay_s,
            timeout_s=self.settings.browser.timeout_s,
            permits=permits,
            credentials=None if credentials is None else (credentials.user, credentials.password),
            storage_state=self.settings.browser.storage_state,
            proxy=self.settings.browser.proxy,
            unchecked=self.settings.transport == "http",
        )
