"""Questionnaires as files: what is written is read again, and all that is wrong is said at once."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from campaigns.form_questions import Choice
from campaigns.reading.problems import Problems
from exchange.formats.questionnaire_file import COLUMNS, read_questionnaire, table_rows_of, written_json
from exchange.reading import ImportFileError
from exchange.tables.csv_and_json import csv_text
from tests.sample_questionnaire import QUESTIONS


def problems_of(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    problems = Problems()
    with pytest.raises(ImportFileError):
        read_questionnaire(path, path.name, problems)
    return [f"{each.line}: {each.column}: {each.message}" for each in problems.listed]


def test_json_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "entry.json"
    path.write_text(written_json(QUESTIONS, "Until **May**."), encoding="utf-8")
    read = read_questionnaire(path, path.name, Problems())
    assert (read.questions, read.consent) == (QUESTIONS, "Until **May**.")


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "entry.csv"
    path.write_text(csv_text(COLUMNS, table_rows_of(QUESTIONS)), encoding="utf-8")
    read = read_questionnaire(path, path.name, Problems())
    assert (read.questions, read.consent) == (QUESTIONS, None)


def test_answers_that_do_not_qualify_come_back(tmp_path: Path) -> None:
    native, work, skill, *_rest = QUESTIONS
    marked = tuple(
        replace(question, screens_out=out)
        for question, out in ((native, ("no",)), (work, ("editor", "teacher")), (skill, ("1", "2")))
    )
    (tmp_path / "q.json").write_text(written_json(marked, ""))
    (tmp_path / "q.csv").write_text(csv_text(COLUMNS, table_rows_of(marked)))
    for name in ("q.json", "q.csv"):
        assert read_questionnaire(tmp_path / name, name, Problems()).questions == marked
    (problem,) = problems_of(tmp_path / "x.json", '[{"kind": "text", "text": "?", "screens_out": {}}]')
    assert "questions[0].screens_out" in problem


def test_names_may_be_left_to_assay(tmp_path: Path) -> None:
    path = tmp_path / "entry.csv"
    path.write_text("kind;text;choices\nsingle;Your sight?;good|no=I do not see", encoding="utf-8")
    [question] = read_questionnaire(path, path.name, Problems()).questions
    assert (question.name, question.is_required) == ("your-sight", True)
    assert question.choices == (Choice("good", "good"), Choice("no", "I do not see"))


def test_all_that_is_wrong_in_a_table_has_its_line(tmp_path: Path) -> None:
    text = "name,kind,text,low,high,required,choices\na,scale,One?,1,99,,\na,single,Two?,,,,x|x\nb,text,,,,,\n"
    assert problems_of(tmp_path / "entry.csv", text) == [
        "2: high: A scale has at most 11 points.",
        "3: choices: Two choices are the same.",
        "3: name: Question 1 has this name already.",
        "4: text: Write the question.",
    ]
    text = "name,kind,text,low,required\na,scale,One?,low,perhaps\n"
    assert problems_of(tmp_path / "entry.csv", text) == [
        "2: required: Write yes or no.",
        "2: low: Write a number, such as 12 or 2.5.",
    ]


def test_all_that_is_wrong_in_json_has_its_place(tmp_path: Path) -> None:
    rows = [{"kind": "text", "text": 5, "colour": "red"}, "why?", {"kind": "single", "text": "x", "choices": [1]}]
    found = problems_of(tmp_path / "entry.json", json.dumps({"questions": rows, "consent": ["x"]}))
    assert [each.split(": ")[1] for each in found] == [
        "consent", "questions[1].", "questions[0].colour", "questions[0].text", "questions[2].choices",
    ]  # fmt: skip
    [wrong] = problems_of(tmp_path / "entry.json", json.dumps([{"kind": "poem", "text": "x"}]))
    assert wrong.startswith("None: questions[0].kind: Unknown kind. Allowed: single, multiple")
    _kind, text = problems_of(tmp_path / "entry.json", json.dumps([{"kind": "poem", "text": ""}]))
    assert text == "None: questions[0].text: Write the question."


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"questions": {}}', "kind,text\n", "name\nx\n", "[{]"])
def test_a_file_without_questions_is_refused(tmp_path: Path, text: str) -> None:
    assert problems_of(tmp_path / "entry.txt", text)
