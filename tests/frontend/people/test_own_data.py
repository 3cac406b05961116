"""People see what is stored about them, take it along, and take back their consent."""

import json
from collections.abc import Callable
from typing import Any

from django.test import Client

import pytest

from annotation.actions.submitting import report_problem, save_draft
from annotation.models import Judgment
from campaigns.models import Account, Campaign, Membership, Role, TestSet, Withdrawal
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, score_of, take
from tests.sample_test_set import SYSTEMS

SignIn = Callable[[Account], Client]
HIDDEN = (*SYSTEMS, "regular", "repeat", "degraded", "damaged", "control", "kind", "system")


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, redundancy=2, repeats_share=0.3, degraded_share=0.3)


@pytest.fixture
def judged(campaign: Campaign, cast: Cast) -> Campaign:
    first, second, third, *_ = items_to_judge(take(campaign, cast.annotator))
    judge(first, 80, payload=score_of(80, comment="Only mine."))
    judge(first, 60, base_revision=1)
    judge(second, 70)
    save_draft(item=third, answer=score_of(33), base_revision=0)
    report_problem(item=third, annotator=cast.annotator, reason="other", note="A note.")
    judge(items_to_judge(take(campaign, cast.second_annotator))[0], 11, payload=score_of(11, comment="Not yours."))
    return campaign


def file_of(client: Client) -> tuple[dict[str, Any], str]:
    response: Any = client.get("/settings/data.json")
    text = b"".join(response.streaming_content).decode()
    assert response["Content-Disposition"].startswith("attachment")
    return json.loads(text), text


def test_the_file_contains_all_of_their_data_and_no_others(judged: Campaign, cast: Cast, client_of: SignIn) -> None:
    file, text = file_of(client_of(cast.annotator))
    assert file["account"]["username"] == "anna"
    assert [(row["revision"], row["answer"]["slots"]["A"]["score"]) for row in file["judgments"]] == [
        (1, 80), (2, 60), (1, 70),
    ]  # fmt: skip
    assert (len(file["drafts"]), file["problem_reports"][0]["note"]) == (1, "A note.")
    assert file["memberships"][0]["campaign"] == judged.name
    assert "Not yours." not in text


def test_the_file_tells_nothing_that_is_hidden_from_annotators(
    judged: Campaign,
    cast: Cast,
    client_of: SignIn,
) -> None:
    _file, text = file_of(client_of(cast.annotator))
    assert [word for word in HIDDEN if word in text.replace('"system"', "")] == []


def test_the_page_says_how_much_there_is_and_offers_to_withdraw(
    judged: Campaign, cast: Cast, client_of: SignIn
) -> None:
    client = client_of(cast.annotator)
    assert "/settings/data/" in client.get("/settings/").content.decode()
    page = client.get("/settings/data/").content.decode()
    assert '<td class="num">3</td>' in page
    assert f"/campaigns/{judged.slug}/withdraw/" in page
    assert "/settings/data.json" in page


@pytest.mark.parametrize("how", Withdrawal.values)
def test_consent_is_withdrawn_after_reading_what_happens(
    judged: Campaign, cast: Cast, client_of: SignIn, how: str
) -> None:
    Campaign.objects.filter(pk=judged.pk).update(on_withdrawal=how)
    client = client_of(cast.annotator)
    address = f"/campaigns/{judged.slug}/withdraw/"
    shown = client.get(address).content.decode()
    assert ("are erased" in shown, "random number" in shown) == (how == "erased", how != "erased")
    assert Judgment.objects.filter(annotator=cast.annotator).count() == 3, "looking changes nothing"
    assert client.post(address, follow=True).redirect_chain == [(f"/campaigns/{judged.slug}/guidelines/", 302)]
    assert Judgment.objects.filter(annotator=cast.annotator).count() == 0
    page = client.get(f"/campaigns/{judged.slug}/guidelines/").content.decode()
    assert "You have withdrawn your consent" in page
    assert 'name="agree"' not in page
    client.post(f"/campaigns/{judged.slug}/guidelines/", {"agree": "on", "name": ""})
    place = Membership.objects.get(campaign=judged, account=cast.annotator, role=Role.ANNOTATOR)
    assert place.consented_at is None, "there is no way back"
    assert client.get(address).status_code == 302
    assert judged.name not in client.get("/").content.decode()
    assert "Withdrawn on" in client.get("/settings/data/").content.decode()


def test_who_judges_elsewhere_withdraws_nothing_here(
    judged: Campaign,
    cast: Cast,
    client_of: SignIn,
) -> None:
    address = f"/campaigns/{judged.slug}/withdraw/"
    assert client_of(cast.organiser).post(address).status_code == 404
    assert client_of(cast.stranger).get(address).status_code == 404
    assert Client().get(address).status_code == 302


def test_before_agreeing_people_read_what_becomes_of_their_answers(
    campaign: Campaign, cast: Cast, client_of: SignIn
) -> None:
    Membership.objects.filter(role=Role.ANNOTATOR).update(consented_at=None)
    organiser = client_of(cast.organiser)
    texts = {"guidelines": "", "consent": "", "on_withdrawal": "erased"}
    organiser.post(f"/campaigns/{campaign.slug}/texts/", texts)
    page = client_of(cast.annotator).get(f"/campaigns/{campaign.slug}/guidelines/").content.decode()
    assert "Your answers are erased." in page
    client_of(cast.annotator).post(f"/campaigns/{campaign.slug}/guidelines/", {"agree": "on", "name": ""})
    organiser.post(f"/campaigns/{campaign.slug}/texts/", texts | {"on_withdrawal": "pseudonymised"})
    campaign.refresh_from_db()
    assert campaign.on_withdrawal == "erased", "somebody has agreed to it"
