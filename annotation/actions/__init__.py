"""Every write to assignments and judgments: keyword-only, returning the thing, raising one error a seam."""

from annotation.actions.claiming import claim_assignment
from annotation.actions.creating import create_campaign
from annotation.actions.decisions import adjudicate, exclude_annotator, readmit_annotator, undo_adjudication
from annotation.actions.extending import extend_campaign
from annotation.actions.forgetting import erase_answers, hand_over, has_entered
from annotation.actions.practising import PracticeReceipt, answer_practice, begin_attempt, set_practice
from annotation.actions.returning import (
    reassign_assignment,
    remove_from_campaign,
    reset_assignment,
    retire_account,
    return_assignment,
)
from annotation.actions.status import set_status
from annotation.actions.submitting import (
    NotTheirsAnyMore,
    Receipt,
    RevisionConflict,
    report_problem,
    save_draft,
    submit_judgment,
)

__all__ = [
    "NotTheirsAnyMore",
    "PracticeReceipt",
    "Receipt",
    "RevisionConflict",
    "adjudicate",
    "answer_practice",
    "begin_attempt",
    "claim_assignment",
    "create_campaign",
    "erase_answers",
    "exclude_annotator",
    "extend_campaign",
    "hand_over",
    "has_entered",
    "readmit_annotator",
    "reassign_assignment",
    "remove_from_campaign",
    "report_problem",
    "reset_assignment",
    "retire_account",
    "return_assignment",
    "save_draft",
    "set_practice",
    "set_status",
    "submit_judgment",
    "undo_adjudication",
]
