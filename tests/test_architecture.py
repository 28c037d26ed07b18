"""The house: imports run one way, each I/O library has one door, files and functions are short."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "hiwe"
FIXTURES = ROOT / "fixtures"

# Top to bottom; a part imports from its own row or from rows below, and no two parts in a circle.
ROWS = (
    ("__main__",),
    ("cli",),
    ("commands",),
    ("bench",),
    ("answer", "doctor", "explorer", "init", "look", "inspect", "picture", "place", "proposal"),
    ("report", "review"),
    ("crawl",),
    ("repository",),
    ("engine",),
    ("submission", "response"),
    ("lvs", "form"),
    ("page",),
    ("task",),
    ("errors", "text", "address", "version"),
)
RANK = {part: rank for rank, row in enumerate(reversed(ROWS)) for part in row}

REPOSITORY_SERVES = {"repository", "crawl", "report", "review", "explorer", "commands", "bench"}

# Library -> the modules that may import it (a trailing dot: all of that package).
DOORS = {
    "playwright": ("hiwe.page.",),
    "requests": ("hiwe.page.http",),
    "sqlite3": ("hiwe.repository.database",),
    "warcio": ("hiwe.repository.archive",),
    "starlette": ("hiwe.review.",),
    "uvicorn": ("hiwe.review.",),
    "ray": ("hiwe.engine.ray",),
    "fsspec": ("hiwe.repository.objects",),
    "matplotlib": ("hiwe.bench.draw",),
    "pyinstrument": ("hiwe.commands.profiled",),
    "protego": ("hiwe.crawl.", "hiwe.page."),
}
ONE_IMPORTER = ("requests", "sqlite3", "warcio", "protego", "rapidfuzz", "tldextract", "pyarrow")

LONGEST_FILE = 300
LONGEST_FUNCTION = 60


@dataclass(frozen=True)
class Import:
    """One import statement's target: a dotted name, and where it stands."""

    importer: str
    target: str
    name: str
    line: int


def python_files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def module_name(path: Path, base: Path) -> str:
    parts = path.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path, base: Path) -> list[Import]:
    """Return all imports of a file, those inside functions and under TYPE_CHECKING too."""
    importer = module_name(path, base)
    found = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found += [Import(importer, alias.name, "", node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            target = f"{'.' * node.level}{node.module or ''}"
            found += [Import(importer, target, alias.name, node.lineno) for alias in node.names]
    return found


@cache
def all_imports() -> tuple[Import, ...]:
    return tuple(found for path in python_files() for found in imports_of(path, ROOT))


@cache
def module_names() -> frozenset[str]:
    return frozenset(module_name(path, ROOT) for path in python_files())


def part_of(module: str) -> str:
    return module.split(".")[1]


def own_imports() -> list[tuple[str, str, int]]:
    """Return (importer, imported module, line) inside hiwe; the package itself is left out."""
    found = []
    for item in all_imports():
        deeper = f"{item.target}.{item.name}"
        target = deeper if deeper in module_names() else item.target
        if target.startswith("hiwe.") and item.importer != "hiwe":
            found.append((item.importer, target, item.line))
    return found


def circle_of(edges: set[tuple[str, str]]) -> list[str]:
    """Return the nodes of a cycle, or nothing."""
    graph: dict[str, set[str]] = {}
    for importer, imported in edges:
        graph.setdefault(importer, set()).add(imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_part_has_a_place_in_the_order() -> None:
    parts = {part_of(name) for name in module_names() if name != "hiwe"}
    assert parts <= set(RANK), f"give a row to {sorted(parts - set(RANK))}"


def test_imports_are_absolute() -> None:
    assert [item for item in all_imports() if item.target.startswith(".")] == []


def test_imports_run_one_way() -> None:
    wrong = [
        f"{importer}:{line} imports {imported}"
        for importer, imported, line in own_imports()
        if RANK[part_of(importer)] < RANK[part_of(imported)]
    ]
    assert wrong == []


def test_parts_import_each_other_in_no_circle() -> None:
    edges = {(part_of(importer), part_of(imported)) for importer, imported, _ in own_imports()}
    assert circle_of({(a, b) for a, b in edges if a != b}) == []


def test_modules_import_each_other_in_no_circle() -> None:
    # A package's __init__ lists what its modules offer: it stands above them.
    edges = {(importer, imported) for importer, imported, _ in own_imports()}
    assert circle_of(edges) == []


def test_a_circle_is_seen() -> None:
    assert circle_of({("a", "b"), ("b", "c")}) == []
    assert set(circle_of({("a", "b"), ("b", "c"), ("c", "a")})) == {"a", "b", "c"}


def test_repository_serves_only_those_above_it() -> None:
    wrong = [
        f"{importer}:{line} imports {imported}"
        for importer, imported, line in own_imports()
        if part_of(imported) == "repository" and part_of(importer) not in REPOSITORY_SERVES
    ]
    assert wrong == []


def test_the_package_gives_its_own_modules_the_version_alone() -> None:
    names = {item.name for item in all_imports() if item.target == "hiwe" and item.name}
    modules = {name.removeprefix("hiwe.") for name in module_names()}
    assert names - modules <= {"__version__"}


@pytest.mark.parametrize("library", sorted(DOORS))
def test_io_library_is_imported_at_its_door_only(library: str) -> None:
    doors = DOORS[library]
    wrong = [
        f"{item.importer}:{item.line}"
        for item in all_imports()
        if item.target.split(".")[0] == library
        and not any(
            item.importer == door or (door.endswith(".") and item.importer.startswith(door))
            for door in doors
        )
    ]
    assert wrong == []


@pytest.mark.parametrize("library", ONE_IMPORTER)
def test_library_has_one_importing_module(library: str) -> None:
    importers = {item.importer for item in all_imports() if item.target.split(".")[0] == library}
    assert len(importers) <= 1, sorted(importers)


def test_fixture_sites_know_nothing_of_the_crawler() -> None:
    wrong = [
        f"{item.importer}:{item.line}"
        for path in FIXTURES.rglob("*.py")
        for item in imports_of(path, FIXTURES)
        if item.target.split(".")[0] == "hiwe"
    ]
    assert wrong == []


def test_no_file_is_long() -> None:
    files = [
        path
        for folder in (PACKAGE, FIXTURES)
        for pattern in ("*.py", "*.js")
        for path in folder.rglob(pattern)
    ]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    long = {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > LONGEST_FILE}
    assert long == {}


def test_no_function_is_long() -> None:
    long = {}
    for path in [*python_files(), *FIXTURES.rglob("*.py")]:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    long[f"{path.relative_to(ROOT)}:{node.name}"] = length
    assert long == {}


def test_public_functions_and_classes_have_docstrings() -> None:
    bare = []
    for path in python_files():
        tree = tree_of(path)
        if not ast.get_docstring(tree):
            bare.append(str(path.relative_to(ROOT)))
        for node in tree.body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if not node.name.startswith("_") and not ast.get_docstring(node):
                bare.append(f"{path.relative_to(ROOT)}:{node.name}")
    assert bare == []


def raises_again(handler: ast.ExceptHandler) -> bool:
    """Whether a handler only tidies up (a rollback, say) and lets the exception pass."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_no_exception_is_caught_unnamed() -> None:
    blunt = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException"))
        and not raises_again(node)
    ]
    assert blunt == []


def test_no_module_imports_the_package_that_offers_it() -> None:
    # hiwe/__init__.py stands above all: who asks it for a name closes a circle.
    assert [f"{i.importer}:{i.line}" for i in all_imports() if i.target == "hiwe"] == []


def test_what_is_caught_is_named() -> None:
    broad = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or {"Exception", "BaseException"} & names_in(node.type))
    ]
    assert broad == []


def names_in(node: ast.expr) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
