"""What the whole suite draws a part of: long rows of like cases, none of which has ever failed.

    @pytest.mark.drawn(4)      of the cases of this test, a fourth
    drawn(mutants, 10)         of what a test looks through, a tenth

`./assay test` names a seed and prints it. With the next seed come the next cases, so that as many seeds in a row as the
row has parts leave out nothing. Without `--draw`, as where tests are named and with `./assay test --all`, everything
is run.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import pytest

from tests.plugins.servers import is_for_sqlite, uses_database

T = TypeVar("T")
Draw = Callable[[Sequence[Any], int], Sequence[Any]]
# Of each file one test in this many runs on SQLite and the others on PostgreSQL: each on one of them, with the next
# seeds on the other. What they ask of a database, they ask through models and actions whose tests run whole on both.
ON_SQLITE = 5
# A window's sizes, directions and protocols share a page's script, and Vitest tries the protocols' own one by one.
OF_CASES_IN_BROWSERS = 3
# Of a row of tests every so-manieth, with the next seeds the others. Each is slow, has never failed by a fault of ours,
# and looks once more, from outside, at what quick tests look at in every suite.
OF_TESTS_IN_BROWSERS = 6  # of all: what pages and scripts say and do by themselves has tests without a browser
WHOLE_IN_BROWSERS = (  # about answers that must not be lost, and whole days
    Path("tests/browser/test_days.py"),
    Path("tests/browser/test_house_of_pages.py"),
    Path("tests/browser/test_offline.py"),
    Path("tests/browser/test_saving.py"),
    Path("tests/browser/test_saving_after_a_kill.py"),
    Path("tests/browser/test_saving_by_choice.py"),
    Path("tests/browser/test_saving_of_each_protocol.py"),
)
OF_JOURNEYS = 3  # each goes from files to findings in a browser
JOURNEYS = (Path("tests/browser/test_journeys.py"), Path("tests/browser/test_whole_campaign.py"))
OF_SLOW_TESTS = 9  # no divisor with ON_SQLITE in common, or some cases would never be on PostgreSQL
SLOW = (
    # how Assay is set up, and how its processes start, serve, are confined, are backed up and end
    *(Path("tests/bootstrap", f"test_{name}.py") for name in ("assay", "environment", "frontend")),
    *(Path("tests/config", f"test_{name}.py") for name in ("buffering_worker", "migrate", "private_files", "serve")),
    *(Path("tests/config", f"test_{name}.py") for name in ("slow_clients", "start_of_commands")),
    *(Path("tests/production", f"test_{name}.py") for name in ("backup", "confined", "processes")),
    # what is tried on many random inputs
    Path("tests/benchmarks"),
    Path("tests/exchange/archive/test_foreign_results.py"),
    *(Path("tests/metrics", f"{name}.py") for name in ("automatic/test_kernels", "test_race_looks")),
    *(Path("tests/metrics", f"{name}.py") for name in ("automatic/test_bertscore", "analyses/test_placebo")),
)
DRAWN_ON_SQLITE = (
    Path("tests/annotation/protocols"),
    Path("tests/exchange"),
    Path("tests/frontend/api"),
    Path("tests/metrics"),
    Path("tests/test_hostile_files.py"),
)
WHOLE_ON_SQLITE = (  # statements written for one of the databases, limits, or orders of rows
    Path("tests/exchange/archive/test_round_trip.py"),
    Path("tests/exchange/archive/test_tables.py"),
    Path("tests/frontend/api/test_fuzz.py"),
    Path("tests/frontend/api/test_query_budget.py"),
    Path("tests/metrics/actions"),
    Path("tests/metrics/progress"),
    Path("tests/metrics/segments"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay")
    group.addoption("--draw", type=int, metavar="SEED", help="of long rows of like cases, the part this seed draws")


def pytest_report_header(config: pytest.Config) -> str | None:
    seed = config.getoption("draw")
    return None if seed is None else f"drawn with seed {seed}: --draw {seed} draws the same"


@pytest.fixture
def drawn(request: pytest.FixtureRequest) -> Draw:
    """Of a row one of so many parts, another for each test and seed; where no seed is given, all of it."""
    seed = request.config.getoption("draw")

    def draw(row: Sequence[Any], parts: int) -> Sequence[Any]:
        return row if seed is None else part_of(row, parts, seed + _number_of(request.node.nodeid))

    return draw


@pytest.hookimpl(trylast=True)  # of what the other plugins have left
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seed = config.getoption("draw")
    if seed is None:
        return
    chosen = _of_cases(_of_rows_of_tests(items, seed, config.rootpath), seed, config.rootpath)
    if config.getoption("database") == "postgresql":
        elsewhere = set(_of_files(_of_both_databases(chosen, config.rootpath), seed, config.rootpath))
        chosen = [item for item in chosen if item not in elsewhere]
    elif config.getoption("only_database"):
        chosen = _of_files(chosen, seed, config.rootpath)
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def part_of(row: Sequence[T], parts: int, seed: int) -> Sequence[T]:
    """Every so-manieth of the row; never none of it.

    >>> [part_of("abcdefg", 3, seed) for seed in range(3)]
    ['adg', 'be', 'cf']
    >>> part_of("ab", 10, 7)
    'b'
    """
    parts = max(1, min(parts, len(row)))
    return row[seed % parts :: parts]


def _of_rows_of_tests(items: Sequence[pytest.Item], seed: int, root: Path) -> list[pytest.Item]:
    """Of each test that is drawn all its cases, wherever they stand."""
    rows: dict[tuple[str, int], dict[str, None]] = {}
    for item in items:
        if (row := _row_of(item, root)) is not None:
            rows.setdefault(row, {})[_test_of(item)] = None
    kept = {
        test for (name, parts), tests in rows.items() for test in part_of(list(tests), parts, seed + _number_of(name))
    }
    return [item for item in items if _row_of(item, root) is None or _test_of(item) in kept]


def _row_of(item: pytest.Item, root: Path) -> tuple[str, int] | None:
    """The name of the row in which the test stands, and how many parts it has; nothing if the test is always run."""
    file = _file(item, root)
    if file in JOURNEYS:
        return "journeys", OF_JOURNEYS
    if _is_slow(file):
        return "slow", OF_SLOW_TESTS
    if item.get_closest_marker("browser") and not item.get_closest_marker("servers") and file not in WHOLE_IN_BROWSERS:
        return "browsers", OF_TESTS_IN_BROWSERS
    return None


def _of_cases(items: Sequence[pytest.Item], seed: int, root: Path) -> list[pytest.Item]:
    def parts(item: pytest.Item) -> int:
        mark = item.get_closest_marker("drawn")
        return mark.args[0] if mark else OF_CASES_IN_BROWSERS if item.get_closest_marker("browser") else 1

    def turn(item: pytest.Item) -> int:
        """What comes with every so-manieth seed has its next cases then."""
        row = _row_of(item, root)
        return seed if row is None else seed // row[1]

    return _drawn(items, _test_of, parts, turn)


def _of_both_databases(items: Sequence[pytest.Item], root: Path) -> list[pytest.Item]:
    """Those among which SQLite's part draws, but the only one of a file, which it draws every time."""
    rows: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if _is_drawn_on_sqlite(_file(item, root)) and is_for_sqlite(_file(item, root)) and uses_database(item):
            rows.setdefault(item.path, []).append(item)
    return [item for row in rows.values() if len(row) > 1 for item in row]


def _file(item: pytest.Item, root: Path) -> Path:
    return item.path.relative_to(root)


def _of_files(items: Sequence[pytest.Item], seed: int, root: Path) -> list[pytest.Item]:
    def parts(item: pytest.Item) -> int:
        return ON_SQLITE if _is_drawn_on_sqlite(_file(item, root)) else 1

    return _drawn(items, lambda item: str(_file(item, root)), parts, lambda _item: seed)


def _drawn(
    items: Sequence[pytest.Item],
    key: Callable[[pytest.Item], str],
    parts: Callable[[pytest.Item], int],
    turn: Callable[[pytest.Item], int],
) -> list[pytest.Item]:
    """In their order; a row is what has the same key, wherever it stands."""
    rows: dict[str, list[pytest.Item]] = {}
    for item in items:
        rows.setdefault(key(item), []).append(item)
    kept = {item for name, row in rows.items() for item in part_of(row, parts(row[0]), turn(row[0]) + _number_of(name))}
    return [item for item in items if item in kept]


def _test_of(item: pytest.Item) -> str:
    """With all its cases."""
    return item.nodeid.partition("[")[0]


def _number_of(name: str) -> int:
    return crc32(name.encode())


@cache  # thousands of tests are in hundreds of files
def _is_slow(file: Path) -> bool:
    return any(map(file.is_relative_to, SLOW))


@cache
def _is_drawn_on_sqlite(file: Path) -> bool:
    return any(map(file.is_relative_to, DRAWN_ON_SQLITE)) and not any(map(file.is_relative_to, WHOLE_ON_SQLITE))
