"""docs/api.md names every address, and its program judges."""

import csv
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from django.db import connection

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, AssignmentStatus, Judgment
from campaigns.actions.tokens import make_api_token
from campaigns.models import Campaign, CampaignStatus
from frontend.organiser import urls as organiser
from frontend.researcher import urls as researcher
from jobs.actions import claim_run, perform_run
from jobs.queries import claimable_runs
from tests.cast import make_cast
from tests.frontend.api.test_schema import FROZEN
from tests.planned_campaign import make_planned_campaign
from tests.sample_test_set import make_test_set

TEXT = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(FROZEN))
def test_every_address_is_described(path: str) -> None:
    for method in FROZEN[path]:
        assert re.search(rf"^\| `{method.upper()} {re.escape(path)}[`?]", TEXT, re.MULTILINE)


def test_every_page_stands_beside_the_addresses_that_do_the_same() -> None:
    """A new page brings its line; `…/` stands for the campaign's own address."""
    table = TEXT.partition("## What the pages do, and what does it here")[2].partition("\n## ")[0]
    told = {name for line in table.splitlines() for name in re.findall(r"`([\w-]+)`", "".join(line.split("|")[1:2]))}
    own = [*organiser.campaign_routes, *organiser.urlpatterns, *researcher.campaign_routes, *researcher.urlpatterns]
    pages = {re.split(r"[/.]", str(route.pattern))[0] for route in own}
    assert pages - told == set(), "say in docs/api.md what does the same for programs"


@pytest.mark.usefixtures("transactional_db")
def test_the_program_judges_everything(live_server: LiveServer) -> None:
    cast = make_cast()
    campaign = make_planned_campaign(make_test_set(), cast, items_per_assignment=6)
    _token, secret = make_api_token(account=cast.annotator, name="program", by=None)
    *_check_of_signatures, program = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    program = program.replace("http://127.0.0.1:8000", live_server.url).replace("Token …", f"Token {secret}")
    exec(program.replace("news-2026", campaign.slug), {})  # noqa: S102 - it is ours
    assert set(Assignment.objects.values_list("status", flat=True)) == {AssignmentStatus.DONE}
    assert Judgment.objects.count() == sum(Assignment.objects.values_list("total", flat=True)) == 17


@pytest.fixture
def _worker(transactional_db: None) -> Iterator[None]:
    """Performs what waits, as the process beside the web server does."""
    is_over = threading.Event()

    def work() -> None:
        while not is_over.wait(0.05):
            for key in list(claimable_runs().values_list("pk", flat=True)):
                if run := claim_run(key):
                    perform_run(run)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    yield
    is_over.set()
    worker.join()


@pytest.mark.usefixtures("_worker")
def test_the_campaign_with_curl_runs_from_a_file_to_numbers(
    live_server: LiveServer, settings: Settings, tmp_path: Path
) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"
    olive = make_cast().organiser
    _token, secret = make_api_token(account=olive, name="curl", scopes=["read", "write"], by=None)
    (script,) = re.findall(r"```sh\n(set -eu.*?)```", TEXT, re.DOTALL)
    script = script.replace("http://127.0.0.1:8000", live_server.url).replace("TOKEN=…", f"TOKEN={secret}")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", script], cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.status) == ("News 2026", CampaignStatus.CLOSED)
    assert Judgment.objects.count() == 4
    assert json.loads((tmp_path / "progress.json").read_text())["done"] == 4
    ranking = json.loads((tmp_path / "ranking.json").read_text())["result"]
    assert "Heron" in str(ranking)
    assert "Heron" in (tmp_path / "systems.csv").read_text()
    assert "\\begin{tabular}" in (tmp_path / "systems.tex").read_text()
    assert "\\citealp" in (tmp_path / "methods.tex").read_text()
    assert sorted((tmp_path / "segments.txt").read_text().split()) == ["1", "2"]
    with (tmp_path / "judgments.csv").open(encoding="utf-8") as written:
        assert [row["value"] for row in csv.DictReader(written)] == ["70"] * 4
