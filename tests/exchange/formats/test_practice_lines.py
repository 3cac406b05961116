"""A file of practice items: what it may contain, and all its errors at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.protocols import protocol_for
from annotation.protocols.base import Protocol
from campaigns.models import TestSet
from exchange.formats.practice_lines import read_practice
from exchange.reading import ImportFileError

GOOD: dict[str, Any] = {
    "source": "Talks resume on Friday.",
    "translations": {"A": "Die Gespräche enden am Freitag."},
    "expected": {"A": {"score": [0, 40]}},
    "feedback": "Resume is not end.",
}
PROTOCOL = protocol_for("direct_assessment", {})


def read(tmp_path: Path, *lines: object, protocol: Protocol[Any] = PROTOCOL) -> Any:
    path = tmp_path / "practice.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return read_practice(path, "practice.jsonl", protocol)


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
        ({"better": {"A": ["B"]}}, "better"),
        ({"accepted": {"A": ["Gut."]}}, "accepted"),
    ],
)
def test_each_error_is_reported_with_its_line_and_key(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    with pytest.raises(ImportFileError) as refused:
        read(tmp_path, GOOD, GOOD | change)
    (problem,) = refused.value.problems.listed
    assert (problem.file, problem.line, problem.column) == ("practice.jsonl", 2, named)


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(ImportFileError) as refused:
        read(tmp_path, "{", GOOD, [], GOOD | {"source": "", "expected": None})
    assert [problem.line for problem in refused.value.problems.listed] == [1, 3, 4, 4]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "This JSON cannot be stored: Expecting property name"),
        (
            '{"source": ' + "[" * 70 + "]" * 70 + "}",
            "This JSON cannot be stored: This JSON is nested too deeply. Correct this line.",
        ),
        ('{"source": NaN}', "This JSON cannot be stored: “NaN” is not a number. Correct this line."),
    ],
)
def test_invalid_json_is_reported_in_whole_sentences(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(ImportFileError) as refused:
        read(tmp_path, line)
    (problem,) = refused.value.problems.listed
    assert problem.message.startswith(message)


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_an_item_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ImportFileError):
        read(tmp_path, text)


PAIR = GOOD | {"translations": {"A": "Schlecht.", "B": "Gut."}, "expected": {"A": {"rank": [2, 2]}}}
RANKING = protocol_for("ranking", {"systems_per_item": 3})
CORRECTED = {name: value for name, value in GOOD.items() if name != "expected"}
POST_EDITING = protocol_for("post_editing", {})


def test_of_translations_side_by_side_there_may_be_fewer(tmp_path: Path) -> None:
    (record,) = read(tmp_path, PAIR | {"better": {"B": ["A"]}}, protocol=RANKING)
    assert (record.slots, record.better) == (PAIR["translations"], {"B": ["A"]})


def test_corrections_or_a_note_alone_are_enough(tmp_path: Path) -> None:
    accepted = {"A": ["Die Gespräche gehen am Freitag weiter."]}
    graded, noted = read(tmp_path, CORRECTED | {"accepted": accepted}, CORRECTED, protocol=POST_EDITING)
    assert (graded.accepted, graded.expected) == (accepted, {})
    assert (noted.accepted, noted.feedback) == ({}, GOOD["feedback"])


@pytest.mark.parametrize(
    ("protocol", "line", "named"),
    [
        (RANKING, PAIR | {"translations": {"A": "Allein."}}, "translations"),
        (RANKING, PAIR | {"translations": {"A": "Eins.", "C": "Drei."}}, "translations"),
        (RANKING, PAIR | {"better": {"B": ["C"]}}, "better.B"),
        (RANKING, PAIR | {"better": {"B": ["B"]}}, "better.B"),
        (RANKING, PAIR | {"better": {"B": []}}, "better.B"),
        (RANKING, PAIR | {"better": {"B": [["A"]]}}, "better.B"),
        (RANKING, PAIR | {"better": {"C": ["A"]}}, "better.C"),
        (RANKING, PAIR | {"better": ["A"]}, "better"),
        (RANKING, PAIR | {"accepted": {"A": ["Gut."]}}, "accepted"),
        (POST_EDITING, CORRECTED | {"accepted": {"A": "Gut."}}, "accepted.A"),
        (POST_EDITING, CORRECTED | {"accepted": {"A": [" "]}}, "accepted.A"),
        (POST_EDITING, CORRECTED | {"accepted": {"B": ["Gut."]}}, "accepted.B"),
        (POST_EDITING, CORRECTED | {"accepted": []}, "accepted"),
        (POST_EDITING, CORRECTED | {"feedback": ""}, "expected"),
    ],
)
def test_what_a_protocol_cannot_grade_is_refused(
    tmp_path: Path, protocol: Protocol[Any], line: dict[str, Any], named: str
) -> None:
    with pytest.raises(ImportFileError) as refused:
        read(tmp_path, line, protocol=protocol)
    assert [problem.column for problem in refused.value.problems.listed] == [named]


def test_two_translations_cannot_each_be_the_better_one(tmp_path: Path) -> None:
    with pytest.raises(ImportFileError) as refused:
        read(tmp_path, PAIR | {"better": {"A": ["B"], "B": ["A"]}}, protocol=RANKING)
    assert {problem.column for problem in refused.value.problems.listed} == {"better.A", "better.B"}


CESA = protocol_for("cesa", {})
SCREEN: dict[str, Any] = {
    "instruction": "Keep the tone.",
    "feedback": "Read both.",
    "segments": [
        {
            "source": "One.",
            "translations": {"A": "Eins eins.", "B": "Zwei."},
            "marks": {"A": [], "B": [{"tag": "missing"}]},
        },
        {
            "source": "Two.",
            "translations": {"A": "Zwei.", "B": "Drei."},
            "marks": {"B": [{"text": "Drei", "slack": 2, "severity": "major", "note": "A number."}]},
            "better": {"A": ["B"]},
        },
    ],
    "skippable": False,
}


def test_segments_of_a_line_are_one_screen(tmp_path: Path) -> None:
    first, second = read(tmp_path, SCREEN, protocol=CESA)
    assert [(item.row, item.instruction, item.may_skip, item.feedback) for item in (first, second)] == [
        (1, "Keep the tone.", False, ""),
        (2, "", False, "Read both."),
    ]
    assert first.marks == {"A": [], "B": [{"tag": "missing"}]}
    assert second.marks == {"B": [{"start": [0, 2], "end": [2, 5], "severity": "major", "note": "A number."}]}
    assert second.better == {"A": ["B"]}


@pytest.mark.parametrize(
    ("marks", "named"),
    [
        ({"C": []}, "marks.C"),
        ({"A": 1}, "marks.A"),
        ({"A": ["enden"]}, "marks.A.1"),
        ({"A": [{"text": "Eins", "sort": "x"}]}, "marks.A.1.sort"),
        ({"A": [{"text": "eins", "severity": "bad"}]}, "marks.A.1.severity"),
        ({"A": [{"text": "eins", "category": "style"}]}, "marks.A.1.category"),
        ({"A": [{"text": "ins"}]}, "marks.A.1.text"),
        ({"A": [{"text": "ins", "occurrence": 3}]}, "marks.A.1.text"),
        ({"A": [{"start": 0, "end": 99}]}, "marks.A.1.end"),
        ({"A": [{"start": 5, "end": [2, 4]}]}, "marks.A.1.end"),
        ({"A": [{"tag": "unknown"}]}, "marks.A.1.tag"),
    ],
)
def test_each_mark_that_cannot_be_is_reported_with_its_place(tmp_path: Path, marks: dict[str, Any], named: str) -> None:
    wrong = SCREEN["segments"][0] | {"marks": marks}
    with pytest.raises(ImportFileError) as refused:
        read(tmp_path, SCREEN, SCREEN | {"segments": [SCREEN["segments"][1], wrong]}, protocol=CESA)
    (problem,) = refused.value.problems.listed
    assert (problem.line, problem.column) == (2, f"segments.2.{named}")


def test_everything_wrong_with_a_screen_is_told_at_once(tmp_path: Path) -> None:
    other = SCREEN["segments"][0] | {"translations": {"A": "x", "B": "y", "C": "z"}, "source": ""}
    wrong = {"segments": [SCREEN["segments"][0], {}, other], "instruction": 3, "skippable": "no", "source": "x"}
    with pytest.raises(ImportFileError) as refused:
        read(tmp_path, wrong, {"segments": []}, protocol=CESA)
    assert {(problem.line, problem.column) for problem in refused.value.problems.listed} == {
        (1, "instruction"), (1, "skippable"), (1, "source"), (1, "segments.2.source"), (1, "segments.2.translations"),
        (1, "segments.2.expected"), (1, "segments.3.source"), (2, "segments"),
    }  # fmt: skip


def test_marks_are_for_protocols_that_mark(tmp_path: Path) -> None:
    with pytest.raises(ImportFileError) as refused:
        read(tmp_path, GOOD | {"marks": {"A": []}})
    assert [problem.column for problem in refused.value.problems.listed] == ["marks"]


@pytest.mark.django_db
def test_an_item_names_the_text_whose_media_lie_beside_it(tmp_path: Path, test_set: TestSet) -> None:
    document = test_set.documents.get(name="harbour")
    places: list[Any] = [
        {"document": "harbour", "segment": 1},
        {"document": "harbour"},
        {"document": "nowhere"},
        {"document": "harbour", "segment": "99"},
        "harbour",
        {"segment": "1"},
    ]
    lines = [json.dumps(GOOD | {"beside": each}) for each in places]
    path = tmp_path / "practice.jsonl"
    path.write_text("\n".join(lines[:2]), encoding="utf-8")
    first, second = read_practice(path, "practice.jsonl", PROTOCOL, test_set)
    assert (first.document, first.segment and first.segment.name) == (document, "1")
    assert (second.document, second.segment) == (document, None)
    path.write_text("\n".join(lines[2:]), encoding="utf-8")
    with pytest.raises(ImportFileError) as refused:
        read_practice(path, "practice.jsonl", PROTOCOL, test_set)
    assert [(each.line, each.column) for each in refused.value.problems.in_order] == [
        (1, "beside.document"),
        (2, "beside.segment"),
        (3, "beside"),
        (4, "beside"),
    ]
