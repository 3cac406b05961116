"""The analyses as the JSON of their results: what is promised to those who read it."""

from collections.abc import Callable
from typing import Any

import metrics.analyses
from metrics.analyses import ANALYSES
from metrics.analyses.evidence import Evidence
from metrics.results.codec import to_json


def analyse(*arguments: Any, **options: Any) -> dict[str, Any]:
    result: dict[str, Any] = to_json(metrics.analyses.analyse(*arguments, **options))
    return result


def analyse_evidence(*arguments: Any) -> dict[str, Any]:
    result: dict[str, Any] = to_json(metrics.analyses.analyse_evidence(*arguments))
    return result


def _as_json(name: str) -> Callable[[Evidence], dict[str, Any]]:
    def analysed(evidence: Evidence) -> dict[str, Any]:
        result: dict[str, Any] = to_json(ANALYSES[name](evidence))
        return result

    return analysed


agreement = _as_json("agreement")
correlation = _as_json("correlation")
exclusion = _as_json("exclusion")
gisting = _as_json("gisting")
ranking = _as_json("ranking")
slices = _as_json("slices")


def annotators(evidence: Evidence) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = to_json(ANALYSES["annotators"](evidence))
    return result
