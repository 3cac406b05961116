"""Suggested errors on their way to the annotator and back."""

from typing import Any

import pytest

from annotation.actions.creating import create_campaign
from annotation.campaign_spec import CampaignSpec
from annotation.models import ErrorSpan, Item, ItemKind, Judgment, Slot
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, SuggestedSpan, TestSet, Translation
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session
from tests.planned_campaign import make_planned_campaign
from tests.sample_test_set import SYSTEMS

FERRY = "Die Fähre fuhr eine Stunde zu spät ab."


@pytest.fixture
def ferry(test_set: TestSet) -> Translation:
    """Of it, two errors are suggested; of no other translation any."""
    translation = Translation.objects.get(text=FERRY)
    for start, end, severity in ((27, 34, "major"), (0, 9, "minor")):
        SuggestedSpan.objects.create(translation=translation, start=start, end=end, severity=severity)
    return translation


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast, ferry: Translation) -> Campaign:
    return make_planned_campaign(test_set, cast, protocol="esa", options={"suggestions": True})


def suggested(page: ApiAnnotator, taken: int) -> dict[str, list[dict[str, Any]]]:
    """By text, of all items there are."""
    return {item["slots"][0]["text"]: item["suggested"] for item in page.every_item(taken)}


def test_they_stand_with_their_slot_in_the_order_of_the_text(campaign: Campaign, cast: Cast) -> None:
    page = by_session(cast.annotator)
    shown = suggested(page, page.take())
    assert shown.pop(FERRY) == [
        {"slot": "A", "suggestion": 1, "side": "target", "start": 0, "end": 9, "severity": "minor"},
        {"slot": "A", "suggestion": 2, "side": "target", "start": 27, "end": 34, "severity": "major"},
    ]
    assert not any(shown.values())


def test_nothing_is_suggested_by_default(test_set: TestSet, cast: Cast, ferry: Translation) -> None:
    make_planned_campaign(test_set, cast, protocol="esa", options={})
    page = by_session(cast.annotator)
    assert not any(suggested(page, page.take()).values())


def test_what_became_of_each_is_stored_with_the_answer(campaign: Campaign, cast: Cast) -> None:
    page = by_session(cast.annotator)
    taken = page.take()
    item = next(item for item in page.every_item(taken) if item["suggested"])
    unchanged = {"side": "target", "start": 0, "end": 9, "severity": "minor", "note": "", "suggestion": 1}
    own = {"side": "target", "start": 27, "end": 34, "severity": "major", "note": ""}
    answer = {"slots": {"A": {"spans": [unchanged, own], "score": 40}}, "comment": "", "cannot_judge": None}
    assert page.submit(taken, item["id"], answer=answer).status_code == 201
    stored = Judgment.objects.get().answer["slots"]["A"]
    assert stored["spans"] == [unchanged, own]
    assert stored["suggested"] == [
        {"suggestion": 1, "outcome": "kept"},
        {"suggestion": 2, "outcome": "deleted"},
    ]
    assert ErrorSpan.objects.count() == 2
    wrong = {"slots": {"A": {"spans": [{**unchanged, "suggestion": 3}], "score": 40}}}
    refused = page.submit(taken, item["id"], answer=wrong, base_revision=1)
    assert refused.json() == {"errors": {"slots.A.spans.0.suggestion": ["Unknown suggestion number."]}}


@pytest.mark.parametrize(
    ("damaged", "marked"),
    [
        ("Die Fähre fuhr eine Birne zu spät ab.", ["Die Fähre", "zu spät"]),
        ("Die Fähre fuhr eine Stunde in roten Stiefeln ab.", ["Die Fähre", "in roten Stiefeln"]),
        ("Neun Fässer fuhr eine Stunde zu spät ab.", ["Neun Fässer", "zu spät"]),
        ("Neun Fässer rollten eine Stunde zu spät ab.", ["Neun Fässer", "zu spät"]),
        ("Wer aß.", ["Wer aß.", "aß."]),
    ],
)
def test_on_a_damaged_text_as_many_are_suggested_where_their_words_are_now(
    campaign: Campaign, cast: Cast, ferry: Translation, damaged: str, marked: list[str]
) -> None:
    slot = Slot.objects.get(translation=ferry)
    slot.damaged = damaged
    slot.save()
    Item.objects.filter(pk=slot.item_id).update(kind=ItemKind.DEGRADED)
    page = by_session(cast.annotator)
    shown = suggested(page, page.take())[damaged]
    assert [damaged[mark["start"] : mark["end"]] for mark in shown] == marked


def test_a_test_set_without_suggestions_cannot_begin_with_them(test_set: TestSet) -> None:
    with pytest.raises(InvalidInput, match="suggests no errors"):
        create_campaign(
            spec=CampaignSpec(name="Spans", protocol="esa", options={"suggestions": True}), test_set=test_set
        )


def test_suggestions_that_no_answer_could_hold_are_refused(test_set: TestSet, ferry: Translation) -> None:
    SuggestedSpan.objects.create(translation=ferry, start=3, end=3, severity="critical")
    options: dict[str, object] = {"suggestions": True}
    with pytest.raises(InvalidInput, match="do not allow: 1"):
        create_campaign(spec=CampaignSpec(name="Spans", protocol="esa", options=options), test_set=test_set)
    options |= {"severities": ["minor", "major", "critical"]}
    assert create_campaign(spec=CampaignSpec(name="Spans", protocol="esa", options=options), test_set=test_set)


def test_names_of_systems_stay_on_the_server(campaign: Campaign, cast: Cast) -> None:
    page = by_session(cast.annotator)
    page_text = str(page.every_item(page.take()))
    assert "'suggestion': 1" in page_text
    assert not [name for name in SYSTEMS if name in page_text]
