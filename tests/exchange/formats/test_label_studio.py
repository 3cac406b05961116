"""Tasks of Label Studio: whose offsets count what, what labels and ratings become, and back again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Credit, ErrorSpan, Judgment, Slot
from campaigns.models import Campaign, System, TestSet, Translation
from exchange.export_formats import ExportRefusedError
from exchange.exports import export_rows
from exchange.formats.label_studio import _place
from exchange.json_array import _Scanner
from exchange.judgment_files import import_judgments
from exchange.reading import ImportFileError
from tests.exchange.formats.test_xliff_writer import MQM

# as in an issue of Label Studio (1347): ends in UTF-16 units of an older version, and as newer ones write them
OLD = {"start": 13, "end": 23, "text": "annotation"}
NEW = {"start": 12, "end": 22, "text": "annotation"}
TEXT = "💩This is an annotation."


def task(number: int, *annotations: dict[str, Any], **data: str) -> dict[str, Any]:
    texts = {"doc": "d", "seg_id": str(number), "model": "Heron", "src": "It is.", "mt": TEXT} | data
    return {"id": number, "data": texts, "annotations": list(annotations), "predictions": [{}]}


def annotation(key: int, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": key, "completed_by": 3, "created_at": "2026-11-03T08:30:00Z", "result": list(results)} | more


def label(value: dict[str, Any], *labels: str, to: str = "mt") -> dict[str, Any]:
    return {"id": "r1", "type": "labels", "from_name": "l", "to_name": to, "value": value | {"labels": list(labels)}}


SEVERITY = {"id": "r1", "type": "choices", "from_name": "s", "value": {"choices": ["Minor"]}}
NUMBER = {"type": "number", "from_name": "score", "value": {"number": 70}}
RATING = {"type": "rating", "from_name": "adequacy", "value": {"rating": 4}}
COMMENT = {"type": "textarea", "from_name": "c", "value": {"text": ["hm"]}}


@pytest.fixture
def imported(tmp_path: Path, db: None) -> Callable[..., Campaign]:
    def store(*tasks: object, protocol: str | None = None, content: str | None = None) -> Campaign:
        path = tmp_path / "tasks.json"
        path.write_text(json.dumps(tasks) if content is None else content, encoding="utf-8")
        return import_judgments(path, format="label-studio", name="Tasks", protocol=protocol).campaign

    return store


@pytest.mark.parametrize(
    ("start", "end", "shown", "expected"),
    [(13, 23, "annotation", (12, 22)), (12, 22, "annotation", (12, 22)), (12, 22, None, (12, 22)), (0, 3, "is", None)],
)
def test_the_text_of_a_span_decides_what_its_ends_count(
    start: int, end: int, shown: str | None, expected: tuple[int, int] | None
) -> None:
    assert _place(TEXT, start, end, shown) == expected


def test_objects_are_found_whatever_ends_a_block() -> None:
    whole = json.dumps([{"a": 'x"}{\\', "b": {"c": "\\"}}, {"d": "💩"}])
    for size in range(1, 9):
        scanner = _Scanner()
        blocks = [whole[at : at + size] for at in range(0, len(whole), size)]
        assert [json.loads(text) for block in blocks for text in scanner.objects(block)] == json.loads(whole)
        assert not scanner.pending.strip("] ")


def test_spans_with_a_score_are_an_esa(imported: Callable[..., Campaign]) -> None:
    first = annotation(1, label(OLD, "Accuracy/Mistranslation"), SEVERITY, NUMBER, COMMENT, lead_time=4.5)
    skipped = annotation(2, was_cancelled=True)
    marked = label({"start": 0, "end": 2, "text": "It"}, "Major", to="src")
    second = annotation(3, marked, NUMBER, completed_by={"email": "b@example.org", "id": 4})
    campaign = imported(task(1, first, skipped), task(2, second))
    assert campaign.protocol == "esa"
    one, other = Judgment.objects.order_by("pk")
    assert (one.annotator.username, other.annotator.username) == ("user 3", "b@example.org")
    assert (one.elapsed_ms, one.answer["comment"]) == (4500, "hm")
    slot = one.answer["slots"]["A"]
    assert slot["score"] == 70
    span = {"side": "target", "start": 12, "end": 22, "severity": "minor", "category": "accuracy/mistranslation"}
    assert [{name: each.get(name) for name in span} for each in slot["spans"]] == [span]
    assert other.answer["slots"]["A"]["spans"][0]["side"] == "source"
    notes = " ".join(campaign.test_set.report["notes"])
    assert "Predictions of models, left out: 2" in notes
    assert "skipped there, left out: 1" in notes
    assert "UTF-16 units, moved to the same text: 1" in notes


@pytest.mark.parametrize(
    ("result", "protocol"), [(RATING, "likert"), (NUMBER, "direct_assessment"), (label(NEW, "Other"), "mqm")]
)
def test_what_annotators_gave_says_the_protocol(
    imported: Callable[..., Campaign], result: dict[str, Any], protocol: str
) -> None:
    assert imported(task(1, annotation(1, result))).protocol == protocol


def test_everything_wrong_is_said_with_the_number_of_the_task(imported: Callable[..., Campaign]) -> None:
    tasks = [
        task(1, annotation(1, label({"start": 0, "end": 99}, "Minor"))),
        task(2, annotation(2, label(OLD | {"text": "bird"}, "Minor"))),
        {"id": 3, "data": {"src": "It is."}, "annotations": []},
        {"id": 4},
    ]
    with pytest.raises(ImportFileError) as refused:
        imported(*tasks)
    told = str(refused.value)
    for expected in (
        "line 1, target span: `start` and `end` must be",
        "line 2, target span: The text of this mark does not stand at its place",
        "line 3, target: A task needs the judged text",
        "line 4, data: A task needs its texts",
    ):
        assert expected in told
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('[{"data": {"mt": "a"}, "annotations": [', "ends in the middle"),
        ("[1, 2]", "has no JSON objects"),
        ('[{"data": NaN}]', "cannot be stored"),
        ('[{"data": {"mt": "\\ud800"}}]', "lone surrogate"),
        (json.dumps([task(1, annotation(1, NUMBER)), task(2, annotation(1, NUMBER))]), "of the same judgment"),
    ],
)
def test_bad_files_are_refused(imported: Callable[..., Campaign], content: str, expected: str) -> None:
    with pytest.raises(ImportFileError, match=expected):
        imported(content=content)


def test_a_task_too_long_to_be_read_is_refused(
    imported: Callable[..., Campaign], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exchange.json_array.LONGEST_ROW", 200_000)
    with pytest.raises(ImportFileError, match="too long to be read: more than 200000 characters"):
        imported(content=f'[{{"data": "{"x" * 300_000}"}}]')


@pytest.mark.parametrize("protocol", ["mqm", "esa"])
def test_what_is_exported_comes_in_again_the_same(tmp_path: Path, db: None, protocol: str) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(MQM.replace("Spät.", "💩 Spät."), encoding="utf-8")
    if protocol == "mqm":
        campaign = import_judgments(path, format="wmt-mqm-tsv", name="Before").campaign
    else:
        score = annotation(9, label(NEW, "Critical"), NUMBER, COMMENT, lead_time=4.5)
        path = tmp_path / "esa.json"
        path.write_text(json.dumps([task(1, score)]), encoding="utf-8")
        campaign = import_judgments(path, format="label-studio", name="Before").campaign
    exported = tmp_path / "tasks.json"
    exported.write_bytes(b"".join(export_rows(campaign, "label-studio")))
    again = import_judgments(exported, format="label-studio", name="After").campaign
    assert again.protocol == protocol
    assert answers(again) == answers(campaign)
    assert texts(again) == texts(campaign)


@pytest.mark.parametrize("around", ["", " "])
def test_an_output_of_two_systems_comes_in_again_with_all_that_was_said(
    imported: Callable[..., Campaign], around: str
) -> None:
    """One judgment of both; where blanks around the text differ, one of each, with the marks at their own places."""
    campaign = imported(task(1, annotation(1, label(NEW, "Critical"), NUMBER)))
    slot = Slot.objects.get(item__assignment__campaign=campaign)
    assert slot.item.segment is not None
    egret = System.objects.create(test_set=campaign.test_set, name="Egret")
    campaign.systems.add(egret)
    own = Translation.objects.create(segment=slot.item.segment, system=egret, text=f"{around}{TEXT}")
    Credit.objects.create(slot=slot, system=egret, translation=own)
    places = {"start": 12 + len(around), "end": 22 + len(around)}
    ErrorSpan.objects.create(judgment=slot.item.judgments.get(), translation=own, severity="critical", **places)
    content = b"".join(export_rows(campaign, "label-studio")).decode()
    Campaign.objects.update(name="Before")
    TestSet.objects.update(name="Before")
    again = json.loads(b"".join(export_rows(imported(content=content), "label-studio")))
    results = [[result["value"] for result in each["annotations"][0]["result"]] for each in again]
    assert [(values[0]["text"], values[-1]) for values in results] == [("annotation", {"number": 70})] * 2


def answers(campaign: Campaign) -> list[Any]:
    own = Judgment.objects.filter(item__assignment__campaign=campaign)
    fields = ("annotator__username", "item__segment__name", "item__slots__system__name", "elapsed_ms", "answer")
    return sorted(own.values_list(*fields), key=str)


def texts(campaign: Campaign) -> set[tuple[str, str | None, str | None]]:
    own = Translation.objects.filter(system__test_set=campaign.test_set)
    return set(own.values_list("system__name", "segment__source", "text"))


@pytest.mark.django_db
def test_other_protocols_are_refused(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(protocol="ranking")
    campaign.refresh_from_db()
    with pytest.raises(ExportRefusedError, match="It takes: direct_assessment, esa, mqm"):
        export_rows(campaign, "label-studio")
