"""Practising comprehension: questions of the practice items' own, graded on the server."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.actions.practising import set_practice
from annotation.queries.practice import protocol_of
from campaigns.models import Campaign, TestSet
from exchange.formats.practice_lines import read_practice
from exchange.reading import ImportFileError
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session, submission
from tests.planned_campaign import make_planned_campaign
from tests.sample_questions import ask_questions

WHERE = "campaigns/planned-campaign/practice/items"
LINE: dict[str, Any] = {
    "translations": {"A": "Die Fähre kam um neun."},
    "questions": [
        {"question": "When?", "accepted": ["sentinel nine", "sentinel 9"]},
        {"question": "What?", "choices": ["A bus", "A ferry"], "accepted": "A ferry", "name": "what"},
    ],
    "expected": {"A": {"correct": [2, 2]}},
    "feedback": "It came at sentinel nine.",
}


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    ask_questions(test_set)
    return make_planned_campaign(test_set, cast, protocol="gisting")


def read(folder: Path, campaign: Campaign, line: dict[str, Any]) -> Any:
    path = folder / "practice.jsonl"
    path.write_text(json.dumps(line, ensure_ascii=False), encoding="utf-8")
    return read_practice(path, "practice.jsonl", protocol_of(campaign))


def given(when: str, what: str) -> dict[str, Any]:
    return {"slots": {"A": {"answers": {"1": when, "what": what}}}, "comment": "", "cannot_judge": None}


@pytest.fixture
def page(campaign: Campaign, cast: Cast, tmp_path: Path) -> ApiAnnotator:
    records = read(tmp_path, campaign, LINE)
    set_practice(campaign=campaign, items=records, pass_mark=1.0, by=cast.organiser)
    return by_session(cast.annotator)


def test_the_text_and_its_questions_are_shown_and_nothing_of_what_is_right(page: ApiAnnotator) -> None:
    shown = page.get(WHERE)
    assert b"sentinel" not in shown.content
    assert b"accepted" not in shown.content
    (item,) = shown.json()["items"]
    assert (item["level"], item["slots"]) == (
        "document",
        [{"slot": "A", "text": "Die Fähre kam um neun.", "columns": [1]}],
    )
    assert [(each["name"], each["choices"]) for each in item["questions"]] == [
        ("1", []),
        ("what", ["A bus", "A ferry"]),
    ]


@pytest.mark.parametrize(("when", "what", "is_right"), [("Sentinel NINE!", "A ferry", True), ("ten", "A ferry", False)])
def test_answers_are_graded_and_the_feedback_comes_after_them(
    page: ApiAnnotator, when: str, what: str, *, is_right: bool
) -> None:
    item = page.get(WHERE).json()["items"][0]["id"]
    refused = page.post(f"{WHERE}/{item}/judgments", submission(answer=given(when, "A tram")))
    assert refused.status_code == 422
    assert b"sentinel nine" not in refused.content
    told = page.post(f"{WHERE}/{item}/judgments", submission(answer=given(when, what))).json()["feedback"]
    assert (told["is_right"], told["text"]) == (is_right, "It came at sentinel nine.")
    assert told["verdicts"][0]["value"] == 1 + is_right


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"questions": []}, "questions"),
        ({"questions": None}, "questions"),
        ({"questions": ["When?"]}, "questions"),
        ({"questions": [{"question": "When?"}]}, "accepted"),
        ({"questions": [LINE["questions"][1], LINE["questions"][1]]}, "questions"),
        ({"expected": {"A": {"score": [1, 1]}}}, "expected.A.score"),
    ],
)
def test_what_does_not_fit_is_told_with_its_key(
    tmp_path: Path, campaign: Campaign, change: dict[str, Any], named: str
) -> None:
    with pytest.raises(ImportFileError) as caught:
        read(tmp_path, campaign, LINE | change)
    assert [problem.column for problem in caught.value.problems.listed] == [named]
