"""A practice item from the test set, for every protocol: filled in, edited, added behind the others."""

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.actions.practising import MOST_ITEMS
from annotation.models import PracticeItem
from annotation.protocols import PROTOCOLS
from campaigns.models import Account, AuditEntry, Campaign, Segment, System, TestSet, TextGuidance, Translation
from metrics.practice_choice import practice_text
from tests import sample_media
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_questions import ask_questions
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

ADDRESS = "/campaigns/planned-campaign/practise/from-test-set/"


@pytest.fixture
def client(cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def filled_in(page: str) -> dict[str, str]:
    """What the form would send as it is."""
    inputs = {
        name: unescape(value)
        for tag in re.findall(r"<input[^>]*>", page)
        if (name := _attribute(tag, "name")) and (value := _attribute(tag, "value")) is not None
    }
    areas = re.findall(r'<textarea name="([^"]+)"[^>]*>\s?(.*?)</textarea>', page, re.DOTALL)
    return inputs | {name: unescape(text) for name, text in areas}


def _attribute(tag: str, name: str) -> str | None:
    found = re.search(rf' {name}="([^"]*)"', tag)
    return found.group(1) if found else None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_as_it_is_filled_in_it_is_an_item_of_its_protocol(
    protocol: str, test_set: TestSet, cast: Cast, client: Client
) -> None:
    ask_questions(test_set)
    size: dict[str, Any] = {"items_per_assignment": 2} if protocol == "gisting" else {}
    campaign = make_planned_campaign(test_set, cast, protocol=protocol, **size)
    page = client.get(ADDRESS).content.decode()
    answer = client.post(ADDRESS, filled_in(page) | {"feedback": "Read it twice."})
    assert answer.status_code == 302, answer.content.decode()
    item = PracticeItem.objects.get(campaign=campaign)
    assert all(item.slots.values())
    says = {
        "direct_assessment": item.expected,
        "likert": item.expected,
        "esa": item.expected,
        "cesa": item.expected,
        "gisting": item.expected,
        "ranking": item.better,
        "post_editing": item.accepted,
        "mqm": item.feedback,
    }
    assert says[protocol]
    assert bool(item.questions) == (protocol == "gisting")
    assert item.feedback == "Read it twice."
    assert AuditEntry.objects.filter(action="practice_item_added").count() == 1


def test_an_item_that_nobody_judges_is_preferred_and_otherwise_it_is_said(
    test_set: TestSet, cast: Cast, client: Client
) -> None:
    campaign = make_planned_campaign(test_set, cast, systems=[WOMBAT, QUOKKA])
    text = practice_text(campaign, 0)
    assert text is not None
    assert not text.is_planned  # the third system's
    assert "judge this output" not in client.get(ADDRESS).content.decode()
    whole = make_planned_campaign(test_set, cast, name="Whole")
    assert "judge this output" in client.get(ADDRESS.replace("planned-campaign", whole.slug)).content.decode()


def test_a_segment_with_an_output_that_nobody_judges_comes_first(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast)
    last = Segment.objects.filter(document__test_set=test_set).order_by("-pk")[0]
    spare = System.objects.create(test_set=test_set, name="Spare")
    reference = last.references.get().text
    Translation.objects.create(segment=last, system=spare, text=f"{reference} So war es.")
    first, second = practice_text(campaign, 0), practice_text(campaign, 1)
    assert first is not None
    assert second is not None
    assert (first.key, first.is_planned, second.is_planned) == (last.pk, False, True)


def test_outputs_that_are_empty_or_the_source_itself_are_left_out(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, systems=[WOMBAT])
    for segment in Segment.objects.filter(document__test_set=test_set):
        Translation.objects.filter(segment=segment, system__name=HUMAN).update(text=segment.source)
        Translation.objects.filter(segment=segment, system__name=QUOKKA).update(text=" ")
    systems = {output.text for place in range(6) if (text := practice_text(campaign, place)) for output in text.outputs}
    own = set(Translation.objects.filter(system__name=WOMBAT).values_list("text", flat=True))
    assert systems == own


def test_what_is_practised_on_already_is_not_proposed_again(test_set: TestSet, cast: Cast, client: Client) -> None:
    campaign = make_planned_campaign(test_set, cast)
    sources = set()
    for _ in range(6):
        values = filled_in(client.get(ADDRESS).content.decode())
        sources.add(values["source"])
        assert client.post(ADDRESS, values).status_code == 302
    assert len(sources) == 6
    assert list(campaign.practice_items.values_list("position", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert "No suitable text" in client.get(ADDRESS).content.decode()


def test_the_right_score_is_around_what_was_judged(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast)
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, 40)
    text = practice_text(campaign, 0)
    assert text is not None
    assert text.outputs[0].means == {"score": 40}


def test_the_range_that_is_proposed_is_of_the_judgments(test_set: TestSet, cast: Cast, client: Client) -> None:
    campaign = make_planned_campaign(test_set, cast)
    assert filled_in(client.get(ADDRESS).content.decode())["low-A-score"] == "50"
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, 40)
    values = filled_in(client.get(ADDRESS).content.decode())
    assert (values["low-A-score"], values["high-A-score"]) == ("25", "55")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"translation-A": ""}, "This field is required"),
        ({"low-A-score": "90", "high-A-score": "10"}, "the lower one first"),
        ({"high-A-score": "900"}, "less than or equal to 100"),
        ({"low-A-score": "", "high-A-score": "", "feedback": ""}, "Nothing says what is right"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_added(
    changed: dict[str, str], message: str, test_set: TestSet, cast: Cast, client: Client
) -> None:
    make_planned_campaign(test_set, cast)
    answer = client.post(ADDRESS, filled_in(client.get(ADDRESS).content.decode()) | changed)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not PracticeItem.objects.exists()


def test_there_is_an_end_of_items(test_set: TestSet, cast: Cast, client: Client) -> None:
    campaign = make_planned_campaign(test_set, cast)
    PracticeItem.objects.bulk_create(
        PracticeItem(campaign=campaign, position=place, slots={"A": "x"}) for place in range(MOST_ITEMS)
    )
    answer = client.post(ADDRESS, filled_in(client.get(ADDRESS).content.decode()))
    assert answer.status_code == 422
    assert "at most 100 practice items" in answer.content.decode()


def test_a_longer_test_set_takes_no_more_queries(test_set: TestSet, cast: Cast, client: Client) -> None:
    def queries(campaign: Campaign) -> int:
        with CaptureQueriesContext(connection) as made:
            assert client.get(f"/campaigns/{campaign.slug}/practise/from-test-set/?n=99999999").status_code == 200
        return len(made)

    few = queries(make_planned_campaign(test_set, cast))
    document = test_set.documents.get(name="harbour")
    rows = Segment.objects.bulk_create(
        Segment(document=document, name=f"further {at}", position=9 + at, source=f"A further line {at}.")
        for at in range(80)
    )
    systems: list[Any] = list(test_set.systems.all())
    Translation.objects.bulk_create(
        Translation(segment=row, system=system, text=f"{system.name} {row.name}") for row in rows for system in systems
    )
    assert queries(make_planned_campaign(test_set, cast, name="Longer")) == few
    assert few <= 20


@pytest.fixture
def marking(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, protocol="esa", options={"suggestions": False})


def mark_beginnings(campaign: Campaign, *ends: int) -> None:
    """Each annotator in turn marks the beginning of every translation."""
    for annotator, end in zip(campaign.memberships.judging().order_by("pk"), ends, strict=False):
        for item in items_to_judge(take(campaign, annotator.account)):
            span = {"side": "target", "start": 0, "end": end, "severity": "major", "note": ""}
            judge(item, payload={"slots": {"A": {"score": 40, "spans": [span] if end else []}}})


def test_marks_that_half_of_the_judgments_have_are_expected(marking: Campaign, client: Client) -> None:
    mark_beginnings(marking, 4)
    values = filled_in(client.get(ADDRESS).content.decode())
    words = values["translation-A"][:4].strip()
    assert values["marks-A"].startswith(f"{words} | major")
    assert client.post(ADDRESS, values | {"slack": "1"}).status_code == 302
    [mark] = PracticeItem.objects.get().marks["A"]
    assert (mark["start"], mark["end"], mark["severity"]) == ([0, 1], [len(words) - 1, len(words) + 1], "major")
    assert f"“{words}”, major" in client.get(f"/campaigns/{marking.slug}/practise/").content.decode()


def test_expected_marks_are_written_a_line_each(marking: Campaign, client: Client) -> None:
    values = filled_in(client.get(ADDRESS).content.decode()) | {"translation-A": "Der Hund und der Hund."}
    marks = "Hund #2 | minor | the second one\n[missing] | major\n\nund der"
    assert client.post(ADDRESS, values | {"marks-A": marks}).status_code == 302
    [second, missing, joint] = PracticeItem.objects.get().marks["A"]
    assert (second["start"], second["note"], missing["tag"], joint["start"]) == (
        [17, 17],
        "the second one",
        "missing",
        [9, 9],
    )
    values |= {"source": "Another."}
    assert client.post(ADDRESS, values | {"marks-A": "", "no-marks-A": "on"}).status_code == 302
    assert PracticeItem.objects.get(position=2).marks == {"A": []}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"marks-A": "Hund | minor"}, "has these words 2 times"),
        ({"marks-A": "Katze\nHund #3"}, "does not have these words there"),
        ({"marks-A": "und | grave"}, "Unknown severity"),
        ({"marks-A": "[nonsense]"}, "Unknown tag"),
        ({"marks-A": "und", "no-marks-A": "on"}, "There are marks above"),
        ({"marks-A": "und", "slack": "900"}, "less than or equal to 50"),
        ({"beside": '{"document": "nowhere"}'}, "no such document"),
    ],
)
def test_marks_that_cannot_be_are_told(
    changed: dict[str, str], message: str, marking: Campaign, client: Client
) -> None:
    values = filled_in(client.get(ADDRESS).content.decode()) | {"translation-A": "Der Hund und der Hund."}
    answer = client.post(ADDRESS, values | changed)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not PracticeItem.objects.exists()


def test_what_lies_beside_the_text_lies_beside_the_item(
    marking: Campaign, client: Client, cast: Cast, client_of: Callable[[Account], Client], settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_DIR = tmp_path / "stored"
    values = filled_in(client.get(ADDRESS).content.decode())
    place = json.loads(values["beside"])
    (medium,) = sample_media.beside(
        marking.test_set, tmp_path, **{f"{place['document']}_wav": sample_media.wav()}
    ).values()
    document = marking.test_set.documents.get(name=place["document"])
    TextGuidance.objects.create(test_set=marking.test_set, document=document, instruction="Keep the tone.")
    address = f"/campaigns/{marking.slug}/practice/media/{medium.file_hash}"
    annotator = client_of(cast.annotator)
    assert annotator.get(address).status_code == 404
    assert client.post(ADDRESS, values).status_code == 302
    [item] = annotator.get(f"/api/v1/campaigns/{marking.slug}/practice/items").json()["items"]
    assert ([each["file"] for each in item["media"]], item["instruction"]) == ([medium.file_hash], "Keep the tone.")
    assert annotator.get(address).getvalue() == sample_media.wav()
    assert client_of(cast.stranger).get(address).status_code == 404
    assert place["document"] in client.get(f"/campaigns/{marking.slug}/practise/").text
