"""The page on which an organiser brings metric scores from elsewhere: findings first, then all or nothing."""

import re
from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, AuditEntry, Campaign
from metrics.models import ImportedScores, SegmentScore
from tests.cast import Cast
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Any) -> None:
    settings.UPLOAD_DIR = tmp_path


@pytest.fixture
def address(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/metrics/import/"


@pytest.fixture
def client(cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def segments(*systems: str, count: int = 6) -> str:
    return "".join(f"{system}\t{at / 10}\n" for system in systems for at in range(count))


def drop(client: Client, address: str, **files: str) -> tuple[str, str]:
    """The answer, and the upload it names."""
    sent = [SimpleUploadedFile(name.replace("_", "."), text.encode()) for name, text in files.items()]
    answer = client.post(f"{address}files/", {"files": sent})
    assert answer.status_code == 200
    page = answer.content.decode()
    named = re.search(r'name="upload" value="([^"]+)"', page)
    assert named
    return page, named.group(1)


def test_the_page_says_what_it_takes(client: Client, address: str) -> None:
    page = client.get(address).content.decode()
    assert "No imported scores yet" in page
    assert "data-upload" in page


def test_what_is_in_a_file_is_shown_before_it_is_stored(client: Client, address: str, campaign: Campaign) -> None:
    page, upload = drop(client, address, **{"Sage-refA_seg_score": segments(WOMBAT, QUOKKA)})
    assert 'value="Sage-refA"' in page
    assert '<option value="segment" selected>' in page
    assert '<option value="A" selected>' in page
    assert "12 scores of 2 systems" in page
    assert HUMAN in page.split("Without scores:")[1]
    assert not ImportedScores.objects.exists()
    fields = {"upload": upload, "metric-0": "Sage", "level-0": "segment", "better-0": "lower", "against-0": "A"}
    answer = client.post(address, fields)
    assert (answer.status_code, answer["Location"]) == (302, address)
    scores = ImportedScores.objects.get()
    assert (scores.metric, scores.higher_is_better, scores.references) == ("Sage", False, ["A"])
    assert scores.imported_by is not None
    assert SegmentScore.objects.count() == 12
    assert AuditEntry.objects.get(action="metric_scores_imported").campaign == campaign
    page = client.get(address).content.decode()
    assert "Stored: Sage." in page
    assert "Sage-refA.seg.score" in page
    assert client.post(address, fields).status_code == 404, "the upload is used up"


def test_mismatches_are_shown_by_line_and_may_be_left_out(client: Client, address: str) -> None:
    page, upload = drop(client, address, Sage_seg_score=segments(WOMBAT, "heron"))
    assert "6 lines do not fit the test set." in page
    assert '<td class="num">7</td>' in page
    refused = client.post(address, {"upload": upload, "metric-0": "Sage"})
    assert refused.status_code == 422
    assert "Nothing was stored." in refused.content.decode()
    assert not ImportedScores.objects.exists()
    assert client.post(address, {"upload": upload, "metric-0": "Sage", "skip-0": "on"}).status_code == 302
    assert SegmentScore.objects.count() == 6


def test_files_are_read_again_as_they_are_described(client: Client, address: str) -> None:
    page, upload = drop(client, address, scores_tsv=segments(WOMBAT))
    assert "Cannot tell whether" in page
    again = client.post(f"{address}files/{upload}/", {"metric-0": "bleu", "level-0": "segment"}).content.decode()
    assert "6 scores of 1 system<" in again
    assert "computes itself" in again
    assert client.post(f"{address}files/{upload}/remove/").status_code == 200
    assert client.post(f"{address}files/{upload}/", {}).status_code == 404


def test_stored_scores_are_replaced_only_on_request(client: Client, address: str) -> None:
    _page, upload = drop(client, address, Sage_sys_score=f"{WOMBAT}\t1\n")
    client.post(address, {"upload": upload})
    page, upload = drop(client, address, Sage_sys_score=f"{WOMBAT}\t2\n")
    assert "already has these scores, from Sage.sys.score" in page
    assert client.post(address, {"upload": upload}).status_code == 422
    assert client.post(address, {"upload": upload, "replace-0": "on"}).status_code == 302
    assert ImportedScores.objects.get().system_scores.get().value == 2


def test_several_files_are_stored_together_or_not_at_all(client: Client, address: str) -> None:
    files = {"Sage_seg_score": segments(WOMBAT), "Sage_sys_score": f"{WOMBAT}\t1\n"}
    _page, upload = drop(client, address, **files)
    refused = client.post(address, {"upload": upload, "better-0": "higher", "better-1": "lower"})
    assert "only for one of them higher is better" in refused.content.decode()
    refused = client.post(address, {"upload": upload, "level-1": "segment"})
    assert "at the same level. Rename one" in refused.content.decode()
    assert not ImportedScores.objects.exists()
    assert client.post(address, {"upload": upload}).status_code == 302
    assert ImportedScores.objects.count() == 2


def test_scores_are_removed_again(client: Client, address: str) -> None:
    _page, upload = drop(client, address, Sage_sys_score=f"{WOMBAT}\t1\n")
    client.post(address, {"upload": upload})
    scores = ImportedScores.objects.get()
    assert client.get(f"{address}{scores.pk}/forget/").status_code == 405
    assert client.post(f"{address}{scores.pk}/forget/").status_code == 302
    assert not ImportedScores.objects.exists()
    assert "The scores of “Sage” were removed." in client.get(address).content.decode()
    assert client.post(f"{address}{scores.pk}/forget/").status_code == 404


def test_a_missing_file_and_a_too_large_one_are_refused(
    client: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.post(f"{address}files/").status_code == 422
    assert "Drop a file first." in client.post(address).content.decode()
    monkeypatch.setattr("frontend.organiser.score_imports.MOST_BYTES", 3)
    sent = SimpleUploadedFile("a.sys.score", b"Heron\t1\n")
    assert b"larger than 30 MB" in client.post(f"{address}files/", {"files": [sent]}).content


def test_only_organisers_bring_scores(address: str, cast: Cast, client_of: Callable[[Account], Client]) -> None:
    for person in (cast.researcher, cast.annotator, cast.stranger):
        client = client_of(person)
        assert client.get(address).status_code == 404
        assert client.post(f"{address}files/").status_code == 404
        assert client.post(f"{address}1/forget/").status_code == 404
    assert Client().get(address).status_code == 302


def test_an_upload_is_its_visitors_own(
    client: Client, address: str, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    _page, upload = drop(client, address, Sage_sys_score=f"{WOMBAT}\t1\n")
    other = client_of(cast.organiser)
    assert other.post(f"{address}files/{upload}/", {}).status_code == 404
    assert other.post(address, {"upload": upload}).status_code == 404
    assert other.post(address, {"upload": "nonsense"}).status_code == 404
    assert client.get(f"{address}files/").status_code == 405
