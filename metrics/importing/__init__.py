"""Metrics' scores computed elsewhere: a file is read, compared with the test set, and stored whole or not at all."""

from metrics.importing.checking import CheckedScores, check_scores
from metrics.importing.described import ScoreFile, guess_metric
from metrics.importing.storing import ScoreFileError, ScoreOutcome, forget_scores, import_scores

__all__ = [
    "CheckedScores",
    "ScoreFile",
    "ScoreFileError",
    "ScoreOutcome",
    "check_scores",
    "forget_scores",
    "guess_metric",
    "import_scores",
]
