"""Gives the suite its database and broker before Django reads its settings; named with `-p` by `./assay test`.

As fixtures they would come too late: the settings are read first, and the suite would silently test SQLite.
"""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

from tests.plugins.postgres import PostgresServer
from tests.plugins.valkey import ValkeyServer

# What stores, queries and locks is tried on both databases, so are the answers of the API. Pages are read on PostgreSQL
# and looked at in a browser on SQLite. What is computed or held in memory needs one database.
NOT_ON_SQLITE = (
    Path("tests/frontend"),
    Path("tests/demo"),
    Path("tests/benchmarks"),
    Path("tests/clients"),
    Path("tests/exchange/formats/test_memory.py"),
    Path("tests/metrics/test_degenerate_campaigns.py"),
    Path("tests/metrics/test_published_correlations_imported.py"),
    Path("tests/metrics/test_published_tables_imported.py"),
    Path("tests/metrics/test_real_campaigns_imported.py"),
    Path("tests/metrics/scoring/test_real_test_set.py"),
)
ON_SQLITE_TOO = (
    Path("tests/frontend/api"),
    Path("tests/frontend/test_permissions.py"),
    Path("tests/metrics/automatic/test_a_new_metric.py"),
)
# Here nothing asks for a database, or a process chooses its own: SQLite's part need not load it to find that out.
WITHOUT_DATABASE = (
    *(Path("tests/annotation", part) for part in ("beside", "planning")),
    *(Path("tests", part) for part in ("bootstrap", "campaigns/reading", "config", "crash", "production")),
    *(Path("tests/metrics", part) for part in ("automatic", "calibration", "findings", "flagging", "neural")),
    *(Path("tests/metrics", part) for part in ("results", "statistics")),
    *(Path("tests", part) for part in ("test_architecture.py", "test_whole_campaign_on_servers.py")),
)
MARKED = b"mark.servers"  # in the source of every file that starts processes, so that other files need not be loaded

EXAMPLE = b">>>"


@dataclass
class House:
    """What was started for this run, and how it ends."""

    vendor: str = ""
    described: str = ""
    endings: list[Callable[[], None]] = field(default_factory=list)


HOUSE = pytest.StashKey[House]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay")
    group.addoption(
        "--database",
        choices=["postgresql", "sqlite"],
        default="postgresql",
        help="what the tests run on; DATABASE_URL, where it is set, says which PostgreSQL",
    )
    group.addoption("--only-database", action="store_true", help="only what SQLite might do otherwise, and browsers")
    group.addoption("--only-servers", action="store_true", help="only what starts processes of its own")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, parser: pytest.Parser, args: list[str]) -> None:
    options = parser.parse_known_args(args)
    early_config.stash[HOUSE] = house = House()
    if options.help or options.version:
        return
    gc.disable()  # until everything is loaded (tests/conftest.py): nothing of ten thousand tests is waste
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # who is told to stop stops its servers too
    home = Path(tempfile.mkdtemp(prefix="assay-tests-"))
    house.endings.append(lambda: shutil.rmtree(home, ignore_errors=True))
    os.environ["ASSAY_DATA_DIR"] = str(home)
    os.environ["ASSAY_LIGHT_MODEL"] = "off"  # sites that tests start would each fetch it
    if options.database == "sqlite":
        _use_sqlite(house, home)
    else:
        _use_servers(house)


def _use_sqlite(house: House, home: Path) -> None:
    house.vendor, house.described = "sqlite", f"SQLite in {home}"
    os.environ["DATABASE_URL"] = f"sqlite:///{home / 'assay.sqlite3'}"
    os.environ.pop("REDIS_URL", None)


def _use_servers(house: House) -> None:
    house.vendor, house.described = "postgresql", "PostgreSQL and Redis as DATABASE_URL and REDIS_URL say"
    if not os.environ.get("DATABASE_URL"):
        postgres = PostgresServer()
        house.endings.append(postgres.stop)
        house.described = f"a PostgreSQL of our own at port {postgres.port}"
        os.environ["DATABASE_URL"] = postgres.url()
    if not os.environ.get("REDIS_URL"):
        valkey = ValkeyServer()
        house.endings.append(valkey.stop)
        house.described += f", a Valkey of our own at port {valkey.port}"
        os.environ["REDIS_URL"] = valkey.url()


def pytest_report_header(config: pytest.Config) -> str:
    return f"database: {config.stash[HOUSE].described}"


def pytest_sessionstart(session: pytest.Session) -> None:
    from django.db import connection

    wanted = session.config.stash[HOUSE].vendor
    if connection.vendor != wanted:
        raise pytest.UsageError(f"the suite would test {connection.vendor}, not {wanted}: check DATABASE_URL")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Loading a thousand tests takes seconds: those of no use to a part are left alone."""
    if collection_path.is_dir() or collection_path.name == "conftest.py":
        return None
    if config.getoption("only_servers"):
        return MARKED not in collection_path.read_bytes() or None
    if config.getoption("only_database"):
        return not is_for_sqlite(collection_path.relative_to(config.rootpath)) or None
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """To look for examples, pytest loads every module and walks through it: in eight hundred of ours there are none."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule) or EXAMPLE in file_path.read_bytes()]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("servers") and MARKED not in item.path.read_bytes():
            raise pytest.UsageError(f"{item.path} must contain {MARKED.decode()!r}, or ./assay test leaves it out")
        if _is_in(item.path.relative_to(config.rootpath), WITHOUT_DATABASE) and uses_database(item):
            raise pytest.UsageError(f"{item.nodeid} uses a database: see WITHOUT_DATABASE in tests/plugins/servers.py")
    chosen = items
    if config.getoption("only_servers"):
        chosen = [item for item in items if item.get_closest_marker("servers")]
    elif config.getoption("only_database"):
        chosen = [item for item in items if uses_database(item)]
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def is_for_sqlite(file: Path) -> bool:
    return not _is_in(file, NOT_ON_SQLITE) and not _is_in(file, WITHOUT_DATABASE)


@cache  # thousands of tests are in hundreds of files
def _is_in(file: Path, places: tuple[Path, ...]) -> bool:
    return any(map(file.is_relative_to, places)) and not any(map(file.is_relative_to, ON_SQLITE_TOO))


def uses_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("servers"):  # they choose a database of their own
        return False
    if item.get_closest_marker("browser"):
        return True
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or not {"db", "transactional_db"}.isdisjoint(fixtures)


def pytest_unconfigure(config: pytest.Config) -> None:
    for end in reversed(config.stash.get(HOUSE, House()).endings):
        end()
