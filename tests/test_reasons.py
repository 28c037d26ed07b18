"""Every reason that the crawl gives for leaving something alone is explained in the docs."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import hiwe.crawl
from hiwe.form.searchable import REASONS

# where the reasons of skipped and of stopped forms come from: module -> its functions
SKIPPED = {
    "hiwe.form.searchable": ("sure_reason", "_password_reason", "_reason"),
    "hiwe.crawl.decision": ("why_skipped",),
    "hiwe.crawl.understanding": ("read", "_why_barred"),
}
STOPPED = {
    "hiwe.crawl.form_desk": ("_why_stop", "top_up"),
    "hiwe.submission.plan": ("stop_reason",),
    "hiwe.submission.harvest": ("reason",),
    "hiwe.submission.paper": ("reason",),
}
IS_REASON = re.compile(r"[a-z][a-z_ ]+")


def constants(node: ast.AST, module: object) -> set[str]:
    """The texts an expression may stand for: literals, names of texts, the begin of an f-string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.Name):
        named = getattr(module, node.id, None)
        return {named} if isinstance(named, str) else set()
    if isinstance(node, ast.IfExp):
        return constants(node.body, module) | constants(node.orelse, module)
    if isinstance(node, ast.BoolOp):
        return set().union(*(constants(value, module) for value in node.values))
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        return {str(node.values[0].value).partition(":")[0]}
    return set()


def said_in(name: str, functions: tuple[str, ...]) -> set[str]:
    """The reasons that functions of a module return or put into a name."""
    module = import_module(name)
    found: set[str] = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            for inner in ast.walk(node):
                if isinstance(inner, (ast.Return, ast.Assign)) and inner.value is not None:
                    found |= constants(inner.value, module)
    return found - {""}


def of_actions() -> set[str]:
    """The reasons with which the frontier's actions are skipped."""
    found = said_in("hiwe.crawl.dispatch", ("_why_no_visit",))
    for path in sorted(Path(hiwe.crawl.__file__).parent.glob("*.py")):
        module = import_module(f"hiwe.crawl.{path.stem}")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr in ("skip", "add_skipped") and len(node.args) > 1:
                found |= constants(node.args[1], module)
    return found


@pytest.fixture(scope="module")
def page(root) -> str:
    return (root / "docs" / "troubleshooting.md").read_text(encoding="utf-8")


def explained(text: str) -> set[str]:
    """What stands in code quotes in a part of the page."""
    return set(re.findall(r"`([^`]+)`", text))


def test_every_reason_to_skip_a_form_is_explained(page):
    part = page.partition("## No form is chosen")[2].partition("\n## ")[0]
    reasons = {reason for _, reason in REASONS}
    for name, functions in SKIPPED.items():
        found = said_in(name, functions)
        assert found, name
        reasons |= found
    assert {"no_fields", "paging", "newsletter", "too_small", "no_match"} <= reasons
    assert reasons - explained(part) == set()


def test_every_reason_to_stop_a_form_is_explained(page):
    part = page.partition("## A form stops early")[2].partition("\n## ")[0]
    reasons = set().union(*(said_in(*source) for source in STOPPED.items()))
    assert {"exhausted", "budget", "site budget", "blocked"} <= reasons
    assert reasons - explained(part) == set()


def test_every_reason_not_to_ask_is_explained(page):
    part = page.partition("## A form stops early")[2].partition("\n## ")[0]
    reasons = of_actions()
    assert {"trap", "robots", "form is done"} <= reasons
    assert all(IS_REASON.fullmatch(reason) for reason in reasons)
    assert reasons - explained(part) == set()
