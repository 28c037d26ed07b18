"""`hiwe completion SHELL`: what a shell needs to complete hiwe's commands and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.commands.exit import DONE

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands

SHELLS = ("bash", "zsh")


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    completion = commands.add_parser(
        "completion", help="print a script for your shell's completion"
    )
    completion.add_argument("shell", choices=SHELLS, help="which shell")
    completion.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Print the script: eval "$(hiwe completion bash)" puts it to use."""
    import shtab

    print(shtab.complete(arguments.parser, shell=arguments.shell))
    return DONE
