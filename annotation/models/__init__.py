"""Who judges what, and what was answered: one model a file."""

from annotation.models.adjudication import Adjudication
from annotation.models.assignment import IN_HAND, Assignment, AssignmentStatus
from annotation.models.credit import Credit
from annotation.models.draft import Draft
from annotation.models.error_span import ErrorSpan, Side
from annotation.models.exclusion import Exclusion
from annotation.models.item import Item, ItemKind, ItemLevel
from annotation.models.judgment import Judgment, is_surplus
from annotation.models.practice import PracticeAnswer, PracticeItem
from annotation.models.problem_report import PROBLEM_REASONS, ProblemReport
from annotation.models.score import Score
from annotation.models.slot import Slot

__all__ = [
    "IN_HAND",
    "PROBLEM_REASONS",
    "Adjudication",
    "Assignment",
    "AssignmentStatus",
    "Credit",
    "Draft",
    "ErrorSpan",
    "Exclusion",
    "Item",
    "ItemKind",
    "ItemLevel",
    "Judgment",
    "PracticeAnswer",
    "PracticeItem",
    "ProblemReport",
    "Score",
    "Side",
    "Slot",
    "is_surplus",
]
