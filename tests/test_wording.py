"""What a person reads is said as a person says it: '1 form', not '1 forms'."""

from __future__ import annotations

import ast
import re
from itertools import pairwise

import pytest

PARTS = ("commands", "crawl", "report", "review")
COUNTED = re.compile(
    r" (choices|errors|fields|files|forms|pages|records|rows|sites|submissions|values)\b"
)


def miscounted(source: str) -> list[str]:
    """The nouns in the plural that follow a bare number in a text, whatever the number is."""
    found = []
    for node in ast.walk(ast.parse(source)):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for number, text in pairwise(parts):
            if not (isinstance(number, ast.FormattedValue) and isinstance(text, ast.Constant)):
                continue
            noun = COUNTED.match(str(text.value))
            if noun and "count(" not in ast.unparse(number.value):
                found.append(f"line {number.lineno}: {noun[1]}")
    return found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("f'{n} forms'", ["line 1: forms"]),
        ("f'{n:,} pages seen'", ["line 1: pages"]),
        ("f'{count(n, \"form\")}'", []),
        ("f'{name} is formless'", []),
    ],
)
def test_a_bare_number_before_a_plural_is_seen(source, found):
    assert miscounted(source) == found


@pytest.mark.parametrize("part", PARTS)
def test_a_number_and_its_noun_agree(root, part):
    found = {
        f"{path.name} {fault}"
        for path in sorted((root / "hiwe" / part).rglob("*.py"))
        for fault in miscounted(path.read_text(encoding="utf-8"))
    }
    assert found == set()
