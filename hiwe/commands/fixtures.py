"""`hiwe fixtures serve`: the bundled sites, to try things on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    fixtures = commands.add_parser("fixtures", help="the bundled sites to try things on")
    verbs = fixtures.add_subparsers(metavar="VERB", required=True)
    serve = verbs.add_parser("serve", help="serve them on loopback until Ctrl-C")
    serve.add_argument("names", nargs="*", metavar="NAME", help="which sites (default: all)")
    serve.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    import hiwe_fixtures
    from hiwe_fixtures.__main__ import main

    for name in arguments.names:
        if name not in hiwe_fixtures.SITES:
            raise UsageError(f"no site {name}; there are {', '.join(hiwe_fixtures.SITES)}")
    return int(main(arguments.names))
