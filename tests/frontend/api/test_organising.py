"""What organisers' pages show and take away, by the API."""

from pathlib import Path
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile

from pytest_django import Settings

from annotation.models import PROBLEM_REASONS, PracticeAnswer, PracticeItem
from campaigns.models import Campaign
from metrics.models import ImportedScores
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator
from tests.planned_campaign import items_to_judge, judge, take
from tests.sample_test_set import WOMBAT

REASON = next(iter(PROBLEM_REASONS))
SLUG = "campaigns/planned-campaign"
TEST_SET = "test-sets/harbour-and-orchard"


def test_the_first_texts_are_shown_as_annotators_will_see_them(
    planned: Campaign, olive: ApiAnnotator, page: ApiAnnotator
) -> None:
    first = olive.get(f"{SLUG}/preview").json()["items"][0]
    assert set(first) == set(page.items(page.take())["items"][0])
    assert (first["answer"], first["draft"]) == (None, None)


def test_an_item_is_shown_with_its_systems_its_answer_and_what_was_reported(
    planned: Campaign, olive: ApiAnnotator, page: ApiAnnotator, cast: Cast
) -> None:
    assignment = page.take()
    item = page.items(assignment)["items"][0]["id"]
    shown = olive.get(f"{SLUG}/items/{item}").json()
    assert shown["answer"] is None
    page.submit(assignment, item, 64)
    page.report(assignment, item, {"reason": REASON, "note": "Torn."})
    shown = olive.get(f"{SLUG}/items/{item}").json()
    assert shown["answer"]["scores"][0]["value"] == 64
    assert shown["slots"][0]["systems"]
    assert [report["note"] for report in shown["reports"]] == ["Torn."]


def test_progress_has_its_days_its_hours_and_its_end(planned: Campaign, olive: ApiAnnotator, cast: Cast) -> None:
    judge(items_to_judge(take(planned, cast.annotator))[0], 50)
    progress = olive.get(f"{SLUG}/progress").json()
    assert [day["sum"] for day in progress["days"]] == [1]
    assert (sum(progress["hours"]), len(progress["hours"])) == (1, 24)
    assert progress["expectation"]["outlook"] == "too_early"
    assert {line["username"]: line["judgments"] for line in progress["annotators"]}[cast.annotator.username] == 1


def test_practice_tells_how_annotators_do(planned: Campaign, olive: ApiAnnotator, cast: Cast) -> None:
    item = PracticeItem.objects.create(campaign=planned, position=1, source="One.", slots={"A": "Eins."})
    PracticeAnswer.objects.create(
        item=item, annotator=cast.annotator, attempt=1, answer={}, is_right=True, client_id=uuid4()
    )
    (answer,) = olive.get(f"{SLUG}/practice/answers").json()["results"]
    assert (answer["annotator"], answer["item"], answer["is_right"]) == (cast.annotator.username, 1, True)
    right = {each["annotator"]: each["right"] for each in olive.get(f"{SLUG}/practice").json()["annotators"]}
    assert right == {cast.annotator.username: 1, cast.second_annotator.username: 0}


def test_imported_scores_are_listed_and_taken_away(
    planned: Campaign, olive: ApiAnnotator, rhea: ApiAnnotator, settings: Settings, tmp_path: Path
) -> None:
    settings.UPLOAD_DIR = tmp_path
    file = SimpleUploadedFile("Owl.sys.score", f"{WOMBAT}\t0.5\n".encode())
    form = {"file": file, "metric": "Owl", "skip_bad_rows": "true", "references": ["nobody"]}
    refused = olive.client.post(f"/api/v1/{TEST_SET}/scores", form, headers=olive.headers)
    assert refused.status_code == 422, refused.content
    file.seek(0)
    form.pop("references")
    stored = olive.client.post(f"/api/v1/{TEST_SET}/scores", form, headers=olive.headers)
    assert stored.status_code == 201, stored.content
    (listed,) = rhea.get(f"{TEST_SET}/imports").json()["results"]
    assert (listed["metric"], listed["file_name"], listed["imported_by"]) == ("Owl", "Owl.sys.score", "olive")
    assert rhea.delete(f"{TEST_SET}/imports/{listed['id']}").status_code == 404
    assert olive.delete(f"{TEST_SET}/imports/{listed['id']}").status_code == 204
    assert not ImportedScores.objects.exists()


def test_a_plan_is_added_up_before_it_is_made(planned: Campaign, olive: ApiAnnotator) -> None:
    asked = {"test_set": "harbour-and-orchard", "protocol": "direct_assessment"}
    once, twice = (olive.post("plans", asked | {"redundancy": many}).json() for many in (1, 2))
    assert twice["judgments"] == 2 * once["judgments"] > 0
    assert twice["seconds"] > once["seconds"]
    assert olive.post("plans", {"protocol": "direct_assessment"}).json()["errors"]["test_set"]
    assert olive.post("plans", asked | {"options": {"nonsense": 1}}).status_code == 422
    cost = olive.get(f"{SLUG}/extension").json()
    assert (cost["redundancy"], cost["assignments"]) == (1, 1)
