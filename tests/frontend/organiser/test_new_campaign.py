"""A new campaign from dropped files: what is asked, what is refused, and that nothing typed is lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from annotation.models import PracticeItem
from annotation.protocols.direct_assessment import DirectAssessment
from campaigns.models import Account, Campaign, Segment, System, TestSet
from campaigns.queries import questionnaire_of, questions_of
from jobs.actions import claim_run, perform_run
from jobs.models import Run, RunStatus
from tests.cast import Cast
from tests.sample_questionnaire import QUESTIONS, make_questionnaire
from tests.sample_test_set import WOMBAT

ClientOf = Callable[[Account], Client]
TABLE = "document,segment,source,Heron,Rook\n" + "".join(f"d{n},1,Source {n},Gut {n},Schlecht {n}\n" for n in range(4))
FORM = {
    "name": "Fresh news",
    "protocol": "direct_assessment",
    "source_language": "en",
    "target_language": "de",
    "redundancy": "2",
    "items_per_assignment": "10",
    "repeats": "0",
    "degraded": "0",
    "direct_assessment-judge_against": "source",
    "direct_assessment-show_number": "on",
    "direct_assessment-anchors": "0 Nothing\n100 All",
    "guidelines": "Read *well*.",
    "open_now": "on",
}


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.organiser)


def drop(client: Client, *files: tuple[str, str]) -> Any:
    sent = [SimpleUploadedFile(name, text.encode()) for name, text in files]
    return client.post("/new-campaign/uploads/", {"files": sent})


def perform() -> Run:
    """What a worker does with the run that waits."""
    run = claim_run(Run.objects.get(status=RunStatus.QUEUED).pk)
    assert run is not None
    return perform_run(run)


def test_a_dropped_table_is_read_and_shown(client: Client) -> None:
    response = drop(client, ("../../etc/set.csv", TABLE))
    assert b"Reading the files" in response.content
    run = perform()
    assert Path(run.arguments["files"][0]["path"]).is_relative_to(Path(run.arguments["files"][0]["path"]).parents[1])
    page = client.get(f"/new-campaign/uploads/{run.arguments['upload']}/").content.decode()
    assert "csv: 2 systems, 0 references, 4 documents, 4 segments" in page
    assert "Source 2" in page


def test_errors_in_a_file_are_reported_with_their_line(client: Client) -> None:
    drop(client, ("set.csv", TABLE + "d9,1,,Gut,Schlecht\n"))
    page = client.get(f"/new-campaign/uploads/{perform().arguments['upload']}/").content.decode()
    assert "1 row cannot be used" in page
    assert "Empty source" in page
    assert "Skip these rows" in page


def test_files_of_a_parallel_text_get_their_sides(client: Client) -> None:
    drop(client, ("source.en.txt", "One\nTwo\n"), ("Heron.de.txt", "Eins\nZwei\n"), ("other.txt", "Un\nDeux\n"))
    first = perform()
    assert [file["side"] for file in first.arguments["files"]] == ["source", "system", "system"]
    address = f"/new-campaign/uploads/{first.arguments['upload']}/"
    client.post(address, {"side-2": "reference", "name-2": "B"})
    perform()
    assert "text: 1 system, 1 reference, 1 document, 2 segments" in client.get(address).content.decode()


def test_anothers_upload_is_not_found(client: Client, cast: Cast, client_of: ClientOf) -> None:
    drop(client, ("set.csv", TABLE))
    address = f"/new-campaign/uploads/{Run.objects.get().arguments['upload']}/"
    stranger = client_of(cast.stranger)
    assert [stranger.get(address).status_code, stranger.post(f"{address}remove/").status_code] == [404, 404]


def test_who_may_not_make_campaigns_gets_nowhere(cast: Cast, client_of: ClientOf) -> None:
    for account in (cast.annotator, cast.researcher):
        assert client_of(account).get("/new-campaign/").status_code == 403
        assert drop(client_of(account), ("set.csv", TABLE)).status_code == 403
    assert not Run.objects.exists()


@pytest.mark.parametrize(("megabytes", "files", "word"), [(0, [("a.csv", TABLE)], "more than"), (1, [], "No file")])
def test_too_much_or_nothing_is_refused(
    client: Client, settings: Settings, megabytes: int, files: list[tuple[str, str]], word: str
) -> None:
    settings.UPLOAD_MEGABYTES = megabytes
    big = [(name, text * 2_000) for name, text in files]  # below what is refused before it is read
    response = drop(client, *big)
    assert response.status_code == 422
    assert word in response.content.decode()


def test_the_sums_follow_the_inspection(client: Client) -> None:
    assert b"Drop a test set" in client.get("/new-campaign/sums/", FORM).content
    drop(client, ("set.csv", TABLE))
    upload = perform().arguments["upload"]
    page = client.get("/new-campaign/sums/", FORM | {"upload": upload, "annotators": "4"}).content.decode()
    assert "Segments × systems: 4 × 2" in page
    assert "16" in page


def test_a_campaign_is_made_from_the_files(client: Client, cast: Cast) -> None:
    drop(client, ("set.csv", TABLE))
    response = client.post("/new-campaign/", FORM | {"upload": perform().arguments["upload"]})
    assert response.status_code == 302
    assert b"Waiting for a worker" in client.get(response["Location"]).content
    assert perform().status == RunStatus.DONE
    assert 'action="/campaigns/fresh-news/created/"' in client.get(response["Location"]).content.decode()
    campaign = Campaign.objects.get()
    assert (campaign.status, campaign.redundancy, campaign.guidelines) == ("open", 2, "Read *well*.")
    assert campaign.options["anchors"] == [[0, "Nothing"], [100, "All"]]
    assert campaign.assignments.count() == 2
    assert campaign.created_by == cast.organiser


def test_a_campaign_on_a_test_set_that_is_here_needs_no_files(client: Client, test_set: TestSet, cast: Cast) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    client.post("/new-campaign/", FORM | {"test_set": str(test_set.pk)})
    assert perform().status == RunStatus.DONE
    assert Campaign.objects.get().test_set == test_set


def test_a_shared_pool_hands_out_small_parts_for_a_time(client: Client, test_set: TestSet, cast: Cast) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    fields = {"test_set": str(test_set.pk), "planning": "pool", "items_per_assignment": "", "reservation_minutes": "15"}
    client.post("/new-campaign/", FORM | fields)
    assert perform().status == RunStatus.DONE
    campaign = Campaign.objects.get()
    assert (campaign.planning, campaign.items_per_assignment, campaign.reservation_minutes) == ("pool", 20, 15)


def test_what_becomes_of_answers_after_withdrawal_is_chosen_at_once(
    client: Client, test_set: TestSet, cast: Cast
) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    page = client.get("/new-campaign/").content.decode()
    assert '<option value="pseudonymised" selected>' in page
    client.post("/new-campaign/", FORM | {"test_set": str(test_set.pk), "on_withdrawal": "erased"})
    assert perform().status == RunStatus.DONE
    campaign = Campaign.objects.get()
    assert campaign.on_withdrawal == "erased"
    assert '<option value="erased" selected>' in client.get(f"/new-campaign/?like={campaign.slug}").content.decode()


def test_a_campaign_requested_before_there_was_a_choice_is_made(client: Client, test_set: TestSet, cast: Cast) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    client.post("/new-campaign/", FORM | {"test_set": str(test_set.pk)})
    run = Run.objects.get(kind="new_campaign")
    Run.objects.update(arguments={name: value for name, value in run.arguments.items() if name != "on_withdrawal"})
    assert perform().status == RunStatus.DONE
    assert Campaign.objects.get().on_withdrawal == "pseudonymised"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"on_withdrawal": "sold"}, "on_withdrawal"),
        ({"planning": "lottery"}, "planning"),
        ({"reservation_minutes": "0"}, "reservation_minutes"),
        ({"name": ""}, "name"),
        ({"name": "新闻"}, "name"),
        ({"protocol": "nonsense"}, "protocol"),
        ({"redundancy": "0"}, "redundancy"),
        ({"degraded": "101"}, "degraded"),
        ({"upload": ""}, "test_set"),
        ({"target_language": ""}, "target_language"),
        ({"direct_assessment-anchors": "much Nothing"}, "direct_assessment-anchors"),
        ({"direct_assessment-anchors": "50 b\n10 a"}, "direct_assessment-anchors"),
    ],
)
def test_each_error_is_beside_its_field_and_nothing_typed_is_lost(
    client: Client, change: dict[str, str], field: str
) -> None:
    drop(client, ("set.csv", TABLE))
    filled = {**FORM, "upload": perform().arguments["upload"], **change}
    response = client.post("/new-campaign/", filled)
    assert response.status_code == 422
    assert field in response.context["form"].errors
    assert "Read *well*." in response.content.decode()
    assert not Run.objects.filter(kind="new_campaign").exists()


def test_all_errors_are_shown_beside_their_fields_at_once(client: Client, test_set: TestSet) -> None:
    """What the fields themselves refuse, what the protocol refuses, and what only the texts can tell."""
    TestSet.objects.update(created_by=Account.objects.get(username="olive"))
    System.objects.exclude(name=WOMBAT).delete()
    wrong = {"redundancy": "0", "repeats": "200", "systems_per_segment": "4", "direct_assessment-anchors": "50 b\n10 a"}
    response = client.post("/new-campaign/", {**FORM, "name": "新闻", "test_set": str(test_set.pk), **wrong})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"name", *wrong}
    page = response.content.decode()
    assert "There is 1 system: enter 1, or leave this empty." in page
    for field in ("name", *wrong):
        assert f'id="id_{field}_error"' in page


def test_control_items_that_a_protocol_does_not_have_are_refused_in_words(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DirectAssessment, "control_kinds", frozenset({"repeat"}))
    drop(client, ("set.csv", TABLE))
    fields = FORM | {"upload": perform().arguments["upload"], "repeats": "10", "degraded": "10"}
    response = client.post("/new-campaign/", fields)
    assert response.context["form"].errors == {
        "degraded": ["Direct assessment cannot use degraded items. Set their share to 0."]
    }
    # the page leaves out of the form what it does not show
    fields = {name: value for name, value in fields.items() if name != "degraded"}
    assert client.post("/new-campaign/", fields).status_code == 302


def test_options_of_a_protocol_that_was_not_chosen_stop_nobody(client: Client) -> None:
    drop(client, ("set.csv", TABLE))
    fields = FORM | {"upload": perform().arguments["upload"], "ranking-systems_per_item": "many"}
    assert client.post("/new-campaign/", fields).status_code == 302


def test_a_failure_in_the_making_gives_the_form_back(client: Client) -> None:
    drop(client, ("set.csv", TABLE + "d9,1,,Gut,Schlecht\n"))
    response = client.post("/new-campaign/", FORM | {"upload": perform().arguments["upload"]})
    assert perform().status == RunStatus.FAILED
    page = client.get(response["Location"]).content.decode()
    assert "The campaign was not created" in page
    assert "set.csv, line 6, source: Empty source" in page
    assert "Read *well*." in page
    assert 'value="Fresh news"' in page
    assert not Campaign.objects.exists()
    assert not TestSet.objects.exists()


def test_the_sample_file_can_be_imported(client: Client) -> None:
    drop(client, ("sample.csv", client.get("/new-campaign/sample.csv").content.decode()))
    result = perform().result
    assert result is not None
    assert (result["problem_count"], result["segments"]) == (0, 2)


def test_columns_guessed_wrong_are_set_right_and_imported_so(client: Client) -> None:
    drop(client, ("set.csv", TABLE.replace("source", "Quelle").replace("Rook", "ref")))
    run = perform()
    address = f"/new-campaign/uploads/{run.arguments['upload']}/"
    page = client.get(address).content.decode()
    assert "no column source" in page
    assert '<option value="system" selected>System</option>' in page
    client.post(address, {"column-3": "source", "column-5": "reference", "column-name-5": ""})
    assert perform().result["problem_count"] == 0  # type: ignore[index]
    assert "csv: 1 system, 1 reference, 4 documents, 4 segments" in client.get(address).content.decode()
    client.post("/new-campaign/", FORM | {"upload": run.arguments["upload"]})
    assert perform().status == RunStatus.DONE
    assert TestSet.objects.get().report["references"] == ["A"]


def test_what_becomes_of_empty_translations_is_decided_beside_their_number(client: Client) -> None:
    drop(client, ("set.csv", TABLE + "d9,1,Nine,,Schlecht\n"))
    address = f"/new-campaign/uploads/{perform().arguments['upload']}/"
    page = client.get(address).content.decode()
    assert "1 translation is empty:" in page
    assert "<bdi>Heron</bdi> 1" in page
    assert 'value="empty" data-with-post checked' in page
    client.post(address, {"empty_outputs": "gap"})
    upload = perform().arguments["upload"]
    assert 'value="gap" data-with-post checked' in client.get(address, {"empty_outputs": "gap"}).content.decode()
    client.post("/new-campaign/", FORM | {"upload": upload, "empty_outputs": "gap"})
    assert perform().status == RunStatus.DONE
    segment = Segment.objects.get(document__name="d9")
    assert list(segment.translations.values_list("system__name", flat=True)) == ["Rook"]


def test_columns_changed_but_not_read_again_make_no_campaign(client: Client) -> None:
    drop(client, ("set.csv", TABLE))
    fields = FORM | {"upload": perform().arguments["upload"], "column-4": "reference", "column-name-4": "A"}
    response = client.post("/new-campaign/", fields)
    assert response.status_code == 422
    assert "You changed the columns" in response.content.decode()
    assert perform().result["references"] == ["A"]  # type: ignore[index]
    assert client.post("/new-campaign/", fields).status_code == 302


def test_a_copy_has_the_questionnaires_and_the_practice_of_the_original(
    client: Client, test_set: TestSet, cast: Cast
) -> None:
    TestSet.objects.update(created_by=cast.organiser)
    client.post("/new-campaign/", FORM | {"test_set": str(test_set.pk)})
    perform()
    original = Campaign.objects.get()
    make_questionnaire(original)
    PracticeItem.objects.create(campaign=original, position=1, source="One.", slots={"A": "Eins."})
    Campaign.objects.filter(pk=original.pk).update(pause_seconds=90, pass_mark=0.5)
    client.post(f"/new-campaign/?like={original.slug}", FORM | {"name": "A copy", "test_set": str(test_set.pk)})
    assert perform().status == RunStatus.DONE
    made = Campaign.objects.get(name="A copy")
    assert (made.pause_seconds, made.pass_mark, made.practice_items.get().source) == (90, 0.5, "One.")
    copied = questionnaire_of(made, "entry")
    assert copied is not None
    assert questions_of(copied) == list(QUESTIONS)
