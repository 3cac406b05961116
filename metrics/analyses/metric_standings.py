"""Where a metric and people disagree: translations the one places high and the others low."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from metrics.analyses.json_numbers import number
from metrics.analyses.people_and_metrics import SideBySide
from metrics.scoring.reading import TestSetScores
from metrics.statistics.arrays import FloatArray, midranks

SHOWN_EACH_WAY = 10


def disagreements(side: SideBySide, scores: TestSetScores, *, turned: bool) -> list[dict[str, Any]]:
    """For each metric the translations on which it and people lie furthest apart, both ways.

    A standing is the share of all judged translations that are placed below one, half of those placed alike counted:
    from 0 to 1. `human` and `score` are in natural units; `turned` says whether people's were turned round.
    """
    places = {key: place for place, key in enumerate(scores.segment_ids)}
    columns = [places.get(key, -1) for key in side.segment.tolist()]
    found = []
    for metric in side.metrics:
        sign = scores[metric.name].sign
        system, column = np.nonzero(~(np.isnan(side.cells) | np.isnan(metric.cells)))
        people, said = side.cells[system, column], metric.cells[system, column]
        of_people, of_metric = _standing(people), _standing(said)
        apart = of_metric - of_people
        for place in _furthest(apart):
            at = columns[column[place]]
            found.append(
                {
                    "metric": metric.name,
                    "system": side.systems[system[place]],
                    "document": scores.documents[at],
                    "segment": scores.segment_names[at],
                    "segment_id": scores.segment_ids[at],
                    "human": number((-1 if turned else 1) * people[place] + 0.0),
                    "score": number(sign * said[place] + 0.0),
                    "human_standing": number(of_people[place]),
                    "metric_standing": number(of_metric[place]),
                }
            )
    return found


def _standing(values: FloatArray) -> FloatArray:
    return (midranks(values)[0] - 0.5) / max(1, values.size)


def _furthest(apart: FloatArray) -> Iterable[int]:
    """The metric high and people low first, then the reverse; no translation on which both say the same."""
    order = np.argsort(-apart, kind="stable")
    high = [place for place in order[:SHOWN_EACH_WAY].tolist() if apart[place] > 0]
    low = [place for place in order[::-1][:SHOWN_EACH_WAY].tolist() if apart[place] < 0]
    return [*high, *low]
