"""The tables of metric scores: systems by all metrics, one metric closely, and every two systems compared."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from metrics.analyses.correlation import ComparedSystem, Correlations
from metrics.results.tables import Cell, Column, Form, Marked, Table, Text
from metrics.results.values import Missing, Number
from metrics.scoring import INTERVAL_NOTES, ScoreComparison
from metrics.scoring.names import remark_on
from metrics.scoring.neural_states import STATES
from metrics.scoring.reading import MetricScores, TestSetScores

ALPHA = 0.05
_DETAILS: Mapping[str, Text] = {
    "precisions": _("Precisions"),
    "recalls": _("Recalls"),
    "brevity_penalty": _("Brevity penalty"),
    "words": _("Words"),
    "reference_words": _("Words of the reference"),
    "ratio": _("Length ratio"),
    "mean_of_segments": _("Mean of segments"),
    "edits": _("Edits"),
    "reference_length": _("Length of the reference"),
    "precision": _("Precision"),
    "recall": _("Recall"),
    "matches": _("Matches"),
    "chunks": _("Chunks"),
    "penalty": _("Fragmentation penalty"),
    "variant": _("Variant"),
}
_NOT_DETAILS = {"segments"}  # a column of its own
_NO_SCORE: Mapping[str, Text] = {
    "not_in_file": _("not in the file"),
    "is_reference": _("reference"),
    "not_scored": _("not computed"),
    **STATES,
}
_COMPARED = ("difference", "share", "p_randomisation", "p_bootstrap")
TEST_COLUMNS = ("metric", "first", "second", "difference", "share", "p_bootstrap", "p_randomisation")


@dataclass(frozen=True)
class ScoredMetric:
    """One metric over the systems; `title` tells a metric computed here from an imported one of the same title."""

    scores: MetricScores
    title: str
    tables: "ScoreTables"

    @property
    def name(self) -> str:
        return self.scores.name

    @cached_property
    def known(self) -> dict[str, float]:
        values = dict(zip(self.tables.scores.systems, self.scores.systems.tolist(), strict=True))
        return {system: values[system] for system in self.tables.systems if not math.isnan(values[system])}

    @cached_property
    def unavailable(self) -> dict[str, str]:
        """By system, why a model could not score it."""
        entries = self.scores.entries
        own = [name for name in self.tables.systems if name in entries and name not in self.known]
        return {name: entries[name].unavailable or "" for name in own if entries[name].unavailable}

    @cached_property
    def differences(self) -> dict[str, ScoreComparison]:
        """By other systems, which come first, from the baseline."""
        differences = {}
        for one in self.tables.comparisons:
            if (one.metric, one.first) == (self.name, self.tables.baseline):
                turned = replace(one, first=one.second, second=one.first, difference=-one.difference)
                differences[one.second] = turned
            elif (one.metric, one.second) == (self.name, self.tables.baseline):
                differences[one.first] = one
        return differences

    @property
    def decimals(self) -> int:
        return decimals_for(self.known.values())

    @property
    def lower_is_better(self) -> bool:
        return not self.scores.higher_is_better

    @property
    def remark(self) -> str:
        return "" if self.scores.is_imported else remark_on(self.name, self.scores.signature)

    @property
    def best(self) -> frozenset[str]:
        """Among several systems; human translations do not compete."""
        competing = {
            name: self.scores.sign * value for name, value in self.known.items() if name not in self.tables.humans
        }
        most = max(competing.values(), default=math.nan)
        return frozenset(name for name, value in competing.items() if value == most and len(competing) > 1)

    @property
    def signatures(self) -> list[str]:
        """Each once, with the metric's name before it, as one puts it beside a score."""
        return self._named(self.scores.signatures)

    @property
    def interval_signatures(self) -> list[str]:
        """Of the intervals, which can change while scores do not."""
        entries = (self.scores.entries[name] for name in self.known if name in self.scores.entries)
        return self._named(one.interval_signature for one in entries)

    def _named(self, signatures: Iterable[str | None]) -> list[str]:
        return [f"{self.title}|{one}" for one in dict.fromkeys(signatures) if one]

    def verdict(self, system: str) -> str | None:
        """Beside the baseline, where the difference is significant."""
        one = self.differences.get(system)
        if one is None or one.p_randomisation >= ALPHA:
            return None
        return str(_("better") if self.scores.sign * one.difference > 0 else _("worse"))

    def number(self, system: str) -> Number:
        if system in self.known:
            return self.known[system]
        if self.scores.is_imported:
            return Missing("not_in_file")
        if system in self.unavailable:
            return self.scores.entries[system].score
        return Missing("is_reference" if system in self.tables.humans else "not_scored")

    @property
    def table(self) -> Table:
        """The systems that have a score, with what it is made of; in files the same columns for every metric."""
        details = {name: self._details(name) for name in self.known}
        keys = [key for key in dict.fromkeys(key for own in details.values() for key in own) if key not in _NOT_DETAILS]
        of_details = [self._detail_column(key, [own.get(key) for own in details.values()]) for key in keys]
        # one more decimal than beside the other metrics, as papers print them
        columns = _columns(self.title, self.decimals + 1, self.remark, lower_is_better=self.lower_is_better)
        missing: dict[str, Mapping[str, Any]] = {name: {} for name in self.unavailable}
        rows = (
            (*self._row(name), *(_detail(own.get(key)) for key in keys)) for name, own in {**details, **missing}.items()
        )
        return Table(
            "scores",
            self.title,
            (*columns, *of_details),
            tuple(rows),
            part="metric",
            page=(
                "system", "score", "interval", "segments", *(_COMPARED if self.differences else ()),
                *(column.name for column in of_details),
            ),
            main="score",
        )  # fmt: skip

    def _row(self, name: str) -> tuple[Cell, ...]:
        entry, difference, details = self.scores.entries.get(name), self.differences.get(name), self._details(name)
        note = entry.interval_note if entry else None
        return (
            name,
            name in self.tables.humans,
            self.tables.people.get(name),
            self.name,
            self.number(name),
            (entry.interval or Missing(note or "")) if entry and name in self.known else None,
            entry.segments if entry and name in self.known else None,
            self.scores.higher_is_better,
            self.scores.is_imported,
            entry.signature if name in self.unavailable and entry else self._signature_of(name),
            json.dumps(details, ensure_ascii=False) if details else "",
            (entry.interval_signature if entry else None) or "",
            note or "",
            self.unavailable.get(name, ""),
            self.unavailable.get(name) or (str(INTERVAL_NOTES[note]) if note else None),
            self.verdict(name),
            *(getattr(difference, key) if difference else None for key in _COMPARED),
        )

    def _signature_of(self, name: str) -> str:
        return self.scores.signatures[self.tables.scores.systems.index(name)]

    def _details(self, name: str) -> Mapping[str, Any]:
        entry = self.scores.entries.get(name)
        return entry.details if entry else {}

    @staticmethod
    def _detail_column(key: str, values: Sequence[Any]) -> Column:
        """Counts unrounded, shares to three decimals."""
        forms = {type(value) for value in values if value is not None}
        form = Form.COUNT if forms == {int} else Form.NUMBER if forms <= {int, float} else Form.TEXT
        title = _DETAILS.get(key) or key.replace("_", " ").capitalize()
        return Column(f"detail:{key}", title, form, 3, is_in_files=False)


def _columns(title: str = "", decimals: int = 1, remark: str = "", *, lower_is_better: bool = False) -> list[Column]:
    return [
        Column("system", _("System"), Form.NAME),
        Column("is_human", "", Form.YES_NO),
        Column("human", ""),
        Column("metric", "", Form.TEXT),
        Column(
            "score", title, decimals=decimals, highest_first=not lower_is_better, remark=remark, missing=_NO_SCORE
        ),
        Column(
            "interval", _("95% interval"), Form.ENDS, decimals, keys=("low", "high"), of="score", under="note",
            missing=INTERVAL_NOTES,
        ),
        Column("segments", _("Segments"), Form.COUNT),
        Column("higher_is_better", "", Form.YES_NO),
        Column("imported", "", Form.YES_NO),
        Column("signature", "", Form.TEXT),
        Column("details", "", Form.TEXT),
        Column("interval_signature", "", Form.TEXT),
        Column("interval_note", "", Form.TEXT),
        Column("unavailable", "", Form.TEXT),
        Column("note", "", Form.TEXT, is_in_files=False),
        Column("verdict", "", Form.TEXT, is_in_files=False),
        Column(
            "difference", _("Difference from the baseline"), Form.SIGNED, decimals, is_in_files=False,
            under="verdict",
        ),
        Column("share", _("Resamples won by the better system"), Form.SHARE, 0, is_in_files=False),
        Column("p_randomisation", _("p, randomisation"), decimals=4, is_in_files=False),
        Column("p_bootstrap", _("p, bootstrap"), decimals=4, is_in_files=False),
    ]  # fmt: skip


SCORE_FILE_COLUMNS = tuple(key for column in _columns() for key in column.file_keys)


def _detail(value: Any) -> Cell:
    """Lists joined by strokes."""
    if isinstance(value, list | tuple):
        return " / ".join(number_format(Decimal(f"{each:.1f}"), 1) for each in value)
    return str(value) if isinstance(value, bool) else value


@dataclass(frozen=True)
class ScoreTables:
    """Tables of all metrics that a test set has; `correlations` have people's scores beside theirs.

    `comparisons` are those of any systems by any metric, `baseline` the system that others are compared with, if any.
    """

    scores: TestSetScores
    correlations: Correlations | None = None
    comparisons: Sequence[ScoreComparison] = ()
    baseline: str = ""

    @cached_property
    def judged(self) -> dict[str, ComparedSystem]:
        """By name, in people's order."""
        systems = (self.correlations.systems or ()) if self.correlations else ()
        return {one.system: one for one in systems}

    @cached_property
    def people(self) -> dict[str, Number]:
        return {name: one.human for name, one in self.judged.items()}

    @property
    def people_title(self) -> str:
        """What people's score is."""
        titles = {"z": _("Human z-score"), "expected_wins": _("Human expected wins")}
        return str(titles.get(str(self.correlations.human), _("Human score"))) if self.correlations else ""

    @property
    def people_fall(self) -> bool:
        """Whether people's score is better where it is lower."""
        return self.correlations is not None and self.correlations.higher_is_better is False

    @cached_property
    def people_decimals(self) -> int:
        return decimals_for(self.people.values())

    @cached_property
    def systems(self) -> list[str]:
        """As people order them, then by name."""
        judged = [name for name in self.judged if name in self.scores.systems]
        return [*judged, *(name for name in self.scores.systems if name not in judged)]

    @cached_property
    def humans(self) -> frozenset[str]:
        pairs = zip(self.scores.systems, self.scores.is_human, strict=True)
        return frozenset(name for name, is_human in pairs if is_human)

    @cached_property
    def metrics(self) -> list[ScoredMetric]:
        return [self._metric(scores) for scores in self.scores.metrics]

    @property
    def signatures(self) -> list[str]:
        """The signatures of every metric's scores and intervals, which go with the table everywhere."""
        return [one for metric in self.metrics for one in (*metric.signatures, *metric.interval_signatures)]

    def metric(self, name: str) -> ScoredMetric | None:
        return next((metric for metric in self.metrics if metric.name == name), None)

    @property
    def matrix(self) -> Table:
        """Systems by metrics, for a page."""
        has_people = any(not isinstance(value, Missing) for value in self.people.values())
        people = Column(
            "human",
            self.people_title,
            decimals=self.people_decimals,
            highest_first=not self.people_fall,
            is_falling=self.people_fall,
        )
        return Table(
            "scores",
            _("All metrics, all systems"),
            (Column("system", _("System"), Form.NAME), people, *chain(*map(_metric_columns, self.metrics))),
            tuple(
                (
                    Marked(name, small_text=self._small_text(name)),
                    self.people.get(name),
                    *chain(*(_metric_cells(metric, name) for metric in self.metrics)),
                )
                for name in self.systems
            ),
            part="scores",
            page=("system", *(["human"] if has_people else []), *(f"by:{metric.name}" for metric in self.metrics)),
            lead=_(
                "Bold: the best system by each metric, without human translations. An arrow marks metrics where lower "
                "is better."
            ),
            notes=tuple(self._notes()),
            tagged=self.humans,
        )

    def _notes(self) -> Iterator[str]:
        yield str(_("±: half of the 95% interval over resampled segments (Koehn 2004). Imported scores have none."))
        numbers = (metric.number(system) for metric in self.metrics for system in self.systems)
        reasons = {value.reason for value in numbers if isinstance(value, Missing)}
        if "is_reference" in reasons:
            yield str(_("“reference”: a reference itself; no segment has another one."))
        if "not_scored" in reasons:
            yield str(_("“not computed”: no score since the texts changed, or no segment has a reference."))
        for metric in self.metrics:
            yield from (f"{metric.title}: {why}" for why in dict.fromkeys(metric.unavailable.values()))
        if self.baseline:
            yield _(
                "“better” and “worse” than %(name)s: p below 0.05 by approximate randomisation, not corrected for many "
                "pairs."
            ) % {"name": self.baseline}

    def _small_text(self, name: str) -> str:
        is_reference = name in self.judged and self.judged[name].left_out == "reference"
        words = [_("reference")] if is_reference else []
        return ", ".join(map(str, [*words, _("baseline")] if name == self.baseline else words))

    def _metric(self, scores: MetricScores) -> ScoredMetric:
        has_twin = sum(each.title == scores.title for each in self.scores.metrics) > 1
        is_named_so = has_twin and scores.is_imported
        title = _("%(metric)s, imported") % {"metric": scores.title} if is_named_so else scores.title
        return ScoredMetric(scores, title, self)


def _metric_columns(metric: ScoredMetric) -> list[Column]:
    name = metric.name
    return [
        Column(
            f"by:{name}",
            metric.title,
            decimals=metric.decimals,
            highest_first=not metric.lower_is_better,
            is_falling=metric.lower_is_better,
            remark=metric.remark,
            under=f"half:within:{name}",
            missing=_NO_SCORE,
        ),
        Column(f"within:{name}", "", Form.ENDS, metric.decimals, of=f"by:{name}", under=f"verdict:{name}"),
        Column(f"verdict:{name}", "", Form.TEXT),
    ]


def _metric_cells(metric: ScoredMetric, system: str) -> list[Cell]:
    entry, value = metric.scores.entries.get(system), metric.number(system)
    shown = Marked(metric.known[system], is_bold=True, bold_means=f" {_('(best)')}") if system in metric.best else value
    return [shown, entry.interval if entry else None, metric.verdict(system)]


def decimals_for(values: Iterable[Number]) -> int:
    """Scores on a scale of a hundred have one decimal, shares and the like three."""
    return 1 if max((abs(value) for value in values if not isinstance(value, Missing)), default=0.0) >= 10 else 3
