"""The campaigns of `./assay bench million`, five hundred times smaller, are as judging would have left them."""

from dataclasses import asdict

from django.db import connection
from django.db.models import Count, F, Q

import pytest

from annotation.actions.summaries import wrong_counts
from annotation.models import Assignment, ErrorSpan, Item, ItemKind, Judgment, Slot
from benchmarks._million.imports import ImportCost
from benchmarks._million.making import make_million
from benchmarks._million.plans import looked_through, looked_through_by
from benchmarks._million.report import import_part
from benchmarks._pages.measured_campaign import Made

pytestmark = pytest.mark.django_db
LEAST = 2_000


@pytest.fixture
def campaigns() -> tuple[Made, Made]:
    return make_million(LEAST, beside=2)


def test_rows_made_by_statements_fit_one_another(campaigns: tuple[Made, Made]) -> None:
    scored, marked = campaigns
    judged = Judgment.objects.filter(item__kind=ItemKind.REGULAR, is_current=True)
    assert judged.filter(item__assignment__campaign=scored.campaign).count() >= LEAST
    assert ErrorSpan.objects.filter(judgment__item__assignment__campaign=marked.campaign).count() > LEAST
    counted = Assignment.objects.annotate(
        asked=Count("items"), judged=Count("items", filter=Q(items__revision__gt=0))
    ).filter(asked__gt=0)
    assert not counted.exclude(asked=F("total"), judged=F("done")).exists()
    of_items = Item.objects.annotate(
        answers=Count("judgments"), newest=Count("judgments", filter=Q(judgments__is_current=True))
    )
    assert not of_items.exclude(answers=F("revision")).exists()
    assert not of_items.filter(revision__gt=0).exclude(newest=1).exists()
    assert not Slot.objects.exclude(translation__segment=F("item__segment"), translation__system=F("system")).exists()


def test_counts_that_are_kept_equal_a_recount_and_a_plan_tells_what_it_looks_through(
    campaigns: tuple[Made, Made],
) -> None:
    assert [wrong_counts(made.campaign.pk) for made in campaigns] == [0, 0]
    (scan,) = looked_through("SELECT count(*) FROM annotation_judgment WHERE elapsed_ms > 7")
    assert scan.endswith("of annotation_judgment")
    assert looked_through("SELECT answer FROM annotation_judgment WHERE id = 7") == []
    assert looked_through("UPDATE annotation_judgment SET surplus = false WHERE id = 7") == []


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such settings")
def test_queries_are_planned_as_their_transaction_planned_them(campaigns: tuple[Made, Made]) -> None:
    sought = "SELECT answer FROM annotation_judgment WHERE id = 7"
    without = ["BEGIN", "SET LOCAL enable_indexscan = off", "SET LOCAL enable_bitmapscan = off", sought, "COMMIT"]
    assert looked_through_by(without) == {"Seq Scan of annotation_judgment"}
    assert looked_through_by([*without[:3], "COMMIT", sought]) == set()


def test_nobody_judges_one_output_twice_but_for_control_items(campaigns: tuple[Made, Made]) -> None:
    asked = Slot.objects.filter(item__kind=ItemKind.REGULAR, item__assignment__annotator__isnull=False)
    twice = asked.values("item__assignment__annotator", "translation").annotate(times=Count("pk")).filter(times__gt=1)
    assert not twice.exists()


@pytest.mark.parametrize(
    ("seconds", "times_slower", "is_kept"), [(40, 1.0, True), (40, 0.5, True), (41, 1.0, False), (100, 2.6, True)]
)
def test_what_is_promised_of_imports_depends_on_how_slow_the_machine_is(
    seconds: float, times_slower: float, *, is_kept: bool
) -> None:
    cost = ImportCost(1_000_000, seconds, 90, 80, 250, times_slower)
    part = import_part("postgresql", asdict(cost), asdict(cost))
    assert (part.broken == ()) is is_kept
    assert f"| {1_000_000 / seconds:,.0f} | {times_slower:.2f} |" in part.rows[0]
