"""Ratings as mt-metrics-eval reads them: every line of every file by its rules."""

import gzip
import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotation.models import ErrorSpan, Judgment
from campaigns.models import Account, Campaign, Segment
from exchange.exported_judgments import EVERYTHING
from exchange.exports import FORMATS, export_rows
from exchange.judgment_files import FromCampaign, import_judgments
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = pytest.mark.django_db
FIELDS = {"start", "end", "category", "severity", "score", "is_source_error"}


def files_of(campaign: Campaign) -> dict[str, list[list[str]]]:
    """Read as mt-metrics-eval does: stripped lines, split at tabs."""
    made = FORMATS["mt-metrics-eval-ratings"].files
    assert made is not None
    texts = {name: b"".join(pieces).decode() for name, pieces in made(campaign, EVERYTHING)}
    return {name: [line.strip().split("\t") for line in text.splitlines()] for name, text in texts.items()}


@pytest.fixture
def study(tmp_path: Path) -> Campaign:
    for name in ("annotations", "campaign"):
        (tmp_path / name).write_bytes(gzip.decompress((real_case("cesa-enja") / f"{name}.json.gz").read_bytes()))
    of = FromCampaign(tmp_path / "campaign", "")
    return import_judgments(tmp_path / "annotations", format="pearmut", name="Study", of=of).campaign


def ratings_in(lines: list[list[str]]) -> dict[str, list[Any]]:
    by_system: dict[str, list[Any]] = {}
    for system, rating, *rater in lines:
        assert len(rater) == (rating != "None")
        by_system.setdefault(system, []).append(None if rating == "None" else json.loads(rating)["errors"])
    return by_system


def test_there_is_a_file_for_each_rater_and_one_of_all(study: Campaign) -> None:
    counts, files = expected_of("cesa-enja")["import"], files_of(study)
    assert sorted(files) == [
        f"human-scores/en-ja.cesa.{name}.seg.rating" for name in ("merged", "rater_1", "rater_2")
    ], "no dots and hyphens in a rater's name"
    for lines in files.values():
        by_system = ratings_in(lines)
        assert set(map(len, by_system.values())) == {counts["segments"]}
        assert len(by_system) == counts["systems"]
    raters = {line[2] for line in files["human-scores/en-ja.cesa.merged.seg.rating"] if len(line) == 3}
    assert raters == {"rater_1", "rater_2"}


def test_errors_are_half_open_and_tags_are_empty_at_the_start(study: Campaign) -> None:
    """Every output's regular marks of one rater are exactly those of the published table."""
    files = files_of(study)
    ratings = ratings_in(files["human-scores/en-ja.cesa.rater_2.seg.rating"])
    places = [f"{document} {name}" for document, name in _segments(study)]
    published = _published("rater-2")
    for system, errors in ratings.items():
        for place, marked in zip(places, errors, strict=True):
            assert (marked is None) == ((place, system) not in published)
            if marked is not None:
                assert all(set(error) == FIELDS and error["score"] is None for error in marked)
                spans = [f"{each['start']}-{each['end']}:{each['severity']}" for each in marked if not each["category"]]
                tags = [each for each in marked if each["category"]]
                assert {(each["category"], each["start"], each["end"]) for each in tags} <= {("missing", 0, 0)}
                assert (Counter(spans), len(tags)) == published[place, system]


def _segments(campaign: Campaign) -> Any:
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).order_by("document__position", "position")
    return own.values_list("document__name", "name")


def _published(rater: str) -> dict[tuple[str, str], tuple[Counter[str], int]]:
    """By segment and system the last regular score, else the last repeat."""
    found: dict[tuple[str, str], tuple[bool, tuple[Counter[str], int]]] = {}
    header, *lines = (real_case("cesa-enja") / "scores.tsv").read_text().splitlines()
    for line in lines:
        row = dict(zip(header.split("\t"), line.split("\t"), strict=True))
        key, is_repeat = (f"{row['document']} s{row['segment']}", row["system"]), row["repeat"] == "1"
        if row["annotator"] == rater and (key not in found or not is_repeat or found[key][0]):
            found[key] = (is_repeat, (Counter(row["spans"].split()), int(row["missing"])))
    return {key: marks for key, (_is_repeat, marks) in found.items()}


def test_names_that_become_equal_stay_apart(study: Campaign) -> None:
    Account.objects.filter(username="rater-2").update(username="rater.1")
    names = {name.split(".")[2] for name in files_of(study)}
    assert names == {"rater_1", "rater_1_2", "merged"}


def test_a_mark_in_the_source_says_so(study: Campaign) -> None:
    assert not any("true" in line[1] for lines in files_of(study).values() for line in lines)
    span = ErrorSpan.objects.filter(category="").order_by("pk").first()
    assert span is not None
    judgment = Judgment.objects.get(pk=span.judgment_id)
    for values in judgment.answer["slots"].values():
        for each in values["spans"]:
            each["side"] = "source"
    judgment.save(update_fields=["answer"])
    assert any("true" in line[1] for lines in files_of(study).values() for line in lines)


def test_as_one_file_the_folder_is_zipped(study: Campaign) -> None:
    with zipfile.ZipFile(io.BytesIO(b"".join(export_rows(study, "mt-metrics-eval-ratings")))) as zipped:
        assert {name: len(zipped.read(name).splitlines()) for name in zipped.namelist()} == {
            name: len(lines) for name, lines in files_of(study).items()
        }
