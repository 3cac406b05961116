"""`./assay test --changed`: the tests that a change since `main` may touch, with the reason for each.

Imports do not say everything: a test of a page knows its address alone. The tree of tests mirrors that of the code, so
the tests in the folder of the same name are chosen too. What no import shows has a part of the suite that is run whole:
templates, style sheets and scripts that of pages and browsers, migrations that of databases, settings everything. A
test that names a file, as those of the docs do, is chosen with it.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bootstrap.changes import changed_files

if TYPE_CHECKING:
    import grimp

PACKAGES = (
    *("config", "demo", "frontend", "exchange", "metrics", "annotation", "jobs", "campaigns", "neural_worker"),
    *("bootstrap", "benchmarks", "tests"),
)
EVERYTHING = ("tests", "metrics/statistics", "annotation/planning")
PAGES = ("tests/frontend", "tests/browser")
# By where a file is: the parts of the suite that are run whole. The first that fits.
WHOLE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("config/settings.py", EVERYTHING),
    ("pyproject.toml", EVERYTHING),
    ("requirements*.txt", EVERYTHING),
    ("tests/conftest.py", EVERYTHING),
    ("tests/plugins/*", EVERYTHING),
    ("*/migrations/*", ("tests/config", "tests/exchange/archive", "tests/production")),
    ("frontend/templates/*", PAGES),
    ("frontend/static/*", PAGES),
    ("frontend/src/*", PAGES),
    ("frontend/package*.json", PAGES),
    ("locale/*", ("tests/frontend/words", "tests/browser")),
)
CHOSEN = pytest.StashKey[Mapping[Path, str]]()
LISTED = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay")
    group.addoption("--changed", action="store_true", help="only what a change since main may touch, and why")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("changed"):
        import grimp

        graph = grimp.build_graph(*PACKAGES, cache_dir=str(config.rootpath / ".import_linter_cache"))
        config.stash[CHOSEN] = touched_files(changed_files(config.rootpath), graph, config.rootpath)


def pytest_report_header(config: pytest.Config) -> list[str] | None:
    return explained(config.stash[CHOSEN]) if CHOSEN in config.stash else None


def explained(chosen: Mapping[Path, str]) -> list[str]:
    """A line for each reason, with the tests that are chosen for it."""
    tests: dict[str, list[str]] = {}
    for file, reason in sorted(chosen.items()):
        if file.name.startswith("test_"):
            tests.setdefault(reason, []).append(str(file))
    if not tests:
        return ["changed: nothing that a test looks at"]
    lines = []
    for reason, files in tests.items():
        more = f" and {len(files) - LISTED} more" if len(files) > LISTED else ""
        lines.append(f"changed: {reason}: {', '.join(files[:LISTED])}{more}")
    return lines


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if CHOSEN not in config.stash or collection_path.is_dir() or collection_path.name == "conftest.py":
        return None
    return collection_path.relative_to(config.rootpath) not in config.stash[CHOSEN] or None


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if CHOSEN in session.config.stash and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK


def touched_files(changed: Iterable[Path], graph: "grimp.ImportGraph", root: Path) -> dict[Path, str]:
    """Files of Python, tests and others, with the first reason to choose each."""
    chosen: dict[Path, str] = {}

    def choose(files: Iterable[Path], reason: str) -> None:
        for file in files:
            chosen.setdefault(file, reason)

    for file in sorted(changed):
        module = ".".join((file.parent if file.name == "__init__.py" else file.with_suffix("")).parts)
        if file.suffix == ".py" and module in graph.modules:
            choose(_paths_of(module), f"{file} itself")
            downstream = graph.find_downstream_modules(module)
            choose((path for each in downstream for path in _paths_of(each)), f"imports {file}")
        if file.name == "conftest.py":
            choose(_tests_below(root, file.parent), f"has fixtures of {file}")
        whole = next((parts for pattern, parts in WHOLE if file.match(pattern) or _is_below(file, pattern)), ())
        for part in whole:
            choose(_files_below(root, Path(part)), f"{file} may touch all of {part}")
        if file.parts[0] != "tests":
            choose(_mirroring(root, file), f"mirrors {file}")
        if file.suffix != ".py":
            choose(_naming(root, file), f"names {file.name}")
    return chosen


def _is_below(file: Path, pattern: str) -> bool:
    """`*` at the end stands for all folders below."""
    return pattern.endswith("/*") and any(parent.match(pattern.removesuffix("/*")) for parent in file.parents)


def _naming(root: Path, file: Path) -> set[Path]:
    name = file.name.encode()
    return {path for path in _tests_below(root, Path("tests")) if name in (root / path).read_bytes()}


def _files_below(root: Path, folder: Path) -> set[Path]:
    """Tests, and modules whose examples are tests."""
    pattern = "test_*.py" if folder.parts[0] == "tests" else "*.py"
    return {path.relative_to(root) for path in (root / folder).rglob(pattern)}


def _paths_of(module: str) -> tuple[Path, Path]:
    """One of them is there."""
    path = Path(*module.split("."))
    return path.with_suffix(".py"), path / "__init__.py"


def _mirroring(root: Path, file: Path) -> set[Path]:
    """The tests of a module's own name, or those in the nearest folder of tests; a template mirrors its pages."""
    folder = Path("tests", *(part for part in file.parent.parts if part not in ("templates", "static")))
    while folder != Path("tests"):
        if (root / folder).is_dir():
            own = Path(folder, f"test_{file.stem}.py")
            if (root / own).is_file():
                return {own}
            return {path.relative_to(root) for path in (root / folder).glob("test_*.py")}
        folder = folder.parent
    return set()


def _tests_below(root: Path, folder: Path) -> set[Path]:
    return {path.relative_to(root) for path in (root / folder).rglob("test_*.py")}
