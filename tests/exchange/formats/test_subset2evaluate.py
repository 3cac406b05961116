"""Segments for subset2evaluate: the published means of a real campaign, a segment a line."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import Campaign, TestSet
from exchange.exports import export_rows
from exchange.judgment_files import FromCampaign, import_judgments
from tests.cast import Cast
from tests.metrics.real_campaigns import expected_of, real_case
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

pytestmark = pytest.mark.django_db


def lines_of(campaign: Campaign) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(export_rows(campaign, "subset2evaluate")).splitlines()]


def test_means_are_the_published_ones_in_the_order_of_the_test_set(tmp_path: Path) -> None:
    for name in ("annotations", "campaign"):
        (tmp_path / name).write_bytes(gzip.decompress((real_case("cesa-enja") / f"{name}.json.gz").read_bytes()))
    of = FromCampaign(tmp_path / "campaign", "")
    campaign = import_judgments(tmp_path / "annotations", format="pearmut", name="Study", of=of).campaign
    expected, lines = expected_of("cesa-enja"), lines_of(campaign)
    assert [line["i"] for line in lines] == list(range(expected["import"]["segments"]))
    for example in expected["segment_examples"]:
        line = next(line for line in lines if line["doc"] == example["document"])
        assert {name: scores["human"] for name, scores in line["scores"].items()} == pytest.approx(example["mean"])
        assert set(line["tgt"]) == set(example["mean"])
    assert {line["domain"] for line in lines} == {"speech", "news", "social"}
    assert {line["time"] for line in lines} == {None}, "no times are known"


def test_what_nobody_judged_has_texts_and_no_score(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast)
    item = items_to_judge(take(campaign, cast.annotator))[0]
    judge(item, 70, active_ms=4000)
    lines = lines_of(campaign)
    scored = [(line["src"], system) for line in lines for system, scores in line["scores"].items() if scores]
    [slot] = item.slots.all()
    credited = [credit.system.name for credit in slot.credits.all()]
    assert item.segment is not None
    assert sorted(scored) == sorted((item.segment.source, name) for name in [slot.system.name, *credited])
    assert [line["time"] for line in lines if line["time"] is not None] == [4.0]
    assert all(set(line["scores"]) == set(line["tgt"]) for line in lines)
