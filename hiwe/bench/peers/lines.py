"""Lines that a person wrote: those with code on them, no comments and no docstrings."""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

WORDLESS = frozenset(
    {
        tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
        tokenize.ENCODING, tokenize.ENDMARKER,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Written:
    """Lines for each site, and those that all sites share."""

    sites: dict[str, int]
    shared: int

    @property
    def per_site(self) -> float:
        """Lines a site, its part of the shared ones left out."""
        return sum(self.sites.values()) / max(1, len(self.sites))

    @property
    def total(self) -> int:
        """All lines."""
        return self.shared + sum(self.sites.values())


def python_lines(source: str, sites: Collection[str]) -> Written:
    """Lines of a spider; a function or class of a site's name (any case) is that site's."""
    tree = ast.parse(source)
    code = _code_lines(source) - set(_docstring_lines(tree))
    found = dict.fromkeys(sites, 0)
    for node in tree.body:
        name = getattr(node, "name", "").lower()
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and name in found
        ):
            first = min((d.lineno for d in node.decorator_list), default=node.lineno)
            found[name] += sum(line in code for line in range(first, (node.end_lineno or 0) + 1))
    return Written(found, len(code) - sum(found.values()))


def _code_lines(source: str) -> set[int]:
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in WORDLESS:
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines


def _docstring_lines(tree: ast.AST) -> Iterator[int]:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, holders) and ast.get_docstring(node, clean=False) is not None:
            text = node.body[0]
            yield from range(text.lineno, (text.end_lineno or text.lineno) + 1)


def plain_lines(source: str, comment: str) -> int:
    """Lines of a text that are neither blank nor a comment that begins with `comment`."""
    lines = (line.strip() for line in source.splitlines())
    return sum(bool(line) and not line.startswith(comment) for line in lines)
