"""Runs, and the numbers they keep: one model a file."""

from metrics.models.derived_score import DerivedScore
from metrics.models.disagreement import Disagreement
from metrics.models.imported_scores import ImportedScores, ScoreLevel
from metrics.models.run import Run, RunStatus
from metrics.models.run_part import RunPart
from metrics.models.segment_score import SegmentScore
from metrics.models.segment_statistic import SegmentStatistic
from metrics.models.system_score import SystemScore

__all__ = [
    "DerivedScore",
    "Disagreement",
    "ImportedScores",
    "Run",
    "RunPart",
    "RunStatus",
    "ScoreLevel",
    "SegmentScore",
    "SegmentStatistic",
    "SystemScore",
]
