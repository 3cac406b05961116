"""The analysis `gisting`: how much readers of each system's texts understood."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.results.tables import Column, Form, Table
from metrics.results.values import Ends, Missing, Number, interval_ends, listed, number
from metrics.statistics.bootstrap import share_correct

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
    """Systems by the share of questions answered correctly."""
    tables = {table.measure: table for table in evidence.tables}
    correct, asked = tables.get(MEASURE), tables.get(OUT_OF)
    if correct is None or asked is None or not len(correct):
        return Gisting(())
    counted = evidence.of_systems(correct)
    correct, asked = correct.where(counted), asked.where(counted)
    entries = []
    for code in np.unique(correct.system).tolist():
        rows = correct.system == code
        understood = share_correct(
            correct.values[rows], asked.values[rows], correct.document[rows], **evidence.recipe.bootstrap
        )
        share = number(understood.share, understood.reason)
        entries.append(
            SystemUnderstood(
                system=correct.systems[code],
                correct=int(understood.correct),
                asked=int(understood.questions),
                share=share,
                interval=interval_ends(understood.interval, share),
                readings=int(np.count_nonzero(rows)),
                documents=int(np.unique(correct.document[rows]).size),
            )
        )
    return Gisting(tuple(sorted(entries, key=_rank)))


def _rank(entry: SystemUnderstood) -> tuple[float, str]:
    return 0.0 if isinstance(entry.share, Missing) else -entry.share, entry.system


def comprehension_table(
    result: Gisting, ranks: Mapping[str, tuple[int, int]] = MappingProxyType({}), humans: frozenset[str] = frozenset()
) -> Table:
    """`ranks` are by system, those of correct answers per reading in the ranking; without them the column is empty."""
    counts = ("correct", "asked", "readings", "documents")
    return Table(
        "comprehension",
        _("Questions answered correctly"),
        columns=(
            Column("rank", gettext_lazy("Rank"), Form.RANKS, keys=("first", "last"), is_in_files=False),
            Column("system", gettext_lazy("System"), Form.NAME),
            Column("share", gettext_lazy("Share"), Form.SHARE, 0, highest_first=True),
            Column(
                "interval", gettext_lazy("Share, 95% interval"), Form.ENDS, 0, keys=("low", "high"), of="share",
            ),
            Column("correct", gettext_lazy("Right"), Form.COUNT, highest_first=True),
            Column("asked", gettext_lazy("Asked"), Form.COUNT, highest_first=True),
            Column("readings", gettext_lazy("Readings"), Form.COUNT, highest_first=True),
            Column("documents", gettext_lazy("Documents"), Form.COUNT, highest_first=True),
        ),
        rows=tuple(
            (ranks.get(one.system), one.system, one.share, one.interval, *(getattr(one, name) for name in counts))
            for one in result.systems
        ),
        part="comprehension",
        caption=_("Comprehension"),
        page=("rank", "system", "chart:interval", "share", *counts),
        paper=("system", "share", "interval", *counts),
        terminal=("system", "share", "interval", *counts),
        main="share",
        lead=_("Answered from one text alone. The source and the reference are read for comparison."),
        notes=(
            _(
                "Share: correct answers divided by questions asked. Intervals: percentile bootstrap "
                "over documents. The rank range counts significant differences in correct answers per "
                "reading. Texts differ in difficulty: with few documents, a system may have had the "
                "easy ones."
            ),
        ),
        tagged=humans,
    )  # fmt: skip
