"""The source and the reference, where a campaign has them read like a system's texts, are systems to nobody else."""

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

from django.test import Client

from campaigns.models import System, TestSet
from exchange.archive.writing import write_archive
from exchange.exports import export_rows
from exchange.formats.metric_scores import ScoreFile
from exchange.score_files import check_scores
from jobs.actions import perform_now
from metrics.scoring.reading import read_metric_scores
from metrics.scoring.texts import systems_that_are_references
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign
from tests.sample_questions import ask_questions
from tests.sample_test_set import SYSTEMS


def test_what_is_read_in_place_of_a_translation_is_no_system_of_the_test_set_anywhere(
    test_set: TestSet, cast: Cast, client: Client, tmp_path: Path
) -> None:
    """Wherever a test set's systems are listed: here a campaign that never asked for the source to be read."""
    ask_questions(test_set)
    options = {"read_source": True, "read_reference": True}
    gisting = make_planned_campaign(test_set, cast, protocol="gisting", options=options)
    scored, own = make_planned_campaign(test_set, cast, name="Scored"), sorted(SYSTEMS)
    stand_ins = set(System.objects.exclude(stands_for="").values_list("name", flat=True))
    assert stand_ins == {"source", "reference"}
    perform_now(kind="metric_scores", test_set=test_set, arguments={"metrics": ["bleu"]})
    for with_segments in (True, False):
        assert list(read_metric_scores(test_set, with_segments=with_segments).systems) == own
    assert systems_that_are_references(test_set, {"reference", "source"}) == set()
    path = tmp_path / "Sage.sys.score"
    path.write_text("".join(f"{name}\t1\n" for name in [*own, "source"]))
    assert list(check_scores(ScoreFile(path, "Sage"), test_set).unknown_systems) == ["source"]
    rows = csv.DictReader(io.StringIO(b"".join(export_rows(scored, "metric-systems-csv")).decode()))
    assert sorted(row["system"] for row in rows) == own
    client.force_login(cast.organiser)
    page = client.get(f"/campaigns/{scored.slug}/metrics/").content.decode()
    assert "systems: 3" in page
    assert '<option value="source"' not in page
    api = client.get(f"/api/v1/test-sets/{test_set.slug}").json()
    assert [system["name"] for system in api["systems"]] == own
    for campaign in (scored, gisting):
        assert client.get(f"/api/v1/campaigns/{campaign.slug}").json()["systems"] == own
        finished = perform_now(kind="disagreement", campaign=campaign, arguments={})
        assert (finished.result or {})["systems"] == own
    assert _systems_in(write_archive(scored, pseudonymised=False)) == set(own)
    assert _systems_in(write_archive(gisting, pseudonymised=False)) == {*own, *stand_ins}


def _systems_in(archive: Iterator[bytes]) -> set[str]:
    with zipfile.ZipFile(io.BytesIO(b"".join(archive))) as opened:
        return {json.loads(line)["name"] for line in opened.read("rows/system.jsonl").splitlines()}
