"""Files of judgments, dropped on the new-campaign page or sent to the API: described, then a closed campaign."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from annotation.models import Judgment
from campaigns.models import Account, Campaign, TestSet
from jobs.models import RunStatus
from tests.cast import Cast
from tests.frontend.organiser.test_new_campaign import FORM, drop, perform
from tests.frontend.organiser.test_pearmut_files import send, zipped
from tests.metrics.real_campaigns import real_case

ClientOf = Callable[[Account], Client]
ROWS = "".join(
    f"{name},{system},{item},TGT,eng,deu,7{item},harbour,False,100.5,104.75\n"
    for name in ("anna", "ben")
    for system in ("Heron", "Rook")
    for item in (1, 2)
)
LANGUAGES = {"source_language": "en", "target_language": "de"}


@pytest.fixture
def client(cast: Cast, client_of: ClientOf, settings: Settings, tmp_path: Path) -> Client:
    settings.UPLOAD_DIR = tmp_path / "uploads"
    return client_of(cast.organiser)


def page_of(client: Client, upload: str) -> str:
    return client.get(f"/new-campaign/uploads/{upload}/").content.decode()


def test_the_page_says_what_is_in_them_and_makes_a_closed_campaign(client: Client) -> None:
    drop(client, ("scores.csv", ROWS))
    upload = perform().arguments["upload"]
    page = page_of(client, upload)
    assert (
        "Judgments (appraise-csv), Direct assessment: 8. Annotators: 2. Systems: 2. Documents: 1. Segments: 2." in page
    )
    assert "They make a campaign that is closed." in page
    for side, language in LANGUAGES.items():
        assert f'data-suggest="{side}" data-value="{language}"' in page
    assert "cannot be used" not in page
    sums = client.get("/new-campaign/sums/", FORM | {"upload": upload, "annotators": "1"}).content.decode()
    assert "Protocol, plan and people come from the file." in sums
    assert "Drop a test set" not in sums
    assert "Missing:" not in sums
    created = client.post("/new-campaign/", FORM | {"upload": upload, "annotators": "1"})
    assert created.status_code == 302
    assert perform().status == RunStatus.DONE
    campaign = Campaign.objects.get(name=FORM["name"])
    assert (campaign.status, campaign.test_set.format) == ("closed", "appraise-csv")
    assert Judgment.objects.filter(item__assignment__campaign=campaign).count() == 8
    assert client.get(created["Location"]).status_code == 200


def test_what_is_wrong_stands_on_the_page_with_its_line(client: Client) -> None:
    drop(client, ("scores.csv", ROWS + ROWS.replace(",71,", ",171,")))
    page = page_of(client, perform().arguments["upload"])
    assert page.count("A score must be from 0 to 100.") == 4
    assert "They make a campaign" not in page
    assert not TestSet.objects.exists()


@pytest.mark.real_data
def test_annotations_of_pearmut_come_in_beside_their_campaign(client: Client) -> None:
    folder = real_case("genmt-wmt26-sample")
    members = [(name, (folder / name).read_bytes()) for name in ("pearmut-annotations.json", "pearmut-campaign.json")]
    send(client, "both.zip", zipped(*members))
    assert "Judgments (pearmut)" in page_of(client, perform().arguments["upload"])


@pytest.mark.real_data
def test_the_api_takes_judgments_and_another_protocol_for_them(client: Client) -> None:
    published = real_case("esa-wmt23-ende") / "240315rc5ESA.scores.csv.gz"
    file = SimpleUploadedFile("scores.csv", gzip.decompress(published.read_bytes()))
    body = {"name": "Judged", "file": file, "protocol": "direct_assessment", **LANGUAGES}
    answer = client.post("/api/v1/campaign-imports", body)
    assert answer.status_code == 202, answer.content
    run = perform()
    assert run.status == RunStatus.DONE, run.error
    assert Campaign.objects.get(slug="judged").protocol == "direct_assessment"
    assert (run.result or {})["report"]["judgments"] > 1000


def test_the_api_says_which_formats_were_tried(client: Client) -> None:
    file = SimpleUploadedFile("odd.json", b'{"annotation": []}')
    client.post("/api/v1/campaign-imports", {"name": "Judged", "file": file, **LANGUAGES})
    error = perform().error
    assert "pearmut: no `item`" in error
    assert "Pearmut: no `info`, `data`" in error
    assert not Campaign.objects.exists()


def members_of(pair: str) -> list[tuple[str, str | bytes]]:
    return [
        (f"wmt23/sources/{pair}.txt", "It is late.\nAgain.\n"),
        (f"wmt23/references/{pair}.refA.txt", "Es ist spät.\nWieder.\n"),
        (f"wmt23/documents/{pair}.docs", "news\tferry\nnews\tquay\n"),
        (f"wmt23/system-outputs/{pair}/Heron.txt", "Spät.\nNochmals.\n"),
        (f"wmt23/system-outputs/{pair}/Rook.txt", "Es spät.\nSchon wieder.\n"),
        (f"wmt23/human-scores/{pair}.mqm.seg.score", "Heron\t-1\nHeron\tNone\n"),
        *((f"wmt23/metric-scores/{pair}/m{number}.seg.score", "Heron\t1\n") for number in range(300)),
    ]


def test_a_folder_of_mt_metrics_eval_is_a_test_set_by_its_places(client: Client) -> None:
    send(client, "wmt23.zip", zipped(*members_of("en-de")))
    upload = perform().arguments["upload"]
    page = page_of(client, upload)
    assert "mt-metrics-eval: 2 systems, 1 reference, 2 documents, 2 segments" in " ".join(page.split())
    assert client.post("/new-campaign/", FORM | {"upload": upload}).status_code == 302
    assert perform().status == RunStatus.DONE
    test_set = Campaign.objects.get(name=FORM["name"]).test_set
    assert (test_set.format, sorted(test_set.systems.values_list("name", flat=True))) == (
        "mt-metrics-eval",
        ["Heron", "Rook"],
    )


def test_the_places_of_a_dropped_folder_count_as_well(client: Client) -> None:
    members = members_of("en-de")[:5]
    files = [SimpleUploadedFile(name.rpartition("/")[2], str(content).encode()) for name, content in members]
    client.post("/new-campaign/uploads/", {"files": files, "paths": [f"/{name}" for name, _content in members]})
    assert "mt-metrics-eval: 2 systems, 1 reference" in " ".join(page_of(client, perform().arguments["upload"]).split())


def test_the_pair_of_a_folder_that_has_several_is_chosen(client: Client) -> None:
    send(client, "wmt23.zip", zipped(*members_of("en-de"), *members_of("he-en")))
    run = perform()
    upload = run.arguments["upload"]
    assert "several language pairs: en-de, he-en. Choose the pair" in run.error
    page = page_of(client, upload)
    assert "These files have several language pairs" in page
    assert '<option value="he-en" >Hebrew to English</option>' in page
    client.post(f"/new-campaign/uploads/{upload}/", {"genmt-pair": "he-en", "side-0": "source", "name-0": ""})
    read = perform()
    page = " ".join(page_of(client, upload).split())
    assert "mt-metrics-eval: 2 systems, 1 reference" in page
    assert '<option value="he-en" selected>' in page
    assert 'data-suggest="source_language" data-value="he"' in page
    ignored = [file["inner"] for file in read.arguments["files"] if file["side"] == "none"]
    assert all("he-en" not in inner or "scores" in inner for inner in ignored)
    refused = client.post("/new-campaign/", FORM | {"upload": upload, "genmt-pair": "en-de"})
    assert "You changed the language pair" in refused.content.decode()


def test_a_folder_may_have_more_than_a_hundred_files(client: Client) -> None:
    files = [SimpleUploadedFile(f"system.S{number}.txt", b"Es.\n") for number in range(150)]
    answer = client.post("/new-campaign/uploads/", {"files": [SimpleUploadedFile("source.txt", b"It.\n"), *files]})
    assert answer.status_code == 200
    assert "150 systems" in page_of(client, perform().arguments["upload"])


SEVERAL = ROWS + ROWS.replace(",deu,", ",ces,").replace("harbour", "přístav")


def batches(*pairs: tuple[str, str]) -> str:
    texts = {"sourceID": "s", "sourceText": "It is late.", "targetID": "Heron", "targetText": "Spät."}
    item = {"documentID": "d", "itemID": 1, "itemType": "TGT", "isCompleteDocument": False, **texts}
    return json.dumps([{"task": {"sourceLanguage": one, "targetLanguage": two}, "items": [item]} for one, two in pairs])


@pytest.mark.parametrize(
    ("content", "found"),
    [(SEVERAL, "Judgments (appraise-csv)"), (batches(("eng", "deu"), ("eng", "ces")), "Appraise campaign")],
)
def test_the_pair_of_a_file_of_appraise_that_has_several_is_chosen(client: Client, content: str, found: str) -> None:
    drop(client, ("file.dat", content))
    upload = perform().arguments["upload"]
    page = page_of(client, upload)
    assert "These files have several language pairs" in page
    assert '<option value="en-cs" >English to Czech</option>' in page
    assert "cannot be used" not in page
    assert found not in page
    chosen = {"genmt-pair": "en-cs"}
    client.post(f"/new-campaign/uploads/{upload}/", chosen)
    perform()
    page = page_of(client, upload)
    assert found in page
    assert '<option value="en-cs" selected>' in page
    assert 'data-suggest="target_language" data-value="cs"' in page
    refused = client.post("/new-campaign/", FORM | {"upload": upload, "genmt-pair": "en-de"})
    assert "You changed the language pair" in refused.content.decode()
    perform()
    body = FORM | {"upload": upload, "genmt-pair": "en-de", "annotators": "1"}
    assert client.post("/new-campaign/", body).status_code == 302
    assert perform().status == RunStatus.DONE
    assert Campaign.objects.get(name=FORM["name"]).test_set.target_language == "de"


@pytest.mark.parametrize("content", [SEVERAL, batches(("eng", "deu"), ("eng", "ces"))])
def test_another_pair_than_those_of_the_file_is_refused_with_their_names(client: Client, content: str) -> None:
    languages = {"source_language": "fr", "target_language": "de"}
    file = SimpleUploadedFile("file.dat", content.encode())
    client.post("/api/v1/campaign-imports", {"name": "Judged", "file": file, **languages})
    assert "The file has no document from fr to de. It has: en-cs, en-de." in perform().error


def test_ratings_of_all_raters_come_in_together_from_a_zip_file(client: Client) -> None:
    error = '{"errors": [{"start": 0, "end": 2, "category": "Style", "severity": "minor"}]}'
    line = f"Heron\t{error}\t"
    files = [(f"human-scores/en-de.mqm.{name}.seg.rating", f"{line}{name}\n") for name in ("ash", "ben")]
    send(client, "ratings.zip", zipped(*files, ("human-scores/en-de.mqm.merged.seg.rating", f"{line}ash\n")))
    page = page_of(client, perform().arguments["upload"])
    assert "Judgments (mt-metrics-eval-ratings), MQM: 2. Annotators: 2." in page
    assert "Content of each file" not in page


@pytest.mark.real_data
def test_what_is_exported_for_wmts_task_comes_in_as_one_test_set(client: Client) -> None:
    """Its scores are judgments, and are not read with the texts."""
    folder = real_case("genmt-wmt26-sample")
    names = ("wmt26-genmt.jsonl", "systems/Heron.jsonl")
    scores = b'{"doc_id": "en-de_#_news_#_gull.001_#_0", "src_text": "It.", "tgt_text": {}, "scores": {}}\n'
    members = [(name, (folder / name).read_bytes()) for name in names]
    send(client, "genmt.zip", zipped(*members, ("wmt-genmt-humeval.jsonl", scores)))
    run = perform()
    assert [file["side"] for file in run.arguments["files"]] == ["system", "none", "whole"]
    assert "several language pairs" in page_of(client, run.arguments["upload"])
