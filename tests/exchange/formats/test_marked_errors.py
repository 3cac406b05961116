"""Marked errors as files: the offsets cut exactly the marked part out of the stored text, in every script."""

import csv
import io
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Assignment, ErrorSpan, Item, Judgment
from campaigns.models import Campaign, Segment, TestSet, Translation
from exchange.cells import restore
from exchange.exports import export_rows
from tests.cast import Cast
from tests.frontend.api.api_annotator import by_session
from tests.metrics.marked_errors import GRAVE, make_mqm, mark, marked
from tests.planned_campaign import items_to_judge, judge, take
from tests.sample_test_set import QUOKKA, WOMBAT

TEXTS = {
    "emoji": "Alles 👩‍👩‍👧 gut 🙂!",
    "combining": "Cafe\u0301 und nai\u0308v",
    "arabic": "غادرت العبّارة متأخرة ساعة.",
    "hebrew": "הַמַּעְבֹּרֶת אֵחֲרָה.",
    "chinese": "渡轮晚了一个小时𠮷。",
    "formula": "=1+1 ist \u2028 zwei",
}


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    """Its six segments have one script each, in source and translations."""
    for segment, text in zip(Segment.objects.order_by("pk"), TEXTS.values(), strict=True):
        Segment.objects.filter(pk=segment.pk).update(source=f"S {text}")
        for translation in segment.translations.all():
            Translation.objects.filter(pk=translation.pk).update(text=f"{text}{translation.system_id}")
    return make_mqm(test_set, cast, options={"most_errors": 0})


@pytest.fixture
def assignment(campaign: Campaign, cast: Cast) -> Assignment:
    return take(campaign, cast.annotator)


def spans_of(campaign: Campaign) -> list[dict[str, str]]:
    text = b"".join(export_rows(campaign, "spans-csv")).decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def lines_of(campaign: Campaign) -> list[dict[str, str]]:
    header, *lines = b"".join(export_rows(campaign, "wmt-mqm-tsv")).decode().split("\n")[:-1]
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def shown(item: Item) -> str:
    translation = item.slots.get().translation
    assert translation is not None
    return translation.text or ""


def test_offsets_cut_exactly_what_was_marked(campaign: Campaign, assignment: Assignment) -> None:
    wanted = []
    for item in items_to_judge(assignment):
        text = shown(item)
        for word in text.split(" "):
            start = text.index(word)
            mark(item, {**GRAVE, "start": start, "end": start + len(word)}, base_revision=item.revision)
            item.refresh_from_db()
            wanted.append((text, word))
    rows = spans_of(campaign)
    cut = [(text, text[int(row["start"]) : int(row["end"])]) for (text, _word), row in zip(wanted, rows, strict=True)]
    assert cut == wanted
    assert [restore(row["text"]) for row in rows] == [word for _text, word in wanted]


def test_the_tab_separated_file_marks_the_span_in_the_text(
    campaign: Campaign, assignment: Assignment, cast: Cast
) -> None:
    item = next(item for item in items_to_judge(assignment) if "👩" in shown(item))
    text = shown(item)
    start = text.index("👩")
    on_source = {**GRAVE, "side": "source", "start": 0, "end": 1, "note": "a\tb"}
    gap = {"category": "accuracy/omission", "severity": "minor", "start": len(text), "end": len(text)}
    mark(item, {**GRAVE, "start": start, "end": start + 5}, on_source, gap)
    first, second, third = lines_of(campaign)
    assert first["target"] == text.replace("👩‍👩‍👧", "<v>👩‍👩‍👧</v>")
    assert (first["category"], first["severity"]) == ("Accuracy/Mistranslation", "Major")
    assert second["source"].startswith("<v>S</v> Alles")
    assert (second["target"], second["comment"]) == (text, "a b")
    assert (third["target"], third["category"]) == (f"{text}<v></v>", "Accuracy/Omission")
    assert first["rater"] == cast.annotator.username


def test_no_error_is_a_line_and_no_cell_breaks_one(campaign: Campaign, assignment: Assignment) -> None:
    for item in items_to_judge(assignment):
        mark(item)
    lines = lines_of(campaign)
    assert len(lines) == 18
    assert {(line["category"], line["severity"]) for line in lines} == {("No-error", "No-error")}
    assert {line["seg_id"] for line in lines} == set("123456")
    assert {line["doc_id"] for line in lines} == set("123")
    assert any(line["target"].startswith("=1+1 ist   zwei") for line in lines)


def test_only_judgments_that_count_are_in_it(campaign: Campaign, assignment: Assignment) -> None:
    first, second, third, *_rest = items_to_judge(assignment)
    mark(first, GRAVE)
    mark(first, base_revision=1)
    judge(second, payload={"slots": {}, "comment": "", "cannot_judge": "broken_text"})
    mark(third, GRAVE)
    Judgment.objects.filter(item=third).update(surplus=True)
    assert [line["severity"] for line in lines_of(campaign)] == ["No-error"]
    assert len(spans_of(campaign)) == 2


def test_an_output_of_two_systems_has_lines_of_both(test_set: TestSet, cast: Cast) -> None:
    campaign = make_mqm(test_set, cast)
    for item in items_to_judge(take(campaign, cast.annotator)):
        mark(item, GRAVE)
    shared = [line for line in lines_of(campaign) if "Niemand" in line["target"].replace("<v>", "").replace("</v>", "")]
    assert sorted(line["system"] for line in shared) == [QUOKKA, WOMBAT]
    rows = [row for row in spans_of(campaign) if row["text"] == "Nie"]
    assert sorted(row["system"] for row in rows) == [QUOKKA, WOMBAT]


@st.composite
def spans(draw: st.DrawFn) -> dict[str, int]:
    """Of a text of twelve characters: overlapping, adjacent, without extent or all of it."""
    start = draw(st.integers(0, 12))
    return {"start": start, "end": draw(st.integers(start, 12))}


@pytest.mark.parametrize("script", ["emoji", "combining", "arabic", "hebrew"])
@given(drawn_spans=st.lists(spans(), max_size=8), all_of_it=st.booleans())
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_spans_of_any_kind_survive_saving_reloading_and_export(
    campaign: Campaign, cast: Cast, script: str, drawn_spans: list[Mapping[str, Any]], all_of_it: bool
) -> None:
    page = by_session(cast.annotator)
    assignment = Assignment.objects.filter(annotator=cast.annotator).first() or take(campaign, cast.annotator)
    item = next(item for item in items_to_judge(assignment) if shown(item).startswith(TEXTS[script]))
    text = shown(item)
    errors = [{**GRAVE, **span} for span in drawn_spans]
    if all_of_it:
        errors.append({**GRAVE, "start": 0, "end": len(text)})
    answer = {"slots": {"A": {"spans": marked(*errors)}}, "comment": "", "cannot_judge": None}
    assert page.draft(assignment.pk, str(item.public_id), answer, item.revision).status_code == 204
    sent = page.submit(assignment.pk, str(item.public_id), answer=answer, base_revision=item.revision)
    assert sent.status_code == 201, sent.content
    stored = Judgment.objects.get(item=item, is_current=True)
    assert stored.answer == answer
    rows = [row for row in spans_of(campaign) if row["judgment"] == str(stored.client_id)]
    assert [(int(row["start"]), int(row["end"])) for row in rows] == [(each["start"], each["end"]) for each in errors]
    assert [restore(row["text"]) for row in rows] == [text[each["start"] : each["end"]] for each in errors]
    assert ErrorSpan.objects.filter(judgment=stored).count() == len(errors)
