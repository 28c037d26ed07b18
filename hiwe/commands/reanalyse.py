"""`hiwe reanalyse`: verdicts and records again from the archive alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from hiwe.commands.exit import DONE
from hiwe.errors import RunError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    reanalyse = commands.add_parser(
        "reanalyse", help="judge a run's archived answers again; one JSON line each"
    )
    reanalyse.add_argument("directory", type=Path, help="a run directory")
    reanalyse.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Print what today's rules say of each archived answer."""
    from hiwe.crawl.reanalyse import reanalyse
    from hiwe.repository.archive_place import archive_of

    archive = archive_of(arguments.directory)
    if isinstance(archive, Path) and not archive.is_dir():
        raise RunError(arguments.directory, "holds no archive (there is no warc directory)")
    for one in reanalyse(archive):
        print(
            json.dumps(
                {
                    "form": one.form,
                    "key": one.key,
                    "probe": one.probe,
                    "verdict": one.judgement.verdict,
                    "reason": one.judgement.reason,
                    "confidence": one.judgement.confidence,
                    "records": [dict(record.fields) for record in one.records],
                },
                ensure_ascii=False,
            )
        )
    return DONE
