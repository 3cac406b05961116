"""Each annotator beside all others: whether they order outputs alike, who is stricter, and who always says the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.json_numbers import interval_ends, number
from metrics.analyses.preferences import label_ratings
from metrics.analyses.shared_ratings import ratings_of
from metrics.matrices import ScoreTable
from metrics.statistics.agreement import WithOthers, agreement_with_others
from metrics.statistics.arrays import FloatArray

FEWEST_ANSWERS = 10
FEWEST_OTHERS = 2
UNIFORM_FROM = 0.8
UNIFORM_BESIDE_OTHERS = 1.5
LOW_BESIDE_OTHERS = 0.5
TIE = 0.0


@dataclass(frozen=True)
class Beside:
    """By annotator's name; `uniform` and `answers` are the share of the answer given most often, and of how many."""

    with_others: Mapping[str, WithOthers]
    uniform: Mapping[str, float]
    answers: Mapping[str, int]

    def entry(self, name: str) -> dict[str, Any]:
        found = self.with_others.get(name)
        return {
            "uniform_share": self.uniform.get(name),
            "others_n": found.n if found else 0,
            "others_pearson": number(found.pearson) if found else None,
            "others_interval": interval_ends(found.interval) if found else None,
            "others_difference": number(found.difference) if found else None,
        }

    def flags(self, name: str) -> list[str]:
        return [
            flag
            for flag, is_raised in (("uniform", self._is_uniform(name)), ("low_agreement", self._is_apart(name)))
            if is_raised
        ]

    def _is_uniform(self, name: str) -> bool:
        """Nearly all answers are the same one, and with the others they are not."""
        own = self.uniform.get(name, 0.0)
        others = [
            share for other, share in self.uniform.items() if other != name and self.answers[other] >= FEWEST_ANSWERS
        ]
        stands_out = not others or own > UNIFORM_BESIDE_OTHERS * float(np.median(others))
        return self.answers.get(name, 0) >= FEWEST_ANSWERS and own >= UNIFORM_FROM and stands_out

    def _is_apart(self, name: str) -> bool:
        """Even the upper end of the interval lies below zero, or below half of what is usual among the others."""
        found = self.with_others.get(name)
        others = [
            each.pearson
            for other, each in self.with_others.items()
            if other != name and each.n >= FEWEST_ANSWERS and not np.isnan(each.pearson)
        ]
        if found is None or found.n < FEWEST_ANSWERS:
            return False
        usual = float(np.median(others)) if len(others) >= FEWEST_OTHERS else 0.0
        return bool(found.interval.high < max(0.0, LOW_BESIDE_OTHERS * usual))


def beside_others(evidence: Evidence, table: ScoreTable) -> Beside:
    """Of regular judgments; preferences are compared pair by pair."""
    regular = table.where(table.of_kinds(["regular"]))
    ratings = label_ratings(regular) if table.is_relative else ratings_of(regular)
    counted = np.array([name in evidence.included for name in ratings.names], dtype=np.bool_)
    found = agreement_with_others(ratings.matrix, counted=counted)
    uniform = {
        name: _uniform_share(ratings.values[ratings.annotator == code], is_relative=table.is_relative)
        for code, name in enumerate(ratings.names)
    }
    answers = np.bincount(ratings.annotator, minlength=len(ratings.names)).tolist()
    return Beside(dict(zip(ratings.names, found, strict=True)), uniform, dict(zip(ratings.names, answers, strict=True)))


def _uniform_share(values: FloatArray, *, is_relative: bool) -> float:
    if is_relative:
        return float(np.mean(values == TIE))
    _, counts = np.unique(values, return_counts=True)
    return float(counts.max() / counts.sum())
