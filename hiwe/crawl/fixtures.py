"""Resolve the task's sites: `fixture://NAME` starts a bundled site for as long as the run lasts."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from hiwe.crawl.site import Site
from hiwe.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.task import Task


@contextmanager
def sites_of(task: Task) -> Iterator[tuple[Site, ...]]:
    """Yield the task's sites with the addresses where they can be reached now."""
    with ExitStack() as stack:
        usual = next((task.for_site(site) for site in task.sites if not site.options), None)
        yield tuple(
            Site(
                key=site.url,
                start=_started(site.fixture, stack) if site.fixture else site.url,
                settings=task.for_site(site) if site.options or usual is None else usual,
            )
            for site in task.sites
        )


def _started(name: str, stack: ExitStack) -> str:
    """Start a fixture site; it stops with the stack."""
    import hiwe_fixtures

    if name not in hiwe_fixtures.SITES:
        raise ConfigError(
            f"names no bundled site; there are {', '.join(hiwe_fixtures.SITES)}",
            key_path=f"fixture://{name}",
        )
    server = hiwe_fixtures.start(name)
    stack.callback(server.stop)
    return str(server.url)
