"""Tags, and who may adjudicate, by the API and on the pages."""

from collections.abc import Callable

from django.test import Client

from campaigns.models import Account, Campaign, Role, Segment
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator
from tests.sample_test_set import WOMBAT

SLUG = "campaigns/planned-campaign"
PLACE = {"document": "orchard", "segment": "1", "tag": "idiom"}
DECISION = {"document": "orchard", "segment": "1", "system": WOMBAT, "answer": {"score": 80}, "reason": "Read again."}
ClientOf = Callable[[Account], Client]


def test_a_researcher_tags_a_segment_and_takes_it_back(rhea: ApiAnnotator, planned: Campaign) -> None:
    made = rhea.post(f"{SLUG}/segments/tags", PLACE)
    assert made.status_code == 201, made.content
    assert made.json()["tags"][-1] == "idiom"
    query = "document=orchard&segment=1&tag=idiom"
    assert rhea.delete(f"{SLUG}/segments/tags?{query}").status_code == 204
    assert rhea.delete(f"{SLUG}/segments/tags?{query}").status_code == 422
    for wrong, field in ((PLACE | {"segment": "99"}, "segment"), (PLACE | {"tag": "a,b"}, "tag")):
        answer = rhea.post(f"{SLUG}/segments/tags", wrong)
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [field])
    assert rhea.delete(f"{SLUG}/segments/tags?document=orchard").status_code == 422


def test_on_the_page_a_tag_stands_at_once(planned: Campaign, cast: Cast, client_of: ClientOf) -> None:
    segment = Segment.objects.get(document__name="orchard", name="1", document__test_set=planned.test_set)
    client, at = client_of(cast.researcher), f"/{SLUG}/segments/{segment.pk}/tags/"
    page = client.post(at, {"tag": "<i>dom"}, follow=True)
    assert "Remove the tag &lt;i&gt;dom" in page.content.decode()
    assert "A tag has from 1" in client.post(at, {"tag": " "}, follow=True).content.decode()
    assert "Remove the tag" not in client.post(f"{at}remove/", {"tag": "<i>dom"}, follow=True).content.decode()
    assert client_of(cast.annotator).post(at, {"tag": "x"}).status_code == 404


def test_a_researcher_adjudicates_when_an_organiser_lets_them(
    olive: ApiAnnotator, rhea: ApiAnnotator, planned: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    assert rhea.post(f"{SLUG}/adjudications", DECISION).status_code == 404
    assert rhea.put(f"{SLUG}/adjudicators/rhea", None).status_code == 404, "nobody lets themselves"
    assert olive.put(f"{SLUG}/adjudicators/rhea", None).status_code == 204
    assert rhea.post(f"{SLUG}/adjudications", DECISION).status_code == 201
    assert olive.delete(f"{SLUG}/adjudicators/rhea").status_code == 204
    assert rhea.post(f"{SLUG}/adjudications", DECISION).status_code == 404
    place = planned.memberships.get(role=Role.RESEARCHER)
    organiser = client_of(cast.organiser)
    page = organiser.post(f"/{SLUG}/members/{place.pk}/adjudicating/", {"may": "yes"}, follow=True).content.decode()
    assert "Rhea Lindqvist can now adjudicate." in page
    annotator = planned.memberships.filter(role=Role.ANNOTATOR)[0]
    assert organiser.post(f"/{SLUG}/members/{annotator.pk}/adjudicating/", {"may": "yes"}).status_code == 404
