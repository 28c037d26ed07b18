"""`hiwe doctor`: what is missing on this machine, and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.commands.exit import DONE, FAILED

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    doctor = commands.add_parser("doctor", help="check browser, versions and write access")
    doctor.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Print each check, and the mend of what is not right."""
    from hiwe.doctor import checks

    found = checks()
    for check in found:
        print(f"{check.state:<6} {check.name}: {check.detail}")
        if check.state != "ok" and check.mend:
            print(f"       {check.mend}")
    return DONE if all(check.ok for check in found) else FAILED
