"""The tools that are compared, and how each is started."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hiwe.bench.peers import environment
from hiwe.bench.peers.lines import Written, plain_lines, python_lines
from hiwe.bench.peers.work import hiwe_lines

SPIDERS = environment.FOLDER / "spiders"
Kind = Literal["hiwe", "by hand", "automatic"]


@dataclass(frozen=True, slots=True)
class Tool:
    """One competitor. `where` names its environment: own, or a file of `bench/peers`."""

    name: str
    kind: Kind
    script: str  # hiwe: its transport
    where: str = "own"
    in_browser: bool = False

    def written(self, sites: tuple[str, ...]) -> Written:
        """The lines a user wrote; those of an automatic crawler's driver are shared by all."""
        if self.kind == "hiwe":
            return hiwe_lines(sites)
        source = (SPIDERS / self.script).read_text(encoding="utf-8")
        if self.script.endswith(".js"):
            return Written(dict.fromkeys(sites, 0), plain_lines(source, "//"))
        return python_lines(source, sites)


@dataclass(frozen=True, slots=True)
class Ready:
    """How a peer is started: the work's file is added to `command`."""

    command: tuple[str, ...]
    environment: dict[str, str]


def ready(tool: Tool) -> Ready:
    """Install what a peer needs. NoEnvironmentError where that does not go."""
    script = str(SPIDERS / tool.script)
    if tool.where == "package.json":
        node = shutil.which("node")
        if node is None:
            raise environment.NoEnvironmentError("there is no node on this machine")
        return Ready((node, script), environment.node_environment())
    python = Path(sys.executable) if tool.where == "own" else environment.python_with(tool.where)
    return Ready((str(python), script), {})


HIWE = (
    Tool("hiwe, adaptive", "hiwe", "adaptive", in_browser=True),
    Tool("hiwe, browser", "hiwe", "browser", in_browser=True),
)
HIWE_PLAIN = Tool("hiwe, http", "hiwe", "http")  # for sites whose forms a page's markup tells
BY_HAND = (
    Tool("requests + lxml", "by hand", "requests_films.py", "requirements.txt"),
    Tool("MechanicalSoup", "by hand", "mechanicalsoup_films.py", "requirements.txt"),
    Tool("Scrapy", "by hand", "scrapy_films.py", "requirements.txt"),
    Tool("Playwright", "by hand", "playwright_films.py", "requirements.txt", in_browser=True),
    Tool("Crawlee", "by hand", "crawlee_films.py", "requirements.txt", in_browser=True),
)
AUTOMATIC = (
    Tool("wapiti", "automatic", "wapiti_sites.py", "requirements-wapiti.txt"),
    Tool("htcrawl", "automatic", "htcrawl_sites.js", "package.json", in_browser=True),
)
