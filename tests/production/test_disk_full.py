"""A disk that is really full: `/health/` says so, errors name it, and what was confirmed before and after is there."""

import os
import secrets
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg2
import pytest

from tests.crash.annotator import Annotator
from tests.crash.audit import audit
from tests.crash.campaign import Plan, annotators_of, open_campaign
from tests.crash.ledger import Books
from tests.crash.sites import Site, gunicorn_on_postgres, served_on_sqlite
from tests.left_out import leave_out
from tests.plugins.postgres import PostgresServer
from tests.processes import wait_for

pytestmark = pytest.mark.servers
PLAN = Plan(outputs=100, redundancy=1, items_per_assignment=50, annotators=1)
TRIES = 300


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="assay-disk-"))  # pytest's own folders are closed to PostgreSQL's account
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        folder.rmdir()
        message = mounted.stderr.decode().strip()
        leave_out(
            f"A small disk cannot be mounted here ({message}): run this test as root, where tmpfs can be mounted."
        )
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def site_on_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Site, Path]]:
    if request.param == "SQLite":
        with small_disk(12) as disk:
            site = replace(served_on_sqlite(disk), log=tmp_path / "log")
            yield site, disk
            site.kill()
        return
    postgres = PostgresServer()
    try:
        with small_disk(64) as disk:
            site = gunicorn_on_postgres(tmp_path, postgres)
            move(site, postgres, disk)
            yield site, disk
            site.kill()
            postgres.stop()
    finally:
        if postgres.is_running:
            postgres.stop()


def move(site: Site, postgres: PostgresServer, disk: Path) -> None:
    """The site's tables, and the files in which PostgreSQL sorts for it, onto the disk; its log stays where it is."""
    place = disk / "tables"
    place.mkdir(mode=0o700)
    os.chown(place, *postgres.owner)
    name = site.environment["DATABASE_URL"].rpartition("/")[2]
    connection = psycopg2.connect(postgres.url())
    connection.autocommit = True
    space = f"space_{secrets.token_hex(4)}"
    connection.cursor().execute(f"CREATE TABLESPACE {space} LOCATION '{place}'")
    connection.cursor().execute(f'ALTER DATABASE "{name}" SET TABLESPACE {space}')
    connection.close()


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as stream:
        for size in (65536, 4096, 1):
            try:
                while True:
                    stream.write(b"\0" * size)
            except OSError:
                continue
    return filler


def health(site: Site) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(f"{site.url}/health/", timeout=10) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def save_until_refused(annotator: Annotator, assignment: int, item: dict[str, Any]) -> tuple[int, Any]:
    for _try in range(TRIES):
        body = {"answer": annotator._answer() | {"comment": secrets.token_hex(900)}, "base_revision": 0}
        status, answer = annotator.program.ask("PUT", f"assignments/{assignment}/items/{item['id']}/draft", body)
        if status != 204:
            return status, answer
    raise AssertionError(f"{TRIES} drafts were saved on a full disk")


def test_it_is_said_and_nothing_that_was_confirmed_is_lost(site_on_disk: tuple[Site, Path], tmp_path: Path) -> None:
    site, disk = site_on_disk
    site.start()
    [annotator] = annotators_of(site, open_campaign(site, tmp_path, PLAN), seed=7)
    assignment = annotator.take()
    assert assignment is not None
    first, second, third, *_others = annotator.waiting_items(assignment)
    annotator.send(annotator.compose(assignment, first, base_revision=0))
    assert health(site) == (200, b'{"status": "ok"}')
    filler = fill(disk)
    status, answer = save_until_refused(annotator, assignment, second)
    assert (status, "disk is full" in answer["detail"], "busy" in answer["detail"]) == (507, True, False), (
        site.log.read_text()
    )
    wait_for(lambda: health(site) == (503, b'{"status": "disk full"}'), what="health to say so", seconds=10)
    filler.unlink()
    wait_for(lambda: health(site)[0] == 200, what="health to be well again", seconds=10)
    annotator.send(annotator.compose(assignment, second, base_revision=0))
    annotator.send(annotator.compose(assignment, third, base_revision=0))
    annotator.program.hang_up()
    findings = audit(site.database, Books([annotator.ledger]))
    assert (annotator.ledger.surprises, findings.lost, findings.doubled, findings.wrong) == ([], set(), set(), {})


def test_without_room_for_its_log_postgresql_stops_and_comes_back_with_all_that_was_confirmed(tmp_path: Path) -> None:
    postgres = PostgresServer(durable=True)
    try:
        with small_disk(160) as disk:
            site = gunicorn_on_postgres(tmp_path, postgres)
            postgres.move_log_to(disk)
            site.start()
            try:
                away_and_back(site, postgres, disk, tmp_path)
            finally:
                site.kill()
                if postgres.is_running:
                    postgres.stop()
    finally:
        if postgres.is_running:
            postgres.stop()


def away_and_back(site: Site, postgres: PostgresServer, disk: Path, tmp_path: Path) -> None:
    [annotator] = annotators_of(site, open_campaign(site, tmp_path, PLAN), seed=7)
    assignment = annotator.take()
    assert assignment is not None
    first, second, *_others = annotator.waiting_items(assignment)
    annotator.send(annotator.compose(assignment, first, base_revision=0))
    annotator.program.hang_up()  # the server closes what is idle
    filler = fill(disk)
    use_up_log(postgres)
    assert "No space left on device" in postgres.log()
    assert health(site) == (503, b'{"status": "unavailable"}')
    status, answer = save_until_refused(annotator, assignment, second)
    assert (status, answer["code"]) == (503, "busy"), site.log.read_text()
    filler.unlink()
    postgres.start_again()
    annotator.program.hang_up()
    wait_for(lambda: health(site)[0] == 200, what="health to be well again", seconds=30)
    annotator.send(annotator.compose(assignment, second, base_revision=0))
    annotator.program.hang_up()
    findings = audit(site.database, Books([annotator.ledger]))
    assert (annotator.ledger.surprises, findings.lost, findings.doubled, findings.wrong) == ([], set(), set(), {})


def use_up_log(postgres: PostgresServer) -> None:
    """Segment after segment, until it has given up.

    A refused statement is not the end yet: a checkpoint, or the recovery after a crash, can find room in old segments.
    """
    with closing(psycopg2.connect(postgres.url())) as connection:
        connection.autocommit = True
        connection.cursor().execute("ALTER SYSTEM SET restart_after_crash = off")
        connection.cursor().execute("SELECT pg_reload_conf()")
    wait_for(lambda: gave_up(postgres), what="PostgreSQL to give up", seconds=120)


def gave_up(postgres: PostgresServer) -> bool:
    try:
        connection = psycopg2.connect(postgres.url())
    except psycopg2.OperationalError:  # it is ending, or recovering
        return not postgres.is_running
    connection.autocommit = True
    with closing(connection), suppress(psycopg2.Error):
        for _segment in range(TRIES):
            connection.cursor().execute("SELECT pg_switch_wal(), txid_current()")
    return not postgres.is_running
