"""Programs fetch what lies beside the texts of a campaign whose results they may read."""

from pathlib import Path

from django.test import Client

from pytest_django import Settings

from campaigns.models import Campaign, Medium
from tests import sample_media
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_token

SLUG = "campaigns/planned-campaign"


def test_a_medium_is_fetched_by_token_whole_or_in_ranges_and_by_nobody_else(
    rhea: ApiAnnotator, planned: Campaign, cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.MEDIA_DIR = tmp_path / "stored"
    sound = sample_media.wav()
    (medium,) = sample_media.beside(planned.test_set, tmp_path, harbour_wav=sound).values()
    segment = planned.test_set.documents.get(name="harbour").segments.earliest("pk")
    (named,) = rhea.get(f"{SLUG}/segments/{segment.pk}").json()["media"]
    assert named["file"] == medium.file_hash
    address = f"{SLUG}/media/{named['file']}"
    answer = ApiAnnotator(rhea.client, rhea.headers | {"Accept": "image/png"}).get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "audio/wav")
    assert b"".join(answer.streaming_content) == sound
    part = ApiAnnotator(rhea.client, rhea.headers | {"Range": "bytes=4-7"}).get(address)
    assert (part.status_code, b"".join(part.streaming_content)) == (206, sound[4:8])
    assert part["Content-Range"] == f"bytes 4-7/{len(sound)}"
    beyond = ApiAnnotator(rhea.client, rhea.headers | {"Range": "bytes=99999999-"}).get(address)
    assert beyond.status_code == 416
    for other in (cast.stranger, cast.annotator):
        assert by_token(other).get(address).status_code == 404
    assert Client().get(f"/api/v1/{address}").status_code == 401
    assert rhea.get(f"{SLUG}/media/{'0' * 64}").status_code == 404


def test_captions_have_an_address_where_there_are_some(
    rhea: ApiAnnotator, planned: Campaign, cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.MEDIA_DIR = tmp_path / "stored"
    (medium,) = sample_media.beside(planned.test_set, tmp_path, harbour_wav=sample_media.wav()).values()
    address = f"{SLUG}/media/{medium.file_hash}/captions"
    assert rhea.get(address).status_code == 404
    Medium.objects.update(captions="WEBVTT\n\n00:00.000 --> 00:01.000\nThe ferry.\n")
    told = ApiAnnotator(rhea.client, rhea.headers | {"Accept": "text/vtt"}).get(address)
    assert (told.status_code, told["Content-Type"]) == (200, "text/vtt; charset=utf-8")
    assert told.content.decode().endswith("The ferry.\n")
    for other in (cast.stranger, cast.annotator):
        assert by_token(other).get(address).status_code == 404
