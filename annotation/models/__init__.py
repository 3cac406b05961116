"""Who judges what, what was answered, and what was decided about it."""

from annotation.models.allocation import DrawnScreen, Race, RaceLook, RaceStatus, RaceSystem
from annotation.models.assignments import IN_HAND, Assignment, AssignmentStatus, Credit, Item, ItemKind, ItemLevel, Slot
from annotation.models.checks import AttentionCheck, CheckDraw
from annotation.models.chosen import ChosenSegment
from annotation.models.decisions import Adjudication, Exclusion
from annotation.models.judgments import (
    PROBLEM_REASONS,
    ActionLog,
    Draft,
    ErrorSpan,
    Judgment,
    ProblemReport,
    Score,
    Side,
    is_surplus,
    slot_values,
)
from annotation.models.notes import OrganiserNote, TimesheetNote
from annotation.models.practice import PracticeAnswer, PracticeItem
from annotation.models.summaries import ControlScore, PlannedOutputs
from annotation.models.work_counts import CountedBy, TimesheetSums, WorkCount
