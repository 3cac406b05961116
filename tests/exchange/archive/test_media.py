"""An archive carries the files of media, and takes only those that are what their rows say."""

import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

from campaigns.actions.media import MediumFile, add_media
from campaigns.models import Campaign, Medium
from exchange.archive.rebuilding import import_archive
from exchange.archive.writing import write_archive
from exchange.reading import ImportFileError
from tests import sample_media as sample

pytestmark = pytest.mark.django_db
Files = dict[str, bytes]


@pytest.fixture
def files(campaign: Campaign, tmp_path: Path, settings: Settings) -> Files:
    """What an archive contains; the place it was written at is empty now."""
    settings.MEDIA_DIR = tmp_path / "stored"
    folder = sample.written(tmp_path, {"quay.webm": sample.ebml(), "one.png": sample.png()})
    media = [
        MediumFile("harbour", "", folder / "quay.webm", "quay.webm", alt="The quay"),
        MediumFile("harbour", "1", folder / "one.png", "one.png"),
        MediumFile("orchard", "1", folder / "one.png", "one.png"),
    ]
    add_media(test_set=campaign.test_set, files=media, by=None)
    with zipfile.ZipFile(io.BytesIO(b"".join(write_archive(campaign)))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def elsewhere(files: Files, emptied: Callable[[], None], tmp_path: Path) -> None:
    emptied()
    shutil.rmtree(tmp_path / "stored")


def imported(files: Files, folder: Path) -> Campaign:
    path = folder / "archive.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return import_archive(path, name="Again")


def media_in(files: Files) -> list[str]:
    return [name for name in files if name.startswith("media/")]


def test_media_come_back_with_their_files(files: Files, elsewhere: None, tmp_path: Path) -> None:
    assert len(media_in(files)) == 2  # equal files once
    imported(files, tmp_path)
    rows = Medium.objects.order_by("pk")
    assert [(each.document.name, each.segment and each.segment.name, each.name, each.alt) for each in rows] == [
        ("harbour", None, "quay.webm", "The quay"),
        ("harbour", "1", "one.png", ""),
        ("orchard", "1", "one.png", ""),
    ]
    assert sample.path_of(rows[0].file_hash).read_bytes() == sample.ebml()
    assert sample.path_of(rows[1].file_hash).stat().st_size == rows[1].size


def test_a_lost_file_does_not_keep_the_rest_from_coming_back(files: Files, elsewhere: None, tmp_path: Path) -> None:
    for name in media_in(files):
        del files[name]
    imported(files, tmp_path)
    assert Medium.objects.count() == 3
    assert not sample.path_of(Medium.objects.all()[0].file_hash).exists()


def test_a_file_that_is_something_else_is_refused(files: Files, elsewhere: None, tmp_path: Path) -> None:
    files[media_in(files)[0]] = b"<script>alert(1)</script>"
    with pytest.raises(ImportFileError, match=r"media/\w+: the content does not have the hash"):
        imported(files, tmp_path)
    assert not Medium.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("content_type", "text/html", "this is not one of the known values"),
        ("content_type", "image/gif", "and not what its row says"),
        ("file_hash", "../../etc/passwd", "Enter a valid value"),
    ],
)
def test_a_row_that_says_something_else_is_refused(
    files: Files, elsewhere: None, tmp_path: Path, field: str, value: str, message: str
) -> None:
    rows = [json.loads(line) for line in files["rows/medium.jsonl"].splitlines()]
    rows[0][field] = value
    files["rows/medium.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    with pytest.raises(ImportFileError, match=message):
        imported(files, tmp_path)
    assert not Medium.objects.exists()
