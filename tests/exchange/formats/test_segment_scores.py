"""Segments with the scores of their outputs, and the test set alone: out of a real campaign, and in again."""

import gzip
import json
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db.models import Avg, Count

import pytest

from annotation.models import ErrorSpan, Score
from campaigns.models import Campaign, Segment, TestSet, Translation
from exchange.exports import export_rows
from exchange.formats.parallel_text import ImportFiles
from exchange.judgment_files import FromCampaign, import_judgments
from exchange.reading import ImportFileError
from exchange.test_set_files import import_test_set
from tests.metrics.real_campaigns import real_case

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(tmp_path: Path) -> Campaign:
    for name in ("annotations", "campaign"):
        (tmp_path / name).write_bytes(gzip.decompress((real_case("cesa-enja") / f"{name}.json.gz").read_bytes()))
    of = FromCampaign(tmp_path / "campaign", "")
    return import_judgments(tmp_path / "annotations", format="pearmut", name="Study", of=of).campaign


def texts_of(test_set: TestSet) -> dict[str, Any]:
    """By document and place, without blanks at the ends: the source and every output."""
    rows = Translation.objects.filter(segment__document__test_set=test_set, text__isnull=False)
    names = ("segment__document__name", "segment__position", "segment__source", "system__name", "text")
    return {
        f"{row[0].rpartition('/')[2]} {row[1]} {row[3]}": (plain(row[2]), plain(row[4]))
        for row in rows.values_list(*names)
    }


def plain(text: str) -> str:
    return " ".join(text.split())


def means_of(campaign: Campaign) -> dict[str, tuple[int, float]]:
    scores = Score.objects.filter(judgment__item__assignment__campaign=campaign, measure="score")
    named = scores.values_list("translation__system__name").annotate(Count("pk"), Avg("value"))
    return {system: (count, round(mean, 6)) for system, count, mean in named}


def test_the_test_set_comes_back_from_xml_but_for_blanks_at_the_ends(study: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "set.xml"
    path.write_bytes(b"".join(export_rows(study, "wmt-xml")))
    again = import_test_set(ImportFiles(path=path), name="Again", source_language="en", target_language="ja").test_set
    assert again.format == "wmt-xml"
    assert texts_of(again) == texts_of(study.test_set)
    domains = [
        set(Segment.objects.filter(document__test_set=each).values_list("document__domain", "domain"))
        for each in (study.test_set, again)
    ]
    assert [{document or segment for document, segment in each} for each in domains] == [
        {"speech", "news", "social"}
    ] * 2


def test_test_set_and_scores_come_back_from_the_files_of_the_general_task(study: Campaign, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    call_command("export", study.slug, "--format", "wmt-genmt", "--output", str(folder), verbosity=0)
    systems = {path.stem: path for path in (folder / "systems").iterdir()}
    files = ImportFiles(path=folder / "wmt-genmt.jsonl", systems=systems)
    again = import_test_set(
        files, name="Again", format="wmt-genmt", source_language="en", target_language="ja"
    ).test_set
    before = {key: texts for key, texts in texts_of(study.test_set).items() if texts[1]}
    after = {key: texts for key, texts in texts_of(again).items() if texts[1]}
    assert {key: after.get(key) for key in before} == before
    judged = import_judgments(folder / "wmt-genmt-humeval.jsonl", format="wmt-genmt", name="Scores").campaign
    assert (judged.protocol, judged.test_set.source_language, judged.test_set.target_language) == ("esa", "en", "ja")
    assert means_of(judged) == means_of(study)
    counts = [ErrorSpan.objects.filter(judgment__item__assignment__campaign=each).count() for each in (study, judged)]
    assert counts[0] == counts[1]


def test_segments_of_subset2evaluate_come_back_with_the_same_scores(study: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "segments.jsonl"
    path.write_bytes(b"".join(export_rows(study, "subset2evaluate")))
    again = import_judgments(path, format="subset2evaluate", name="Again").campaign
    before, after = (
        [json.loads(line) for line in b"".join(export_rows(each, "subset2evaluate")).splitlines()]
        for each in (study, again)
    )
    assert after == [{**line, "time": None, "domain": line["domain"]} for line in before]


GOOD = {"doc_id": "en-de_#_news_#_quay_#_0", "src_text": "One.", "tgt_text": {"Heron": "Ein 🙂."}}


def scored(**scores: Any) -> dict[str, Any]:
    return {**GOOD, "scores": {"Heron": scores}}


def test_every_time_is_a_judgment_with_its_half_open_marks(tmp_path: Path) -> None:
    error = {"start_i": 4, "end_i": 4, "severity": "Major"}
    missing = {"start_i": "missing", "end_i": "missing", "severity": "minor"}
    line = scored(human1=70, errors1=[error, missing], annotator1="anna", times1=[10.0, 22.5], human2=0, errors2=[])
    path = tmp_path / "scores.jsonl"
    path.write_text(json.dumps(line))
    campaign = import_judgments(path, format="wmt-genmt", name="x").campaign
    assert list(ErrorSpan.objects.order_by("pk").values_list("start", "end", "severity")) == [
        (4, 5, "major"),
        (0, 0, "minor"),
    ]
    rows = Score.objects.order_by("pk").values_list("judgment__annotator__username", "value", "judgment__elapsed_ms")
    assert list(rows) == [("anna", 70, 12_500), ("annotator2", 0, None)]
    assert campaign.test_set.target_language == "de"


@pytest.mark.parametrize(
    ("format", "lines"),
    [
        (
            "wmt-genmt",
            [
                scored(human1="70"),
                scored(human1=70, errors1=[{"start_i": 3, "end_i": 1, "severity": "minor"}]),
                scored(human1=70, errors1=[{"start_i": 0, "end_i": 0, "severity": "awful"}]),
                {**GOOD, "doc_id": "quay"},
                {**GOOD, "scores": {"Heron": 7}},
                {**GOOD, "tgt_text": {"Heron": 7}},
                scored(human1=70, times1=["x"]),
            ],
        ),
        (
            "subset2evaluate",
            [
                {"src": "a", "doc": "", "tgt": {}},
                {"src": "a", "doc": "d", "tgt": []},
                {"src": 7, "doc": "d", "tgt": {}},
                {"src": "a", "doc": "d", "tgt": {"A": "b"}, "scores": {"A": {"human": True}}},
                {"src": "a", "doc": "d", "tgt": {"A": "b"}, "scores": []},
            ],
        ),
    ],
)
def test_all_that_is_wrong_is_reported_with_its_line(format: str, lines: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines) + '{"scores": NaN}\n{"src": "\\ud800"}\n')
    with pytest.raises(ImportFileError) as refused:
        import_judgments(path, format=format, name="x")
    assert [f"line {number}" in str(refused.value) for number in range(1, len(lines) + 3)] == [True] * (len(lines) + 2)
    assert not Campaign.objects.exists()
