"""Files with tens of thousands of names take a moment, not hours: no name is compared with all the others."""

import json
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from campaigns.reading.people_list import read_people
from campaigns.reading.problems import Problems
from campaigns.reading.table_rows import MOST_COLUMNS
from exchange.formats import pearmut_records
from exchange.formats.parallel_text import ImportFiles
from exchange.json_values import JSONError, read_json
from exchange.judgment_files import check_file
from exchange.reading import ImportFileError
from exchange.staging.judgments import Reading, staged_judgments
from exchange.test_set_files import inspect

MANY = 30_000  # compared with one another, they take 10 seconds and more
SOON = 3  # seconds of the processor


def object_with_a_key_twice(_path: Path) -> None:
    body = ",".join(f'"{number}":1' for number in [*range(MANY), MANY - 1])
    with pytest.raises(JSONError, match=f"“{MANY - 1}” occurs twice"):
        read_json("{" + body + "}")


def segment_of_many_systems(path: Path) -> None:
    texts = dict.fromkeys(map(str, range(MANY)), "t")
    path.write_text(json.dumps({"document": "d", "segment": 1, "source": "s", "translations": texts}) + "\n")
    assert len(inspect(ImportFiles(path=path)).outputs) == MANY


def header_of_one_column(path: Path) -> None:
    path.write_text(",".join(["document"] * MOST_COLUMNS) + "\n1\n")
    with staged_judgments() as staged, pytest.raises(ImportFileError, match="document: This column occurs twice"):
        check_file(staged, path, format="assay-csv")


def people_of_one_column(_path: Path) -> None:
    _people, problems = read_people(",".join(["name"] * MOST_COLUMNS) + "\nAnna\n")
    assert problems


def too_many_columns(path: Path) -> None:
    for separator, format in ((",", "csv"), ("\t", "tsv")):
        path.write_text(separator.join(["x"] * MANY) + "\n1\n")
        [problem] = inspect(ImportFiles(path=path), format=format).problems.listed
        assert str(problem).startswith(f"file, line 1: {MANY} cells, but a row has at most 2000.")


@pytest.mark.parametrize(
    "read",
    [object_with_a_key_twice, segment_of_many_systems, header_of_one_column, too_many_columns, people_of_one_column],
)
def test_names_are_compared_once(read: Callable[[Path], None], tmp_path: Path) -> None:
    before = process_time()
    read(tmp_path / "file")
    assert process_time() - before < SOON


def test_a_download_in_one_line_is_not_taken_for_a_log_that_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pearmut_records, "LONGEST_ROW", 1000)
    record = {"annotation": [], "actions": [], "item": [], "user_id": "a", "item_i": 0}
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(record) + "\n")
    assert pearmut_records._is_log(Reading(path, path.name, Problems()))
    path.write_text(json.dumps(record | {"more": "x" * 1000}) + "\n")
    assert not pearmut_records._is_log(Reading(path, path.name, Problems()))
