"""Many annotators at the same moment: nothing is lost, nothing is doubled, nobody is turned away."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.db import connection

import pytest

from tests.annotation.crowd import judge_all_at_once
from tests.empty_databases import FILE, put_on_sqlite
from tests.processes import ROOT


@pytest.fixture
def outcome(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    if connection.vendor != "sqlite":
        request.getfixturevalue("transactional_db")
        return judge_all_at_once()
    put_on_sqlite(tmp_path)
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path / FILE}", "ASSAY_DATA_DIR": str(tmp_path)}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    command = [sys.executable, "-m", "tests.annotation.crowd"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.django_db(transaction=True)
def test_eight_annotators_in_two_tabs_each_judge_everything_once(outcome: dict[str, Any]) -> None:
    assert outcome["failures"] == []
    statuses = outcome["statuses"]
    assert set(statuses) <= {
        *(
            "claim 201",
            "claim 204",
            "draft 204",
            "submit 200",
            "submit 201",
            "submit 409",
            "after 201 200",
            "after 409 409",
        ),
    }
    assert statuses["submit 201"] == outcome["judgments"] == outcome["judged_once"] == outcome["items"] > 50
    assert statuses["submit 200"]  # twins met
    assert outcome["scores"] == outcome["scores_expected"]
    assert outcome["done"] == outcome["assignments"] == outcome["codes"]
    assert outcome["content_twice"] == outcome["two_in_hand"] == 0
