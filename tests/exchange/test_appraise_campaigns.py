"""Batches of Appraise become a campaign: texts, assignments, control items, practice; or nothing does."""

import json
from pathlib import Path
from typing import Any

from django.core.management import call_command

import pytest

from annotation.models import Item, PracticeItem, Slot
from campaigns.models import Campaign, Segment, SuggestedSpan, TestSet, Translation
from exchange.campaign_imports import import_campaign
from exchange.formats.parallel_text import ImportFiles
from exchange.judgment_files import CampaignOutcome
from exchange.read_campaigns import CampaignSource
from exchange.reading import ImportFileError
from exchange.test_set_files import inspect
from tests.metrics.real_campaigns import real_case

pytestmark = pytest.mark.django_db
SAMPLES = "import-samples"


def sample(name: str) -> Path:
    return real_case(SAMPLES) / "appraise-json" / f"{name}.json"


def items_of(path: Path) -> list[dict[str, Any]]:
    return [item for batch in json.loads(path.read_text()) for item in batch["items"]]


def load(path: Path, name: str = "Study", languages: tuple[str, str] = ("en", "de"), **options: Any) -> CampaignOutcome:
    return import_campaign(CampaignSource(path, path.name, languages, **options), format="appraise-json", name=name)


def shown_in(campaign: Campaign) -> list[tuple[Any, ...]]:
    rows = Slot.objects.filter(item__assignment__campaign=campaign, item__segment__isnull=False)
    ordered = rows.order_by("item__assignment__position", "item__position", "label")
    fields = ("item__kind", "item__segment__source", "system__name", "damaged", "translation__text")
    return [
        (kind, source, system, damaged or text) for kind, source, system, damaged, text in ordered.values_list(*fields)
    ]


def test_documents_of_a_published_batch_are_shown_as_in_the_file() -> None:
    path = sample("document-da")
    campaign = load(path).campaign
    segments = [item for item in items_of(path) if not item["isCompleteDocument"]]
    expected = [("regular", item["sourceText"], item["targetID"], item["targetText"]) for item in segments]
    assert shown_in(campaign) == expected
    assert (campaign.protocol, campaign.options["document_scores"]) == ("direct_assessment", True)
    whole = Item.objects.filter(assignment__campaign=campaign, level="document")
    assert list(whole.order_by("position").values_list("document__name", flat=True)) == [
        "rt.com.91337",
        "bbc.381790",
        "rt.com.91337",
    ]
    assert Segment.objects.filter(document__test_set=campaign.test_set).count() == 6 + 16


def test_bad_references_are_degraded_items_with_their_own_text_and_tutorials_practice() -> None:
    path = sample("esa")
    outcome = load(path)
    judged = [item for item in items_of(path) if isinstance(item["mqm"], list)]
    kinds = {"TGT": "regular", "BAD": "degraded"}
    expected = [(kinds[item["itemType"]], item["sourceText"], item["targetID"], item["targetText"]) for item in judged]
    assert shown_in(outcome.campaign) == expected
    assert (outcome.campaign.protocol, outcome.campaign.options["suggestions"]) == (
        "esa",
        bool(SuggestedSpan.objects.count()),
    )
    assert not Translation.objects.filter(text=next(each[3] for each in expected if each[0] == "degraded")).exists()
    practice = PracticeItem.objects.filter(campaign=outcome.campaign).order_by("position")
    assert [each.slots["A"] for each in practice] == [
        item["targetText"] for item in items_of(path) if isinstance(item["mqm"], dict)
    ]
    assert practice[1].instruction.startswith("The word")
    assert "<u>" not in practice[1].instruction
    assert "Bad references without their original in the file: 9." in outcome.report["notes"]
    assert "Tutorial items whose expected answer is left out: 6." in outcome.report["notes"]


def test_pairs_of_systems_stand_side_by_side() -> None:
    path = sample("pairwise-document")
    campaign = load(path, languages=("de", "en")).campaign
    pairs = [item for item in items_of(path) if not item["isCompleteDocument"]]
    items = Item.objects.filter(assignment__campaign=campaign, level="segment").order_by("position")
    shown = [list(item.slots.order_by("label").values_list("system__name", flat=True)) for item in items]
    expected = [
        [each["targetID"] for each in item["targets"]][: len({each["targetText"] for each in item["targets"]})]
        for item in pairs
    ]
    assert (shown, campaign.options["systems_per_screen"]) == (expected, 2)


def test_a_manifest_brings_people_redundancy_and_protocol(tmp_path: Path) -> None:
    manifest = {
        "CAMPAIGN_URL": "http://127.0.0.1:8000/dashboard/sso/",
        "CAMPAIGN_NAME": "example15esa",
        "CAMPAIGN_KEY": "example15esa",
        "CAMPAIGN_NO": 15,
        "REDUNDANCY": 2,
        "TASKS_TO_ANNOTATORS": [["eng", "deu", "uniform", 4, 2], ["eng", "ces", "uniform", 9, 9]],
        "TASK_TYPE": "Document",
        "TASK_OPTIONS": "ESA;StaticContext",
    }
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    languages = ("--source-language", "en", "--target-language", "de", "--manifest", str(tmp_path / "manifest.json"))
    call_command("import_campaign", str(sample("esa")), "--format", "appraise-json", "--name", "Study", *languages)
    campaign = Campaign.objects.get()
    assert campaign.memberships.filter(role="annotator").count() == 4
    assert sorted(campaign.assignments.values_list("round", "content")) == [(0, 0), (1, 0)]
    assert not campaign.assignments.filter(annotator__isnull=False).exists()
    assert "`TASK_OPTIONS StaticContext` has no equal here and is left out." in campaign.test_set.report["notes"]
    (tmp_path / "manifest.json").write_text(json.dumps({"TASKS_TO_ANNOTATORS": [["eng"]], "REDUNDANCY": 0}))
    with pytest.raises(ImportFileError) as refused:
        load(sample("esa"), name="Other", manifest=tmp_path / "manifest.json")
    assert all(key in str(refused.value) for key in ("TASKS_TO_ANNOTATORS[0]", "REDUNDANCY"))


def test_texts_alone_make_a_test_set(tmp_path: Path) -> None:
    path = tmp_path / "anything"
    path.write_bytes(sample("document-da").read_bytes())
    found = inspect(ImportFiles(path=path))
    assert (found.format, found.documents, found.segments, len(found.systems)) == ("appraise-json", 2, 22, 2)


def item(**changed: Any) -> dict[str, Any]:
    about = {"documentID": "d", "itemID": 1, "itemType": "TGT", "isCompleteDocument": False}
    return {**about, "sourceText": "It.", "targetID": "Heron", "targetText": "Es.", **changed}


TASK = {"sourceLanguage": "eng", "targetLanguage": "deu", "requiredAnnotations": 1}


def batches(path: Path, *items: object, **task: Any) -> Path:
    path.write_text(json.dumps([{"task": TASK | task, "items": items}]))
    return path


def test_everything_wrong_is_told_at_once_with_its_place_and_nothing_is_stored(tmp_path: Path) -> None:
    path = batches(
        tmp_path / "wrong.json",
        item(),
        item(itemType="XXX"),
        item(sourceText=" "),
        item(targetText=7),
        item(targets=[{"targetID": "A", "targetText": "a"}] * 2, segmentText="It."),
        item(documentID="other"),
        item(targetText="Sie."),
        item(targetText="Es.\x07"),
        {"documentID": "d"},
        [],
    )
    with pytest.raises(ImportFileError) as refused:
        load(path)
    for place in (
        "[0].items[1].itemType",
        "[0].items[2]: ",
        "[0].items[3].targetText",
        "[0].items[4].targets",
        "[0].items[6].targetText",
        "[0].items[7].targetText",
        "[0].items[8].sourceText",
        "[0].items[9]",
    ):
        assert place in str(refused.value), place
    assert not TestSet.objects.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"items": [], "task": {}}]', "sourceLanguage"),
        ('[{"items": 1}]', "`task`"),
        ('[{"items": [', "cannot be stored"),
        (json.dumps([{"task": TASK | {"requiredAnnotations": 0}, "items": []}]), "from 1 to 100"),
        (json.dumps([{"task": TASK | {"targetLanguage": "ces"}, "items": [item()]}]), "from en to de. It has: en-cs"),
        (json.dumps({"TASKS_TO_ANNOTATORS": [], "CAMPAIGN_NAME": "x"}), "manifest"),
        (json.dumps([{"task": TASK, "items": [item()]}]).replace("1", "NaN", 1), "NaN"),
        (json.dumps([{"task": TASK, "items": [item(targetText="\ud800")]}], indent=1), "line 16: .*lone surrogate"),
        ('[\n{"items": nothing}]', "line 2, column"),
    ],
)
def test_a_file_that_is_no_batch_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "odd.json").write_text(content)
    with pytest.raises(ImportFileError, match=message) as refused:
        load(tmp_path / "odd.json")
    assert "odd.json" in str(refused.value)
    assert not TestSet.objects.exists()


def test_repeats_know_their_original_and_empty_outputs_are_judged_as_empty(tmp_path: Path) -> None:
    path = batches(
        tmp_path / "b.json",
        item(),
        item(sourceText="Two.", targetText=""),
        item(documentID="d#bad1", itemType="BAD", targetText="Broken."),
        item(documentID="d#dup", itemType="CHK"),
    )
    campaign = load(path).campaign
    items = Item.objects.filter(assignment__campaign=campaign).order_by("position")
    assert [(each.kind, each.original and each.original.position) for each in items] == [
        ("regular", None),
        ("regular", None),
        ("degraded", 1),
        ("repeat", 1),
    ]
    assert [text for _kind, _source, _system, text in shown_in(campaign)] == ["Es.", "", "Broken.", "Es."]
