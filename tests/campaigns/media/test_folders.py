"""Files of a folder or a ZIP file find their texts by table or by name; nothing outside of the folder is read."""

import io
import json
import struct
import zipfile
from pathlib import Path

from django.core.management import CommandError, call_command

import pytest
from pytest_django import Settings

from campaigns.actions.media_folders import FolderOutcome, SentFile, add_media_folder, add_sent_media
from campaigns.media.errors import MediaError
from campaigns.models import Medium, TestSet
from tests import sample_media as sample

pytestmark = pytest.mark.django_db
PNG, WAV, VTT = sample.png(), sample.wav(), b"WEBVTT\n\n00:00.000 --> 00:01.000\nWelcome.\n"


@pytest.fixture(autouse=True)
def stored(tmp_path: Path, settings: Settings) -> Path:
    settings.MEDIA_DIR = tmp_path / "stored"
    return tmp_path / "stored"


def placed() -> dict[str, str]:
    rows = Medium.objects.select_related("document", "segment")
    return {f"{each.document.name}:{each.segment.name if each.segment else ''}": each.name for each in rows}


def add(test_set: TestSet, folder: Path, files: dict[str, bytes]) -> FolderOutcome:
    return add_media_folder(test_set=test_set, folder=sample.written(folder, files), by=None)


def zip_of(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def send(test_set: TestSet, tmp_path: Path, files: dict[str, bytes]) -> FolderOutcome:
    home = sample.written(tmp_path / "sent", files)
    return add_sent_media(test_set=test_set, files=[SentFile(name, home / name) for name in files], by=None)


def test_names_lead_to_documents_and_numbers_to_segments(test_set: TestSet, tmp_path: Path) -> None:
    numbered = {f"orchard/pears_{number}-anon.png": PNG for number in (10, 9, 11)}
    files = {"harbour.wav": WAV, "harbour.vtt": VTT, "notes.txt": b"x", "orchard/pears_all.png": PNG, ".DS_Store": b""}
    outcome = add(test_set, tmp_path / "folder", files | numbered)
    assert placed() == {
        "harbour:": "harbour.wav",
        "orchard:1": "orchard/pears_9-anon.png",
        "orchard:2": "orchard/pears_10-anon.png",
        "orchard:3": "orchard/pears_11-anon.png",
    }
    assert (outcome.unused, outcome.unequal, outcome.without) == (("notes.txt", "orchard/pears_all.png"), (), ())
    assert Medium.objects.get(segment=None).captions == VTT.decode()


def test_numbers_behind_the_name_of_the_document_do_as_well(test_set: TestSet, tmp_path: Path) -> None:
    add(test_set, tmp_path / "folder", {f"harbour_{number}.png": PNG for number in (1, 2, 3)})
    assert placed() == {f"harbour:{number}": f"harbour_{number}.png" for number in (1, 2, 3)}


def test_too_few_pictures_are_reported_and_none_is_used(test_set: TestSet, tmp_path: Path) -> None:
    outcome = add(test_set, tmp_path / "folder", {f"orchard/_{number}.png": PNG for number in (1, 2)})
    assert (outcome.unequal, placed()) == (("orchard",), {})


def test_a_table_decides_alone(test_set: TestSet, tmp_path: Path) -> None:
    table = "document,segment,file,alt\nharbour,2,deep/one.png,A quay.\norchard,,two.wav,\n"
    files = {"media.csv": table.encode(), "deep/one.png": PNG, "two.wav": WAV, "harbour.png": PNG}
    outcome = add(test_set, tmp_path / "folder", files)
    assert placed() == {"harbour:2": "deep/one.png", "orchard:": "two.wav"}
    assert outcome.unused == ("harbour.png",)
    assert Medium.objects.get(segment__name="2").alt == "A quay."


@pytest.mark.parametrize("path", ["../outside.png", "/etc/passwd", "C:\\x.png", "link.png", "gone.png", "deep", ""])
def test_a_path_of_the_table_stays_below_the_folder(test_set: TestSet, tmp_path: Path, path: str) -> None:
    sample.written(tmp_path, {"outside.png": PNG})
    folder = sample.written(tmp_path / "folder", {"deep/one.png": PNG})
    if path == "link.png":
        (folder / "link.png").symlink_to(tmp_path / "outside.png")
    table = f"document,segment,file,alt\nharbour,1,{path},\nharbour,2,deep/one.png,\n"
    with pytest.raises(MediaError, match=r"media.csv, line 2, file: "):
        add(test_set, folder, {"media.csv": table.encode()})
    assert placed() == {}


def test_a_table_with_other_columns_is_refused(test_set: TestSet, tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="must name the columns: document, segment, file, alt"):
        add(test_set, tmp_path / "folder", {"media.csv": b"doc,path\nharbour,x.png\n"})


def test_a_folder_without_anything_for_the_texts_is_refused(test_set: TestSet, tmp_path: Path) -> None:
    with pytest.raises(MediaError, match=r"No file belongs to a text. Name files as documents \(such as harbour.png\)"):
        add(test_set, tmp_path / "folder", {"holiday.png": PNG})


def test_a_zip_file_is_a_folder(test_set: TestSet, tmp_path: Path, stored: Path) -> None:
    archive = zip_of({f"orchard/{number}.png": PNG for number in (1, 2, 3)} | {"__MACOSX/orchard/._1.png": b"x"})
    outcome = send(test_set, tmp_path, {"all.zip": archive, "harbour.wav": WAV})
    assert (len(placed()), outcome.unused) == (4, ())
    assert not list(stored.glob("unpacked-*"))


def link_in_zip() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        about = zipfile.ZipInfo("harbour.png")
        about.external_attr = 0o120777 << 16
        archive.writestr(about, "/etc/passwd")
    return target.getvalue()


def lying_zip() -> bytes:
    """Its directory says three bytes; there are two million."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("harbour.png", bytes(2_000_000))
    data = bytearray(target.getvalue())
    struct.pack_into("<I", data, data.rindex(b"PK\x01\x02") + 24, 3)
    return bytes(data)


@pytest.mark.parametrize(
    ("archive", "message"),
    [
        (zip_of({"../harbour.png": PNG}), "must lie below the folder"),
        (zip_of({"/tmp/harbour.png": PNG}), "must lie below the folder"),  # noqa: S108 - it is never written
        (link_in_zip(), "This is a link"),
        (zip_of({"harbour.png": bytes(2_000_000)}), "more than 1 MB"),
        (lying_zip(), "damaged"),
        (zip_of({"harbour.png": PNG})[:-40], "not a ZIP file, or it is damaged"),
    ],
)
def test_traps_of_zip_files(
    test_set: TestSet, tmp_path: Path, settings: Settings, archive: bytes, message: str
) -> None:
    settings.MEDIA_MEGABYTES = settings.MEDIA_MEGABYTES | {"test_set": 1}
    with pytest.raises(MediaError, match=message):
        send(test_set, tmp_path, {"all.zip": archive})
    assert placed() == {}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sent", "stored"]


def test_the_command_says_what_it_did(test_set: TestSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = sample.written(tmp_path / "folder", {"harbour.wav": WAV, "notes.txt": b"x"})
    call_command("add_media", test_set.name, str(folder), "--json")
    assert json.loads(capsys.readouterr().out) == {
        "added": 1,
        "replaced": 0,
        "unchanged": 0,
        "unused": ["notes.txt"],
        "unequal": [],
        "documents_without": ["orchard"],
    }
    (folder / "orchard.png").write_bytes(b"<svg/>")
    with pytest.raises(CommandError, match=r"orchard.png: This is not a PNG(.|\n)*Nothing was stored"):
        call_command("add_media", test_set.slug, str(folder))
