"""The analysis `gisting`: how much readers of each system's texts understood."""

from dataclasses import dataclass

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.results.values import Ends, Missing, Number, interval_ends, listed, number
from metrics.statistics.comprehension import share_correct

MEASURE = "correct"
OUT_OF = "asked"


@dataclass(frozen=True)
class SystemUnderstood:
    """`correct` of the questions `asked` in all `readings` of texts; the interval of the share is over documents."""

    system: str
    correct: int
    asked: int
    share: Number
    interval: Ends
    readings: int
    documents: int


@dataclass(frozen=True)
class Gisting:
    """The best system first."""

    systems: tuple[SystemUnderstood, ...] = listed(empty="no_judgments")


def gisting(evidence: Evidence) -> Gisting:
    """Systems by the share of questions answered rightly."""
    tables = {table.measure: table for table in evidence.tables}
    correct, asked = tables.get(MEASURE), tables.get(OUT_OF)
    if correct is None or asked is None or not len(correct):
        return Gisting(())
    kept = evidence.usable(correct) & evidence.by_included(correct) & correct.of_kinds(evidence.recipe.rows)
    correct, asked = correct.where(kept), asked.where(kept)
    entries = []
    for code in np.unique(correct.system).tolist():
        rows = correct.system == code
        understood = share_correct(
            correct.values[rows],
            asked.values[rows],
            correct.document[rows],
            resamples=evidence.recipe.interval_resamples,
            level=evidence.recipe.interval_level,
            rng=np.random.default_rng(evidence.recipe.seed),
        )
        share = number(understood.share, understood.reason)
        entries.append(
            SystemUnderstood(
                system=correct.systems[code],
                correct=int(understood.correct),
                asked=int(understood.asked),
                share=share,
                interval=interval_ends(understood.interval, share),
                readings=int(np.count_nonzero(rows)),
                documents=int(np.unique(correct.document[rows]).size),
            )
        )
    return Gisting(tuple(sorted(entries, key=_rank)))


def _rank(entry: SystemUnderstood) -> tuple[float, str]:
    return 0.0 if isinstance(entry.share, Missing) else -entry.share, entry.system
