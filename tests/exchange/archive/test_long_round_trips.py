"""Archives of a race and of many people: they take long, so each is rebuilt on one of the databases, by turns."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.models import DrawnScreen, Exclusion
from campaigns.models import Account
from exchange.archive.rebuilding import import_archive
from jobs.actions import perform_now
from tests.cast import Cast
from tests.exchange.archive.demo_in_small import ONE_OF_EACH, make_small
from tests.exchange.archive.numbers_of_archives import QUICK, numbers_of, written
from tests.metrics.analyses.as_json import analyse
from tests.metrics.racing_campaign import Commits, judge_documents, make_race

pytestmark = pytest.mark.django_db


def test_with_pseudonyms_nobodys_name_is_in_any_file_and_the_numbers_are_the_same(tmp_path: Path) -> None:
    demo = ONE_OF_EACH[0]
    campaign = make_small(demo)
    perform_now(kind="analysis", campaign=campaign, arguments={"options": QUICK})
    judged = list(campaign.assignments.exclude(annotator=None).values_list("annotator__username", flat=True))
    perform_now(
        kind="analysis", campaign=campaign, arguments={"options": {**QUICK, "without": sorted(set(judged))[:2]}}
    )
    path = written(campaign, tmp_path / "a.zip", pseudonymised=True)
    names = set(Account.objects.values_list("username", flat=True)) - {"demo-organiser"}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            content = archive.read(name).decode()
            assert [each for each in names if re.search(rf"(?<![\w-]){each}(?![\w-])", content)] == [], name
    before = numbers_of(campaign)["analyses"]["ranking"]
    rebuilt = import_archive(path, name="Rebuilt")
    after = numbers_of(rebuilt)["analyses"]["ranking"]
    assert [system["mean"] for system in after["systems"]] == pytest.approx(
        [system["mean"] for system in before["systems"]]
    )
    assert Exclusion.objects.get(campaign=rebuilt).reason.startswith("annotator-")


def test_a_race_of_systems_goes_on_where_it_stood(
    cast: Cast, tmp_path: Path, emptied: Callable[[], None], django_capture_on_commit_callbacks: Commits
) -> None:
    campaign = make_race(cast, documents=24)
    judge_documents(campaign, list(cast.annotators), django_capture_on_commit_callbacks)
    path = written(campaign, tmp_path / "race.zip")
    before, drawn = analyse(campaign, analyses=["allocation"])["analyses"], DrawnScreen.objects.count()
    assert before["allocation"]["looks"]
    emptied()
    rebuilt = import_archive(path, name=campaign.name)
    assert analyse(rebuilt, analyses=["allocation"])["analyses"] == before
    assert DrawnScreen.objects.filter(assignment__campaign=rebuilt).count() == drawn
