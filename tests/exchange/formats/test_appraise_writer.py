"""Batches for Appraise: what was read of published ones comes out again, and what has no equal is told before."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Item, Slot
from campaigns.languages import code_of_language
from campaigns.models import Campaign, TestSet
from exchange.campaign_imports import import_campaign
from exchange.exported_judgments import EVERYTHING
from exchange.exports import FORMATS, export_rows
from exchange.read_campaigns import CampaignSource
from tests.cast import Cast
from tests.metrics.real_campaigns import real_case
from tests.planned_campaign import make_planned_campaign

pytestmark = pytest.mark.django_db
# everything else is a number of the file, or follows from these
KEPT = ("documentID", "isCompleteDocument", "itemType", "sourceText", "targetID", "targetText", "segmentText")


def load(path: Path, name: str, languages: tuple[str, str]) -> Campaign:
    source = CampaignSource(path, path.name, languages)
    return import_campaign(source, format="appraise-json", name=name).campaign


def written(campaign: Campaign) -> list[dict[str, Any]]:
    return list(json.loads(b"".join(export_rows(campaign, "appraise-json"))))


def kept_of(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = []
    for item in items:
        own = {key: item[key] for key in KEPT if key in item and not (item["isCompleteDocument"] and "Text" in key)}
        for target in item.get("targets", ()):
            own[target["targetID"]] = "" if item["isCompleteDocument"] else target["targetText"]
        if isinstance(item.get("mqm"), dict):
            own = {"tutorial": item["targetText"]}
        kept.append(own)
    return kept


def content_of(campaign: Campaign) -> list[tuple[Any, ...]]:
    slots = Slot.objects.filter(item__assignment__campaign=campaign)
    ordered = slots.order_by("item__assignment__position", "item__position", "label")
    return list(
        ordered.values_list("item__kind", "item__block", "label", "system__name", "damaged", "translation__text")
    )


@pytest.mark.parametrize(
    ("name", "languages"),
    [("document-da", ("en", "de")), ("esa", ("en", "de")), ("pairwise-document", ("de", "en"))],
)
def test_published_batches_come_out_as_they_came_in(name: str, languages: tuple[str, str], tmp_path: Path) -> None:
    path = real_case("import-samples") / "appraise-json" / f"{name}.json"
    campaign = load(path, "First", languages)
    batches, published = written(campaign), json.loads(path.read_text())
    pairs = zip(kept_of(batches[0]["items"]), kept_of(published[0]["items"]), strict=True)
    assert [(ours, theirs) for ours, theirs in pairs if ours != theirs] == []
    same = ("batchNo", "requiredAnnotations", "sourceLanguage", "targetLanguage")
    assert [batches[0]["task"][key] for key in same] == [published[0]["task"][key] for key in same]
    left = "targetContextLeft"
    if name == "document-da":
        segments = [item for item in published[0]["items"] if not item["isCompleteDocument"]]
        ours = [item for item in batches[0]["items"] if not item["isCompleteDocument"]]
        assert [item[left] for item in ours] == [item[left] for item in segments]
    (tmp_path / "again.json").write_text(json.dumps(batches))
    assert content_of(load(tmp_path / "again.json", "Second", languages)) == content_of(campaign)


def test_assignments_of_the_same_outputs_are_a_batch_that_is_judged_so_often(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="esa", redundancy=2)
    batches = written(campaign)
    assert len(batches) == campaign.assignments.filter(round=0).count()
    assert {batch["task"]["requiredAnnotations"] for batch in batches} == {2}
    of_first = Item.objects.filter(assignment__campaign=campaign, assignment__round=0).exclude(level="context")
    assert sum(len(batch["items"]) for batch in batches) == of_first.count()


def test_what_is_lost_is_counted_and_what_cannot_be_is_refused(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="direct_assessment")
    told = FORMATS["appraise-json"].losses(campaign, EVERYTHING)
    assert "no answers, guidelines, people or settings" in told[-1]
    test_set.documents.filter(position=1).update(name="ferry#bad")
    assert "ferry#bad" in FORMATS["appraise-json"].refusals(campaign)[0]
    campaign.protocol = "ranking"
    assert "no equal" in FORMATS["appraise-json"].refusals(campaign)[0]


def test_languages_have_the_codes_of_three_letters_that_appraise_uses() -> None:
    assert [code_of_language(tag) for tag in ("en", "de-AT", "cs", "zh-Hant", "mis")] == [
        "eng",
        "deu",
        "ces",
        "zho",
        "mis",
    ]
