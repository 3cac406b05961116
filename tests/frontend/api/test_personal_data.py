"""Programs, too, see what is stored, take back consent, and forget people; what is late is refused for good."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

from django.test import Client

import pytest

from annotation.models import Assignment, AssignmentStatus, Draft, Judgment
from campaigns.actions.tokens import make_api_token
from campaigns.models import Account, Campaign, Membership, Withdrawal
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, score_of, take
from tests.rows_made_once import made_once

SignIn = Callable[[Account], Client]


stored, cast, test_set, campaign = made_once(partial(make_planned_campaign, redundancy=2))


def send(client: Client, method: str, address: str, body: Any = None) -> Any:
    return client.generic(method, f"/api/v1/{address}", json.dumps(body or {}), "application/json")


def submission(score: int) -> dict[str, Any]:
    return {"client_id": str(uuid4()), "base_revision": 0, "answer": score_of(score)}


@pytest.mark.parametrize("how", Withdrawal.values)
@pytest.mark.parametrize("by_token", [True, False])
def test_who_withdrew_is_told_so_wherever_answers_are_sent(
    campaign: Campaign, cast: Cast, client_of: SignIn, how: str, by_token: bool
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(on_withdrawal=how)
    assignment = take(campaign, cast.annotator)
    first, second, *_ = items_to_judge(assignment)
    judge(first, 80)
    client = client_of(cast.annotator)
    if by_token:
        _token, secret = make_api_token(account=cast.annotator, name="program", by=None, scopes=["judge"])
        client = Client(headers={"Authorization": f"Token {secret}"})
    withdrawn = send(client, "POST", f"campaigns/{campaign.slug}/withdrawal")
    assert withdrawn.status_code == 200
    assert withdrawn.json()["answers"] == how
    assert send(client, "POST", f"campaigns/{campaign.slug}/withdrawal").json() == withdrawn.json()
    items = f"assignments/{assignment.pk}/items"
    late = {
        f"{items}/{second.public_id}/judgments": ("POST", submission(50)),
        f"{items}/{first.public_id}/judgments": ("POST", submission(50)),
        f"{items}/{second.public_id}/draft": ("PUT", {"answer": score_of(3), "base_revision": 0}),
        f"{items}/{second.public_id}/reports": ("POST", {"reason": "display"}),
        f"campaigns/{campaign.slug}/assignments": ("POST", {}),
        items: ("GET", None),
    }
    told = {address: send(client, method, address, body) for address, (method, body) in late.items()}
    assert {address: response.status_code for address, response in told.items()} == dict.fromkeys(late, 410)
    assert Judgment.objects.filter(annotator=cast.annotator).count() == Draft.objects.count() == 0
    assert send(client, "GET", "assignments").json() == {"results": []}


@pytest.mark.parametrize("how", Withdrawal.values)
def test_who_withdrew_finds_nothing_of_others(campaign: Campaign, cast: Cast, client_of: SignIn, how: str) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(on_withdrawal=how)
    own, others = take(campaign, cast.annotator), take(campaign, cast.second_annotator)
    judge(items_to_judge(own)[0], 80)
    judge(items_to_judge(others)[0], 80)
    client = client_of(cast.annotator)
    send(client, "POST", f"campaigns/{campaign.slug}/withdrawal")
    waiting = Assignment.objects.get(status=AssignmentStatus.PLANNED, content=own.content)
    told = {pk: send(client, "GET", f"assignments/{pk}/items").status_code for pk in (own.pk, others.pk, waiting.pk)}
    assert told == {own.pk: 410, others.pk: 404, waiting.pk: 404}


def test_a_repeated_request_is_not_told_the_number_again(campaign: Campaign, cast: Cast, client_of: SignIn) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0], 80)
    client, address = client_of(cast.organiser), f"/api/v1/campaigns/{campaign.slug}/annotators/anna/forgetting"
    first, again = (
        client.post(address, {"how": "pseudonymised"}, "application/json", headers={"Idempotency-Key": "anna"})
        for _attempt in range(2)
    )
    assert first.json()["numbers"] == [Account.objects.get(is_number=True).username]
    assert again.json() == {**first.json(), "numbers": None}


def test_others_find_nothing_as_before(campaign: Campaign, cast: Cast, client_of: SignIn) -> None:
    assignment = take(campaign, cast.annotator)
    address = f"assignments/{assignment.pk}/items"
    for account in (cast.second_annotator, cast.stranger):
        assert send(client_of(account), "GET", address).status_code == 404
    assert send(client_of(cast.organiser), "POST", f"campaigns/{campaign.slug}/withdrawal").status_code == 404


def test_a_person_is_forgotten_and_everything_stored_is_told(campaign: Campaign, cast: Cast, client_of: SignIn) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0], 80)
    stored: Any = client_of(cast.annotator).get("/api/v1/account/data")
    told = json.loads(b"".join(stored.streaming_content))
    assert [row["answer"]["slots"]["A"]["score"] for row in told["judgments"]] == [80]
    organiser = client_of(cast.organiser)
    address = f"campaigns/{campaign.slug}/annotators/anna/forgetting"
    assert send(organiser, "POST", address, {"how": "burned"}).status_code == 422
    assert send(organiser, "POST", address, {}).json()["errors"].keys() == {"how"}
    assert send(client_of(cast.researcher), "POST", address, {"how": "erased"}).status_code == 404
    done = send(organiser, "POST", address, {"how": "pseudonymised"}).json()
    number = Account.objects.get(is_number=True)
    assert done == {"campaigns": [campaign.slug], "numbers": [number.username], "has_no_account": False}
    assert Judgment.objects.get().annotator == number


def test_what_becomes_of_answers_is_chosen_until_somebody_agrees(
    campaign: Campaign,
    cast: Cast,
    client_of: SignIn,
) -> None:
    organiser = client_of(cast.organiser)
    wish = {"on_withdrawal": "erased"}
    assert send(organiser, "PATCH", f"campaigns/{campaign.slug}", wish).json()["errors"].keys() == {"on_withdrawal"}
    Membership.objects.filter(campaign=campaign).update(consented_at=None)
    assert send(organiser, "PATCH", f"campaigns/{campaign.slug}", wish).json()["on_withdrawal"] == "erased"
