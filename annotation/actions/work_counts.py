"""Keeps how much was judged when: added to with every judgment, counted anew where judgments stop counting or move."""
# ruff: noqa: S608 - statements of our own names

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import connection, transaction

from annotation.models import Assignment, AssignmentStatus, CountedBy, Judgment, WorkCount
from campaigns.rows_together import Ranges, insert_selected

MINUTES = 10
_COUNTED_COLUMNS = ("campaign_id", "annotator_id", "counted_by", "at", "judged", "answers", "last")
_COLUMNS = ", ".join(_COUNTED_COLUMNS)
_ADDED = f"""INSERT INTO annotation_workcount ({_COLUMNS}) VALUES {{rows}}
    ON CONFLICT (campaign_id, counted_by, annotator_id, at) DO UPDATE SET
    judged = annotation_workcount.judged + excluded.judged,
    answers = annotation_workcount.answers + excluded.answers,
    last = CASE WHEN annotation_workcount.last > excluded.last THEN annotation_workcount.last ELSE excluded.last END"""
# judgments are looked through once for both counts
_COUNTED = f"""
    WITH judged AS MATERIALIZED (
        SELECT {{campaign}} AS campaign_id, j.annotator_id, j.submitted_at, {{minute}} AS minute,
            (COALESCE(j.active_ms, j.elapsed_ms) + 500) / 1000 AS seconds,
            CASE WHEN j.revision = 1 AND NOT j.surplus THEN 1 ELSE 0 END AS is_first
        FROM annotation_judgment j {{which}}
    )
    SELECT campaign_id, annotator_id, '{CountedBy.TEN_MINUTES}' AS counted_by, minute AS at, SUM(is_first) AS judged,
        COUNT(*) AS answers, MAX(submitted_at) AS last
    FROM judged GROUP BY campaign_id, annotator_id, minute
    UNION ALL
    SELECT campaign_id, annotator_id, '{CountedBy.SECONDS}', seconds, COUNT(*), 0, NULL
    FROM judged WHERE is_first = 1 AND seconds IS NOT NULL GROUP BY campaign_id, annotator_id, seconds"""
_OF_CAMPAIGN = f"""
    JOIN annotation_item i ON i.id = j.item_id JOIN annotation_assignment a ON a.id = i.assignment_id
    WHERE a.campaign_id = %s AND a.status <> '{AssignmentStatus.ARCHIVED}'"""
_MINUTE = {
    "postgresql": "(FLOOR(DATE_PART('epoch', j.submitted_at))::bigint / 600 * 10)",
    "sqlite": "(CAST(strftime('%%s', substr(j.submitted_at, 1, 19)) AS INTEGER) / 600 * 10)",
}


def count_work(assignment: Assignment, judgments: Sequence[Judgment]) -> None:
    """Adds judgments of one annotator that were just stored, in their transaction and in one statement.

    The assignment is locked, so that no `recount_work` of the annotator goes on at the same time.
    """
    if assignment.status == AssignmentStatus.ARCHIVED:
        return
    judged: Counter[tuple[str, int]] = Counter()
    answers: Counter[tuple[str, int]] = Counter()
    last: dict[tuple[str, int], datetime] = {}
    for judgment in judgments:
        is_first = judgment.revision == 1 and not judgment.surplus
        arrived = (CountedBy.TEN_MINUTES.value, int(judgment.submitted_at.timestamp()) // (60 * MINUTES) * MINUTES)
        judged[arrived] += is_first
        answers[arrived] += 1
        last[arrived] = judgment.submitted_at
        spent = judgment.elapsed_ms if judgment.active_ms is None else judgment.active_ms
        if is_first and spent is not None:
            judged[CountedBy.SECONDS.value, (spent + 500) // 1000] += 1
    values: list[Any] = []
    for (by, at), count in sorted(judged.items()):  # in one order, as they lock
        when = last.get((by, at))
        adapted = connection.ops.adapt_datetimefield_value(when) if when else None
        values += [assignment.campaign_id, judgments[0].annotator_id, by, at, count, answers[by, at], adapted]
    rows = ", ".join(["(%s, %s, %s, %s, %s, %s, %s)"] * len(judged))
    with connection.cursor() as cursor:
        cursor.execute(_ADDED.format(rows=rows), values)


def recount_work(campaign: int, annotators: Iterable[int] = ()) -> None:
    """Counts a campaign anew, or these annotators of it; until then none of their judgments is stored."""
    people = list(annotators)
    own = {"annotator__in": people} if people else {}
    with transaction.atomic():
        locked = Assignment.objects.filter(campaign=campaign, **own).order_by("pk").select_for_update(no_key=True)
        list(locked.values_list("pk"))
        WorkCount.objects.filter(campaign=campaign, **own).delete()
        insert_selected(WorkCount, _COUNTED_COLUMNS, *_counted(campaign, people))


def count_first_work(campaign: int, judgments: Ranges) -> None:
    """What `recount_work` would count of a new campaign whose judgments have these keys; its items are not needed."""
    keys = " OR ".join(["j.id BETWEEN %s AND %s"] * len(judgments))
    values = [campaign, *chain.from_iterable(judgments)]
    insert_selected(WorkCount, _COUNTED_COLUMNS, _counting("%s", f"WHERE {keys}"), values)


def wrong_work_counts(campaign: int) -> int:
    """How many stored counts of a campaign differ from a recount, are missing, or count nothing that is there."""
    stored = f"SELECT {_COLUMNS} FROM annotation_workcount WHERE campaign_id = %s"
    return count_differing(_COLUMNS, *_counted(campaign, []), stored, campaign)


def count_differing(columns: str, counted: str, values: Sequence[int], stored: str, campaign: int) -> int:
    """How many rows only one of two statements has: what is counted with `values`, or what is stored of a campaign."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT COUNT(*) FROM (SELECT {columns} FROM (SELECT * FROM ({counted}) AS counted
                UNION ALL SELECT * FROM ({stored}) AS stored) AS both_of_them
            GROUP BY {columns} HAVING COUNT(*) <> 2) AS differing""",
            [*values, campaign],
        )
        return int(cursor.fetchone()[0])


def _counted(campaign: int, people: Sequence[int]) -> tuple[str, list[int]]:
    own = f" AND j.annotator_id IN ({', '.join(['%s'] * len(people))})" if people else ""
    return _counting("a.campaign_id", _OF_CAMPAIGN + own), [campaign, *people]


def _counting(campaign: str, which: str) -> str:
    """The counts of judgments `j`; `campaign` is an expression."""
    return _COUNTED.format(campaign=campaign, minute=_MINUTE[connection.vendor], which=which)
