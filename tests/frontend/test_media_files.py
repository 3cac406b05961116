"""Files beside texts: for whom they are, by ranges, with headers that make them harmless."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.test import Client

import pytest
from pytest_django import Settings

from annotation.models import Assignment, Item
from campaigns.models import Account, Campaign, Medium, Membership
from tests import sample_media as sample
from tests.cast import Cast

VIDEO = sample.ebml() + bytes(range(256)) * 1_000


@pytest.fixture
def media(campaign: Campaign, tmp_path: Path, settings: Settings) -> dict[str, Medium]:
    settings.MEDIA_DIR = tmp_path / "stored"
    files = {"harbour_webm": VIDEO, "harbour_2_png": sample.png(), "orchard_wav": sample.wav()}
    return sample.beside(campaign.test_set, tmp_path, **files)


@pytest.fixture
def assignment(campaign: Campaign, cast: Cast, make_assignment: Callable[..., Assignment]) -> Assignment:
    return make_assignment(campaign, cast.annotator)


@pytest.fixture
def get(
    client_of: Callable[[Account], Client], assignment: Assignment, media: dict[str, Medium], cast: Cast
) -> Callable[..., Any]:
    address = f"/assignments/{assignment.pk}/media/{media['harbour_webm'].file_hash}"

    def get(**headers: str) -> Any:
        return client_of(cast.annotator).get(address, headers=headers)

    return get


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else bytes(response.content)


def test_a_file_comes_with_our_type_and_may_do_nothing(get: Callable[..., Any]) -> None:
    response = get()
    assert (response.status_code, body(response)) == (200, VIDEO)
    expected = {
        "Content-Type": "video/webm",
        "Content-Length": str(len(VIDEO)),
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Cache-Control": "private, max-age=3600",
        "Accept-Ranges": "bytes",
    }
    assert {name: response[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("wanted", "start", "end"),
    [
        ("bytes=0-", 0, len(VIDEO)),
        ("bytes=0-1", 0, 2),
        ("bytes=1000-2999", 1000, 3000),
        ("bytes=250000-9999999", 250_000, len(VIDEO)),
        ("bytes=-10", len(VIDEO) - 10, len(VIDEO)),
        ("bytes=-9999999", 0, len(VIDEO)),
    ],
)
def test_a_range_is_sent_alone(get: Callable[..., Any], wanted: str, start: int, end: int) -> None:
    response = get(Range=wanted)
    assert (response.status_code, body(response)) == (206, VIDEO[start:end])
    assert response["Content-Range"] == f"bytes {start}-{end - 1}/{len(VIDEO)}"
    assert response["Content-Length"] == str(end - start)


@pytest.mark.parametrize("wanted", [f"bytes={len(VIDEO)}-", "bytes=5-4", "bytes=-0"])
def test_a_range_behind_the_end_is_refused(get: Callable[..., Any], wanted: str) -> None:
    response = get(Range=wanted)
    assert (response.status_code, response["Content-Range"]) == (416, f"bytes */{len(VIDEO)}")


@pytest.mark.parametrize("wanted", ["bytes=0-1,5-6", "items=0-1", "bytes=-", "bytes=a-b", "bytes=" + "9" * 30 + "-"])
def test_other_ranges_get_the_whole_file(get: Callable[..., Any], wanted: str) -> None:
    assert (get(Range=wanted).status_code, get(Range="bytes=0-1", **{"If-Range": '"other"'}).status_code) == (200, 200)


def test_what_a_browser_has_already_is_not_sent_again(get: Callable[..., Any]) -> None:
    tag = get()["ETag"]
    again = get(**{"If-None-Match": tag})
    assert (again.status_code, body(again), again["Cache-Control"]) == (304, b"", "private, max-age=3600")


def test_a_file_that_is_lost_is_not_found(get: Callable[..., Any], media: dict[str, Medium]) -> None:
    sample.path_of(media["harbour_webm"].file_hash).unlink()
    lost = get()
    assert (lost.status_code, lost["Cache-Control"]) == (404, "no-store")


def test_an_annotator_gets_what_was_served_and_nothing_else(
    client_of: Callable[[Account], Client],
    campaign: Campaign,
    assignment: Assignment,
    media: dict[str, Medium],
    cast: Cast,
) -> None:
    def statuses(account: Account) -> dict[str, int]:
        client = client_of(account)
        return {
            name: client.get(f"/assignments/{assignment.pk}/media/{each.file_hash}").status_code
            for name, each in media.items()
        }

    assert statuses(cast.annotator) == dict.fromkeys(media, 200)
    Item.objects.filter(document__name="orchard").update(block=9)  # behind the three texts that are served
    for number, block in enumerate((1, 2, 3), start=1):
        Item.objects.filter(document__name="harbour", segment__name=str(number)).update(block=block)
    assert statuses(cast.annotator)["orchard_wav"] == 404
    assert statuses(cast.second_annotator) == dict.fromkeys(media, 404)
    assert statuses(cast.organiser) == dict.fromkeys(media, 404)
    Membership.objects.filter(account=cast.annotator).update(consented_at=None)
    assert statuses(cast.annotator) == dict.fromkeys(media, 404)


def test_who_runs_a_campaign_or_reads_it_gets_all_of_its_media(
    client_of: Callable[[Account], Client], campaign: Campaign, media: dict[str, Medium], cast: Cast
) -> None:
    address = f"/campaigns/{campaign.slug}/media/{media['harbour_2_png'].file_hash}"
    people = (cast.organiser, cast.researcher, cast.annotator, cast.stranger)
    assert [client_of(each).get(address).status_code for each in people] == [200, 200, 404, 404]
    assert Client().get(address).status_code == 302
    assert client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/media/{'0' * 64}").status_code == 404
    assert client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/media/..%2f..%2fpasswd").status_code == 404


def test_captions_are_text_beside_the_medium(
    client_of: Callable[[Account], Client], assignment: Assignment, media: dict[str, Medium], cast: Cast
) -> None:
    address = f"/assignments/{assignment.pk}/media/{media['harbour_webm'].file_hash}/captions"
    client = client_of(cast.annotator)
    assert client.get(address).status_code == 404
    Medium.objects.filter(name="harbour.webm").update(captions="WEBVTT\n\n00:00.000 --> 00:01.000\nGrüße\n")
    response = client.get(address)
    assert (response["Content-Type"], "Grüße" in response.text) == ("text/vtt; charset=utf-8", True)


def test_items_say_what_lies_beside_them(
    client_of: Callable[[Account], Client], assignment: Assignment, media: dict[str, Medium], cast: Cast
) -> None:
    items = client_of(cast.annotator).get(f"/api/v1/assignments/{assignment.pk}/items").json()["items"]
    names = [[medium["name"] for medium in item.get("media", [])] for item in items]
    assert names == [["harbour.webm"], ["harbour.webm", "harbour.2.png"], ["harbour.webm"], *[["orchard.wav"]] * 3]
    picture = items[1]["media"][1]
    assert (picture["kind"], picture["width"], picture["of_document"]) == ("picture", 4, False)
    assert picture["file"] == media["harbour_2_png"].file_hash


def test_a_question_on_a_document_has_the_media_of_all_its_segments(
    client_of: Callable[[Account], Client], assignment: Assignment, media: dict[str, Medium], cast: Cast
) -> None:
    Item.objects.filter(position=1).update(level="document", segment=None)
    items = client_of(cast.annotator).get(f"/api/v1/assignments/{assignment.pk}/items").json()["items"]
    assert [medium["name"] for medium in items[0]["media"]] == ["harbour.webm", "harbour.2.png"]
