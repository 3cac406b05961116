"""`export --format archive` and `import_archive`: from one place to another without a browser."""

import json
from io import StringIO
from pathlib import Path

from django.core.management import CommandError, call_command

import pytest

from annotation.models import Judgment
from campaigns.models import Campaign
from tests.cast import Cast
from tests.exchange.judged_campaign import judge_one_of_everything


@pytest.fixture
def path(campaign: Campaign, cast: Cast, tmp_path: Path) -> Path:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    target = tmp_path / "campaign.zip"
    call_command("export", campaign.slug, "--format", "archive", "--output", str(target), "--pseudonyms")
    return target


def test_a_campaign_travels_as_a_file(path: Path, campaign: Campaign) -> None:
    before = Judgment.objects.count()
    out, progress = StringIO(), StringIO()
    call_command("import_archive", str(path), "--campaign", "Rebuilt", "--json", stdout=out, stderr=progress)
    assert json.loads(out.getvalue())["campaign"] == "rebuilt"
    assert Judgment.objects.count() == 2 * before
    assert "100%" in progress.getvalue()


def test_a_taken_name_is_refused(path: Path, campaign: Campaign) -> None:
    with pytest.raises(CommandError, match="already"):
        call_command("import_archive", str(path), "--campaign", campaign.name, stderr=StringIO())


def test_an_archive_is_never_of_some_annotators_alone(campaign: Campaign, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="judgments of everybody"):
        call_command("export", campaign.slug, "--format", "archive", "--output", str(tmp_path / "x"), "--included")
