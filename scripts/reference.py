"""Write the pages of the docs that follow from the code: docs/options.md and docs/errors.md."""

from __future__ import annotations

import argparse
import ast
from pathlib import Path

from hiwe import errors
from hiwe.cli import parser

ROOT = Path(__file__).resolve().parents[1]
OPTIONS_HEAD = """\
# Every option

What `--help` says of each command. [Commands](commands.md) tells what they are for.
"""
ERRORS_HEAD = """\
# Every error message

Each is one line that names what it is about and says what to do. `…` stands for a name, a number
or an address. The exit code is 2 where the command line or a configuration is at fault, 1
elsewhere. What is wrong with a key of the configuration is said with the file and the key's path.
"""


def options() -> str:
    """The page of all commands with their arguments, as the parser knows them."""
    parts = [OPTIONS_HEAD]
    commands = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    for name, command in commands.choices.items():
        about = next(c.help for c in commands._choices_actions if c.dest == name)
        parts.append(f"## hiwe {name}\n\n{_sentence(about or '')}\n\n{_table(command)}")
    return "\n".join(parts)


def _table(command: argparse.ArgumentParser, prefix: str = "") -> str:
    lines = []
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                about = next((c.help for c in action._choices_actions if c.dest == name), "")
                lines.append(f"| `{name}` | **{_cell(about or '')}** |")
                lines += _rows(inner, f"{name} ")
        elif not isinstance(action, argparse._HelpAction):
            lines.append(_row(action, prefix))
    return "\n".join(["| argument | meaning |", "|---|---|", *lines, ""]) if lines else ""


def _rows(command: argparse.ArgumentParser, prefix: str) -> list[str]:
    shown = [a for a in command._actions if not isinstance(a, argparse._HelpAction)]
    return [_row(action, prefix) for action in shown]


def _row(action: argparse.Action, prefix: str) -> str:
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    value = " ".join(value) if isinstance(value, tuple) else value
    if action.choices:
        value = ", ".join(map(str, action.choices))
    named = ", ".join(action.option_strings)
    shown = " ".join(filter(None, [named, value])) if named else (value or action.dest)
    about = (action.help or "").replace("%(default)s", str(action.default))
    return f"| `{prefix}{_cell(shown)}` | {_cell(about)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def messages() -> str:
    """The page of all messages that are raised as an error of ours, by class."""
    classes = {n: c for n, c in vars(errors).items() if isinstance(c, type)}
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "hiwe").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                name = ast.unparse(node.exc.func)
                if name in classes:
                    found.setdefault(name, set()).update(_texts(node.exc))
    parts = [ERRORS_HEAD]
    for name in sorted(found):
        about = " ".join((classes[name].__doc__ or "").split("\n\n", maxsplit=1)[0].split())
        lines = "\n".join(f"- {text}" for text in sorted(found[name]))
        parts.append(f"## {name}\n\n{about}\n\n{lines}\n")
    return "\n".join(parts)


def _texts(call: ast.Call) -> list[str]:
    """Texts among the arguments of an error, with what is put in at run time as an ellipsis."""
    said = [_text(argument) for argument in call.args]
    return [_cell(text) for text in said if text and " " in text.strip("… ")]


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(v) if isinstance(v, ast.Constant) else "…" for v in node.values)
    if isinstance(node, ast.BinOp):
        return f"{_text(node.left)}{_text(node.right)}"
    return ""


PAGES = {"options.md": options, "errors.md": messages}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_text(page(), encoding="utf-8")
