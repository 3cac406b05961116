"""What a page or a program is told when it may no longer: to sign in again, or that it is over."""

from typing import Any

from django.test import Client

import pytest

from annotation.models import PracticeItem
from campaigns.actions.endings import close_account, remove_member, sign_out_everywhere
from campaigns.actions.enrolment import invite_people, nameless
from campaigns.actions.links import invite_account, revoke_invitation
from campaigns.models import Campaign, Membership, Role
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, anonymous, by_session, by_token
from tests.frontend.api.test_authentication import addresses


def _told(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def _place(campaign: Campaign, cast: Cast) -> Membership:
    return campaign.memberships.get(account=cast.annotator)


@pytest.mark.parametrize("way", [by_session, by_token])
def test_who_was_removed_is_told_that_it_is_over(
    planned: Campaign, cast: Cast, way: Any, taken: int, item: str
) -> None:
    anna = way(cast.annotator)
    remove_member(membership=_place(planned, cast), by=cast.organiser)
    told = {path: _told(anna.send(method, path)) for method, path in addresses(taken, item)[1:]}
    expected = (403, "access_ended") if way is by_session else (401, "token_ended")  # left nowhere: no token is left
    assert set(told.values()) == {expected if way is by_token else (403, "access_ended")}, told


def test_a_link_only_session_learns_it_though_its_link_ended_with_it(planned: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=planned, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    client = Client()
    client.post(f"/invitations/{issued.secret}/")
    page = ApiAnnotator(client)
    assignment = page.take()
    item = page.items(assignment)["items"][0]["id"]
    remove_member(membership=_place(planned, cast), by=cast.organiser)
    for method, path in addresses(assignment, item)[1:]:
        assert _told(page.send(method, path)) == (403, "access_ended"), path
    assert _told(page.get("assignments")) == (401, "signed_out")


def test_where_the_link_was_revoked_one_signs_in_again(planned: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=planned, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    client = Client()
    client.post(f"/invitations/{issued.secret}/")
    page = ApiAnnotator(client)
    assignment = page.take()
    item = page.items(assignment)["items"][0]["id"]
    revoke_invitation(invitation=issued.invitation, by=cast.organiser)
    assert _told(page.submit(assignment, item)) == (401, "signed_out")
    renewed = invite_account(campaign=planned, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    client.post(f"/invitations/{renewed.secret}/")
    assert page.submit(assignment, item).status_code == 201


def test_who_was_signed_out_everywhere_signs_in_again(planned: Campaign, cast: Cast) -> None:
    page, robot = by_session(cast.annotator), by_token(cast.annotator)
    sign_out_everywhere(account=cast.annotator, by=cast.organiser)
    assert _told(page.get("assignments")) == (401, "signed_out")
    assert _told(robot.get("assignments")) == (401, "token_ended")


@pytest.mark.parametrize("way", [by_session, by_token])
def test_whose_account_was_closed_is_told_that_it_is_over(planned: Campaign, cast: Cast, way: Any) -> None:
    anna = way(cast.annotator)
    close_account(account=cast.annotator, by=cast.organiser)
    for path in ("assignments", "account", "campaigns"):
        assert _told(anna.get(path)) == (403, "access_ended"), path


def test_strangers_and_the_unknown_are_told_what_they_were_before(planned: Campaign, cast: Cast, taken: int) -> None:
    assert _told(by_session(cast.stranger).get(f"assignments/{taken}/items")) == (404, "not_found")
    assert _told(anonymous().get(f"assignments/{taken}/items")) == (401, "signed_out")
    assert _told(by_token(cast.annotator, "read").get("assignments")) == (403, "scope_missing")
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.annotator, backend="django.contrib.auth.backends.ModelBackend")
    assert _told(ApiAnnotator(client).post("campaigns/planned-campaign/assignments")) == (403, "csrf_failed")
    assert _told(anonymous().get("nowhere")) == (404, "not_found")


def test_a_handed_out_token_needs_no_consent_of_its_own_and_is_shown_as_a_programs(
    planned: Campaign, cast: Cast, olive: ApiAnnotator
) -> None:
    made = olive.post("campaigns/planned-campaign/invitations", {"count": 1, "api_tokens": True}).json()["results"][0]
    robot = ApiAnnotator(Client(), {"Authorization": f"Token {made['token']}"})
    assert robot.take()
    members = {each["username"]: each for each in olive.get("campaigns/planned-campaign/members").json()["results"]}
    shown = members[made["username"]]
    assert (shown["is_program"], shown["consented_by"], shown["consented_at"] is not None) == (True, "olive", True)
    assert (members["anna"]["is_program"], members["anna"]["consented_by"]) == (False, None)


def test_practice_applies_to_programs_as_the_campaign_says(planned: Campaign, cast: Cast) -> None:
    planned.pass_mark = 1.0
    planned.save(update_fields=["pass_mark"])
    PracticeItem.objects.create(campaign=planned, position=1, source="One.", slots={"A": "Eins."})
    (admitted,) = invite_people(campaign=planned, people=nameless(1), by=cast.organiser, are_programs=True)
    robot = ApiAnnotator(Client(), {"Authorization": f"Token {admitted.token}"})
    assert _told(robot.post("campaigns/planned-campaign/assignments")) == (403, "practice_needed")
    assert robot.get("campaigns/planned-campaign/practice/items").status_code == 200
