"""Rows become arrays: which, in which order, turned which way."""

from collections.abc import Callable
from dataclasses import replace

from django.db import connection
from django.test.utils import CaptureQueriesContext

import numpy as np
import pytest

from annotation.models import Assignment, Credit, Item, Score
from annotation.protocols import protocol_for
from campaigns.models import Campaign, Document, Segment, System, Translation
from metrics.matrices import KINDS, read_scores
from tests.cast import Cast
from tests.metrics.sample_judgments import judge_assignment, judge_item
from tests.metrics.score_tables import score_table
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

SCORE = protocol_for("direct_assessment", {"document_scores": True}).measures[0]
DOCUMENT_SCORE = protocol_for("direct_assessment", {"document_scores": True}).measures[1]
MakeAssignment = Callable[..., Assignment]


@pytest.fixture
def wombat(campaign: Campaign) -> System:
    return System.objects.get(test_set=campaign.test_set, name=WOMBAT)


def test_columns_hold_what_was_judged(
    campaign: Campaign, cast: Cast, make_assignment: MakeAssignment, wombat: System
) -> None:
    judge_assignment(make_assignment(campaign, cast.annotator, system=wombat), [10, 20, 30, 40, 50, 60])
    table = read_scores(campaign, SCORE)
    assert table.values.tolist() == [10, 20, 30, 40, 50, 60]
    assert table.annotators == (cast.annotator.username,)
    assert table.systems == (WOMBAT,)
    assert [table.documents[code] for code in table.document] == ["harbour"] * 3 + ["orchard"] * 3
    assert table.segment.tolist() == [0, 1, 2, 3, 4, 5]
    assert table.domains == ("news",)
    assert table.seconds.tolist() == [12] * 6
    assert table.is_own.all()
    assert not table.surplus.any()
    assert (table.low, table.high) == (0, 100)


def test_without_judgments_the_table_is_empty(campaign: Campaign) -> None:
    table = read_scores(campaign, SCORE)
    assert len(table) == 0
    assert table.annotators == ()


def test_only_the_current_revision_counts(
    campaign: Campaign, cast: Cast, make_assignment: MakeAssignment, wombat: System
) -> None:
    assignment = make_assignment(campaign, cast.annotator, system=wombat)
    judge_assignment(assignment, [10, 20, 30, 40, 50, 60])
    judge_item(assignment.items.get(position=1), 99)
    assert read_scores(campaign, SCORE).values.tolist() == [99, 20, 30, 40, 50, 60]


def test_another_campaign_on_the_same_test_set_stays_out(
    campaign: Campaign, cast: Cast, make_campaign: Callable[..., Campaign], make_assignment: MakeAssignment
) -> None:
    other = make_campaign(campaign.test_set, cast, name="Another")
    judge_assignment(make_assignment(other, cast.annotator), [1] * 6)
    assert len(read_scores(campaign, SCORE)) == 0


def test_an_output_shared_by_two_systems_counts_for_both_and_is_one_answer(
    campaign: Campaign, cast: Cast, make_assignment: MakeAssignment, wombat: System
) -> None:
    assignment = make_assignment(campaign, cast.annotator, system=wombat)
    item = assignment.items.get(position=2)
    shared = Translation.objects.get(segment=item.segment, system__name=QUOKKA)
    Credit.objects.create(slot=item.slots.get(), system=shared.system, translation=shared)
    judge_assignment(assignment, [10, 20, 30, 40, 50, 60])
    table = read_scores(campaign, SCORE)
    assert len(table) == 7
    of_item = table.values == 20
    assert sorted(table.systems[code] for code in table.system[of_item]) == [QUOKKA, WOMBAT]
    assert np.unique(table.judgment[of_item]).size == 1
    assert np.count_nonzero(table.is_own) == 6
    assert table.is_own[~of_item].all()


def test_kinds_surplus_and_missing_times_are_marked(
    campaign: Campaign, cast: Cast, make_assignment: MakeAssignment, wombat: System
) -> None:
    assignment = make_assignment(campaign, cast.annotator, system=wombat)
    for position, kind in enumerate(("regular", "repeat", "degraded", "reference", "practice"), start=1):
        Item.objects.filter(assignment=assignment, position=position).update(kind=kind)
    items = list(assignment.items.order_by("position").select_related("assignment__annotator", "document"))
    judge_item(items[0], 50, elapsed_ms=None, surplus=True)
    judge_item(items[1], 50, elapsed_ms=None, active_ms=4_000)
    for item in items[2:5]:
        judge_item(item, 50)
    table = read_scores(campaign, SCORE)
    assert [KINDS[code] for code in table.kind] == ["regular", "repeat", "degraded", "reference", "practice"]
    assert table.surplus.tolist() == [True, False, False, False, False]
    assert np.isnan(table.seconds[0])
    assert table.seconds[1] == 4
    assert table.of_kinds(["repeat", "practice"]).tolist() == [False, True, False, False, True]


def test_document_scores_are_a_measure_apart(
    campaign: Campaign, cast: Cast, make_assignment: MakeAssignment, wombat: System
) -> None:
    assignment = make_assignment(campaign, cast.annotator, system=wombat)
    judge_assignment(assignment, [10, 20, 30, 40, 50, 60])
    document = Document.objects.get(test_set=campaign.test_set, name="orchard")
    item = Item.objects.create(assignment=assignment, position=7, document=document, level="document")
    item.slots.create(label="A", system=wombat)
    judge_item(item, 77)
    table = read_scores(campaign, DOCUMENT_SCORE)
    assert table.values.tolist() == [77]
    assert table.is_document_level.tolist() == [True]
    assert table.segment.tolist() == [-1]
    assert [table.documents[code] for code in table.document] == ["orchard"]
    assert len(read_scores(campaign, SCORE)) == 6


def test_a_segment_may_have_a_domain_of_its_own(
    campaign: Campaign, cast: Cast, make_assignment: MakeAssignment, wombat: System
) -> None:
    Segment.objects.filter(document__name="orchard", position=2).update(domain="nature")
    judge_assignment(make_assignment(campaign, cast.annotator, system=wombat), [1, 2, 3, 4, 5, 6])
    table = read_scores(campaign, SCORE)
    assert [table.domains[code] for code in table.domain] == ["news"] * 4 + ["nature", "news"]


def test_a_measure_where_lower_is_better_is_turned_without_negative_zero(
    campaign: Campaign, cast: Cast, make_assignment: MakeAssignment
) -> None:
    judge_assignment(make_assignment(campaign, cast.annotator), [0, 1, 2, 3, 4, 5])
    table = read_scores(campaign, replace(SCORE, higher_is_better=False))
    assert table.values.tolist() == [0, -1, -2, -3, -4, -5]
    assert not np.signbit(table.values[0])
    assert [table.natural(value) for value in (-3.0, 0.0)] == [3.0, 0.0]
    assert not np.signbit(table.natural(0.0))


def test_labels_and_codes_do_not_hang_on_ids(campaign: Campaign, cast: Cast, make_assignment: MakeAssignment) -> None:
    systems = {system.name: system for system in campaign.systems.all()}
    for name in (QUOKKA, HUMAN, WOMBAT):
        judge_assignment(make_assignment(campaign, cast.second_annotator, system=systems[name]), [50] * 6)
    table = read_scores(campaign, SCORE)
    assert list(table.systems) == sorted(systems)
    assert [table.systems[code] for code in table.system[::6]] == [QUOKKA, HUMAN, WOMBAT]


def test_the_number_of_queries_does_not_grow_with_the_judgments(
    campaign: Campaign, cast: Cast, make_assignment: MakeAssignment
) -> None:
    counts = []
    for annotator in cast.annotators:
        judge_assignment(make_assignment(campaign, annotator), [50] * 6)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            read_scores(campaign, SCORE)
        counts.append(len(queries))
    assert counts == [6, 6]


def test_a_table_of_plain_labels_says_the_same() -> None:
    table = score_table(
        "score",
        values=[0, 5, 7],
        higher_is_better=False,
        annotators=["bo", "ana", "bo"],
        systems=["x", "x", "y"],
        segments=["1", "1", None],
        documents=["b", "a", "a"],
        judgments=["first", "second", "first"],
    )
    assert table.annotators == ("ana", "bo")
    assert table.annotator.tolist() == [1, 0, 1]
    assert table.segment.tolist() == [1, 0, -1], "segment 1 of one document is not segment 1 of another"
    assert table.unit.tolist() == [1, 0, 2]
    assert table.is_own.tolist() == [True, True, False]
    assert table.values.tolist() == [0, -5, -7]
    assert table.where(table.system == 0).values.tolist() == [0, -5]


def test_scores_of_another_measure_stay_out(campaign: Campaign, cast: Cast, make_assignment: MakeAssignment) -> None:
    judgments = judge_assignment(make_assignment(campaign, cast.annotator), [50] * 6)
    first = judgments[0].scores.get()
    Score.objects.create(judgment=judgments[0], measure="other", value=3, translation=first.translation)
    assert len(read_scores(campaign, SCORE)) == 6


def test_tags_have_the_segments_that_were_judged(
    campaign: Campaign, cast: Cast, make_assignment: MakeAssignment, wombat: System
) -> None:
    judge_assignment(make_assignment(campaign, cast.annotator, system=wombat), [10, 20, 30, 40, 50, 60])
    first, second, *_ = Segment.objects.filter(document__test_set=campaign.test_set).order_by("pk")
    for segment, tags in ((first, ["gender-bias"]), (second, ["gender-bias", "names"])):
        segment.tags = tags
        segment.save(update_fields=["tags"])
    segments_by_tag = read_scores(campaign, SCORE, with_tags=True).tags
    assert {tag: codes.tolist() for tag, codes in segments_by_tag.items()} == {"gender-bias": [0, 1], "names": [1]}
    assert read_scores(campaign, SCORE).tags == {}
