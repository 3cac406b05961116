"""Gives the suite its database and broker before Django reads its settings; named with `-p` by `./assay test`.

As fixtures they would come too late: the settings are read first, and the suite would silently test SQLite.
"""

import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.plugins.postgres import PostgresServer
from tests.plugins.valkey import ValkeyServer

# Pages are read on PostgreSQL and looked at in a browser on SQLite. What stores, asks and locks is tried on both, so is
# every address: what programs are told, and whatever a page can be asked by anybody.
PAGES = Path("tests/frontend")
ON_BOTH = (PAGES / "api", PAGES / "test_permissions.py")


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


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, parser: pytest.Parser, args: list[str]) -> None:
    options = parser.parse_known_args(args)
    early_config.stash[HOUSE] = house = House()
    if options.help or options.version:
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # who is told to stop stops its servers too
    home = Path(tempfile.mkdtemp(prefix="assay-tests-"))
    house.endings.append(lambda: shutil.rmtree(home, ignore_errors=True))
    os.environ["ASSAY_DATA_DIR"] = str(home)
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("only_database"):
        return
    chosen = [item for item in items if _uses_database(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


def _uses_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("servers"):  # they choose a database of their own
        return False
    if item.get_closest_marker("browser"):
        return True
    fixtures = getattr(item, "fixturenames", ())
    needs_database = item.get_closest_marker("django_db") is not None or {"db", "transactional_db"} & set(fixtures)
    place = item.path.relative_to(item.config.rootpath)
    is_page = place.is_relative_to(PAGES) and not any(map(place.is_relative_to, ON_BOTH))
    return bool(needs_database) and not is_page


def pytest_unconfigure(config: pytest.Config) -> None:
    for end in reversed(config.stash.get(HOUSE, House()).endings):
        end()
