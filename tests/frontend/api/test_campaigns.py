"""Campaigns by the API, from files to results."""

from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

import pytest
from pytest_django import Settings

from annotation.campaign_spec import CampaignSpec, parameters_in
from campaigns.models import AuditEntry, Campaign, TestSet
from jobs.actions import claim_run, perform_run
from jobs.models import Run, RunStatus
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_token
from tests.genmt_files import document, lines, output

TABLE = "document,segment,source,Heron,Rook\n" + "".join(f"d{n},1,Source {n},Gut {n},Schlecht {n}\n" for n in range(4))
SLUG = "campaigns/planned-campaign"


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"


def perform() -> Run:
    """What a worker does with the run that waits."""
    run = claim_run(Run.objects.get(status=RunStatus.QUEUED).pk)
    assert run is not None
    return perform_run(run)


def upload(person: ApiAnnotator, text: str = TABLE) -> str:
    files = {"files": SimpleUploadedFile("set.csv", text.encode())}
    answer = person.client.post("/api/v1/uploads", files, headers=person.headers)
    assert answer.status_code == 201, answer.content
    perform()
    return str(answer.json()["upload"])


def test_a_test_set_and_a_campaign_are_made_from_a_file(olive: ApiAnnotator) -> None:
    sent = upload(olive)
    found = olive.get(f"uploads/{sent}").json()
    assert (found["status"], found["found"]["segments"]) == ("done", 4)
    assert "path" not in str(found)
    languages = {"source_language": "en", "target_language": "de"}
    asked = olive.post("test-sets", {"name": "Fresh news", "upload": sent, **languages})
    assert asked.status_code == 202
    assert asked["Location"].endswith(f"/api/v1/runs/{asked.json()['id']}")
    perform()
    assert olive.get(f"runs/{asked.json()['id']}").json()["result"] == {"test_set": "fresh-news"}
    assert olive.get("test-sets/fresh-news").json()["systems"][0] == {"name": "Heron", "is_human": False}
    assert olive.get("test-sets/fresh-news/segments?document=d2").json()["results"][0]["translations"] == {
        "Heron": "Gut 2",
        "Rook": "Schlecht 2",
    }
    wish = {"name": "Fresh", "test_set": "fresh-news", "protocol": "esa", "redundancy": 2, "open": True}
    asked = olive.post("campaigns", wish)
    assert asked.status_code == 202, asked.content
    assert perform().status == RunStatus.DONE
    made = olive.get("campaigns/fresh").json()
    assert (made["status"], made["redundancy"], made["systems"]) == ("open", 2, ["Heron", "Rook"])


def test_an_empty_translation_is_a_gap_of_its_system_where_that_is_asked_for(olive: ApiAnnotator) -> None:
    sent = upload(olive, TABLE.replace("Gut 2", ""))
    assert olive.get(f"uploads/{sent}").json()["found"]["empty_outputs"] == {"Heron": 1}
    about = {"name": "Gaps", "upload": sent, "source_language": "en", "target_language": "de"}
    assert olive.post("test-sets", {**about, "empty_outputs": "zero"}).status_code == 422
    assert olive.post("test-sets", {**about, "empty_outputs": "gap"}).status_code == 202
    perform()
    assert olive.get("test-sets/gaps/segments?document=d2").json()["results"][0]["translations"] == {
        "Rook": "Schlecht 2"
    }


def test_what_becomes_of_answers_after_withdrawal_is_asked_for_at_once(olive: ApiAnnotator) -> None:
    wish = {"name": "Direct", "upload": upload(olive), "source_language": "en", "target_language": "de"}
    wish |= {"protocol": "direct_assessment"}
    assert olive.post("campaigns", wish | {"on_withdrawal": "sold"}).json()["errors"].keys() == {"on_withdrawal"}
    assert olive.post("campaigns", wish | {"on_withdrawal": "erased"}).status_code == 202
    perform()
    assert olive.get("campaigns/direct").json()["on_withdrawal"] == "erased"


def test_a_campaign_is_made_on_an_upload_at_once(olive: ApiAnnotator) -> None:
    wish = {"name": "Direct", "upload": upload(olive), "source_language": "en", "target_language": "de"}
    assert olive.post("campaigns", wish | {"protocol": "direct_assessment"}).status_code == 202
    assert perform().result == {"campaign": "direct", "people_problems": []}
    assert olive.get("campaigns/direct").json()["test_set"] == "direct"


@pytest.mark.parametrize(
    ("wish", "fields"),
    [
        ({}, {"name", "protocol", "upload", "source_language", "target_language"}),
        (
            {
                "protocol": "direct_assessment",
                "test_set": "harbour-and-orchard",
                "options": {"judge_against": "nothing"},
                "redundancy": 0,
                "repeats_share": "much",
                "systems_per_segment": 9,
                "colour": "blue",
            },
            {"name", "options.judge_against", "redundancy", "repeats_share", "systems_per_segment", "colour"},
        ),
        (
            {
                "name": "X",
                "protocol": "direct_assessment",
                "test_set": "harbour-and-orchard",
                "items_per_assignment": 1,
                "repeats_share": 0.5,
            },
            {"plan"},
        ),
        ({"name": "Planned campaign", "protocol": "esa"}, {"name", "upload", "source_language", "target_language"}),
        ({"name": "X", "protocol": "esa", "test_set": "of-nobody"}, {"test_set"}),
        (
            {"name": "X", "protocol": "direct_assessment", "test_set": "harbour-and-orchard", "options": {"no": 1}},
            {"options.no"},
        ),
        (
            {"name": "X", "protocol": "ranking", "test_set": "harbour-and-orchard", "systems_per_segment": 9},
            {"systems_per_segment"},
        ),
    ],
)
def test_everything_that_is_wrong_is_said_at_once(olive: ApiAnnotator, wish: object, fields: set[str]) -> None:
    answer = olive.post("campaigns", wish)
    assert answer.status_code == 422
    assert set(answer.json()["errors"]) == fields
    assert not Run.objects.exists()


def test_a_campaign_shows_its_parameters_and_its_systems(olive: ApiAnnotator, planned: Campaign) -> None:
    shown = olive.get(SLUG).json()
    assert {each.name: shown[each.name] for each in parameters_in("api")} == {
        each.name: getattr(CampaignSpec.of(planned), each.name) for each in parameters_in("api")
    }
    assert shown["systems"] == sorted(planned.systems.values_list("name", flat=True))
    assert shown["seed"] == planned.seed


def test_a_test_set_of_others_does_not_exist(olive: ApiAnnotator, cast: Cast) -> None:
    sasha = by_token(cast.stranger)
    wish = {"name": "X", "protocol": "esa", "test_set": TestSet.objects.get().slug}
    assert "test_set" in sasha.post("campaigns", wish).json()["errors"]
    assert sasha.get(f"test-sets/{wish['test_set']}").status_code == 404


def test_files_of_a_parallel_text_get_their_sides(olive: ApiAnnotator) -> None:
    names = {"source.en.txt": "One\nTwo\n", "Heron.de.txt": "Eins\nZwei\n", "other.txt": "Un\nDeux\n"}
    files = [SimpleUploadedFile(name, text.encode()) for name, text in names.items()]
    sent = olive.client.post("/api/v1/uploads", {"files": files}, headers=olive.headers).json()
    perform()
    assert [file["side"] for file in sent["files"]] == ["source", "system", "system"]
    sides = [{"side": "source"}, {"side": "system", "name": "Heron"}, {"side": "reference", "name": "B"}]
    assert olive.put(f"uploads/{sent['upload']}", {"sides": sides}).status_code == 200
    perform()
    assert olive.get(f"uploads/{sent['upload']}").json()["found"]["references"] == ["B"]
    assert olive.delete(f"uploads/{sent['upload']}").status_code == 204
    assert olive.get(f"uploads/{sent['upload']}").status_code == 404


def test_columns_are_named_and_stay_named(olive: ApiAnnotator) -> None:
    table = SimpleUploadedFile("set.csv", b"document,segment,Quelle,hyp\nd,1,Late.,Spat.\n")
    sent = olive.client.post("/api/v1/uploads", {"files": [table]}, headers=olive.headers).json()
    perform()
    place = f"uploads/{sent['upload']}"
    assert olive.get(place).json()["found"]["columns"][2] | {"samples": []} == {
        "number": 3, "title": "Quelle", "meaning": "system", "name": "Quelle", "samples": []
    }  # fmt: skip
    columns = [{"column": "Quelle", "meaning": "source"}, {"column": "#4", "meaning": "system", "name": "Heron"}]
    assert olive.put(place, {"columns": columns}).status_code == 200
    perform()
    assert olive.put(place, {}).json()["files"][0]["columns"] == {"Quelle": "source", "#4": "system:Heron"}
    perform()
    assert olive.get(place).json()["found"]["systems"] == ["Heron"]
    refused = olive.put(place, {"columns": [{"column": "Quelle", "meaning": "engine"}]})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["columns.0.meaning"])


def test_texts_are_changed_and_the_rest_stays(olive: ApiAnnotator, planned: Campaign) -> None:
    answer = olive.patch(SLUG, {"guidelines": "Read *well*.\n"})
    assert (answer.status_code, answer.json()["guidelines"]) == (200, "Read *well*.\n")
    planned.refresh_from_db()
    assert planned.guidelines == "Read *well*.\n"
    assert AuditEntry.objects.filter(action="texts_changed", actor__username="olive").count() == 1


def test_the_state_is_changed_as_on_the_page(olive: ApiAnnotator) -> None:
    for status in ("paused", "paused", "open", "closed"):
        assert olive.put(f"{SLUG}/status", {"status": status}).json()["status"] == status
    refused = olive.put(f"{SLUG}/status", {"status": "paused"})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["status"])


def test_practice_is_set_and_its_faults_are_said_with_their_places(olive: ApiAnnotator) -> None:
    item: dict[str, Any] = {"source": "One.", "translations": {"A": "Eins."}, "expected": {"A": {"score": [80, 100]}}}
    answer = olive.put(f"{SLUG}/practice", {"items": [item], "pass_mark": 0.5})
    assert answer.json() | {"annotators": []} == {"items": 1, "pass_mark": 0.5, "attempts": 3, "annotators": []}
    refused = olive.put(f"{SLUG}/practice", {"items": [{"source": 3}]})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["items"])
    assert olive.get(f"{SLUG}/practice").json()["items"] == 1


def test_a_pair_of_many_is_chosen_and_realigned_documents_are_confirmed(olive: ApiAnnotator) -> None:
    documents = lines(document("a"), document("a", target="jpn_Jpan"))
    heron = lines(output("a", "<p>Eins. Zwei.</p>"))
    files = [SimpleUploadedFile(name, text.encode()) for name, text in (("g.jsonl", documents), ("Heron.jsonl", heron))]
    sent = olive.client.post("/api/v1/uploads", {"files": files}, headers=olive.headers).json()
    perform()
    place = f"uploads/{sent['upload']}"
    assert olive.get(place).json()["found"]["genmt"]["is_undecided"]
    assert olive.put(place, {"genmt": {"pair": "eng_Latn-deu_Latn", "set": "WMT26"}}).status_code == 200
    perform()
    found = olive.get(place).json()["found"]
    assert (found["problem_count"], found["systems"], found["genmt"]["realigned_count"]) == (0, ["Heron"], 1)
    (realigned,) = found["genmt"]["realigned"]
    assert [row["part"] for row in realigned["rows"]] == ["<p>Eins. ", "Zwei.</p>"]
    spec = {"name": "G", "upload": sent["upload"], "source_language": "en", "target_language": "de"}
    assert olive.post("test-sets", spec).status_code == 202
    refused = perform()
    assert "Heron, a: 1 paragraph was split into 2." in refused.error
    assert olive.post("test-sets", spec | {"confirm_realigned": True}).status_code == 202
    assert perform().result == {"test_set": "g"}
    mended = {"system": "Heron", "document": "a", "parts": ["", "<p>Eins. Zwei.</p>"]}
    answer = olive.put(place, {"genmt": {"pair": "eng_Latn-deu_Latn", "set": "WMT26", "mended": [mended]}})
    assert answer.json()["files"][0]["genmt"]["mended"] == [mended]
    perform()
    assert olive.get(place).json()["found"]["genmt"]["realigned"][0]["how"] == "mended"
    assert olive.post("test-sets", spec | {"name": "By hand"}).status_code == 202
    assert perform().result == {"test_set": "by-hand"}
    refused = olive.put(place, {"genmt": {"mended": [mended, mended]}})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["genmt.mended"])
    refused = olive.put(place, {"genmt": {"split": "words"}})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["genmt.split"])
