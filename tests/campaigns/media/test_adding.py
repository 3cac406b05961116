"""Media get their place beside texts: all or none, with everything that is wrong in one message."""

import os
import time
from pathlib import Path

from django.utils import timezone

import pytest
from pytest_django import Settings

from campaigns.actions.media import AddedMedia, MediumFile, add_media
from campaigns.media.errors import MediaError
from campaigns.media.storage import UNUSED_SECONDS, remove_unused_files, store_pieces
from campaigns.models import AuditEntry, Campaign, Medium, TestSet
from tests import sample_media as sample
from tests.cast import Cast

pytestmark = pytest.mark.django_db
VTT = b"WEBVTT\n\n00:00.000 --> 00:01.000\nWelcome.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.MEDIA_DIR = tmp_path / "stored"
    return tmp_path


def medium_file(folder: Path, name: str, data: bytes, segment: str = "", **more: object) -> MediumFile:
    sample.written(folder, {name: data})
    options = {"document": "harbour", "alt": "", "captions": None} | more
    return MediumFile(segment=segment, path=folder / name, name=name, **options)  # type: ignore[arg-type]


def test_a_document_and_a_segment_have_a_medium_each(test_set: TestSet, folder: Path, cast: Cast) -> None:
    captions = sample.written(folder, {"a.vtt": VTT}) / "a.vtt"
    video = medium_file(folder, "a.webm", sample.ebml(), alt="The quay at dawn.", captions=captions)
    picture = medium_file(folder, "b.png", sample.png(), "2")
    assert add_media(test_set=test_set, files=[video, picture], by=cast.organiser) == AddedMedia(2, 0, 0)
    of_document, of_segment = Medium.objects.order_by("pk")
    assert (of_document.kind, of_document.segment, of_document.alt) == ("video", None, "The quay at dawn.")
    assert of_document.captions == VTT.decode()
    assert of_segment.segment is not None
    assert (of_segment.segment.name, of_segment.width, of_segment.name) == ("2", 4, "b.png")
    assert sample.path_of(of_document.file_hash).read_bytes() == sample.ebml()
    stored = sample.path_of(of_segment.file_hash).read_bytes()
    assert (len(stored), sample.SECRET in stored) == (of_segment.size, False)
    entry = AuditEntry.objects.get(action="media_added")
    assert (entry.actor, entry.detail) == (cast.organiser, {"test_set": test_set.name, "files": 2})


def test_everything_that_is_wrong_is_said_at_once_and_nothing_is_stored(test_set: TestSet, folder: Path) -> None:
    files = [
        medium_file(folder, "right.png", sample.png(), "1"),
        medium_file(folder, "page.png", b"<html>"),
        medium_file(folder, "lost.png", sample.png(), document="lighthouse"),
        medium_file(folder, "far.png", sample.png(), "17"),
        medium_file(folder, "again.png", sample.png(), "1"),
        medium_file(folder, "wordy.png", sample.png(), "2", alt="x" * 1001),
        medium_file(folder, "sung.wav", sample.wav(), "3", captions=folder / "page.png"),
    ]
    with pytest.raises(MediaError) as error:
        add_media(test_set=test_set, files=files, by=None)
    lines = str(error.value).splitlines()
    assert [line.split(":")[0] for line in lines] == sorted(each.name for each in files[1:])
    for sentence in (
        "far.png: The document “harbour” has no segment “17”.",
        "lost.png: The test set has no document “lighthouse”.",
        "again.png: “right.png” is for the same text. Keep one of them.",
        "sung.wav: “page.png” is not a WebVTT file; its first line must be WEBVTT.",
    ):
        assert sentence in lines
    assert not Medium.objects.exists()
    assert not (folder / "stored").exists()


def test_the_same_file_again_changes_nothing_and_another_replaces_it(test_set: TestSet, folder: Path) -> None:
    first = medium_file(folder, "a.png", sample.png(), "1")
    add_media(test_set=test_set, files=[first], by=None)
    assert add_media(test_set=test_set, files=[first], by=None) == AddedMedia(0, 0, 1)
    second = medium_file(folder, "b.png", sample.png(5, 5), "1")
    assert add_media(test_set=test_set, files=[second], by=None) == AddedMedia(0, 1, 0)
    assert Medium.objects.get().name == "b.png"


def test_what_people_judged_by_is_not_replaced(campaign: Campaign, folder: Path) -> None:
    add_media(test_set=campaign.test_set, files=[medium_file(folder, "a.png", sample.png(), "1")], by=None)
    Campaign.objects.update(opened_at=timezone.now())
    other = medium_file(folder, "b.png", sample.png(5, 5), "1")
    with pytest.raises(MediaError, match=r"b.png: Another file, “a.png”, is beside this text already"):
        add_media(test_set=campaign.test_set, files=[other], by=None)
    assert Medium.objects.get().name == "a.png"


def test_all_media_of_a_test_set_have_a_limit(test_set: TestSet, folder: Path, settings: Settings) -> None:
    settings.MEDIA_MEGABYTES = settings.MEDIA_MEGABYTES | {"test_set": 1}
    large = sample.ebml() + bytes(600_000)
    add_media(test_set=test_set, files=[medium_file(folder, "a.webm", large)], by=None)
    other = medium_file(folder, "b.webm", large, document="orchard")
    with pytest.raises(MediaError, match="together have 1 MB; at most 1 MB"):
        add_media(test_set=test_set, files=[other], by=None)


def test_only_old_files_that_no_test_set_has_are_removed(test_set: TestSet, folder: Path) -> None:
    add_media(test_set=test_set, files=[medium_file(folder, "a.png", sample.png(), "1")], by=None)
    used = sample.path_of(Medium.objects.get().file_hash)
    new, old = sample.path_of(store_pieces([b"new"])), sample.path_of(store_pieces([b"old"]))
    interrupted = folder / "stored" / "incoming-1"
    interrupted.write_bytes(b"half")
    before = time.time() - UNUSED_SECONDS - 1
    for path in (used, old, interrupted):
        os.utime(path, (before, before))
    assert remove_unused_files() == 2
    assert [path.exists() for path in (used, new, old, interrupted)] == [True, True, False, False]
