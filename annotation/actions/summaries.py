"""Keeps what pages read instead of all items and judgments, changed by the write that changes them.

`recount` makes it anew from items and judgments; `./assay manage check_counts` compares it with that.
"""
# ruff: noqa: S608 - statements of our own names

from collections.abc import Iterable, Sequence

from django.db import transaction

from annotation.actions.work_counts import count_differing, recount_work, wrong_work_counts
from annotation.actions.work_sums import wrong_work_sums
from annotation.models import AssignmentStatus, ControlScore, ItemKind, ItemLevel, PlannedOutputs, TimesheetSums
from campaigns.rows_together import insert_selected

_PLANNED_COLUMNS = ("assignment_id", "document_id", "system_id", "outputs")
_REGULAR = f"i.kind = '{ItemKind.REGULAR}' AND i.level <> '{ItemLevel.CONTEXT}'"
_PLANNED = f"""
    SELECT assignment_id, document_id, system_id, COUNT(*) AS outputs FROM (
        SELECT i.assignment_id, i.document_id, s.system_id
        FROM annotation_item i JOIN annotation_slot s ON s.item_id = i.id WHERE {_REGULAR} AND {{own}}
        UNION ALL
        SELECT i.assignment_id, i.document_id, c.system_id
        FROM annotation_item i JOIN annotation_slot s ON s.item_id = i.id
        JOIN annotation_credit c ON c.slot_id = s.id WHERE {_REGULAR} AND {{own}}
    ) AS asked GROUP BY assignment_id, document_id, system_id"""
_OF_CAMPAIGN = "i.assignment_id IN (SELECT id FROM annotation_assignment WHERE campaign_id = %s)"

_OF_SCORE = ("translation", "slot", "measure", "value", "is_damaged", "is_beside")
_SCORE_COLUMNS = ("campaign_id", "annotator_id", "item_id", "original", "judgment_id", *_OF_SCORE)
_IS_PLANTED = f"kind = '{ItemKind.DEGRADED}' AND original_id IS NOT NULL"
_DAMAGED = "EXISTS (SELECT 1 FROM annotation_slot d WHERE d.item_id = i.id AND d.damaged IS NOT NULL{label})"
_SCORED = """
    SELECT a.campaign_id, j.annotator_id, i.id AS item_id, {original} AS original, j.id AS judgment_id,
        s.translation_id AS translation, s.slot, s.measure, s.value, {is_damaged} AS is_damaged,
        {is_beside} AS is_beside
    FROM annotation_item i JOIN annotation_assignment a ON a.id = i.assignment_id
    JOIN annotation_judgment j ON j.item_id = i.id JOIN annotation_score s ON s.judgment_id = j.id
    WHERE a.campaign_id = %s AND a.status <> '{archived}' AND j.is_current AND NOT j.surplus
        AND s.translation_id IS NOT NULL AND {which}"""


def recount(campaign: int, annotators: Iterable[int] = ()) -> None:
    """All of a campaign anew, or what these annotators judged; until then none of their judgments is stored."""
    people = list(annotators)
    with transaction.atomic():
        recount_work(campaign, people)
        own = {"annotator__in": people} if people else {}
        TimesheetSums.objects.filter(campaign=campaign, **own).delete()  # workers store them again
        recount_control_scores(campaign, people)
        if not people:
            recount_plan(campaign)


def recount_control_scores(campaign: int, people: Sequence[int] = ()) -> None:
    """A part of `recount`, in the caller's transaction."""
    own = {"annotator__in": people} if people else {}
    ControlScore.objects.filter(campaign=campaign, **own).delete()
    insert_selected(ControlScore, _SCORE_COLUMNS, *_control_scores(campaign, "j.annotator_id", people))


def recount_plan(campaign: int) -> None:
    """A part of `recount`, in the caller's transaction; judgments are not needed."""
    PlannedOutputs.objects.filter(assignment__campaign=campaign).delete()
    insert_selected(PlannedOutputs, _PLANNED_COLUMNS, _PLANNED.format(own=_OF_CAMPAIGN), [campaign] * 2)


def keep_plan(assignments: Sequence[int]) -> None:
    """What these assignments ask, after their items were stored or changed."""
    if assignments:
        PlannedOutputs.objects.filter(assignment__in=assignments).delete()
        own = f"i.assignment_id IN ({_places(assignments)})"
        insert_selected(PlannedOutputs, _PLANNED_COLUMNS, _PLANNED.format(own=own), [*assignments] * 2)


def keep_control_scores(campaign: int, items: Sequence[int]) -> None:
    """The scores of these degraded items, or originals of such, after they were judged."""
    ControlScore.objects.filter(item__in=items).delete()
    insert_selected(ControlScore, _SCORE_COLUMNS, *_control_scores(campaign, "i.id", items))


def wrong_counts(campaign: int) -> int:
    """How many stored rows of a campaign differ from a recount, are missing, or stand for nothing that is there."""
    planned_columns, score_columns = ", ".join(_PLANNED_COLUMNS), ", ".join(_SCORE_COLUMNS)
    planned = f"SELECT {planned_columns} FROM annotation_plannedoutputs i WHERE {_OF_CAMPAIGN}"
    scores = f"SELECT {score_columns} FROM annotation_controlscore WHERE campaign_id = %s"
    return (
        wrong_work_counts(campaign)
        + wrong_work_sums(campaign)
        + count_differing(planned_columns, _PLANNED.format(own=_OF_CAMPAIGN), [campaign] * 2, planned, campaign)
        + count_differing(score_columns, *_control_scores(campaign, "", []), scores, campaign)
    )


def _control_scores(campaign: int, column: str, keys: Sequence[int]) -> tuple[str, list[int]]:
    """Rows of degraded items, then those of their originals; with `keys` where the column has one of these."""
    own = f" AND {column} IN ({_places(keys)})" if keys else ""
    planted = f"SELECT original_id FROM annotation_item WHERE {_IS_PLANTED}"
    beside = f"{_DAMAGED.format(label='')} AND NOT {_DAMAGED.format(label=' AND d.label = s.slot')}"
    archived = AssignmentStatus.ARCHIVED
    of_damaged = {"original": "i.original_id", "is_damaged": "true", "is_beside": beside, "which": f"i.{_IS_PLANTED}"}
    of_genuine = {"original": "i.id", "is_damaged": "false", "is_beside": "false", "which": f"i.id IN ({planted})"}
    parts = [_SCORED.format(archived=archived, **each) + own for each in (of_damaged, of_genuine)]
    return " UNION ALL ".join(parts), [campaign, *keys] * 2


def _places(keys: Sequence[int]) -> str:
    return ", ".join(["%s"] * len(keys))
