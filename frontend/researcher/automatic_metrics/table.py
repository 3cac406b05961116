"""The table of metrics and systems: scores with their intervals, the best marked, and differences from a baseline."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from metrics.scoring import INTERVAL_NOTES, remark_on
from metrics.scoring.reading import MetricScores, TestSetScores

ALPHA = 0.05


@dataclass(frozen=True)
class Difference:
    """A system beside the baseline: `is_better` by the metric's own direction; `share` is of whichever is better."""

    value: float
    is_better: bool
    share: float
    p_bootstrap: float
    p_randomisation: float

    @property
    def is_significant(self) -> bool:
        return self.p_randomisation < ALPHA


@dataclass(frozen=True)
class Cell:
    """One system by one metric. `reason` says why there is no score."""

    system: str
    score: float | None
    low: float | None = None
    high: float | None = None
    segments: int | None = None
    is_best: bool = False
    details: Mapping[str, Any] | None = None
    difference: Difference | None = None
    signature: str = ""
    reason: str = ""
    interval_signature: str = ""
    interval_note: str = ""

    @property
    def note(self) -> str:
        """What is to be known of the interval, or why there is none."""
        return str(INTERVAL_NOTES[self.interval_note]) if self.interval_note else ""

    @property
    def misses(self) -> bool:
        return self.interval_note == "misses_score"

    @property
    def half_width(self) -> float | None:
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True)
class Column:
    """One metric with a cell for each system, in the order of the table's rows."""

    metric: MetricScores
    cells: Sequence[Cell]
    title: str

    @property
    def name(self) -> str:
        return self.metric.name

    @cached_property
    def decimals(self) -> int:
        return decimals_for(cell.score for cell in self.cells if cell.score is not None)

    @property
    def lower_is_better(self) -> bool:
        return not self.metric.higher_is_better

    @property
    def signatures(self) -> list[str]:
        """Each once, with the metric's name before it, as one puts it beside a score."""
        known = dict.fromkeys(signature for signature in self.metric.signatures if signature)
        return [f"{self.title}|{signature}" for signature in known]

    @property
    def remark(self) -> str:
        return remark_on(self.name, self.metric.signature) if not self.metric.is_imported else ""

    @property
    def interval_signatures(self) -> list[str]:
        """Of the intervals, which can change while scores do not; each once."""
        known = dict.fromkeys(cell.interval_signature for cell in self.cells if cell.interval_signature)
        return [f"{self.title}|{signature}" for signature in known]

    @property
    def has_tests(self) -> bool:
        return any(cell.difference for cell in self.cells)


@dataclass(frozen=True)
class Row:
    system: str
    is_human: bool
    human: float | None
    cells: Sequence[tuple[Column, Cell]]
    left_out: str = ""


@dataclass(frozen=True)
class MetricTable:
    """`people` are the systems of the analysis `correlation`, best first; without one, systems stand by name."""

    scores: TestSetScores
    comparisons: Mapping[str, Sequence[Mapping[str, Any]]]
    people: Sequence[Mapping[str, Any]] = ()
    baseline: str = ""

    @cached_property
    def systems(self) -> list[str]:
        judged = [each["system"] for each in self.people if each["system"] in self.scores.systems]
        return [*judged, *(name for name in self.scores.systems if name not in judged)]

    @cached_property
    def humans(self) -> frozenset[str]:
        pairs = zip(self.scores.systems, self.scores.is_human, strict=True)
        return frozenset(name for name, is_human in pairs if is_human)

    @cached_property
    def columns(self) -> list[Column]:
        return [self._column(metric) for metric in self.scores.metrics]

    @cached_property
    def rows(self) -> list[Row]:
        people = {each["system"]: each for each in self.people}
        return [
            Row(
                system=name,
                is_human=name in self.humans,
                human=people.get(name, {}).get("human"),
                cells=[(column, column.cells[place]) for column in self.columns],
                left_out=people.get(name, {}).get("left_out") or "",
            )
            for place, name in enumerate(self.systems)
        ]

    @property
    def signatures(self) -> list[str]:
        """Of every metric's scores and intervals: what goes with the table wherever it is taken."""
        return [one for column in self.columns for one in (*column.signatures, *column.interval_signatures)]

    @property
    def has_misses(self) -> bool:
        return any(cell.misses for column in self.columns for cell in column.cells)

    @property
    def has_people(self) -> bool:
        return any(row.human is not None for row in self.rows)

    @cached_property
    def human_decimals(self) -> int:
        return decimals_for(row.human for row in self.rows if row.human is not None)

    def column(self, name: str) -> Column | None:
        return next((column for column in self.columns if column.name == name), None)

    def _column(self, metric: MetricScores) -> Column:
        place = {name: at for at, name in enumerate(self.scores.systems)}
        values = {name: float(metric.systems[place[name]]) for name in self.systems}
        competing = [metric.sign * value for name, value in values.items() if self._competes(name, value)]
        best = max(competing, default=math.nan)
        differences = self._differences(metric)
        cells = []
        for name, value in values.items():
            signature = metric.signatures[place[name]]
            if math.isnan(value):
                cells.append(Cell(name, None, reason=self._reason(metric, name)))
                continue
            entry = metric.entries.get(name, {})
            low, high = entry.get("interval") or (None, None)
            is_best = self._competes(name, value) and metric.sign * value == best and len(competing) > 1
            cells.append(
                Cell(
                    name, value, low, high, entry.get("segments"), is_best=is_best, details=entry.get("details"),
                    difference=differences.get(name), signature=signature,
                    interval_signature=entry.get("interval_signature") or "",
                    interval_note=entry.get("interval_note") or "",
                )
            )  # fmt: skip
        return Column(metric, cells, self._title(metric))

    def _title(self, metric: MetricScores) -> str:
        """A metric counted here and one of the same title from elsewhere are told apart."""
        alike = [each for each in self.scores.metrics if each.title == metric.title]
        return (
            _("%(metric)s, imported") % {"metric": metric.title}
            if len(alike) > 1 and metric.is_imported
            else metric.title
        )

    def _competes(self, system: str, value: float) -> bool:
        return system not in self.humans and not math.isnan(value)

    def _reason(self, metric: MetricScores, system: str) -> str:
        if metric.is_imported:
            return _("The file has no score of this system.")
        if system in self.humans:
            return _("It is a reference itself, or has no segment with another one.")
        return _("Not scored yet, or changed since; or no segment has a translation and a reference.")

    def _differences(self, metric: MetricScores) -> dict[str, Difference]:
        found = {}
        for each in self.comparisons.get(metric.name, ()):
            if self.baseline in (each["first"], each["second"]):
                is_first = each["first"] != self.baseline
                other = each["first"] if is_first else each["second"]
                found[other] = Difference(
                    value=each["difference"] if is_first else -each["difference"],
                    is_better=is_first and each["difference"] != 0,
                    share=each["share"],
                    p_bootstrap=each["p_bootstrap"],
                    p_randomisation=each["p_randomisation"],
                )
        return found


def decimals_for(values: Iterable[float]) -> int:
    """Scores on a scale of a hundred have one decimal, shares and the like three."""
    return 1 if max((abs(value) for value in values), default=0.0) >= 10 else 3
