"""Numbers that are kept: one model a file."""

from metrics.models.derived_score import DerivedScore
from metrics.models.disagreement import Disagreement
from metrics.models.imported_scores import ImportedScores, ScoreLevel
from metrics.models.segment_score import SegmentScore
from metrics.models.segment_statistic import SegmentStatistic
from metrics.models.system_score import SystemScore

__all__ = [
    "DerivedScore",
    "Disagreement",
    "ImportedScores",
    "ScoreLevel",
    "SegmentScore",
    "SegmentStatistic",
    "SystemScore",
]
