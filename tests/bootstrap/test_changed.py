"""Which tests `./assay test --changed` runs."""

import subprocess
from pathlib import Path

import grimp
import pytest

from bootstrap.changes import changed_files
from tests.plugins.changed import explained, touched_files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A clone whose branch has left main by one commit."""
    for name in (
        "metrics/wins.py",
        "frontend/organiser/overview.py",
        "frontend/templates/organiser/overview.html",
        "tests/conftest.py",
        "tests/metrics/conftest.py",
        "tests/metrics/test_wins.py",
        "tests/metrics/test_quality.py",
        "tests/metrics/pages/test_far.py",
        "tests/frontend/organiser/test_people.py",
        "tests/frontend/organiser/test_late.py",
        "tests/browser/test_overview.py",
        "tests/config/test_migrate.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    commit(tmp_path)
    git(tmp_path, "switch", "--quiet", "--create", "work")
    return tmp_path


def git(root: Path, *arguments: str) -> None:
    person = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *person, *arguments], cwd=root, check=True)


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "x")


def graph_of(*imports: tuple[str, str]) -> grimp.ImportGraph:
    graph = grimp.ImportGraph()
    for importer, imported in imports:
        for module in (importer, imported):
            graph.add_module(module)
        graph.add_import(importer=importer, imported=imported)
    return graph


def chosen(root: Path, changed: str, *imports: tuple[str, str]) -> set[str]:
    touched = touched_files([Path(changed)], graph_of(*imports), root)
    return {str(path) for path in touched if path.name.startswith("test_")}


def test_what_changed_since_main_is_told_with_what_is_not_committed(root: Path) -> None:
    (root / "metrics" / "wins.py").write_text("committed = 1")
    commit(root)
    git(root, "rm", "--quiet", "tests/metrics/test_quality.py")
    (root / "metrics" / "new é.py").write_text("")
    names = {str(path) for path in changed_files(root)}
    assert names == {"metrics/wins.py", "tests/metrics/test_quality.py", "metrics/new é.py"}


def test_on_main_it_is_what_changed_since_the_last_commit(root: Path) -> None:
    git(root, "switch", "--quiet", "main")
    assert changed_files(root) == frozenset()
    (root / "metrics" / "wins.py").write_text("edited = 1")
    assert changed_files(root) == {Path("metrics/wins.py")}


def test_tests_are_chosen_whose_imports_reach_a_changed_module(root: Path) -> None:
    imports = [
        ("metrics.quality", "metrics.wins"),
        ("tests.metrics.test_quality", "metrics.quality"),
        ("tests.metrics.pages.test_far", "metrics.other"),
    ]
    assert chosen(root, "metrics/wins.py", *imports) == {"tests/metrics/test_wins.py", "tests/metrics/test_quality.py"}


def test_a_changed_test_is_chosen_itself(root: Path) -> None:
    imports = [("tests.metrics.test_quality", "metrics.quality")]
    assert chosen(root, "tests/metrics/test_quality.py", *imports) == {"tests/metrics/test_quality.py"}


PAGES = {"tests/frontend/organiser/test_people.py", "tests/frontend/organiser/test_late.py"}


def test_a_page_chooses_the_tests_of_its_folder(root: Path) -> None:
    assert chosen(root, "frontend/organiser/overview.py") == PAGES


@pytest.mark.parametrize(
    "changed",
    ["frontend/templates/organiser/overview.html", "frontend/src/css/pages/tables.css", "frontend/src/live.ts"],
)
def test_what_browsers_show_chooses_all_tests_of_pages_and_browsers(root: Path, changed: str) -> None:
    assert chosen(root, changed) == {*PAGES, "tests/browser/test_overview.py"}


def test_a_migration_chooses_the_tests_of_databases(root: Path) -> None:
    assert chosen(root, "metrics/migrations/0002_new.py") >= {"tests/config/test_migrate.py"}
    assert chosen(root, "metrics/migrations/0002_new.py").isdisjoint(PAGES)


def test_settings_and_locks_choose_everything(root: Path) -> None:
    everything = {str(path.relative_to(root)) for path in root.rglob("test_*.py")}
    for changed in ("config/settings.py", "requirements-dev.txt", "tests/plugins/servers.py"):
        assert chosen(root, changed) == everything


def test_a_test_that_names_a_file_is_chosen_with_it(root: Path) -> None:
    (root / "tests" / "metrics" / "test_quality.py").write_text('PAGE = ROOT / "docs" / "statistics.md"')
    assert chosen(root, "docs/statistics.md") == {"tests/metrics/test_quality.py"}


def test_it_is_said_what_is_chosen_and_why(root: Path) -> None:
    imports = [("tests.metrics.test_quality", "metrics.wins")]
    touched = touched_files([Path("metrics/wins.py")], graph_of(*imports), root)
    assert explained(touched) == [
        "changed: imports metrics/wins.py: tests/metrics/test_quality.py",
        "changed: mirrors metrics/wins.py: tests/metrics/test_wins.py",
    ]
    assert explained({}) == ["changed: nothing that a test looks at"]


def test_fixtures_choose_all_tests_below_them(root: Path) -> None:
    below = {"tests/metrics/test_wins.py", "tests/metrics/test_quality.py", "tests/metrics/pages/test_far.py"}
    assert chosen(root, "tests/metrics/conftest.py") == below
