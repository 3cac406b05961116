"""The analysis `gisting`: how much readers of each system's texts understood."""

from typing import Any

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.json_numbers import interval_ends, number
from metrics.statistics.comprehension import share_correct

MEASURE = "correct"
OUT_OF = "asked"


def gisting(evidence: Evidence) -> dict[str, Any]:
    """Systems by the share of questions answered rightly, the best first; the interval is over documents."""
    tables = {table.measure: table for table in evidence.tables}
    correct, asked = tables.get(MEASURE), tables.get(OUT_OF)
    if correct is None or asked is None or not len(correct):
        return {"systems": []}
    kept = evidence.usable(correct) & evidence.by_included(correct) & correct.of_kinds(evidence.recipe.rows)
    correct, asked = correct.where(kept), asked.where(kept)
    entries = []
    for code in np.unique(correct.system).tolist():
        rows = correct.system == code
        found = share_correct(
            correct.values[rows],
            asked.values[rows],
            correct.document[rows],
            resamples=evidence.recipe.interval_resamples,
            level=evidence.recipe.interval_level,
            rng=np.random.default_rng(evidence.recipe.seed),
        )
        entries.append(
            {
                "system": correct.systems[code],
                "correct": int(found.correct),
                "asked": int(found.asked),
                "share": number(found.share),
                "interval": interval_ends(found.interval),
                "readings": int(np.count_nonzero(rows)),
                "documents": int(np.unique(correct.document[rows]).size),
            }
        )
    return {"systems": sorted(entries, key=lambda entry: (-(entry["share"] or 0.0), entry["system"]))}
