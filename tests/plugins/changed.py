"""`./assay test --changed`: only the files whose imports reach what changed since `main`, and what mirrors that.

Imports do not say everything: a test of a page knows its address alone. The tree of tests mirrors that of the code, so
the tests in the folder of the same name are chosen too, and for a template or another file those of its nearest folder.
"""

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import grimp

PACKAGES = (
    *("config", "demo", "frontend", "exchange", "metrics", "annotation", "jobs", "campaigns", "neural_worker"),
    *("bootstrap", "benchmarks", "tests"),
)
MAIN = ("origin/main", "main")
CHOSEN = pytest.StashKey[frozenset[Path]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay")
    group.addoption("--changed", action="store_true", help="only what imports, or mirrors, what changed since main")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("changed"):
        import grimp

        graph = grimp.build_graph(*PACKAGES, cache_dir=str(config.rootpath / ".import_linter_cache"))
        config.stash[CHOSEN] = touched_files(changed_files(config.rootpath), graph, config.rootpath)


def pytest_report_header(config: pytest.Config) -> str | None:
    if CHOSEN not in config.stash:
        return None
    return f"changed: files to look for tests in: {len(config.stash[CHOSEN])}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if CHOSEN not in config.stash or collection_path.is_dir() or collection_path.name == "conftest.py":
        return None
    return collection_path.relative_to(config.rootpath) not in config.stash[CHOSEN] or None


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if CHOSEN in session.config.stash and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK


def changed_files(root: Path) -> frozenset[Path]:
    """Since this branch left `main`; on `main` itself, since the last commit. New and deleted files too."""

    def git(*arguments: str) -> list[str]:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
        return [name for name in done.stdout.split("\0") if name.strip()] if done.returncode == 0 else []

    bases = [base[0].strip() for name in MAIN if (base := git("merge-base", "HEAD", name))]
    newest = next((base for base in bases if len(bases) == 1 or not _is_before(root, base, bases)), "HEAD")
    names = git("diff", "--name-only", "--no-renames", "-z", newest)
    return frozenset(map(Path, [*names, *git("ls-files", "--others", "--exclude-standard", "-z")]))


def _is_before(root: Path, base: str, others: Iterable[str]) -> bool:
    """Whether one of the others comes after it."""
    ancestor = ["git", "merge-base", "--is-ancestor", base]
    return any(
        other != base and subprocess.run([*ancestor, other], cwd=root, check=False).returncode == 0 for other in others
    )


def touched_files(changed: Iterable[Path], graph: "grimp.ImportGraph", root: Path) -> frozenset[Path]:
    """Files of Python, tests and others."""
    chosen: set[Path] = set()
    for file in changed:
        module = ".".join((file.parent if file.name == "__init__.py" else file.with_suffix("")).parts)
        if file.suffix == ".py" and module in graph.modules:
            downstream = {module} | graph.find_downstream_modules(module)
            chosen |= {path for each in downstream for path in _paths_of(each)}
        if file.name == "conftest.py":
            chosen |= _tests_below(root, file.parent)
        if file.parts[0] != "tests":
            chosen |= _mirroring(root, file)
    return frozenset(chosen)


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
