"""A crowd's link: who may join by it, what it stores, and where people return to."""

from collections.abc import Callable

from django.test import Client

import pytest

from annotation.actions.practising import set_practice
from annotation.models import Assignment, AssignmentStatus
from campaigns.actions.crowds import screen_out
from campaigns.models import Account, Campaign, CampaignStatus, Crowd, CrowdPlace, Invitation, Membership, Session
from tests.cast import Cast
from tests.sample_crowd import make_crowd

ID = "5f1c0aFFee"


@pytest.fixture
def crowd(campaign: Campaign) -> Crowd:
    return make_crowd(campaign)


def address(crowd: Crowd, query: str = f"PROLIFIC_PID={ID}&STUDY_ID=s1&SESSION_ID=x9") -> str:
    return f"/join/{crowd.key}/?{query}"


def join(crowd: Crowd, query: str = f"PROLIFIC_PID={ID}&STUDY_ID=s1&SESSION_ID=x9") -> tuple[Client, str]:
    client = Client()
    return client, client.post(address(crowd, query)).text


def test_opening_the_link_stores_nothing_and_joining_stores_labels(crowd: Crowd) -> None:
    before = Account.objects.count()
    page = Client().get(address(crowd))
    assert page.status_code == 200
    assert page["Referrer-Policy"] == "strict-origin"
    assert Account.objects.count() == before
    client, text = join(crowd)
    place = CrowdPlace.objects.get()
    assert (place.participant, place.labels) == (ID, {"study": "s1", "session": "x9"})
    assert "/invitations/" in text
    assert Session.objects.get(account=place.membership.account).invitation == Invitation.objects.get()
    assert client.get(f"/campaigns/{crowd.campaign.slug}/guidelines/").status_code == 200


def test_the_personal_link_leads_back_from_another_browser_and_the_session_from_the_same(crowd: Crowd) -> None:
    client, text = join(crowd)
    link = text.partition("/invitations/")[2].partition("/")[0]
    other = Client()
    other.post(f"/invitations/{link}/")
    assert other.get(f"/campaigns/{crowd.campaign.slug}/guidelines/").status_code == 200
    assert client.get(address(crowd))["Location"] == f"/campaigns/{crowd.campaign.slug}/"
    assert client.post(address(crowd)).status_code == 302
    assert CrowdPlace.objects.count() == 1


@pytest.mark.parametrize("spelling", [ID, ID.upper(), f" {ID} "])
def test_the_same_person_is_refused_kindly_in_another_browser(crowd: Crowd, spelling: str) -> None:
    join(crowd)
    for answer in (
        Client().get(address(crowd, f"PROLIFIC_PID={spelling}")),
        Client().post(address(crowd, f"participant={spelling}")),
    ):
        assert answer.status_code == 409
        assert "You have begun already" in answer.text
        assert "personal link" in answer.text
    assert CrowdPlace.objects.count() == 1


def test_an_id_opens_no_account(crowd: Crowd) -> None:
    join(crowd)
    stranger = Client()
    stranger.post(address(crowd))
    assert stranger.get("/").status_code == 302


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("participant=" + "x" * 101, "longer than 100 characters"),
        ("participant=a%00b", "characters that cannot be seen"),
        ("participant=a%E2%80%AEb", "characters that cannot be seen"),
        ("PROLIFIC_PID={{%25PROLIFIC_PID%25}}", "did not fill in"),
        ("workerId=w&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE", "preview"),
        ("participant=a&PROLIFIC_PID=b", "two values"),
        ("", "does not contain your participant ID"),
        ("participant=%20", "does not contain your participant ID"),
    ],
)
def test_a_bad_link_is_refused_with_the_reason(crowd: Crowd, query: str, words: str) -> None:
    for answer in (Client().get(address(crowd, query)), Client().post(address(crowd, query))):
        assert answer.status_code == 400
        assert words in answer.text
    assert not CrowdPlace.objects.exists()


def test_a_script_is_a_label_like_any_other(crowd: Crowd, client_of: Callable[[Account], Client], cast: Cast) -> None:
    join(crowd, "participant=%3Cscript%3Ealert(1)%3C/script%3E&study=%3DCMD()")
    client = client_of(cast.organiser)
    page = client.get("/campaigns/harbour-campaign/people/crowd/").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert ",'=CMD()," in client.get("/campaigns/harbour-campaign/people/crowd.csv").text


def test_nobody_joins_when_all_places_are_taken_and_a_screened_out_person_frees_one(crowd: Crowd) -> None:
    for name in "abc":
        join(crowd, f"participant={name}")
    answer = Client().post(address(crowd, "participant=d%26x&study=s"))
    assert answer.status_code == 409
    assert 'href="https://crowd.example/full?pid=d%26x&amp;study=s"' in answer.text
    screen_out(CrowdPlace.objects.filter(participant="a").get().membership)
    assert "Keep your personal link" in join(crowd, "participant=d")[1]


def test_places_can_be_counted_for_each_value_of_a_label(campaign: Campaign) -> None:
    crowd = make_crowd(campaign, places=10, counted_label="wave", places_each=1, parameters={"wave": "wave"})
    answers = [join(crowd, f"participant={name}&wave={wave}")[1] for name, wave in (("a", 1), ("b", 1), ("c", 2))]
    assert ["Keep your personal link" in each for each in answers] == [True, False, True]


@pytest.mark.parametrize("status", [CampaignStatus.DRAFT, CampaignStatus.PAUSED, CampaignStatus.CLOSED])
def test_nobody_joins_a_campaign_that_is_not_open(crowd: Crowd, status: str) -> None:
    Campaign.objects.update(status=status)
    assert Client().post(address(crowd)).status_code == 409
    assert not CrowdPlace.objects.exists()


def test_nobody_joins_before_the_link_is_opened(campaign: Campaign) -> None:
    assert "Not open now" in Client().get(address(make_crowd(campaign, is_open=False))).text


def test_an_unknown_link_is_not_found(campaign: Campaign) -> None:
    assert Client().get("/join/nothing/").status_code == 404
    assert Client().get("/join/%00/").status_code == 404


def test_the_return_address_is_the_organisers_whatever_the_link_says(
    crowd: Crowd, make_assignment: Callable[..., Assignment]
) -> None:
    client, _text = join(
        crowd, f"participant={ID}&return=https://evil.example&completed=1&turkSubmitTo=https://evil.example"
    )
    place = CrowdPlace.objects.get()
    Membership.objects.filter(pk=place.membership_id).update(consented_at=place.joined_at)
    work = make_assignment(crowd.campaign, place.membership.account)
    assert "crowd.example" not in client.get(f"/assignments/{work.pk}/done/", follow=True).text
    Assignment.objects.update(status=AssignmentStatus.DONE, done=6, completion_code="ABCD-1234")
    link = f'href="https://crowd.example/done?pid={ID}&amp;code=ABCD-1234"'
    assert link in client.get(f"/assignments/{work.pk}/done/?return=https://evil.example").text
    page = client.get("/").text
    assert link in page
    assert "evil" not in page


def test_who_has_no_task_can_return(crowd: Crowd) -> None:
    client, _text = join(crowd)
    assert 'href="https://crowd.example/full?' in client.get("/").text
    screen_out(CrowdPlace.objects.get().membership)
    assert 'href="https://crowd.example/out?' in client.get("/").text
    set_practice(campaign=crowd.campaign, items=[], pass_mark=None, by=None)
    assert CrowdPlace.objects.get().screened_out_at is None
