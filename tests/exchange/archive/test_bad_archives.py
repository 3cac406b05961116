"""Files that are no archive, contradict themselves or were changed: every error is reported, nothing is stored."""

import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from annotation.models import Judgment
from campaigns.models import Account, Campaign, TestSet
from exchange.archive.rebuilding import import_archive
from exchange.archive.writing import write_archive
from exchange.reading import ImportFileError
from tests.cast import make_cast
from tests.exchange.judged_campaign import make_judged
from tests.rows_made_once import made_and_undone
from tests.sample_test_set import make_test_set

pytestmark = pytest.mark.django_db
Change = Callable[[dict[str, bytes]], None]


@pytest.fixture(scope="module")
def written(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> dict[str, bytes]:
    with made_and_undone(django_db_blocker):
        archived = b"".join(write_archive(make_judged(make_test_set(), make_cast())))
    with zipfile.ZipFile(io.BytesIO(archived)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def good(written: dict[str, bytes], campaign: Campaign) -> dict[str, bytes]:
    """The files of an archive, beside another campaign."""
    return dict(written)


def packed(files: Mapping[str, bytes], path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def counts() -> list[int]:
    return [model._default_manager.count() for model in (Campaign, TestSet, Account, Judgment)]


def refusal_of(path: Path) -> str:
    before = counts()
    with pytest.raises(ImportFileError) as refused:
        import_archive(path, name="Rebuilt")
    assert counts() == before
    return str(refused.value)


def edited(files: dict[str, bytes], file: str, line: int, /, **fields: Any) -> None:
    """Changes a row in place."""
    lines = files[file].splitlines()
    row = json.loads(lines[line - 1]) | fields
    lines[line - 1] = json.dumps(row).encode()
    files[file] = b"\n".join(lines) + b"\n"


def test_a_file_that_is_no_zip_is_refused(tmp_path: Path, db: None) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(b"judgment,annotator\n")
    assert "not a ZIP file" in refusal_of(path)
    assert "cannot be read" in refusal_of(tmp_path / "nowhere.zip")


def test_a_zip_of_something_else_is_refused(tmp_path: Path, db: None) -> None:
    assert "not an archive of Assay" in refusal_of(packed({"a.txt": b"x"}, tmp_path / "x.zip"))


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.95])
def test_a_download_that_broke_off_is_refused(good: dict[str, bytes], tmp_path: Path, cut: float) -> None:
    path = packed(good, tmp_path / "x.zip")
    content = path.read_bytes()
    path.write_bytes(content[: int(cut * len(content))])
    assert "not a ZIP file" in refusal_of(path)


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "rows/../../x", "..\\x", "C:x"])
def test_a_name_that_leads_out_is_refused(good: dict[str, bytes], tmp_path: Path, name: str) -> None:
    assert "points outside the archive" in refusal_of(packed(good | {name: b"x"}, tmp_path / "x.zip"))


def test_a_link_is_refused(good: dict[str, bytes], tmp_path: Path) -> None:
    path = packed(good, tmp_path / "x.zip")
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo("rows/link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert "this is a link" in refusal_of(path)


def test_two_files_of_one_name_are_refused(good: dict[str, bytes], tmp_path: Path) -> None:
    path = packed(good, tmp_path / "x.zip")
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("rows/judgment.jsonl", b"")
    assert "two files with this name" in refusal_of(path)


def test_a_bomb_is_refused_before_it_is_unpacked(good: dict[str, bytes], tmp_path: Path) -> None:
    message = refusal_of(packed(good | {"rows/judgment.jsonl": b"0" * 40_000_000}, tmp_path / "x.zip"))
    assert "unpacked it would have 40 MB" in message


def test_a_file_larger_than_its_stated_size_is_refused(good: dict[str, bytes], tmp_path: Path) -> None:
    path = packed(good, tmp_path / "x.zip")
    content = bytearray(path.read_bytes())
    place = content.rindex(b"rows/score.jsonl") - 46 + 24  # its size, in the directory at the end
    content[place : place + 4] = (50).to_bytes(4, "little")
    path.write_bytes(bytes(content))
    assert "damaged" in refusal_of(path)


def test_too_many_files_are_refused(good: dict[str, bytes], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("exchange.archive.reading.MOST_FILES", 1_000)
    many = {f"x{number}": b"" for number in range(1200)}
    assert "contains 12" in refusal_of(packed(good | many, tmp_path / "x.zip"))


def test_a_line_that_never_ends_is_refused(good: dict[str, bytes], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("exchange.archive.reading.LONGEST_LINE", 1000)
    good["rows/judgment.jsonl"] = b'{"id": 1, "x": "' + b"ab" * 1000
    assert "line 1: this line is too long" in refusal_of(packed(good, tmp_path / "x.zip"))


def test_an_archive_of_a_newer_assay_is_refused_as_such(good: dict[str, bytes], tmp_path: Path) -> None:
    good["manifest.json"] = good["manifest.json"].replace(b'"version": 1', b'"version": 2')
    assert "a newer version of Assay wrote this archive" in refusal_of(packed(good, tmp_path / "x.zip"))


def test_rows_that_are_missing_are_noticed(good: dict[str, bytes], tmp_path: Path) -> None:
    good["rows/score.jsonl"] = b"".join(good["rows/score.jsonl"].splitlines(keepends=True)[:-1])
    assert "rows/score.jsonl: rows: 14, according to the manifest: 15" in refusal_of(packed(good, tmp_path / "x.zip"))


def break_many(files: dict[str, bytes]) -> None:
    edited(files, "rows/segment.jsonl", 2, document=999)
    edited(files, "rows/judgment.jsonl", 1, submitted_at="yesterday", is_current="perhaps", colour="red")
    edited(files, "rows/score.jsonl", 1, value="high")
    edited(files, "rows/item.jsonl", 1, kind="trap", segment=True)
    edited(files, "rows/system.jsonl", 1, name="x" * 200)
    edited(files, "rows/campaign.jsonl", 1, seed=None)
    files["rows/slot.jsonl"] += b'{"id": 1}\n[1]\nnot json\n{"id": 5, "label": "\\u0000"}\n\xff\n'


def test_all_errors_are_reported_at_once_with_their_places(good: dict[str, bytes], tmp_path: Path) -> None:
    break_many(good)
    message = refusal_of(packed(good, tmp_path / "x.zip"))
    slots = good["rows/slot.jsonl"].count(b"\n")
    for expected in (
        "rows/segment.jsonl, line 2, document: there is no such row in rows/document.jsonl. (999)",
        "rows/judgment.jsonl, line 1, colour: unknown field (written by a newer version?",
        "rows/judgment.jsonl, line 1, submitted_at:",
        "rows/judgment.jsonl, line 1, is_current:",
        "rows/score.jsonl, line 1, value: this must be a number. (high)",
        "rows/item.jsonl, line 1, kind: this is not one of the known values. (trap)",
        "rows/item.jsonl, line 1, segment: this is not the id of a row. (True)",
        "rows/system.jsonl, line 1, name:",
        "rows/campaign.jsonl, line 1, seed: this must not be empty.",
        f"rows/slot.jsonl, line {slots - 3}: this is not a JSON object.",
        f"rows/slot.jsonl, line {slots - 2}: this is not JSON.",
        f"rows/slot.jsonl, line {slots - 1}: A text contains the character NUL.",
        f"rows/slot.jsonl, line {slots}: this is not UTF-8.",
    ):
        assert expected in message


@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [
        ("campaign", {"protocol": "guessing"}, "unknown protocol"),
        ("campaign", {"options": {"colour": 1}}, "options"),
        ("campaign", {"systems": [77]}, "systems: there is no such row"),
        ("test_set", {"source_language": "no language"}, "source_language"),
        ("judgment", {"answer": [1]}, "an answer must be an object with slots"),
        ("annotator", {"name": ""}, "a name must have from 1 to 150"),
        ("score", {"value": float("inf")}, "“Infinity” is not a number"),
        ("judgment", {"started_at": "2026-11-03T09:00:00"}, "has no time zone"),
        ("judgment", {"annotator": 9}, "there is no such row in rows/annotator.jsonl"),
        ("reference", {"text": "\ud83d"}, "half a character"),
        ("judgment", {"started_at": "0001-01-01T00:00:00+14:00"}, "before 1900 or after 2200"),
        ("judgment", {"submitted_at": "9999-12-31T23:59:59-14:00"}, "before 1900 or after 2200"),
        ("campaign", {"seed": 10**400}, "A number is too large"),
    ],
)
def test_each_is_refused(
    good: dict[str, bytes], tmp_path: Path, name: str, fields: dict[str, Any], expected: str
) -> None:
    edited(good, f"rows/{name.replace('_', '')}.jsonl", 1, **fields)
    assert expected in refusal_of(packed(good, tmp_path / "x.zip"))


def test_repeated_rows_are_reported(good: dict[str, bytes], tmp_path: Path) -> None:
    first = json.loads(good["rows/segment.jsonl"].splitlines()[0])
    good["rows/segment.jsonl"] += json.dumps(first | {"id": 4_000}).encode() + b"\n"
    good["rows/segment.jsonl"] += json.dumps(first).encode() + b"\n"
    message = refusal_of(packed(good, tmp_path / "x.zip"))
    assert "an earlier row has this id" in message
    assert "document, name: an earlier row has the same" in message


@pytest.mark.django_db(transaction=True)
def test_what_only_the_database_notices_is_taken_back_whole(good: dict[str, bytes], tmp_path: Path) -> None:
    lines = good["rows/judgment.jsonl"].splitlines()
    current = [number for number, line in enumerate(lines, 1) if b'"is_current":false' in line]
    edited(good, "rows/judgment.jsonl", current[0], is_current=True)
    assert "contradict one another" in refusal_of(packed(good, tmp_path / "x.zip"))


def test_deep_nesting_is_no_way_to_break_the_reader(good: dict[str, bytes], tmp_path: Path) -> None:
    good["rows/draft.jsonl"] += b'{"id": 1, "answer": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    assert "rows/draft.jsonl, line" in refusal_of(packed(good, tmp_path / "x.zip"))


def zip_of_many(count: int, *, stated: int, size: int | None = None, large: bool = False) -> bytes:
    """A directory of many empty files after one, with the true or the stated number at its end."""
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0)
    first = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 0, 0, 0, 0, 0, 0, 4, 0) + b"name"
    directory = (entry + b"name") * count
    size = len(directory) if size is None else size
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, min(stated, 65_535), min(stated, 65_535), size, len(first), 0)
    if large:
        at = len(first) + len(directory)
        end = (
            struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, stated, stated, size, len(first))
            + struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
            + end
        )
    return first + directory + end


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (zip_of_many(400_000, stated=400_000, large=True), "it contains 400000 files"),
        (zip_of_many(400_000, stated=3), "its directory has 20000 kB"),
        (zip_of_many(400_000, stated=3, size=5_000), "two files with this name"),
        (zip_of_many(400_000, stated=3, size=2**32 - 1), "its directory has 4294967 kB"),
    ],
    ids=["as it says", "more than it says", "longer than it says", "shorter than it says"],
)
def test_a_directory_without_end_is_not_read(content: bytes, expected: str, tmp_path: Path, db: None) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    tracemalloc.start()
    try:
        assert expected in refusal_of(path)
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()
