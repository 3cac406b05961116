"""Test sets from files: any format → checked records → rows. Formats by name are in `inspection.py`."""

from campaigns.importing.inspection import FORMAT_NAMES, ImportFileError, Inspection, guess_format, inspect
from campaigns.importing.problems import Problem
from campaigns.importing.records import ImportFiles, QuestionRecord, SegmentRecord

__all__ = [
    "FORMAT_NAMES",
    "ImportFileError",
    "ImportFiles",
    "Inspection",
    "Problem",
    "QuestionRecord",
    "SegmentRecord",
    "guess_format",
    "inspect",
]
