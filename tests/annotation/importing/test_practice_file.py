"""A file of practice items: what it may say, and everything that is wrong with it at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.importing.practice_file import PracticeFileError, read_practice
from annotation.protocols import protocol_for

GOOD: dict[str, Any] = {
    "source": "Talks resume on Friday.",
    "translations": {"A": "Die Gespräche enden am Freitag."},
    "expected": {"A": {"score": [0, 40]}},
    "feedback": "Resume is not end.",
}
PROTOCOL = protocol_for("direct_assessment", {})


def read(tmp_path: Path, *lines: object) -> Any:
    path = tmp_path / "practice.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return read_practice(path, "practice.jsonl", PROTOCOL)


def test_a_good_line_becomes_an_item(tmp_path: Path) -> None:
    (record,) = read(tmp_path, GOOD, "")
    assert (record.source, record.reference, record.feedback) == (GOOD["source"], "", GOOD["feedback"])
    assert record.slots == GOOD["translations"]
    assert record.expected == {"A": {"score": (0.0, 40.0)}}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"source": " "}, "source"),
        ({"source": 3}, "source"),
        ({"translations": {"B": "x"}}, "translations"),
        ({"translations": {"A": ""}}, "translations.A"),
        ({"expected": {}}, "expected"),
        ({"expected": {"A": {}}}, "expected.A"),
        ({"expected": {"B": {"score": [0, 1]}}}, "expected.B"),
        ({"expected": {"A": {"rank": [0, 1]}}}, "expected.A.rank"),
        ({"expected": {"A": {"score": [40, 0]}}}, "expected.A.score"),
        ({"expected": {"A": {"score": [0, 101]}}}, "expected.A.score"),
        ({"expected": {"A": {"score": [0, True]}}}, "expected.A.score"),
        ({"hint": "x"}, "hint"),
    ],
)
def test_what_does_not_fit_is_told_with_its_line_and_key(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    with pytest.raises(PracticeFileError) as refused:
        read(tmp_path, GOOD, GOOD | change)
    (problem,) = refused.value.problems.kept
    assert (problem.file, problem.line, problem.column) == ("practice.jsonl", 2, named)


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(PracticeFileError) as refused:
        read(tmp_path, "{", GOOD, [], GOOD | {"source": "", "expected": None})
    assert [problem.line for problem in refused.value.problems.kept] == [1, 3, 4, 4]


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_an_item_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(PracticeFileError):
        read(tmp_path, text)
