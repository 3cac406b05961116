"""Annotations of Pearmut may be many: a reset can make any of them void, yet memory holds one record at a time."""

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats import pearmut_records
from exchange.formats.pearmut_annotations import MOST_NAMED, read_pearmut
from exchange.json_array import lengths_of_lists, objects_in_list
from exchange.reading import SourceFile
from exchange.staging.judgments import JudgmentRow, Reading
from tests.exchange.formats.pearmut_records import cell, record, segment
from tests.exchange.formats.test_memory import peak_of

SHORT, LONG = 200, 800  # records


def records(count: int) -> Iterator[dict[str, Any]]:
    """Every tenth screen is done again later; each cell has a comment, which is counted."""
    words = "Die Fähre ist laut {0} wieder zu spät, und niemand auf dem Kai weiß, warum. " * 2
    for number in range(count):
        place = number - number % 10 // 9
        texts = segment(place, **{name: words.format(f"{name} {place}") for name in ("Heron", "Rook", "Owl")})
        answers = {name: cell(90) | {"textfield": "Late."} for name in ("Heron", "Rook", "Owl")}
        yield record((texts, answers), user_id=f"rater {place % 7}")


def write_log(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{json.dumps(each)}\n" for each in records(count))


def write_download(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.write('{"other": [], "made": [\n')
        stream.writelines(f"{',' if number else ''}{json.dumps(each)}\n" for number, each in enumerate(records(count)))
        stream.write("]}\n")


def read(path: Path) -> Reading:
    reading = Reading(path, path.name, Problems())
    reading.campaign_id = "made"
    for _row in read_pearmut(reading):
        pass
    return reading


@pytest.mark.drawn(2)
@pytest.mark.parametrize("write", [write_log, write_download])
def test_memory_does_not_grow_with_the_records(tmp_path: Path, write: Any) -> None:
    """A list of all records needs several times what the file has more; a download keeps some bytes for each."""
    peaks, sizes = [], []
    for name, count in (("what is loaded once", SHORT), ("short", SHORT), ("long", LONG)):
        write(path := tmp_path / name, count)
        peaks.append(peak_of(partial(read, path)))
        sizes.append(path.stat().st_size)
    assert peaks[2] - peaks[1] < (sizes[2] - sizes[1]) / 5
    counts = read(path).counts
    assert (counts["records"], counts["revisions_superseded"]) == (LONG, LONG // 10)


def test_a_download_longer_than_memory_should_hold_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exchange.formats.pearmut_records.MOST_MEGABYTES", 0)
    write_download(path := tmp_path / "long.json", SHORT)
    assert read(path).counts["records"] == SHORT


def test_a_note_names_no_more_records_than_it_has_room_for(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    line = json.dumps(record((segment(Heron="Eins."), {"Heron": cell(40)})))
    path.write_text(f"{line}\n" * (MOST_NAMED + 9), encoding="utf-8")
    [note] = read(path).problems.notes
    assert f"kept: {MOST_NAMED + 9}, in records 1, 2, 3," in note
    assert note.endswith("…")


def test_a_reset_between_revisions_begins_anew(tmp_path: Path) -> None:
    """Revisions, positions and what was judged before are those of the records that are left."""
    first = record((segment(Heron="Eins.", Rook="Zwei."), {"Heron": cell(90), "Rook": cell(90)}))
    other = first | {"user_id": "elm"}
    later = record((segment(Heron="Eins.", Owl="Drei."), {"Heron": cell(90), "Owl": cell(90)}))
    path = tmp_path / "log.jsonl"
    reset = {"user_id": "ash", "annotation": "__RESET__"}
    path.write_text("\n".join(json.dumps(each) for each in (first, other, first, reset, later, first)))
    rows = [row for row in read_pearmut(Reading(path, "log", Problems())) if isinstance(row, JudgmentRow)]
    of_row = [(row.line, row.annotator, row.system, row.kind, row.revision, row.position, row.screen) for row in rows]
    assert of_row == [
        (2, "elm", "Heron", "regular", 1, 1, 1),
        (2, "elm", "Rook", "regular", 1, 1, 1),
        (5, "ash", "Heron", "regular", 1, 1, 2),
        (5, "ash", "Owl", "regular", 1, 1, 2),
        (6, "ash", "Rook", "regular", 1, 2, 3),
        (6, "ash", "Heron", "repeat-by-chance", 1, 3, 3),
    ]


# --- lists of objects, object by object ---------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [{}, 7]}', '{"a": [null, {}]}', '{"a": {}}', '{"a": [[{}]]}', '[{"a": 1}]', '{"a": [{}]',
        '{"a": [{}]} {"b": []}', '{"a": [{"b": NaN}]}', '{"a": [{"b": "\\ud800"}]}', '{"a": [], "a": []}',
        '{"a": [{} {}]}', '{"a": [{"b": "\x01"}]}', '{"a": [{]}', "", '{"a": "{}"}',
        '{"a": [{"b": %s}]}' % ("[" * 63 + "]" * 63),
    ],
)  # fmt: skip
def test_what_is_not_sound_or_not_lists_of_objects_has_no_lengths(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    assert lengths_of_lists(SourceFile(path, "a.json", Problems())) is None


def test_objects_of_each_list_are_found_whatever_ends_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(5)
    words = ['x"}{\\', "[]", "💩\n", "", "\\u007b"]
    lists = {
        name: [{draw.choice(words): [draw.choice(words), {"b": {}}]} for _ in range(size)]
        for name, size in (('}"', 3), ("", 0), ("c", 4))
    }
    path = tmp_path / "a.json"
    for block, ascii_only in ((1, True), (2, False), (7, True), (1 << 16, False)):
        monkeypatch.setattr("exchange.json_array._BLOCK", block)
        path.write_text(json.dumps(lists, ensure_ascii=ascii_only, indent=block), encoding="utf-8")
        file = SourceFile(path, "a.json", Problems())
        lengths = lengths_of_lists(file)
        assert lengths == {name: len(each) for name, each in lists.items()}
        assert {name: list(objects_in_list(file, lengths, name)) for name in lists} == lists


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda text: text[: len(text) // 2], "Record 3 cannot be read: the file ends before it does"),
        (lambda text: text.replace('"score": 90', '"score": NaN', 1), "Record 1 cannot be read: “NaN” is not a number"),
        (lambda text: text.replace("Kai", "K\\udc00", 1), "Record 1 cannot be read: A text contains half a character"),
        (lambda text: text[:-2] + "3", "Record 6 cannot be read: the file ends before it does"),
        (lambda text: text.replace('{"other"', '{"others": 1, "other"'), "0 MB. JSON that is one value is read up to"),
    ],
)
def test_what_is_wrong_in_a_download_too_large_to_be_read_whole_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: Callable[[str], str], said: str
) -> None:
    monkeypatch.setattr(pearmut_records, "MOST_MEGABYTES", 0)
    write_download(path := tmp_path / "download.json", 5)
    path.write_text(broken(path.read_text(encoding="utf-8")), encoding="utf-8")
    reading = Reading(path, path.name, Problems())
    reading.campaign_id = "made"
    with pytest.raises(UnreadableFileError):
        list(read_pearmut(reading))
    [problem] = reading.problems.listed
    assert problem.message.startswith(said)
