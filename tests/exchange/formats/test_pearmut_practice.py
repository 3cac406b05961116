"""Practice written for Pearmut is read from there again."""

import pytest

from annotation.actions.practising import set_practice
from annotation.models import PracticeItem
from campaigns.models import Campaign, TestSet
from campaigns.reading.problems import Problems
from exchange.formats.pearmut_campaign import DocumentReader
from exchange.formats.pearmut_practice import practice_without_equal, written_practice
from exchange.reading import SourceFile
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign

TAGS = ["missing", "instructions_fault"]
TEXT = "Das 🎉 Fest endet."


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_planned_campaign(test_set, cast)
    slots = {"A": TEXT, "B": "Ein Fest."}
    first = PracticeItem(source="One <b>.", slots=slots, instruction="Keep <b>.", may_skip=False)
    first.marks = {"A": [{"start": [4, 6], "end": [10, 10], "severity": "major"}], "B": [{"tag": "instructions_fault"}]}
    first.expected, first.better = {"A": {"score": [0, 40]}}, {"B": ["A"]}
    second = PracticeItem(source="Two.", slots=slots, row=2, may_skip=False, feedback="Read on.")
    third = PracticeItem(source="Three.", slots={"A": "Drei."}, marks={"A": []}, accepted={"A": ["3."]})
    return set_practice(campaign=campaign, items=[first, second, third], pass_mark=None, by=None)


def test_screens_with_their_marks_come_back(campaign: Campaign) -> None:
    written = written_practice(campaign, TAGS)
    assert [len(document) for document in written] == [2, 1]
    rules = written[0][0]["validation"]
    assert rules["A"]["error_spans"] == [{"start_i": [4, 7], "end_i": 10, "severity": "major"}]
    assert rules["B"]["error_spans"][0]["start_i"] == len("Ein Fest.") + 1
    reader = DocumentReader(SourceFile(None, "file", Problems()), TAGS, is_contrastive=True)  # type: ignore[arg-type]
    reader.special(written, "data_welcome")
    fields = ("source", "slots", "row", "marks", "expected", "better", "instruction", "feedback", "may_skip")
    read = [item for rows in reader.read.practice.values() for item in rows]
    stored = list(campaign.practice_items.order_by("position"))
    for name in fields:
        assert [getattr(item, name) for item in read[:2]] == [getattr(item, name) for item in stored[:2]], name
    assert practice_without_equal(campaign) == [3]


def test_scripts_in_tutorials_are_text_that_never_runs() -> None:
    html = "<script>alert(1)</script><style>p {}</style><img src=x onerror=alert(2)><p>Mark &lt;i&gt;.</p>"
    rule = {"A": {"warning": html}}
    document = [{"item_id": "x", "src": "<script>", "tgt": {"A": "y"}, "instructions": html, "validation": rule}]
    reader = DocumentReader(SourceFile(None, "file", Problems()), TAGS, is_contrastive=True)  # type: ignore[arg-type]
    reader.special([document], "data_welcome")
    ((item,),) = reader.read.practice.values()
    assert (item.instruction, item.feedback, item.source) == ("Mark <i>.", "Mark <i>.", "<script>")
    assert reader.read.removed == 4
