"""The analysis `annotators`: how each of them scores, how consistently, and whether controls were noticed."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from metrics.analyses.beside_others import FEWEST_OTHERS, Beside, beside_others
from metrics.analyses.controls import Pairs, control_state, pairs_of
from metrics.analyses.evidence import JUDGED_KINDS, Evidence
from metrics.analyses.json_numbers import number
from metrics.matrices import ScoreTable
from metrics.statistics.arrays import FloatArray
from metrics.statistics.normalisation import ZScores
from metrics.statistics.quality import ControlTest, repeat_consistency

LONGEST_RUN = 8
RUN_BESIDE_OTHERS = 1.5
HASTE_BESIDE_OTHERS = 1 / 3
FASTEST_SECONDS = 3.0
LOWEST_REFERENCE_SHARE = 0.9
FEW_JUDGMENTS = 10


def annotators(evidence: Evidence) -> list[dict[str, Any]]:
    """One entry an annotator, by name; `flags` say what to look at and decide nothing.

    `control_state` is `passed`, `failed`, `too_few` (nothing could have shown) or `none` (no control items).
    `uniform_share` is that of the answer given most often, of ties where preferences are asked. `others_` is how the
    annotator agrees with the mean of the annotators that count, each included one left out of their own.
    """
    whole = evidence.main_table
    if whole is None:
        return []
    table = whole.where(evidence.usable(whole) & whole.of_kinds(JUDGED_KINDS))
    z = evidence.normalised(table)
    repeats = pairs_of(table, "repeat")
    beside = beside_others(evidence, table)
    own = table.where(table.is_own)
    own = own.where(np.argsort(own.annotator, kind="stable"))
    edges = np.searchsorted(own.annotator, [z.annotators, z.annotators + 1])
    each = [own.where(np.arange(start, end)) for start, end in zip(*edges, strict=True)]
    runs = [_longest_run(part.values) for part in each]
    entries = [_entry(evidence, part, z, place, repeats, beside) for place, part in enumerate(each)]
    for place, entry in enumerate(entries):
        others = entries[:place] + entries[place + 1 :]
        entry["flags"] += _run_flag(runs[place], runs[:place] + runs[place + 1 :]) + _haste_flag(entry, others)
    return entries


def _entry(
    evidence: Evidence, own: ScoreTable, z: ZScores, place: int, repeats: Pairs, beside: Beside
) -> dict[str, Any]:
    code = int(z.annotators[place])
    name = own.annotators[code]
    control = evidence.controls[name]
    consistency = repeat_consistency(*repeats.of(code))
    return {
        "annotator": name,
        "judgments": len(own),
        "mean": number(own.natural(float(z.means[place]))),
        "deviation": number(float(z.deviations[place])),
        "seconds_median": _median(own.seconds),
        "control_n": control.n,
        "control_p": number(control.p),
        "control_difference": number(control.difference),
        "control_state": control_state(control),
        "repeat_n": consistency.n,
        "repeat_difference": number(consistency.difference),
        "repeat_pearson": number(consistency.pearson),
        **beside.entry(name),
        "included": name in evidence.included,
        "flags": [*_flags(evidence, own, name, control, has_z=bool(z.deviations[place] > 0)), *beside.flags(name)],
    }


def _flags(evidence: Evidence, own: ScoreTable, name: str, control: ControlTest, *, has_z: bool) -> list[str]:
    regular = own.values[own.of_kinds(["regular"])]
    degraded = own.values[own.of_kinds(["degraded"])]
    reference = own.values[own.of_kinds(["reference"])]
    recorded = own.seconds[~np.isnan(own.seconds)]
    has_failed = control_state(control) == "failed"
    raised = {
        "excluded": name in evidence.excluded,
        "no_z": not has_z,
        "few_judgments": len(own) < FEW_JUDGMENTS,
        "controls_failed": has_failed or (control.is_sufficient and not control.is_passed),
        "controls_insufficient": degraded.size > 0 and not control.is_sufficient and not has_failed,
        "degraded_not_lower": bool(degraded.size and regular.size and degraded.mean() >= regular.mean()),
        "above_reference": bool(reference.size and regular.size and regular.mean() >= reference.mean()),
        "low_reference": bool(
            reference.size and _share_of_scale(own, float(reference.mean())) < LOWEST_REFERENCE_SHARE
        ),
        "fast": bool(recorded.size and recorded.mean() < FASTEST_SECONDS),
    }
    return [flag for flag, is_raised in raised.items() if is_raised]


def _run_flag(own: int, others: Sequence[int]) -> list[str]:
    """On a scale of few points good systems make long runs by themselves: only what stands out is raised."""
    stands_out = not others or own > RUN_BESIDE_OTHERS * float(np.median(others))
    return ["same_score_run"] if own > LONGEST_RUN and stands_out else []


def _haste_flag(entry: dict[str, Any], others: Sequence[dict[str, Any]]) -> list[str]:
    """Long texts and short ones take their time with everybody: only beside the others is somebody fast."""
    usual = [each["seconds_median"] for each in others if each["judgments"] >= FEW_JUDGMENTS]
    known = [seconds for seconds in usual if seconds is not None]
    own = entry["seconds_median"] if entry["judgments"] >= FEW_JUDGMENTS else None
    is_hasty = own is not None and len(known) >= FEWEST_OTHERS and own < HASTE_BESIDE_OTHERS * float(np.median(known))
    return ["hasty"] if is_hasty else []


def _share_of_scale(table: ScoreTable, mean: float) -> float:
    """How far up a scale with two ends the mean lies, the best end being 1; NaN on a scale without ends."""
    worst, best = (table.low, table.high) if table.higher_is_better else (table.high, table.low)
    extent = best - worst
    return (table.natural(mean) - worst) / extent if math.isfinite(extent) else math.nan


def _median(seconds: FloatArray) -> float | None:
    recorded = seconds[~np.isnan(seconds)]
    return number(float(np.median(recorded))) if recorded.size else None


def _longest_run(values: FloatArray) -> int:
    if not values.size:
        return 0
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1], [True]]))
    return int(np.diff(starts).max())
