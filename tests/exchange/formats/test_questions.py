"""Comprehension questions: in JSON lines among the segments, or in their own file beside any test set."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import Question, TestSet
from exchange.formats.parallel_text import ImportFiles
from exchange.reading import ImportFileError
from exchange.test_set_files import Inspection, import_test_set, inspect

TABLE = "document,segment,source,Heron\nferry,1,It is late.,Sie ist spät.\norchard,1,Pears.,Birnen.\n"
QUESTIONS = (
    "document,question,choices,accepted,name\n"
    "ferry,Why?,Fog|A strike,Fog,why\n"
    "orchard,What was picked?,,pears|Pears and apples,\n"
    "ferry,How late?,,an hour|60 minutes,\n"
)
STORED = [
    ("ferry", "why", 0, "choice", "Why?", ["Fog", "A strike"], ["Fog"]),
    ("ferry", "2", 1, "text", "How late?", [], ["an hour", "60 minutes"]),
    ("orchard", "1", 0, "text", "What was picked?", [], ["pears", "Pears and apples"]),
]
SEGMENT: dict[str, Any] = {"document": "ferry", "segment": 1, "source": "Late.", "translations": {"Heron": "Spät."}}
QUESTION: dict[str, Any] = {"document": "ferry", "question": "Why?", "choices": ["Fog", "A strike"], "accepted": "Fog"}


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def lines_of(*objects: dict[str, Any]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def look_at(folder: Path, **question: Any) -> Inspection:
    """A question that is right except for these keys, before its segment."""
    return inspect(ImportFiles(path=write(folder, "set.jsonl", lines_of(QUESTION | question, SEGMENT))))


def stored(test_set: TestSet) -> list[tuple[Any, ...]]:
    questions = Question.objects.filter(document__test_set=test_set).order_by("document__name", "position")
    columns = ("document__name", "name", "position", "kind", "text", "choices", "accepted")
    return list(questions.values_list(*columns))


def beside_a_table(folder: Path) -> Iterator[ImportFiles]:
    table = write(folder, "set.csv", TABLE)
    tabbed = "\n".join("\t".join(line.split(",")) for line in QUESTIONS.splitlines())
    objects = [
        {"document": "ferry", "question": "Why?", "choices": ["Fog", "A strike"], "accepted": "Fog", "name": "why"},
        {"document": "orchard", "question": "What was picked?", "accepted": ["pears", "Pears and apples"]},
        {"document": "ferry", "question": "How late?", "choices": [], "accepted": ["an hour", "60 minutes"]},
    ]
    for name, content in (
        ("questions.csv", QUESTIONS),
        ("semicolons.csv", QUESTIONS.replace(",", ";")),
        ("questions.tsv", tabbed),
        ("questions.jsonl", lines_of(*objects)),
    ):
        yield ImportFiles(path=table, questions=write(folder, name, content))
    yield ImportFiles(
        source=write(folder, "source.txt", "Late.\nPears.\n"),
        systems={"Heron": write(folder, "heron.txt", "Spät.\nBirnen.\n")},
        documents=write(folder, "documents.txt", "ferry\norchard\n"),
        questions=write(folder, "questions.csv", QUESTIONS),
    )
    texts = [SEGMENT, {"document": "orchard", "segment": 1, "source": "Pears.", "translations": {"Heron": "Birnen."}}]
    yield ImportFiles(path=write(folder, "set.jsonl", lines_of(*objects[:2], *texts, objects[2])))


@pytest.mark.django_db
def test_questions_come_with_any_format(tmp_path: Path) -> None:
    for number, files in enumerate(beside_a_table(tmp_path)):
        outcome = import_test_set(files, name=f"set {number}", source_language="en", target_language="de")
        assert stored(outcome.test_set) == STORED
        assert (outcome.inspection.questions, outcome.inspection.asked_documents) == (3, 2)
        assert outcome.test_set.report["questions"] == 3


@pytest.mark.django_db
def test_other_questions_make_another_test_set(tmp_path: Path) -> None:
    languages: dict[str, Any] = {"source_language": "en", "target_language": "de"}
    files = ImportFiles(path=write(tmp_path, "set.csv", TABLE), questions=write(tmp_path, "q.csv", QUESTIONS))
    assert import_test_set(files, name="set", **languages).created
    assert not import_test_set(files, name="set", **languages).created
    write(tmp_path, "q.csv", QUESTIONS.replace("Fog,why", "A strike,why"))
    with pytest.raises(ImportFileError, match="Another test set"):
        import_test_set(files, name="set", **languages)


@pytest.mark.parametrize(
    ("change", "column", "message"),
    [
        ({"document": ""}, "document", "No document"),
        ({"document": "quay"}, "document", "No document “quay” was read"),
        ({"document": 3.5}, "document", "must be a text"),
        ({"question": " "}, "question", "Empty question"),
        ({"question": "x" * 1001}, "question", "at most 1000"),
        ({"question": "Why\u0007?"}, "question", "Control character"),
        ({"choices": "Fog"}, "choices", "from 2 to 9"),
        ({"choices": [str(number) for number in range(10)], "accepted": "1"}, "choices", "from 2 to 9"),
        ({"choices": ["Fog", "Fog "]}, "choices", "the same"),
        ({"choices": ["Fog", ""]}, "choices", "is empty"),
        ({"choices": {"a": "Fog"}}, "choices", "list of texts"),
        ({"choices": [1, 2]}, "choices", "list of texts"),
        ({"accepted": []}, "accepted", "No accepted answer"),
        ({"accepted": "fog"}, "accepted", "not one of the choices"),
        ({"accepted": ["Fog", "A strike"]}, "accepted", "tests nothing"),
        ({"accepted": 7.5}, "accepted", "list of texts"),
        ({"choices": None, "accepted": "?!"}, "accepted", "letter or a digit"),
        ({"choices": None, "accepted": "x" * 1001}, "accepted", "at most 1000"),
        ({"name": "x" * 256}, "name", "at most 255"),
    ],
)
def test_an_error_in_a_question_is_reported_with_line_and_key(
    tmp_path: Path, change: dict[str, Any], column: str, message: str
) -> None:
    inspection = look_at(tmp_path, **change)
    assert [(problem.line, problem.column) for problem in inspection.problems.listed] == [(1, column)]
    assert message in inspection.problems.listed[0].message
    assert (inspection.questions, inspection.segments, inspection.can_skip) == (0, 1, True)


def test_all_errors_are_reported_at_once(tmp_path: Path) -> None:
    rows = (
        "document,question,choices,accepted,name\n"
        "ferry,Why?,Fog|A strike,Rain,\n"
        "ferry,,,,\n"
        "ferry,How?,,slowly\n"
        "ferry,When?,,noon,when\n"
        "ferry,When then?,,noon,when\n"
    )
    files = ImportFiles(path=write(tmp_path, "set.csv", TABLE), questions=write(tmp_path, "q.csv", rows))
    assert [str(problem) for problem in inspect(files).problems.listed] == [
        "q.csv, line 2, accepted: This is not one of the choices. Write it exactly as in the choices. (Rain)",
        "q.csv, line 3, question: Empty question. Write one.",
        "q.csv, line 4: 4 cells, but the header has 5. Look for a missing or an extra separator.",
        "q.csv, line 6, name: “ferry” has a question “when” already, in q.csv, line 5. Rename one of them.",
    ]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("document,question\n", "no column accepted"),
        ("document,question,accepted,accepted\n", "occurs twice"),
        ("x", "no column document, question, accepted"),
    ],
)
def test_a_file_that_is_no_table_of_questions_is_refused_whole(tmp_path: Path, header: str, message: str) -> None:
    files = ImportFiles(path=write(tmp_path, "set.csv", TABLE), questions=write(tmp_path, "q.csv", header))
    inspection = inspect(files)
    assert message in inspection.problems.listed[0].message
    assert (inspection.problems.fatal > 0, inspection.can_skip, inspection.systems) == (True, False, ["Heron"])


def test_bad_questions_can_be_left_out(tmp_path: Path) -> None:
    rows = QUESTIONS + "ferry,Who?,,,\n"
    inspection = inspect(ImportFiles(path=write(tmp_path, "s.csv", TABLE), questions=write(tmp_path, "q.csv", rows)))
    assert (inspection.problems.lines, inspection.questions, inspection.can_skip) == (1, 3, True)


def test_unknown_keys_are_named(tmp_path: Path) -> None:
    assert look_at(tmp_path, points=3).problems.notes == ["A question has no key 'points': it was ignored."]
