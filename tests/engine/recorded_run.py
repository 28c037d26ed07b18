"""A crawl by workers that know how the pages look, here or on Ray: all is real but the browsers,
so that forty sites are crawled in seconds.

    python -m tests.engine.recorded_run CONFIG OUT RENDERINGS ADDRESS|local [KEY=VALUE...]
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.bench.scale.recorded import RecordedBrowser
from hiwe.crawl.run import run_task
from hiwe.engine.local import LocalEngine
from hiwe.task import load_task

if TYPE_CHECKING:
    from hiwe.engine.engine import MakeEngine

START_DEADLINE_S = 180.0  # a busy machine is no fault


def main(config: str, out: str, renderings: str, address: str, *overrides: str) -> int:
    """Run or resume; 0 if the run was finished."""
    browser = RecordedBrowser(pickle.loads(Path(renderings).read_bytes())).as_browser()
    task = load_task(Path(config), overrides=list(overrides))
    make_engine: MakeEngine = LocalEngine
    if address != "local":
        from hiwe.engine import ray

        ray.START_DEADLINE_S = START_DEADLINE_S
        make_engine = partial(ray.RayEngine, address=address)
    status = asyncio.run(run_task(task, Path(out), browser=browser, make_engine=make_engine))
    return 0 if status == "finished" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
