"""A durable PostgreSQL of these tests' own, and the seed of what is random in them."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.sites import Site, gunicorn_on_postgres, served_on_sqlite
from tests.plugins.postgres import PostgresServer

SITES = ["serve on SQLite", "gunicorn on PostgreSQL"]


@pytest.fixture
def seed() -> int:
    """Another one every time; `ASSAY_CRASH_SEED` repeats what a failure has shown."""
    given = os.environ.get("ASSAY_CRASH_SEED")
    return int(given) if given else random.SystemRandom().randrange(2**32)


@pytest.fixture(scope="package")
def postgres() -> Iterator[PostgresServer]:
    server = PostgresServer(durable=True)
    yield server
    server.stop()


@pytest.fixture(params=SITES)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """Ready, not yet started."""
    if request.param == "serve on SQLite":
        made = served_on_sqlite(tmp_path)
    else:
        made = gunicorn_on_postgres(tmp_path, request.getfixturevalue("postgres"))
    yield made
    made.kill()
