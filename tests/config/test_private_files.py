"""Whatever umask a process was started with: what Assay stores is its owner's alone."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command

import pytest

from tests.empty_databases import put_on_sqlite
from tests.processes import ROOT, embedded_environment, free_port, serving

UMASKS = [0o000, 0o022]
TEST_SET = "document,segment,source,system:Heron\none,1,Hello.,Hallo.\none,2,Bye.,Tschüss.\n"


COMMANDS = """
import json, os, sys, tempfile
import django
django.setup()
from django.core.management import call_command
for words in json.loads(sys.argv[1]):
    call_command(*words)
"""


class Machine:
    """Commands as somebody with this umask gives them."""

    def __init__(self, home: Path, umask: int) -> None:
        self.home, self.umask = home, umask
        self.data = home / "data"
        self.environment = embedded_environment(self.data) | {"DJANGO_SETTINGS_MODULE": "config.settings"}

    def run(self, *commands: Sequence[str], then: str = "") -> str:
        """Commands one after the other in one process, which takes longer to begin than most of them."""
        done = subprocess.run(
            [sys.executable, "-c", COMMANDS + then, json.dumps(commands)],
            cwd=ROOT,
            env=self.environment,
            umask=self.umask,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def open_to_others(self) -> list[str]:
        """Files and folders below the home that somebody else could read, write or look into."""
        return sorted(
            f"{path.relative_to(self.home)} {stat.S_IMODE(path.lstat().st_mode):o}"
            for path in self.home.rglob("*")
            if path.lstat().st_mode & 0o077
        )


@pytest.fixture(params=UMASKS, ids=["umask 000", "umask 022"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    home = tmp_path / "home"
    home.mkdir()
    return Machine(home, request.param)


@pytest.mark.drawn(2)
def test_everything_the_commands_write(machine: Machine) -> None:
    home = machine.home
    texts, links = home / "texts.csv", home / "links.csv"
    for path, text in ((texts, TEST_SET), (links, "of an earlier time")):
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600 if path == texts else 0o644)
    names = ["--name", "Texts", "--source-language", "en", "--target-language", "de"]
    machine.run(
        ["migrate", "--no-input", "-v", "0"],
        ["import_test_set", str(texts), *names],
        ["create_campaign", "Harbour", "--test-set", "Texts", "--protocol", "direct_assessment", "--open"],
        ["invite", "Harbour", "--annotators", "2", "--output", str(links), "--api-tokens"],
        ["export", "Harbour", "--format", "csv", "--output", str(home / "judgments.csv")],
        ["export", "Harbour", "--format", "archive", "--output", str(home / "campaign.zip")],
        ["backup", str(home / "backup.sqlite3")],
    )
    written = {path.name for path in home.iterdir()}
    assert written >= {"data", "links.csv", "judgments.csv", "campaign.zip", "backup.sqlite3"}
    assert {path.name for path in machine.data.iterdir()} >= {"assay.sqlite3", "secret-key"}
    assert len(links.read_text(encoding="utf-8").splitlines()) == 3
    assert machine.open_to_others() == []


UPLOADING = """
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from exchange.staging.database import scratch_database
from exchange.staging.test_set import open_spool
from campaigns.models import Account
from config.settings import DATA_DIR
from frontend.uploads import store_upload
tempfile.tempdir = str(DATA_DIR)
store_upload([SimpleUploadedFile("people.csv", b"name")])
with transaction.atomic(), open_spool(), scratch_database() as scratch:
    scratch.execute("CREATE TABLE x (y)")
    Account.objects.create_user("anna")
    for place, folders, files in os.walk(DATA_DIR):
        for name in (*folders, *files):
            print(oct(os.stat(os.path.join(place, name)).st_mode & 0o777), name)
"""


def test_the_files_beside_the_database_and_what_is_uploaded(machine: Machine) -> None:
    """While something is written there are a log and an index of it; uploads and staging lie in folders."""
    put_on_sqlite(machine.data)
    (machine.data / "assay.sqlite3").chmod(0o644)
    modes = [line.split(" ", 1) for line in machine.run(then=UPLOADING).splitlines()]
    names = [name for _mode, name in modes]
    assert {"assay.sqlite3", "assay.sqlite3-wal", "assay.sqlite3-shm"} <= set(names)
    assert names.count("rows.sqlite3") == 2, "of a test set, and of another file"
    assert any(name.endswith("people.csv") for name in names)
    assert {(mode, name) for mode, name in modes if int(mode, 8) & 0o077} == set()


@pytest.mark.servers
def test_what_an_earlier_version_left_open_is_closed_at_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    put_on_sqlite(data)
    data.chmod(0o755)
    (data / "assay.sqlite3").chmod(0o644)
    before = os.umask(0o000)
    try:
        with serving(data, port=free_port()):
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (data, *data.iterdir())}
    finally:
        os.umask(before)
    assert modes.pop("data") == 0o700
    assert modes["assay.sqlite3"] == 0o600
    assert set(modes.values()) == {0o600}, modes


def test_a_folder_with_other_files_is_not_changed(tmp_path: Path) -> None:
    """A database that was put elsewhere is closed, not the folder around it."""
    elsewhere = tmp_path / "srv"
    put_on_sqlite(elsewhere)
    elsewhere.chmod(0o755)
    (elsewhere / "assay.sqlite3").chmod(0o644)
    machine = Machine(tmp_path, 0o022)
    machine.environment["DATABASE_URL"] = f"sqlite:///{elsewhere}/assay.sqlite3"
    machine.run(["create_account", "anna"])
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o755
    assert stat.S_IMODE((elsewhere / "assay.sqlite3").stat().st_mode) == 0o600


def test_a_backup_contains_what_is_stored_and_replaces_nothing(tmp_path: Path) -> None:
    machine = Machine(tmp_path, 0o022)
    put_on_sqlite(machine.data)
    target = tmp_path / "backup.sqlite3"
    machine.run(["create_account", "kept"], ["backup", str(target)], ["create_account", "later"])
    with pytest.raises(AssertionError, match="already exists"):
        machine.run(["backup", str(target)])
    with closing(sqlite3.connect(target)) as backup:
        assert backup.execute("SELECT username FROM campaigns_account").fetchall() == [("kept",)]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_postgresql_is_backed_up_by_its_own_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup", str(tmp_path / "backup"))
