"""Backup and restore as docs/operations.md writes them down bring back what was lost."""

import json
import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.plugins.postgres import installed_binaries
from tests.processes import embedded_environment
from tests.production.compose import ROOT
from tests.production.conftest import Production

pytestmark = pytest.mark.servers
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def written_command(program: str, production: Production) -> tuple[list[str], dict[str, str]]:
    """The page's command without its container: our binary, our server, our database's name."""
    line = re.search(rf"^docker compose exec -T postgres ({program} .*?) [<>] assay\.dump$", PAGE, flags=re.MULTILINE)
    assert line is not None
    url = urlsplit(production.environment["DATABASE_URL"])
    user, name = str(url.username), url.path.lstrip("/")
    _program, *words = shlex.split(line[1])
    for at, (before, word) in enumerate(zip(["", *words], words, strict=False)):
        if word == "assay":
            words[at] = user if before == "--username" else name
    environment = {"PGHOST": str(url.hostname), "PGPORT": str(url.port), "PGPASSWORD": str(url.password)}
    return [str(installed_binaries() / program), *words], environment


def accounts(production: Production, then: str = "") -> list[str]:
    """The names of all accounts, and whatever else is to be done with `accounts`."""
    code = f"""
import json
from campaigns.models import Account
accounts = Account.objects.order_by("username")
print(json.dumps([account.username for account in accounts]))
{then}"""
    listed: list[str] = json.loads(production.manage("shell", "--no-imports", "-c", code))
    return listed


def test_postgresql(production: Production, tmp_path: Path) -> None:
    production.manage("migrate", "--no-input", "-v", "0")
    production.manage("create_account", "kept")
    dump = tmp_path / "assay.dump"
    command, environment = written_command("pg_dump", production)
    with dump.open("wb") as stream:
        subprocess.run(command, stdout=stream, env=environment, check=True)
    before = accounts(production, then="accounts.delete()")
    production.manage("create_account", "later")
    command, environment = written_command("pg_restore", production)
    with dump.open("rb") as stream:
        subprocess.run(command, stdin=stream, env=environment, check=True)
    assert accounts(production) == before


def test_sqlite_while_somebody_writes(tmp_path: Path) -> None:
    (tmp_path / ".assay" / "data").mkdir(parents=True)
    database = sqlite3.connect(tmp_path / ".assay" / "data" / "assay.sqlite3", isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("CREATE TABLE judgment (score)")
    database.execute("INSERT INTO judgment VALUES (73)")
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO judgment VALUES (100)")
    line = re.search(r"^\./assay manage (backup .*)$", PAGE, flags=re.MULTILINE)
    assert line is not None
    environment = embedded_environment(tmp_path / ".assay" / "data") | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, str(ROOT / "manage.py"), *shlex.split(line[1])]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    database.close()
    restored = sqlite3.connect(tmp_path / "backup.sqlite3")
    assert restored.execute("SELECT score FROM judgment").fetchall() == [(73,)]
    restored.close()
