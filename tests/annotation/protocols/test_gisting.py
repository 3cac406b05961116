"""Comprehension questions: what is right, what is read by whom, and what stays on the server."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from django.urls import reverse

import pytest

from annotation.actions.creating import create_campaign
from annotation.actions.returning import reset_assignment
from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, AssignmentStatus, Item, Judgment, Score
from annotation.protocols import protocol_for
from annotation.protocols.base import ShownQuestion
from annotation.protocols.gisting import is_right
from annotation.queries.annotator_work import item_sheet
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Planning, Reference, StandsFor, System, TestSet
from tests.annotation.protocols.battery import ProtocolAtWork, ProtocolContract
from tests.cast import Cast, make_person
from tests.frontend.api.api_annotator import ApiAnnotator, by_session
from tests.planned_campaign import add_annotator, make_planned_campaign, take
from tests.sample_questions import RIGHT_CHOICE, RIGHT_WORDS, WRONG_CHOICE, answers, ask_questions
from tests.sample_test_set import SYSTEMS

TYPED = ShownQuestion("what", "What?", (), ("an hour", "60 minutes"))
CHOSEN = ShownQuestion("why", "Why?", ("Fog", "fog."), ("Fog",))


class TestGisting(ProtocolContract):
    name = "gisting"


class TestGistingAtWork(ProtocolAtWork):
    name = "gisting"

    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]:
        return dict(answers(what=f"pears {variant}"))

    def practised(self, item: Mapping[str, Any]) -> dict[str, Any]:
        typed = {question["name"]: "They end." for question in item["questions"]}
        return {"slots": {"A": {"answers": typed}}, "comment": "", "cannot_judge": None}

    def complete(self, test_set: TestSet) -> None:
        ask_questions(test_set)

    @pytest.fixture
    def test_set(self, make_test_set: Callable[..., TestSet]) -> TestSet:
        made = make_test_set()
        ask_questions(made)
        return made


@pytest.fixture
def question_set(test_set: TestSet) -> TestSet:
    ask_questions(test_set)
    return test_set


@pytest.fixture
def gisting(question_set: TestSet, cast: Cast) -> Campaign:
    options = {"read_source": True, "read_reference": True}
    return make_planned_campaign(question_set, cast, protocol="gisting", options=options)


def readers(campaign: Campaign, count: int) -> list[ApiAnnotator]:
    accounts = [make_person(f"reader{number}", f"Reader {number}") for number in range(count)]
    for account in accounts:
        add_annotator(campaign, account)
    return [by_session(account) for account in accounts]


def refusal(test_set: TestSet, **parameters: Any) -> dict[str, list[str]]:
    with pytest.raises(InvalidInput) as caught:
        create_campaign(spec=CampaignSpec(name="Read", protocol="gisting", **parameters), test_set=test_set)
    return dict(caught.value.errors)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        (TYPED, "An hour!", True),
        (TYPED, "٦٠ minutes", True),
        (TYPED, "hour", False),
        (TYPED, "", False),
        (TYPED, None, False),
        (CHOSEN, "Fog", True),
        (CHOSEN, "fog.", False),
    ],
)
def test_what_is_right(question: ShownQuestion, answer: object, *, expected: bool) -> None:
    assert is_right(question, answer) is expected


def test_each_question_is_a_cell_of_the_row() -> None:
    item = TestGisting().item("segment")
    protocol = protocol_for("gisting", {})
    answer = protocol.parse_answer({"slots": {"A": {"answers": {"2": "an hour", "why": "Fog"}}}}, item)
    row = {"why_A": "Fog", "2_A": "an hour", "cannot_judge": None, "comment": ""}
    assert list(protocol.csv_row(answer).items()) == list(row.items())


def test_every_text_of_a_document_is_read_once_by_people_of_their_own(gisting: Campaign) -> None:
    texts = [*SYSTEMS, "reference", "source"]
    assert sorted(gisting.systems.values_list("name", flat=True)) == sorted(texts)
    for reader in readers(gisting, len(texts)):
        taken = reader.take()
        shown = reader.items(taken)
        assert [item["level"] for item in shown["items"]] == ["document", "document"]
        assert len({item["title"] for item in shown["items"]}) == 2
        assert shown["total"] == 2
        for item in shown["items"]:
            assert reader.submit(taken, item["id"], answer=answers()).status_code == 201
        assert reader.post("campaigns/planned-campaign/assignments").status_code == 204
    right = Score.objects.filter(measure="correct").values_list("document__name", "system__name")
    assert Counter(right) == Counter((document, text) for document in ("harbour", "orchard") for text in texts)


def test_source_and_reference_are_read_as_they_stand(gisting: Campaign) -> None:
    sources, translations = set(), set()
    for reader in readers(gisting, 5):
        for line in reader.items(reader.take())["context"]:
            assert (line["source"] is None) != (line["text"] is None)
            assert line["reference"] is None
            sources.add(line["source"])
            translations.add(line["text"])
    assert "The ferry left an hour late." in sources
    assert set(Reference.objects.values_list("text", flat=True)) <= translations


def test_only_systems_are_read_by_default(question_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(question_set, cast, protocol="gisting")
    assert set(campaign.systems.values_list("name", flat=True)) == set(SYSTEMS)
    assert not System.objects.exclude(stands_for="").exists()


def test_campaigns_share_their_stand_ins_and_other_protocols_never_meet_them(gisting: Campaign, cast: Cast) -> None:
    make_planned_campaign(gisting.test_set, cast, protocol="gisting", options={"read_source": True}, name="Again")
    assert System.objects.filter(stands_for=StandsFor.SOURCE).count() == 1
    scored = make_planned_campaign(gisting.test_set, cast, name="Scored")
    assert set(scored.systems.values_list("name", flat=True)) == set(SYSTEMS)


def test_a_system_that_is_called_source_keeps_its_name(question_set: TestSet, cast: Cast) -> None:
    System.objects.create(test_set=question_set, name="source")
    campaign = make_planned_campaign(question_set, cast, protocol="gisting", options={"read_source": True})
    assert campaign.systems.get(stands_for=StandsFor.SOURCE).name == "source text"


def test_documents_without_questions_are_left_out(question_set: TestSet, cast: Cast) -> None:
    question_set.documents.get(name="orchard").questions.all().delete()
    campaign = make_planned_campaign(question_set, cast, protocol="gisting")
    assert {item.document.name for each in campaign.assignments.all() for item in each.items.all()} == {"harbour"}
    assert set(campaign.assignments.values_list("total", flat=True)) == {1}


def test_impossible_options_are_refused_with_a_message(test_set: TestSet, cast: Cast) -> None:
    assert "No document has questions" in refusal(test_set)["test_set"][0]
    ask_questions(test_set)
    refused = refusal(test_set, repeats_share=0.1, degraded_share=0.1)
    assert sorted(refused) == ["degraded_share", "repeats_share"]
    assert "cannot use repeated items" in refused["repeats_share"][0]
    Reference.objects.all().delete()
    assert "without a reference" in refusal(test_set, options={"read_reference": True})["test_set"][0]
    assert sorted(refusal(test_set, systems_per_segment=5)) == ["systems_per_segment"]
    assert not System.objects.exclude(stands_for="").exists()


def test_a_text_opened_is_a_text_met_even_if_nothing_was_answered(question_set: TestSet, cast: Cast) -> None:
    """From a pool it goes to others, and who looked at it does not get the same document in another translation."""
    campaign = make_planned_campaign(question_set, cast, protocol="gisting", planning=Planning.POOL)
    take(campaign, cast.annotator)
    Assignment.objects.filter(annotator=cast.annotator).update(expires_at="2026-01-01T00:00Z")
    assert take(campaign, cast.second_annotator).round == 0
    assert campaign.assignments.filter(status=AssignmentStatus.PLANNED).count() == 2
    reader = by_session(cast.annotator)
    assert reader.post("campaigns/planned-campaign/assignments").status_code == 204


def responses_to(reader: ApiAnnotator) -> list[Any]:
    taken = reader.take()
    responses = [reader.get(f"assignments/{taken}/items")]
    for item in responses[0].json()["items"]:
        responses.append(reader.draft(taken, item["id"], answers("x")))
        responses.append(reader.submit(taken, item["id"], answer=answers("Rain", "")))
        responses.append(reader.submit(taken, item["id"], answer={"slots": {"A": {"answers": {"what": 7}}}}))
        responses.append(reader.submit(taken, item["id"], answer=answers(WRONG_CHOICE, "berries")))
        responses.append(reader.submit(taken, item["id"], answer=answers(WRONG_CHOICE, "cherries")))
        responses.append(reader.submit(taken, item["id"], answer=answers(WRONG_CHOICE, "plums"), base_revision=1))
    responses += [reader.get(f"assignments/{taken}/items"), reader.get("assignments")]
    responses.append(reader.client.get(reverse("annotator-assignment", args=[taken])))
    return responses


def test_accepted_answers_never_leave_the_server(gisting: Campaign, cast: Cast) -> None:
    responses = responses_to(by_session(cast.annotator))
    assert {response.status_code for response in responses} == {200, 201, 204, 409, 422}
    for response in responses:
        body = response.content.decode()
        assert not [word for word in (*RIGHT_WORDS, "accepted", "correct", *SYSTEMS) if word in body]


def test_questions_do_not_reveal_their_answers(gisting: Campaign, cast: Cast) -> None:
    reader = by_session(cast.annotator)
    why, what = reader.items(reader.take())["items"][0]["questions"]
    assert (sorted(why), sorted(what)) == (["choices", "name", "text"],) * 2
    assert len(why["choices"]) == 3
    assert what["choices"] == []


def test_an_answer_is_graded_and_stored_as_entered(gisting: Campaign, cast: Cast) -> None:
    reader = by_session(cast.annotator)
    taken = reader.take()
    item = reader.items(taken)["items"][0]["id"]
    reader.submit(taken, item, answer=answers(WRONG_CHOICE, " Sentinel  PEARS. "))
    judgment = Judgment.objects.get()
    assert judgment.answer["slots"]["A"]["answers"]["what"] == " Sentinel  PEARS. "
    assert judgment.elapsed_ms
    assert dict(judgment.scores.values_list("measure", "value")) == {"correct": 1, "asked": 2}
    assert json.dumps(judgment.answer)
    reader.submit(taken, item, answer=answers(), base_revision=1)
    assert Judgment.objects.get(revision=2).scores.get(measure="correct").value == 2


def test_a_reset_asks_others_since_nobody_reads_a_document_twice(gisting: Campaign, cast: Cast) -> None:
    reader = by_session(cast.annotator)
    taken = reader.take()
    item = reader.items(taken)["items"][0]["id"]
    reader.submit(taken, item, answer=answers())
    anew = reset_assignment(assignment=Assignment.objects.get(pk=taken), by=cast.organiser)
    assert (anew.annotator, anew.status, anew.total) == (None, AssignmentStatus.PLANNED, 2)
    assert reader.post("campaigns/planned-campaign/assignments").status_code == 204
    assert take(gisting, cast.second_annotator) is not None


def test_an_organiser_sees_the_text_that_was_read_with_answers_and_accepted_ones(gisting: Campaign, cast: Cast) -> None:
    shown, texts = set(), set()
    for reader in readers(gisting, 5):
        taken = reader.take()
        for public in [item["id"] for item in reader.items(taken)["items"]]:
            reader.submit(taken, public, answer=answers(WRONG_CHOICE, "berries"))
            item = Item.objects.select_related("document", "segment", "assignment__campaign").get(public_id=public)
            sheet = item_sheet(gisting, item)
            (slot,) = sheet.slots
            texts.add(slot.systems[0])
            assert (slot.shown.text or "").count("\n") == 2
            shown |= {(each.answer, each.shown.accepted) for each in sheet.questions}
    assert texts == {*SYSTEMS, "source", "reference"}
    assert shown == {(WRONG_CHOICE, (RIGHT_CHOICE,)), ("berries", RIGHT_WORDS)}


def test_the_organisers_page_of_an_item_shows_them(gisting: Campaign, cast: Cast) -> None:
    reader = by_session(cast.annotator)
    taken = reader.take()
    public = reader.items(taken)["items"][0]["id"]
    reader.submit(taken, public, answer=answers(WRONG_CHOICE, "berries"))
    address = reverse("organiser-item", args=[gisting.slug, public])
    page = by_session(cast.organiser).client.get(address).content.decode()
    assert "berries" in page
    assert " | ".join(RIGHT_WORDS) in page
    assert by_session(cast.annotator).client.get(address).status_code in (403, 404)
